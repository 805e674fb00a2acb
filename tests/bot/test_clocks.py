"""Slow matches: one reminder, a claim or an end on time, a stopped clock while nobody can act."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

import discord
import pytest
import simcord

from bot.app import clocks, outages, play, record, tasks
from bot.app.clocks import REMINDED
from bot.app.context import App
from bot.app.errors import Declined, Why
from bot.app.habits import DAYS_A_YEAR
from bot.app.people import Person
from bot.app.play import Action, Report
from bot.app.record import Wrong
from bot.client import Tabula, steady_ms
from bot.delivery.clocks import watch
from bot.store import Outage, Pause, QueuedJob
from engine.clock import DAY, HOUR, MINUTE, SECOND
from engine.match import Phase
from tests.bot.conftest import Club, Seeded
from tests.bot.driver import (
    answer,
    begin,
    button,
    called,
    labels,
    live,
    newest,
    said,
    seen,
    step,
    text,
)

pytestmark = pytest.mark.asyncio


def waiting(club: Club) -> simcord.MemberActor:
    """The one of Ana and Ben who is not called."""
    return club.ben if called(club) is club.ana else club.ana


def notices(club: Club) -> list[discord.Message]:
    """The messages that call somebody to act, beside those of the matches."""
    return [message for message in seen(club) if not text(message).startswith("###")]


def shown(club: Club) -> discord.Message:
    """The message of the match's turn."""
    return next(message for message in reversed(seen(club)) if text(message).startswith("###"))


async def found(club: Club) -> record.Verdict:
    """What a check of the first match's record finds."""
    sitting = await play.load(club.bot.app, 1)
    happened = await play.history(club.bot.app, sitting.row)
    kept = record.to_file(sitting, record.events_of(sitting, happened))
    assert record.verify(kept) == record.verify_match(sitting, happened)
    return record.verify(kept)


async def test_a_challenge_says_its_pace_and_a_turn_until_when_there_is_time(club: Club) -> None:
    await club.ana.slash(
        club.channel, "challenge", game="zeno", opponent=club.ben, pace="Three days"
    )
    assert "3 days a turn" in text(newest(club))
    await club.ben.click(newest(club), custom_id=button(newest(club), ":accept"))
    sitting = await play.load(club.bot.app, 1)
    ends = (sitting.clock.since + 3 * DAY) // 1000
    assert f"<@{sitting.to_act}>'s time runs out <t:{ends}:R>." in text(newest(club))
    assert f"out of time <t:{ends}:R>" in said(await club.ana.slash(club.channel, "games"))


async def test_a_pace_that_is_none_is_refused(club: Club) -> None:
    told = said(await club.ana.slash(club.channel, "challenge", game="zeno", pace="soon"))
    assert told.startswith("There's no pace `soon`")
    assert seen(club) == []


async def test_a_server_has_a_usual_pace(club: Club) -> None:
    told = said(await club.ana.slash(club.channel, "server matches", pace="week"))
    assert "Matches are rated, with this pace: 7 days a turn." in told
    await begin(club, "zeno")
    assert (await play.load(club.bot.app, 1)).row.pace == "week"
    await begin(club, "zeno", pace="none")
    assert "runs out" not in text(newest(club))
    offered = await club.ana.autocomplete(club.channel, "challenge", "pace", "30")
    assert [choice["value"] for choice in offered] == ["30m+1m"]


async def test_whoever_is_to_act_is_reminded_once_until_they_have_acted(club: Club) -> None:
    await begin(club, "zeno", pace="day")
    person = called(club)
    await club.later(20 * HOUR)
    assert notices(club) == []
    await club.later(2 * HOUR)
    (reminder,) = notices(club)
    assert f"<@{person.id}>, your time in" in text(reminder)
    assert [user.id for user in reminder.mentions] == [person.id]
    await club.later(HOUR)
    assert notices(club) == [reminder]
    await person.click(shown(club), custom_id=button(shown(club), ":roll"))
    await club.later(0)
    assert notices(club) == []


