"""What is solved as a table: the worth of every reading's first throw."""

from collections.abc import Iterator

from lab.data_package import Cell, DataColumn, DataTable
from lab.solving.figures import Figures, estimate_points, list_reading_figures, load_figures
from lab.studies.study import Share


def _build_percent(name: str, description: str, *, required: bool = False) -> DataColumn:
    return DataColumn(name, "number", description, required, minimum=0, maximum=100)


def _build_count(name: str, description: str, minimum: int = 0) -> DataColumn:
    return DataColumn(name, "integer", description, required=False, minimum=minimum)


def _build_mean(name: str, description: str) -> DataColumn:
    return DataColumn(name, "number", description, required=False)


def build_table() -> DataTable:
    """Return the table of solved games."""
    return DataTable(
        "solved",
        "Solved games",
        "What the first throw is worth under best play by both sides, exactly; and, where games "
        "were played as a check, how many of them the side that began won, with the ends of a 95% "
        "confidence interval (Wilson). Both sides play to win; where they play for points instead, "
        "the description says so.",
        (
            DataColumn("game", "string", "the game's slug, as in games.md"),
            DataColumn("reading", "string", "the values of its options that make a difference"),
            DataColumn("men", "integer", "men a side; fewer than the game has say so", minimum=1),
            _build_count("states", "states solved", 1),
            _build_percent("win_percent", "the side that begins wins", required=True),
            _build_percent("loss_percent", "the side that begins loses", required=True),
            _build_count("games", "games played as a check", 1),
            _build_count("seed", "the seed of those games"),
            _build_percent("won_percent", "of them, won by the side that began"),
            _build_percent("won_percent_low", "low end of its interval"),
            _build_percent("won_percent_high", "high end of its interval"),
            DataColumn(
                "commit",
                "string",
                "a commit whose `make solve` works this out, if known",
                required=False,
            ),
            _build_percent("lost_percent", "of those games, lost by the side that began"),
            _build_percent("lost_percent_low", "low end of its interval"),
            _build_percent("lost_percent_high", "high end of its interval"),
            _build_count("throws", "throws of both sides in those games"),
            _build_count("choices", "throws of them that left a choice"),
            _build_count("offers", "in those games, numbers left that the other side could use"),
            _build_count("declined", "offers of them that were declined"),
            _build_count("greedy_games", "games of the best player against greedy", 1),
            _build_count("greedy_seed", "the seed of those games"),
            _build_percent("greedy_won_percent", "of them, won by the best player"),
            _build_percent("greedy_won_percent_low", "low end of its interval"),
            _build_percent("greedy_won_percent_high", "high end of its interval"),
            _build_mean("points", "what the side that begins can expect if both play for points"),
            _build_mean("points_mean", "points that it gained a game, where games were played so"),
            _build_mean("points_mean_low", "low end of its 95% interval, of a normal distribution"),
            _build_mean("points_mean_high", "high end of its interval"),
            _build_percent("win_for_points_percent", "the side that begins wins if both do"),
            _build_percent("won_for_points_percent", "of those games, won by the side that began"),
            _build_percent("won_for_points_percent_low", "low end of its interval"),
            _build_percent("won_for_points_percent_high", "high end of its interval"),
            DataColumn(
                "seconds", "number", "seconds of processor time to solve it", False, minimum=0
            ),
            _build_count("bytes", "size of its table", 1),
        ),
        ("game", "reading", "men"),
        list_rows,
    )


def list_rows() -> Iterator[tuple[Cell, ...]]:
    """Yield a row for every reading that was solved."""
    figures = load_figures()
    runs = figures["runs"]
    for slug, name, men, each in list_reading_figures(figures):
        yield (
            slug,
            name,
            men,
            each.get("states"),
            100 * each["win"],
            100 * each.get("loss", 1 - each["win"]),
            each.get("games"),
            each.get("seed"),
            *_list_percents(each, "won", "games"),
            each.get("commit", runs[slug]["commit"]),
            *_list_percents(each, "lost", "games"),
            each.get("throws"),
            each.get("choices"),
            each.get("offers"),
            each.get("declined"),
            each.get("greedy_games"),
            each.get("greedy_seed"),
            *_list_percents(each, "greedy_won", "greedy_games"),
            each.get("points"),
            *_list_means(each),
            100 * each["win_for_points"] if "win_for_points" in each else None,
            *_list_percents(each, "won_for_points", "games"),
            each.get("seconds"),
            each.get("bytes"),
        )


def _list_percents(each: Figures, part: str, whole: str) -> tuple[Cell, ...]:
    """Return a share of games and the ends of its interval, or as many empty cells."""
    if part not in each:
        return (None, None, None)
    share = Share(each[part], each[whole])
    return tuple(100 * end for end in (share.value, *share.interval))


def _list_means(each: Figures) -> tuple[Cell, ...]:
    """Return the points gained a game and the ends of the interval, or as many empty cells."""
    if "gained" not in each:
        return (None, None, None)
    mean, within = estimate_points(each)
    return (mean, mean - within, mean + within)
