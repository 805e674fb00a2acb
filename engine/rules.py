"""A game as data: its rules, its options and where they come from."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeAlias

from engine.board import TABLES, GameBoard
from engine.move import Move
from engine.outcome import GameOutcome
from engine.position import Position, Side
from engine.refusal import Reason, Refusal, suggest_names


class DoublesRule(StrEnum):
    """What a throw of equal numbers gives."""

    PLAIN = "plain"
    TWICE = "twice"
    AGAIN = "again"
    TWICE_AGAIN = "twice-again"

    @property
    def is_played_twice(self) -> bool:
        """Whether each die that shows the same as another is played twice."""
        return self in (DoublesRule.TWICE, DoublesRule.TWICE_AGAIN)

    @property
    def has_extra_throw(self) -> bool:
        """Whether the side throws once more after playing."""
        return self in (DoublesRule.AGAIN, DoublesRule.TWICE_AGAIN)


class PairRule(StrEnum):
    """Which throws count as doubles when three dice are thrown."""

    ALL_ALIKE = "all-alike"
    ANY_PAIR = "any-pair"


class ThirdDie(StrEnum):
    """What stands in for the third of three dice where two are thrown."""

    MAJORET = "majoret"  # the higher of the two once more [S0]
    MINORET = "minoret"  # the lower [S0]


class UnusableRule(StrEnum):
    """What becomes of numbers that a side cannot play."""

    LOST = "lost"
    OPPONENT = "opponent"
    LOSES = "loses"


class BearingRule(StrEnum):
    """How men leave the board at the end of their course."""

    NONE = "none"
    USUAL = "usual"  # by the exact number, or a higher one when no man stands farther back [S1]
    EXACT = "exact"  # by the exact number only
    PAST = "past"  # by any number that carries the man to the edge or past it


class ReentryRule(StrEnum):
    """How far a side is bound while it has men on the bar."""

    FIRST = "first"  # nothing else moves [S1]
    SOFT = "soft"  # nothing else moves where a number left can enter one
    FREE = "free"  # other men may move instead


class PlacingRule(StrEnum):
    """How far a side is bound while it has men that have never been entered."""

    FREE = "free"
    ALL = "all"  # nothing moves before all have entered
    HALF = "half"  # no man goes past the first half of the course
    STILL = "still"  # nor does any move but the man just being placed


class SideAssignment(StrEnum):
    """Which side the winner of the roll battle plays."""

    KEPT = "kept"  # the one agreed beforehand
    GOLD = "gold"
    CHOSEN = "chosen"


class Ending(StrEnum):
    """What ends a game."""

    OFF = "off"  # all men of one side borne off
    GOAL = "goal"  # all men of one side in the last table of its course
    FULL = "full"  # every point of the table holds two men; who holds more points wins


@dataclass(frozen=True)
class Dice:
    """The dice of a game.

    `count` dice are thrown; `fixed` numbers are added to every throw, and `third` gives one of its
    own once more; where `presumed` is set and no die shows that number, the thrower turns one die
    of their choice to it before moving; if dice are always `named` so, also where a die shows it
    already.
    """

    count: int = 3
    fixed: tuple[int, ...] = ()
    third: ThirdDie | None = None
    presumed: int | None = None
    named: bool = False
    doubles: DoublesRule = DoublesRule.PLAIN
    pairs: PairRule = PairRule.ALL_ALIKE


@dataclass(frozen=True)
class OpeningRollRules:
    """How the roll battle goes: who begins, and with which side.

    Each side throws `dice` dice (None: all the game's); the higher sum wins, or the `lower`. The
    winner begins, unless `begins` names a side. Where it is `played`, the dice of the battle are
    the first throw.
    """

    dice: int | None = None
    lower: bool = False
    played: bool = False
    sides: SideAssignment = SideAssignment.KEPT
    begins: Side | None = None

    @property
    def first_side(self) -> Side | None:
        """The side that begins every game, whatever the opening roll; None where either may."""
        return (
            # The winner takes gold's men there, so gold begins whichever player has won.
            Side.GOLD if self.sides is SideAssignment.GOLD and self.begins is None else self.begins
        )


@dataclass(frozen=True)
class SideRules:
    """One side's way round the board.

    `start` is where its men stand at first (`a15`, `hand12`), with those of `apart`, which an
    option may place by themselves; `course` are the points it travels in order (`a..z`). Men enter
    on the first six points of the course, number n on the n-th, but on none of `ban_entry`. The
    last six are the bearing table, or the goal, unless `home` names it, the farthest point first.
    On the points of `ban_second` the side may not bring a second man.

    `hit` says where hit men go, by stretches of points: (("a..f", "bar-ns"), ...), the bar by
    default; and `entries` says on which points the men of a bar, or those in hand, enter:
    (("bar-ns", "n..s"), ...).
    """

    start: str
    course: str
    ban_second: str = ""
    home: str = ""
    ban_entry: str = ""
    hit: tuple[tuple[str, str], ...] = ()
    entries: tuple[tuple[str, str], ...] = ()
    apart: str = ""


OutcomeFunction = Callable[["Rules", Position], GameOutcome | None]
"""A game's own judgement of a position: how the game has ended, or None."""

ScoreFunction = Callable[["Rules", Position, GameOutcome], GameOutcome]
"""What a finished game counts: the outcome with its points, and the slug of a word for them."""

PlightFunction = Callable[["Rules", Position, Side], str | None]
"""The slug of a game's own word for the plight of a side that no number can move, or None."""

BanFunction = Callable[["Rules", Position, Move], "Remark | None"]
"""Why a side may not make this move: the slug of a word of the game's, and its parts, or None."""

BreachFunction = Callable[["Rules", Position, Move], bool]
"""Whether a side may land on this closed point after all, and sends the men there to the bar."""

BoundPointsFunction = Callable[["Rules", Position], tuple[int, ...]]
"""The points of which a throw of both sides breaks one before the next turn; usually none."""


TextTemplates: TypeAlias = Mapping[str, str | tuple[str, str]]
"""Texts by slug, their parts named in braces.

Of a pair, the first is used where its part `n` is one, else the second.
"""

Remark: TypeAlias = tuple[str, Mapping[str, Any]]
"""The slug of one of a game's own words, and the parts that it names."""


# Functions with names, and not lambdas, so that rules can be sent to another process.
def _find_nobody_going_on(_: int) -> tuple[int, ...]:
    return ()


def _find_no_end(_: int) -> GameOutcome | None:
    return None


@dataclass(frozen=True)
class Memory:
    """What a game remembers besides where men stand, as one number; zero for nothing.

    Equal texts have equal plays, so two positions that differ in nothing that can still matter
    remember the same.

    `after` gives that number after a move, or once a side has done with a throw (None), and
    `possible` the numbers but zero that a position can go with. `text` is the last field of the
    position's text, `name=value` joined by commas, and `remark` says the same to a player.
    `going_on` gives the places whose men may move on although others of their side still wait to be
    placed (`PlacingRule.STILL`). `ending` says how the game has ended by what is remembered.

    The search asks `idle` first, with what is remembered, the mover's men and the other side's:
    whether nothing can be remembered after any so many moves from there. `after` is then not asked.
    """

    after: Callable[["Rules", Position, Move | None], int]
    possible: Callable[["Rules", Position], Iterator[int]]
    text: Callable[["Rules", int], str]
    remark: Callable[["Rules", int], Remark]
    idle: Callable[["Rules", int, bytes, bytes, int], bool]
    going_on: Callable[[int], tuple[int, ...]] = _find_nobody_going_on
    ending: Callable[[int], GameOutcome | None] = _find_no_end


@dataclass(frozen=True)
class Ban:
    """A game's own ban on moves.

    `find` says of a move that no other rule forbids whether this one does. `game` is the slug of
    the game whose words say why, to those who try. A man who may not move may not enter either, and
    a side with no other move passes.
    """

    game: str
    find: BanFunction


NARROWS, WIDENS, ORDERS = "narrows", "widens", "orders"
"""What a rule does that the shortcuts of the search must know (see `_declare`)."""


def _never(_: object) -> bool:
    return False


def _is_set(value: object) -> bool:
    return value is not None


def _declare(
    narrows: Callable[[Any], bool] = _never,
    widens: Callable[[Any], bool] = _never,
    orders: Callable[[Any], bool] = _never,
) -> Mapping[str, Callable[[Any], bool]]:
    """Declare which values of a rule take a shortcut from the search.

    One `narrows` where men may go if it can keep a man from a move although he has the number, no
    man of the other side stands where he would land, and his own side leaves him room. It `widens`
    that if a man may land on a closed point. It `orders` the moves of a throw if two of them can
    lead elsewhere when the other is made first, or something is judged between them.

    A field of `Rules` that declares nothing is taken to do all three wherever it is not at its
    default. That is always right, and slow.
    """
    return {NARROWS: narrows, WIDENS: widens, ORDERS: orders}


_PLAIN = _declare()
"""What a rule declares that does nothing of the kind, whatever its value."""


@dataclass(frozen=True)
class Rules:
    """Everything that differs between games, with every option settled.

    The search and the turn machine read this and never ask which game it is. Compared and hashed by
    its fields.
    """

    gold: SideRules
    black: SideRules
    men: int = field(default=15, metadata=_PLAIN)
    board: GameBoard = field(default=TABLES, metadata=_PLAIN)
    dice: Dice = field(default=Dice(), metadata=_PLAIN)
    battle: OpeningRollRules = field(default=OpeningRollRules(), metadata=_PLAIN)
    moving: bool = field(default=True, metadata=_PLAIN)
    """Whether men move on the board; where they do not, they only enter."""
    home_rests: bool = field(default=False, metadata=_PLAIN)
    """Whether a man in the last table of its course moves only by being borne off."""
    ban_full: int | None = field(default=None, metadata=_PLAIN)
    """How many men of its own close a point to a side; None for no number."""
    ban_closed: int = field(default=2, metadata=_PLAIN)
    """How many opposing men close a point; one, where nothing is hit."""
    # A sum takes two numbers at once.
    sums: bool = field(default=False, metadata=_declare(orders=bool))
    """Whether several numbers may be added and used as one, only the landing point counting."""
    piled: bool = field(default=False, metadata=_PLAIN)
    """Whether men in hand lie on top of those on the points where they are to come down."""
    placing: PlacingRule = field(default=PlacingRule.FREE, metadata=_PLAIN)
    # Whether a man may wait on the bar depends on the numbers left.
    reentry: ReentryRule = field(
        default=ReentryRule.FIRST, metadata=_declare(orders=ReentryRule.SOFT.__eq__)
    )
    bearing: BearingRule = field(default=BearingRule.USUAL, metadata=_PLAIN)
    gate: int | None = field(default=None, metadata=_PLAIN)
    """How many men, or all that are left, must stand in the bearing table before any is borne off.

    None means all of them.
    """
    early_edge: bool = field(default=False, metadata=_PLAIN)
    """Whether men leave the board as in the first two editions of Tabula.

    Outside the bearing table no number is the exact one, and men are borne off although others of
    their side, still to enter, keep it from going past the middle.
    """
    unusable: UnusableRule = field(default=UnusableRule.LOST, metadata=_PLAIN)
    falls_whole: bool = field(default=False, metadata=_PLAIN)
    """Whether ad fallum means a throw of which no number can be played; else any number."""
    # A judgement between two moves may end the game in one order and not in the other.
    ending: Ending = field(default=Ending.OFF, metadata=_declare(orders=Ending.FULL.__eq__))
    players: int = field(default=1, metadata=_PLAIN)
    """Players a side.

    The players of one side take their turns one after another, then those of the other.
    """
    ending_after_move: OutcomeFunction | None = field(
        default=None, metadata=_declare(orders=_is_set)
    )
    """Judged after each move."""
    ending_at_standstill: OutcomeFunction | None = field(default=None, metadata=_PLAIN)
    """Judged where the side to move has no usable number and neither side can enter its men."""
    ending_texts: tuple[str, ...] = field(default=(), metadata=_PLAIN)
    """How else than by its usual end a game may be over at once, each as a sentence of the game's.

    They stand beside what judges them: `ending_after_move`, `ending_at_standstill` or
    `memory.ending`.
    """
    score: ScoreFunction | None = field(default=None, metadata=_PLAIN)
    plight: PlightFunction | None = field(default=None, metadata=_PLAIN)
    memory: Memory | None = field(default=None, metadata=_PLAIN)
    # Both may look at all men, so they are asked anew at every move.
    ban: Ban | None = field(default=None, metadata=_declare(narrows=_is_set, orders=_is_set))
    breach: BreachFunction | None = field(
        default=None, metadata=_declare(widens=_is_set, orders=_is_set)
    )
    bound_points: BoundPointsFunction | None = field(default=None, metadata=_PLAIN)

    # Rules are the key of nearly every cache of the engine, and the generated hash would go through
    # all their nested fields each time.
    def __hash__(self) -> int:
        return self._hash

    def __getstate__(self) -> dict[str, object]:
        # To another process go the fields alone: a hash counts only where it was computed.
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, each.name) for each in fields(self)))

    @cached_property
    def effects(self) -> frozenset[str]:
        """What these rules do that the shortcuts of the search must know."""
        return frozenset(
            effect
            for each in fields(self)
            for effect in (NARROWS, WIDENS, ORDERS)
            if _has_effect(each, getattr(self, each.name), effect)
        )

    def side_rules(self, side: Side) -> SideRules:
        """One side's way round the board."""
        return self.gold if side is Side.GOLD else self.black

    @cached_property
    def courses(self) -> Mapping[Side, tuple[int, ...]]:
        """The places each side travels, in order."""
        return {side: self.board.parse_points(self.side_rules(side).course) for side in Side}

    def course(self, side: Side) -> tuple[int, ...]:
        """The places one side travels, in order."""
        return self.courses[side]

    def entry_points(self, side: Side) -> tuple[int, ...]:
        """The points on which a side's men enter: number n on the n-th of them."""
        return self.course(side)[:6]

    @cached_property
    def homes(self) -> Mapping[Side, tuple[int, ...]]:
        """Each side's bearing table, or its goal, the farthest point first."""
        return {
            side: self.board.parse_points(self.side_rules(side).home) or self.course(side)[-6:]
            for side in Side
        }

    def home(self, side: Side) -> tuple[int, ...]:
        """One side's bearing table, or its goal, the farthest point first."""
        return self.homes[side]

    @cached_property
    def arrival_places(self) -> Mapping[Side, tuple[int, ...]]:
        """The places where a winning side's men stand, if bringing them there ends the game."""
        if self.ending is Ending.GOAL:
            return self.homes
        return dict.fromkeys(Side, (self.board.off,) if self.ending is Ending.OFF else ())

    @cached_property
    def start_position(self) -> Position:
        """The position before the first throw, with gold to move unless black begins."""
        return Position(
            self._lay_out_men(self.gold),
            self._lay_out_men(self.black),
            self.battle.first_side or Side.GOLD,
        )

    def _lay_out_men(self, way: SideRules) -> bytes:
        men = bytearray(self.board.no_men)
        # Where nothing stands apart, an empty group is left behind the comma.
        for group in filter(None, f"{way.start},{way.apart}".split(",")):
            # Points that are named by numbers cannot be told from the counts here: on such a board
            # all men start in the hand.
            name = group.rstrip("0123456789")
            men[self.board.find_place(name)] = int(group[len(name) :])
        return bytes(men)


