"""A contest's message, what it does when its time has come, and who of it is still there.

That is asked of Discord before people are paired: the bot isn't sent who leaves a server or loses a
role. Where Discord doesn't tell, people count as present.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress

import discord

from bot.features.challenges.service import COMING_MATCHES
from bot.features.contests import cards, endings, seasons, service, tables, texts
from bot.features.contests.formats import get_format
from bot.features.contests.planning import find_half_time, is_open_late, list_next_players
from bot.features.contests.results import list_champions, list_concerned, list_returning
from bot.features.contests.store import Contests
from bot.features.contests.tables import ContestState, ContestView
from bot.features.matches.clock import IDLE_LIMIT_MS
from bot.features.matches.loading import MATCH_LABELS
from bot.features.matches.places import find_match_link
from bot.features.matches.proof import DICE_LINES, SECRET_ORIGINS, SecretOrigin
from bot.features.matches.session import MatchSession
from bot.features.matches.store import Matches
from bot.features.ratings.leaderboards import PROFILE_SECTIONS
from bot.features.servers import service as servers
from bot.platform.context import HEARTBEAT_MS, App
from bot.platform.db.jobs import Subject
from bot.platform.db.preferences import PlayerPreferences, Reminder
from bot.platform.db.rows import QueuedJob
from bot.platform.i18n.common import format_labelled, join_sentences
from bot.platform.i18n.reader import DeclinedError, Reader, StaleMatchError, escape_text
from bot.platform.jobs.destinations import loads_channels
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult, Removed, Reschedule, Retry
from bot.platform.people import is_pseudonym
from bot.platform.ui import access, channels
from bot.platform.ui.app_client import UNKNOWN_MESSAGE, AppClient, build_person
from bot.platform.ui.card import Card
from engine import dice
from engine.clock import HOUR

TRY_AGAIN_MS = 2_000
"""Milliseconds after which a match is tried again in which somebody played meanwhile."""
MAX_PASSES = 5
"""How often the matches of a round are gone through at once while people play in them."""


async def withdraw_departed(
    client: AppClient, view: ContestView, people: Collection[int]
) -> ContestView:
    """Withdraw those people from a contest who are no longer there, and return it as it is then."""
    view = await release_deleted_roles(client, view)
    asked = [person for person in people if not is_pseudonym(person)]
    # All at the same time, and before anything is locked.
    found = await asyncio.gather(
        *(_find_departure(client, view.contest, person) for person in asked)
    )
    departed = {
        person: departure
        for person, departure in zip(asked, found, strict=True)
        if departure is not None
    }
    if not departed:
        return view
    app, number = client.app, view.contest.id
    now = app.clock()
    jobs = service.build_departure_jobs(view, departed, now)
    change = await app.store.get(Contests).withdraw_departed(number, departed, now, jobs)
    app.take(change.jobs)
    return await service.load_contest(app, number)


async def release_deleted_roles(client: AppClient, view: ContestView) -> ContestView:
    """Let nobody be kept from a contest for want of a role that was deleted unnoticed."""
    app, contest = client.app, view.contest
    guild = client.get_guild(contest.guild)
    if guild is None or guild.unavailable:
        return view
    needed = (await app.store.servers.load_settings(guild.id)).role
    if needed is not None and guild.get_role(needed) is None:
        await servers.forget_deleted(app, guild.id, needed)
    if contest.role is None or guild.get_role(contest.role) is not None:
        return view
    await service.release_role(app, guild.id, contest.role)
    return await service.load_contest(app, contest.id)


async def _find_departure(
    client: AppClient, contest: tables.Contest, person: int
) -> tables.Departure | None:
    """Return why somebody can no longer play in a contest; None if they can."""
    try:
        member = await access.fetch_member(client, contest.guild, person)
    except access.NoMemberError:
        return tables.Departure.SERVER
    if member is None:
        return None
    if await service.lacks_entry_role(client.app, contest, build_person(member)):
        return tables.Departure.ROLE
    if not await access.is_seen_by(client, contest.guild, contest.channel, member):
        return tables.Departure.SIGHT
    return None


async def look_before_round(client: AppClient, view: ContestView) -> None:
    """Withdraw who is no longer there of those whom a contest is about to pair.

    Where somebody goes on by that, their next opponent is asked for too.
    """
    asked: set[int] = set()
    while people := list_next_players(view, client.app.clock()) - asked:
        asked |= people
        view = await withdraw_departed(client, view, people)


@handles(service.ShowContest)
async def show_contest(client: AppClient, job: service.ShowContest, queued: QueuedJob) -> JobResult:
    """Let a contest go on, and post it or bring its message up to date."""
    app = client.app
    view = await service.load_contest(app, job.contest)
    view = await release_deleted_roles(client, view)
    await look_before_round(client, view)
    view = await seasons.advance_contest(app, job.contest)
    contest = view.contest
    # A match that was annulled afterwards may have made somebody else the champion.
    if contest.state is ContestState.OVER and contest.has_roles:
        await app.enqueue(contest.guild, [service.GiveRoles(contest.series).build_job(app.clock())])
    if not contest.is_unfinished and contest.closing is not None:
        await app.enqueue(contest.guild, [service.AnnounceEnd(contest.id).build_job(app.clock())])
    channel = channels.ServerChannel(client, contest.guild, contest.channel)
    async with _report_closed_thread(channel, contest):
        return await _update_message(channel, view, queued)


def _report_closed_thread(
    channel: channels.ServerChannel, contest: tables.Contest
) -> AbstractAsyncContextManager[None]:
    return channels.report_closed_thread(
        channel, contest.organiser, lambda say: escape_text(texts.format_contest_name(say, contest))
    )


async def _update_message(
    channel: channels.ServerChannel, view: ContestView, queued: QueuedJob
) -> JobResult:
    client, contest = channel.client, view.contest
    app = client.app
    card = await build_card(app, channel.reader, view)
    # Only a message posted before anybody joins binds the bot to the secret.
    is_first = contest.state is ContestState.OPEN and not view.entrants
    shown = {"posted_digits": dice.COMMITMENT_DIGITS} if is_first else {}
    # What goes on is not called off where somebody has deleted its message.
    kept = await channels.keep_message(
        channel,
        card,
        contest.message,
        f"contest {contest.id}",
        lambda posted: app.store.get(Contests).save_message(
            contest.id, posted, contest.message, queued, **shown
        ),
        # The end of what is over was announced as well.
        reposts=contest.closing is None,
    )
    return kept or _wait_for_half_time(view, app.clock())


def _wait_for_half_time(view: ContestView, now: int) -> JobResult:
    """Show a contest again when nobody can join late any more, even if nothing else changes."""
    half = find_half_time(view.contest)
    is_stopped = view.contest.paused is not None
    if is_stopped or half is None or half <= now or not is_open_late(view, now):
        return Done()
    return Reschedule(service.ShowContest(view.contest.id).build_job(half))


async def build_card(app: App, say: Reader, view: ContestView, person: int | None = None) -> Card:
    """Return the card of a contest for everyone in its channel, or for one person alone."""
    contest, contests = view.contest, app.store.get(Contests)
    names = await app.load_all_names([each.person for each in view.entrants])
    before = following = None
    if contest.state is ContestState.OVER:
        following = await contests.find_next_season(contest.id)
    if contest.state is ContestState.OPEN and contest.previous is not None:
        before = await service.load_contest(app, contest.previous)
    return cards.contest_card(
        say, view, names, app.clock(), person, before=before, following=following
    )


@handles(service.AnnounceEnd)
async def announce_end(client: AppClient, job: service.AnnounceEnd, queued: QueuedJob) -> JobResult:
    """Post once that a contest is over, and tell those whom it concerns; or change that post."""
    app = client.app
    contests = app.store.get(Contests)
    view = await service.load_contest(app, job.contest)
    following = await contests.find_next_season(job.contest)
    contest, concerned = view.contest, list_concerned(view)
    if contest.state is ContestState.CANCELLED and not concerned:
        return Done()
    channel = channels.ServerChannel(client, contest.guild, contest.channel)
    names = await app.load_all_names([each.person for each in view.entrants])
    if contest.closing is not None:
        await _change_closing(
            channel, contest.closing, cards.closing_card(channel.reader, view, names, following)
        )
        return Done()
    if (quiet := await channel.load_quiet_end()) is not None:
        # At a time when it notifies them.
        return Reschedule(job.build_job(quiet))
    if following and following.contest.message is None:
        # It links to that message.
        return Reschedule(job.build_job(app.clock() + service.SETTLE_MS))
    called, direct = await _split_by_reminder(app, concerned)
    card = cards.closing_card(channel.reader, view, names, following, called)
    async with _report_closed_thread(channel, contest):
        posted = await channel.post(card, f"contest {contest.id} has ended")
    if not await contests.save_closing(contest.id, posted, queued):
        await channels.delete_message(client, contest.channel, posted)
        return Done()
    await _tell_directly(app, contest, direct)
    return Removed()


async def _change_closing(channel: channels.ServerChannel, message: int, card: Card) -> None:
    """Bring the post that announced an end up to date; one that was deleted stays so."""
    try:
        await channel.edit(message, card)
    except discord.NotFound as error:
        if error.code != UNKNOWN_MESSAGE:
            raise


async def _split_by_reminder(app: App, people: Collection[int]) -> tuple[list[int], list[int]]:
    """Return which of some people want to be told in the channel, and which by direct message."""
    reached = [person for person in people if not is_pseudonym(person)]
    chosen = await app.store.preferences.load_many(reached)
    wanted = {each: chosen.get(each, PlayerPreferences()).reminder for each in reached}
    called, direct = (
        [person for person in reached if wanted[person] is how]
        for how in (Reminder.CHANNEL, Reminder.DIRECT)
    )
    return called, direct


async def _tell_directly(app: App, contest: tables.Contest, people: Collection[int]) -> None:
    # One job each: if one message fails, only that one is tried again.
    now = app.clock()
    jobs = [service.InviteDirectly(contest.id, person).build_job(now) for person in people]
    await app.enqueue(contest.guild, jobs)


@handles(service.StartContest)
async def start_contest(client: AppClient, job: service.StartContest, _: QueuedJob) -> JobResult:
    """Start a contest whose sign-up has ended."""
    app = client.app
    view = await service.load_contest(app, job.contest)
    contest = view.contest
    if contest.state is not ContestState.OPEN:
        return Done()
    if contest.is_waiting:
        return Done()
    if contest.is_starting:
        # Where somebody else was quicker with the rest, or called it off, nothing is left to do.
        with suppress(DeclinedError):
            await seasons.resume_start(app, contest)
        return Done()
    if later := _find_later(app, contest, contest.starts):
        await _show_later(app, contest, contest.starts, later)
        return Reschedule(job.build_job(later))
    if contest.guild not in app.lost:
        people = [each.person for each in view.present]
        view = await withdraw_departed(client, view, people)
        try:
            await seasons.start_contest(app, job.contest)
        except service.TooFewEntrantsError:
            if contest.is_series:
                # Its series goes on with another season, for which the divisions are kept.
                if await seasons.wait_for_players(app, view):
                    return Done()
                return Retry("somebody joined meanwhile", TRY_AGAIN_MS)
        except DeclinedError:
            return Done()
        else:
            return Done()
    change = await app.store.get(Contests).cancel(
        job.contest, service.build_end_jobs(contest, app.clock())
    )
    app.take(change.jobs)
    return Done()


@handles(service.NotifyOrganiser)
async def notify_organiser(
    client: AppClient, job: service.NotifyOrganiser, _: QueuedJob
) -> JobResult:
    """Say who organised a contest what it is missing; where they can't be told, its card does."""
    view = await service.load_contest(client.app, job.contest)
    contest = view.contest
    if is_pseudonym(contest.organiser) or not await access.is_within_reach(
        client, contest.guild, contest.channel, contest.organiser
    ):
        return Done()
    say = await client.load_direct_reader(contest.organiser, contest.guild)
    link = channels.build_link(contest.guild, contest.channel, contest.message)
    card = cards.notice_card(say, view, link)
    if card is None:
        return Done()
    # By what it says, so that news of the same round is sent too.
    name = f"contest {contest.id} after round {job.round}: {card.texts}"
    await channels.DirectMessages(client, contest.organiser).try_post(card, name)
    return Done()


