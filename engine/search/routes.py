"""A side's way round the board worked out beforehand, so that the search only looks things up."""

from dataclasses import dataclass
from functools import lru_cache

from engine.position import Side
from engine.rules import BearingRule, PlacingRule, Rules

NOWHERE = -1
NUMBERS = range(1, 7)


@dataclass(frozen=True, slots=True)
class Route:
    """What one side may do from each place, before looking at where men stand.

    `targets[n][place]` is where number n (or a sum n) takes a man from that place (`off` to be
    borne off; NOWHERE where the number leads to nothing). `room[place]` is how many own men may
    already stand where another lands. `home` is the bearing table, the farthest point first;
    `exact[point]` is how far a point of the course is from the edge, and so the smallest number
    that bears a man off. `sent[point]` is where a man hit there goes, and `late[place]` whether the
    point is closed to men while others of their side are beside the board: where placing goes as
    far as the middle of the course, whether it lies past that.
    """

    targets: tuple[tuple[int, ...], ...]
    room: tuple[int, ...]
    home: tuple[int, ...]
    exact: dict[int, int]
    sent: tuple[int, ...]
    late: tuple[bool, ...]


@lru_cache(maxsize=1024)
def build_route(rules: Rules, side: Side) -> Route:
    """Work out one side's route under these rules."""
    home = rules.home(side)
    # Where numbers may be added, one man can use all numbers of a throw at once.
    highest = (
        NUMBERS[-1] * (rules.dice.count + len(rules.dice.fixed)) if rules.sums else NUMBERS[-1]
    )
    course = rules.course(side)
    halved = rules.placing in (PlacingRule.HALF, PlacingRule.STILL)
    late = course[len(course) // 2 :] if halved else ()
    return Route(
        targets=((), *(_find_targets(rules, side, number) for number in range(1, highest + 1))),
        room=_count_room(rules, side),
        home=home,
        exact=_count_pips(rules, side),
        sent=_map_hit_men(rules, side),
        late=tuple(place in late for place in range(len(rules.board.place_names))),
    )


def _find_targets(rules: Rules, side: Side, number: int) -> tuple[int, ...]:
    board = rules.board
    course = rules.course(side)
    home = rules.home(side)
    exact = _count_pips(rules, side)
    targets = [NOWHERE] * len(board.place_names)
    for place, entry in _list_entries(rules, side):
        if number <= len(entry) and entry[number - 1] not in board.parse_points(
            rules.side_rules(side).ban_entry
        ):
            targets[place] = entry[number - 1]
    for step, point in enumerate(course):
        past = number - exact[point]
        if past < 0 and rules.moving and not (rules.home_rests and point in home):
            targets[point] = course[step + number]
        elif _can_bear_off(rules, past):
            targets[point] = board.off
    return tuple(targets)


def _count_pips(rules: Rules, side: Side) -> dict[int, int]:
    """Return how far each point of a side's course is from the edge."""
    course, home = rules.course(side), rules.home(side)
    # A bearing table that is named need not be the end of the course in its own order: in Doblet
    # and on one table of Paume carie men enter where they are borne off.
    return {
        point: len(home) - home.index(point) if point in home else len(course) - step
        for step, point in enumerate(course)
    }


def _can_bear_off(rules: Rules, past: int) -> bool:
    if rules.bearing in (BearingRule.NONE, BearingRule.EXACT):
        return rules.bearing is BearingRule.EXACT and past == 0
    # Whether a higher number bears this man off depends on those behind him, which the search asks.
    return past >= 0


def _list_entries(rules: Rules, side: Side) -> list[tuple[int, tuple[int, ...]]]:
    """Each place beside the board from which men enter, with the points that they enter on."""
    board = rules.board
    course = rules.course(side)
    named = {
        board.find_place(bar): board.parse_points(points)
        for bar, points in rules.side_rules(side).entries
    }
    return [(place, named.get(place, course)) for place in (board.hand, *board.bars)]


def _count_room(rules: Rules, side: Side) -> tuple[int, ...]:
    single = set(rules.board.parse_points(rules.side_rules(side).ban_second))
    # Counted are the men who stand there before another lands, hence one fewer than the limit.
    most = rules.men if rules.ban_full is None else rules.ban_full - 1
    return tuple(0 if place in single else most for place in range(len(rules.board.place_names)))


def _map_hit_men(rules: Rules, side: Side) -> tuple[int, ...]:
    board = rules.board
    sent = [board.bars[0]] * board.size
    for points, place in rules.side_rules(side).hit:
        for point in board.parse_points(points):
            sent[point] = board.find_place(place)
    return tuple(sent)


def find_hit_points(rules: Rules, side: Side) -> frozenset[int]:
    """Return the points on which a man of that side can be hit."""
    # A single man closes his point, so there are no blots.
    if rules.ban_closed == 1:
        return frozenset()
    return frozenset(rules.course(side)) & frozenset(rules.course(side.other))


@lru_cache(maxsize=1024)
def find_waiting_places(rules: Rules, side: Side) -> tuple[int, ...]:
    """Return the places beside the board where that side's men can ever wait: the hand, a bar."""
    board = rules.board
    hand = [board.hand] if rules.start_position.men(side)[board.hand] else []
    # Where nothing is hit, as in Laquet, nobody waits on a bar, so none has to be looked at.
    sent = {build_route(rules, side).sent[point] for point in find_hit_points(rules, side)}
    return (*hand, *(bar for bar in board.bars if bar in sent))
