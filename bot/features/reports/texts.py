"""What is said of how a match was played."""

from collections.abc import Iterator, Sequence

from bot.features.analysis import texts
from bot.features.analysis.hints import find_play
from bot.features.matches.event_texts import list_gains
from bot.features.matches.session import MatchSession
from bot.features.matches.texts import format_names, mention_people
from bot.features.reports.service import MIN_ERROR, MIN_OPEN_CHANCE, MatchReport, ReviewedTurn
from bot.platform.i18n import common
from bot.platform.i18n.common import (
    capitalise_first,
    format_decimal,
    format_dice,
    format_points,
    format_side,
    join_clauses,
    join_sentences,
)
from bot.platform.i18n.reader import Reader, escape_text
from engine.events import Event, Played
from engine.match import Match, apply_unchecked
from engine.players.evaluation import Evaluation
from engine.players.statistics import load_statistics
from engine.position import Side
from engine.throws import is_rule_change

SKILL_LEVELS = ((0.95, 0.004), (0.85, 0.012), (0.65, 0.025), (0.45, 0.045), (0.25, 0.08))
"""The share of best decisions, and the points lost in each, from one word for play to the next."""
MIN_DECISIONS = 8
"""Decisions in an open game from which on it is said how well somebody played."""


def format_heading(say: Reader, session: MatchSession) -> str:
    """Name the report."""
    return say(
        "### Report on match {match}: {game}",
        match=session.id,
        game=common.format_title(say, session.match.game),
    )


def format_moment(say: Reader, then: MatchSession, number: int, turn: ReviewedTurn) -> str:
    """Tell one of the worst moments: the throw, what was played, what was better, and why."""
    who = mention_people(say, then.list_players(turn.side))
    heading = say(
        # Translators: one of the worst moments of a match: "1. @Ana, turn 12: cost 0.24".
        "**{number}.** {who}, turn {turn}: cost {lost}",
        number=number,
        who=who,
        turn=turn.number,
        lost=format_decimal(say, turn.error or 0, texts.get_decimals(exact=turn.exact)),
    )
    return "\n".join((heading, _format_decision(say, then.match, turn)))


def format_no_errors(say: Reader) -> str:
    """Say that somebody has made no error."""
    return say("No error cost {points} points or more.", points=format_decimal(say, MIN_ERROR))


def format_figures(say: Reader, session: MatchSession, report: MatchReport) -> Iterator[str]:
    """Yield lines of luck and skill for each side, and what giving up cost."""
    for side in Side:
        who = mention_people(say, session.list_players(side))
        luck = say(
            "**{who}** ({side}): luck {luck}.",
            who=who,
            side=format_side(say, side),
            luck=format_points(say, report.sum_luck(side)),
        )
        yield join_sentences(say, luck, _format_skill(say, report, side))
        if resigned := report.find_resignation(side):
            yield say(
                "**{who}** resigned with chances left ({win}%): cost {lost}.",
                who=who,
                win=texts.format_chance(say, report.find_evaluation_before(resigned)),
                lost=format_decimal(say, resigned.error, texts.get_decimals(exact=resigned.exact)),
            )


def _format_skill(say: Reader, report: MatchReport, side: Side) -> str:
    """Say how a side played while the game was open."""
    decisions = report.list_open_decisions(side)
    if not decisions:
        return say("There was nothing to decide while the game was open.")
    good = sum(texts.is_as_good(each.error, exact=each.exact) for each in decisions)
    share, rate = good / len(decisions), sum(each.error for each in decisions) / len(decisions)
    parts = {"good": good, "share": round(100 * share), "rate": format_decimal(say, rate, 3)}
    figures = say.plural(
        "the best play in {good} of {n} decision ({share}%), error rate {rate}.",
        "the best play in {good} of {n} decisions ({share}%), error rate {rate}.",
        len(decisions),
        **parts,
    )
    if len(decisions) < MIN_DECISIONS:
        few = say("That is too few to judge.")
        return join_sentences(say, capitalise_first(figures), few)
    return say("Played {how}: {figures}", how=describe_skill(say, share, rate), figures=figures)


def describe_skill(say: Reader, share: float, rate: float) -> str:
    """Say how well somebody played, by the share of best decisions and the points lost in each."""
    level = sum(share < least or rate > most for least, most in SKILL_LEVELS)
    return (
        # Translators: how somebody played, in "Played almost perfectly: the best play in ...".
        say("almost perfectly"),
        # Translators: how somebody played, in "Played strongly: the best play in ...".
        say("strongly"),
        # Translators: how somebody played, in "Played well: the best play in ...".
        say("well"),
        # Translators: how somebody played, in "Played unevenly: the best play in ...".
        say("unevenly"),
        # Translators: how somebody played, in "Played loosely: the best play in ...".
        say("loosely"),
        # Translators: how somebody played, in "Played poorly: the best play in ...".
        say("poorly"),
    )[level]


