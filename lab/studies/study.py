"""Figures about the games, from many games of the computer players.

One file a game, a line a study: `usual` are games of the game's player against itself by the usual
rules; `goal=off` by another value of one option, `goal=off:greedy` that player's games against
greedy by these rules; `greedy` and `random` games of those players. `python -m lab.training
studies` adds to them.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from engine.position import Side
from engine.strict_json import parse_json, write_json
from lab.command_line import lock_file, write_beside

VERSION = 1
"""Increased when other things are counted, or differently; studies of other versions restart."""

STUDIES = Path(__file__).with_name("games")
"""Where the figures lie: one file a game, named after its slug."""

USUAL = "usual"
NET = "net"
GREEDY = "greedy"
RANDOM = "random"
"""Names of studies (but for those of options) and of the players in one (`net:greedy`)."""

BROKEN_OFF = "broken-off"
"""How a game has ended that was broken off after many turns."""

NOBODY = "nobody"
CONFIDENCE_Z = 1.96
"""Standard errors on either side within which a figure lies in nineteen cases of twenty."""


class Run(NamedTuple):
    """Games played in one go: the seed of their dice, their number, the day and the commit.

    `commit` is of the program that played. Of runs from before that was written down it is empty,
    and `stored` is the commit that brought their counts, `day` that commit's. `repeated` is the
    last commit by which they were played again and came out the same, if any.
    """

    seed: int
    games: int
    day: str = ""
    commit: str = ""
    stored: str = ""
    repeated: str = ""


class Share(NamedTuple):
    """So many of the whole."""

    part: int
    whole: int

    @property
    def value(self) -> float:
        """The share, from nought to one."""
        return self.part / self.whole

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of its 95% confidence interval, after Wilson."""
        # Wilson's interval also holds for few games and for shares near 0 or 1, and stays between
        # them.
        squared = CONFIDENCE_Z**2
        middle = self.part + squared / 2
        half = CONFIDENCE_Z * math.sqrt(
            self.part * (self.whole - self.part) / self.whole + squared / 4
        )
        total = self.whole + squared
        return max(0.0, (middle - half) / total), min(1.0, (middle + half) / total)


class Sum(NamedTuple):
    """Something counted in every game: total, sum of squares, and the games where it occurred."""

    total: int
    squares: int
    games: int

    def merge_with(self, more: "Sum") -> "Sum":
        """Both together."""
        return Sum(*(mine + theirs for mine, theirs in zip(self, more, strict=True)))


class Mean(NamedTuple):
    """A mean, and how far the ends of its 95% confidence interval lie from it."""

    value: float
    within: float


class Quantile(NamedTuple):
    """A value that a share of games stays within, and the ends of its 95% confidence interval."""

    value: int
    low: int
    high: int


class End(NamedTuple):
    """How a game ended: the outcome's slug, its points, the side that began, any winner."""

    how: str
    points: int
    began: str
    winner: str = NOBODY

    @property
    def has_winner(self) -> bool:
        """Whether somebody has won."""
        return self.winner != NOBODY


