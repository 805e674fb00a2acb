"""What one reads: /games, /rules, /leaderboard, /help."""

from discord import app_commands

from bot.app import standings
from bot.app.play import load
from bot.app.ratings import ALL_GAMES, EVERYWHERE, server
from bot.commands.challenge import games_like, games_named
from bot.commands.flow import Asked, Commands, private
from bot.views.errors import require_permissions
from bot.views.pages import games_post, help_post, standings_post
from bot.views.post import Post, send
from bot.views.rules import rules_page
from engine.games import GAMES, find_game
from engine.games.unplayed import UNPLAYED

SCOPES = [
    app_commands.Choice(name="this server", value="server"),
    app_commands.Choice(name="everywhere", value=EVERYWHERE),
]
"""Whose matches count: a choice of /leaderboard and /profile."""


@app_commands.command()
async def games(interaction: Asked) -> None:
    """List your running matches, whose turn it is, and where they are."""
    house = interaction.client.house
    rows = await house.store.matches.running_of(interaction.user.id)
    await private(interaction, games_post([await load(house, row.id) for row in rows], interaction.user.id))


@app_commands.command()
@app_commands.describe(game="The game; leave it out to browse them all")
async def rules(interaction: Asked, game: str | None = None) -> None:
    """Read how a game is played, what is special about it and where it comes from."""
    await private(interaction, rules_page(game or next(iter(GAMES))))


@app_commands.command()
@app_commands.guild_only()
@app_commands.describe(game="One game; leave it out for all games together", scope="This server, or everywhere")
@app_commands.choices(scope=SCOPES)
async def leaderboard(interaction: Asked, game: str | None = None, scope: str = "server") -> None:
    """See who leads."""
    require_permissions(interaction)
    pool = find_game(game).slug if game else ALL_GAMES
    await send(interaction, await standings_page(interaction, scope, pool, 0))


async def standings_page(interaction: Asked, scope: str, pool: str, number: int) -> Post:
    """Return one page of a leaderboard as the one who asks sees it."""
    board = server(interaction.guild_id or 0) if scope == "server" else EVERYWHERE
    page = await standings.page(interaction.client.house, board, pool, interaction.user.id, number)
    listed = [line.person for line in (*page.lines, *filter(None, (page.mine,)))]
    return standings_post(page, await interaction.client.house.store.people.names(listed), scope, pool)


@app_commands.command()
async def help(interaction: Asked) -> None:  # noqa: A001 - the command's name
    """Read how to start, in a minute."""
    await private(interaction, help_post())


@rules.autocomplete("game")
async def _pages_like(_: Asked, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the games whose name holds what was typed, and those that cannot be played but have a page."""
    wanted = typed.casefold()
    pages = [
        app_commands.Choice(name=f"{page.title} (not playable)", value=page.slug)
        for page in UNPLAYED
        if wanted and any(wanted in name.casefold() for name in (page.slug, page.title, *page.aliases))
    ]
    return [*games_named(typed), *pages][:25]


leaderboard.autocomplete("game")(games_like)

COMMANDS: Commands = (games, rules, leaderboard, help)
