"""What a play does, in words: whom it hits, which points it makes, and which men it leaves open."""

from collections.abc import Iterator, Sequence

from bot.platform.i18n.common import join_clauses
from bot.platform.i18n.endings import format_remark
from bot.platform.i18n.reader import Reader
from engine.match import Match
from engine.plays import Play
from engine.rules import Remark

SHORTEST_BLOCK = 3
"""Points in a row that make a block worth a word."""


def describe_play(say: Reader, match: Match, play: Play, remark: Remark | None = None) -> str:
    """Say what a play does, and what the game remembers of it; nothing for a plain move."""
    told = (*_list_effects(say, match, play), format_remark(say, match.game, remark))
    return join_clauses(say, filter(None, told))


def describe_play_fully(say: Reader, match: Match, play: Play) -> str:
    """Say all that a play does, also what the board shows: who enters, who runs, what blocks."""
    told = (*_list_entries(say, match, play), *_list_effects(say, match, play))
    return join_clauses(say, (*told, *_list_wider_effects(say, match, play)))


def _list_entries(say: Reader, match: Match, play: Play) -> Iterator[str]:
    board = match.rules.board
    entered = sum(move.source in (board.hand, *board.bars) for move in play.moves)
    if entered and match.rules.moving:
        yield say.plural("enters a man", "enters {n} men", entered)


def _list_wider_effects(say: Reader, match: Match, play: Play) -> Iterator[str]:
    """Yield which block is made, and from where the last men run past the other side."""
    rules, side, names = match.rules, match.turn, match.rules.board.place_names
    if not rules.moving:
        return
    before, after, theirs = match.position.men(side), play.end.men(side), play.end.men(side.other)
    course = rules.course(side)
    for block in _list_blocks(after, rules.course(side.other), max(2, rules.closed)):
        if any(before[point] < 2 for point in block):
            yield say(
                "blocks {n} points in a row, {first} to {last}",
                n=len(block),
                first=names[min(block)],
                last=names[max(block)],
            )
    last = next((at for at, point in enumerate(course) if before[point]), None)
    if last is None or rules.board.count_waiting(before) or before[rules.board.hand]:
        return
    # Only past men of the other side is it running.
    if not after[course[last]] and any(theirs[point] for point in course[last + 1 :]):
        yield say("runs from {point}", point=names[course[last]])


def _list_blocks(men: bytes, course: Sequence[int], closed: int) -> Iterator[Sequence[int]]:
    """Yield the runs of points in a row, at least so many, on which a course is blocked."""
    run: list[int] = []
    for point in (*course, None):
        if point is not None and men[point] >= closed:
            run.append(point)
            continue
        if len(run) >= SHORTEST_BLOCK:
            yield run
        run = []


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
