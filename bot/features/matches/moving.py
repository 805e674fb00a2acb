"""Moving a match to another channel where its own can't show it.

It moves to where somebody acts, or to a channel that a button names.
"""

from bot.features.matches import reach_texts as words
from bot.features.matches.controls import BRING
from bot.features.matches.loading import load_visible_session
from bot.features.matches.lookup import bring_match, find_match_channel
from bot.features.matches.reach import is_unshowable
from bot.features.matches.session import MatchSession, require_running
from bot.platform.direct import NO_SERVER
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.ui.access import require_seen_by
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.card import text_only_card
from bot.platform.ui.declarations import press
from bot.platform.ui.membership import is_member
from bot.platform.ui.places import list_missing_here, may_write


async def finish_elsewhere(answer: InteractionAnswer, session: MatchSession) -> bool:
    """End the answer to what is saved in a match that is not shown in its own channel.

    Return False where it is shown there. Otherwise the match is shown where somebody has acted, if
    it can be.
    """
    interaction, app = answer.interaction, answer.app
    here, row = answer.channel, session.row
    missing = list_missing_here(interaction)
    may_post = not missing and may_write(interaction)
    if here == row.channel and not missing:
        # Most actions end here, without a query.
        return False
    if not await is_unshowable(app, session):
        if here == row.channel:
            with log_answer_failures(interaction):
                await answer.send(
                    text_only_card(words.explain_hidden_action(answer.reader, session, missing))
                )
            return True
        # It may have been brought here just now.
        if not here == await find_match_channel(app, row.id) != row.channel:
            return False
        await answer.finish()
        return True
    with log_answer_failures(interaction):
        # A match never leaves its server, whose settings and leaderboards apply to it.
        is_fitting = may_post and answer.guild == row.guild
        if is_fitting and await is_seen_by_players(answer, session, here):
            await bring_match(app, session, here)
            await answer.finish()
        else:
            await answer.send(
                text_only_card(words.explain_hidden_match(answer.reader, session, (), gone=True))
            )
    return True


async def require_seen_by_players(
    answer: InteractionAnswer, session: MatchSession, channel: int
) -> None:
    """Raise DeclinedError unless the others who play a match can see a channel of its server.

    Their turns could not be played there, while their clocks run.
    """
    names = session.names
    others = {each: names[each] for each in session.human_players if each != answer.person.id}
    await require_seen_by(answer.client, session.row.guild, channel, others)


async def is_seen_by_players(
    answer: InteractionAnswer, session: MatchSession, channel: int
) -> bool:
    """Whether the others who play a match can see a channel of its server."""
    try:
        await require_seen_by_players(answer, session, channel)
    except DeclinedError:
        return False
    return True


@press(BRING, everywhere=True)
async def move_match(answer: InteractionAnswer, match: int, channel: int) -> None:
    """Bring a match to the channel that the pressed button names."""
    session = await load_visible_session(answer.app, match, answer.guild, answer.person.id)
    require_running(session)
    if not session.find_sides(answer.person.id):
        raise DeclinedError(DeclineReason.ONLY_PLAYERS_SHARE, match=match)
    guild, person = session.row.guild, answer.person.id
    if guild != NO_SERVER and not await is_member(answer.client, guild, person):
        raise DeclinedError(DeclineReason.ELSEWHERE, match=match)
    # Whoever presses too, since the button was sent when its channel was another's to see.
    players = {each: session.names[each] for each in session.human_players}
    await require_seen_by(answer.client, guild, channel, players)
    await bring_match(answer.app, session, channel)
    with log_answer_failures(answer.interaction):
        told = words.format_continuation(answer.reader, session, channel)
        await answer.send(text_only_card(told))
