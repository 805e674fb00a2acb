"""A message as we make it, and the ways of sending it."""

import asyncio
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import discord

from bot.app import looks
from engine.position import Side
from render.board import draw
from render.curve import Curve, describe_curve, draw_curve
from render.describe import describe
from render.scene import Scene, View


class Attached(NamedTuple):
    """A file that goes with a message, and what is said of it to those who cannot see it."""

    name: str
    content: bytes
    said: str | None = None


@dataclass(frozen=True, slots=True)
class Post:
    """One message: its text, its board or curve, its buttons and menus, and whom it calls.

    Nobody but `ping` is notified, whoever is named in the text. `seats` says on which side of the picture's match
    somebody plays.
    """

    text: str = ""
    scene: Scene | None = None
    items: Sequence[discord.ui.Item[Any]] = ()
    ping: int | None = None
    embed: discord.Embed | None = None
    curve: Curve | None = None
    file: Attached | None = None
    seats: Mapping[int, Side] = field(default_factory=dict)

    async def files(self, look: View) -> list[discord.File]:
        """Draw the pictures, off the event loop, as they are looked at, and pack what goes with the message."""
        packed = []
        if self.scene:
            picture = await asyncio.to_thread(draw, self.scene, look)
            packed.append(discord.File(io.BytesIO(picture), "board.png", description=describe(self.scene)))
        if self.curve:
            picture = await asyncio.to_thread(draw_curve, self.curve, look)
            packed.append(discord.File(io.BytesIO(picture), "curve.png", description=describe_curve(self.curve)))
        if self.file:
            packed.append(discord.File(io.BytesIO(self.file.content), self.file.name, description=self.file.said))
        return packed

    def view(self) -> discord.ui.View | None:
        """Lay out the buttons and menus.

        They are handled by their ids, so the view is only a layout: it is stopped before it is sent, and discord.py
        keeps nothing of it in memory.
        """
        if not self.items:
            return None
        view = discord.ui.View(timeout=None)
        for item in self.items:
            view.add_item(item)
        view.stop()
        return view

    def calls(self) -> discord.AllowedMentions:
        """Whom this message may notify."""
        return (
            discord.AllowedMentions(users=[discord.Object(self.ping)]) if self.ping else discord.AllowedMentions.none()
        )


async def send(interaction: discord.Interaction[Any], post: Post, *, private: bool = False) -> int:
    """Answer an interaction with a new message, seen by the one who asked alone if `private`; return its id."""
    files = await post.files(await _look(interaction, post, private=private))
    arguments: dict[str, Any] = {"content": post.text or None, "files": files, "ephemeral": private}
    arguments |= {"allowed_mentions": post.calls()}
    if view := post.view():
        arguments["view"] = view
    if post.embed:
        arguments["embed"] = post.embed
    if interaction.response.is_done():
        message = await interaction.followup.send(wait=True, **arguments)
        return message.id
    sent = await interaction.response.send_message(**arguments)
    assert sent.message_id is not None
    return sent.message_id


async def change(interaction: discord.Interaction[Any], post: Post) -> None:
    """Answer a button or menu by changing the message it stands on."""
    files = await post.files(await _look(interaction, post, private=on_private(interaction)))
    await interaction.response.edit_message(
        content=post.text or None,
        embed=post.embed,
        attachments=files,
        view=post.view(),
        allowed_mentions=post.calls(),
    )


async def _look(interaction: discord.Interaction[Any], post: Post, *, private: bool) -> View:
    """Return how the picture is to be drawn for the one who asked, or for everyone in the server."""
    if post.scene is None and post.curve is None:
        return View()
    return await look_of(interaction, post.seats, private=private)


async def look_of(interaction: discord.Interaction[Any], seats: Mapping[int, Side], *, private: bool) -> View:
    """Return how the one who asked looks at boards, or everyone in the server; `seats` as in a post."""
    scope, owner = (looks.PERSON, interaction.user.id) if private else (looks.SERVER, interaction.guild_id or 0)
    return await looks.view(interaction.client.house, scope, owner, seats)


def on_private(interaction: discord.Interaction[Any]) -> bool:
    """Whether the button or menu stands on a message that one person alone sees."""
    return interaction.message is not None and interaction.message.flags.ephemeral
