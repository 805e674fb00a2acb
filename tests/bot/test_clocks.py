"""Slow matches: one reminder, a claim or an end on time, a stopped clock while nobody can act."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import discord
import pytest
import simcord

from bot.client import monotonic_ms
from bot.features.challenges.store import Challenges
from bot.features.deadlines.delivery import watch_clock
from bot.features.matches import clock as clocks
from bot.features.matches import loading, record
from bot.features.matches import service as play
from bot.features.matches.clock import REMINDED, TimeLeftError
from bot.features.matches.jobs import ShowMatch, WatchClock
from bot.features.matches.record import RecordFault
from bot.features.matches.service import Action, ActionResult, claim_match, close_match
from bot.features.matches.session import get_cached_session
from bot.features.matches.store import Matches
from bot.features.notifications.jobs import NOTIFY_DELAY_MS, NotifyFollowers
from bot.features.preferences.service import DAYS_A_YEAR
from bot.platform import outages
from bot.platform.context import HEARTBEAT_MS, App
from bot.platform.db.rows import Outage, Pause, QueuedJob
from bot.platform.jobs.runner import Reschedule
from bot.platform.people import DiscordPerson
from engine.clock import DAY, HOUR, MINUTE, SECOND
from engine.match import Phase
from tests.support import driver
from tests.support.club import SeededEntropy, SimulatedClub
from tests.support.panels import change_server, change_settings
from tests.support.stored import load_due

pytestmark = pytest.mark.asyncio


def find_waiting_player(club: SimulatedClub) -> simcord.MemberActor:
    """The one of Ana and Ben who is not called."""
    return club.ben if driver.find_mentioned_player(club) is club.ana else club.ana


def list_notices(club: SimulatedClub) -> list[discord.Message]:
    """The messages that call somebody to act, beside those of the matches."""
    return [
        message
        for message in driver.list_public_messages(club)
        if not driver.extract_text(message).startswith("###")
    ]


def find_turn_message(club: SimulatedClub) -> discord.Message:
    """The message of the match's turn."""
    return next(
        message
        for message in reversed(driver.list_public_messages(club))
        if driver.extract_text(message).startswith("###")
    )


async def verify_first_record(club: SimulatedClub) -> record.VerificationResult:
    """What a check of the first match's record finds."""
    session = await loading.load_session(club.bot.app, 1)
    happened = await loading.load_history(club.bot.app, session.row)
    kept = record.build_record(session, record.encode_events(session, happened))
    assert record.verify_record(kept) == record.verify_match(session, happened)
    return record.verify_record(kept)


async def test_a_challenge_says_its_pace_and_a_turn_until_when_there_is_time(
    club: SimulatedClub,
) -> None:
    await club.ana.slash(
        club.channel, "challenge", game="zeno", opponent=club.ben, pace="Three days"
    )
    assert "3 days a turn" in driver.extract_text(driver.get_newest_message(club))
    await club.ben.click(
        driver.get_newest_message(club),
        custom_id=driver.find_button(driver.get_newest_message(club), ":accept"),
    )
    session = await loading.load_session(club.bot.app, 1)
    ends = (session.clock.since + 3 * DAY) // 1000
    assert f"<@{session.person_to_act}>'s time runs out <t:{ends}:R>." in driver.extract_text(
        driver.get_newest_message(club)
    )
    assert f"time runs out <t:{ends}:R>" in driver.get_ephemeral_text(
        await club.ana.slash(club.channel, "matches")
    )


async def test_a_pace_that_is_none_is_refused(club: SimulatedClub) -> None:
    text = driver.get_ephemeral_text(
        await club.ana.slash(club.channel, "challenge", game="zeno", pace="soon")
    )
    assert text.startswith("There's no pace `soon`")
    assert driver.list_public_messages(club) == []


async def test_a_server_has_a_usual_pace(club: SimulatedClub) -> None:
    text = driver.get_ephemeral_text(await change_server(club.ana, club.channel, pace="week"))
    assert "Matches are rated, with this pace: 7 days a turn." in text
    await driver.start_match(club, "zeno")
    assert (await loading.load_session(club.bot.app, 1)).row.pace == "week"
    await driver.start_match(club, "zeno", pace="none")
    assert "runs out" not in driver.extract_text(driver.get_newest_message(club))
    offered = await club.ana.autocomplete(club.channel, "challenge", "pace", "30")
    assert [choice["value"] for choice in offered] == ["30m+1m"]


