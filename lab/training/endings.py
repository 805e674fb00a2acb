"""How a game ends, compiled: `engine.ending` and the games' own verdicts, read from tables."""

from lab.training.compiled import compiled, compiled_inline
from lab.training.layout import (
    ALL_SIX,
    AS_IN_MURRAY,
    AS_IN_ROYAL,
    AT_GOAL,
    BAN_CLOSED,
    BARATA,
    BARATA_AT_ONCE,
    BLACK_WON,
    BORNE_OFF,
    BOTH_CAUGHT,
    CAUGHT,
    COUNTS,
    COURSE,
    COURSE_LENGTH,
    DRAWN,
    ENDING,
    ENDING_AFTER_MOVE,
    ENDING_FULL,
    ENDING_OFF,
    EVENLY_FULL,
    FIFTEEN,
    FIGURE,
    FIGURE_OR_JAN,
    FOR_EVER,
    FULL_TABLE,
    GAMMON,
    GOING_ON,
    GOLD_WON,
    HITS,
    HOLDS_ALL_SIX,
    HOME,
    HOW,
    JAN,
    JAN_WON,
    LURCHED,
    LYMPOLDED,
    LYMPOLDED_FOR_EVER,
    MEMORY,
    MEN,
    NO_ENTRY,
    NO_POINT_TO_ENTER,
    NOT_ALL_SIX,
    OFF,
    OUTCOME,
    PALMS,
    PLACES,
    REMEMBERS,
    SCORE,
    SHUT_OUT,
    SIX_POINTS,
    TIED,
    Ints,
    Row,
)
from lab.training.moves import WALL, can_enter_any, count_waiting, has_blocking_prime, is_stuck

# Four men hit from behind a prime make a barata.
ENOUGH = 4


@compiled
def _get_win_code(side: int) -> int:
    return GOLD_WON if side == 0 else BLACK_WON


@compiled_inline
def has_arrived(t: Ints, nodes: Row, row: int, side: int) -> bool:
    """Whether a side has won by bringing all its men off the board, or to its goal."""
    men = row + side * PLACES
    if t[ENDING] == ENDING_OFF:
        return nodes[men + t[OFF]] == t[MEN]
    home = HOME + side * PLACES
    count = 0
    for step in range(WALL):
        count += nodes[men + t[home + step]]
    return count == t[MEN]


@compiled
def _find_full_table_outcome(t: Ints, nodes: Row, row: int) -> int:
    """How a full table ends the game: whoever holds more of its six points has won."""
    gold = 0
    black = 0
    for step in range(WALL):
        # Both sides fill the same table, so gold's course names its points for both.
        point = t[COURSE + step]
        gold += nodes[row + point] == 2
        black += nodes[row + PLACES + point] == 2
    if gold + black < WALL:
        return GOING_ON
    nodes[row + HOW] = EVENLY_FULL if gold == black else FULL_TABLE
    if gold == black:
        return DRAWN
    return GOLD_WON if gold > black else BLACK_WON


@compiled
def count_bar_and_entry(t: Ints, nodes: Row, row: int, side: int) -> int:
    """How many men a side has on the bar, and points of its entry table it holds."""
    men = row + side * PLACES
    count = count_waiting(t, nodes, men)
    for step in range(WALL):
        count += nodes[men + t[COURSE + side * PLACES + step]] > 0
    return count


@compiled
def _count_figure_men(figure: int, step: int) -> int:
    """Return how many men a winning figure has on the point that many steps before the end.

    The end is that of the course.
    """
    if figure == 0:
        return 15 if step == 0 else 0
    # Seven, five and three.
    if figure == 1:
        return 7 - 2 * step if step < 3 else 0
    if figure == 2:
        return 5 if step < 3 else 0
    return 3 if step < 5 else 0


@compiled
def _is_in_figure(t: Ints, nodes: Row, row: int, side: int, figure: int) -> bool:
    last = COURSE + side * PLACES + t[COURSE_LENGTH + side] - 1
    # Every figure takes all fifteen men, so the points that it leaves out need not be looked at.
    for step in range(5):
        wanted = _count_figure_men(figure, step)
        if wanted > 0 and nodes[row + side * PLACES + t[last - step]] != wanted:
            return False
    return True


@compiled
def _has_figure(t: Ints, nodes: Row, row: int, side: int) -> bool:
    for figure in range(4):
        if _is_in_figure(t, nodes, row, side, figure):
            nodes[row + HOW] = FIFTEEN + figure
            return True
    return False


@compiled
def is_lympolded(t: Ints, nodes: Row, row: int, side: int) -> bool:
    """Whether a side has a man to enter, and none of its entry points is open to him."""
    mine = row + side * PLACES
    theirs = row + (1 - side) * PLACES
    if count_waiting(t, nodes, mine) == 0:
        return False
    for step in range(WALL):
        point = t[COURSE + side * PLACES + step]
        # Entry points take no second man, so a point is shut by one's own man as well as by two of
        # theirs.
        if nodes[mine + point] == 0 and nodes[theirs + point] <= 1:
            return False
    return True


