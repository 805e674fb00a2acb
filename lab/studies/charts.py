"""The page's pictures."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from engine.games import GAMES
from lab.studies.study import USUAL, AnyStudy, HeadToHead, Share, Study
from lab.studies.study_files import get_study, load_all_studies
from render.chart import Chart, Mark, Row, Scale, draw_chart
from render.scene import View

Value = TypeVar("Value")

PICTURES = ("studies-length.png", "studies-first.png", "studies-skill.png")


def draw_pictures() -> dict[str, bytes]:
    """Draw the page's pictures, by their names."""
    kept = load_all_studies()
    usual = {slug: get_study(studies, USUAL) for slug, studies in kept.items()}
    charts = (_chart_lengths(usual), _chart_first_side(usual), _chart_skill(kept))
    return {name: draw_chart(chart, View()) for name, chart in zip(PICTURES, charts, strict=True)}


def _chart_lengths(usual: Mapping[str, Study]) -> Chart:
    ranges = {
        slug: [study.length_quantile(share).value for share in (0.05, 0.5, 0.95)]
        for slug, study in usual.items()
    }
    rows = tuple(
        Row(GAMES[slug].title, (Mark(low, middle, high),), str(middle))
        for slug, (low, middle, high) in _sort_games(ranges, lambda each: each[1])
    )
    return Chart(
        "How long the games last",
        "Throws of both sides: the median, and the middle nine games in ten",
        rows,
        (5, 10, 20, 50, 100, 200, 500),
        scale=Scale.LOGARITHMIC,
    )


def _chart_first_side(usual: Mapping[str, Study]) -> Chart:
    rows = tuple(
        Row(GAMES[slug].title, (_to_percent_mark(share),), f"{100 * share.value:.1f}")
        for slug, share in _sort_games(
            {slug: study.starter_share for slug, study in usual.items()}, lambda share: share.value
        )
    )
    return Chart(
        "Whether it helps to begin",
        "Won by the side that begins, of 100 games that somebody wins; 95% interval",
        rows,
        (40, 50, 60, 70, 80, 90),
        level=50,
    )


def _chart_skill(kept: Mapping[str, Mapping[str, AnyStudy]]) -> Chart:
    met = {
        slug: [studies.get(name) for name in ("net:greedy", "greedy:random")]
        for slug, studies in kept.items()
    }
    shares = {
        slug: [each.share if isinstance(each, HeadToHead) else None for each in both]
        for slug, both in met.items()
    }
    rows = tuple(
        Row(
            GAMES[slug].title,
            tuple(share and _to_percent_mark(share) for share in both),
            _format_first_share(both),
        )
        for slug, both in _sort_games(shares, lambda both: both[0].value if both[0] else 0)
    )
    return Chart(
        "How much is skill",
        "Won by the first named, of 100 games that somebody wins; 95% interval",
        rows,
        (40, 50, 60, 70, 80, 90, 100),
        ("net against greedy", "greedy against random plays"),
        level=50,
    )


def _format_first_share(shares: Iterable[Share | None]) -> str:
    first = next(iter(shares))
    return f"{100 * first.value:.1f}" if first else "-"


def _to_percent_mark(share: Share) -> Mark:
    low, high = share.interval
    return Mark(100 * low, 100 * share.value, 100 * high)


def _sort_games(
    values: Mapping[str, Value], key: Callable[[Value], float]
) -> list[tuple[str, Value]]:
    """Sort the games by what is known of them, the highest first."""
    return sorted(values.items(), key=lambda each: key(each[1]), reverse=True)