async def test_out_of_time_the_other_side_claims_the_match(club: Club) -> None:
    await begin(club, "zeno", pace="day")
    late, other = called(club), waiting(club)
    early = await play.load(club.bot.app, 1)
    await club.later(24 * HOUR + MINUTE)
    (notice,) = notices(club)
    assert labels(notice) == ["Claim the win", "Give more time"]
    assert f"<@{late.id}>'s time has run out" in text(shown(club))
    # The one who is late may not claim, but may still act.
    assert said(await late.click(notice, label="Claim the win")).startswith(
        "Only the players waiting"
    )
    assert "Roll" in labels(shown(club))
    await other.click(notice, label="Claim the win")
    assert "ran out of time" in text(newest(club))
    assert f"<@{other.id}> (" in text(newest(club))
    assert notices(club) == []
    assert (await found(club)).wrong is None
    # Had it been earlier, the record would show it.
    sitting = await play.load(club.bot.app, 1)
    happened = await play.history(club.bot.app, sitting.row)
    kept = record.to_file(sitting, record.events_of(sitting, happened))
    kept["events"][-1]["at"] = early.clock.since + DAY - 1
    assert record.verify(kept).wrong is Wrong.CLOCK
    del kept["clock"]
    assert record.verify(kept).wrong is Wrong.CLOCK


async def test_there_is_nothing_to_claim_while_there_is_time(club: Club) -> None:
    await begin(club, "zeno", pace="day")
    late, other = called(club), waiting(club)
    await club.later(25 * HOUR)
    (notice,) = notices(club)
    await other.click(notice, label="Give more time")
    await club.later(0)
    assert notices(club) == []
    assert f"<@{late.id}> was given fresh time." in text(shown(club))
    assert "Claim the win" not in labels(shown(club))
    sitting = await play.load(club.bot.app, 1)
    for act in (play.claim, play.grant):
        with pytest.raises(Declined, match=Why.TIME_LEFT):
            await act(club.bot.app, Action(1, Person(other.id, "Other"), f"{act}"))
    assert (await play.load(club.bot.app, 1)).match.version == sitting.match.version
    await club.later(23 * HOUR)
    assert "Claim the win" not in labels(shown(club))
    await club.later(2 * HOUR)
    assert "Claim the win" in labels(shown(club))


async def test_a_match_ends_by_itself_after_twice_its_time_and_is_rated(club: Club) -> None:
    await begin(club, "zeno", pace="day")
    other = waiting(club)
    await club.later(25 * HOUR)
    await club.later(24 * HOUR)
    assert "ran out of time" in text(newest(club))
    assert "Ratings:" in text(newest(club))
    assert f"<@{other.id}> (" in text(newest(club))
    assert notices(club) == live(club) == []
    assert (await found(club)).wrong is None
    await club.later(play.TOLD_AFTER)
    assert await club.store.jobs.due(club.hands() + 400 * DAY, 10) == []


async def test_a_match_that_nobody_touches_is_closed_and_counts_for_nothing(club: Club) -> None:
    await begin(club, "zeno")
    await club.later(59 * DAY)
    assert live(club) != []
    await club.later(DAY + HOUR)
    assert "**Closed**: nobody played for sixty days. The match doesn't count." in text(
        newest(club)
    )
    # Nothing is said twice.
    assert len(text(newest(club)).splitlines()) == 3
    assert (await found(club)).wrong is None


async def test_no_time_runs_while_the_bot_is_down(club: Club) -> None:
    await begin(club, "zeno", pace="day")
    other = waiting(club)
    await club.later(10 * HOUR)
    await outages.beat(club.bot.app)
    club.hands.ahead += 3 * DAY
    bot = Tabula(club.store, clock=club.hands, entropy=Seeded())
    await club.env.restart_bot(bot)
    club.bot = bot
    await club.later(2 * outages.BEAT)
    sitting = await play.load(bot.app, 1)
    assert not sitting.late
    # The time would have run out meanwhile, so it begins anew; and the message says why.
    assert "so the clock was stopped" in text(shown(club))
    assert notices(club) == []
    await club.later(23 * HOUR)
    assert len(notices(club)) == 1
    await club.later(2 * HOUR)
    assert "Claim the win" in labels(shown(club))
    await club.later(DAY)
    assert "ran out of time." in text(newest(club))
    assert f"**<@{other.id}> (" in text(newest(club))
    assert (await found(club)).wrong is None