@compiled
def is_lurched(t: Ints, nodes: Row, row: int, side: int) -> bool:
    """Return whether a side is shut in on its entry table and the last point of its course.

    It must have no men left to enter.
    """
    mine = row + side * PLACES
    course = COURSE + side * PLACES
    last = nodes[mine + t[course + t[COURSE_LENGTH + side] - 1]]
    in_play = t[MEN] - nodes[mine + t[OFF]]
    entered = 0
    for step in range(WALL):
        entered += nodes[mine + t[course + step]]
    # With all men on the last point none is shut in on the entry table.
    if count_waiting(t, nodes, mine) > 0 or entered + last != in_play or last == in_play:
        return False
    return is_stuck(t, nodes, row, side)


@compiled
def _is_caught(t: Ints, nodes: Row, row: int, side: int) -> bool:
    if is_lympolded(t, nodes, row, side):
        nodes[row + HOW] = LYMPOLDED
        return True
    # Written before it is known: nobody reads `HOW` of a game that goes on.
    nodes[row + HOW] = LURCHED
    return is_lurched(t, nodes, row, side)


@compiled
def _is_caught_in_royal(t: Ints, nodes: Row, row: int, side: int) -> bool:
    mine = row + side * PLACES
    course = COURSE + side * PLACES
    waits = count_waiting(t, nodes, mine)
    last = nodes[mine + t[course + t[COURSE_LENGTH + side] - 1]]
    if waits > 1 or last != t[MEN] - WALL - waits:
        return False
    for step in range(WALL):
        if nodes[mine + t[course + step]] != 1:
            return False
    return _is_caught(t, nodes, row, side)


@compiled
def _is_caught_for_ever(t: Ints, nodes: Row, row: int, side: int) -> bool:
    # With seven men for six points that take one each, entering never gets the side out of it.
    if count_bar_and_entry(t, nodes, row, side) <= WALL:
        return False
    if not _is_caught(t, nodes, row, side):
        nodes[row + HOW] = LYMPOLDED_FOR_EVER
    return True


@compiled
def _is_shut_out(t: Ints, nodes: Row, row: int, side: int) -> bool:
    if count_waiting(t, nodes, row + side * PLACES) == 0:
        return False
    # The whole entry table and the point after it, as the encyclopaedia has lurching.
    for step in range(WALL + 1):
        if nodes[row + (1 - side) * PLACES + t[COURSE + side * PLACES + step]] < t[BAN_CLOSED]:
            return False
    nodes[row + HOW] = LURCHED
    return True


@compiled
def _is_caught_in_murray(t: Ints, nodes: Row, row: int, side: int) -> bool:
    mine = row + side * PLACES
    course = COURSE + side * PLACES
    if count_waiting(t, nodes, mine) != 1:
        return False
    for step in range(WALL):
        if nodes[mine + t[course + step]] != 1:
            return False
    last = nodes[mine + t[course + t[COURSE_LENGTH + side] - 1]]
    nodes[row + HOW] = LYMPOLDED if last == t[MEN] - WALL - 1 else LURCHED
    return True


@compiled
def _has_no_entry(t: Ints, nodes: Row, row: int, side: int) -> bool:
    if count_waiting(t, nodes, row + side * PLACES) == 0 or can_enter_any(t, nodes, row, side):
        return False
    nodes[row + HOW] = NO_POINT_TO_ENTER
    return True


@compiled
def _find_all_six_outcome(t: Ints, nodes: Row, row: int) -> int:
    """How a full table ends the game where only a side wins that holds all of its points."""
    # It ends when the table is full, as in the other game, but is won only with all of its men.
    outcome = _find_full_table_outcome(t, nodes, row)
    if outcome == GOING_ON:
        return GOING_ON
    nodes[row + HOW] = HOLDS_ALL_SIX
    for side in range(2):
        held = 0
        for step in range(WALL):
            held += nodes[row + side * PLACES + t[COURSE + step]]
        if held == 2 * WALL:
            return _get_win_code(side)
    nodes[row + HOW] = NOT_ALL_SIX
    return DRAWN


@compiled
def _has_lost(t: Ints, nodes: Row, row: int, side: int) -> bool:
    """Whether a blockade has lost that side the game."""
    verdict = t[ENDING_AFTER_MOVE]
    if verdict == AS_IN_ROYAL:
        return _is_caught_in_royal(t, nodes, row, side)
    if verdict == CAUGHT:
        return _is_caught(t, nodes, row, side)
    if verdict == FOR_EVER:
        return _is_caught_for_ever(t, nodes, row, side)
    if verdict == AS_IN_MURRAY:
        return _is_caught_in_murray(t, nodes, row, side)
    if verdict == NO_ENTRY:
        return _has_no_entry(t, nodes, row, side)
    return verdict == SHUT_OUT and _is_shut_out(t, nodes, row, side)


