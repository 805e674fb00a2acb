"""A small discord.py bot that uses each kind of answer once.

Run as a program, it is a process that can be killed.
"""

import asyncio
import io
import os
import re
from typing import Any, Self

import discord
import yarl
from discord import app_commands

PICTURE_BYTES = int(os.environ.get("PICTURE_BYTES", "72"))
PNG = b"\x89PNG\r\n\x1a\n".ljust(PICTURE_BYTES, b"\0")
PLAYS = ["a-f", "a-g", "b-h"]
Interaction = discord.Interaction[discord.Client]


def point_at(api: str) -> None:
    """Turn discord.py to the server at `api`, REST, gateway and CDN."""
    discord.http.Route.BASE = api + "/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(
        api.replace("http", "ws", 1) + "/gateway/"
    )
    discord.asset.Asset.BASE = api + "/cdn"


def make_picture() -> discord.File:
    """Return a board's picture with its alternative text."""
    return discord.File(io.BytesIO(PNG), "board.png", description="men on a and f")


def make_board_embed() -> discord.Embed:
    """Return an embed that shows the picture."""
    return discord.Embed(title="Zeno", description="gold to play").set_image(
        url="attachment://board.png"
    )


class AdvanceButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"advance:(?P<step>\d+)"
):
    """A button without memory: what it needs is in its id, so it works after a restart."""

    def __init__(self, step: int) -> None:
        super().__init__(discord.ui.Button(label=f"Advance {step}", custom_id=f"advance:{step}"))
        self.step = step

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Rebuild the button from its id."""
        return cls(int(match["step"]))

    async def callback(self, interaction: Interaction) -> None:
        """Edit the message: the next step, the picture again."""
        await interaction.response.edit_message(
            content=f"step {self.step}",
            embed=make_board_embed(),
            attachments=[make_picture()],
            view=make_view(self.step + 1),
        )


class TurnButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.LayoutView]],
    template=r"turn:(?P<number>\d+)",
):
    """A turn at the table.

    It acknowledges at once, posts the next turn's message, then removes the old one's button.
    """

    def __init__(self, number: int) -> None:
        super().__init__(discord.ui.Button(label=f"Turn {number}", custom_id=f"turn:{number}"))
        self.number = number

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Rebuild the button from its id."""
        return cls(int(match["number"]))

    async def callback(self, interaction: Interaction) -> None:
        """Acknowledge, post, close."""
        assert interaction.message is not None
        await interaction.response.defer()
        channel = interaction.client.get_partial_messageable(interaction.message.channel.id)
        await post_turn(channel, self.number + 1, interaction.user)
        await channel.get_partial_message(interaction.message.id).edit(
            view=make_layout(f"turn {self.number} is over")
        )


async def post_turn(
    channel: discord.PartialMessageable, number: int, caller: discord.abc.User
) -> discord.Message:
    """Post a turn once, however often it is asked for, and notify the caller alone."""
    words = f"{caller.mention} has turn {number}"
    once, notified = f"turn {number}", discord.AllowedMentions(users=[caller])
    return await channel.send(
        view=make_layout(words, number), file=make_picture(), nonce=once, allowed_mentions=notified
    )


def make_layout(words: str, turn: int | None = None) -> discord.ui.LayoutView:
    """Return words, the picture and its alternative text, with the button of a turn."""
    gallery = discord.ui.MediaGallery[discord.ui.LayoutView](
        discord.MediaGalleryItem("attachment://board.png", description="men on a and f")
    )
    container = discord.ui.Container[discord.ui.LayoutView](discord.ui.TextDisplay(words), gallery)
    if turn is not None:
        container.add_item(discord.ui.Separator())
        container.add_item(discord.ui.ActionRow(TurnButton(turn)))
    return discord.ui.LayoutView(timeout=None).add_item(container)


class ThemeMenu(discord.ui.Select[discord.ui.View]):
    """A menu answered by deferring and then editing the message."""

    def __init__(self) -> None:
        options = [
            discord.SelectOption(label=name.title(), value=name) for name in ("oak", "slate")
        ]
        super().__init__(custom_id="theme", options=options)

    async def callback(self, interaction: Interaction) -> None:
        """Defer silently, then edit."""
        await interaction.response.defer()
        await interaction.edit_original_response(content=f"theme {self.values[0]}", view=None)


