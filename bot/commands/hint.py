"""Hints: /hint, the button that asks for one, and the one by which hints are allowed."""

from discord import app_commands

from bot.app import hints
from bot.app.hints import HintRequest
from bot.commands.asking import Commands, Presses, in_servers, respond
from bot.commands.choosing import MATCH_DESCRIPTION, find_session
from bot.commands.ids import parse_number, split_id
from bot.delivery.outlets import Interaction, InteractionAnswer, ServerChannel
from bot.views import controls
from bot.views.card import text_only_card
from bot.views.hint import allow_hints_card, hint_card, hint_waiting_card


@app_commands.command()
@in_servers
@app_commands.describe(match=MATCH_DESCRIPTION)
async def hint(interaction: Interaction, match: int | None = None) -> None:
    """See your best play and its equity."""

    async def work(answer: InteractionAnswer) -> None:
        if session := await find_session(answer, "hint", "", match):
            await give_hint(answer, session.id)

    await respond(interaction, work)


async def give_hint(answer: InteractionAnswer, match: int) -> None:
    """Show somebody the best they can do, or ask the others whether they allow hints."""
    interaction = answer.interaction
    found = await hints.request_hint(interaction.client.app, match, interaction.user.id)
    if isinstance(found, HintRequest):
        await _ask_others(answer, found)
    else:
        await answer.send(hint_card(answer.reader, found))


async def _ask_others(answer: InteractionAnswer, wanted: HintRequest) -> None:
    """Ask in the match's channel, once for each who wants hints."""
    interaction = answer.interaction
    row = wanted.session.row
    if wanted.first:
        channel = ServerChannel(interaction.client, row.guild, row.channel)
        card = allow_hints_card(channel.reader, wanted, interaction.user.id)
        await channel.post(card, f"hints in match {row.id} for {interaction.user.id}")
        # Only now: whoever was told of a failure is to find that nothing has changed.
        await hints.record_consent(interaction.client.app, wanted.session, interaction.user.id)
    await answer.send(hint_waiting_card(answer.reader, wanted))


async def _handle_hint(interaction: Interaction, rest: str) -> None:
    """Ask for a hint, or allow them: `match:ask` or `match:allow`."""
    match, what = split_id(rest, 2)

    async def work(answer: InteractionAnswer) -> None:
        if what == "ask":
            await give_hint(answer, parse_number(match))
            return
        wanted = await hints.allow_hints(
            interaction.client.app, parse_number(match), interaction.user.id
        )
        if wanted.missing:
            await answer.send(hint_waiting_card(answer.reader, wanted))
        else:
            say = interaction.client.get_reader(interaction.guild_locale or interaction.locale)
            await answer.edit_message(
                text_only_card(
                    say(
                        "Hints are now allowed in match {match}. Use `/hint`.",
                        match=wanted.session.id,
                    )
                )
            )

    await respond(interaction, work)


COMMANDS: Commands = (hint,)
PRESSES: Presses = {controls.HINT: _handle_hint}
