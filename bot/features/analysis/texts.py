"""What is said of a position that is analysed, shared or tried, and of what is best in it."""

from collections.abc import Iterable, Iterator

from bot.features.analysis.hints import Advice, HintRequest, Trial, find_play
from bot.features.analysis.service import Analysis, Answer, Findings, ProposalAttempt
from bot.features.matches import event_texts
from bot.features.matches.session import MatchSession
from bot.features.matches.texts import format_result, mention_people, mention_person
from bot.platform.i18n.common import (
    capitalise_first,
    format_code,
    format_decimal,
    format_dice,
    format_house_rules,
    format_points,
    format_side,
    format_side_title,
    format_title,
    join_clauses,
    join_sentences,
    keep_together,
)
from bot.platform.i18n.reader import Reader, clean_code
from engine.events import Chosen, Event, Left, Played
from engine.games.backgammon import BACKGAMMON
from engine.match import BREAK, SIDE, SIX, Match, Phase
from engine.notation import format_play
from engine.players.evaluation import EXACT_TIE, Aspect, Evaluation, PlayReason
from engine.plays import Play
from engine.position_ids import format_xgid
from engine.position_text import format_position

AS_GOOD_LOSS, BARELY_WORSE_LOSS, SLIGHTLY_WORSE_LOSS, WORSE_LOSS = 0.005, 0.02, 0.08, 0.2
"""Points lost below which a choice is as good, barely, slightly or just worse; then much worse."""
ESTIMATE_DECIMALS, EXACT_DECIMALS = 2, 4
"""Decimals of points: what is exact is so in four of them."""
EXACT_CHANCE_DECIMALS = 2
"""Decimals of a win chance in percent, where it is exact; an estimate has none."""
WHOLE = 1e-9
"""How far the points of a game that is decided may be from a whole number."""
MAX_REASONS = 2
"""Reasons of either kind that are named: those that weigh most."""


def format_hint_heading(say: Reader, session: MatchSession) -> str:
    """Name what is told."""
    return say(
        "### Hint for match {match}: {game}",
        match=session.id,
        game=format_title(say, session.match.game),
    )


def describe_event(say: Reader, match: Match, event: Event) -> str:
    """Say what somebody may do, or did."""
    match event:
        case Played(moves):
            return f"`{keep_together(format_play(moves, match.rules, match.position))}`"
        case Left():
            # Translators: a piece of advice, like "play gold" and "choose the table af".
            return say("leave {dice} unused", dice=format_dice(match.position.dice))
        case Chosen(what, value) if what == SIX:
            return say("turn the {number} into a six", number=value)
        case Chosen(what, value) if what == SIDE.name:
            return say("play {side}", side=format_side(say, value))
        case Chosen(what, value) if what == BREAK:
            return say("break {point}", point=value)
        case Chosen(_, value):
            # Of all games only Twelve Dogs has another choice.
            return say("choose the table {table}", table=value)
    # Translators: a piece of advice, like "play gold" and "choose the table af".
    return say("resign")


def is_as_good(loss: float, *, exact: bool) -> bool:
    """Whether something that loses so much to the best is as good; an estimate may err."""
    return loss < (EXACT_TIE if exact else AS_GOOD_LOSS)


def get_decimals(*, exact: bool) -> int:
    """Return how many decimals of points are shown."""
    return EXACT_DECIMALS if exact else ESTIMATE_DECIMALS


def describe_loss(say: Reader, loss: float, *, exact: bool = False) -> str:
    """Say how much worse something is than the best, in words."""
    if is_as_good(loss, exact=exact):
        # Translators: of a play, compared with the best one: "2. a-b: just as good."
        return say("just as good")
    if loss < BARELY_WORSE_LOSS:
        return say("barely worse")
    if loss < SLIGHTLY_WORSE_LOSS:
        return say("slightly worse")
    # Translators: of a play, compared with the best one: "2. a-b: worse, -0.20."
    return say("worse") if loss < WORSE_LOSS else say("much worse")


def _has_exact_decimals(evaluation: Evaluation) -> bool:
    """Whether it is exact, and not that of a game that is over or decided."""
    return evaluation.exact and abs(evaluation.points - round(evaluation.points)) > WHOLE


