"""How the end of leagues and tournaments is announced, and how the next season opens."""

import asyncio
from typing import Any

import discord
import pytest
import simcord

from bot.features.contests.delivery import announce_end
from bot.features.contests.seasons import open_next_season
from bot.features.contests.service import AnnounceEnd
from bot.features.contests.store import Contests
from bot.features.contests.tables import Contest, ContestState
from bot.platform.people import DiscordPerson
from engine.clock import DAY, HOUR
from tests.bot.test_leagues import load_view
from tests.bot.test_privacy import delete_data
from tests.edges import test_contests
from tests.edges.test_deadlines import HOSTILE
from tests.support.club import SimulatedClub
from tests.support.contests import press_standings
from tests.support.driver import (
    extract_text,
    get_ephemeral_text,
    get_response,
    list_button_labels,
    list_pictures,
    list_public_messages,
)
from tests.support.panels import change_server, change_settings
from tests.support.season import stop_bot_for

pytestmark = pytest.mark.asyncio

FINAL = "Final standings"


async def play_out(
    club: SimulatedClub, count: int, **options: Any
) -> tuple[list[simcord.MemberActor], discord.Message]:
    """People whose league is over, who won in the order of sign-up; and the post that says so."""
    people = await test_contests.start(club, "league", count, game="zeno", **options)
    await test_contests.play_round(club, [person.id for person in people])
    await club.advance_clock(5_000)
    (closing,) = test_contests.find_closings(club)
    return people, closing


async def annul(club: SimulatedClub, match: int) -> None:
    """Annul a match that is over."""
    await club.ana.slash(
        club.channel, "server end", match=match, how="annul", reason="It was played by a bot"
    )


async def test_the_end_of_a_league_is_announced_to_those_who_played(club: SimulatedClub) -> None:
    people, closing = await play_out(club, 9, seasons=True)
    ids = [person.id for person in people]
    text = extract_text(closing)
    lines = text.splitlines()
    assert lines[:5] == [
        f"### Final standings: {test_contests.NAME}",
        f"**<@{ids[0]}> won.**",
        f"Second: <@{ids[1]}>",
        f"Third: <@{ids[2]}>",
        f"Down to Division B: <@{ids[4]}>",
    ]
    assert lines[5] == f"Up to Division A: <@{ids[5]}>"
    assert "Sign-up for Spring open, season 2 is open and closes" in text
    (picture,) = list_pictures(closing)
    assert "Player 0" in (picture.description or "")
    assert test_contests.list_mentioned(club, FINAL) == ids
    assert list_button_labels(closing) == ["Join", "Same players again", "How the table is made"]
    # The card of the next season names them too.
    card = test_contests.find_cards(club)[-1]
    assert f"Last time: **<@{ids[0]}> won.**\nDown to Division B" in extract_text(card)
    assert "Nobody has joined yet" not in extract_text(card)
    assert f"/{card.channel.id}/{card.id}" in text
    standings = await people[3].slash(club.channel, "league standings", league="2")
    assert "Last time: " in extract_text(get_response(standings).message)
    await people[3].click(closing, label="Join")
    assert (await load_view(club, 2)).find_entrant(ids[3]) is not None
    assert f"**1 player of 64**: <@{ids[3]}>" in extract_text(test_contests.find_cards(club)[-1])
    # After a restart it isn't announced again.
    await stop_bot_for(club, HOUR)
    await club.advance_clock(5_000)
    assert len(test_contests.find_closings(club)) == 1


async def test_only_those_who_came_are_mentioned(club: SimulatedClub) -> None:
    people = await test_contests.start(club, "league", 5, game="zeno", weeks=1)
    ids = [person.id for person in people]
    await change_settings(people[1], club.channel, reminders="direct")
    await change_settings(people[2], club.channel, reminders="never")
    answer = await press_standings(people[3], club.channel, "league", "leave")
    await people[3].click(get_response(answer).message, label="Leave and forfeit")
    await test_contests.play_round(club, ids)
    await club.advance_clock(5_000)
    (closing,) = test_contests.find_closings(club)
    assert test_contests.list_mentioned(club, FINAL) == [ids[0], ids[4]]
    direct = people[1].user.dm_channel.last_message
    assert direct is not None
    assert extract_text(direct).startswith("Spring open is over. Who won: https://discord.com/")
    assert extract_text(direct).endswith(f"/{closing.id}")
    assert f"4 players: <@{ids[0]}>" in extract_text(closing)


