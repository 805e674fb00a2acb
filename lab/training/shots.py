"""The reach of the next throw, compiled: which blots it hits, and how far men can go.

Held points limit how far. It is what `engine.players.shots` says, by the same tables. Sets
of throws are split in two here, as the whole numbers of a table have 32 bits and three dice fall in
56 ways.
"""

from lab.training.compiled import compiled
from lab.training.layout import (
    BAN_CLOSED,
    COURSE,
    COURSE_LENGTH,
    DEAREST,
    DOOR,
    FAR,
    HALF_THROWS,
    HINDERED,
    HIT_BY,
    HIT_BY_SETS,
    LATER,
    LATER_SETS,
    LOST,
    MAX_WAITING,
    NEXT_CLOSED,
    ON_TRACK,
    PLACES,
    REACHED,
    SHARES,
    SIDES,
    SIZE,
    STAND,
    THROW_COUNT,
    TRACK,
    TRAPPED,
    WAITS,
    WIDTH,
    Floats,
    Ints,
    Row,
)

FACES = 6
WINDOW = 1 << FAR


@compiled
def _write_track(t: Ints, nodes: Row, row: int, side: int, floats: Floats) -> None:
    """Write a side's men at each step of its way, and which of the next points are closed."""
    men = ON_TRACK + side * TRACK
    closed = NEXT_CLOSED + side * TRACK
    window = 0
    # From the end of the way to its start, every closed point moves one bit up: in the window of
    # each step the lowest bit is the point right before it.
    for step in range(t[COURSE_LENGTH + side], 0, -1):
        point = t[COURSE + side * PLACES + step - 1]
        floats[closed + step] = window
        floats[men + step] = nodes[row + side * PLACES + point]
        window = window << 1 & WINDOW - 1
        if nodes[row + (1 - side) * PLACES + point] >= t[BAN_CLOSED]:
            window |= 1
    floats[closed] = window
    floats[men] = 0.0
    for place in range(t[SIZE], t[WIDTH]):
        step = t[STAND + side * PLACES + place]
        if step >= 0:
            floats[men + step] += nodes[row + side * PLACES + place]


@compiled
def _write_hindrance(t: Ints, g: Floats, side: int, floats: Floats, at: int) -> None:
    """Write the pips that held points cost a side's men and the last, and the risk of a trap.

    The risk is that they trap the last man.
    """
    hindered = 0.0
    for step in range(t[COURSE_LENGTH + side], -1, -1):
        count = floats[ON_TRACK + side * TRACK + step]
        if count > 0:
            closed = int(floats[NEXT_CLOSED + side * TRACK + step])
            hindered += count * g[HINDERED + closed]
            # Steps fall, so what is left here in the end is the last man's.
            floats[at + 1] = g[HINDERED + closed]
            floats[at + 2] = g[TRAPPED + closed]
    floats[at] = hindered


@compiled
def _count_waiting(t: Ints, nodes: Row, row: int, side: int) -> int:
    """How many men of a side must enter before another moves, as far as they are told apart."""
    count = 0
    for place in range(t[SIZE], t[WIDTH]):
        if t[WAITS + side * PLACES + place] > 0:
            count += nodes[row + side * PLACES + place]
    return min(count, MAX_WAITING)


@compiled
def _find_hitting_throws(t: Ints, hitter: int, waiting: int, step: int, floats: Floats) -> int:
    """The throws by which a side hits a blot at that step of its way: a set."""
    found = 0
    door = t[DOOR + hitter]
    entry = int(floats[NEXT_CLOSED + hitter * TRACK + max(door, 0)]) & (1 << FACES) - 1
    for pips in range(1, min(FAR, step) + 1):
        source = step - pips
        if floats[ON_TRACK + hitter * TRACK + source] == 0:
            continue
        if waiting == 0 or source == door:
            # Of several who wait, one alone can't go on when he has entered: as if all between were
            # closed.
            on_way = (1 << pips - 1) - 1
            if waiting <= 1:
                on_way &= int(floats[NEXT_CLOSED + hitter * TRACK + source])
            # The highest bit stands for the pips, those below for the closed points on the way.
            at = HIT_BY + (1 << pips - 1 | on_way)
            found |= t[at] | t[at + HIT_BY_SETS] << HALF_THROWS
        elif pips <= FACES:
            # Others move only when all who wait are in, by one number that is left.
            at = LATER + ((waiting - 1) * FACES + pips - 1 << FACES) + entry
            found |= t[at] | t[at + LATER_SETS] << HALF_THROWS
    return found


@compiled
def _write_danger(
    t: Ints, g: Floats, nodes: Row, row: int, side: int, floats: Floats, at: int
) -> None:
    """Write the chance that a side's blot is hit, and the dearest hit's mean cost in pips.

    Where one man holds a point there are no blots, and the zeros there stay.
    """
    hitter = 1 - side
    if t[BAN_CLOSED] == 1:
        return
    for throw in range(t[THROW_COUNT]):
        floats[DEAREST + throw] = 0.0
    waiting = _count_waiting(t, nodes, row, hitter)
    for place in range(t[SIZE]):
        lost = g[LOST + side * PLACES + place]
        step = t[STAND + hitter * PLACES + place]
        if nodes[row + side * PLACES + place] == 1 and lost > 0 and step > 0:
            hits = _find_hitting_throws(t, hitter, waiting, step, floats)
            throw = DEAREST
            # A throw may hit several blots; only the dearest of them counts for it.
            while hits > 0:
                if hits & 1 and lost > floats[throw]:
                    floats[throw] = lost
                hits >>= 1
                throw += 1
    likely = cost = 0.0
    for throw in range(t[THROW_COUNT]):
        if floats[DEAREST + throw] > 0:
            likely += g[SHARES + throw]
            cost += g[SHARES + throw] * floats[DEAREST + throw]
    floats[at] = likely
    floats[at + 1] = cost


@compiled
def write_reach(
    t: Ints, g: Floats, nodes: Row, row: int, view: int, floats: Floats, at: int
) -> None:
    """Write what a throw does in a position: five numbers for each side.

    The side that throws next comes first.
    """
    for side in range(SIDES):
        _write_track(t, nodes, row, side, floats)
    for which in range(SIDES):
        side = view if which == 0 else 1 - view
        first = at + which * REACHED
        for number in range(REACHED):
            floats[first + number] = 0.0
        if t[THROW_COUNT] > 0:
            _write_danger(t, g, nodes, row, side, floats, first)
            _write_hindrance(t, g, side, floats, first + 2)