def format_chance(say: Reader, evaluation: Evaluation) -> str:
    """Write a win chance in percent: `73`, or `72.51` where it is exact."""
    percent = 100 * evaluation.win
    if _has_exact_decimals(evaluation):
        return format_decimal(say, percent, EXACT_CHANCE_DECIMALS)
    return f"{percent:.0f}"


def format_evaluation(say: Reader, evaluation: Evaluation) -> str:
    """Say what something is worth, in numbers."""
    decimals = get_decimals(exact=_has_exact_decimals(evaluation))
    return say(
        "Win chance {win}%, equity {points}.",
        win=format_chance(say, evaluation),
        points=format_points(say, evaluation.points, decimals),
    )


def format_consent_request(say: Reader, wanted: HintRequest, person: int) -> str:
    """Ask those who have not allowed hints."""
    return say(
        "{who} would like hints in match {match}. {others}, do you allow them? "
        "Once everyone does, all players can use `/match hint`.",
        who=mention_person(say, person),
        match=wanted.session.id,
        others=mention_people(say, wanted.missing),
    )


def format_missing_consent(say: Reader, wanted: HintRequest) -> str:
    """Say who has yet to allow hints."""
    return say(
        "Everyone in this match must allow hints first. {others} can do so with the button in the "
        "channel or with `/match hint`.",
        others=mention_people(say, wanted.missing),
    )


def format_ranking(say: Reader, advice: Advice) -> Iterator[str]:
    """List what may be done, the best first, each with what it loses; a line each on a phone."""
    for number, each in enumerate(advice.best, 1):
        deed = describe_event(say, advice.match, each.event)
        if number == 1:
            # Translators: of a play: "1. a-b: best".
            yield say("**{number}.** {deed}: best", number=number, deed=deed)
            continue
        loss = advice.best[0].evaluation.points - each.evaluation.points
        exact = advice.is_exact
        how = describe_loss(say, loss, exact=exact)
        parts = {"number": number, "deed": deed, "how": how}
        if is_as_good(loss, exact=exact):
            # Translators: of a play: "2. a-b: just as good".
            yield say("**{number}.** {deed}: {how}", **parts)
            continue
        # Translators: of a play: "2. a-b: slightly worse, -0.05".
        points = format_points(say, -loss, get_decimals(exact=exact))
        yield say("**{number}.** {deed}: {how}, {points}", **parts, points=points)


def format_explanation(say: Reader, advice: Advice) -> str:
    """Say what the play that is looked at is worth and does, and how it compares."""
    number = advice.shown + 1
    evaluation = format_evaluation(say, advice.prospect.evaluation)
    lines = [say("**Play {number}:** {evaluation}", number=number, evaluation=evaluation)]
    play = advice.play
    if play is None:
        # A choice moves no man, so that there is no more to say of it.
        lines = [say("**Choice {number}:** {evaluation}", number=number, evaluation=evaluation)]
    elif effects := event_texts.describe_play_fully(say, advice.match, play):
        lines.append(say("{effects}.", effects=capitalise_first(effects)))
    return "\n".join((*lines, *_format_comparison(say, advice)))


def _format_comparison(say: Reader, advice: Advice) -> Iterator[str]:
    """Yield what speaks for the better one of two plays, then for the other."""
    prospect, other = advice.prospect, advice.other
    own, instead = advice.play, find_play(advice.match, other.event)
    if prospect.reasons is None or own is None or instead is None:
        return
    loss = abs(prospect.evaluation.points - other.evaluation.points)
    if prospect.evaluation.exact and other.evaluation.exact and is_as_good(loss, exact=True):
        # What is worth the same is better in nothing, whatever an estimate makes of it.
        return
    number = prospect.against + 1
    lines = []
    if better := join_reasons(say, prospect.reasons, 1):
        lines.append(say("Better than play {number}: {reasons}.", number=number, reasons=better))
    if worse := join_reasons(say, prospect.reasons, -1):
        lines.append(say("Worse than play {number}: {reasons}.", number=number, reasons=worse))
    if prospect.evaluation.points >= other.evaluation.points:
        yield from (
            lines if better else (_format_gains(say, advice.match, own, instead, number), *lines)
        )
    else:
        yield from (
            reversed(lines)
            if worse
            else (_format_losses(say, advice.match, own, instead, number), *lines)
        )