@pytest.mark.parametrize(
    ("kind", "count", "options"),
    [
        ("league", 4, {"weeks": 1}),
        ("tournament", 8, {"format": "swiss", "rounds": 3, "days": 2}),
        ("tournament", 4, {"format": "knock-out", "days": 2, "third": True}),
    ],
)
async def test_where_nobody_came_nobody_is_mentioned(
    club: SimulatedClub, kind: str, count: int, options: dict[str, Any]
) -> None:
    await test_contests.start(club, kind, count, game="zeno", **options)
    for _ in range(4):
        await club.advance_clock(7 * DAY)
        await club.advance_clock(5_000)
    (closing,) = test_contests.find_closings(club)
    text = extract_text(closing)
    assert "**Nobody won.**" in text
    assert "Second" not in text
    assert test_contests.list_mentioned(club, FINAL) == []


@pytest.mark.parametrize(
    ("count", "options"),
    [
        (4, {"format": "swiss", "rounds": 3}),
        (4, {"format": "knock-out", "third": True}),
        (4, {"format": "round-robin"}),
    ],
)
async def test_the_end_of_a_tournament_is_announced(
    club: SimulatedClub, count: int, options: dict[str, Any]
) -> None:
    people = await test_contests.start(club, "tournament", count, game="zeno", **options)
    ids = [person.id for person in people]
    for _ in range(3):
        await test_contests.play_round(club, ids)
        await club.advance_clock(5_000)
    (closing,) = test_contests.find_closings(club)
    assert extract_text(closing).startswith(
        f"### Final standings: {test_contests.NAME}\n**<@{ids[0]}> won.**\n"
        f"Second: <@{ids[1]}>\nThird: <@{ids[2]}>"
    )
    assert test_contests.list_mentioned(club, FINAL) == ids
    # The same players again, but for one who sits it out.
    refused = await people[0].click(closing, label="Same players again")
    assert get_ephemeral_text(refused).startswith("Only people with the permission Manage Events")
    answer = await club.ana.click(closing, label="Same players again")
    assert get_ephemeral_text(answer).startswith(f"{test_contests.NAME} 2 is open and starts <t:")
    await club.advance_clock(5_000)
    assert test_contests.list_mentioned(club, "signed up for") == ids
    (call,) = [each for each in list_public_messages(club) if "signed up" in extract_text(each)]
    assert f"You're signed up for {test_contests.NAME} 2, as you played last time." in extract_text(
        call
    )
    await people[3].click(call, label="Sit this one out")
    again, before = (await load_view(club, 2)), (await load_view(club)).contest
    assert {each.person for each in again.present} == set(ids[:3])
    assert again.contest.get_settings() == before.get_settings()
    card = test_contests.find_cards(club)[-1]
    assert extract_text(card).startswith(f"### {test_contests.NAME} 2\n")
    assert f"Last time: **<@{ids[0]}> won.**" in extract_text(card)
    (closing,) = test_contests.find_closings(club)
    assert "Same players again" not in list_button_labels(closing)
    await people[3].click(card, label="Join")
    await club.advance_clock(7 * DAY)
    await club.advance_clock(5_000)
    assert (await load_view(club, 2)).contest.is_running


async def test_what_is_called_off_has_no_champion(club: SimulatedClub) -> None:
    people = await test_contests.start(club, "league", 4, game="zeno")
    await test_contests.resign(club, (await load_view(club)).pairings[0], people[0].id)
    await test_contests.manage(club, "league", "cancel")
    await club.advance_clock(5_000)
    (closing,) = test_contests.find_closings(club)
    text = extract_text(closing)
    assert text.startswith(f"### Called off: {test_contests.NAME}\n<@{club.ana.id}> called it off:")
    assert "won" not in text
    assert list_button_labels(closing) == []


async def test_those_who_joined_learn_that_it_does_not_begin(club: SimulatedClub) -> None:
    people = await test_contests.gather(club, "league", 2, game="zeno")
    await club.advance_clock(test_contests.SIGN_UP)
    await club.advance_clock(5_000)
    (closing,) = test_contests.find_closings(club)
    assert "as too few people had joined" in extract_text(closing)
    assert test_contests.list_mentioned(club, "Called off") == [person.id for person in people]


async def test_where_nobody_had_joined_nothing_is_announced(club: SimulatedClub) -> None:
    await test_contests.gather(club, "league", 0, game="zeno")
    await club.advance_clock(test_contests.SIGN_UP)
    await club.advance_clock(5_000)
    assert (await load_view(club)).contest.state is ContestState.CANCELLED
    assert test_contests.find_closings(club) == []


