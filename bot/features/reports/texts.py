"""What is said of how a match was played."""

from collections.abc import Iterator, Sequence

from bot.features.hints.texts import AS_GOOD_LOSS, describe_event, describe_loss, format_evaluation
from bot.features.matches import name_texts
from bot.features.matches.name_texts import mention_people
from bot.features.matches.session import MatchSession
from bot.features.reports.review import ReviewedTurn
from bot.features.reports.service import MatchReport
from bot.platform.i18n import common
from bot.platform.i18n.common import escape_text, format_dice, format_side
from bot.platform.i18n.numbers import format_decimal, format_points
from bot.platform.i18n.reader import Reader
from engine.events import Event, Played
from engine.match import Match, apply_unchecked
from engine.position import Side

STRONG_LOSS, GOOD_LOSS, REASONABLE_LOSS = 0.01, 0.03, 0.07
"""Points lost a turn below which play is strong, good and reasonable; beyond, loose."""


def format_heading(say: Reader, session: MatchSession) -> str:
    """Name the report."""
    return say(
        "### Report on match {match}: {game}",
        match=session.id,
        game=common.format_title(say, session.match.game),
    )


def format_figures(say: Reader, session: MatchSession, report: MatchReport) -> Iterator[str]:
    """Yield a line of luck and skill for each side, then what neither explains."""
    for side in Side:
        made = len(report.list_decisions(side))
        who = {
            "who": mention_people(say, session.list_players(side)),
            "side": format_side(say, side),
            "luck": format_points(say, report.sum_luck(side)),
        }
        if not made:
            yield say("**{who}** ({side}): luck {luck}; nothing to decide.", **who)
            continue
        lost = report.sum_errors(side)
        yield say(
            "**{who}** ({side}): luck {luck}. Played {how}: {errors} in {turns}, equity lost "
            "{lost} ({each} a turn).",
            **who,
            how=describe_skill(say, lost / made),
            errors=say.plural("{n} error", "{n} errors", len(report.list_errors(side))),
            turns=say.plural("{n} turn", "{n} turns", made),
            lost=format_decimal(say, lost),
            each=format_decimal(say, lost / made),
        )
    points = format_decimal(say, abs(report.residual_points))
    if session.is_cut_short:
        yield say(
            "The match ended early, which accounts for {points} points of the result.",
            points=points,
        )
    else:
        yield say("{points} points of the result are unexplained.", points=points)


def describe_skill(say: Reader, each: float) -> str:
    """Say how well somebody played, by the points lost in each turn."""
    if each < STRONG_LOSS:
        # Translators: how somebody played, in "Played strongly: 1 error in 20 turns".
        return say("strongly")
    if each < GOOD_LOSS:
        # Translators: how somebody played, in "Played well: 2 errors in 20 turns".
        return say("well")
    if each < REASONABLE_LOSS:
        # Translators: how somebody played, in "Played reasonably: 4 errors in 20 turns".
        return say("reasonably")
    # Translators: how somebody played, in "Played loosely: 9 errors in 20 turns".
    return say("loosely")


def explain_figures(say: Reader) -> str:
    """Tell what the figures are."""
    return say(
        "Equity is the computer's evaluation, in points. Luck: equity gained over an average "
        "throw. "
        "Lost: how much better the best play was; a turn with a choice counts once. "
        "Unexplained: the evaluation's own error."
    )


def format_players(say: Reader, session: MatchSession, side: Side) -> str:
    """Name who plays a side."""
    return name_texts.format_names(say, session, side)


def format_only_chance(say: Reader, name: str, chance: int) -> str:
    """Say in words what a curve of a single throw would show."""
    return say(
        "{who}'s win chance after the only throw: {chance} %.", who=escape_text(name), chance=chance
    )


def format_curve_title(say: Reader, name: str) -> str:
    """Name the curve."""
    return say("{who}'s win chance, %", who=name)


def format_curve_span(say: Reader, count: int) -> str:
    """Say how long the curve is."""
    return say.plural("{n} throw or decision", "{n} throws and decisions", count)


def format_progress(say: Reader, session: MatchSession, share: float) -> str:
    """Tell how far a report is."""
    return say(
        "Analysing match {match}: {percent} %.", match=session.id, percent=round(100 * share)
    )


def format_not_ready(say: Reader, session: MatchSession) -> str:
    """Tell that a report is not there yet."""
    return say(
        "The report on match {match} isn't ready yet. Try again in a while.", match=session.id
    )


def format_turn(
    say: Reader, then: MatchSession, report: MatchReport, turn: ReviewedTurn
) -> Iterator[str]:
    """Tell a turn: whose, the throw and its luck, what was done, and how that compares."""
    yield say(
        "### Match {match}, turn {number} of {count}",
        match=then.id,
        number=turn.number,
        count=len(report.turns),
    )
    yield _format_throw(say, then, turn)
    yield _format_decision(say, then.match, turn)
    yield say(
        "After it: {evaluation}",
        evaluation=format_evaluation(say, turn.worth.win, turn.worth.points),
    )


def _format_throw(say: Reader, then: MatchSession, turn: ReviewedTurn) -> str:
    who = mention_people(say, then.list_players(turn.side))
    side = format_side(say, turn.side)
    if turn.luck is None and then.match.position.dice:
        # The opening throws of both sides are played by the one that won them.
        dice = format_dice(then.match.position.dice)
        return say("**{who}** ({side}) had {dice} to play.", who=who, side=side, dice=dice)
    if turn.luck is None:
        # Translators: players, then their side: "@Ana and @Ben (gold)".
        return say("**{who}** ({side})", who=who, side=side)
    return say(
        "**{who}** ({side}) rolled {dice}: luck {luck}.",
        who=who,
        side=side,
        dice=format_dice(then.match.thrown),
        luck=format_points(say, turn.luck),
    )


def _format_decision(say: Reader, match: Match, turn: ReviewedTurn) -> str:
    done = _describe_line(say, match, turn.done)
    if turn.error is None:
        return say("Forced: {done}.", done=done) if done else say("Nothing could be played.")
    if not turn.is_error:
        how = say("the best") if turn.error < AS_GOOD_LOSS else describe_loss(say, turn.error)
        if _is_play(turn):
            return say("Played: {done}, {how}.", done=done, how=how)
        return say("Chosen: {done}, {how}.", done=done, how=how)
    parts = {
        "done": done,
        "how": describe_loss(say, turn.error),
        "lost": format_decimal(say, turn.error),
        "better": _describe_line(say, match, turn.best) or say("play on"),
    }
    if _is_play(turn):
        return say("Played: {done}, {how}: equity lost {lost}. Better: {better}.", **parts)
    return say("Chosen: {done}, {how}: equity lost {lost}. Better: {better}.", **parts)


def _is_play(turn: ReviewedTurn) -> bool:
    return any(isinstance(event, Played) for event in turn.done)


def _describe_line(say: Reader, match: Match, events: Sequence[Event]) -> str:
    """Tell what was done with a throw, one thing after another."""
    told = []
    for event in events:
        told.append(describe_event(say, match, event))
        match = apply_unchecked(match, event)
    return say.format_list(told)


def explain_arrows(say: Reader) -> str:
    """Tell which arrows are which."""
    return say("Arrows 1: the better play. Arrows 2: the play made.")