@handles(service.InvitePlayers)
async def invite_players(client: AppClient, job: service.InvitePlayers, _: QueuedJob) -> JobResult:
    """Sign last season's players up for a season, and tell them so that they can withdraw."""
    app = client.app
    view = await service.load_contest(app, job.contest)
    contest = view.contest
    if contest.state is not ContestState.OPEN or contest.previous is None:
        return Done()
    if job.since is None:
        # An earlier version only invited them, which announcing the end does.
        now = app.clock()
        await app.enqueue(contest.guild, [service.AnnounceEnd(contest.previous).build_job(now)])
        return Done()
    if contest.message is None:
        # Only from then on it is bound to its secret.
        return Reschedule(job.build_job(app.clock() + service.SETTLE_MS))
    view = await _enrol_players(client, view)
    channel = channels.ServerChannel(client, contest.guild, contest.channel)
    if (quiet := await channel.load_quiet_end()) is not None:
        # At a time when it notifies them.
        return Reschedule(job.build_job(quiet))
    enrolled = [
        each.person for each in view.present if each.is_enrolled and each.joined >= job.since
    ]
    called, direct = await _split_by_reminder(app, enrolled)
    if called:
        card = cards.enrolment_card(channel.reader, contest, called)
        await channel.post(card, f"contest {contest.id} is open since {job.since}")
    await _tell_directly(app, contest, direct)
    return Done()


