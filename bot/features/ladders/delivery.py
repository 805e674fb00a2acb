"""A ladder's message, and what becomes of its matches and of the inactive."""

import discord

from bot.features.contests.endings import conclude_match
from bot.features.ladders import service
from bot.features.ladders.cards import ladder_card
from bot.features.ladders.jobs import DropInactive, ForfeitLadderMatches, ShowLadder
from bot.features.ladders.rows import Ladder, LadderView
from bot.features.ladders.rungs import find_inactive
from bot.features.matches.service import Action
from bot.platform import outages
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult, Removed, Reschedule
from bot.platform.people import CLOCK
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.channels import ServerChannel, delete_message, pin_message
from bot.platform.ui.failures import UNKNOWN_MESSAGE
from bot.store import QueuedJob
from engine.clock import HOUR


@handles(ShowLadder)
async def show_ladder(client: AppClient, job: ShowLadder, queued: QueuedJob) -> JobResult:
    """Post a ladder, or bring its message up to date."""
    app = client.app
    view = await service.load_ladder(app, job.ladder)
    ladder = view.ladder
    channel = ServerChannel(client, ladder.guild, ladder.channel)
    names = await app.store.people.load_names(view.rungs)
    card = ladder_card(channel.reader, view, names)
    if ladder.message is not None:
        try:
            await channel.edit(ladder.message, card)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
        else:
            return Done()
    # It has none yet, or somebody has deleted it: the ladder is not closed by that.
    posted = await channel.post(card, f"ladder {ladder.id} in place of {ladder.message}")
    if not await app.store.ladders.save_message(ladder.id, posted, ladder.message, queued):
        await delete_message(client, ladder.channel, posted)
        return Done()
    await pin_message(client, ladder.guild, ladder.channel, posted)
    return Removed()


@handles(DropInactive)
async def drop_inactive(client: AppClient, job: DropInactive, _: QueuedJob) -> JobResult:
    """Let those drop one rung who have done nothing for long and are not on vacation."""
    app = client.app
    view = await service.load_ladder(app, job.ladder)
    ladder, now = view.ladder, app.clock()
    if not ladder.is_open:
        return Done()
    if ladder.next_drop > now:
        # It was put off by an outage, or done already.
        return Reschedule(job.make_job(ladder.next_drop))
    if not outages.is_time_running(app, ladder.guild):
        return Reschedule(job.make_job(now + outages.HEARTBEAT_MS))
    if ladder.guild in app.lost:
        # Nobody there can play, so nobody drops.
        return Reschedule(job.make_job(now + HOUR))
    following = _find_following(ladder, now)
    away = await service.load_away(app, view)

    def find(current: LadderView) -> frozenset[int]:
        return find_inactive(current.events, current.challenges, now) - away.keys()

    change = await app.store.ladders.drop(
        ladder.id, ladder.next_drop, now, following, find, [ShowLadder(ladder.id).make_job(now)]
    )
    app.take(change.jobs)
    return Reschedule(job.make_job(following))


def _find_following(ladder: Ladder, now: int) -> int:
    """Return when people drop next; weeks that went by unnoticed are not made up for."""
    weeks = (now - ladder.next_drop) // service.DROP_EVERY_MS + 1
    return ladder.next_drop + weeks * service.DROP_EVERY_MS


@handles(ForfeitLadderMatches)
async def forfeit_ladder_matches(
    client: AppClient, job: ForfeitLadderMatches, _: QueuedJob
) -> JobResult:
    """Let somebody who has left a ladder forfeit their matches on it."""
    app = client.app
    view = await service.load_ladder(app, job.ladder)
    for challenge in view.running:
        if challenge.match is None or job.person not in challenge.people:
            continue
        # By now they may be back, and play again.
        if not view.has_left_since(job.person, challenge.made):
            continue
        (other,) = challenge.people - {job.person}
        # Nobody wins against somebody who has left by leaving later.
        winner = None if view.has_left_since(other, challenge.made) else other
        action = Action(challenge.match, CLOCK, f"a player has left ladder {job.ladder}")
        await conclude_match(app, action, winner, forfeited=True)
    return Done()
