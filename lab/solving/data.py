"""What is solved as a table: the worth of every reading's first throw."""

from collections.abc import Iterator

from engine.games import GAMES
from lab.data_package import Cell, DataColumn, DataTable
from lab.solving.figures import APART, PALM, TABLE, Figures, load_figures
from lab.studies.study import Share


def _build_percent(name: str, description: str, *, required: bool = False) -> DataColumn:
    return DataColumn(name, "number", description, required, minimum=0, maximum=100)


def build_table() -> DataTable:
    """Return the table of solved games."""
    return DataTable(
        "solved",
        "Solved games",
        "What the first throw is worth under best play by both sides, exactly; and, where games "
        "were played as a check, how many of them the side that began won, with the ends of a 95% "
        "confidence interval (Wilson).",
        (
            DataColumn("game", "string", "the game's slug, as in games.md"),
            DataColumn("reading", "string", "the values of its options that make a difference"),
            DataColumn("men", "integer", "men a side; fewer than the game has say so", minimum=1),
            DataColumn("states", "integer", "states solved", required=False, minimum=1),
            _build_percent("win_percent", "the side that begins wins", required=True),
            _build_percent("loss_percent", "the side that begins loses", required=True),
            DataColumn("games", "integer", "games played as a check", required=False, minimum=1),
            DataColumn("seed", "integer", "the seed of those games", required=False),
            _build_percent("won_percent", "of them, won by the side that began"),
            _build_percent("won_percent_low", "low end of its interval"),
            _build_percent("won_percent_high", "high end of its interval"),
            DataColumn("commit", "string", "the commit that solved it, if known", required=False),
        ),
        ("game", "reading", "men"),
        list_rows,
    )


def list_rows() -> Iterator[tuple[Cell, ...]]:
    """Yield a row for every reading that was solved."""
    figures = load_figures()
    runs = figures["runs"]
    for slug in (APART, TABLE):
        for name, each in figures[slug].items():
            yield _build_row(slug, name, GAMES[slug].rules.men, each, runs)
    for men, readings in figures[PALM].items():
        for name, each in readings.items():
            yield _build_row(PALM, name, int(men), each, runs)


def _build_row(slug: str, name: str, men: int, each: Figures, runs: Figures) -> tuple[Cell, ...]:
    loss = each["loss"] if "loss" in each else 1 - each["win"]
    games = each.get("games")
    won: list[Cell] = [None, None, None]
    if games:
        share = Share(each["won"], games)
        won = [100 * end for end in (each["won"] / games, *share.interval)]
    return (
        slug,
        name,
        men,
        each.get("states"),
        100 * each["win"],
        100 * loss,
        games,
        each.get("seed", 1) if games else None,
        *won,
        each.get("commit") or runs.get(slug, {}).get("commit"),
    )