async def _enrol_players(client: AppClient, view: ContestView) -> ContestView:
    """Sign up who played last season and is there, unless they have joined or withdrawn."""
    app, contest = client.app, view.contest
    assert contest.previous is not None
    last = await service.load_contest(app, contest.previous)
    people = list_returning(last, view)
    departures = await asyncio.gather(
        *(_find_departure(client, contest, person) for person in people)
    )
    now = app.clock()
    new = [
        # What they give to the dice is chosen by Discord, after the secret was posted.
        tables.Entrant(person, f"{contest.message} {person}", now)
        for person, departure in zip(people, departures, strict=True)
        if departure is None
    ]
    jobs = service.build_update_jobs(contest, now)
    most = service.get_most_entrants(contest)
    change = await app.store.get(Contests).enrol(contest.id, new, most, jobs)
    app.take(change.jobs)
    return await service.load_contest(app, contest.id)


@handles(service.InviteDirectly)
async def invite_directly(
    client: AppClient, job: service.InviteDirectly, _: QueuedJob
) -> JobResult:
    """Tell somebody what has become of a contest, in the channel if they take no messages."""
    app, person = client.app, job.person
    view = await service.load_contest(app, job.contest)
    contest, entrant = view.contest, view.find_entrant(person)
    has_withdrawn = entrant is not None and entrant.left is not None
    if contest.state is ContestState.RUNNING or (contest.is_unfinished and has_withdrawn):
        return Done()
    if not await access.is_within_reach(client, contest.guild, contest.channel, person):
        return Done()
    following = await app.store.get(Contests).find_next_season(job.contest)
    say = await client.load_direct_reader(person, contest.guild)
    name = f"contest {contest.id} {contest.state} to {person}"
    card = cards.direct_card(say, view, person, following, is_named=False)
    if not await channels.DirectMessages(client, person).try_post(card, name):
        channel = channels.ServerChannel(client, contest.guild, contest.channel)
        named = cards.direct_card(channel.reader, view, person, following, is_named=True)
        await channel.post(named, name)
    return Done()


