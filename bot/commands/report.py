"""Reports: /report, the button under a finished match, and those of its errors."""

import asyncio
from typing import Any

from discord import app_commands

from bot.app import play, reports
from bot.app.play import load
from bot.app.reports import Report
from bot.app.sitting import Sitting, require_known, require_over
from bot.commands.asking import Commands, Presses, answered, in_servers
from bot.commands.ids import number_of
from bot.commands.looking import latest
from bot.delivery.outlets import Answer, Interaction, Told, after_saving
from bot.views import controls
from bot.views.card import Card
from bot.views.report import error_card, failed_card, progress_card, report_card

LOOK_S = 1.0
"""How often somebody who waits for a report is told how far it is."""
AGAIN = 20
"""How many times they are told nothing where one that failed is to be begun again."""
LONGEST_S = 600
"""How long they are told; an answer can be changed for a quarter of an hour."""

_waiting: set[asyncio.Task[Any]] = set()
"""Those who tell somebody how far a report is."""


@app_commands.command()
@in_servers
@app_commands.describe(match="The number of the match (default: your latest)")
async def report(interaction: Interaction, match: int | None = None) -> None:
    """Analyse a finished match and its worst errors."""

    async def work(answer: Answer) -> None:
        await _report(answer, match if match is not None else await latest(interaction))

    await answered(interaction, work)


async def _report(answer: Answer, match: int) -> None:
    """Show a report, or have it made and tell how far it is."""
    sitting = await _finished(answer, match)
    app = answer.interaction.client.app
    found = await reports.kept(app, sitting)
    if found is not None:
        await answer.tell(report_card(answer.reader, sitting, found))
        return
    await reports.wish(app, sitting, answer.interaction.guild_id or 0)
    told = await answer.tell_for_now(
        progress_card(answer.reader, sitting, app.progress.get(match, 0.0))
    )
    # Nobody else's answer waits for it.
    task = asyncio.create_task(_follow(answer, told, sitting), name=f"report {match}")
    _waiting.add(task)
    task.add_done_callback(_waiting.discard)


async def _finished(answer: Answer, match: int) -> Sitting:
    interaction = answer.interaction
    sitting = await load(interaction.client.app, match)
    require_known(sitting, interaction.guild_id or 0, interaction.user.id)
    require_over(sitting)
    return sitting


async def _follow(answer: Answer, told: Told, sitting: Sitting) -> None:
    """Tell how far a report is until it is there."""
    app = answer.interaction.client.app
    say = answer.reader
    shown = 0.0
    with after_saving(answer.interaction):
        gone = 0
        for _ in range(round(LONGEST_S / LOOK_S)):
            await asyncio.sleep(LOOK_S)
            share = app.progress.get(sitting.id)
            if share is None:
                gone += 1
                if gone > AGAIN or await reports.kept(app, sitting):
                    break
            elif share > shown:
                shown = share
                await told.change(progress_card(say, sitting, share))
        await told.change(_made(answer, sitting, await reports.kept(app, sitting)))


def _made(answer: Answer, sitting: Sitting, found: Report | None) -> Card:
    if found is None:
        return failed_card(answer.reader, sitting)
    return report_card(answer.reader, sitting, found)


async def _press(interaction: Interaction, rest: str) -> None:
    """Show a report, or one of its errors: `match` or `match:number`."""
    match, _, error = rest.partition(":")

    async def work(answer: Answer) -> None:
        if error:
            await answer.tell(await _error(answer, number_of(match), number_of(error)))
        else:
            await _report(answer, number_of(match))

    await answered(interaction, work)


async def _error(answer: Answer, match: int, number: int) -> Card:
    sitting = await _finished(answer, match)
    app = answer.interaction.client.app
    found = await reports.kept(app, sitting)
    if found is None or not 0 < number <= len(found.worst):
        return failed_card(answer.reader, sitting)
    error = found.worst[number - 1]
    happened = await play.history(app, sitting.row)
    return error_card(answer.reader, sitting, number, error, happened[error.version - 1])


COMMANDS: Commands = (report,)
PRESSES: Presses = {controls.REPORT: _press}
