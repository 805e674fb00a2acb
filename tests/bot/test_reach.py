"""Unreachable places: a match's clock stops while nobody can reach it, until somebody can."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import discord
import pytest
import simcord
from simcord.backend import serializers
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.features.challenges import service as challenge
from bot.features.challenges.store import Challenges
from bot.features.matches import clock as clocks
from bot.features.matches import loading
from bot.features.matches import service as play
from bot.features.matches.jobs import ShowMatch
from bot.features.matches.record import build_record, encode_events, verify_record
from bot.features.matches.service import resign_match
from bot.features.matches.store import Matches
from bot.platform import outages
from bot.platform.people import DiscordPerson
from bot.platform.ui.app_client import MAX_REPOSTS
from engine.clock import DAY, HOUR, NEVER
from engine.match import Phase
from engine.notation import format_play
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    get_ephemeral_text,
    get_response,
    list_button_labels,
    list_control_ids,
    list_live_messages,
    list_public_messages,
    start_match,
    take_next_action,
)
from tests.support.panels import change_server
from tests.support.stored import load_due, load_given_up

pytestmark = pytest.mark.asyncio


async def send_event(club: SimulatedClub, event: str, **payload: Any) -> None:
    """Let Discord tell the bot something, and the bot do what follows."""
    club.env.backend.emit(event, payload)
    await club.env.settle()
    await club.advance_clock(0)


async def lose_guild(club: SimulatedClub, *, removed: bool = False) -> None:
    """Let the club's server be out of order, or remove the bot."""
    unavailable: Mapping[str, Any] = {} if removed else {"unavailable": True}
    await send_event(club, "GUILD_DELETE", id=str(club.guild.id), **unavailable)


async def restore_guild(club: SimulatedClub, *, invited: bool = False) -> None:
    """End the outage, or invite the bot again."""
    backend = club.env.backend
    payload = serializers.guild_create_payload(backend, backend.get_guild(club.guild.id))
    own = {key: value for key, value in payload.items() if key != "unavailable"}
    await send_event(club, "GUILD_CREATE", **own, **({} if invited else {"unavailable": False}))


async def compute_time_left(club: SimulatedClub) -> int:
    """Milliseconds until the time of the one to act runs out."""
    session = await loading.load_session(club.bot.app, 1)
    times = clocks.compute_deadlines(session)
    assert times is not None
    return times.out - club.hands()


@pytest.mark.parametrize("removed", [False, True], ids=["unavailable", "removed"])
async def test_no_time_runs_in_a_server_that_is_out_of_reach(
    club: SimulatedClub, removed: bool
) -> None:
    await start_match(club, "zeno", pace="day", rated=True)
    await club.advance_clock(10 * HOUR)
    await lose_guild(club, removed=removed)
    # Somebody whose time would have run out, and an absence that would have ended the match.
    await club.advance_clock(3 * DAY)
    session = await loading.load_session(club.bot.app, 1)
    assert session.match.phase is not Phase.OVER
    assert not session.late
    assert session.stops[-1].ended == NEVER
    await restore_guild(club, invited=removed)
    assert (await loading.load_session(club.bot.app, 1)).match.phase is not Phase.OVER
    assert DAY - HOUR < await compute_time_left(club) <= DAY
    assert "so the clock was stopped" in extract_text(list_live_messages(club)[0])


@pytest.mark.sweep
async def test_a_server_that_is_back_at_once_costs_and_gives_no_time(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="day")
    await club.advance_clock(10 * HOUR)
    await lose_guild(club)
    await club.advance_clock(2 * HOUR)
    await restore_guild(club)
    # Of a day ten hours were used before, and none while the server was away.
    assert 14 * HOUR - 60_000 < await compute_time_left(club) <= 14 * HOUR


async def test_an_outage_of_a_server_outlasts_the_program(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="day")
    await lose_guild(club)
    await outages.start_run(club.bot.app)
    assert club.bot.app.lost == {club.guild.id}
    await club.advance_clock(3 * DAY)
    session = await loading.load_session(club.bot.app, 1)
    assert not session.late
    assert session.match.phase is not Phase.OVER


@pytest.mark.sweep
async def test_a_match_that_ends_while_its_server_is_away_has_a_sound_record(
    club: SimulatedClub,
) -> None:
    await start_match(club, "zeno", pace="day")
    await lose_guild(club)
    await club.advance_clock(DAY)
    session = await loading.load_session(club.bot.app, 1)
    person = DiscordPerson(club.ana.id, "Ana")
    report = await resign_match(club.bot.app, play.Action(1, person, "from elsewhere"))
    happened = await loading.load_history(club.bot.app, report.session.row)
    record = build_record(report.session, encode_events(report.session, happened))
    assert session.stops
    assert all(stop[1] <= club.hands() for stop in record["clock"]["stops"])
    assert verify_record(record).wrong is None


