"""What differs between the formats of contests: each is one object, in a file of this folder.

A format says whom it takes, who meets whom and when, how people stand, and all that is shown and
said of that. Nobody else asks which format a contest has.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, ClassVar, TypeAlias

from bot.features.contests import tables
from bot.features.contests.bracket import Bracket
from bot.features.contests.standings import Standing, SwissStanding
from bot.features.contests.tables import ContestView
from bot.platform.db.rows import PersonNames
from bot.platform.i18n.common import join_sentences
from bot.platform.i18n.reader import Reader, UnknownControlError
from render.bracket import DrawnBracket
from render.table import RowMark, Table

MIN_ENTRANTS, MAX_ENTRANTS = 4, 64
BlockPairs: TypeAlias = Collection[tuple[int, int]]
"""Who has blocked whom of those who take part: their meetings are avoided where that can be."""
Names: TypeAlias = Mapping[int, PersonNames]
PointTable: TypeAlias = Sequence[Standing | SwissStanding]


@dataclass(frozen=True, slots=True)
class ContestSize:
    """How much is played by so many `players`.

    Where everyone meets everyone it is so many matches in all, and `each` at most for one person,
    or exactly where it `is_even`; elsewhere it is the number of `rounds`, and else 0.
    """

    players: int
    rounds: int = 0
    matches: int = 0
    each: int = 0
    is_even: bool = True


@dataclass(frozen=True, slots=True)
class StandingsDrawing:
    """A table or a bracket, and in words what it shows."""

    drawn: Table | DrawnBracket
    described: str


@dataclass(frozen=True, slots=True)
class StandingsPage:
    """A page of how a contest stands, with the sums, and how all of it is ordered.

    Its `number` counts from 0; the `labels` are those of all pages.
    """

    number: int
    labels: Sequence[str]
    lines: Sequence[str]
    drawing: StandingsDrawing | None
    explained: str


Results: TypeAlias = tuple[StandingsDrawing | None, tuple[str, ...]]
"""The drawing of how a contest stands, and what of that is said in words."""


def choose_page(asked: int | None, own: int, count: int) -> int:
    """Return the page that is asked for, or one's own; raises UnknownControlError if none is."""
    page = own if asked is None else asked
    if page >= count:
        raise UnknownControlError
    return page


