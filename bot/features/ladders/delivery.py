"""A ladder's message, who of it can play, and what becomes of its matches and the inactive."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence

import discord

from bot.features.contests.endings import conclude_match
from bot.features.ladders import service
from bot.features.ladders.cards import ladder_card, readmission_card
from bot.features.ladders.rungs import find_inactive
from bot.features.ladders.store import Ladders
from bot.features.ladders.tables import Ladder, LadderView
from bot.features.matches.loading import MATCH_LABELS
from bot.features.matches.service import Action
from bot.features.matches.session import MatchSession
from bot.platform.context import HEARTBEAT_MS, App
from bot.platform.db.jobs import Subject
from bot.platform.db.rows import QueuedJob
from bot.platform.i18n.reader import Reader, escape_text
from bot.platform.jobs.destinations import loads_channels
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult, Reschedule
from bot.platform.people import CLOCK, COMPUTERS
from bot.platform.ui import channels
from bot.platform.ui.access import NoMemberError, fetch_member, is_within_reach
from bot.platform.ui.app_client import FAILURES, UNKNOWN_CHANNEL, AppClient
from engine.clock import HOUR


@handles(service.ShowLadder)
async def show_ladder(client: AppClient, job: service.ShowLadder, queued: QueuedJob) -> JobResult:
    """Post a ladder, or bring its message up to date."""
    view = await service.load_ladder(client.app, job.ladder)
    ladder = view.ladder
    channel = channels.ServerChannel(client, ladder.guild, ladder.channel)
    async with channels.report_closed_thread(
        channel, ladder.organiser, lambda _: escape_text(ladder.name)
    ):
        return await _update_message(channel, view, queued)


async def _update_message(
    channel: channels.ServerChannel, view: LadderView, queued: QueuedJob
) -> JobResult:
    client, ladder = channel.client, view.ladder
    app = client.app
    names = await app.store.people.load_names(view.order)
    card = ladder_card(channel.reader, view, names)
    try:
        # A ladder is not closed where somebody has deleted its message.
        kept = await channels.keep_message(
            channel,
            card,
            ladder.message,
            f"ladder {ladder.id}",
            lambda posted: app.store.get(Ladders).save_message(
                ladder.id, posted, ladder.message, queued
            ),
        )
    except discord.NotFound as error:
        if error.code != UNKNOWN_CHANNEL:
            raise
        # Organisers move it elsewhere; a challenge says so.
        return Done()
    return kept or Done()


@handles(service.DropInactive)
async def drop_inactive(client: AppClient, job: service.DropInactive, _: QueuedJob) -> JobResult:
    """Let those drop one rung who have done nothing for long and are not on vacation."""
    app = client.app
    view = await service.load_ladder(app, job.ladder)
    ladder, now = view.ladder, app.clock()
    if not ladder.is_open:
        return Done()
    if ladder.next_drop > now:
        # It was put off by an outage, or done already.
        return Reschedule(job.build_job(ladder.next_drop))
    if not app.is_time_running(ladder.guild):
        return Reschedule(job.build_job(now + HEARTBEAT_MS))
    if ladder.guild in app.lost:
        # Nobody there can play, so nobody drops.
        return Reschedule(job.build_job(now + HOUR))
    following = _find_following(ladder, now)
    view = await service.update_presence(
        app, view, await ask_presence(client, ladder.guild, view.order)
    )
    since = await service.find_idle_start(app, ladder.guild, now)
    vacations = await service.load_vacations(app, view, since)

    def find(current: LadderView) -> frozenset[int]:
        found = find_inactive(current.players, current.running, vacations.returned, since)
        return found - vacations.away.keys()

    change = await app.store.get(Ladders).drop(
        ladder.id,
        ladder.next_drop,
        now,
        following,
        find,
        [service.ShowLadder(ladder.id).build_job(now)],
    )
    app.take(change.jobs)
    return Reschedule(job.build_job(following))


def _find_following(ladder: Ladder, now: int) -> int:
    """Return when people drop next; weeks that went by unnoticed are not made up for."""
    weeks = (now - ladder.next_drop) // service.DROP_EVERY_MS + 1
    return ladder.next_drop + weeks * service.DROP_EVERY_MS


@handles(service.ForfeitLadderMatches)
async def forfeit_ladder_matches(
    client: AppClient, job: service.ForfeitLadderMatches, _: QueuedJob
) -> JobResult:
    """Let somebody who has left a ladder forfeit their matches on it."""
    app = client.app
    view = await service.load_ladder(app, job.ladder)
    for challenge in view.running:
        if challenge.match is None or job.person not in challenge.people:
            continue
        # By now they may be back, and play again.
        has_left_since = app.store.get(Ladders).has_left_since
        if not await has_left_since(job.ladder, job.person, challenge.made):
            continue
        (other,) = challenge.people - {job.person}
        # Nobody wins against somebody who has left by leaving later.
        has_other_left = await has_left_since(job.ladder, other, challenge.made)
        winner = None if has_other_left else other
        action = Action(challenge.match, CLOCK, f"a player has left ladder {job.ladder}")
        await conclude_match(app, action, winner, forfeited=True)
    return Done()


@handles(service.NotifyReadmitted)
async def notify_readmitted(
    client: AppClient, job: service.NotifyReadmitted, _: QueuedJob
) -> JobResult:
    """Tell somebody that they are back on a ladder; where they take no messages, it shows them."""
    view = await service.load_ladder(client.app, job.ladder)
    ladder, person = view.ladder, job.person
    if person not in view.rungs or not await is_within_reach(
        client, ladder.guild, ladder.channel, person
    ):
        return Done()
    say = await client.load_direct_reader(person, ladder.guild)
    # By the ruling: each time that they are let in is another message.
    rulings = await service.load_rulings(client.app, ladder.id)
    at = max(each.at for each in rulings if each.person == person)
    name = f"ladder {ladder.id} readmitted {person} at {at}"
    await channels.DirectMessages(client, person).try_post(
        readmission_card(say, view, person), name
    )
    return Done()


loads_channels(Subject.LADDER)(lambda store, numbers: store.get(Ladders).load_channels(numbers))


async def ask_presence(client: AppClient, guild: int, people: Iterable[int]) -> Mapping[int, bool]:
    """Return of people whether they can play in a server; without those of whom it isn't known."""
    role = (await client.app.store.servers.load_settings(guild)).role
    asked = sorted(set(people) - COMPUTERS)

    async def ask(person: int) -> bool | None:
        try:
            member = await fetch_member(client, guild, person)
        except NoMemberError:
            return False
        if member is None:
            return None
        return role is None or member.get_role(role) is not None

    # All at once: somebody may wait for the answer.
    answers = await asyncio.gather(*map(ask, asked))
    return {
        person: there for person, there in zip(asked, answers, strict=True) if there is not None
    }


