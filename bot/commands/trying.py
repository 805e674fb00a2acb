"""Trying: /try, and the button that plays what was tried."""

from discord import app_commands

from bot.app import play, trying
from bot.commands.asking import Commands, Presses, in_servers, make_action, respond
from bot.commands.choosing import MATCH_DESCRIPTION, find_session
from bot.commands.ids import parse_number, split_id
from bot.commands.play import LONGEST_PLAY, offer_plays
from bot.delivery.outlets import Interaction, InteractionAnswer, log_answer_failures
from bot.delivery.reach import find_match_link
from bot.views import controls
from bot.views.card import text_only_card
from bot.views.trying import trial_card
from bot.words.reach import explain_how_to_continue
from bot.words.trying import format_confirmed_play, format_unconfirmed_play


@app_commands.command(name="try")
@in_servers
@app_commands.rename(text="play")
@app_commands.describe(text="Moves, typed as for /move", match=MATCH_DESCRIPTION)
async def attempt(
    interaction: Interaction,
    text: app_commands.Range[str, 1, LONGEST_PLAY],
    match: int | None = None,
) -> None:
    """See the board after a play before you make it."""

    async def work(answer: InteractionAnswer) -> None:
        if session := await find_session(answer, "try", text, match):
            await show_trial(answer, session.id, text)

    await respond(interaction, work)


attempt.autocomplete("text")(offer_plays)


async def show_trial(answer: InteractionAnswer, match: int, text: str) -> None:
    """Show somebody what would come of a play in a match."""
    interaction = answer.interaction
    trial = await trying.try_play(interaction.client.app, make_action(interaction, match), text)
    await answer.send(trial_card(answer.reader, trial))


async def _handle_tried(interaction: Interaction, rest: str) -> None:
    """Play what was tried, while the match stands as it did then: `match:version:play`."""
    match, version, text = split_id(rest, 3)
    action = make_action(interaction, parse_number(match), parse_number(version))

    async def work(answer: InteractionAnswer) -> None:
        report = await play.play_moves(interaction.client.app, action, text)
        row = report.session.row
        with log_answer_failures(interaction):
            there = await find_match_link(interaction.client, row)
            told = format_confirmed_play(
                answer.reader, row.id, None if interaction.channel_id == row.channel else there
            )
            if there is None:
                told = f"{told} {explain_how_to_continue(answer.reader, report.session)}"
            await answer.edit_message(text_only_card(told))

    await respond(interaction, work)


async def _handle_not_yet(interaction: Interaction, text: str) -> None:
    """Leave unplayed what was to be confirmed."""

    async def work(answer: InteractionAnswer) -> None:
        await answer.edit_message(text_only_card(format_unconfirmed_play(answer.reader, text)))

    await respond(interaction, work)


COMMANDS: Commands = (attempt,)
PRESSES: Presses = {controls.PLAY_TRIAL: _handle_tried, controls.NOT_YET: _handle_not_yet}
