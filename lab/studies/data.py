"""The studies as tables, a line for each study, event, ending, meeting and run."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from engine.position import Side
from lab.data_package import Cell, DataColumn, DataTable, ForeignKey
from lab.studies.study import BROKEN_OFF, NOBODY, AnyStudy, HeadToHead, Mean, Share, Study

Studies = Mapping[str, Mapping[str, AnyStudy]]
"""Studies by game, then by name."""

QUANTILES = {"median": 0.5, "p05": 0.05, "p95": 0.95}
"""Of which shares of the games the length is given."""

SIDES = tuple(side.value for side in Side)

STUDY_KEY = (
    DataColumn("game", "string", "the game's slug, as in games.md"),
    DataColumn(
        "study",
        "string",
        "usual: the usual rules; goal=off: another value of an option; greedy or random: those "
        "players in place of the game's; two names with a colon between them: they meet",
    ),
)
OF_STUDY = (ForeignKey(("game", "study"), "studies"),)
PLAYED = (
    DataColumn(
        "player", "string", "who played: a net by the hash of its weights, greedy or random"
    ),
    DataColumn("edition", "integer", "the edition of the game's rules", minimum=1),
    DataColumn("games", "integer", "games played", minimum=1),
)


def list_tables(studies: Studies) -> tuple[DataTable, ...]:
    """Return the tables of some studies."""
    return (
        DataTable(
            "studies",
            "Studies",
            "Games of a player against itself: length, who wins, and throws without a play. Low "
            "and high are the ends of a 95% confidence interval: Wilson's for shares of games, by "
            "order statistics for lengths; that of shares of throws is no wider than this.",
            (*STUDY_KEY, *PLAYED, *_list_study_columns()),
            ("game", "study"),
            partial(_list_each, studies, _build_study_row),
        ),
        DataTable(
            "study-events",
            "Events",
            "How often something happens a game, in the games of studies.csv, with the ends of a "
            "95% confidence interval (normal).",
            (
                *STUDY_KEY,
                DataColumn("event", "string", "what is counted, as the project's code calls it"),
                DataColumn("total", "integer", "how often in all games", minimum=0),
                DataColumn("games_with", "integer", "games in which it happened", minimum=0),
                DataColumn("mean", "number", "how often a game", minimum=0),
                DataColumn("mean_low", "number", "low end of the mean's interval"),
                DataColumn("mean_high", "number", "high end of the mean's interval"),
            ),
            ("game", "study", "event"),
            partial(_list_each, studies, _list_event_rows),
            OF_STUDY,
        ),
        DataTable(
            "study-endings",
            "Endings",
            "How the games of studies.csv ended: games by ending, points and sides.",
            (
                *STUDY_KEY,
                DataColumn("ending", "string", "the way it ended"),
                DataColumn("points", "integer", "what the game counted", minimum=0),
                DataColumn("began", "string", "the side that began", values=SIDES),
                DataColumn("winner", "string", "the side that won", values=(*SIDES, NOBODY)),
                DataColumn("games", "integer", "games that ended so", minimum=1),
            ),
            ("game", "study", "ending", "points", "began", "winner"),
            partial(_list_each, studies, _list_ending_rows),
            OF_STUDY,
        ),
        DataTable(
            "study-meetings",
            "Meetings",
            "Games between two players, who begin equally often. The share is of the games that "
            "somebody won, with Wilson's 95% confidence interval.",
            (
                *STUDY_KEY,
                *PLAYED,
                DataColumn("won", "integer", "games that the first player won", minimum=0),
                DataColumn("lost", "integer", "games that the second player won", minimum=0),
                DataColumn("drawn", "integer", "games that nobody won", minimum=0),
                DataColumn("broken_off", "integer", "games broken off after many turns", minimum=0),
                *_list_share_columns("first_wins", "games won by the first player"),
            ),
            ("game", "study"),
            partial(_list_meeting_rows, studies),
        ),
        DataTable(
            "study-runs",
            "Runs",
            "The seeds and the numbers of games that make up each study and meeting, in their "
            "order, and what played them. To play a study's games again with its seeds, and to "
            "compare the counts: python -m lab.training studies --repeat --only GAME --study STUDY",
            (
                *STUDY_KEY,
                DataColumn("run", "integer", "number of the run within its study", minimum=1),
                DataColumn("seed", "integer", "seed of the dice", minimum=0),
                DataColumn("games", "integer", "games played", minimum=1),
                DataColumn("day", "date", "when it was played, or else stored", required=False),
                DataColumn("commit", "string", "the commit that played, if known", required=False),
                DataColumn(
                    "stored",
                    "string",
                    "where the commit that played was not recorded: the one that stored the counts",
                    required=False,
                ),
                DataColumn(
                    "repeated",
                    "string",
                    "the last commit by which it was played again and its study's counts were the "
                    "same, if any",
                    required=False,
                ),
            ),
            ("game", "study", "run"),
            partial(_list_run_rows, studies),
        ),
    )


def _list_each(
    studies: Studies, list_rows: Callable[[Study], Iterator[list[Cell]]]
) -> Iterator[list[Cell]]:
    for slug, named in studies.items():
        for name, study in named.items():
            if isinstance(study, Study):
                yield from ([slug, name, *row] for row in list_rows(study))


def _list_study_columns() -> Iterator[DataColumn]:
    yield DataColumn("decided", "integer", "games that somebody won", minimum=0)
    for name, share in QUANTILES.items():
        told = f"throws that {100 * share:.0f}% of the games did not exceed, both sides together"
        yield DataColumn(f"throws_{name}", "integer", told, minimum=0)
        yield DataColumn(f"throws_{name}_low", "integer", f"low end of throws_{name}", minimum=0)
        yield DataColumn(f"throws_{name}_high", "integer", f"high end of throws_{name}", minimum=0)
    for name, told in WON_SHARES.items():
        yield from _list_share_columns(name, told)
    yield DataColumn("throws", "integer", "throws of all games together", minimum=1)
    for name, told in THROW_SHARES.items():
        for column, description in (
            (f"{name}_throws_percent", told),
            (f"{name}_throws_percent_low", f"low end of {name}_throws_percent, at the lowest"),
            (f"{name}_throws_percent_high", f"high end of {name}_throws_percent, at the highest"),
        ):
            yield DataColumn(column, "number", description, minimum=0, maximum=100)


THROW_SHARES = {
    "choice": "throws that leave a choice, of all",
    "idle": "throws of which nothing could be played, of all",
}
"""The shares of a study's throws, by how the names of their columns begin."""