@compiled
def _find_figure_or_jan_outcome(t: Ints, nodes: Row, row: int) -> int:
    verdict = t[ENDING_AFTER_MOVE]
    if verdict in (FIGURE, FIGURE_OR_JAN):
        for side in range(2):
            if _has_figure(t, nodes, row, side):
                return _get_win_code(side)
    if verdict in (JAN, FIGURE_OR_JAN):
        for side in range(2):
            # More men to place than there are points for them: the side can do nothing but enter
            # for ever.
            if count_bar_and_entry(t, nodes, row, side) > WALL:
                nodes[row + COUNTS] = 2
                nodes[row + HOW] = JAN_WON
                return _get_win_code(1 - side)
    return GOING_ON


@compiled
def _find_verdict_outcome(t: Ints, nodes: Row, row: int, turn: int) -> int:
    verdict = t[ENDING_AFTER_MOVE]
    if verdict == BARATA_AT_ONCE:
        nodes[row + HOW] = SIX_POINTS
        return _get_win_code(turn) if has_blocking_prime(t, nodes, row, turn) else GOING_ON
    # The codes of jan and figure are the lowest, so that one comparison finds them.
    if verdict <= FIGURE:
        return _find_figure_or_jan_outcome(t, nodes, row)
    if verdict == ALL_SIX:
        return _find_all_six_outcome(t, nodes, row)
    gold_lost = _has_lost(t, nodes, row, 0)
    # Judging black overwrites `HOW`, and gold's plight must be named if gold alone has lost.
    how = nodes[row + HOW]
    black_lost = _has_lost(t, nodes, row, 1)
    if gold_lost:
        both = TIED if t[ENDING_AFTER_MOVE] == NO_ENTRY else BOTH_CAUGHT
        nodes[row + HOW] = both if black_lost else how
        return DRAWN if black_lost else BLACK_WON
    return GOLD_WON if black_lost else GOING_ON


@compiled
def _find_memory_outcome(nodes: Row, row: int) -> int:
    # The memory holds gold's hits times eight plus black's; neither counts beyond four.
    nodes[row + HOW] = BARATA
    if nodes[row + MEMORY] // 8 >= ENOUGH:
        return GOLD_WON
    return BLACK_WON if nodes[row + MEMORY] % 8 >= ENOUGH else GOING_ON


@compiled_inline
def find_outcome(t: Ints, nodes: Row, row: int, turn: int) -> int:
    """Return how the game has ended in this row, whatever numbers are left.

    How it ended, and what it counts, is written into the row.
    """
    nodes[row + COUNTS] = 1
    if t[REMEMBERS] == HITS and nodes[row + MEMORY] > 0:
        outcome = _find_memory_outcome(nodes, row)
        if outcome != GOING_ON:
            return outcome
    if t[ENDING_AFTER_MOVE] > 0:
        outcome = _find_verdict_outcome(t, nodes, row, turn)
        if outcome != GOING_ON:
            return outcome
    if t[ENDING] == ENDING_FULL:
        return _find_full_table_outcome(t, nodes, row)
    nodes[row + HOW] = BORNE_OFF if t[ENDING] == ENDING_OFF else AT_GOAL
    if has_arrived(t, nodes, row, turn):
        return _get_win_code(turn)
    return _get_win_code(1 - turn) if has_arrived(t, nodes, row, 1 - turn) else GOING_ON


@compiled
def _count_gammon_points(t: Ints, nodes: Row, row: int, winner: int) -> int:
    loser = row + (1 - winner) * PLACES
    # Two points need a loser who has borne off nothing; three one who also has a man on the bar or
    # in the winner's home.
    if nodes[row + winner * PLACES + t[OFF]] < t[MEN] or nodes[loser + t[OFF]] > 0:
        return 1
    behind = count_waiting(t, nodes, loser)
    for step in range(WALL):
        behind += nodes[loser + t[HOME + winner * PLACES + step]]
    return 3 if behind > 0 else 2


@compiled
def count_points(t: Ints, nodes: Row, row: int) -> int:
    """How many points the game that has ended in this row counts."""
    outcome = nodes[row + OUTCOME]
    if outcome == DRAWN:
        return 0
    winner = 0 if outcome == GOLD_WON else 1
    if t[SCORE] == GAMMON:
        return _count_gammon_points(t, nodes, row, winner)
    if t[SCORE] == PALMS:
        return t[MEN] - nodes[row + (1 - winner) * PLACES + t[OFF]]
    return nodes[row + COUNTS]