async def is_channel_gone(client: AppClient, guild: int, channel: int) -> bool:
    """Return whether a channel or thread was deleted; where Discord doesn't tell, it is there."""
    server = client.get_guild(guild)
    if server is None or server.get_channel_or_thread(channel) is not None:
        return False
    try:
        # A thread that is archived isn't known either.
        await client.fetch_channel(channel)
    except discord.NotFound as error:
        return error.code == UNKNOWN_CHANNEL
    except FAILURES:
        return False
    return False


async def look_around(client: AppClient, view: LadderView, person: int) -> LadderView:
    """Return a ladder once it is known that those near somebody can play in the server.

    Those who are gone make way for the next, who are checked as well.
    """
    known: set[int] = {person}
    while True:
        near = set(service.list_near(view, person)) - known
        if not near:
            return view
        known |= near
        there = await ask_presence(client, view.ladder.guild, near)
        view = await service.update_presence(client.app, view, there)


@MATCH_LABELS.add()
async def load_ladder_labels(
    app: App, say: Reader, sessions: Sequence[MatchSession]
) -> Mapping[int, str]:
    """Return the names of the ladders of those matches that belong to one."""
    numbers = {each.id: each.row.ladder for each in sessions if each.row.ladder is not None}
    if not numbers:
        return {}
    found = await app.store.get(Ladders).load_several(set(numbers.values()))
    return {match: escape_text(found[number].name) for match, number in numbers.items()}