async def test_what_was_given_up_in_a_server_is_done_when_it_is_back(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="day")
    await lose_guild(club)
    (job,) = await club.store.jobs.enqueue(
        club.guild.id, [ShowMatch(1, again=True).build_job(club.hands() + DAY)]
    )
    await club.store.jobs.give_up(job, "Discord answers 404", club.hands())
    assert len(await load_given_up(club.store.jobs)) == 1
    await restore_guild(club)
    assert await load_given_up(club.store.jobs) == []
    due = await load_due(club.store.jobs, club.hands() + DAY // 2, 9)
    assert ShowMatch.kind not in [waiting.kind for waiting in due]


@pytest.mark.sweep
async def test_a_server_that_was_missing_at_the_start_is_out_of_reach(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="day")
    app = club.bot.app
    app.given[0] = set()
    await outages.record_heartbeat(app)
    assert app.lost == app.noted == {club.guild.id}
    await club.advance_clock(3 * DAY)
    assert not (await loading.load_session(app, 1)).late
    app.given[0] = {club.guild.id}
    await outages.record_heartbeat(app)
    assert app.lost == app.noted == set()
    await club.advance_clock(0)
    assert DAY - HOUR < await compute_time_left(club) <= DAY


@pytest.mark.parametrize(
    "events",
    [("disconnect", "resumed", "ready"), ("disconnect", "ready", "resumed")],
    ids=" ".join,
)
@pytest.mark.sweep
async def test_no_server_is_lost_if_the_connection_breaks_as_the_bot_starts(
    club: SimulatedClub, events: tuple[str, ...]
) -> None:
    # discord.py says that a shard is ready two seconds after its servers, cut meanwhile or not.
    await start_match(club, "zeno", pace="day")
    for event in events:
        club.bot.dispatch(f"shard_{event}", 0)
        await club.env.settle()
    await outages.record_heartbeat(club.bot.app)
    assert club.bot.app.lost == set()
    assert club.bot.app.noted == set()
    assert club.bot.app.reached == {0}
    assert await take_next_action(club)


@pytest.mark.sweep
async def test_a_challenge_does_not_lapse_while_its_server_is_away(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    await club.advance_clock(HOUR)
    await lose_guild(club)
    await club.advance_clock(3 * DAY)
    await restore_guild(club)
    await club.advance_clock(challenge.LIFETIME_MS - 2 * HOUR)
    offered = await club.store.get(Challenges).load_challenge(1)
    assert offered is not None
    assert offered.state == "open"
    await club.advance_clock(2 * HOUR)
    offered = await club.store.get(Challenges).load_challenge(1)
    assert offered is not None
    assert offered.state == "lapsed"


async def test_a_server_is_greeted_once_for_each_invitation(club: SimulatedClub) -> None:
    def greetings() -> int:
        return sum("/challenge" in extract_text(message) for message in list_public_messages(club))

    # Discord tells of an outage's end without saying that there was one.
    await restore_guild(club, invited=True)
    assert greetings() == 1
    await lose_guild(club)
    await restore_guild(club, invited=True)
    assert greetings() == 1
    await lose_guild(club, removed=True)
    await restore_guild(club, invited=True)
    assert greetings() == 2


def list_boards(channel: simcord.ChannelHandle) -> list[discord.Message]:
    """The messages of a channel by which a match can be played."""
    return [message for message in channel.history() if list_control_ids(message)]


async def lose_channel(club: SimulatedClub) -> simcord.ChannelHandle:
    """Begin a match in a channel of its own, delete that, and return the only other one."""
    hall, club.channel = club.channel, club.guild.create_text_channel("room")
    await start_match(club, "zeno", pace="day", rated=True)
    club.env.backend.delete_channel(club.channel.id)
    await club.env.settle()
    await club.advance_clock(0)
    return hall


async def find_player_to_act(club: SimulatedClub) -> simcord.MemberActor:
    """Who is to act in match 1."""
    session = await loading.load_session(club.bot.app, 1)
    return next(person for person in (club.ana, club.ben) if person.id == session.person_to_act)


async def test_no_time_runs_while_a_match_can_be_shown_nowhere(club: SimulatedClub) -> None:
    hall = await lose_channel(club)
    assert await load_given_up(club.store.jobs) == []
    await club.advance_clock(3 * DAY)
    session = await loading.load_session(club.bot.app, 1)
    assert session.match.phase is not Phase.OVER
    assert not session.late
    for person in (club.ana, club.ben):
        message = person.user.dm_channel.last_message
        assert "I can't show match 1 (Zeno)" in extract_text(message)
        assert "Its clock is stopped until I can show it again." in extract_text(message)
        assert list_button_labels(message) == ["Continue in #tables"]
    message = club.ben.user.dm_channel.last_message
    assert get_ephemeral_text(
        await club.ben.user.click(message, label="Continue in #tables")
    ).startswith("Match 1 continues")
    await club.advance_clock(0)
    assert len(list_boards(hall)) == 1
    assert DAY - HOUR < await compute_time_left(club) <= DAY


@pytest.mark.parametrize("command", ["roll", "match board"])
@pytest.mark.usefixtures("own_throws")
async def test_a_match_without_a_place_is_shown_where_a_player_acts(
    club: SimulatedClub, command: str
) -> None:
    hall = await lose_channel(club)
    answer = await (await find_player_to_act(club)).slash(hall, command)
    await club.advance_clock(0)
    links = [extract_text(each.message) for each in answer.followups]
    assert not any(f"/channels/{club.guild.id}" in each for each in links)
    assert len(list_boards(hall)) == 1
    assert DAY - HOUR < await compute_time_left(club) <= DAY


@pytest.mark.sweep
async def test_the_list_leads_to_no_match_without_a_place(club: SimulatedClub) -> None:
    hall = await lose_channel(club)
    mover = await find_player_to_act(club)
    answer = get_response(await mover.slash(hall, "matches"))
    for label in ("Next match waiting for me", "Next"):
        assert f"/channels/{club.guild.id}" not in extract_text(answer.message)
        assert "type `/match board match:1 share:True` in another channel" in extract_text(
            answer.message
        )
        assert "Go to match" not in list_button_labels(answer.message)
        await mover.click(answer.message, label=label)


def format_lost_link(club: SimulatedClub) -> str:
    """What every link to the lost channel of match 1 would hold."""
    return f"/channels/{club.guild.id}/{club.channel.id}"


@pytest.mark.sweep
async def test_nothing_leads_to_a_match_without_a_place(club: SimulatedClub) -> None:
    news = club.guild.create_text_channel("news")
    await change_server(club.ana, club.channel, news=news)
    hall = await lose_channel(club)
    # It is ended by a moderator: nothing of it is anywhere to be seen. Who saw its channel is no
    # longer known, so nobody else follows it, and it is no news.
    text = get_ephemeral_text(await club.cyn.slash(hall, "match follow", match=1, how="turn"))
    assert text == "There is no match 1."
    ended = await club.ana.slash(hall, "server end", match=1, how="draw", reason="the room is gone")
    assert (
        get_ephemeral_text(ended) == "Done. Match 1 is over, and this is recorded in `/server log`."
    )
    await club.advance_clock(DAY)
    log = get_response(await club.ana.slash(hall, "server log"))
    sent = [*club.cyn.user.dm_channel.history(), *news.history(), log.message]
    assert not any("is over" in extract_text(message) for message in news.history())
    assert "a draw, match 1, Zeno" in extract_text(log.message)
    for message in sent:
        assert format_lost_link(club) not in extract_text(message)
        assert "Go to match" not in list_button_labels(message)


@pytest.mark.sweep
async def test_what_was_tried_is_played_without_a_place_and_told_how_to_bring_it(
    club: SimulatedClub,
) -> None:
    hall, club.channel = club.channel, club.guild.create_text_channel("room")
    await start_match(club, "zeno", pace="day")
    mover = await find_player_to_act(club)
    await mover.slash(club.channel, "roll")
    match = (await loading.load_session(club.bot.app, 1)).match
    tried = format_play(match.plays[0].moves, match.rules, match.position)
    answer = get_response(await mover.slash(hall, "match try", play=tried, match=1))
    club.env.backend.delete_channel(club.channel.id)
    await club.env.settle()
    await club.advance_clock(0)
    played = get_ephemeral_text(await mover.click(answer.message, label="Play it"))
    assert "Played. To continue elsewhere, type `/match board match:1 share:True`" in played
    assert format_lost_link(club) not in played


@pytest.mark.sweep
async def test_a_match_is_brought_elsewhere_though_more_is_wanted_meanwhile(
    club: SimulatedClub,
) -> None:
    await start_match(club, "zeno", pace="day")
    hall = club.guild.create_text_channel("hall")
    (row,) = await club.store.get(Matches).load_running()
    # Somebody has brought it to the hall: what follows comes before that is done.
    (wish,) = await club.store.jobs.enqueue(
        club.guild.id, [ShowMatch(1, fresh=hall.id, past=row.message or 0).build_job(club.hands())]
    )
    club.env.backend.delete_channel(club.channel.id)
    club.channel = hall
    await club.env.settle()
    await club.advance_clock(0)
    assert len(list_boards(hall)) == 1
    # What was done already is not done again for a job that was renewed while it was done.
    (row,) = await club.store.get(Matches).load_running()
    assert row.channel == hall.id
    again = replace(wish, detail={**wish.detail, "again": True})
    await club.store.jobs.enqueue(club.guild.id, [again])
    await club.advance_clock(0)
    assert len(hall.history()) == 1
    assert await take_next_action(club)


async def test_only_a_player_brings_a_match_elsewhere(club: SimulatedClub) -> None:
    hall = await lose_channel(club)
    await club.cyn.slash(hall, "match board", match=1)
    assert list_boards(hall) == []


async def test_a_match_without_a_place_can_be_ended_by_a_moderator(club: SimulatedClub) -> None:
    hall = await lose_channel(club)
    await club.ana.slash(hall, "server end", match=1, how="draw", reason="the room is gone")
    await club.advance_clock(DAY)
    assert (await loading.load_session(club.bot.app, 1)).match.phase is Phase.OVER
    assert await club.store.pauses.load_stopped_matches([1]) == set()
    assert await load_given_up(club.store.jobs) == []


async def test_a_match_goes_on_in_the_channel_of_its_deleted_thread(
    club: SimulatedClub, caplog: pytest.LogCaptureFixture
) -> None:
    await change_server(club.ana, club.channel, threads=True)
    await start_match(club, "zeno", pace="day")
    (thread,) = club.channel.threads
    assert len(list_boards(thread)) == 1
    club.env.backend.delete_channel(thread.id)
    await club.env.settle()
    await club.advance_clock(0)
    (board,) = list_boards(club.channel)
    assert (
        "I can no longer post in this match's thread, so the match continues here."
        in extract_text(board)
    )
    assert f"match 1 continues in channel {club.channel.id}: 404 Not Found" in caplog.text
    assert await club.store.pauses.load_stopped_matches([1]) == set()
    assert await take_next_action(club)


async def test_a_deleted_message_is_posted_again_by_itself(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="day")
    (new,) = list_live_messages(club)
    for _ in range(MAX_REPOSTS):
        old = new
        club.env.backend.delete_message(club.channel.id, old.id)
        await club.env.settle()
        await club.advance_clock(0)
        (new,) = list_live_messages(club)
        assert new.id != old.id
    # Where somebody deletes it each time the match is no longer shown, and no time runs.
    club.env.backend.delete_message(club.channel.id, new.id)
    await club.env.settle()
    await club.advance_clock(3 * DAY)
    assert list_live_messages(club) == []
    assert not (await loading.load_session(club.bot.app, 1)).late
    assert "I can't show match" in extract_text(club.ana.user.dm_channel.last_message)
    await (await find_player_to_act(club)).slash(club.channel, "match board", share=True)
    assert len(list_live_messages(club)) == 1


async def test_messages_that_are_deleted_together_are_posted_again(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    everything = [message.id for message in list_public_messages(club)]
    club.env.backend.bulk_delete_messages(club.channel.id, everything)
    await club.env.settle()
    await club.advance_clock(0)
    assert len(list_live_messages(club)) == 1


@pytest.mark.sweep
async def test_no_time_runs_while_the_bot_cannot_see_the_channel(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="day")
    everyone = club.guild.default_role.id
    hidden = discord.Permissions(view_channel=True).value
    backend = club.env.backend
    backend.set_overwrite(club.channel.id, Overwrite(everyone, OverwriteType.ROLE, deny=hidden))
    await club.env.settle()
    await club.advance_clock(3 * DAY)
    session = await loading.load_session(club.bot.app, 1)
    assert session.match.phase is not Phase.OVER
    assert not session.late
    assert "I'm missing the permissions View Channel, " in extract_text(
        club.ana.user.dm_channel.last_message
    )
    backend.delete_overwrite(club.channel.id, everyone)
    await club.env.settle()
    await club.advance_clock(0)
    assert await club.store.pauses.load_stopped_matches([1]) == set()
    assert DAY - HOUR < await compute_time_left(club) <= DAY
    assert len(list_live_messages(club)) == 1


async def test_a_reminder_brings_back_a_message_that_went_unseen(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="day")
    (old,) = list_live_messages(club)
    # As while the bot was down: nothing tells it.
    del club.env.backend.messages[club.channel.id][old.id]
    await club.advance_clock(22 * HOUR)
    (new,) = list_live_messages(club)
    assert new.id != old.id


@pytest.mark.sweep
async def test_nothing_is_asked_of_discord_for_a_server_that_is_out_of_reach(
    club: SimulatedClub,
) -> None:
    await start_match(club, "zeno", pace="day")
    await lose_guild(club, removed=True)
    before = len(club.env.http_requests)
    wish = ShowMatch(1, again=True).build_job(club.hands())
    club.bot.app.take(await club.store.jobs.enqueue(club.guild.id, [wish]))
    await club.advance_clock(DAY)
    assert club.env.http_requests[before:] == []
    assert await load_given_up(club.store.jobs) == []