def _has_effect(rule: Field[Any], value: object, effect: str) -> bool:
    if effect in rule.metadata:
        return bool(rule.metadata[effect](value))
    # How the sides go is known to the search, and always given.
    return rule.default is not MISSING and value != rule.default


@dataclass(frozen=True)
class OptionValue:
    """One value of an option: its name as typed, what it means, and what it changes in the rules.

    `changes` names fields of Rules; a dotted name (`dice.count`) reaches into one of them.
    """

    name: str
    meaning: str
    changes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Option:
    """A house rule: its values, the default first, and its source.

    Where `starter_chooses`, the option is not agreed beforehand: the side that begins chooses it
    before its first throw.
    """

    name: str
    asks: str
    values: tuple[OptionValue, ...]
    source: str
    starter_chooses: bool = False

    @property
    def default_value(self) -> OptionValue:
        """The value that holds unless the players agree on another."""
        return self.values[0]

    def find_value(self, name: str) -> OptionValue:
        """Return the value of that name; raises Refusal naming the nearest, or all there are."""
        for value in self.values:
            if value.name == name:
                return value
        names = {value.name: value.name for value in self.values}
        raise Refusal(
            Reason.VALUE,
            suggest_names(name, names),
            option=self.name,
            name=name,
            known=tuple(names),
        )