@handles(service.EndContest)
async def end_contest(client: AppClient, job: service.EndContest, _: QueuedJob) -> JobResult:
    """Close the round of a contest whose deadline has come."""
    app = client.app
    contest = (await service.load_contest(app, job.contest)).contest
    if contest.state is not ContestState.RUNNING or contest.ends is None:
        return Done()
    if later := _find_later(app, contest, contest.ends):
        await _show_later(app, contest, contest.ends, later)
        return Reschedule(job.build_job(later))
    if not await seasons.close_round(app, job.contest):
        # It was closed before, and then given more time.
        again = service.DecideRound(job.contest, contest.closed_rounds).build_job(app.clock())
        await app.enqueue(contest.guild, [again])
    return Done()


@handles(service.DecideRound)
async def decide_round(client: AppClient, job: service.DecideRound, _: QueuedJob) -> JobResult:
    """Decide the matches that go on in a round that is closed."""
    app = client.app
    contest = (await service.load_contest(app, job.contest)).contest
    if not contest.is_running:
        return Done()
    for _pass in range(MAX_PASSES):
        # Often the bot rolls for somebody at that very moment.
        with suppress(StaleMatchError):
            await endings.decide_unfinished(app, job.contest, job.round)
            break
    else:
        return Retry("people played on", TRY_AGAIN_MS)
    await app.enqueue(contest.guild, [service.ShowContest(job.contest).build_job(app.clock())])
    return Done()


