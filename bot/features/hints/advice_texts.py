"""Advice in words: what the best plays are worth, what one of them does, and why it is better."""

from collections.abc import Iterator

from bot.features.hints.advice import Advice
from bot.features.hints.texts import (
    AS_GOOD_LOSS,
    describe_event,
    describe_loss,
    format_evaluation,
)
from bot.features.matches.play_texts import describe_play_fully
from bot.platform.i18n.common import capitalise_first, join_clauses
from bot.platform.i18n.numbers import format_points
from bot.platform.i18n.reader import Reader
from engine.players.worth import Aspect, PlayReason

MOST_REASONS = 2
"""Reasons of either kind that are named: those that weigh most."""


def format_ranking(say: Reader, advice: Advice) -> Iterator[str]:
    """List what may be done, the best first, each with what it loses; a line each on a phone."""
    for number, each in enumerate(advice.best, 1):
        deed = describe_event(say, advice.match, each.event)
        if number == 1:
            # Translators: of a play: "1. a-b: best".
            yield say("**{number}.** {deed}: best", number=number, deed=deed)
            continue
        loss = advice.best[0].worth.points - each.worth.points
        parts = {"number": number, "deed": deed, "how": describe_loss(say, loss)}
        if loss < AS_GOOD_LOSS:
            # Translators: of a play: "2. a-b: just as good".
            yield say("**{number}.** {deed}: {how}", **parts)
            continue
        # Translators: of a play: "2. a-b: slightly worse, -0.05".
        yield say(
            "**{number}.** {deed}: {how}, {points}", **parts, points=format_points(say, -loss)
        )


def format_explanation(say: Reader, advice: Advice) -> str:
    """Say what the play that is looked at is worth and does, and how it compares."""
    number = advice.shown + 1
    worth = advice.prospect.worth
    evaluation = format_evaluation(say, worth.win, worth.points)
    told = [say("**Play {number}:** {evaluation}", number=number, evaluation=evaluation)]
    play = advice.play
    if play is None:
        # A choice moves no man, so that there is no more to say of it.
        told = [say("**Choice {number}:** {evaluation}", number=number, evaluation=evaluation)]
    elif effects := describe_play_fully(say, advice.match, play):
        told.append(say("{effects}.", effects=capitalise_first(effects)))
    return "\n".join((*told, *_format_comparison(say, advice)))


def _format_comparison(say: Reader, advice: Advice) -> Iterator[str]:
    prospect = advice.prospect
    if prospect.reasons is None:
        return
    number = prospect.against + 1
    better = [reason for reason in prospect.reasons if reason.points > 0][:MOST_REASONS]
    worse = [reason for reason in prospect.reasons if reason.points < 0][:MOST_REASONS]
    if better:
        yield say(
            "Better than play {number}: {reasons}.",
            number=number,
            reasons=_join_reasons(say, better),
        )
    if worse:
        yield say(
            "Worse than play {number}: {reasons}.", number=number, reasons=_join_reasons(say, worse)
        )
    if not (better or worse):
        yield say(
            "Next to play {number} the race, hits and blocks hardly differ; what counts is where "
            "the men stand.",
            number=number,
        )
    elif advice.shown == 0 and not better:
        yield say("Where the men stand makes up for that.")
    elif advice.shown > 0 and not worse and _is_worse(advice):
        yield say("Where the men stand outweighs that.")


def _is_worse(advice: Advice) -> bool:
    return advice.prospect.worth.points < advice.best[0].worth.points


def _join_reasons(say: Reader, reasons: list[PlayReason]) -> str:
    told = (_describe_reason(say, reason) for reason in reasons)
    return join_clauses(say, told)


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
            return say("more throws can hit your men ({own} %, not {other} %)", **parts)
        case Aspect.DANGER:
            return say("fewer throws can hit your men ({own} %, not {other} %)", **parts)
        case Aspect.THREAT if more:
            return say("your next throw hits more often ({own} %, not {other} %)", **parts)
        case Aspect.THREAT:
            return say("your next throw hits less often ({own} %, not {other} %)", **parts)
        case Aspect.BLOCK if more:
            return say("it holds the other side's men back more")
        case Aspect.BLOCK:
            return say("it holds the other side's men back less")
        case Aspect.ESCAPE if more:
            return say("your own men are held back more")
    return say("your own men move on more freely")


def format_advice_footer(say: Reader) -> str:
    """Tell whose judgement it is, and where the reasons come from."""
    return say(
        "The computer's evaluation, 1-ply where plays are close, and what weighs most in it."
    )