def explain_figures(say: Reader, session: MatchSession, report: MatchReport) -> str:
    """Say what the figures are, and why they do not add up."""
    lines = [
        say(
            "Luck: points gained over an average throw. Error rate: points lost per decision "
            "against the computer's choice, while each side had a win chance of {least}% or more.",
            least=round(100 * MIN_OPEN_CHANCE),
        )
    ]
    points = format_decimal(say, abs(report.residual_points))
    if session.is_cut_short:
        lines.append(
            say(
                "The match ended early, which accounts for {points} points of the result.",
                points=points,
            )
        )
    elif not report.is_exact:
        lines.append(
            say(
                "Luck and errors leave {points} points of the result unexplained, as each "
                "evaluation is an estimate.",
                points=points,
            )
        )
    if report.is_exact:
        lines.append(say("All values are exact; none is an estimate."))
    elif error := _find_evaluation_error(session):
        lines.append(
            say(
                "Evaluations in this game are off by about {points} points.",
                points=format_decimal(say, error),
            )
        )
    return "\n".join(lines)


def _find_evaluation_error(session: MatchSession) -> float | None:
    """Return how far evaluations typically err; None for rules by which it was not measured."""
    game = session.match.game
    if is_rule_change(session.match.rules, game.resolve_rules({})):
        return None
    found = load_statistics(game.slug, game.edition)
    return found.evaluation_error if found else None


def format_players(say: Reader, session: MatchSession, side: Side) -> str:
    """Name who plays a side."""
    return format_names(say, session, side)


def format_only_chance(say: Reader, name: str, evaluation: Evaluation) -> str:
    """Say in words what a curve of a single throw would show."""
    return say(
        "{who}'s win chance after the only throw: {chance}%.",
        who=escape_text(name),
        chance=texts.format_chance(say, evaluation),
    )


def format_curve_title(say: Reader, name: str) -> str:
    """Name the curve."""
    return say("{who}'s win chance, %", who=name)


def format_curve_span(say: Reader, count: int) -> str:
    """Say how long the curve is."""
    return say.plural("{n} throw or decision", "{n} throws and decisions", count)


def format_progress(say: Reader, session: MatchSession, share: float) -> str:
    """Say how far a report is."""
    return say("Analysing match {match}: {percent}%.", match=session.id, percent=round(100 * share))


def format_not_ready(say: Reader, session: MatchSession) -> str:
    """Say that a report is not there yet."""
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
        evaluation=texts.format_evaluation(say, turn.evaluation),
    )


def _format_throw(say: Reader, then: MatchSession, turn: ReviewedTurn) -> str:
    who = mention_people(say, then.list_players(turn.side))
    side = format_side(say, turn.side)
    if turn.luck is None and then.match.position.dice:
        # The opening throws of both sides are played by the one that won them.
        dice = format_dice(then.match.position.dice)
        return say("**{who}** ({side}): {dice} to play.", who=who, side=side, dice=dice)
    if turn.luck is None:
        # Translators: players, then their side: "@Ana and @Ben (gold)".
        return say("**{who}** ({side})", who=who, side=side)
    return say(
        "**{who}** ({side}): throw {dice}, luck {luck}.",
        who=who,
        side=side,
        dice=format_dice(then.match.thrown),
        luck=format_points(say, turn.luck, texts.get_decimals(exact=turn.exact)),
    )


def _format_decision(say: Reader, match: Match, turn: ReviewedTurn) -> str:
    done = _describe_line(say, match, turn.done)
    if turn.error is None:
        return say("Forced: {done}.", done=done) if done else say("Nothing could be played.")
    if not turn.is_error:
        is_best = texts.is_as_good(turn.error, exact=turn.exact)
        how = say("the best") if is_best else texts.describe_loss(say, turn.error, exact=turn.exact)
        if _is_play(turn):
            return say("Played: {done}, {how}.", done=done, how=how)
        return say("Chosen: {done}, {how}.", done=done, how=how)
    parts = {
        "done": done,
        "how": texts.describe_loss(say, turn.error, exact=turn.exact),
        "lost": format_decimal(say, turn.error, texts.get_decimals(exact=turn.exact)),
        "better": _describe_line(say, match, turn.best) or say("play on"),
    }
    if not _is_play(turn):
        return say("Chosen: {done}, {how}: equity lost {lost}. Better: {better}.", **parts)
    text = say("Played: {done}, {how}: equity lost {lost}. Better: {better}.", **parts)
    return "\n".join(filter(None, (text, _explain_error(say, match, turn))))


def _explain_error(say: Reader, match: Match, turn: ReviewedTurn) -> str:
    """Say why another play was better, where the two can be compared."""
    if len(turn.best) != 1 or len(turn.done) != 1:
        return ""
    best, done = find_play(match, turn.best[0]), find_play(match, turn.done[0])
    if best is None or done is None:
        return ""
    why = texts.join_reasons(say, turn.reasons, 1) or join_clauses(
        say, list_gains(say, match, best, done)
    )
    if not why:
        return say("No single reason decides; the position as a whole is better.")
    # Translators: why another play was better, as clauses: "Why: makes u; keeps r."
    return say("Why: {reasons}.", reasons=why)


def _is_play(turn: ReviewedTurn) -> bool:
    return any(isinstance(event, Played) for event in turn.done)


def _describe_line(say: Reader, match: Match, events: Sequence[Event]) -> str:
    """Say what was done with a throw, one thing after another."""
    parts = []
    for event in events:
        parts.append(texts.describe_event(say, match, event))
        match = apply_unchecked(match, event)
    return say.format_list(parts)


def explain_turn(say: Reader, turn: ReviewedTurn, *, has_better: bool) -> str:
    """Say which arrows are which, and whether anything of a turn is estimated."""
    return join_sentences(
        say,
        texts.explain_exactness(say) if turn.exact else "",
        say("Arrows 1: the better play. Arrows 2: the play made.") if has_better else "",
    )