def _find_later(app: App, contest: tables.Contest, due: int) -> int | None:
    """Return when to look again at a deadline; None if it is over, and people could act by then."""
    now = app.clock()
    if contest.paused is not None:
        # Resuming it gives the deadline a new time.
        return now + HOUR
    if due > now:
        # It was put off, by an organiser or by an outage.
        return due
    if not app.is_time_running(contest.guild):
        return now + HEARTBEAT_MS
    if contest.guild in app.lost and now < due + IDLE_LIMIT_MS:
        # A server that is lost may come back, and gets the time back that it was lost.
        return now + HOUR
    return None


async def _show_later(app: App, contest: tables.Contest, due: int, later: int) -> None:
    """Bring up to date what may still tell a deadline from before it was put off."""
    if later == due:
        await app.enqueue(contest.guild, service.build_update_jobs(contest, app.clock()))


@handles(service.ThrowOpening)
async def throw_opening(client: AppClient, job: service.ThrowOpening, _: QueuedJob) -> JobResult:
    """Throw for who begins a match of a contest, once all that start with it are there."""
    app = client.app
    row = await app.store.get(Matches).load_row(job.match)
    contest = (
        await app.store.get(Contests).load_contest(row.contest) if row and row.contest else None
    )
    if contest is not None and contest.is_starting:
        return Reschedule(job.build_job(app.clock() + TRY_AGAIN_MS))
    if row is not None and contest is not None and row.version == 0:
        now = app.clock()
        # Before it begins, so that nobody has played yet who would rather not.
        for person in await app.store.get(Contests).load_optional(row.id):
            await app.enqueue(
                contest.guild, [service.NotifyOptional(row.id, person).build_job(now)]
            )
    await endings.throw_opening(client.app, job.match)
    return Done()


@handles(service.NotifyOptional)
async def notify_optional(
    client: AppClient, job: service.NotifyOptional, _: QueuedJob
) -> JobResult:
    """Tell one of two who would rather not meet that they were paired, and what they can do."""
    app = client.app
    row = await app.store.get(Matches).load_row(job.match)
    view = await app.store.get(Contests).load_view(row.contest) if row and row.contest else None
    pairing = view.find_pairing(job.match) if view else None
    if row is None or view is None or pairing is None or pairing.is_over:
        return Done()
    say = await client.load_direct_reader(job.person, row.guild)
    link = await find_match_link(client, row)
    card = cards.optional_match_card(say, view, pairing, job.person, link)
    # Where they take none, they find it among their matches.
    name = f"match {row.id} optional for {job.person}"
    await channels.DirectMessages(client, job.person).try_post(card, name)
    return Done()


