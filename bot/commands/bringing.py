"""Moving a match to another channel where its own can't show it.

It moves to where somebody acts, or to a channel that a button names.
"""

from bot.app import tasks
from bot.app.context import App
from bot.app.errors import DeclinedError, DeclineReason
from bot.app.play import load_session
from bot.app.session import MatchSession, require_running
from bot.commands.asking import Presses, respond
from bot.commands.ids import parse_number, require_control, split_id
from bot.delivery.outlets import (
    Interaction,
    InteractionAnswer,
    list_missing_permissions,
    log_answer_failures,
)
from bot.delivery.reach import is_unshowable
from bot.views import controls
from bot.views.card import text_only_card
from bot.words import reach as words


async def bring_match(app: App, session: MatchSession, channel: int) -> None:
    """Have a match shown anew in a channel of its server, where it goes on."""
    job = tasks.repost_match_job(session.id, channel, session.row.message, app.clock())
    app.take(await app.store.jobs.enqueue(session.row.guild, [job]))


async def finish_elsewhere(answer: InteractionAnswer, session: MatchSession) -> bool:
    """End the answer to what is saved in a match that is not shown in its own channel.

    Return False where it is shown there. Otherwise the match is shown where somebody has acted, if
    it can be.
    """
    interaction = answer.interaction
    app = interaction.client.app
    here, row = interaction.channel_id or 0, session.row
    missing = list_missing_permissions(interaction.channel, interaction.app_permissions)
    may_post = not missing
    if here == row.channel and may_post:
        return False
    if not await is_unshowable(app, session):
        if here == row.channel:
            with log_answer_failures(interaction):
                await answer.send(
                    text_only_card(words.explain_hidden_action(answer.reader, session, missing))
                )
            return True
        # It may have been brought here just now.
        current = await app.store.matches.get(row.id)
        if current is None or not here == current.channel != row.channel:
            return False
        await answer.finish()
        return True
    with log_answer_failures(interaction):
        if may_post and interaction.guild_id == row.guild:
            await bring_match(app, session, here)
            await answer.finish()
        else:
            await answer.send(
                text_only_card(words.explain_hidden_match(answer.reader, session, (), gone=True))
            )
    return True


async def _handle_bring(interaction: Interaction, rest: str) -> None:
    """Bring a match to the channel that the pressed button names: `match:channel`."""
    require_control(interaction, f"{controls.BRING}:{rest}")
    match, channel = map(parse_number, split_id(rest, 2))

    async def work(answer: InteractionAnswer) -> None:
        app = interaction.client.app
        session = await load_session(app, match)
        require_running(session)
        if not session.find_sides(interaction.user.id):
            raise DeclinedError(DeclineReason.ONLY_PLAYERS_SHARE, match=match)
        await bring_match(app, session, channel)
        with log_answer_failures(interaction):
            await answer.send(
                text_only_card(words.format_continuation(answer.reader, session, channel))
            )

    await respond(interaction, work, everywhere=True)


PRESSES: Presses = {controls.BRING: _handle_bring}