async def test_nobody_is_out_of_time_while_discord_is_out_of_reach(club: Club) -> None:
    await begin(club, "zeno", pace="day")
    await outages.beat(club.bot.app)
    club.bot.app.away.add(0)
    await club.later(3 * DAY)
    assert notices(club) == []
    assert (await play.load(club.bot.app, 1)).match.phase is not Phase.OVER
    await outages.beat(club.bot.app)
    await club.later(outages.BEAT)
    assert "so the clock was stopped" in text(shown(club))


async def steadied(club: Club) -> None:
    """Let the bot know what time it is, so that it finds out when its clock is set."""
    club.bot.app.steady = steady_ms
    await outages.beat(club.bot.app)


async def test_nobody_loses_by_a_clock_that_is_set_ahead(club: Club) -> None:
    await begin(club, "zeno", pace="day")
    await begin(club, "zeno")
    await steadied(club)
    # Both matches would be over by their clocks at once.
    club.hands.ahead += 100 * DAY
    await club.bot.runner.hurry()
    await asyncio.sleep(1.5 * outages.POSTPONED_S)
    assert not (await play.load(club.bot.app, 1)).late
    await outages.beat(club.bot.app)
    await club.later(0)
    for match in (1, 2):
        sitting = await play.load(club.bot.app, match)
        assert sitting.match.phase is not Phase.OVER
        assert not sitting.late
    assert notices(club) == []


def read_slowly(
    club: Club, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], Awaitable[None]]
) -> None:
    """Let something happen each time after it was read when the clocks stood still."""
    read = club.store.pauses.bearing_on

    async def slow(*concerning: Any) -> list[Pause]:
        found = await read(*concerning)
        await meanwhile()
        return found

    monkeypatch.setattr(club.store.pauses, "bearing_on", slow)


