"""What is said of a shared position, the plays that people propose, and the answer."""

from collections.abc import Iterator

from bot.features.analysis.service import Analysis
from bot.features.analysis.sharing import Answer, ProposalAttempt
from bot.features.hints.texts import AS_GOOD_LOSS, describe_loss
from bot.features.matches.name_texts import mention_people, mention_person
from bot.platform.i18n.common import format_code, format_title
from bot.platform.i18n.numbers import format_points
from bot.platform.i18n.reader import Reader


def format_thread_name(say: Reader, analysis: Analysis) -> str:
    """Name the thread in which a position is discussed."""
    return say("Analysis: {game}", game=format_title(say, analysis.match.game))


def format_question(say: Reader, person: int) -> str:
    """Ask everyone for a play."""
    return say("{who} asks: what would you play?", who=mention_person(person))


def format_count(say: Reader, count: int) -> str:
    """Say how many have proposed a play."""
    if not count:
        return say(
            "Nobody has proposed a play yet. Proposals are hidden until the answer is shown."
        )
    return say.plural(
        "{n} person has proposed a play; what people propose is hidden until the answer.",
        "{n} people have proposed a play; what people propose is hidden until the answer.",
        count,
    )


def format_shared(say: Reader, link: str) -> str:
    """Say where a position is shared."""
    return say("Shared: [see it in the channel]({link}).", link=link)


def format_attempt(say: Reader, attempt: ProposalAttempt) -> str:
    """Say what somebody has proposed so far, and what is left to do."""
    if attempt.is_whole:
        return say(
            "You propose {play}. Nobody sees it until the answer is shown.",
            play=format_code(attempt.play),
        )
    if attempt.play:
        return say("So far: {play}.", play=format_code(attempt.play))
    return say("Which play do you propose? Only you see this.")


def format_proposals(say: Reader, answer: Answer) -> Iterator[str]:
    """List what people have proposed and what it loses, the best first."""
    if not answer.proposed:
        yield say("Nobody proposed a play.")
        return
    yield say("**What was proposed**")
    for each in answer.proposed:
        how = say("the best play")
        if 0 < each.loss < AS_GOOD_LOSS:
            how = describe_loss(say, each.loss)
        elif each.loss > 0:
            # Translators: how good a play is, and the equity it loses: "slightly worse, -0.05".
            how = say(
                "{how}, {points}",
                how=describe_loss(say, each.loss),
                points=format_points(say, -each.loss),
            )
        # Translators: a play, how good it is, and who proposed it: "a-b (the best play): @Ana".
        yield say(
            "{play} ({how}): {people}",
            play=format_code(each.play),
            how=how,
            people=mention_people(say, each.people),
        )
