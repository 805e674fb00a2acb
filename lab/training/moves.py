"""One number's moves, compiled: which men may go, where to, and whether a side can move at all.

The same rules as `engine.search.moves`, read from tables. `nodes` are rows behind one another, and
`row` is where one begins.
"""

from lab.training.compiled import compiled, compiled_inline
from lab.training.layout import (
    BAN_CLOSED,
    BEARING,
    BEARING_PAST,
    BREACH,
    BREAKS_BARRIER,
    COURSE,
    COURSE_AT,
    COURSE_LENGTH,
    GATE,
    HAND,
    HIGHEST,
    HOME,
    HOME_AT,
    LATE,
    LEFT,
    MEMORY,
    MEN,
    NUMBERS,
    OFF,
    PLACED,
    PLACES,
    PLACING,
    PLACING_ALL,
    PLACING_FREE,
    PLACING_STILL,
    REENTRY,
    REENTRY_FIRST,
    REENTRY_SOFT,
    REMEMBERS,
    ROOM,
    SENT,
    SIZE,
    TARGETS,
    WIDTH,
    Ints,
    Row,
)

ANY_MAN, ONLY_BARS, ONLY_PLACING = range(3)
WALL = 6


@compiled_inline
def count_waiting(t: Ints, nodes: Row, men: int) -> int:
    """How many men of a side, whose counts begin at `men`, were hit and wait to re-enter."""
    count = 0
    for place in range(t[OFF] + 1, t[WIDTH]):
        count += nodes[men + place]
    return count


@compiled
def has_blocking_prime(t: Ints, nodes: Row, row: int, side: int) -> bool:
    """Return whether a side holds a prime of six points with a man of the other side behind it.

    The points follow one another along the other side's course.
    """
    holder = row + side * PLACES
    other = row + (1 - side) * PLACES
    course = COURSE + (1 - side) * PLACES
    closed = t[BAN_CLOSED]
    run = 0
    farthest = -1
    for step in range(t[COURSE_LENGTH + 1 - side]):
        run = run + 1 if nodes[holder + t[course + step]] >= closed else 0
        if run >= WALL:
            # The last prime found shuts in most: men behind an earlier one are behind it too.
            farthest = step - WALL + 1
    if farthest < 0:
        return False
    # Men beside the board have the whole course before them.
    if nodes[other + t[HAND]] > 0 or count_waiting(t, nodes, other) > 0:
        return True
    for step in range(farthest):
        if nodes[other + t[course + step]] > 0:
            return True
    return False


@compiled
def may_bear_off(t: Ints, nodes: Row, row: int, side: int, source: int, number: int) -> bool:
    """Return whether a number bears a man off a point.

    Enough men must be home, and the number be exact or no man farther back.
    """
    men = row + side * PLACES
    home = HOME + side * PLACES
    standing = 0
    for step in range(WALL):
        standing += nodes[men + t[home + step]]
    if standing < min(t[GATE], t[MEN] - nodes[men + t[OFF]]):
        return False
    at = t[HOME_AT + side * PLACES + source]
    waiting = nodes[men + t[HAND]] + count_waiting(t, nodes, men)
    # A man borne off has passed the middle.
    if waiting > 0 and t[LATE + side * PLACES + t[HOME + side * PLACES]] > 0:
        return False
    if at < 0:
        # With sums and no gate a man goes off from anywhere: the farthest by any such number.
        before = t[COURSE_AT + side * PLACES + source]
        if t[BEARING] == BEARING_PAST or number == t[COURSE_LENGTH + side] - before:
            return True
        for step in range(before):
            waiting += nodes[men + t[COURSE + side * PLACES + step]]
        return waiting == 0
    # `at` counts from the farthest point of the home, so the exact number is what it lacks of six.
    if t[BEARING] == BEARING_PAST or number == WALL - at:
        return True
    # A man outside the home is farther back than any in it.
    if standing < t[MEN] - nodes[men + t[OFF]]:
        return False
    for step in range(at):
        if nodes[men + t[home + step]] > 0:
            return False
    return True


@compiled
def _may_break_barrier(t: Ints, nodes: Row, row: int, side: int, source: int, number: int) -> bool:
    """Return whether a six lands on the sixth point of a barrier that shuts the whole side in.

    The man comes from right before the barrier.
    """
    at = t[COURSE_AT + side * PLACES + source]
    length = t[COURSE_LENGTH + side]
    if (
        number != WALL
        or at < 0
        or at + WALL >= length
        or not has_blocking_prime(t, nodes, row, 1 - side)
    ):
        return False
    course = COURSE + side * PLACES
    holder = row + (1 - side) * PLACES
    for step in range(at + 1, at + WALL + 1):
        if nodes[holder + t[course + step]] < t[BAN_CLOSED]:
            return False
    men = row + side * PLACES
    behind = count_waiting(t, nodes, men)
    for step in range(at + 1):
        behind += nodes[men + t[course + step]]
    return behind == t[MEN]