WON_SHARES = {
    "starter_wins": "games won by the side that began, of those decided",
    "gold_wins": "games won by gold, of those decided",
    "gold_starter_wins": "games that gold began and won, of those that it began and were decided",
    "black_starter_wins": (
        "games that black began and won, of those that it began and were decided"
    ),
    "no_winner": "games without a winner, of all",
    "broken_off": "games broken off after many turns, of all",
}
"""The shares of a study's games, by the names of their columns."""


def _list_share_columns(name: str, told: str) -> Iterator[DataColumn]:
    for end, description in (
        ("percent", told),
        ("percent_low", f"low end of {name}_percent"),
        ("percent_high", f"high end of {name}_percent"),
    ):
        yield DataColumn(
            f"{name}_{end}", "number", description, required=False, minimum=0, maximum=100
        )


def _build_study_row(study: Study) -> Iterator[list[Cell]]:
    undecided = {end.how for end in study.ends if not end.has_winner}
    shares = (
        study.starter_share,
        study.win_share(Side.GOLD),
        study.starting_win_share(Side.GOLD),
        study.starting_win_share(Side.BLACK),
        study.end_share(*undecided),
        study.end_share(BROKEN_OFF),
    )
    yield [
        *(study.by, study.edition, study.games, study.starter_share.whole),
        *(end for share in QUANTILES.values() for end in study.length_quantile(share)),
        *(cell for share in shares for cell in _format_share(share)),
        study.throws,
        *_format_throw_share(study.throw_share("choices")),
        *_format_throw_share(study.throw_share("idle")),
    ]


def _format_throw_share(share: Mean) -> Iterator[float]:
    for each in (share.value, share.value - share.within, share.value + share.within):
        yield 100 * min(1, max(0, each))


def _format_share(share: Share) -> list[Cell]:
    if not share.whole:
        return [None, None, None]
    return [100 * each for each in (share.value, *share.interval)]


def _list_event_rows(study: Study) -> Iterator[list[Cell]]:
    for name, counted in study.sums.items():
        mean, within = study.mean_count(name)
        yield [name, counted.total, counted.games, mean, mean - within, mean + within]


def _list_ending_rows(study: Study) -> Iterator[list[Cell]]:
    for end, games in sorted(study.ends.items()):
        yield [end.how, end.points, end.began, end.winner, games]


def _list_meeting_rows(studies: Studies) -> Iterator[list[Cell]]:
    for slug, named in studies.items():
        for name, met in named.items():
            if isinstance(met, HeadToHead):
                counts = (met.games, met.won, met.lost, met.drawn, met.broken_off)
                yield [slug, name, met.by, met.edition, *counts, *_format_share(met.share)]


def _list_run_rows(studies: Studies) -> Iterator[list[Cell]]:
    for slug, named in studies.items():
        for name, study in named.items():
            for number, run in enumerate(study.runs, 1):
                told = [cell or None for cell in (run.day, run.commit, run.stored, run.repeated)]
                yield [slug, name, number, run.seed, run.games, *told]