@dataclass(frozen=True)
class Study:
    """What was counted in games `by` some player against itself, by the rules of an `edition`.

    `runs` are the games in the order in which they were played. `lengths` says of each number of
    throws how many games took it, `sums` how often other things have happened.
    """

    by: str
    edition: int
    runs: tuple[Run, ...]
    ends: Mapping[End, int]
    lengths: Mapping[int, int]
    sums: Mapping[str, Sum]

    @property
    def games(self) -> int:
        """How many games were played, those broken off among them."""
        return sum(self.ends.values())

    @property
    def throws(self) -> int:
        """How many throws all games took together."""
        return sum(length * games for length, games in self.lengths.items())

    @property
    def starter_share(self) -> Share:
        """How many of the games that somebody has won were won by the side that began."""
        decided = self._count_games(lambda end: end.has_winner)
        return Share(self._count_games(lambda end: end.winner == end.began), decided)

    def win_share(self, side: Side) -> Share:
        """How many of the games that somebody has won were won by that side."""
        return Share(
            self._count_games(lambda end: end.winner == side),
            self._count_games(lambda end: end.has_winner),
        )

    def starting_win_share(self, side: Side) -> Share:
        """How many of the games that side began, and somebody has won, it has won."""
        won = self._count_games(lambda end: end.began == side == end.winner)
        return Share(won, self._count_games(lambda end: end.has_winner and end.began == side))

    def end_share(self, *hows: str) -> Share:
        """How many of all games have ended in one of these ways."""
        return Share(self._count_games(lambda end: end.how in hows), self.games)

    @property
    def end_shares(self) -> Mapping[str, Share]:
        """How the games have ended, the most frequent way first."""
        counts: Counter[str] = Counter()
        for end, count in self.ends.items():
            counts[end.how] += count
        return {how: Share(count, self.games) for how, count in counts.most_common()}

    def points_share(self, points: int) -> Share:
        """How many of the games that somebody has won counted so many points."""
        won = self._count_games(lambda end: end.has_winner)
        return Share(self._count_games(lambda end: end.has_winner and end.points == points), won)

    def mean_count(self, name: str) -> Mean:
        """How often something has happened a game."""
        total, squares, _ = self.sums[name]
        mean = total / self.games
        return Mean(mean, CONFIDENCE_Z * math.sqrt((squares / self.games - mean**2) / self.games))

    def throw_share(self, name: str) -> Mean:
        """Return which share of the throws it was; the interval is no wider than this.

        Its width depends on how what is counted goes with the length of a game, which is not
        stored. The widest is that of two figures that always move apart.
        """
        total, squares, _ = self.sums[name]
        share = total / self.throws
        throws = self.throws / self.games
        lengths = sum(length**2 * games for length, games in self.lengths.items())
        spread = math.sqrt(squares / self.games - (total / self.games) ** 2)
        spread += share * math.sqrt(lengths / self.games - throws**2)
        return Mean(share, CONFIDENCE_Z * spread / math.sqrt(self.games) / throws)

    @property
    def mean_points(self) -> Mean:
        """What a game counts."""
        total, squares = (
            sum(end.points**power * games for end, games in self.ends.items()) for power in (1, 2)
        )
        mean = total / self.games
        return Mean(mean, CONFIDENCE_Z * math.sqrt((squares / self.games - mean**2) / self.games))

    def occurrence_share(self, name: str) -> Share:
        """In how many games it has happened at all."""
        return Share(self.sums[name].games, self.games)

    def length_quantile(self, share: float) -> Quantile:
        """Return the number of throws that such a share of games did not exceed.

        Games broken off count the throws they had.
        """
        middle = share * self.games
        # How many games lie below a quantile is binomial. The lengths at the ranks so many
        # deviations away are the ends of the interval, whatever the lengths' distribution.
        away = CONFIDENCE_Z * math.sqrt(middle * (1 - share))
        ranks = (math.ceil(middle), math.floor(middle - away), math.ceil(middle + away))
        return Quantile(*(self._get_length_at(rank) for rank in ranks))

    def _get_length_at(self, rank: int) -> int:
        """Return the length of the game of that rank, counted from the shortest.

        Beyond either end it is the longest or the shortest.
        """
        passed = 0
        length = 0
        for length in sorted(self.lengths):
            passed += self.lengths[length]
            if passed >= rank:
                break
        return length

    def _count_games(self, chosen: Callable[[End], bool]) -> int:
        return sum(count for end, count in self.ends.items() if chosen(end))

    def merge_with(self, more: "Study") -> "Study":
        """Both together."""
        return replace(
            self,
            runs=self.runs + more.runs,
            ends=Counter(self.ends) + Counter(more.ends),
            lengths=Counter(self.lengths) + Counter(more.lengths),
            sums={name: each.merge_with(more.sums[name]) for name, each in self.sums.items()},
        )