class Format(ABC):
    """How a contest is played, and what is shown and said of it.

    Where it `has_rounds` each has its own time, and else all has one. Where it `meets_all` everyone
    of a division meets everyone; their results there count for nobody if they leave early.
    """

    kind: ClassVar[tables.ContestFormat]
    choice: ClassVar[str] = ""
    """What it is called where a tournament is opened by a command."""
    has_rounds: ClassVar[bool] = False
    meets_all: ClassVar[bool] = False
    may_replace: ClassVar[bool] = True
    """Whether somebody can come in another's place while it is played."""
    may_skip: ClassVar[bool] = True
    """Whether a match of two between whom a block stands can be taken as unplayed."""
    least: ClassVar[int] = MIN_ENTRANTS
    most: ClassVar[int] = MAX_ENTRANTS

    # Who meets whom.

    @abstractmethod
    def compute_size(self, contest: tables.Contest, players: int) -> ContestSize:
        """Return how much is played by so many."""

    @abstractmethod
    def plan_start(
        self,
        view: ContestView,
        seeds: Sequence[int],
        now: int,
        blocks: BlockPairs,
        placed: Collection[int],
    ) -> tables.SeasonPlan:
        """Return how it starts for people by their seeds, of whom last season `placed` some."""

    @abstractmethod
    def plan_round(
        self, view: ContestView, now: int, blocks: BlockPairs
    ) -> tables.RoundPlan | None:
        """Return how it goes on; None where it waits for matches in progress."""

    @abstractmethod
    def list_next_players(self, view: ContestView, now: int) -> frozenset[int]:
        """Return who is about to be paired."""

    def is_open_late(self, view: ContestView, now: int) -> bool:
        """Whether people can join what is played."""
        return False

    def plan_late_entry(
        self, view: ContestView, entrant: tables.Entrant, now: int, blocks: BlockPairs
    ) -> tables.LatePlan:
        """Return what somebody plays who joins late; raises DeclinedError for want of room."""
        raise NotImplementedError

    def list_no_shows(self, view: ContestView) -> Sequence[tables.Entrant]:
        """Return who forfeited their last match, and hasn't said that they are back."""
        return ()

    def list_returnable(self, view: ContestView) -> Sequence[tables.Entrant]:
        """Return who sits out, or was withdrawn, and can play from the next round on."""
        return ()

    def count_later_rounds(self, view: ContestView) -> int:
        """Return how many rounds follow the one that is played."""
        return 0

    def count_likely_rounds(self, view: ContestView) -> int:
        """Return how many times its days it will last, before it starts."""
        return self.compute_size(view.contest, max(len(view.present), self.least)).rounds

    def find_next_end(self, view: ContestView, now: int) -> int | None:
        """Return the deadline of what goes on once a round is closed."""
        return view.contest.ends

    # How people stand.

    @abstractmethod
    def list_point_tables(self, view: ContestView) -> Sequence[PointTable]:
        """Return the tables of points of its divisions; none where it has none."""

    def find_bracket(self, view: ContestView) -> Bracket | None:
        """Return the bracket of what has begun; None where it has none."""
        return None

    def list_champions(self, view: ContestView) -> list[int]:
        """Return who is first, with a point and without having left."""
        there = {each.person for each in view.present}
        table = next(iter(self.list_point_tables(view)), ())
        ranked = [each for each in table if each.points and each.person in there]
        return [each.person for each in ranked if each.rank == ranked[0].rank]

    def find_movers(self, view: ContestView) -> dict[int, RowMark]:
        """Return who goes up or down a division if another season follows."""
        return {}

    @abstractmethod
    def describe_standings(self, view: ContestView) -> dict[int, dict[str, Any]]:
        """Return where people stand, for programs."""

    # What is shown.

    @abstractmethod
    def show_results(self, say: Reader, view: ContestView, people: Names) -> Results:
        """Return the drawing of how it stands, and what of that is said in words."""

    @abstractmethod
    def list_own(self, say: Reader, view: ContestView, people: Names, person: int) -> list[str]:
        """Return the own line of somebody who takes part."""

    @abstractmethod
    def show_page(
        self, say: Reader, view: ContestView, people: Names, person: int, asked: int | None
    ) -> StandingsPage:
        """Return the page that is asked for, or somebody's own.

        Raises UnknownControlError where there is no such page.
        """

    def label_table(self, say: Reader) -> str:
        """Return the button that opens these pages."""
        return say("How the table is made")

    # What is said.

    @abstractmethod
    def format_name(self, say: Reader) -> str:
        """Name it."""

    @abstractmethod
    def explain(self, say: Reader, contest: tables.Contest) -> Iterator[str]:
        """Explain who meets whom."""

    def explain_deadline(self, say: Reader) -> str:
        """Explain what else becomes of what is unfinished at a deadline."""
        return ""

    def explain_skipping(self, say: Reader) -> str:
        """Explain what a match counts that is taken as unplayed."""
        # Translators: it: a match that is taken as unplayed.
        return say("It then counts for nobody.")

    def explain_optional(self, say: Reader) -> str:
        """Explain what somebody can do who would rather not meet another."""
        choice = say(
            "If you'd rather not play, either of you can take it as unplayed until you've both "
            "played in it."
        )
        return join_sentences(say, choice, self.explain_skipping(say))

    def format_skipped_reply(self, say: Reader, match: int) -> str:
        """Tell somebody that they have taken a match as unplayed."""
        return say("Match {n} isn't played, and counts for nobody.", n=match)

    def format_late_reply(self, say: Reader, view: ContestView, person: int, contest: str) -> str:
        """Tell somebody that they have joined what is played."""
        raise NotImplementedError

    def format_round(self, say: Reader, view: ContestView) -> str:
        """Say which round is played."""
        return ""

    def list_counted(self, view: ContestView) -> Sequence[tables.Pairing]:
        """Return the pairings of which is told how many are over."""
        return view.pairings

    def list_form_entries(self, say: Reader) -> Sequence[tuple[int, str]]:
        """Return its entries in the form for a tournament: the best of how many, and the label."""
        return ()


_FORMATS: dict[tables.ContestFormat, Format] = {}


def add_format(made: type[Format]) -> type[Format]:
    """Declare a format; by its kind contests are stored."""
    _FORMATS[made.kind] = made()
    return made


@cache
def load_formats() -> Sequence[Format]:
    """Return all formats, each from its file."""
    for module in iter_modules(__path__, f"{__name__}."):
        import_module(module.name)
    return [_FORMATS[kind] for kind in tables.ContestFormat]


def get_format(contest: tables.ContestSettings) -> Format:
    """Return the format of a contest."""
    load_formats()
    return _FORMATS[contest.format]


def may_come_back(view: ContestView, person: int) -> bool:
    """Whether somebody who sits out, or was withdrawn, can play from the next round on."""
    returnable = get_format(view.contest).list_returnable(view)
    return any(each.person == person for each in returnable)


def may_skip(view: ContestView, pairing: tables.Pairing) -> bool:
    """Whether either of two may take their match as unplayed until both have played in it."""
    return pairing.optional and not pairing.is_over and get_format(view.contest).may_skip
