"""Puzzles: /puzzle, the menus in which one is solved, and the button that tells of it."""

import asyncio

from discord import app_commands

from bot.app import puzzles
from bot.app.errors import Declined, Why
from bot.app.puzzles import PERSON, SERVER, Answered, Place, Tried
from bot.commands.asking import Commands, Presses, answered, anywhere, is_member
from bot.commands.ids import picked
from bot.delivery.layout import stripped
from bot.delivery.outlets import Answer, Channel, Interaction, after_saving, require_permissions
from bot.views import controls
from bot.views import puzzle as puzzle_views
from bot.views.card import Card
from bot.views.puzzle import news_card, public_card, puzzle_card, verdict_card


@app_commands.command()
@anywhere
@app_commands.describe(share="Show it to everyone here; each person still solves it alone")
async def puzzle(interaction: Interaction, share: bool = False) -> None:
    """Find the best play in today's position."""
    public = share and is_member(interaction)

    async def work(answer: Answer) -> None:
        if public:
            require_permissions(interaction)
            today = await puzzles.today(
                interaction.client.app, _place(interaction), interaction.user.id
            )
            await answer.tell(public_card(answer.reader, today.puzzle))
        else:
            await answer.tell(await _opened(answer))

    await answered(interaction, work, private=not public, everywhere=not public)


def _place(interaction: Interaction) -> Place:
    """Return whose puzzle is asked for.

    It is the server's, or the person's own where the bot is not a member.
    """
    if not is_member(interaction):
        return Place(PERSON, interaction.user.id)
    return Place(SERVER, interaction.guild_id or 0)


async def _opened(answer: Answer, tried: Tried | None = None) -> Card:
    """Return the card on which somebody solves the puzzle of today, as far as they have played."""
    interaction = answer.interaction
    app, person = interaction.client.app, interaction.user.id
    today = await puzzles.today(app, _place(interaction), person)
    puzzles.open_in(app, interaction.channel_id or 0, person, today)
    return await asyncio.to_thread(puzzle_card, answer.reader, today, person, tried)


async def solve(answer: Answer, name: str, text: str) -> Card:
    """Play in a puzzle.

    The card continues while the play is not complete, and then gives its evaluation.
    """
    interaction = answer.interaction
    app, person = interaction.client.app, interaction.user.id
    found = await puzzles.attempt(app, _place(interaction), person, name, text)
    if isinstance(found, Answered):
        puzzles.close_in(app, interaction.channel_id or 0, person)
        shareable = is_member(interaction)
        return await asyncio.to_thread(
            verdict_card, answer.reader, found, person, shareable=shareable
        )
    return await _opened(answer, found)


async def _press(interaction: Interaction, rest: str) -> None:
    """Open a puzzle, play in it or share it.

    The id is `act:puzzle`; a menu adds its number and the moves so far.
    """
    act, _, named = rest.partition(":")
    name, _, menu = named.partition(":")

    async def work(answer: Answer) -> None:
        match act:
            case puzzle_views.OPEN:
                await _show(answer, await _opened(answer))
            case puzzle_views.PLAY:
                so_far = menu.partition(":")[2]
                text = f"{so_far} {picked(interaction)}".strip()
                await _show(answer, await solve(answer, name, text))
            case puzzle_views.SHARE:
                await _share(answer, name)
            case _:
                raise Declined(Why.UNKNOWN_CONTROL)

    await answered(interaction, work, everywhere=act != puzzle_views.SHARE)


async def _show(answer: Answer, card: Card) -> None:
    """Show a solver how the puzzle goes on.

    It replaces their own card, or is sent beside a message that everyone sees.
    """
    message = answer.interaction.message
    if message is not None and message.flags.ephemeral:
        await answer.replace(card)
    else:
        await answer.tell(card)


async def _share(answer: Answer, name: str) -> None:
    """Tell the channel that somebody solved the puzzle; the button goes, since once is enough."""
    interaction = answer.interaction
    require_permissions(interaction)
    person = interaction.user.id
    found, streak = await puzzles.told_of(interaction.client.app, _place(interaction), person, name)
    channel = Channel(interaction.client, interaction.guild_id or 0, interaction.channel_id or 0)
    await channel.post(
        news_card(channel.reader, found, person, streak.streak), f"puzzle {streak.day} of {person}"
    )
    message = interaction.message
    if message is not None and message.flags.ephemeral:
        say = answer.reader
        with after_saving(interaction):
            await answer.replace(stripped(message, say("Shared in the channel.")))


COMMANDS: Commands = (puzzle,)
PRESSES: Presses = {controls.PUZZLE: _press}