async def test_no_match_ends_that_is_loaded_while_an_outage_is_being_noted(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin(club, "zeno", pace="day")
    await begin(club, "zeno")
    await steadied(club)

    one_beat = asyncio.Lock()

    async def note() -> None:
        async with one_beat:
            if club.bot.app.clock_was_set:
                await outages.beat(club.bot.app)

    read_slowly(club, monkeypatch, note)
    club.hands.ahead += 100 * DAY
    await club.bot.runner.hurry()
    await asyncio.sleep(1.5 * outages.POSTPONED_S)
    await note()
    await club.later(0)
    for match in (1, 2):
        assert (await play.load(club.bot.app, match)).match.phase is not Phase.OVER
    assert notices(club) == []


@pytest.mark.parametrize("act", [play.claim, play.grant])
async def test_nothing_is_claimed_by_a_clock_that_is_set_while_the_match_is_loaded(
    club: Club, monkeypatch: pytest.MonkeyPatch, act: Callable[[App, Action], Awaitable[Report]]
) -> None:
    await begin(club, "zeno", pace="day")
    other = waiting(club)
    await steadied(club)

    async def set_ahead() -> None:
        club.hands.ahead += 3 * DAY
        await outages.beat(club.bot.app)

    read_slowly(club, monkeypatch, set_ahead)
    before = club.bot.app.known(1)
    assert before is not None
    with pytest.raises(Declined, match=Why.TIME_LEFT):
        await act(club.bot.app, Action(1, Person(other.id, "Other"), "a press"))
    assert (await play.load(club.bot.app, 1)).match.version == before.match.version


async def test_nobody_claims_a_match_before_it_is_noted_that_people_can_act_again(
    club: Club,
) -> None:
    await begin(club, "zeno", pace="day")
    other = waiting(club)
    await outages.beat(club.bot.app)
    club.bot.app.away.add(0)
    club.hands.ahead += 2 * DAY
    action = Action(1, Person(other.id, "Other"), "a press")
    with pytest.raises(Declined, match=Why.TIME_LEFT):
        await play.claim(club.bot.app, action)
    with pytest.raises(Declined, match=Why.TIME_LEFT):
        await play.close(club.bot.app, await play.load(club.bot.app, 1))


async def test_a_clock_that_is_set_while_people_are_noted_to_be_there_is_not_trusted(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await steadied(club)
    note = club.store.pauses.served

    async def slow(
        shards: Iterable[int], count: int, now: int, since: Sequence[Outage] = ()
    ) -> None:
        await note(shards, count, now, since)
        club.hands.ahead += DAY

    with monkeypatch.context() as patched:
        patched.setattr(club.store.pauses, "served", slow)
        await outages.beat(club.bot.app)
    assert club.bot.app.clock_was_set
    await outages.beat(club.bot.app)
    assert not club.bot.app.clock_was_set


async def test_no_challenge_lapses_by_a_clock_that_is_wrong_for_a_moment(club: Club) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    await steadied(club)
    club.hands.ahead += 2 * DAY
    await club.bot.runner.hurry()
    await club.ben.click(newest(club), custom_id=button(newest(club), ":accept"))
    await asyncio.sleep(1.5 * outages.POSTPONED_S)
    club.hands.ahead -= 2 * DAY
    await club.later(0)
    found = await club.store.challenges.get(1)
    assert found is not None
    assert found.state == "open"


async def test_nothing_waits_for_the_time_that_a_wrong_clock_showed(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    await begin(club, "zeno", pace="day")
    await steadied(club)
    club.hands.ahead += 5 * DAY
    await outages.beat(club.bot.app)
    await club.store.jobs.add(club.guild.id, [tasks.show_match(1, club.hands() + SECOND)])
    club.hands.ahead -= 5 * DAY
    assert await club.store.jobs.due(club.hands(), 9) == []
    caplog.clear()
    await outages.beat(club.bot.app)
    assert "the clock was set back by" in caplog.text
    assert tasks.SHOW_MATCH in [job.kind for job in await club.store.jobs.due(club.hands(), 9)]
    # An act may have been under way, and be saved by the wrong time after all that.
    late = tasks.tell_followers(1, club.hands() + 5 * DAY)
    await club.store.jobs.add(club.guild.id, [late])
    await outages.beat(club.bot.app)
    assert late.kind in [job.kind for job in await club.store.jobs.due(club.hands(), 9)]
    # Nor do clocks stand still until then.
    outages_there = await club.store.pauses.bearing_on([], 0, club.guild.id)
    assert [outage for outage in outages_there if outage.ended > club.hands()] == []


async def test_the_log_says_how_the_run_before_ended(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    said = "the run before did not end in good order; what it left undone is done now"
    await outages.begin(club.bot.app)
    assert caplog.messages.count(said) == 1
    # Another that was refused, since this one serves its servers, has not begun.
    await outages.end(App(club.store, club.hands, Seeded()))
    await outages.begin(club.bot.app)
    assert caplog.messages.count(said) == 2
    await outages.end(club.bot.app)
    await outages.begin(club.bot.app)
    assert caplog.messages.count(said) == 2


async def test_a_match_that_ended_by_its_clock_just_before_an_outage_has_a_right_record(
    club: Club,
) -> None:
    await begin(club, "zeno", pace="day")
    await club.later(25 * HOUR)
    ends = clocks.times(await play.load(club.bot.app, 1))
    assert ends is not None
    club.hands.ahead += ends.ends - club.hands() - 10 * SECOND
    await club.store.pauses.served([0], 1, club.hands())
    await club.later(12 * SECOND)
    assert (await play.load(club.bot.app, 1)).match.phase is Phase.OVER
    # The program was killed before it noted again that people can act.
    club.hands.ahead += HOUR
    await outages.beat(club.bot.app)
    assert (await found(club)).wrong is None


async def test_somebody_s_vacation_stops_their_clocks_and_opponents_see_it(club: Club) -> None:
    await begin(club, "zeno", pace="day")
    late = called(club)
    told = said(await late.slash(club.channel, "vacation", days=7))
    assert "You're on vacation until" in told
    assert f"{DAYS_A_YEAR - 7} vacation days left" in told
    assert f"<@{late.id}> is away until" in text(shown(club))
    assert "You're already away" in said(await late.slash(club.channel, "vacation", days=2))
    await club.later(5 * DAY)
    assert notices(club) == []
    told = said(await late.slash(club.channel, "vacation", days=0))
    assert f"{DAYS_A_YEAR - 6} vacation days left" in told
    assert "is away" not in text(shown(club))
    assert "You're not away" in said(await late.slash(club.channel, "vacation", days=0))
    assert "You're not on vacation" in said(await late.slash(club.channel, "vacation"))
    await club.later(23 * HOUR)
    assert len(notices(club)) == 1
    assert f"You have {DAYS_A_YEAR - 6} of your {DAYS_A_YEAR} days away left" in said(
        await late.slash(club.channel, "vacation", days=30)
    )


async def test_nobody_is_reminded_again_when_somebody_goes_away(club: Club) -> None:
    await begin(club, "zeno", pace="day")
    late, other = called(club), waiting(club)
    await club.later(22 * HOUR)
    (reminder,) = notices(club)
    for person in (other, late):
        await person.slash(club.channel, "vacation", days=2)
        await club.later(HOUR)
        assert [notice.id for notice in notices(club)] == [reminder.id]
    await club.later(2 * DAY + 2 * HOUR)
    assert "Claim the win" in labels(shown(club))
    assert "has run out. You can claim the match or give fresh time." in text(notices(club)[0])


async def test_nobody_is_reminded_again_when_the_server_was_out_of_reach_for_a_moment(
    club: Club,
) -> None:
    await begin(club, "zeno", pace="day")
    await club.later(22 * HOUR)
    (reminder,) = notices(club)
    outages.lose_server(club.bot.app, club.guild.id)
    # Its clock is looked after just now, when nobody knows for certain whether people can act.
    await watch(club.bot, await watching(club))
    outages.find_server(club.bot.app, club.guild.id)
    await club.later(outages.BEAT)
    assert [notice.id for notice in notices(club)] == [reminder.id]
    assert (await watching(club)).detail["called"] == REMINDED


async def watching(club: Club) -> QueuedJob:
    """The job that looks after the only clock."""
    waiting = await club.store.jobs.due(club.hands() + 2 * DAY, 9)
    (job,) = (each for each in waiting if each.kind == tasks.WATCH)
    return job


async def test_a_live_match_stops_for_nobody_s_vacation(club: Club) -> None:
    await begin(club, "zeno", pace="live")
    await called(club).slash(club.channel, "vacation", days=7)
    await club.later(11 * MINUTE)
    assert "Claim the win" in labels(shown(club))


async def test_reminders_come_where_somebody_likes_them(club: Club) -> None:
    await begin(club, "zeno", pace="day")
    person = called(club)
    told = said(await person.slash(club.channel, "settings", reminders="direct"))
    assert "by direct message" in told
    await club.later(22 * HOUR)
    assert notices(club) == []
    assert "your time in" in text(person.user.dm_channel.last_message)


async def test_whoever_wants_no_reminder_gets_none(club: Club) -> None:
    await begin(club, "zeno", pace="day")
    await called(club).slash(club.channel, "settings", reminders="never")
    await club.later(22 * HOUR)
    assert notices(club) == []
    await club.later(3 * HOUR)
    assert len(notices(club)) == 1


async def test_dice_are_thrown_for_whoever_wishes_it_once_the_turn_before_is_settled(
    club: Club,
) -> None:
    for person in (club.ana, club.ben):
        assert "I roll for you" in said(await person.slash(club.channel, "settings", throw=True))
    await begin(club, "zeno")
    before = await play.load(club.bot.app, 1)
    assert before.match.phase is Phase.THROW
    await club.later(20_000)
    assert (await play.load(club.bot.app, 1)).match.version == before.match.version
    await club.later(11_000)
    assert (await play.load(club.bot.app, 1)).match.phase is not Phase.THROW
    # What the other side played can be taken back until then, and the wish for that throw is void.
    assert await step(club)
    version = (await play.load(club.bot.app, 1)).match.version
    await called(club).click(shown(club), custom_id=button(shown(club), ":roll"))
    await club.later(40_000)
    sitting = await play.load(club.bot.app, 1)
    assert sitting.match.version >= version + 1


async def test_a_rematch_has_the_same_pace(club: Club) -> None:
    await begin(club, "twelve-dogs", pace="5d+12h")
    assert "5 days in total, plus 12 hours after each turn" in text(seen(club)[0])
    await club.ana.slash(club.channel, "resign")
    await club.ana.click(newest(club), label="Rematch")
    assert "5 days in total" in text(newest(club))


async def test_options_are_chosen_on_a_card_that_keeps_the_pace(club: Club) -> None:
    result = await club.ana.slash(
        club.channel, "challenge", game="zeno", pace="live", options="choose"
    )
    await club.ana.click(answer(result).message, label="Challenge")
    assert "10 minutes a turn" in text(newest(club))