@compiled_inline
def _is_way_bound(t: Ints, nodes: Row, row: int, side: int, target: int) -> bool:
    """Return whether men to be placed, or the lack of a place for a hit man, block the way."""
    men = row + side * PLACES
    if t[PLACING] != PLACING_FREE and t[LATE + side * PLACES + target] > 0:
        return nodes[men + t[HAND]] + count_waiting(t, nodes, men) > 0
    if target >= t[SIZE] or nodes[row + (1 - side) * PLACES + target] == 0:
        return False
    # Where a hit man goes back to a point, it must be free of the hitter's men, and not be the
    # point where he is hit.
    sent = t[SENT + (1 - side) * PLACES + target]
    return sent < t[SIZE] and (nodes[men + sent] > 0 or sent == target)


@compiled_inline
def find_landing(t: Ints, nodes: Row, row: int, side: int, source: int, number: int) -> int:
    """Return where a man may land by a number, or -1.

    Whether he is bound to wait is not checked.
    """
    target = t[TARGETS + (side * NUMBERS + number) * PLACES + source]
    if target < 0:
        return -1
    if target == t[OFF]:
        return target if may_bear_off(t, nodes, row, side, source, number) else -1
    if nodes[row + side * PLACES + target] > t[ROOM + side * PLACES + target]:
        return -1
    closed = nodes[row + (1 - side) * PLACES + target] >= t[BAN_CLOSED]
    if closed and not (
        t[BREACH] == BREAKS_BARRIER and _may_break_barrier(t, nodes, row, side, source, number)
    ):
        return -1
    return -1 if _is_way_bound(t, nodes, row, side, target) else target


@compiled_inline
def _can_enter_by(t: Ints, nodes: Row, row: int, side: int, number: int) -> bool:
    """Whether that number could enter a man from a bar on a point that is open."""
    men = row + side * PLACES
    for bar in range(t[OFF] + 1, t[WIDTH]):
        target = t[TARGETS + (side * NUMBERS + number) * PLACES + bar]
        if nodes[men + bar] > 0 and target >= 0:
            room = nodes[men + target] <= t[ROOM + side * PLACES + target]
            if room and nodes[row + (1 - side) * PLACES + target] < t[BAN_CLOSED]:
                return True
    return False


@compiled_inline
def _can_enter(t: Ints, nodes: Row, row: int, side: int, only: int) -> bool:
    """Whether `only`, or where it is nought any number left, could enter a man."""
    if only > 0:
        return _can_enter_by(t, nodes, row, side, only)
    for number in range(1, 7):
        if nodes[row + LEFT + number] > 0 and _can_enter_by(t, nodes, row, side, number):
            return True
    return False


@compiled_inline
def find_binding(t: Ints, nodes: Row, row: int, side: int, only: int) -> int:
    """Return which men may go: any, those on the bars, or those being placed.

    `only` is as for `_can_enter`.
    """
    men = row + side * PLACES
    if count_waiting(t, nodes, men) > 0:
        if t[REENTRY] == REENTRY_FIRST:
            return ONLY_BARS
        # The soft rule lets other men move where no number can enter one.
        if t[REENTRY] == REENTRY_SOFT and _can_enter(t, nodes, row, side, only):
            return ONLY_BARS
    if nodes[men + t[HAND]] > 0 and (t[PLACING] == PLACING_ALL or t[PLACING] == PLACING_STILL):
        return ONLY_PLACING
    return ANY_MAN


@compiled_inline
def may_go(t: Ints, nodes: Row, row: int, side: int, bound: int, place: int) -> bool:
    """Whether a man of that place may go at all, where men are bound so."""
    if nodes[row + side * PLACES + place] == 0 or place == t[OFF]:
        return False
    if bound == ANY_MAN or (t[REMEMBERS] == PLACED and place == nodes[row + MEMORY] - 1):
        return True
    return place > t[OFF] if bound == ONLY_BARS else place == t[HAND]


@compiled
def can_move_any(t: Ints, nodes: Row, row: int, side: int, number: int, bound: int) -> bool:
    """Whether that number, or sum, moves any man."""
    for place in range(t[WIDTH]):
        if (
            may_go(t, nodes, row, side, bound, place)
            and find_landing(t, nodes, row, side, place, number) >= 0
        ):
            return True
    return False


@compiled
def is_stuck(t: Ints, nodes: Row, row: int, side: int) -> bool:
    """Return whether no number, nor a sum where the game has them, could move that side's men."""
    for number in range(1, t[HIGHEST] + 1):
        if can_move_any(t, nodes, row, side, number, find_binding(t, nodes, row, side, number)):
            return False
    return True


@compiled
def can_enter_any(t: Ints, nodes: Row, row: int, side: int) -> bool:
    """Whether any number could enter a man of that side from a bar."""
    for number in range(1, 7):
        for bar in range(t[OFF] + 1, t[WIDTH]):
            if (
                nodes[row + side * PLACES + bar] > 0
                and find_landing(t, nodes, row, side, bar, number) >= 0
            ):
                return True
    return False
