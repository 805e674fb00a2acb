"""Trying: /try, and the button that plays what was tried."""

from discord import app_commands

from bot.app import play, trying
from bot.commands.asking import Commands, Presses, action_of, answered, in_servers
from bot.commands.choosing import MATCH, find_sitting
from bot.commands.ids import number_of, parts
from bot.commands.play import LONGEST_PLAY, continuations
from bot.delivery.outlets import Answer, Interaction, after_saving
from bot.delivery.reach import link_of
from bot.views import controls
from bot.views.card import said
from bot.views.trying import trial_card
from bot.words.reach import how_to_bring
from bot.words.trying import not_played, played


@app_commands.command(name="try")
@in_servers
@app_commands.rename(text="play")
@app_commands.describe(text="Moves, typed as for /move", match=MATCH)
async def attempt(
    interaction: Interaction,
    text: app_commands.Range[str, 1, LONGEST_PLAY],
    match: int | None = None,
) -> None:
    """See the board after a play before you make it."""

    async def work(answer: Answer) -> None:
        if sitting := await find_sitting(answer, "try", text, match):
            await show(answer, sitting.id, text)

    await answered(interaction, work)


attempt.autocomplete("text")(continuations)


async def show(answer: Answer, match: int, text: str) -> None:
    """Show somebody what would come of a play in a match."""
    interaction = answer.interaction
    trial = await trying.try_out(interaction.client.app, action_of(interaction, match), text)
    await answer.tell(trial_card(answer.reader, trial))


async def _play(interaction: Interaction, rest: str) -> None:
    """Play what was tried, while the match stands as it did then: `match:version:play`."""
    match, version, text = parts(rest, 3)
    action = action_of(interaction, number_of(match), number_of(version))

    async def work(answer: Answer) -> None:
        report = await play.move(interaction.client.app, action, text)
        row = report.sitting.row
        with after_saving(interaction):
            there = await link_of(interaction.client, row)
            told = played(
                answer.reader, row.id, None if interaction.channel_id == row.channel else there
            )
            if there is None:
                told = f"{told} {how_to_bring(answer.reader, report.sitting)}"
            await answer.replace(said(told))

    await answered(interaction, work)


async def _leave(interaction: Interaction, text: str) -> None:
    """Leave unplayed what was to be confirmed."""

    async def work(answer: Answer) -> None:
        await answer.replace(said(not_played(answer.reader, text)))

    await answered(interaction, work)


COMMANDS: Commands = (attempt,)
PRESSES: Presses = {controls.TRIED: _play, controls.NOT_YET: _leave}
