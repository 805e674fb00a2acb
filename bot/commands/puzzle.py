"""Puzzles: /puzzle, the menus in which one is solved, and the button that tells of it."""

import asyncio

from discord import app_commands

from bot.app import puzzles
from bot.app.errors import DeclinedError, DeclineReason
from bot.app.puzzles import PERSON, SERVER, PuzzleAttempt, PuzzlePlace, PuzzleResult
from bot.commands.asking import Commands, Presses, in_all_contexts, is_bot_member, respond
from bot.commands.ids import get_selection
from bot.delivery.layout import strip_controls
from bot.delivery.outlets import (
    Interaction,
    InteractionAnswer,
    ServerChannel,
    log_answer_failures,
    require_permissions,
)
from bot.views import controls
from bot.views import puzzle as puzzle_views
from bot.views.card import Card
from bot.views.puzzle import answer_card, public_puzzle_card, puzzle_card, share_card


@app_commands.command()
@in_all_contexts
@app_commands.describe(share="Show it to everyone here; each person still solves it alone")
async def puzzle(interaction: Interaction, share: bool = False) -> None:
    """Find the best play in today's position."""
    public = share and is_bot_member(interaction)

    async def work(answer: InteractionAnswer) -> None:
        if public:
            require_permissions(interaction)
            today = await puzzles.load_daily_puzzle(
                interaction.client.app, _find_puzzle_owner(interaction), interaction.user.id
            )
            await answer.send(public_puzzle_card(answer.reader, today.puzzle))
        else:
            await answer.send(await _open_today(answer))

    await respond(interaction, work, private=not public, everywhere=not public)


def _find_puzzle_owner(interaction: Interaction) -> PuzzlePlace:
    """Return whose puzzle is asked for.

    It is the server's, or the person's own where the bot is not a member.
    """
    if not is_bot_member(interaction):
        return PuzzlePlace(PERSON, interaction.user.id)
    return PuzzlePlace(SERVER, interaction.guild_id or 0)


async def _open_today(answer: InteractionAnswer, tried: PuzzleAttempt | None = None) -> Card:
    """Return the card on which somebody solves the puzzle of today, as far as they have played."""
    interaction = answer.interaction
    app, person = interaction.client.app, interaction.user.id
    today = await puzzles.load_daily_puzzle(app, _find_puzzle_owner(interaction), person)
    puzzles.remember_open_puzzle(app, interaction.channel_id or 0, person, today)
    return await asyncio.to_thread(puzzle_card, answer.reader, today, person, tried)


async def play_in_puzzle(answer: InteractionAnswer, name: str, text: str) -> Card:
    """Play in a puzzle.

    The card continues while the play is not complete, and then gives its evaluation.
    """
    interaction = answer.interaction
    app, person = interaction.client.app, interaction.user.id
    found = await puzzles.attempt_play(app, _find_puzzle_owner(interaction), person, name, text)
    if isinstance(found, PuzzleResult):
        puzzles.forget_open_puzzle(app, interaction.channel_id or 0, person)
        shareable = is_bot_member(interaction)
        return await asyncio.to_thread(
            answer_card, answer.reader, found, person, shareable=shareable
        )
    return await _open_today(answer, found)


async def _handle_puzzle(interaction: Interaction, rest: str) -> None:
    """Open a puzzle, play in it or share it.

    The id is `act:puzzle`; a menu adds its number and the moves so far.
    """
    act, _, named = rest.partition(":")
    name, _, menu = named.partition(":")

    async def work(answer: InteractionAnswer) -> None:
        match act:
            case puzzle_views.OPEN:
                await _show_card(answer, await _open_today(answer))
            case puzzle_views.PLAY:
                so_far = menu.partition(":")[2]
                text = f"{so_far} {get_selection(interaction)}".strip()
                await _show_card(answer, await play_in_puzzle(answer, name, text))
            case puzzle_views.SHARE:
                await _share_result(answer, name)
            case _:
                raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)

    await respond(interaction, work, everywhere=act != puzzle_views.SHARE)


async def _show_card(answer: InteractionAnswer, card: Card) -> None:
    """Show a solver how the puzzle goes on.

    It replaces their own card, or is sent beside a message that everyone sees.
    """
    message = answer.interaction.message
    if message is not None and message.flags.ephemeral:
        await answer.edit_message(card)
    else:
        await answer.send(card)


async def _share_result(answer: InteractionAnswer, name: str) -> None:
    """Tell the channel that somebody solved the puzzle; the button goes, since once is enough."""
    interaction = answer.interaction
    require_permissions(interaction)
    person = interaction.user.id
    found, streak = await puzzles.load_solved_puzzle(
        interaction.client.app, _find_puzzle_owner(interaction), person, name
    )
    channel = ServerChannel(
        interaction.client, interaction.guild_id or 0, interaction.channel_id or 0
    )
    await channel.post(
        share_card(channel.reader, found, person, streak.streak), f"puzzle {streak.day} of {person}"
    )
    message = interaction.message
    if message is not None and message.flags.ephemeral:
        say = answer.reader
        with log_answer_failures(interaction):
            await answer.edit_message(strip_controls(message, say("Shared in the channel.")))


COMMANDS: Commands = (puzzle,)
PRESSES: Presses = {controls.PUZZLE: _handle_puzzle}
