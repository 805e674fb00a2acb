"""What the managers of a server see of it: /server stats, and its card."""

from dataclasses import replace

from discord import app_commands

from bot.features.matches.loading import is_match_open, is_match_visible
from bot.features.matches.places import find_match_link
from bot.features.matches.rows import MatchRow
from bot.features.statistics import service as statistics
from bot.features.statistics import texts as words
from bot.features.statistics.rows import ClubFigures
from bot.features.statistics.service import MIN_MATCHES, WEEKS, ClubReport
from bot.platform.i18n.common import format_title, translate_joints
from bot.platform.i18n.reader import Reader
from bot.platform.ui.access import require_manager
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import BARS_FILE, Card, Picture, text_only_card
from bot.platform.ui.declarations import command, server_group
from engine.games import GAMES
from render.bars import BarRow, Bars, describe_bars

MAX_GAMES = 8
"""Games in the picture."""


def statistics_card(say: Reader, report: ClubReport, link: str | None) -> Card:
    """Return what has been played in a server; `link` leads to its longest match."""
    figures = report.figures
    heading = words.format_statistics_heading(say)
    if figures.total < MIN_MATCHES:
        return text_only_card(heading, words.explain_missing_figures(say, figures))
    drawn = _build_bars(say, figures)
    lines = (
        words.format_streaks(say, figures),
        words.format_longest_match(say, report.longest, figures.longest, link),
        words.format_totals(say, figures),
    )
    return Card(
        texts=(heading,),
        picture=Picture(drawn, describe_bars(drawn, translate_joints(say)), BARS_FILE),
        below=("\n".join(filter(None, lines)),),
        small=words.explain_figures(say, report.zone),
    )


def _build_bars(say: Reader, figures: ClubFigures) -> Bars:
    games = figures.games[:MAX_GAMES]
    return Bars(
        title=say("Matches finished a week"),
        note=words.format_active_players(say, figures),
        columns=figures.weeks,
        first=say("{n} weeks ago", n=WEEKS - 1),
        last=say("this week"),
        heading=say("Most played games, all time"),
        rows=tuple(BarRow(format_title(say, GAMES[slug]), count) for slug, count in games),
    )


@command(group=server_group, order=40, public_option="share")
@app_commands.describe(share="Show it to everyone in this channel (default: only you)")
async def stats(answer: InteractionAnswer, share: bool = False) -> None:
    """See how much is played here, by whom, and which games."""
    require_manager(answer.interaction)
    report = await statistics.load_report(answer.app, answer.guild)
    if report.longest and not await _is_shown(answer, report.longest):
        report = replace(report, longest=None)
    link = await find_match_link(answer.client, report.longest) if report.longest else None
    await answer.send(statistics_card(answer.reader, report, link))


async def _is_shown(answer: InteractionAnswer, row: MatchRow) -> bool:
    """Whether a match may be named to those who read an answer."""
    if not answer.private:
        return await is_match_open(answer.app, row, answer.channel)
    seats = (*row.seats, *row.seats_at(0))
    is_theirs = answer.person.id in {seat.person for seat in seats}
    return is_theirs or await is_match_visible(answer.app, row, answer.guild, answer.person.id)