def _format_gains(say: Reader, match: Match, own: Play, other: Play, number: int) -> str:
    """Say what is seen of a play that is better than another in nothing that is weighed apart."""
    if gains := join_clauses(say, event_texts.list_gains(say, match, own, other)):
        return say("Unlike play {number}, this one: {gains}.", number=number, gains=gains)
    return say(
        "Compared with play {number}, no single reason decides; the position as a whole is better.",
        number=number,
    )


def _format_losses(say: Reader, match: Match, own: Play, other: Play, number: int) -> str:
    if gains := join_clauses(say, event_texts.list_gains(say, match, other, own)):
        return say("Play {number}, unlike this one: {gains}.", number=number, gains=gains)
    return say(
        "Compared with play {number}, no single reason decides; the position as a whole is worse.",
        number=number,
    )


def join_reasons(say: Reader, reasons: Iterable[PlayReason], sign: int) -> str:
    """Say what weighs most for a play, with a sign of 1, or against it, with -1."""
    those = [reason for reason in reasons if sign * reason.points > 0]
    return join_clauses(say, (_describe_reason(say, reason) for reason in those[:MAX_REASONS]))


def _describe_reason(say: Reader, reason: PlayReason) -> str:
    parts = {"own": round(100 * reason.own), "other": round(100 * reason.other)}
    more = reason.own > reason.other
    match reason.aspect:
        case Aspect.RACE:
            pips = max(1, round(abs(reason.own - reason.other)))
            if more:
                return say.plural("the race is {n} pip better", "the race is {n} pips better", pips)
            return say.plural("the race is {n} pip worse", "the race is {n} pips worse", pips)
        case Aspect.DANGER if more:
            return say("it risks a hit more often ({own}% of throws, instead of {other}%)", **parts)
        case Aspect.DANGER:
            return say("it risks a hit less often ({own}% of throws, instead of {other}%)", **parts)
        case Aspect.THREAT if more:
            return say(
                "it threatens a hit more often ({own}% of throws, instead of {other}%)", **parts
            )
        case Aspect.THREAT:
            return say(
                "it threatens a hit less often ({own}% of throws, instead of {other}%)", **parts
            )
        case Aspect.BLOCK if more:
            return say("it holds the other side's men back more")
        case Aspect.BLOCK:
            return say("it holds the other side's men back less")
        case Aspect.ESCAPE if more:
            return say("it frees its own men less")
    return say("it frees its own men more")


def explain_exactness(say: Reader) -> str:
    """Say that nothing is estimated."""
    # Translators: below the evaluation of a position; all numbers are exact, none is an estimate.
    return say("Exact: this position is solved.")


def format_advice_footer(say: Reader, advice: Advice) -> str:
    """Say whose judgement it is, and where the reasons come from."""
    if advice.solved:
        return explain_exactness(say)
    return say(
        "The computer's evaluation, 1-ply where plays are close, and what weighs most in it."
    )


def format_heading(say: Reader, match: Match) -> str:
    """Name the game of a position."""
    return say("### Analysis: {game}", game=format_title(say, match.game))


def format_turn(say: Reader, match: Match) -> str:
    """Say whose turn it is, and what there is to play."""
    return capitalise_first(_format_turn(say, match))


def _format_turn(say: Reader, match: Match) -> str:
    side = format_side(say, match.turn)
    match match.phase:
        case Phase.THROW | Phase.BATTLE | Phase.BREAK_ROLL:
            return say("**{side}** is to roll.", side=side)
        case Phase.PLAY | Phase.OFFER:
            dice = format_dice(match.position.dice)
            return say("**{side}** has {dice} to play.", side=side, dice=dice)
    return say(
        "**{side}** has {dice} and a choice to make.", side=side, dice=format_dice(match.thrown)
    )


def format_status(say: Reader, match: Match) -> str:
    """Say in the picture whose turn it is."""
    side = format_side(say, match.turn)
    if match.phase is Phase.THROW:
        return capitalise_first(say("{side} to roll", side=side))
    return capitalise_first(say("{side} to play", side=side))


def format_undecided(say: Reader, found: Findings) -> str:
    """Say what a position is worth in which there is nothing to decide."""
    match = found.analysis.match
    evaluation = format_evaluation(say, found.evaluation)
    side = format_side_title(say, match.turn)
    if match.phase is Phase.THROW:
        # Translators: a side's name, then its chances: "Gold: Win chance 62%, equity +0.24."
        return say("{side}: {evaluation}", side=side, evaluation=evaluation)
    return say(
        "None of this throw can be played. {side}: {evaluation}",
        side=side,
        evaluation=evaluation,
    )


