"""The layout of the kernel's flat tables, rows and scratch memory: offsets into flat arrays.

Flat arrays with constant offsets are four times quicker in compiled code than tuples of arrays; so
what is asked for every man or every end takes arrays, and only what a whole turn needs goes
together. Sides are 0 for gold and 1 for black.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
"""Tables: what never changes while a game is played."""

Row = npt.NDArray[np.int8]
"""Rows: one moment of a game each, or many behind one another."""

Book = npt.NDArray[np.int64]
"""A search's scratch memory."""

Floats = npt.NDArray[np.float32]


class KernelData(NamedTuple):
    """What the kernel knows of a game: the tables of its rules and of greedy, and two nets."""

    table: Ints
    greedy: Floats
    nets: Floats


class TurnMemory(NamedTuple):
    """Memory for playing a turn: its search's rows and book, the same for offers, and floats."""

    nodes: Row
    book: Book
    other: Row
    other_book: Book
    floats: Floats


class LessonBuffer(NamedTuple):
    """Lessons one after another: positions before a throw, and three shares for each.

    `turns` says of each which turn led there, and `sides`, of every turn, whose; of `errors` three
    say how far the net was out in a turn. `now` has room for six shares that are being compared.
    """

    kept: Row
    shares: Floats
    turns: Ints
    sides: Ints
    errors: Floats
    now: Floats


class ReplayBuffer(NamedTuple):
    """The last games, to learn from again: their positions, turn counts and results."""

    kept: Row
    lengths: Ints
    ends: Floats


PLACES = 40
"""Room for a board's places: 36 points, hand, men off and a bar, or 24 points and four bars."""

SIDES = 2
NUMBERS = 19
"""Room for numbers, and sums of three of them, counted from nought."""

# A row: men by side and place, then what is left of the throw by number, and the rest.
LEFT = SIDES * PLACES
LEFT_COUNT = LEFT + 7
TURN = LEFT + 8
MEMORY = LEFT + 9
PLAYER = LEFT + 10
OUTCOME = LEFT + 11
COUNTS = LEFT + 12
FULLY = LEFT + 13
DOUBLE = LEFT + 14
"""Whether the throw that led here counts as doubles."""
HOW = LEFT + 15
"""How the game has ended: one of the codes below."""
ROW = 96

GOING_ON = 0
GOLD_WON = 1
BLACK_WON = 2
DRAWN = 3

(
    BROKEN_OFF,
    BORNE_OFF,
    AT_GOAL,
    FULL_TABLE,
    EVENLY_FULL,
    FALLEN,
    BOTH_STUCK,
    TIED,
    BARATA,
    SIX_POINTS,
    JAN_WON,
    LYMPOLDED,
    LURCHED,
    LYMPOLDED_FOR_EVER,
    FIFTEEN,
    SEVEN_FIVE_THREE,
    THREE_FIVES,
    FIVE_THREES,
    BOTH_CAUGHT,
    NO_POINT_TO_ENTER,
    HOLDS_ALL_SIX,
    NOT_ALL_SIX,
) = range(22)

# Scalars at the head of the tables.
(
    WIDTH,
    SIZE,
    HAND,
    OFF,
    MEN,
    BAN_CLOSED,
    SUMS,
    HIGHEST,
    PLACING,
    REENTRY,
    BEARING,
    GATE,
    UNUSABLE,
    FALLS_WHOLE,
    ENDING,
    PLAYERS,
    ENDING_AFTER_MOVE,
    ENDING_AT_STANDSTILL,
    SCORE,
    REMEMBERS,
    BREACH,
    BOUND_POINTS,
    DICE,
    FIXED_COUNT,
    THIRD,
    PRESUMED,
    NAMED,
    TWICE,
    AGAIN,
    ANY_PAIR,
    BEGINS,
    BATTLE_PLAYED,
    HIDDEN,
    INPUTS,
    EXTRA,
    FEATURE_INPUT,
    MEMORY_INPUT,
    NET_SIZE,
    PLIGHT,
    COURSE_LENGTH,
) = range(40)

