"""What is said of a ladder."""

from collections.abc import Iterator, Mapping

from bot.features.ladders.rows import Ladder, LadderView
from bot.features.ladders.rungs import (
    ANSWER_MS,
    DECLINED,
    INACTIVE_MS,
    LAPSED,
    REACH,
    REMATCH_MS,
    LadderAction,
    LadderChallenge,
    LadderEvent,
)
from bot.features.matches.clock_texts import format_relative_time, format_terms_line
from bot.features.matches.name_texts import mention_person
from bot.platform.errors import DeclinedError
from bot.platform.i18n.common import (
    escape_text,
    format_date,
    format_house_rules,
    format_labelled,
    format_quotation,
)
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.refusals import format_decline
from engine.clock import DAY
from engine.games import GAMES
from engine.outcome import ANNULLED, FORFEITED


def format_ladder_heading(ladder: Ladder) -> str:
    """Name a ladder in a heading."""
    return f"### {escape_text(ladder.name)}"


def format_ladder_terms(say: Reader, ladder: Ladder) -> str:
    """Tell what is played on a ladder, and how."""
    line = format_terms_line(say, ladder.game, ladder.pace, rated=ladder.rated)
    agreed = format_house_rules(say, GAMES[ladder.game], ladder.options)
    return "\n".join((line, *(f"- {rule}" for rule in agreed)))


def format_rung_line(number: int, person: int) -> str:
    """Tell who stands on a rung."""
    return f"**{number}.** {mention_person(person)}"


def format_empty_ladder(say: Reader) -> str:
    """Say that nobody is on a ladder."""
    return say("Nobody has joined yet.")


def format_running_line(say: Reader, challenge: LadderChallenge) -> str:
    """Tell of a challenge that can be answered, or is being played."""
    who, whom = mention_person(challenge.challenger), mention_person(challenge.challenged)
    if challenge.match is None:
        return say(
            "{who} challenges {whom}, who has to answer {when}",
            who=who,
            whom=whom,
            when=format_relative_time(challenge.expires),
        )
    return say("{who} plays {whom}: match {n}", who=who, whom=whom, n=challenge.match)


def format_result_line(say: Reader, over: LadderChallenge) -> str:
    """Tell what came of a challenge, and whether anybody moved by it."""
    who, whom = mention_person(over.challenger), mention_person(over.challenged)
    parts = {"who": who, "whom": whom, "when": format_date(over.settled or 0)}
    if over.how == DECLINED:
        return say("{when}: {whom} declined, so {who} won by forfeit, unrated", **parts)
    if over.how == LAPSED:
        return say("{when}: {whom} didn't answer, so {who} won by forfeit, unrated", **parts)
    if over.how == ANNULLED:
        return say(
            "{when}: the match of {who} and {whom} was annulled, and counts for nothing", **parts
        )
    if over.winner is None:
        if over.how == FORFEITED:
            return say("{when}: {who} and {whom} both forfeited; nobody moved", **parts)
        return say("{when}: {who} and {whom} drew; nobody moved", **parts)
    if over.winner == over.challenged:
        if over.how == FORFEITED:
            return say("{when}: {who} forfeited to {whom}, unrated; nobody moved", **parts)
        return say("{when}: {whom} won against {who}; nobody moved", **parts)
    if over.how == FORFEITED:
        return say("{when}: {whom} forfeited to {who}, unrated", **parts)
    return say("{when}: {who} won against {whom}", **parts)


def explain_ladder(say: Reader) -> str:
    """Explain by which rules people move, in the small print."""
    return say(
        "Challenge a player up to {reach} rungs above you: if you win, you take their rung, and "
        "those between move one down. Whoever declines, or doesn't answer within {answer} days, "
        "loses by forfeit, unrated. The same two meet once in {rematch} days. You have one "
        "challenge or match at a time as challenger, and one as challenged. Whoever hasn't "
        "challenged, answered or played here for {inactive} days drops one rung a week, but not "
        "while on vacation.",
        reach=REACH,
        answer=ANSWER_MS // DAY,
        rematch=REMATCH_MS // DAY,
        inactive=INACTIVE_MS // DAY,
    )