class Family(StrEnum):
    """The houses into which the games are sorted, in the order in which they are shown."""

    RUMWOLDSTOW = "The four games of Rumwoldstow"
    ROME = "Rome"
    LIBRO = "Libro de los Juegos (1283)"
    ROYAL = "Royal MS 13 A XVIII (c. 1330)"
    LATER = "Later kin"


class ProvenanceLabel(StrEnum):
    """How much of a ruleset its sources say."""

    DESCRIBED = "described"
    RECONSTRUCTED = "reconstructed"
    COMPLETED = "completed"


@dataclass(frozen=True)
class LudemeEntry:
    """A game in the database of the Digital Ludeme Project, and where ours differs from it.

    `game` and `rulesets` are the keys of its tables Games and GameRulesets, `version` that of its
    game description file from which we took its rules to compare them.
    """

    game: int
    rulesets: tuple[int, ...]
    version: str
    differences: tuple[str, ...]

    @property
    def identifiers(self) -> tuple[str, ...]:
        """The identifiers as the project writes them: a table, then the key in it."""
        return (
            f"DLP.Games.{self.game}",
            *(f"DLP.GameRulesets.{ruleset}" for ruleset in self.rulesets),
        )


@dataclass(frozen=True)
class Provenance:
    """Where a game comes from: how sure we are, the sources, some history and our decisions.

    `ludeme` is its like in the database of the Digital Ludeme Project, if we know of one.
    """

    label: ProvenanceLabel
    sources: tuple[str, ...]
    history: str
    decisions: tuple[str, ...] = ()
    ludeme: LudemeEntry | None = None