def format_position_line(say: Reader, match: Match) -> str:
    """Write a position so that it can be copied."""
    lines = [
        say("Position: {text}", text=format_code(format_position(match.position, match.rules)))
    ]
    if match.game is BACKGAMMON and match.phase in (Phase.THROW, Phase.PLAY):
        lines.append(format_code(format_xgid(match.position)))
    return "\n".join(lines)


def format_copy_line(say: Reader, match: Match) -> str:
    """Write a position once so that it can be copied: as most programs read it."""
    return format_position_line(say, match).splitlines()[-1]


def format_options(say: Reader, analysis: Analysis) -> Iterator[str]:
    """Write the house rules of a position, if it has any."""
    match = analysis.match
    if match.options:
        rules = join_sentences(say, *format_house_rules(say, match.game, match.options))
        yield say("House rules: {rules}", rules=rules)


def explain_evaluation(say: Reader, found: Findings) -> str:
    """Say whose judgement of a position before a throw it is."""
    if found.evaluation.exact:
        return explain_exactness(say)
    return say("The computer's evaluation, 1-ply: the mean over all throws.")


def format_trial_heading(say: Reader, trial: Trial) -> str:
    """Name a play that is tried."""
    before = trial.before
    return say(
        "### Preview: match {match}, {game}",
        match=before.id,
        game=format_title(say, before.match.game),
    )


def format_turn_question(say: Reader, trial: Trial) -> str:
    """Ask whether a turn is to end."""
    before = trial.before
    return say(
        "### End your turn in match {match}, {game}?",
        match=before.id,
        game=format_title(say, before.match.game),
    )


def format_outcome(say: Reader, trial: Trial) -> tuple[str, ...]:
    """Say which play is tried and what would come of it."""
    before, after = trial.before, trial.final_session
    play, *following = trial.transitions
    tried = keep_together(trial.text)
    text = say("This is the board after `{play}`.", play=tried)
    if not trial.is_turn_over:
        left = format_dice(after.match.position.dice)
        text = say(
            "This is the board after `{play}`, with {dice} left to play.",
            play=tried,
            dice=left,
        )
    unused = event_texts.describe_unplayed_numbers(
        say, before, play.event, trial.session_after_play
    )
    return (
        text,
        unused,
        event_texts.describe_transitions(say, before, following),
        format_result(say, after),
    )


def explain_preview(say: Reader) -> str:
    """Say that a trial changes nothing."""
    return say("Nothing is played yet. Only you can see this.")


def format_unconfirmed_play(say: Reader, text: str) -> str:
    """Say that a play was not confirmed."""
    return say(
        "Not played yet. Choose another play, or type `/move {play}` to play this one.",
        play=clean_code(text),
    )


def format_confirmed_play(say: Reader, match: int, elsewhere: str | None) -> str:
    """Say that the trial play has been played.

    Where the match goes on `elsewhere`, the sentence leads there.
    """
    if elsewhere is None:
        # Translators: the play that the reader has tried is now played in the match.
        return say("Played.")
    return say("Played. [Match {match} continues here]({link}).", match=match, link=elsewhere)


def format_caption(say: Reader, trial: Trial) -> str:
    """Say in a picture how the board it shows came about."""
    return say("After {play}", play=trial.text)


def format_thread_name(say: Reader, analysis: Analysis) -> str:
    """Name the thread in which a position is discussed."""
    return say("Analysis: {game}", game=format_title(say, analysis.match.game))


def format_question(say: Reader, person: int) -> str:
    """Ask everyone for a play."""
    return say("{who} asks: what would you play?", who=mention_person(say, person))


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
        if each.loss > 0 and is_as_good(each.loss, exact=each.exact):
            how = describe_loss(say, each.loss, exact=each.exact)
        elif each.loss > 0:
            # Translators: how good a play is, and the equity it loses: "slightly worse, -0.05".
            how = say(
                "{how}, {points}",
                how=describe_loss(say, each.loss, exact=each.exact),
                points=format_points(say, -each.loss, get_decimals(exact=each.exact)),
            )
        # Translators: a play, how good it is, and who proposed it: "a-b (the best play): @Ana".
        yield say(
            "{play} ({how}): {people}",
            play=format_code(each.play),
            how=how,
            people=mention_people(say, each.people),
        )