async def test_the_post_follows_what_is_annulled_and_the_servers_language(
    club: SimulatedClub,
) -> None:
    people, closing = await play_out(club, 4)
    ids = [person.id for person in people]
    for pairing in (await load_view(club)).list_own(ids[0]):
        await annul(club, pairing.match)
    await club.advance_clock(5_000)
    (closing,) = test_contests.find_closings(club)
    before = extract_text(closing)
    assert f"**<@{ids[1]}> won.**" in before
    await change_server(club.ana, club.channel, language="de")
    await club.advance_clock(60_000)
    (closing,) = [each for each in list_public_messages(club) if each.id == closing.id]
    text = extract_text(closing)
    assert f"<@{ids[1]}>" in text
    assert text != before


async def test_a_post_that_was_deleted_stays_deleted(club: SimulatedClub) -> None:
    people, closing = await play_out(club, 4)
    await closing.delete()
    pairing = (await load_view(club)).list_own(people[0].id)[0]
    await annul(club, pairing.match)
    await club.advance_clock(5_000)
    assert test_contests.find_closings(club) == []
    assert [each.error for each in await club.store.jobs.load_all() if each.error] == []


async def test_two_processes_announce_an_end_once(club: SimulatedClub) -> None:
    people = await test_contests.start(club, "league", 4, game="zeno")
    hour = club.hands() // HOUR % 24
    await change_server(club.ana, club.channel, quiet=f"{hour}-{(hour + 3) % 24}")
    await test_contests.play_round(club, [person.id for person in people])
    await club.advance_clock(5_000)
    assert test_contests.find_closings(club) == []
    (queued,) = [each for each in await club.store.jobs.load_all() if each.kind == AnnounceEnd.kind]
    club.hands.ahead += 3 * HOUR
    await asyncio.gather(*(announce_end(club.bot, AnnounceEnd(1), queued) for _ in range(2)))
    await club.advance_clock(5_000)
    assert len(test_contests.find_closings(club)) == 1


async def test_the_same_players_play_again_unless_they_sit_out(club: SimulatedClub) -> None:
    people, closing = await play_out(club, 5)
    ids = [person.id for person in people]
    await change_settings(people[1], club.channel, reminders="direct")
    assert list_button_labels(closing) == ["How the table is made", "Open next season"]
    refused = await people[0].click(closing, label="Open next season")
    assert get_ephemeral_text(refused).startswith("Only people with the permission Manage Events")
    club.guild.remove_member(people[4])
    answer = await club.ana.click(closing, label="Open next season")
    assert get_ephemeral_text(answer).startswith("Spring open, season 2 is open and starts <t:")
    await club.advance_clock(5_000)
    view = await load_view(club, 2)
    assert {each.person for each in view.present} == {*ids[:4]}
    assert (view.contest.organiser, view.contest.season) == (club.ana.id, 2)
    assert view.contest.posted_digits == 64
    # Each is told once, and can sit out.
    calls = [each for each in list_public_messages(club) if "signed up for" in extract_text(each)]
    (call,) = calls
    assert test_contests.list_mentioned(club, "signed up for") == [ids[0], ids[2], ids[3]]
    direct = people[1].user.dm_channel.last_message
    assert direct is not None
    assert extract_text(direct).startswith("You're signed up for Spring open, season 2, as you")
    await people[3].click(call, label="Sit this one out")
    assert {each.person for each in (await load_view(club, 2)).present} == {*ids[:3]}
    (closing,) = test_contests.find_closings(club)
    assert "Sign-up for Spring open, season 2 is open" in extract_text(closing)
    assert "Same players again" not in list_button_labels(closing)
    assert {each.person for each in (await load_view(club, 2)).present} == {*ids[:3]}
    assert len(await club.store.get(Contests).load_latest(club.guild.id, 9)) == 2
    # With too few it waits, and the series does not end.
    await club.advance_clock(7 * DAY)
    await club.advance_clock(7 * DAY)
    view = await load_view(club, 2)
    assert view.contest.is_waiting


