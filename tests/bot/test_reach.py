"""Places that go away: no time runs in a match that nobody can reach, and it can be reached again."""

from collections.abc import Mapping
from typing import Any

import pytest
from simcord.backend import serializers

from bot.app import challenge, clocks, outages, play, tasks
from bot.app.people import Person
from bot.app.record import events_of, to_file, verify
from engine.clock import DAY, HOUR, NEVER
from engine.match import Phase
from tests.bot.conftest import Club
from tests.bot.driver import begin, live, seen, text

pytestmark = pytest.mark.asyncio


async def hear(club: Club, event: str, **payload: Any) -> None:
    """Let Discord tell the bot something, and the bot do what follows."""
    club.env.backend.emit(event, payload)
    await club.env.settle()
    await club.later(0)


async def go_away(club: Club, *, removed: bool = False) -> None:
    """Let the club's server be out of order, or remove the bot."""
    unavailable: Mapping[str, Any] = {} if removed else {"unavailable": True}
    await hear(club, "GUILD_DELETE", id=str(club.guild.id), **unavailable)


async def come_back(club: Club, *, invited: bool = False) -> None:
    """End the outage, or invite the bot again."""
    backend = club.env.backend
    payload = serializers.guild_create_payload(backend, backend.get_guild(club.guild.id))
    own = {key: value for key, value in payload.items() if key != "unavailable"}
    await hear(club, "GUILD_CREATE", **own, **({} if invited else {"unavailable": False}))


async def left(club: Club) -> int:
    """Milliseconds until the time of the one to act runs out."""
    sitting = await play.load(club.bot.app, 1)
    times = clocks.times(sitting)
    assert times is not None
    return times.out - club.hands()


@pytest.mark.parametrize("removed", [False, True], ids=["unavailable", "removed"])
async def test_no_time_runs_in_a_server_that_is_out_of_reach(club: Club, removed: bool) -> None:
    await begin(club, "zeno", pace="day", rated=True)
    await club.later(10 * HOUR)
    await go_away(club, removed=removed)
    # Somebody whose time would have run out, and an absence that would have ended the match.
    await club.later(3 * DAY)
    sitting = await play.load(club.bot.app, 1)
    assert sitting.match.phase is not Phase.OVER
    assert not sitting.late
    assert sitting.stops[-1].ended == NEVER
    await come_back(club, invited=removed)
    assert (await play.load(club.bot.app, 1)).match.phase is not Phase.OVER
    assert DAY - HOUR < await left(club) <= DAY
    assert "no time ran" in text(live(club)[0])


async def test_a_server_that_is_back_at_once_costs_and_gives_no_time(club: Club) -> None:
    await begin(club, "zeno", pace="day")
    await club.later(10 * HOUR)
    await go_away(club)
    await club.later(2 * HOUR)
    await come_back(club)
    # Of a day ten hours were used before, and none while the server was away.
    assert 14 * HOUR - 60_000 < await left(club) <= 14 * HOUR


async def test_an_outage_of_a_server_outlasts_the_program(club: Club) -> None:
    await begin(club, "zeno", pace="day")
    await go_away(club)
    await outages.begin(club.bot.app)
    assert club.bot.app.lost == {club.guild.id}
    await club.later(3 * DAY)
    sitting = await play.load(club.bot.app, 1)
    assert not sitting.late
    assert sitting.match.phase is not Phase.OVER


async def test_a_match_that_ends_while_its_server_is_away_has_a_sound_record(club: Club) -> None:
    await begin(club, "zeno", pace="day")
    await go_away(club)
    await club.later(DAY)
    sitting = await play.load(club.bot.app, 1)
    person = Person(club.ana.id, "Ana")
    report = await play.resign(club.bot.app, play.Action(1, person, "from elsewhere"))
    happened = await play.history(club.bot.app, report.sitting.row)
    record = to_file(report.sitting, events_of(report.sitting, happened))
    assert sitting.stops
    assert all(stop[1] <= club.hands() for stop in record["clock"]["stops"])
    assert verify(record).wrong is None


async def test_what_was_given_up_in_a_server_is_done_when_it_is_back(club: Club) -> None:
    await begin(club, "zeno", pace="day")
    await go_away(club)
    (job,) = await club.store.jobs.add(club.guild.id, [tasks.show_again(1, club.hands() + DAY)])
    await club.store.jobs.give_up(job, "Discord answers 404", club.hands())
    assert len(await club.store.jobs.given_up()) == 1
    await come_back(club)
    assert await club.store.jobs.given_up() == []
    due = await club.store.jobs.due(club.hands() + DAY // 2, 9)
    assert tasks.SHOW_MATCH not in [waiting.kind for waiting in due]


async def test_a_server_that_was_missing_at_the_start_is_out_of_reach(club: Club) -> None:
    await begin(club, "zeno", pace="day")
    app = club.bot.app
    app.given[0] = set()
    await outages.beat(app)
    assert app.lost == app.noted == {club.guild.id}
    await club.later(3 * DAY)
    assert not (await play.load(app, 1)).late
    app.given[0] = {club.guild.id}
    await outages.beat(app)
    assert app.lost == app.noted == set()
    await club.later(0)
    assert DAY - HOUR < await left(club) <= DAY


async def test_a_challenge_does_not_lapse_while_its_server_is_away(club: Club) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    await club.later(HOUR)
    await go_away(club)
    await club.later(3 * DAY)
    await come_back(club)
    await club.later(challenge.LASTS - 2 * HOUR)
    offered = await club.store.challenges.get(1)
    assert offered is not None
    assert offered.state == "open"
    await club.later(2 * HOUR)
    offered = await club.store.challenges.get(1)
    assert offered is not None
    assert offered.state == "lapsed"


async def test_a_server_is_greeted_once_for_each_invitation(club: Club) -> None:
    def greetings() -> int:
        return sum("/challenge" in text(message) for message in seen(club))

    # Discord tells of an outage's end without saying that there was one.
    await come_back(club, invited=True)
    assert greetings() == 1
    await go_away(club)
    await come_back(club, invited=True)
    assert greetings() == 1
    await go_away(club, removed=True)
    await come_back(club, invited=True)
    assert greetings() == 2
