"""A side's way round the board on bitboards: all that doesn't depend on where men stand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import compress

from engine.position import Side
from engine.rules import NARROWS, ORDERS, WIDENS, PlacingRule, Rules
from engine.search.dice_uses import DiceUse, DiceUseTable, MoveDelta, Numbers, split_sum
from engine.search.routes import build_route, find_waiting_places
from engine.search.state import BYTE, Bitboard, build_thresholds, fill_bytes, mark_places


@dataclass(frozen=True, slots=True, eq=False)
class SideBitboards:
    """A side's way round the board, and the places of which the rules speak.

    `size` counts `all` places, and `theirs` has as many bytes. Added to a state, `standing` marks
    the places where men of the mover's stand, and `filling` the points where there is no room for
    another; added to the other side's men, `standing` and `closing` mark where any stand, and which
    points they close. `places` are those from which men move, the `points` and those `beside` the
    board where men may ever wait: the `bars` and the `hand`. `before` has for each place the bytes
    of those before it.

    `first` are places whose men are considered before others; `late` points closed to a side that
    has men beside the board; `away` places where none may stand of a side that bears men off, and
    `abroad` their bytes. `underway` are the bytes of the places where none stands of a side that
    has won. `returns` has for each point to which hit men go the points where they are hit. `clear`
    says that only the other side's men stand in a move's way, `several` that a hit may be of
    several men, and `any_order` that it makes no difference which of two moves is made first (see
    `engine.search.unordered`).

    `uses` are the uses of the numbers left, each with what is then left; `every` has one for each
    number and sum. `farthest` tells which of the points of the bearing table that are held is the
    farthest from the end. `oppositions` are the last few that the side met, by the men of the
    other side. All that is worked out for a side's bitboards belongs to them, so it never needs
    comparing with that of others.
    """

    rules: Rules
    side: Side
    size: int
    all: range
    theirs: int
    standing: int
    closing: int
    filling: int
    before: tuple[Bitboard, ...]
    places: Bitboard
    points: Bitboard
    beside: Bitboard
    bars: Bitboard
    hand: Bitboard
    first: Bitboard
    late: Bitboard
    home: Bitboard
    away: Bitboard
    abroad: int
    underway: int
    returns: tuple[tuple[Bitboard, Bitboard], ...]
    clear: bool
    several: bool
    any_order: bool
    every: tuple[DiceUse, ...]
    uses: DiceUseTable = field(repr=False)
    farthest: "_FarthestPoints" = field(repr=False)
    oppositions: "dict[int, Opposition]" = field(default_factory=dict, repr=False)


@lru_cache(maxsize=1024)
def build_bitboards(rules: Rules, side: Side) -> SideBitboards:
    """Work out one side's bitboards under these rules."""
    board = rules.board
    route = build_route(rules, side)
    points = range(board.size)
    beside = find_waiting_places(rules, side)
    places = mark_places((*points, *beside))
    home = mark_places(rules.home(side))
    # With a gate, the men at home are counted instead, so nobody counts as away.
    away = places & ~home if rules.gate is None else 0
    late = mark_places(point for point in points if route.late[point])
    returns = tuple(_find_returns(rules, side))
    # Where a point takes all men of a side, its own men never stand in its way.
    roomy = all(room >= rules.men for room in route.room)
    uses = DiceUseTable(rules, side)
    return SideBitboards(
        rules=rules,
        side=side,
        size=len(board.place_names),
        all=range(len(board.place_names)),
        theirs=(1 << BYTE * len(board.place_names)) - 1,
        standing=build_thresholds((place, 1) for place in (*points, *beside)),
        closing=build_thresholds((point, rules.ban_closed) for point in points),
        # A point with as many men as `room` says still takes one more; with that one it is full.
        filling=build_thresholds((point, route.room[point] + 1) for point in points),
        before=tuple((1 << BYTE * place) - 1 for place in range(len(board.place_names))),
        places=places,
        points=mark_places(points),
        beside=mark_places(beside),
        bars=mark_places(place for place in beside if place != board.hand),
        hand=mark_places(place for place in beside if place == board.hand),
        first=mark_places([board.hand]) if rules.placing is PlacingRule.STILL else 0,
        late=late,
        home=home,
        away=away,
        abroad=fill_bytes(away),
        underway=fill_bytes(places & ~mark_places(rules.arrival_places[side])),
        returns=returns,
        clear=roomy and not late and not returns and not rules.effects & {NARROWS, WIDENS},
        # Where two men close a point, a man that can be hit stands alone.
        several=rules.ban_closed > 2 or WIDENS in rules.effects,
        any_order=ORDERS not in rules.effects and not returns,
        every=tuple(
            uses.get_use(number, split_sum(number)) for number in range(1, len(route.targets))
        ),
        uses=uses,
        farthest=_FarthestPoints(rules.home(side)),
    )