async def test_two_presses_open_one_season(club: SimulatedClub) -> None:
    await play_out(club, 4)
    app, organiser = club.bot.app, DiscordPerson(club.ana.id, "Ana")
    opened = await asyncio.gather(
        *(open_next_season(app, 1, organiser) for _ in range(2)), return_exceptions=True
    )
    assert sum(isinstance(each, Contest) for each in opened) >= 1
    await club.advance_clock(5_000)
    await club.advance_clock(5_000)
    assert [
        each.season for each in await app.store.get(Contests).load_latest(club.guild.id, 9)
    ] == [
        2,
        1,
    ]
    calls = [each for each in list_public_messages(club) if "signed up for" in extract_text(each)]
    assert len(calls) == 1


async def test_a_card_that_was_deleted_is_not_posted_again_beside_the_end(
    club: SimulatedClub,
) -> None:
    people, _ = await play_out(club, 4)
    await test_contests.find_cards(club)[0].delete()
    await annul(club, (await load_view(club)).list_own(people[0].id)[0].match)
    await club.advance_clock(5_000)
    assert test_contests.find_cards(club) == []
    assert len(test_contests.find_closings(club)) == 1


async def test_who_had_their_data_deleted_is_not_signed_up_again(club: SimulatedClub) -> None:
    people, closing = await play_out(club, 5)
    await delete_data(club, people[0])
    await club.ana.click(closing, label="Open next season")
    await club.advance_clock(5_000)
    ids = {person.id for person in people[1:]}
    assert {each.person for each in (await load_view(club, 2)).present} == ids
    assert [each.error for each in await club.store.jobs.load_all() if each.error] == []


async def test_another_organiser_opens_the_next_season(club: SimulatedClub) -> None:
    _, closing = await play_out(club, 4)
    club.guild.remove_member(club.ana)
    role = club.guild.create_role("Staff", permissions=discord.Permissions(manage_events=True))
    club.env.backend.add_member_role(club.guild.id, club.ben.id, role.id)
    await club.ben.click(closing, label="Open next season")
    await club.advance_clock(5_000)
    contest = (await load_view(club, 2)).contest
    assert (contest.organiser, contest.channel) == (club.ben.id, club.channel.id)


async def test_names_of_any_kind_are_shown_whole(club: SimulatedClub) -> None:
    await test_contests.gather(club, "league", 0, game="zeno")
    names = (*HOSTILE, "\uff37" * 32)
    people = [
        club.guild.add_member(club.env.create_user(f"q{at}", global_name=name))
        for at, name in enumerate(names)
    ]
    for person in people:
        await person.click(test_contests.find_cards(club)[0], label="Join")
    await club.advance_clock(test_contests.SIGN_UP)
    await test_contests.play_round(club, [person.id for person in people])
    await club.advance_clock(5_000)
    (closing,) = test_contests.find_closings(club)
    (picture,) = list_pictures(closing)
    assert "\uff37" * 32 in (picture.description or "")
    assert "\u202e" not in (picture.description or "")
    assert test_contests.list_mentioned(club, FINAL) == [person.id for person in people]


async def test_where_the_bot_cannot_see_the_channel_the_end_is_announced_once_it_can(
    club: SimulatedClub,
) -> None:
    people = await test_contests.start(club, "league", 4, game="zeno")
    ids = [person.id for person in people]
    club.env.inject_error("POST", "/channels/*/messages", status=403, code=50001, times=None)
    await test_contests.play_round(club, ids)
    await club.advance_clock(5_000)
    assert (await load_view(club)).contest.state is ContestState.OVER
    assert test_contests.find_closings(club) == []
    club.env.backend.faults.clear()
    await club.advance_clock(HOUR)
    (closing,) = test_contests.find_closings(club)
    assert set(test_contests.list_mentioned(club, FINAL)) == set(ids)
    # Whose data is deleted afterwards is named no more once it is drawn anew.
    await delete_data(club, people[0])
    others = [each for each in (await load_view(club)).list_own(ids[1]) if ids[2] in each.pair]
    await annul(club, others[0].match)
    await club.advance_clock(5_000)
    (closing,) = test_contests.find_closings(club)
    assert f"<@{ids[0]}>" not in extract_text(closing)
    assert "Player 0" not in (list_pictures(closing)[0].description or "")


async def test_without_its_channel_a_league_ends_and_nothing_is_said(club: SimulatedClub) -> None:
    people = await test_contests.start(club, "league", 4, game="zeno")
    club.env.backend.delete_channel(club.channel.id)
    await club.env.settle()
    await test_contests.play_round(club, [person.id for person in people])
    await club.advance_clock(5_000)
    contest = (await load_view(club)).contest
    assert (contest.state, contest.closing) == (ContestState.OVER, None)