@pytest.mark.usefixtures("own_throws")
async def test_whoever_is_to_act_is_reminded_once_until_they_have_acted(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno", pace="day")
    person = driver.find_mentioned_player(club)
    await club.advance_clock(20 * HOUR)
    assert list_notices(club) == []
    await club.advance_clock(2 * HOUR)
    (reminder,) = list_notices(club)
    assert f"<@{person.id}>, your time in" in driver.extract_text(reminder)
    assert [user.id for user in reminder.mentions] == [person.id]
    await club.advance_clock(HOUR)
    assert list_notices(club) == [reminder]
    await person.click(
        find_turn_message(club), custom_id=driver.find_button(find_turn_message(club), ":roll")
    )
    await club.advance_clock(0)
    assert list_notices(club) == []


@pytest.mark.usefixtures("own_throws")
async def test_out_of_time_the_other_side_claims_the_match(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno", pace="day")
    late, other = driver.find_mentioned_player(club), find_waiting_player(club)
    early = await loading.load_session(club.bot.app, 1)
    await club.advance_clock(24 * HOUR + MINUTE)
    (notice,) = list_notices(club)
    assert driver.list_button_labels(notice) == ["Claim the win", "Give more time"]
    assert f"<@{late.id}>'s time has run out" in driver.extract_text(find_turn_message(club))
    # The one who is late may not claim, but may still act.
    assert driver.get_ephemeral_text(await late.click(notice, label="Claim the win")).startswith(
        "Only the players waiting"
    )
    assert "Roll" in driver.list_button_labels(find_turn_message(club))
    await other.click(notice, label="Claim the win")
    assert "ran out of time" in driver.extract_text(driver.get_newest_message(club))
    assert f"<@{other.id}> (" in driver.extract_text(driver.get_newest_message(club))
    assert list_notices(club) == []
    assert (await verify_first_record(club)).wrong is None
    # Had it been earlier, the record would show it.
    session = await loading.load_session(club.bot.app, 1)
    happened = await loading.load_history(club.bot.app, session.row)
    kept = record.build_record(session, record.encode_events(session, happened))
    kept["events"][-1]["at"] = early.clock.since + DAY - 1
    assert record.verify_record(kept).wrong is RecordFault.CLOCK
    del kept["clock"]
    assert record.verify_record(kept).wrong is RecordFault.CLOCK


async def test_there_is_nothing_to_claim_while_there_is_time(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno", pace="day")
    late, other = driver.find_mentioned_player(club), find_waiting_player(club)
    await club.advance_clock(25 * HOUR)
    (notice,) = list_notices(club)
    await other.click(notice, label="Give more time")
    await club.advance_clock(0)
    assert list_notices(club) == []
    assert f"<@{late.id}> was given more time." in driver.extract_text(find_turn_message(club))
    assert "Claim the win" not in driver.list_button_labels(find_turn_message(club))
    session = await loading.load_session(club.bot.app, 1)
    for act in (claim_match, play.grant_time):
        with pytest.raises(TimeLeftError):
            await act(club.bot.app, Action(1, DiscordPerson(other.id, "Other"), f"{act}"))
    assert (await loading.load_session(club.bot.app, 1)).match.version == session.match.version
    await club.advance_clock(23 * HOUR)
    assert "Claim the win" not in driver.list_button_labels(find_turn_message(club))
    await club.advance_clock(2 * HOUR)
    assert "Claim the win" in driver.list_button_labels(find_turn_message(club))


async def test_a_match_ends_by_itself_after_twice_its_time_and_is_rated(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno", pace="day")
    other = find_waiting_player(club)
    await club.advance_clock(25 * HOUR)
    await club.advance_clock(24 * HOUR)
    assert "ran out of time" in driver.extract_text(driver.get_newest_message(club))
    assert "Ratings:" in driver.extract_text(driver.get_newest_message(club))
    assert f"<@{other.id}> (" in driver.extract_text(driver.get_newest_message(club))
    assert list_notices(club) == driver.list_live_messages(club) == []
    assert (await verify_first_record(club)).wrong is None
    await club.advance_clock(NOTIFY_DELAY_MS)
    assert await load_due(club.store.jobs, club.hands() + 400 * DAY, 10) == []


async def test_a_match_that_nobody_touches_is_closed_and_counts_for_nothing(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno")
    await club.advance_clock(59 * DAY)
    assert driver.list_live_messages(club) != []
    await club.advance_clock(DAY + HOUR)
    assert (
        "**Closed**: nobody played for sixty days. The match doesn't count."
        in driver.extract_text(driver.get_newest_message(club))
    )
    # Nothing is said twice.
    assert len(driver.extract_text(driver.get_newest_message(club)).splitlines()) == 3
    assert (await verify_first_record(club)).wrong is None


@pytest.mark.sweep
async def test_no_time_runs_while_the_bot_is_down(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno", pace="day")
    other = find_waiting_player(club)
    await club.advance_clock(10 * HOUR)
    await outages.record_heartbeat(club.bot.app)
    club.hands.ahead += 3 * DAY
    bot = await club.restart_bot()
    club.bot = bot
    await club.advance_clock(2 * HEARTBEAT_MS)
    session = await loading.load_session(bot.app, 1)
    assert not session.late
    # The time would have run out meanwhile, so it starts over; and the message says why.
    assert "so the clock was stopped" in driver.extract_text(find_turn_message(club))
    assert list_notices(club) == []
    await club.advance_clock(23 * HOUR)
    assert len(list_notices(club)) == 1
    await club.advance_clock(2 * HOUR)
    assert "Claim the win" in driver.list_button_labels(find_turn_message(club))
    await club.advance_clock(DAY)
    assert "ran out of time." in driver.extract_text(driver.get_newest_message(club))
    assert f"**<@{other.id}> (" in driver.extract_text(driver.get_newest_message(club))
    assert (await verify_first_record(club)).wrong is None


@pytest.mark.sweep
async def test_nobody_is_out_of_time_while_discord_is_out_of_reach(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno", pace="day")
    await outages.record_heartbeat(club.bot.app)
    club.bot.app.away.add(0)
    await club.advance_clock(3 * DAY)
    assert list_notices(club) == []
    assert (await loading.load_session(club.bot.app, 1)).match.phase is not Phase.OVER
    await outages.record_heartbeat(club.bot.app)
    await club.advance_clock(HEARTBEAT_MS)
    assert "so the clock was stopped" in driver.extract_text(find_turn_message(club))


async def test_clocks_that_waited_are_looked_at_as_soon_as_people_can_act(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno", pace="day")
    await outages.record_heartbeat(club.bot.app)
    club.bot.app.away.add(0)
    await club.advance_clock(3 * DAY)
    jobs = club.store.jobs
    assert await load_due(jobs, club.hands(), 9) == []
    waiting = await load_due(jobs, club.hands() + HEARTBEAT_MS, 9)
    assert WatchClock.kind in [job.kind for job in waiting]
    await outages.record_heartbeat(club.bot.app)
    assert WatchClock.kind in [job.kind for job in await load_due(jobs, club.hands(), 9)]


async def start_steady_clock(club: SimulatedClub) -> None:
    """Let the bot know what time it is, so that it finds out when its clock is set."""
    club.bot.app.steady = monotonic_ms
    await outages.record_heartbeat(club.bot.app)


@pytest.mark.sweep
async def test_nobody_loses_by_a_clock_that_is_set_ahead(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno", pace="day")
    await driver.start_match(club, "zeno")
    await start_steady_clock(club)
    # Both matches would be over by their clocks at once.
    club.hands.ahead += 100 * DAY
    await club.bot.runner.retry_failed()
    await asyncio.sleep(1.5 * outages.POSTPONED_S)
    assert not (await loading.load_session(club.bot.app, 1)).late
    await outages.record_heartbeat(club.bot.app)
    await club.advance_clock(0)
    for match in (1, 2):
        session = await loading.load_session(club.bot.app, match)
        assert session.match.phase is not Phase.OVER
        assert not session.late
    assert list_notices(club) == []


async def test_nobody_is_out_of_time_by_a_clock_that_is_far_from_discord_s(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno", pace="live")
    app, is_wrong = club.bot.app, True
    app.is_clock_wrong = lambda: is_wrong
    club.hands.ahead += HOUR
    await asyncio.sleep(1.5 * outages.POSTPONED_S)
    session = await loading.load_session(app, 1)
    assert not session.late
    assert session.match.phase is not Phase.OVER
    is_wrong = False
    assert (await loading.load_session(app, 1)).late


@pytest.mark.parametrize("is_set", [True, False])
async def test_the_log_tells_a_clock_that_was_set_from_a_database_that_was_away(
    club: SimulatedClub, caplog: pytest.LogCaptureFixture, is_set: bool
) -> None:
    await driver.start_match(club, "zeno")
    app = club.bot.app
    passed = 0
    app.steady = lambda: passed
    await outages.record_heartbeat(app)
    # Nothing was saved for two minutes.
    club.hands.ahead += 2 * MINUTE
    passed = 0 if is_set else 2 * MINUTE
    await outages.record_heartbeat(app)
    (line,) = [each.getMessage() for each in caplog.records if "0:02:0" in each.getMessage()]
    start = "the clock jumped ahead by " if is_set else "nothing could be saved for "
    assert line.startswith(start)


def interrupt_pause_loads(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], Awaitable[None]]
) -> None:
    """Let something happen each time after it was read when the clocks stood still."""
    read = club.store.pauses.load_relevant

    async def slow(*concerning: Any) -> list[Pause]:
        found = await read(*concerning)
        await meanwhile()
        return found

    monkeypatch.setattr(club.store.pauses, "load_relevant", slow)


@pytest.mark.sweep
async def test_no_match_ends_that_is_loaded_while_an_outage_is_being_noted(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    await driver.start_match(club, "zeno", pace="day")
    await driver.start_match(club, "zeno")
    await start_steady_clock(club)

    one_beat = asyncio.Lock()

    async def note() -> None:
        async with one_beat:
            if club.bot.app.has_clock_jumped:
                await outages.record_heartbeat(club.bot.app)

    interrupt_pause_loads(club, monkeypatch, note)
    club.hands.ahead += 100 * DAY
    await club.bot.runner.retry_failed()
    await asyncio.sleep(1.5 * outages.POSTPONED_S)
    await note()
    await club.advance_clock(0)
    for match in (1, 2):
        assert (await loading.load_session(club.bot.app, match)).match.phase is not Phase.OVER
    assert list_notices(club) == []


@pytest.mark.parametrize("act", [claim_match, play.grant_time])
@pytest.mark.sweep
async def test_nothing_is_claimed_by_a_clock_that_is_set_while_the_match_is_loaded(
    club: SimulatedClub,
    monkeypatch: pytest.MonkeyPatch,
    act: Callable[[App, Action], Awaitable[ActionResult]],
) -> None:
    await driver.start_match(club, "zeno", pace="day")
    other = find_waiting_player(club)
    await start_steady_clock(club)

    async def set_ahead() -> None:
        club.hands.ahead += 3 * DAY
        await outages.record_heartbeat(club.bot.app)

    interrupt_pause_loads(club, monkeypatch, set_ahead)
    before = get_cached_session(club.bot.app, 1)
    assert before is not None
    with pytest.raises(TimeLeftError):
        await act(club.bot.app, Action(1, DiscordPerson(other.id, "Other"), "a press"))
    assert (await loading.load_session(club.bot.app, 1)).match.version == before.match.version


async def test_nobody_claims_a_match_before_it_is_noted_that_people_can_act_again(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno", pace="day")
    other = find_waiting_player(club)
    await outages.record_heartbeat(club.bot.app)
    club.bot.app.away.add(0)
    club.hands.ahead += 2 * DAY
    action = Action(1, DiscordPerson(other.id, "Other"), "a press")
    with pytest.raises(TimeLeftError):
        await claim_match(club.bot.app, action)
    with pytest.raises(TimeLeftError):
        await close_match(club.bot.app, await loading.load_session(club.bot.app, 1))


async def test_a_clock_that_is_set_while_people_are_noted_to_be_there_is_not_trusted(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    await start_steady_clock(club)
    note = club.store.pauses.record_presence

    async def slow(
        shards: Iterable[int], count: int, now: int, since: Sequence[Outage] = ()
    ) -> None:
        await note(shards, count, now, since)
        club.hands.ahead += DAY

    with monkeypatch.context() as patched:
        patched.setattr(club.store.pauses, "record_presence", slow)
        await outages.record_heartbeat(club.bot.app)
    assert club.bot.app.has_clock_jumped
    await outages.record_heartbeat(club.bot.app)
    assert not club.bot.app.has_clock_jumped


async def test_no_challenge_lapses_by_a_clock_that_is_wrong_for_a_moment(
    club: SimulatedClub,
) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    await start_steady_clock(club)
    club.hands.ahead += 2 * DAY
    await club.bot.runner.retry_failed()
    await club.ben.click(
        driver.get_newest_message(club),
        custom_id=driver.find_button(driver.get_newest_message(club), ":accept"),
    )
    await asyncio.sleep(1.5 * outages.POSTPONED_S)
    club.hands.ahead -= 2 * DAY
    await club.advance_clock(0)
    found = await club.store.get(Challenges).load_challenge(1)
    assert found is not None
    assert found.state == "open"


@pytest.mark.sweep
async def test_nothing_waits_for_the_time_that_a_wrong_clock_showed(
    club: SimulatedClub, caplog: pytest.LogCaptureFixture
) -> None:
    await driver.start_match(club, "zeno", pace="day")
    await start_steady_clock(club)
    club.hands.ahead += 5 * DAY
    await outages.record_heartbeat(club.bot.app)
    await club.store.jobs.enqueue(club.guild.id, [ShowMatch(1).build_job(club.hands() + SECOND)])
    club.hands.ahead -= 5 * DAY
    assert await load_due(club.store.jobs, club.hands(), 9) == []
    caplog.clear()
    await outages.record_heartbeat(club.bot.app)
    assert "the clock was set back by" in caplog.text
    assert ShowMatch.kind in [job.kind for job in await load_due(club.store.jobs, club.hands(), 9)]
    # An act may have been under way, and be saved by the wrong time after all that.
    late = NotifyFollowers(1).build_job(club.hands() + 5 * DAY)
    await club.store.jobs.enqueue(club.guild.id, [late])
    await outages.record_heartbeat(club.bot.app)
    assert late.kind in [job.kind for job in await load_due(club.store.jobs, club.hands(), 9)]
    # Nor do clocks stand still until then.
    outages_there = await club.store.pauses.load_relevant([], 0, club.guild.id)
    assert [outage for outage in outages_there if outage.ended > club.hands()] == []


async def test_the_log_says_how_the_run_before_ended(
    club: SimulatedClub, caplog: pytest.LogCaptureFixture
) -> None:
    text = "the previous run did not shut down cleanly; finishing what it left undone"
    await outages.start_run(club.bot.app)
    assert caplog.messages.count(text) == 1
    # Another that was refused, since this one serves its servers, has not begun.
    await outages.end_run(App(club.store, club.hands, SeededEntropy()))
    await outages.start_run(club.bot.app)
    assert caplog.messages.count(text) == 2
    await outages.end_run(club.bot.app)
    await outages.start_run(club.bot.app)
    assert caplog.messages.count(text) == 2


@pytest.mark.sweep
async def test_a_match_that_ended_by_its_clock_just_before_an_outage_has_a_right_record(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno", pace="day")
    await club.advance_clock(25 * HOUR)
    ends = clocks.compute_deadlines(await loading.load_session(club.bot.app, 1))
    assert ends is not None
    club.hands.ahead += ends.ends - club.hands() - 10 * SECOND
    await club.store.pauses.record_presence([0], 1, club.hands())
    await club.advance_clock(12 * SECOND)
    assert (await loading.load_session(club.bot.app, 1)).match.phase is Phase.OVER
    # The program was killed before it noted again that people can act.
    club.hands.ahead += HOUR
    await outages.record_heartbeat(club.bot.app)
    assert (await verify_first_record(club)).wrong is None


async def test_somebody_s_vacation_stops_their_clocks_and_opponents_see_it(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno", pace="day")
    late = driver.find_mentioned_player(club)
    text = driver.get_ephemeral_text(await late.slash(club.channel, "me vacation", days=7))
    assert "You're on vacation until" in text
    assert f"{DAYS_A_YEAR - 7} vacation days left" in text
    assert f"<@{late.id}> is on vacation until" in driver.extract_text(find_turn_message(club))
    assert "You're already on vacation" in driver.get_ephemeral_text(
        await late.slash(club.channel, "me vacation", days=2)
    )
    await club.advance_clock(5 * DAY)
    assert list_notices(club) == []
    text = driver.get_ephemeral_text(await late.slash(club.channel, "me vacation", days=0))
    assert f"{DAYS_A_YEAR - 6} vacation days left" in text
    assert "is away" not in driver.extract_text(find_turn_message(club))
    assert "You're not on vacation" in driver.get_ephemeral_text(
        await late.slash(club.channel, "me vacation", days=0)
    )
    assert "You're not on vacation" in driver.get_ephemeral_text(
        await late.slash(club.channel, "me vacation")
    )
    await club.advance_clock(23 * HOUR)
    assert len(list_notices(club)) == 1
    assert (
        f"You have {DAYS_A_YEAR - 6} of your {DAYS_A_YEAR} vacation days left"
        in driver.get_ephemeral_text(await late.slash(club.channel, "me vacation", days=30))
    )


@pytest.mark.sweep
async def test_nobody_is_reminded_again_when_somebody_goes_away(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno", pace="day")
    late, other = driver.find_mentioned_player(club), find_waiting_player(club)
    await club.advance_clock(22 * HOUR)
    (reminder,) = list_notices(club)
    for person in (other, late):
        await person.slash(club.channel, "me vacation", days=2)
        await club.advance_clock(HOUR)
        assert [notice.id for notice in list_notices(club)] == [reminder.id]
    await club.advance_clock(2 * DAY + 2 * HOUR)
    assert "Claim the win" in driver.list_button_labels(find_turn_message(club))
    assert "has run out. You can claim the match or give more time." in driver.extract_text(
        list_notices(club)[0]
    )


@pytest.mark.sweep
async def test_nobody_is_reminded_again_when_the_server_was_out_of_reach_for_a_moment(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno", pace="day")
    await club.advance_clock(22 * HOUR)
    (reminder,) = list_notices(club)
    outages.mark_server_lost(club.bot.app, club.guild.id)
    # Its clock is looked after just now, when nobody knows for certain whether people can act.
    job = await find_watch_job(club)
    result = await watch_clock(club.bot, WatchClock.load(job), job)
    assert isinstance(result, Reschedule)
    club.bot.app.take(await club.store.jobs.replace(job, result.newer))
    outages.mark_server_back(club.bot.app, club.guild.id)
    await club.advance_clock(HEARTBEAT_MS)
    assert [notice.id for notice in list_notices(club)] == [reminder.id]
    assert (await find_watch_job(club)).detail["called"] == REMINDED


async def find_watch_job(club: SimulatedClub) -> QueuedJob:
    """The job that looks after the only clock."""
    waiting = await load_due(club.store.jobs, club.hands() + 2 * DAY, 9)
    (job,) = (each for each in waiting if each.kind == WatchClock.kind)
    return job


@pytest.mark.sweep
async def test_a_live_match_stops_for_nobody_s_vacation(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno", pace="live")
    await driver.find_mentioned_player(club).slash(club.channel, "me vacation", days=7)
    await club.advance_clock(11 * MINUTE)
    assert "Claim the win" in driver.list_button_labels(find_turn_message(club))


async def test_reminders_come_where_somebody_likes_them(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno", pace="day")
    person = driver.find_mentioned_player(club)
    text = driver.get_ephemeral_text(
        await change_settings(person, club.channel, reminders="direct")
    )
    assert "by direct message" in text
    await club.advance_clock(22 * HOUR)
    assert list_notices(club) == []
    assert "your time in" in driver.extract_text(person.user.dm_channel.last_message)


@pytest.mark.sweep
async def test_whoever_wants_no_reminder_gets_none(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno", pace="day")
    await change_settings(driver.find_mentioned_player(club), club.channel, reminders="never")
    await club.advance_clock(22 * HOUR)
    assert list_notices(club) == []
    await club.advance_clock(3 * HOUR)
    assert len(list_notices(club)) == 1


@pytest.mark.sweep
async def test_a_rematch_has_the_same_pace(club: SimulatedClub) -> None:
    await driver.start_match(club, "twelve-dogs", pace="5d+12h")
    assert "5 days in total, plus 12 hours after each turn" in driver.extract_text(
        driver.list_public_messages(club)[0]
    )
    await driver.give_up(club, club.ana, club.channel)
    await club.ana.click(driver.get_newest_message(club), label="Rematch, sides swapped")
    assert "5 days in total" in driver.extract_text(driver.get_newest_message(club))


async def test_options_are_chosen_on_a_card_that_keeps_the_pace(club: SimulatedClub) -> None:
    result = await club.ana.slash(
        club.channel, "challenge", game="zeno", pace="live", options="choose"
    )
    await club.ana.click(driver.get_response(result).message, label="Challenge")
    assert "10 minutes a turn" in driver.extract_text(driver.get_newest_message(club))


@pytest.mark.asyncio
async def test_no_match_is_closed_as_idle_by_a_clock_that_was_set_back(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno")
    # The job looked while the clock was ahead by more than the limit.
    session = await loading.load_session(club.bot.app, 1)
    ahead = replace(session, now=session.now + 2 * clocks.IDLE_LIMIT_MS)
    with pytest.raises(TimeLeftError):
        await close_match(club.bot.app, ahead)
    row = await club.store.get(Matches).load_row(1)
    assert row is not None
    assert row.ended is None