def format_closing(say: Reader, view: LadderView) -> str:
    """Tell who closed a ladder and why; nothing while it is open."""
    ruling = view.find_ruling(LadderAction.CLOSE)
    if ruling is None or ruling.moderator is None:
        return ""
    return say(
        "{who} closed the ladder: {reason}",
        who=mention_person(ruling.moderator),
        reason=format_quotation(say, ruling.reason),
    )


def format_ladder_ruling(say: Reader, ruling: LadderEvent) -> str:
    """Tell what an organiser did, and why."""
    parts = {
        "when": format_date(ruling.at),
        "who": mention_person(ruling.moderator or 0),
        "reason": format_quotation(say, ruling.reason),
    }
    if ruling.person is None:
        return say("{when}: {who} closed the ladder. {reason}", **parts)
    whom = mention_person(ruling.person)
    return say("{when}: {who} removed {whom}. {reason}", whom=whom, **parts)


def explain_ladder_rulings(say: Reader) -> str:
    """Explain what an organiser's rulings do."""
    return say(
        "Each asks for a reason, which is kept here. Who is removed forfeits the matches in "
        "progress, unrated. When the ladder is closed, open challenges are withdrawn; matches in "
        "progress can be finished, but move nobody."
    )


def format_choices(
    say: Reader, view: LadderView, refusals: Mapping[int, DeclinedError | None]
) -> Iterator[str]:
    """Tell for people near somebody whether they can be challenged, or why not."""
    rungs = view.rungs
    for person, refusal in refusals.items():
        line = format_rung_line(rungs.index(person) + 1, person)
        why = say("**can be challenged**") if refusal is None else format_decline(say, refusal)
        yield format_labelled(say, line, why)


def format_own_rung(say: Reader, view: LadderView, person: int) -> str:
    """Tell somebody their rung."""
    return say(
        "You're on rung {n} of {most}.", n=view.rungs.index(person) + 1, most=len(view.rungs)
    )


def ask_whom_to_challenge(say: Reader) -> str:
    """Ask whom somebody challenges."""
    return say("Challenge a player")


def format_ladder_created(say: Reader, ladder: Ladder) -> str:
    """Tell an organiser that a ladder is open."""
    return say(
        "{ladder} is open: people join it with its button or `/ladder join`. With `/ladder "
        "manage` you can remove a player or close it.",
        ladder=escape_text(ladder.name),
    )


def format_ladder_joined(say: Reader, view: LadderView) -> str:
    """Tell somebody that they have joined."""
    return say(
        "You've joined {ladder} on rung {n}. `/ladder next` shows whom you can challenge.",
        ladder=escape_text(view.ladder.name),
        n=len(view.rungs),
    )


def format_ladder_left(say: Reader, view: LadderView) -> str:
    """Tell somebody that they have left."""
    return say(
        "You've left {ladder}. You can join again, at the bottom.",
        ladder=escape_text(view.ladder.name),
    )


def ask_before_leaving_ladder(say: Reader, view: LadderView, n: int) -> str:
    """Ask somebody whether they mean to leave a ladder on which so much of theirs goes on."""
    return say.plural(
        "If you leave {ladder} now, you forfeit {n} challenge or match in progress.",
        "If you leave {ladder} now, you forfeit {n} challenges or matches in progress.",
        n,
        ladder=escape_text(view.ladder.name),
    )


def format_ladder_challenged(say: Reader, ladder: Ladder, whom: int, until: int) -> str:
    """Tell somebody that they have challenged another."""
    return say(
        "You've challenged {whom} on {ladder}: they have to answer {when}.",
        whom=mention_person(whom),
        ladder=escape_text(ladder.name),
        when=format_relative_time(until),
    )
