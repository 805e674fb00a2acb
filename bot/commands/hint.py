"""Hints: /hint, the button that asks for one, and the one by which hints are allowed."""

from discord import app_commands

from bot.app import hints
from bot.app.hints import Wanted
from bot.commands.asking import Commands, Presses, answered, in_servers
from bot.commands.choosing import MATCH, find_sitting
from bot.commands.ids import number_of, parts
from bot.delivery.outlets import Answer, Channel, Interaction
from bot.views import controls
from bot.views.card import said
from bot.views.hint import allowing_card, hint_card, waiting_card


@app_commands.command()
@in_servers
@app_commands.describe(match=MATCH)
async def hint(interaction: Interaction, match: int | None = None) -> None:
    """See your best play and its equity."""

    async def work(answer: Answer) -> None:
        if sitting := await find_sitting(answer, "hint", "", match):
            await advise(answer, sitting.id)

    await answered(interaction, work)


async def advise(answer: Answer, match: int) -> None:
    """Show somebody the best they can do, or ask the others whether they allow hints."""
    interaction = answer.interaction
    found = await hints.hint(interaction.client.app, match, interaction.user.id)
    if isinstance(found, Wanted):
        await _ask_others(answer, found)
    else:
        await answer.tell(hint_card(answer.reader, found))


async def _ask_others(answer: Answer, wanted: Wanted) -> None:
    """Ask in the match's channel, once for each who wants hints."""
    interaction = answer.interaction
    row = wanted.sitting.row
    if wanted.first:
        channel = Channel(interaction.client, row.guild, row.channel)
        card = allowing_card(channel.reader, wanted, interaction.user.id)
        await channel.post(card, f"hints in match {row.id} for {interaction.user.id}")
        # Only now: whoever was told of a failure is to find that nothing has changed.
        await hints.agree(interaction.client.app, wanted.sitting, interaction.user.id)
    await answer.tell(waiting_card(answer.reader, wanted))


async def _press(interaction: Interaction, rest: str) -> None:
    """Ask for a hint, or allow them: `match:ask` or `match:allow`."""
    match, what = parts(rest, 2)

    async def work(answer: Answer) -> None:
        if what == "ask":
            await advise(answer, number_of(match))
            return
        wanted = await hints.allow(interaction.client.app, number_of(match), interaction.user.id)
        if wanted.missing:
            await answer.tell(waiting_card(answer.reader, wanted))
        else:
            say = interaction.client.reader(interaction.guild_locale or interaction.locale)
            await answer.replace(
                said(
                    say(
                        "Hints are now allowed in match {match}. Use `/hint`.",
                        match=wanted.sitting.id,
                    )
                )
            )

    await answered(interaction, work)


COMMANDS: Commands = (hint,)
PRESSES: Presses = {controls.HINT: _press}
