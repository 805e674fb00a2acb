"""What a play does, in words: whom it hits, which points it makes, and which men it leaves open."""

from collections.abc import Iterator, Sequence

from bot.platform.i18n.endings import format_remark
from bot.platform.i18n.reader import Reader
from engine.match import Match
from engine.plays import Play
from engine.rules import Remark


def describe_play(say: Reader, match: Match, play: Play, remark: Remark | None = None) -> str:
    """Say what a play does, and what the game remembers of it; nothing for a plain move."""
    told = (*_list_effects(say, match, play), format_remark(say, match.game, remark))
    return say.in_context("between the things that a play does", "; ").join(filter(None, told))


def _list_effects(say: Reader, match: Match, play: Play) -> Iterator[str]:
    board = match.rules.board
    if hits := [move.target for move in play.moves if move.hit]:
        yield say("hits on {points}", points=_format_points(say, match, hits))
    if borne := sum(move.target == board.off for move in play.moves):
        yield say.plural("bears off a man", "bears off {n} men", borne)
    before, after = match.position.men(match.turn), play.end.men(match.turn)
    changed = {point: (before[point], after[point]) for point in _list_open_points(match)}
    if made := [point for point, (was, now) in changed.items() if was < 2 <= now]:
        yield say("makes {points}", points=_format_points(say, match, made))
    if left := [point for point, (was, now) in changed.items() if was != now == 1]:
        points = _format_points(say, match, left)
        yield say.plural(
            "leaves a blot on {points}", "leaves blots on {points}", len(left), points=points
        )


def _list_open_points(match: Match) -> tuple[int, ...]:
    """Return the points on which the other side could hit a man who stands alone."""
    rules, other = match.rules, match.turn.other
    if rules.closed == 1:
        return ()
    return rules.course(other) if rules.moving else rules.entry_points(other)


def _format_points(say: Reader, match: Match, points: Sequence[int]) -> str:
    names = match.rules.board.place_names
    return say.format_list([names[point] for point in sorted(set(points))])
