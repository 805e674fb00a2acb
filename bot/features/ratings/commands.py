"""What one asks of ratings: /leaderboard, and /me profile with why a rating changed."""

from dataclasses import replace

import discord
from discord import app_commands

from bot.features.matches.interactions import LEVEL_CHOICES, offer_games
from bot.features.matches.places import find_match_link
from bot.features.ratings import cards, leaderboards, service
from bot.features.ratings import leaderboards as standings
from bot.features.ratings.texts import format_season
from bot.platform.people import DiscordPerson
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import Interaction, build_person
from bot.platform.ui.card import Card
from bot.platform.ui.channels import require_permissions
from bot.platform.ui.controls import get_selection, require_known_person
from bot.platform.ui.declarations import command, me_group, press
from engine.folding import fold_text
from engine.games import find_game
from engine.players.level import Level

SCOPE_CHOICES = [
    app_commands.Choice(name="this server", value="server"),
    app_commands.Choice(name="everywhere", value=service.EVERYWHERE),
]
"""Whose matches count: a choice of /leaderboard and /profile."""
SCOPE_DESCRIPTION = "This server, or all servers for those who chose to be shown there"
"""What the choice says. What is of all servers is shown to the one who asks alone."""


@command(private=False)
@app_commands.describe(
    game="One game (default: all games together)",
    scope=SCOPE_DESCRIPTION,
    against="Against the computer at this level (default: between people)",
    season="A season, such as now or 2026-Q4 (default: all time)",
)
@app_commands.choices(scope=SCOPE_CHOICES, against=LEVEL_CHOICES)
async def leaderboard(
    answer: InteractionAnswer,
    game: str | None = None,
    scope: str = "server",
    against: str | None = None,
    season: str = "",
) -> None:
    """Show the leaderboard."""
    answer = _answer_in_scope(answer, scope)
    card = await _build_leaderboard(answer, scope, _find_pool(game, against), 0, season)
    await answer.send_page(cards.RANKS, card)


leaderboard.autocomplete("game")(offer_games)


def _answer_in_scope(answer: InteractionAnswer, scope: str) -> InteractionAnswer:
    """Return the answer as it is given: to everyone here, or alone with what is of all servers.

    Nothing of it stays in a channel, so that people can stop being shown.
    """
    if _find_scope(answer.guild, scope) == service.EVERYWHERE:
        return replace(answer, private=True)
    require_permissions(answer.interaction)
    return answer


async def _build_leaderboard(
    answer: InteractionAnswer, scope: str, pool: str, number: int, typed: str
) -> Card:
    """Return one page of a leaderboard as the one who asks sees it."""
    app, now = answer.app, answer.app.clock()
    season = leaderboards.require_season(typed, now)
    where = service.build_season_scope(_find_scope(answer.guild, scope), season)
    page = await leaderboards.load_page(app, where, pool, answer.person.id, number)
    names = await app.load_names([line.person for line in page.lines])
    is_over = season is not None and season < service.find_season(now)
    return cards.leaderboard_card(
        answer.reader, page, names, cards.Ranking(scope, pool, season, is_over)
    )


@leaderboard.autocomplete("season")
async def _offer_seasons(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer this season and those before it in which somebody here was rated."""
    client = interaction.client
    say, here = client.get_asker_reader(interaction), service.find_season(client.app.clock())
    scope = _find_scope(interaction.guild_id or 0, interaction.namespace.scope or "server")
    seasons = await leaderboards.load_seasons(client.app, scope)
    label = say("now ({season})", season=format_season(say, here))
    choices = [
        app_commands.Choice(name=label, value=standings.NOW),
        *(app_commands.Choice(name=format_season(say, each), value=str(each)) for each in seasons),
    ]
    return [choice for choice in choices if fold_text(typed) in fold_text(choice.name)]


def _find_pool(game: str | None, against: str | None) -> str:
    """Return the pool of a game by its name, or of all games.

    It is the one among people, or the one against the computer at a level.
    """
    return service.build_pool_name(
        find_game(game).slug if game else service.ALL_GAMES, Level(against) if against else None
    )


def _find_scope(guild: int, scope: str) -> str:
    return service.build_server_scope(guild) if scope == "server" else service.EVERYWHERE


@press(cards.RANKS, private=False, edits_public=True)
async def turn_leaderboard_page(
    answer: InteractionAnswer, scope: str, pool: str, number: int, season: str = ""
) -> None:
    """Show another page of a leaderboard in place of this one."""
    # The pool comes from a button's id, and its game may be gone since.
    if _find_scope(answer.guild, scope) == service.EVERYWHERE:
        answer = replace(answer, private=True)
    card = await _build_leaderboard(answer, scope, service.require_pool(pool), number, season)
    if answer.private and not answer.is_private_message:
        # A message from the time when everyone saw them.
        await answer.send_page(cards.RANKS, card)
    else:
        await answer.turn_page(cards.RANKS, card)


@command(group=me_group, order=60, private=False)
@app_commands.describe(
    player="The player (default: you)",
    game="The game for the rating graph (default: all games together)",
    scope=SCOPE_DESCRIPTION,
    against="For the rating graph: against the computer at this level",
)
@app_commands.choices(scope=SCOPE_CHOICES, against=LEVEL_CHOICES)
async def profile(
    answer: InteractionAnswer,
    player: discord.User | None = None,
    game: str | None = None,
    scope: str = "server",
    against: str | None = None,
) -> None:
    """Show a player's results by game and rating over time."""
    answer = _answer_in_scope(answer, scope)
    # Somebody who has left the server keeps their results, so no membership is required.
    who = build_person(player) if player else answer.person
    await answer.send(await _build_profile(answer, scope, _find_pool(game, against), who))


async def _build_profile(
    answer: InteractionAnswer, scope: str, pool: str, who: DiscordPerson
) -> Card:
    """Return somebody's results in a scope, with the curve of their rating in a pool."""
    where = _find_scope(answer.guild, scope)
    if where == service.EVERYWHERE:
        await standings.require_shown_everywhere(answer.app, answer.person.id, who)
    found = await standings.load_profile(answer.app, where, pool, who.id)
    # What features say belongs to the server in which it is asked.
    sections = (
        ()
        if where == service.EVERYWHERE
        else await standings.load_profile_sections(answer.app, answer.reader, answer.guild, who.id)
    )
    return cards.profile_card(answer.reader, found, who, sections)


@press(cards.CURVE, private=False, edits_public=True)
async def show_curve(answer: InteractionAnswer, scope: str, person: int) -> None:
    """Show the rating over time in the pool that was picked, on the same profile."""
    pool = service.require_pool(get_selection(answer.interaction))
    who = await require_known_person(answer.app, person)
    if _find_scope(answer.guild, scope) == service.EVERYWHERE:
        answer = replace(answer, private=True)
    await answer.edit_message(await _build_profile(answer, scope, pool, who))


@press(cards.LAST_CHANGE)
async def explain_change(answer: InteractionAnswer, pool: str, person: int) -> None:
    """Say why somebody's rating changed in their last rated match of a pool's games."""
    asker = answer.person.id
    pool = service.require_pool(pool)
    found = await standings.explain_last_change(answer.app, answer.guild, pool, person, asker)
    link = await find_match_link(answer.client, found.row)
    await answer.send(cards.explanation_card(answer.reader, found, asker, link))


profile.autocomplete("game")(offer_games)
