"""Finished matches: /history, its pages and files, and /league export."""

import discord
from discord import app_commands

from bot.features.challenges.commands import LONGEST_NAME
from bot.features.challenges.game_choice import offer_games
from bot.features.contests.commands import LEAGUE_DESCRIPTION
from bot.features.contests.commands import league as league_group
from bot.features.contests.naming import (
    offer_contests,
    offer_leagues,
    offer_tournaments,
)
from bot.features.contests.rows import TOURNAMENTS, ContestFormat
from bot.features.contests.service import LONGEST_CONTEST_NAME, find_contest
from bot.features.contests.tournament_commands import TOURNAMENT_DESCRIPTION
from bot.features.contests.tournament_commands import tournament as tournament_group
from bot.features.history import service
from bot.features.history.cards import contest_export_card, export_card, history_card
from bot.features.history.controls import EXPORT, HISTORY, LADDER
from bot.features.history.export import ExportFormat
from bot.features.history.service import HistoryView
from bot.features.ladders.commands import offer_ladders
from bot.features.ladders.service import LONGEST_LADDER_NAME, find_ladder, load_ladder
from bot.features.matches.reach import find_match_links
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import Card
from bot.platform.ui.declarations import command, press
from bot.platform.ui.ids import parse_number
from engine.games import GAMES, find_game


@command(everywhere=True)
@app_commands.describe(
    player="The player (default: you, or everyone in the league or on the ladder)",
    game="One game only (default: all games)",
    league="One of this server's leagues or tournaments only",
    ladder="One of this server's ladders only",
)
async def history(
    answer: InteractionAnswer,
    player: discord.User | None = None,
    game: app_commands.Range[str, 0, LONGEST_NAME] = "",
    league: app_commands.Range[str, 0, LONGEST_CONTEST_NAME] = "",
    ladder: app_commands.Range[str, 0, LONGEST_LADDER_NAME] = "",
) -> None:
    """Look through finished matches, and save them as a file."""
    if league and ladder:
        raise DeclinedError(DeclineReason.LEAGUE_AND_LADDER)
    in_league = on_ladder = None
    if league:
        formats = frozenset(ContestFormat)
        in_league = (await find_contest(answer.app, answer.guild, league, formats=formats)).contest
    if ladder:
        on_ladder = (await find_ladder(answer.app, answer.guild, ladder)).ladder
    # Of a league or a ladder one wants to see how everyone did.
    default = None if in_league or on_ladder else answer.person.id
    view = HistoryView(
        reader=answer.person.id,
        guild=answer.guild,
        person=player.id if player else default,
        game=find_game(game).slug if game else "",
        league=in_league,
        ladder=on_ladder,
    )
    await answer.send_page(HISTORY, await _prepare_history_card(answer, view, 0))


history.autocomplete("game")(offer_games)


history.autocomplete("league")(offer_contests)


history.autocomplete("ladder")(offer_ladders)


@press(HISTORY, everywhere=True)
async def turn_history_page(
    answer: InteractionAnswer, person: int, game: str, competition: str, number: int
) -> None:
    """Show another page of finished matches in place of this one."""
    view = await _parse_view(answer, person, game, competition)
    await answer.turn_page(HISTORY, await _prepare_history_card(answer, view, number))


@press(EXPORT, everywhere=True)
async def export_history(
    answer: InteractionAnswer, person: int, game: str, competition: str, kind: ExportFormat
) -> None:
    """Give the finished matches that a message lists, on all pages, in a file."""
    view = await _parse_view(answer, person, game, competition)
    saved = await service.export_matches(answer.app, view, kind)
    await answer.send(export_card(answer.reader, saved))


EXPORT_CHOICES = [app_commands.Choice(name=each.upper(), value=each.value) for each in ExportFormat]


@command(group=league_group)
@app_commands.rename(kind="format")
@app_commands.describe(league=LEAGUE_DESCRIPTION, kind="For a spreadsheet (CSV) or for programs")
@app_commands.choices(kind=EXPORT_CHOICES)
async def export(
    answer: InteractionAnswer,
    league: app_commands.Range[str, 0, LONGEST_CONTEST_NAME] = "",
    kind: str = ExportFormat.CSV,
) -> None:
    """Save a league's standings and results as a file."""
    view = await find_contest(answer.app, answer.guild, league, answer.person.id)
    saved = await service.export_contest(answer.app, view, ExportFormat(kind))
    await answer.send(contest_export_card(answer.reader, saved))


export.autocomplete("league")(offer_leagues)


@command(group=tournament_group, name="export")
@app_commands.rename(kind="format")
@app_commands.describe(
    tournament=TOURNAMENT_DESCRIPTION, kind="For a spreadsheet (CSV) or for programs"
)
@app_commands.choices(kind=EXPORT_CHOICES)
async def export_tournament(
    answer: InteractionAnswer,
    tournament: app_commands.Range[str, 0, LONGEST_CONTEST_NAME] = "",
    kind: str = ExportFormat.CSV,
) -> None:
    """Save a tournament's standings and results as a file."""
    view = await find_contest(answer.app, answer.guild, tournament, answer.person.id, TOURNAMENTS)
    saved = await service.export_contest(answer.app, view, ExportFormat(kind))
    await answer.send(contest_export_card(answer.reader, saved))


export_tournament.autocomplete("tournament")(offer_tournaments)


async def _parse_view(
    answer: InteractionAnswer, person: int, game: str, competition: str
) -> HistoryView:
    """Return what a button's id says is looked for; the reader is whoever presses it."""
    number = parse_number(competition.removeprefix(LADDER))
    league = ladder = None
    if competition.startswith(LADDER):
        ladder = (await load_ladder(answer.app, number, answer.guild)).ladder
    else:
        league = await service.find_league(answer.app, answer.guild, number)
    view = HistoryView(
        reader=answer.person.id,
        guild=answer.guild,
        person=person or None,
        game=game,
        league=league,
        ladder=ladder,
    )
    # The game may be gone since, and somebody has to be named but for a league or ladder.
    if (game and game not in GAMES) or (not person and not view.is_of_competition):
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    return view


async def _prepare_history_card(answer: InteractionAnswer, view: HistoryView, number: int) -> Card:
    page = await service.load_page(answer.app, view, number)
    links = await find_match_links(answer.client, [each.row for each in page.matches])
    return history_card(answer.reader, view, page, links)
