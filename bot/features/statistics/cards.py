"""A server's figures as a card."""

from bot.features.statistics import texts as words
from bot.features.statistics.rows import ClubFigures
from bot.features.statistics.service import LEAST_MATCHES, WEEKS, ClubReport
from bot.platform.i18n.common import format_title
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import BARS_FILE, Card, Picture, text_only_card
from engine.games import GAMES
from render.bars import BarRow, Bars, describe_bars

MOST_GAMES = 8
"""Games in the picture."""


def statistics_card(say: Reader, report: ClubReport, link: str | None) -> Card:
    """Return what has been played in a server; `link` leads to its longest match."""
    figures = report.figures
    heading = words.format_statistics_heading(say)
    if figures.total < LEAST_MATCHES:
        return text_only_card(heading, words.explain_missing_figures(say, figures))
    drawn = _build_bars(say, figures)
    lines = (
        words.format_streaks(say, figures),
        words.format_longest_match(say, report.longest, figures.longest, link),
        words.format_totals(say, figures),
    )
    return Card(
        texts=(heading,),
        picture=Picture(drawn, describe_bars(drawn), BARS_FILE),
        below=("\n".join(filter(None, lines)),),
        small=words.explain_figures(say, report.zone),
    )


def _build_bars(say: Reader, figures: ClubFigures) -> Bars:
    games = figures.games[:MOST_GAMES]
    return Bars(
        title=say("Matches finished a week"),
        note=words.format_active_players(say, figures),
        columns=figures.weeks,
        first=say("{n} weeks ago", n=WEEKS - 1),
        last=say("this week"),
        heading=say("Most played games, all time"),
        rows=tuple(BarRow(format_title(say, GAMES[slug]), count) for slug, count in games),
    )