# Arrays after them, each a line of places a side unless said otherwise.
FIXED = 48
TARGETS = 64
"""By side, number and place: where the number leads, or -1."""
ROOM = TARGETS + SIDES * NUMBERS * PLACES
LATE = ROOM + SIDES * PLACES
SENT = LATE + SIDES * PLACES
HOME = SENT + SIDES * PLACES
"""By side: the six points of the bearing table or goal, the farthest first."""
HOME_AT = HOME + SIDES * PLACES
COURSE = HOME_AT + SIDES * PLACES
"""By side: the points of the course in order; `COURSE_LENGTH` and the one after it say how many."""
COURSE_AT = COURSE + SIDES * PLACES
PIPS = COURSE_AT + SIDES * PLACES
FIRST_INPUT = PIPS + SIDES * PLACES
"""By the side to throw, side and place: the first input of the net, or -1."""
STAND = FIRST_INPUT + SIDES * SIDES * PLACES
"""By side and place: where on the side's way a man there is, or -1 (see `engine.players.shots`)."""
WAITS = STAND + SIDES * PLACES
"""By side and place: 1 where men must enter before others move."""
DOOR = WAITS + SIDES * PLACES
"""By side: where on its way they stand, or -1."""
THROW_COUNT = DOOR + SIDES
"""How many throws there are that differ; nought where men do not move."""
FAR = 12
MAX_WAITING = 4
HIT_BY = THROW_COUNT + 1
"""The first halves of sets of throws, and the second halves."""
HIT_BY_SETS = 1 << FAR
LATER = HIT_BY + 2 * HIT_BY_SETS
# By how many men wait, by a number, and by which of the six entry points are closed.
LATER_SETS = MAX_WAITING * 6 * (1 << 6)
HALF_THROWS = 28
"""How many throws the first half of a set has."""
TABLES = LATER + 2 * LATER_SETS

# The codes of what only some games know.
PLACING_FREE, PLACING_ALL, PLACING_HALF, PLACING_STILL = range(4)
REENTRY_FIRST, REENTRY_SOFT, REENTRY_FREE = range(3)
BEARING_NONE, BEARING_USUAL, BEARING_EXACT, BEARING_PAST = range(4)
UNUSABLE_LOST, UNUSABLE_OPPONENT, UNUSABLE_LOSES = range(3)
ENDING_OFF, ENDING_GOAL, ENDING_FULL = range(3)
THIRD_NONE, THIRD_MAJORET, THIRD_MINORET = range(3)
NO_HOOK = 0
(
    JAN,
    FIGURE_OR_JAN,
    FIGURE,
    BARATA_AT_ONCE,
    AS_IN_ROYAL,
    CAUGHT,
    FOR_EVER,
    SHUT_OUT,
    AS_IN_MURRAY,
    NO_ENTRY,
    ALL_SIX,
) = range(1, 12)
TIE = 1
GAMMON, PALMS = 1, 2
HITS, PLACED = 1, 2
BREAKS_BARRIER = 1
BOUND_TABLES = 1
LYMPOLDING = 1

# How a side chooses.
AT_RANDOM, GREEDILY, BY_NET = range(3)

# Floats that the nets work with: what enters the hidden units seen by each side, for one end, and
# the outputs.
MAX_HIDDEN = 512
SUMS_OF = 0
SUMS_NOW = 2 * MAX_HIDDEN
OUTPUTS_NOW = 3 * MAX_HIDDEN
OUTPUTS = 3
KEPT_WORTH = OUTPUTS_NOW + OUTPUTS
"""What each of the best ends kept is worth."""
MAX_KEPT = 20
FEATURES = KEPT_WORTH + MAX_KEPT
"""What greedy goes by: race, danger and blockade of either side, then the lead.

The side to throw comes first.
"""
# Offsets after a side's first feature, its race.
DANGER, BARRED = 1, 2
SIDE_FEATURES = 3
LEAD = SIDES * SIDE_FEATURES
REACH = LEAD + 1
"""After it how far the next throw reaches, of both sides too."""
REACHED = 5
FEATURE_COUNT = REACH + SIDES * REACHED
TRACK = 40
"""Steps of a side's way."""
ON_TRACK = FEATURES + FEATURE_COUNT
"""By side and step of its way: its men there, and which of the next points are closed."""
NEXT_CLOSED = ON_TRACK + SIDES * TRACK
DEAREST = NEXT_CLOSED + SIDES * TRACK
"""By throw: what its dearest hit costs."""
MAX_THROWS = 56
FLOATS = DEAREST + MAX_THROWS

