"""What follows an action in the channel: the messages that show it.

A button changes the message it stands on while the turn goes on; a finished turn closes that message and the next
player gets one of their own. A typed command always brings a new message, and the old one loses its buttons.
"""

import asyncio
import json
import logging
from typing import Any, TypeAlias

import discord

from bot import words
from bot.app import record
from bot.app.errors import Declined
from bot.app.house import House
from bot.app.people import Person
from bot.app.play import Report
from bot.app.table import Table
from bot.store import Posted
from bot.views.post import Post, change, on_private, send
from bot.views.turn import closed_post, end_post, turn_post
from engine.events import TakenBack, from_record
from engine.match import Phase

log = logging.getLogger(__name__)


class HouseClient(discord.Client):
    """A client that carries the house it serves."""

    house: House


Asked: TypeAlias = discord.Interaction[HouseClient]

Commands: TypeAlias = tuple[discord.app_commands.Command[Any, ..., None], ...]
"""The slash commands of one module."""


def person_of(interaction: Asked) -> Person:
    """Return who asked."""
    return Person(interaction.user.id, interaction.user.display_name, interaction.user.bot)


def cause_of(interaction: Asked) -> str:
    """Return the name under which an interaction is applied at most once."""
    return str(interaction.id)


async def show(interaction: Asked, report: Report) -> None:
    """Show what an action came to, in answer to the command, button or menu that asked for it."""
    if not report.happenings:
        raise Declined("That has been done already.")
    pressed = interaction.type is discord.InteractionType.component and not on_private(interaction)
    if pressed and _same_turn(report):
        await change(interaction, turn_post(report.table, words.story(report)))
        return
    following = await _following(interaction.client.house, report, told=not pressed)
    if pressed:
        await change(interaction, closed_post(report))
    message = await send(interaction, following)
    await _hand_over(interaction, report.table, message)


def _same_turn(report: Report) -> bool:
    """Whether the message of the turn still serves: the one who acted, or who took back, goes on with this throw."""
    first, table = report.happenings[0], report.table
    if table.match.phase is Phase.OVER:
        return False
    if isinstance(first.event, TakenBack):
        return True
    return first.before.acting == table.match.acting and first.before.thrower in (None, table.match.thrower)


async def announce(interaction: Asked, report: Report) -> None:
    """Post a new match's first message."""
    message = await send(interaction, await _following(interaction.client.house, report, told=True))
    await _hand_over(interaction, report.table, message)


async def _following(house: House, report: Report, *, told: bool) -> Post:
    """Return the next message; a typed command's tells the story too, since nothing else does."""
    if report.table.match.phase is Phase.OVER:
        records = [event.record for event in await house.store.matches.events(report.table.id)]
        board = report.table.match.rules.board
        file = json.dumps(record.to_file(report.table, records), indent=1).encode()
        # The luck of a long match takes a while to count.
        return await asyncio.to_thread(end_post, report, [from_record(each, board) for each in records], file)
    return turn_post(report.table, words.story(report) if told else "")


async def _hand_over(interaction: Asked, table: Table, message: int) -> None:
    """Make that message the one that carries the match's buttons, and take them from the one before."""
    version = table.match.version
    live = Posted(message, interaction.channel_id or table.row.channel, version, version)
    await interaction.client.house.store.matches.posted(table.id, live, None)
    before = table.row.message
    on = interaction.message.id if interaction.message else None
    if before is None or before == on:
        return
    await retire(interaction, before)


async def retire(interaction: Asked, message: int) -> None:
    """Take the buttons from an old message; where that fails they stay, and say that they are old when pressed."""
    channel = interaction.client.get_partial_messageable(interaction.channel_id or 0)
    try:
        await channel.get_partial_message(message).edit(view=None)
    except discord.HTTPException:
        log.info("could not take the buttons from message %s", message, exc_info=True)


async def private(interaction: Asked, post: Post) -> None:
    """Answer for the eyes of the one who asked alone."""
    await send(interaction, post, private=True)