def _find_returns(rules: Rules, side: Side) -> Iterator[tuple[Bitboard, Bitboard]]:
    """Yield the points to which hit men go, each with the points where that side hits them."""
    sent = build_route(rules, side.other).sent
    for place in sorted(set(sent)):
        # Nobody stands in the way on a bar, so only men who are sent to a point need a check.
        if place < rules.board.size:
            yield (
                mark_places([place]),
                mark_places(point for point, to in enumerate(sent) if to == place),
            )


class _FarthestPoints(dict[Bitboard, Bitboard]):
    """The farthest from the end of the points of a bearing table that are held."""

    def __init__(self, home: tuple[int, ...]) -> None:
        self._points = [mark_places([point]) for point in home]

    def __missing__(self, held: Bitboard) -> Bitboard:
        # A bearing table has six points, so there are never more than 64 entries.
        self[held] = next((point for point in self._points if point & held), 0)
        return self[held]


class Opposition(dict[int, tuple[Bitboard, Bitboard]]):
    """What the other side's men mean to the mover: where each number lets a man land, and hit.

    `closed` are the points on which he may not land, and `struck` those where he would hit
    somebody. All this holds until he hits somebody.
    """

    __slots__ = ("_mixed", "bitboards", "closed", "struck", "theirs")

    def __init__(self, bitboards: SideBitboards, theirs: int) -> None:
        self.bitboards = bitboards
        self.theirs = theirs
        self.closed = (theirs + bitboards.closing) & bitboards.points
        self.struck = (theirs + bitboards.standing) & bitboards.points
        self._mixed: dict[int | Numbers, Sequence[MoveDelta]] = {}

    def __missing__(self, number: int) -> tuple[Bitboard, Bitboard]:
        use = self.bitboards.every[number - 1]
        # Closed points are also held, so the exclusive or leaves the blots.
        struck = (
            self.struck if self.bitboards.several else self.struck & (self.struck ^ self.closed)
        )
        self[number] = seen = (
            use.find_sources(self.bitboards.points ^ self.closed),
            use.find_sources(struck),
        )
        return seen

    def iter_moves(self, use: DiceUse, sources: Bitboard) -> Iterator[MoveDelta]:
        """Yield the moves of a use of the dice from these places, by source."""
        # Most men hit nobody: then the moves without hits will do, which every opposition shares.
        steps = self._add_hits(use) if sources & self[use.number][1] else use.quiet
        # The byte of a marked place is not zero, so the bytes of the bitboard select moves by
        # place.
        return compress(steps, sources.to_bytes(self.bitboards.size, "little"))

    def _add_hits(self, use: DiceUse) -> Sequence[MoveDelta]:
        """Return the moves of a use of the dice by source, hits among them."""
        used = use.added or use.number
        if used not in self._mixed:
            bitboards = self.bitboards
            self._mixed[used] = steps = list(use.quiet)
            for source in compress(
                bitboards.all, self[use.number][1].to_bytes(bitboards.size, "little")
            ):
                steps[source] = (
                    _build_group_hit(self, use, source)
                    if bitboards.several
                    else use.hitting[source]
                )
        return self._mixed[used]


def _build_group_hit(opposition: Opposition, use: DiceUse, source: int) -> MoveDelta:
    """Return a hit of all the men there are on a point."""
    move, change = use.hitting[source]
    # What a hit adds is one man's way from the point to where he is sent; each man more adds the
    # same once more.
    one = change - use.quiet[source][1]
    others = (opposition.theirs >> BYTE * move.target & 0xFF) - 1
    return move, change + others * one