@handles(service.ForfeitMatches)
async def forfeit_matches(
    client: AppClient, job: service.ForfeitMatches, _: QueuedJob
) -> JobResult:
    """Let somebody who has left a contest forfeit their matches in it."""
    await endings.forfeit_matches(client.app, job.contest, job.person)
    return Done()


@handles(service.FreePlace)
async def free_place(client: AppClient, job: service.FreePlace, _: QueuedJob) -> JobResult:
    """Annul the matches that go on of somebody in whose place another can play."""
    await endings.annul_matches(client.app, job.contest, job.person)
    return Done()


@handles(service.AnnulMatches)
async def annul_matches(client: AppClient, job: service.AnnulMatches, _: QueuedJob) -> JobResult:
    """Annul the matches that go on in a contest that was called off."""
    await endings.annul_matches(client.app, job.contest)
    return Done()


loads_channels(Subject.CONTEST)(lambda store, numbers: store.get(Contests).load_channels(numbers))


@channels.ROLE_DELETIONS.add()
async def follow_role_deletion(client: AppClient, guild: int, role: int) -> None:
    """Let everybody join the contests that needed a role which was deleted."""
    await service.release_role(client.app, guild, role)


MAX_EXAMINED = 25
"""Contests which somebody might have won: the latest."""


@PROFILE_SECTIONS.add(order=10)
async def load_titles_section(app: App, say: Reader, guild: int, person: int) -> str:
    """Return which contests of a server somebody has won; empty if none."""
    titles = await load_titles(app, guild, person)
    return texts.format_titles(say, titles) if titles else ""


async def load_titles(app: App, guild: int, person: int) -> list[tables.ContestTitle]:
    """Return the contests of a server that somebody has won, alone or with others, newest first."""
    views = await app.store.get(Contests).load_first_divisions(guild, person, MAX_EXAMINED)
    titles = []
    for view in views:
        champions = list_champions(view)
        if person in champions:
            titles.append(tables.ContestTitle(view.contest, len(champions) > 1))
    return titles


@MATCH_LABELS.add()
async def load_league_labels(
    app: App, say: Reader, sessions: Sequence[MatchSession]
) -> Mapping[int, str]:
    """Return the names of the contests of those matches that belong to one."""
    numbers = {each.id: each.row.contest for each in sessions if each.row.contest is not None}
    if not numbers:
        return {}
    leagues = await app.store.get(Contests).load_several(set(numbers.values()))
    return {
        match: escape_text(texts.format_contest_name(say, leagues[number]))
        for match, number in numbers.items()
    }


@COMING_MATCHES.add()
async def load_coming_matches(app: App, say: Reader, person: int) -> Sequence[str]:
    """Return what somebody has joined that has not begun, or of which some matches have not."""
    lines = []
    for view in await app.store.get(Contests).load_views_by_person(person):
        contest = view.contest
        waiting = (
            texts.format_own_waiting(say, view, person)
            if contest.is_running
            else texts.format_state(say, view, get_format(contest).least)
        )
        if waiting and contest.paused is not None:
            waiting = join_sentences(say, waiting, texts.format_pause(say))
        if waiting:
            name = escape_text(texts.format_contest_name(say, contest))
            label = name if contest.message is None else f"[{name}]({cards.link_contest(contest)})"
            lines.append(format_labelled(say, label, waiting))
    return lines


@SECRET_ORIGINS.add()
async def load_league_origin(app: App, session: MatchSession) -> SecretOrigin | None:
    """Return from which contest's secret that of a match is derived."""
    if session.row.contest is None:
        return None
    return await app.store.get(Contests).load_origin(session.id)


@DICE_LINES.add()
async def load_league_dice_lines(app: App, say: Reader, session: MatchSession) -> tuple[str, ...]:
    """Return what the dice of a contest's match prove."""
    origin = await load_league_origin(app, session)
    return texts.explain_league_dice(say, origin) if origin else ()
