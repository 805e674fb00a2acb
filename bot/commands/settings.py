"""How boards look: /settings for one's own views, /server for everyone's."""

from discord import Permissions, app_commands

from bot.app import looks
from bot.commands.flow import Asked, Commands, private
from bot.store import Look
from bot.views.post import Post
from engine.position import Side
from render.sample import midgame
from render.theme import themes

THEMES = [
    app_commands.Choice(name="the one that suits each board", value=looks.NATURAL),
    *(app_commands.Choice(name=theme.title, value=theme.name) for theme in themes().values()),
]
SEATS = [
    app_commands.Choice(name="gold", value="gold"),
    app_commands.Choice(name="black", value="black"),
    app_commands.Choice(name="my own side", value=looks.MINE),
]


@app_commands.command()
@app_commands.describe(
    theme="What your boards look like",
    near="Which side sits below, near you",
    numbers="Whether points show how far they are from the end, for the side to move",
)
@app_commands.choices(theme=THEMES, near=SEATS)
async def settings(
    interaction: Asked, theme: str | None = None, near: str | None = None, numbers: bool | None = None
) -> None:
    """Choose how the boards that you alone see are drawn; without a choice, see how they are."""
    house, person = interaction.client.house, interaction.user.id
    look = await looks.choose(house, looks.PERSON, person, theme, near, numbers)
    text = f"Boards that you alone see, such as `/board`'s: {_said(look)}"
    await private(interaction, Post(text, midgame(), seats={person: Side.BLACK}))


@app_commands.command()
@app_commands.guild_only()
@app_commands.default_permissions(Permissions(manage_guild=True))
@app_commands.describe(
    theme="What this server's boards look like",
    near="Which side sits below",
    numbers="Whether points show how far they are from the end, for the side to move",
)
@app_commands.choices(theme=THEMES, near=SEATS[:2])
async def server(
    interaction: Asked, theme: str | None = None, near: str | None = None, numbers: bool | None = None
) -> None:
    """Choose how this server's public boards are drawn; without a choice, see how they are."""
    look = await looks.choose(interaction.client.house, looks.SERVER, interaction.guild_id or 0, theme, near, numbers)
    await private(interaction, Post(f"This server's public boards: {_said(look)}"))


def _said(look: Look) -> str:
    theme = themes().get(look.theme or "")
    drawn = f"**{theme.title}**. {theme.note}" if theme else "the theme that suits each board."
    near = "your own side" if look.seat == looks.MINE else look.seat
    numbers = " Points carry their numbers." if look.numbered else ""
    return f"{drawn} Below sits {near}.{numbers}"


COMMANDS: Commands = (settings, server)
