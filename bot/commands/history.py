"""What has been: /replay and /profile."""

import asyncio

import discord
from discord import app_commands

from bot import words
from bot.app import profile as profiles
from bot.app.play import load
from bot.app.ratings import ALL_GAMES, EVERYWHERE, server
from bot.app.replay import moments
from bot.app.scene import scene
from bot.app.table import Table, require_known
from bot.commands.challenge import games_like
from bot.commands.flow import Asked, Commands
from bot.commands.pages import SCOPES
from bot.views.errors import require_permissions
from bot.views.pages import profile_post
from bot.views.post import Attached, Post, look_of, send
from engine.events import Event, from_record
from engine.games import find_game
from engine.match import Phase
from render.describe import cut, describe
from render.replay import film
from render.scene import View

MOST_BYTES = 8_000_000


@app_commands.command()
@app_commands.guild_only()
@app_commands.describe(
    match="The number of the match, running or over",
    share="Show it to everyone",
)
async def replay(interaction: Asked, match: int, share: bool = False) -> None:
    """See a match again as a moving picture."""
    require_permissions(interaction)
    house = interaction.client.house
    table = await load(house, match)
    require_known(table, interaction.guild_id or 0, interaction.user.id)
    events = await house.store.matches.events(match)
    # A long match takes longer to draw than Discord waits for an answer.
    await interaction.response.defer(ephemeral=not share, thinking=True)
    look = await look_of(interaction, table.seats, private=not share)
    board = table.match.rules.board
    happened = [from_record(event.record, board) for event in events]
    async with house.films:
        drawn = await asyncio.to_thread(_film, table, happened, look)
    said = cut(f"The replay of match {match}. {describe(scene(table, words.status(table)))}")
    post = Post(f"{words.heading(table)}\n{_standing(table)}", file=Attached(f"match-{match}.gif", drawn, said))
    await send(interaction, post, private=not share)


def _film(table: Table, events: list[Event], look: View) -> bytes:
    return film(list(moments(table, events, words.status(table))), look, MOST_BYTES)


def _standing(table: Table) -> str:
    return words.result(table) if table.match.phase is Phase.OVER else "This match goes on; this is how it stands."


@app_commands.command()
@app_commands.guild_only()
@app_commands.describe(
    player="Whose; yours unless you say otherwise",
    game="One game for the curve; leave it out for all games together",
    scope="This server, or everywhere",
)
@app_commands.choices(scope=SCOPES)
async def profile(
    interaction: Asked, player: discord.User | None = None, game: str | None = None, scope: str = "server"
) -> None:
    """See somebody's record by game and their rating over time."""
    require_permissions(interaction)
    who = player or interaction.user
    board = server(interaction.guild_id or 0) if scope == "server" else EVERYWHERE
    pool = find_game(game).slug if game else ALL_GAMES
    found = await profiles.profile(interaction.client.house, board, pool, who.id)
    await send(interaction, profile_post(found, who.display_name))


profile.autocomplete("game")(games_like)

COMMANDS: Commands = (replay, profile)