@dataclass(frozen=True)
class HeadToHead:
    """How games between two players ended by the usual rules of an `edition`.

    `won` counts those that the first player won.
    """

    by: str
    edition: int
    runs: tuple[Run, ...]
    won: int
    lost: int
    drawn: int
    broken_off: int

    @property
    def games(self) -> int:
        """How many games were played, those broken off among them."""
        return self.won + self.lost + self.drawn + self.broken_off

    @property
    def share(self) -> Share:
        """How many of the games that somebody has won were won by the first."""
        return Share(self.won, self.won + self.lost)

    def merge_with(self, more: "HeadToHead") -> "HeadToHead":
        """Both together."""
        return replace(
            self,
            runs=self.runs + more.runs,
            won=self.won + more.won,
            lost=self.lost + more.lost,
            drawn=self.drawn + more.drawn,
            broken_off=self.broken_off + more.broken_off,
        )


AnyStudy = Study | HeadToHead


def merge_studies(known: AnyStudy | None, more: AnyStudy) -> AnyStudy:
    """Add games to those of the same players and rules; games of others start over."""
    # Games by another net or edition would be averaged into figures that hold for neither.
    if known is None or (known.by, known.edition) != (more.by, more.edition):
        return more
    if isinstance(known, Study) and isinstance(more, Study):
        return known.merge_with(more)
    assert isinstance(known, HeadToHead)
    assert isinstance(more, HeadToHead)
    return known.merge_with(more)


def has_same_counts(study: AnyStudy, other: AnyStudy) -> bool:
    """Whether two studies have counted the same, whenever and by whatever commit they were made."""
    return replace(study, runs=()) == replace(other, runs=())


def load_game_studies(slug: str, folder: Path = STUDIES) -> dict[str, AnyStudy]:
    """Read a game's studies by name, without those of other versions; empty if there are none."""
    path = folder / f"{slug}.json"
    if not path.exists():
        return {}
    every: dict[str, dict[str, Any]] = parse_json(path.read_text("utf-8"))
    return {
        name: _from_json(kept) for name, kept in every.items() if kept.pop("version") == VERSION
    }


@contextmanager
def change_game_studies(slug: str, folder: Path = STUDIES) -> Iterator[dict[str, AnyStudy]]:
    """Let a game's stored studies be changed, to which another run may have added meanwhile."""
    with lock_file(folder / f"{slug}.json"):
        studies = load_game_studies(slug, folder)
        before = dict(studies)
        yield studies
        if studies != before:
            save_game_studies(slug, studies, folder)


def save_game_studies(slug: str, studies: Mapping[str, AnyStudy], folder: Path = STUDIES) -> None:
    """Write a game's studies, a line each; the old file stays whole until the new one is."""
    lines = [f"{write_json(name)}: {write_json(_to_json(each))}" for name, each in studies.items()]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{slug}.json"
    write_beside(path, "{\n" + ",\n".join(lines) + "\n}\n")


def _to_json(kept: AnyStudy) -> dict[str, Any]:
    # Without an empty last field, which hardly any run had before there were such.
    runs = [run if run.repeated else run[:-1] for run in kept.runs]
    if isinstance(kept, HeadToHead):
        return {"version": VERSION, **vars(kept), "runs": runs}
    # Most lengths in between occur, so a list without keys is shorter than pairs.
    shortest = min(kept.lengths)
    return {
        "version": VERSION,
        **vars(kept),
        "runs": runs,
        "ends": [[*end, count] for end, count in sorted(kept.ends.items())],
        "shortest": shortest,
        "lengths": [
            kept.lengths.get(length, 0) for length in range(shortest, max(kept.lengths) + 1)
        ],
    }


def _from_json(kept: dict[str, Any]) -> AnyStudy:
    kept["runs"] = tuple(Run(*run) for run in kept["runs"])
    if "ends" not in kept:
        return HeadToHead(**kept)
    shortest = kept.pop("shortest")
    return Study(
        **{
            **kept,
            "ends": {End(*end): count for *end, count in kept["ends"]},
            "lengths": {
                shortest + more: count for more, count in enumerate(kept["lengths"]) if count
            },
            "sums": {name: Sum(*each) for name, each in kept["sums"].items()},
        }
    )