# The greedy player's tables, by side and place or two places.
NEED = 0
LOST = SIDES * PLACES
MISSES = LOST + SIDES * PLACES
FACING = MISSES + SIDES * PLACES * PLACES
PACE = FACING + SIDES * PLACES * PLACES
SCALE = PACE + 1
"""By what each of the numbers that are weighed is multiplied to be an input."""
SHARES = SCALE + FEATURE_COUNT
"""By throw: how likely it is."""
HINDERED = SHARES + MAX_THROWS
TRAPPED = HINDERED + HIT_BY_SETS
GREEDY = TRAPPED + HIT_BY_SETS

# A search's scratch memory.
MAX_NODES = 1 << 16
MAX_EDGES = 1 << 20
KEPT = MAX_NODES * ROW
"""The rows of the best ends so far, the best first."""
GAME = KEPT + MAX_KEPT * ROW
"""The row of the game that is being played."""
ROWS = GAME + ROW
SLOTS = 1 << 18
FEWEST_SLOTS, MORE_SLOTS = 1 << 10, 1 << 4
"""The slots that a search begins with, and the factor by which they grow when half full.

The processor keeps few slots close at hand. They grow twice at most, since then there are four for
each node.
"""
KEY_OF_LEFT = LEFT
KEY_OF_MEMORY = LEFT + 1
NODES = LEFT + 2
EDGES = LEFT + 3
STAMP = LEFT + 4
OVERFLOWS = LEFT + 5
FULL = LEFT + 6
RANDOM = LEFT + 7
POLICY = LEFT + 8
"""By side: how it chooses."""
NET_AT = LEFT + 10
"""By side: where its net begins."""
DICE_THROWN = LEFT + 12
REMEMBERED = LEFT + 18
"""How many games have been played to learn from; the last of them are remembered."""
MASK = LEFT + 19
"""The slots in use, less one."""
THROWS = LEFT + 20
"""The first of the counters: all throws, those that left a choice, and among how many ends."""
CHOICES = LEFT + 21
CHOSEN_FROM = LEFT + 22
OFFERED = LEFT + 23
"""How often the other side could use leftover numbers, or leave them, and how often it used any."""
USED = LEFT + 24
PASSED = LEFT + 25
"""Turns of sides that no throw could have moved, and throws of which no number was played."""
IDLE = LEFT + 26
POINTS_BROKEN = LEFT + 27
"""How often a point of bound tables was broken."""
WALLED = LEFT + 28
"""Turns begun with six points held in a row before men of the other side.

The next two count turns begun by a side lympolded, and by a side lurched.
"""
BEGUN_LYMPOLDED = LEFT + 29
BEGUN_LURCHED = LEFT + 30
MEN_HIT = LEFT + 31
"""By the side that does it: men hit, and men entered again from the bar."""
MEN_ENTERED = LEFT + 33
COUNTERS = 15
"""How many counters there are."""
WON = LEFT + 35
"""Games between two players, counted.

In order: won by the first, won by the second, drawn, unfinished; points of the first and their
squares; won and lost by the side that began; turns and their squares.
"""
SLOT = LEFT + 45
KEEP = LEFT + 46
"""How many of the best ends are to be kept."""
KEPT_COUNT = LEFT + 47
USE = 3
"""A use of the dice: a number or sum, the numbers in it by bits, and what they weigh."""
USES = 128
USES_AGAIN = 192
MEN_KEYS = 256
KEYS = MEN_KEYS + MAX_NODES
TABLE = KEYS + MAX_NODES
PARENTS = TABLE + SLOTS
CHILDREN = PARENTS + MAX_EDGES
OWN = CHILDREN + MAX_EDGES
BEST = OWN + MAX_EDGES
MARKS = BEST + MAX_NODES
ENDS = MARKS + MAX_NODES
BONUS = ENDS + MAX_NODES
"""By node: what the numbers that a win leaves weigh."""
BOOK = BONUS + MAX_NODES