class NoteForm(discord.ui.Modal, title="A note"):
    """A modal with one text."""

    note: discord.ui.TextInput[Self] = discord.ui.TextInput(
        label="Note", custom_id="note", max_length=200
    )

    async def on_submit(self, interaction: Interaction, /) -> None:
        """Answer with what was written, seen by the writer alone."""
        await interaction.response.send_message(f"noted: {self.note.value}", ephemeral=True)


def make_view(step: int) -> discord.ui.View:
    """Return a view with the one button."""
    return discord.ui.View(timeout=None).add_item(AdvanceButton(step))


@app_commands.command(description="Throw the dice.")
async def roll(interaction: Interaction, pips: app_commands.Range[int, 1, 6] = 6) -> None:
    """Defer, then answer with a picture and a button."""
    await interaction.response.defer(thinking=True)
    await interaction.followup.send(
        f"threw {pips}", embed=make_board_embed(), file=make_picture(), view=make_view(1)
    )


@app_commands.command(description="Move men.")
async def move(interaction: Interaction, play: str) -> None:
    """Answer at once, then privately."""
    await interaction.response.send_message(f"played {play}", file=make_picture())
    await interaction.followup.send("and again", ephemeral=True)


@move.autocomplete("play")
async def plays(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer what begins as typed."""
    return [
        app_commands.Choice(name=f"{play}!", value=play) for play in PLAYS if play.startswith(typed)
    ]


@app_commands.command(description="Invite someone.")
async def challenge(interaction: Interaction, opponent: discord.Member) -> None:
    """Mention the opponent alone, open a thread, write there and to the opponent."""
    asked = discord.AllowedMentions(users=[opponent])
    await interaction.response.send_message(
        f"{opponent.mention}: {interaction.user.mention}", allowed_mentions=asked
    )
    thread = await (await interaction.original_response()).create_thread(name="the match")
    await thread.send("in the thread", view=discord.ui.View(timeout=None).add_item(ThemeMenu()))
    await opponent.send("you were challenged")


@app_commands.command(description="Post in the channel.")
async def post(interaction: Interaction, words: str) -> None:
    """Post in the channel itself; say so when that is forbidden."""
    assert isinstance(interaction.channel, discord.abc.Messageable)
    try:
        sent = await interaction.channel.send(words, file=make_picture())
    except discord.HTTPException as refused:
        await interaction.response.send_message(
            f"refused: {refused.status} {refused.code}", ephemeral=True
        )
        return
    await sent.edit(content=words.upper(), attachments=[make_picture()])
    await interaction.response.send_message("posted", ephemeral=True)


@app_commands.command(description="Write a note.")
async def note(interaction: Interaction) -> None:
    """Show the form."""
    await interaction.response.send_modal(NoteForm())


class TableCommands(app_commands.Group, name="table", description="Look at a table."):
    """A group of commands."""

    @app_commands.command(description="Show the board laid out by components.")
    async def show(self, interaction: Interaction) -> None:
        """Answer with words, the picture and its alternative text."""
        await interaction.response.send_message(
            view=make_layout("gold to play"), file=make_picture()
        )

    @app_commands.command(description="Sit down at the table.")
    async def sit(self, interaction: Interaction) -> None:
        """Acknowledge in an ephemeral message, post the first turn, delete the acknowledgement."""
        assert interaction.channel_id is not None
        await interaction.response.defer(ephemeral=True, thinking=True)
        await post_turn(
            interaction.client.get_partial_messageable(interaction.channel_id), 1, interaction.user
        )
        await interaction.delete_original_response()


class SampleBot(discord.Client):
    """The bot; with `guild_only` its commands are registered in that guild alone."""

    def __init__(self, guild_only: int | None = None) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=0.05,
        )
        self.tree = app_commands.CommandTree(self)
        self.guild_only = discord.Object(guild_only) if guild_only else None

    async def setup_hook(self) -> None:
        """Register commands and buttons."""
        commands: list[app_commands.Command[Any, ..., Any] | TableCommands] = [
            roll,
            move,
            challenge,
            post,
            note,
            TableCommands(),
        ]
        for command in commands:
            self.tree.add_command(command, guild=self.guild_only)
        self.add_dynamic_items(AdvanceButton, TurnButton)
        self.tree.on_error = self.ignore_error  # type: ignore[method-assign]
        await self.tree.sync(guild=self.guild_only)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identify again at once: the real Discord's 5 s would only slow the tests down."""

    async def ignore_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        """Keep a failed command out of the log; tests look at what the server recorded."""


if __name__ == "__main__":
    point_at(os.environ["TABULA_DISCORD_API"])
    asyncio.run(SampleBot().start(os.environ["TABULA_TOKEN"]))