@dataclass(frozen=True)
class Game:
    """A game by name: its rules with every option at its default, its options and its provenance.

    `edition` rises when the rules change in a way that a running match would notice: the old
    edition then stays beside the new one in the game's file, for the matches and records that began
    with it. `tagline` says the game in one line, `special` what a player of backgammon would not
    expect and the rules as data do not say, and `solved` what is known of best play. `words` are
    its own for its endings, for what they are worth, for plights, bans and for what it remembers.
    `rank` sorts it within its family.
    `unplayable` are values of options that make no game together: each loses it at once.
    """

    slug: str
    title: str
    tagline: str
    rules: Rules
    provenance: Provenance
    family: Family
    aliases: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    special: tuple[str, ...] = ()
    solved: tuple[str, ...] = ()
    words: TextTemplates = field(default_factory=dict)
    edition: int = 1
    rank: int = 0
    unplayable: tuple[Mapping[str, str], ...] = ()

    def find_option(self, name: str) -> Option:
        """Return the option of that name; raises Refusal naming the nearest, or all there are."""
        for option in self.options:
            if option.name == name:
                return option
        names = {option.name: option.name for option in self.options}
        raise Refusal(
            Reason.OPTION, suggest_names(name, names), game=self.slug, name=name, known=tuple(names)
        )

    def find_opening_choice(self) -> Option | None:
        """The option that the beginning side chooses before its first throw, if there is one."""
        return next((option for option in self.options if option.starter_chooses), None)

    def require_playable(self, options: Mapping[str, str]) -> None:
        """Raise Refusal where options are to be agreed on that make no game together.

        What has begun by them is not asked, so that it can still be read.
        """
        chosen = {option.name: option.default_value.name for option in self.options} | dict(options)
        for together in self.unplayable:
            if together.items() <= chosen.items():
                written = tuple(f"{name}={value}" for name, value in together.items())
                raise Refusal(Reason.UNPLAYABLE, options=written)

    def resolve_rules(self, options: Mapping[str, str]) -> Rules:
        """Return the rules with those options, the same object each time.

        Raises Refusal for an unknown option.
        """
        chosen = {self.find_option(name).name: value for name, value in options.items()}
        values = tuple(
            option.find_value(chosen.get(option.name, option.default_value.name))
            for option in self.options
        )
        # Keyed by all values and not by those chosen: a default that is named gives the same rules.
        names = tuple(value.name for value in values)
        if names not in self._rules_by_values:
            rules = self.rules
            # In the game's order, whatever order the options were chosen in: where two change the
            # same field, as in Laquet, the later one decides.
            for path, what in (change for value in values for change in value.changes.items()):
                rules = _change_field(rules, path, what)
            # What is worked out once for some rules is found sooner by the very object than by an
            # equal one.
            self._rules_by_values[names] = self.rules if rules == self.rules else rules
        return self._rules_by_values[names]

    @cached_property
    def _rules_by_values(self) -> dict[tuple[str, ...], Rules]:
        return {}


def _change_field(rules: Rules, path: str, what: Any) -> Rules:  # noqa: ANN401 - any field of Rules
    name, _, inner = path.partition(".")
    return replace(
        rules,
        **{name: replace(getattr(rules, name), **{inner: what}) if inner else what},
    )
