"""Moving a match to another channel where its own can't show it.

It moves to where somebody acts, or to a channel that a button names.
"""

from bot.app import tasks
from bot.app.context import App
from bot.app.errors import Declined, Why
from bot.app.play import load
from bot.app.sitting import Sitting, require_running
from bot.commands.asking import Presses, answered
from bot.commands.ids import number_of, parts, require_shown
from bot.delivery.outlets import Answer, Interaction, after_saving, lacking
from bot.delivery.reach import is_unshown
from bot.views import controls
from bot.views.card import said
from bot.words import reach as words


async def bring(app: App, sitting: Sitting, channel: int) -> None:
    """Have a match shown anew in a channel of its server, where it goes on."""
    wish = tasks.post_anew(sitting.id, channel, sitting.row.message, app.clock())
    app.take(await app.store.jobs.add(sitting.row.guild, [wish]))


async def end_unshown(answer: Answer, sitting: Sitting) -> bool:
    """End the answer to what is saved in a match that is not shown in its own channel.

    Return False where it is shown there. Otherwise the match is shown where somebody has acted, if
    it can be.
    """
    interaction = answer.interaction
    app = interaction.client.app
    here, row = interaction.channel_id or 0, sitting.row
    missing = lacking(interaction.channel, interaction.app_permissions)
    may_post = not missing
    if here == row.channel and may_post:
        return False
    if not await is_unshown(app, sitting):
        if here == row.channel:
            with after_saving(interaction):
                await answer.tell(said(words.unseen(answer.reader, sitting, missing)))
            return True
        # It may have been brought here just now.
        current = await app.store.matches.get(row.id)
        if current is None or not here == current.channel != row.channel:
            return False
        await answer.finish()
        return True
    with after_saving(interaction):
        if may_post and interaction.guild_id == row.guild:
            await bring(app, sitting, here)
            await answer.finish()
        else:
            await answer.tell(said(words.hindered(answer.reader, sitting, (), gone=True)))
    return True


async def _bring(interaction: Interaction, rest: str) -> None:
    """Bring a match to the channel that the pressed button names: `match:channel`."""
    require_shown(interaction, f"{controls.BRING}:{rest}")
    match, channel = map(number_of, parts(rest, 2))

    async def work(answer: Answer) -> None:
        app = interaction.client.app
        sitting = await load(app, match)
        require_running(sitting)
        if not sitting.sides_of(interaction.user.id):
            raise Declined(Why.ONLY_PLAYERS_SHARE, match=match)
        await bring(app, sitting, channel)
        with after_saving(interaction):
            await answer.tell(said(words.brought(answer.reader, sitting, channel)))

    await answered(interaction, work, everywhere=True)


PRESSES: Presses = {controls.BRING: _bring}
