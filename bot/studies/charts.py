"""The page's pictures."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from bot.studies.kept import all_studies, study_of
from engine.games import GAMES
from engine.players.studied import USUAL, Kept, Meeting, Share, Study
from render.chart import Chart, Mark, Row, Scale, draw_chart
from render.scene import View

Value = TypeVar("Value")

PICTURES = ("studies-length.png", "studies-first.png", "studies-skill.png")


def pictures() -> dict[str, bytes]:
    """Draw the page's pictures, by their names."""
    kept = all_studies()
    usual = {slug: study_of(studies, USUAL) for slug, studies in kept.items()}
    charts = (_lengths(usual), _first(usual), _better(kept))
    return {name: draw_chart(chart, View()) for name, chart in zip(PICTURES, charts, strict=True)}


def _lengths(usual: Mapping[str, Study]) -> Chart:
    ranges = {
        slug: [study.length(share).value for share in (0.05, 0.5, 0.95)]
        for slug, study in usual.items()
    }
    rows = tuple(
        Row(GAMES[slug].title, (Mark(low, middle, high),), str(middle))
        for slug, (low, middle, high) in _sorted(ranges, lambda each: each[1])
    )
    return Chart(
        "How long the games last",
        "Throws of both sides: the median, and the middle nine games in ten",
        rows,
        (5, 10, 20, 50, 100, 200, 500),
        scale=Scale.LOGARITHMIC,
    )


def _first(usual: Mapping[str, Study]) -> Chart:
    rows = tuple(
        Row(GAMES[slug].title, (_in_percent(share),), f"{100 * share.value:.1f}")
        for slug, share in _sorted(
            {slug: study.began for slug, study in usual.items()}, lambda share: share.value
        )
    )
    return Chart(
        "Whether it helps to begin",
        "Won by the side that begins, of 100 games that somebody wins; 95 % interval",
        rows,
        (40, 50, 60, 70, 80, 90),
        level=50,
    )


def _better(kept: Mapping[str, Mapping[str, Kept]]) -> Chart:
    met = {
        slug: [studies.get(name) for name in ("net:greedy", "greedy:random")]
        for slug, studies in kept.items()
    }
    shares = {
        slug: [each.share if isinstance(each, Meeting) else None for each in both]
        for slug, both in met.items()
    }
    rows = tuple(
        Row(GAMES[slug].title, tuple(share and _in_percent(share) for share in both), _best(both))
        for slug, both in _sorted(shares, lambda both: both[0].value if both[0] else 0)
    )
    return Chart(
        "How much is skill",
        "Won by the first named, of 100 games that somebody wins; 95 % interval",
        rows,
        (40, 50, 60, 70, 80, 90, 100),
        ("net against greedy", "greedy against random plays"),
        level=50,
    )


def _best(shares: Iterable[Share | None]) -> str:
    first = next(iter(shares))
    return f"{100 * first.value:.1f}" if first else "-"


def _in_percent(share: Share) -> Mark:
    low, high = share.interval
    return Mark(100 * low, 100 * share.value, 100 * high)


def _sorted(values: Mapping[str, Value], key: Callable[[Value], float]) -> list[tuple[str, Value]]:
    """Sort the games by what is known of them, the highest first."""
    return sorted(values.items(), key=lambda each: key(each[1]), reverse=True)
