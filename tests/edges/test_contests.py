"""Leagues and tournaments whose people and places come and go."""

import asyncio
import re
from collections.abc import Sequence
from typing import Any

import discord
import pytest
import simcord

from bot.client import Tabula
from bot.features.contests import delivery
from bot.features.contests.cards import contest_card
from bot.features.contests.delivery import load_titles
from bot.features.contests.results import assign_roles, list_champions, list_tables
from bot.features.contests.service import StartContest
from bot.features.contests.tables import (
    ContestFormat,
    ContestState,
    Departure,
    Pairing,
)
from bot.features.matches.loading import load_session
from bot.features.matches.service import Action, resign_match
from bot.platform.i18n.reader import Reader
from bot.platform.people import DiscordPerson
from engine.clock import DAY, HOUR
from render.bracket import DrawnBracket
from tests.bot.test_access import hide_channel
from tests.bot.test_leagues import load_view
from tests.bot.test_membership import leave_guild
from tests.support.club import SimulatedClub
from tests.support.contests import (
    choose_term,
    create_contest,
    press_old_button,
    press_ruling,
    press_standings,
)
from tests.support.driver import (
    extract_text,
    get_ephemeral_text,
    get_response,
    list_button_labels,
    list_pictures,
    list_posts,
    list_public_messages,
)
from tests.support.panels import change_server, change_settings
from tests.support.season import stop_bot_for
from tests.support.stored import load_due

pytestmark = pytest.mark.asyncio

NAME = "Spring open"
SIGN_UP = 3 * DAY + 1


def add_people(club: SimulatedClub, count: int) -> list[simcord.MemberActor]:
    """Members of the club's server."""
    return [
        club.guild.add_member(club.env.create_user(f"p{at:02}", global_name=f"Player {at}"))
        for at in range(count)
    ]


def find_cards(club: SimulatedClub, name: str = NAME) -> list[discord.Message]:
    """The messages of the contest and its seasons, the oldest first."""
    return list_posts(club, f"### {name}")


async def gather(
    club: SimulatedClub, kind: str, count: int, **options: Any
) -> list[simcord.MemberActor]:
    """People who have signed up for a league or a tournament that Ana organises."""
    options = {"game": "fallas", "pace": "none", "signup": 3, **options}
    await create_contest(club.ana, club.channel, kind, name=NAME, **options)
    people = add_people(club, count)
    for person in people:
        await person.click(find_cards(club)[-1], label="Join")
    return people


async def start(
    club: SimulatedClub, kind: str, count: int, **options: Any
) -> list[simcord.MemberActor]:
    """People of a contest that has started."""
    people = await gather(club, kind, count, **options)
    await club.advance_clock(SIGN_UP)
    return people


async def resign(club: SimulatedClub, pairing: Pairing, loser: int) -> None:
    """Let one of a pairing resign."""
    action = Action(pairing.match, DiscordPerson(loser, str(loser)), f"{loser} {pairing.match}")
    await resign_match(club.bot.app, action)


def find_closings(club: SimulatedClub, name: str = NAME) -> list[discord.Message]:
    """The posts that announce the end of the contest and its seasons, the oldest first."""
    return list_posts(club, f"### Final standings: {name}", f"### Called off: {name}")


def list_mentioned(club: SimulatedClub, text: str) -> list[int]:
    """Whom messages notified in which a text stands."""
    return sorted(
        int(person)
        for each in club.env.http_requests
        if each.method == "POST" and each.path.endswith("/messages")
        if each.json and text in str(each.json["components"])
        for person in each.json["allowed_mentions"].get("users", ())
    )


async def play_round(
    club: SimulatedClub, ranked: Sequence[int], missing: Sequence[int] = ()
) -> None:
    """Let the better of each pair win whose match goes on, unless one of them is missing."""
    for pairing in (await load_view(club)).list_running():
        if pairing.first not in missing and pairing.second not in missing:
            await resign(club, pairing, max(pairing.first, pairing.second, key=ranked.index))
    await club.advance_clock(5_000)


async def manage(club: SimulatedClub, kind: str, action: str, person: int | None = None) -> str:
    """What Ana reads after a ruling of hers on the first contest."""
    answer = await club.ana.slash(club.channel, f"{kind} manage", **{kind: "1"})
    panel = get_response(answer).message
    result = await press_ruling(club.ana, panel, 1, action, "It's time", person or 0)
    return extract_text(get_response(result).message)


async def read_management(club: SimulatedClub, kind: str) -> str:
    """What organisers see of the first contest."""
    answer = await club.ana.slash(club.channel, f"{kind} manage", **{kind: "1"})
    return extract_text(get_response(answer).message)


@pytest.mark.parametrize(
    ("kind", "count", "options"),
    [
        ("league", 4, {"weeks": 1, "roles": True}),
        ("tournament", 8, {"format": "swiss", "rounds": 3, "days": 2}),
        ("tournament", 4, {"format": "knock-out", "days": 2, "third": True}),
        ("tournament", 3, {"format": "round-robin", "days": 2}),
    ],
)
async def test_where_nobody_came_nobody_has_won(
    club: SimulatedClub, kind: str, count: int, options: dict[str, Any]
) -> None:
    people = await start(club, kind, count, **options)
    for _ in range(4):
        await club.advance_clock(7 * DAY)
        await club.advance_clock(5_000)
    view = await load_view(club)
    assert view.contest.state is ContestState.OVER
    # Dice are thrown for people who don't choose otherwise, and can decide a match of this game.
    assert {each.how for each in view.pairings} <= {"forfeited", "ad-fallum"}
    card = find_cards(club)[0]
    assert "**Nobody won.**" in extract_text(card)
    (picture,) = list_pictures(card)
    assert "has won" not in (picture.description or "")
    if view.contest.format is ContestFormat.KNOCK_OUT:
        names = await club.store.people.load_names([person.id for person in people])
        drawn = contest_card(Reader.ENGLISH, view, names, club.hands()).picture
        assert drawn is not None
        assert isinstance(drawn.shows, DrawnBracket)
        assert not any(tie.is_final for column in drawn.shows.columns for tie in column.ties)
    for person in people:
        assert await load_titles(club.bot.app, club.guild.id, person.id) == []
    assert assign_roles(view, None).get(0) == frozenset()


async def test_who_withdrew_has_not_won(club: SimulatedClub) -> None:
    people = await start(club, "league", 4)
    ids = [person.id for person in people]
    for pairing in (await load_view(club)).list_own(ids[0]):
        await resign(club, pairing, pairing.result.get_opponent(ids[0]))
    answer = await press_standings(people[0], club.channel, "league", "leave")
    await people[0].click(get_response(answer).message, label="Leave and forfeit")
    await play_round(club, ids)
    view = await load_view(club)
    (table,) = list_tables(view)
    assert (table[0].person, view.contest.state) == (ids[0], ContestState.OVER)
    assert list_champions(view) == [ids[1]]
    assert f"**<@{ids[1]}> won.**" in extract_text(find_cards(club)[0])
    (picture,) = list_pictures(find_cards(club)[0])
    text = picture.description or ""
    assert re.search(r"Player 1[^;]*has won", text), text
    assert not re.search(r"Player 0[^;]*has won", text), text
    assert await load_titles(club.bot.app, club.guild.id, ids[0]) == []
    assert len(await load_titles(club.bot.app, club.guild.id, ids[1])) == 1


async def test_who_has_left_or_lost_the_role_is_not_paired_at_the_start(
    club: SimulatedClub,
) -> None:
    role = club.guild.create_role("Players")
    await create_contest(
        club.ana, club.channel, "league", name=NAME, game="fallas", pace="none", signup=3, role=role
    )
    people = add_people(club, 6)
    for person in people:
        club.env.backend.add_member_role(club.guild.id, person.id, role.id)
        await person.click(find_cards(club)[0], label="Join")
    club.guild.remove_member(people[1])
    club.env.backend.remove_member_role(club.guild.id, people[4].id, role.id)
    await club.advance_clock(SIGN_UP)
    view = await load_view(club)
    assert view.contest.state is ContestState.RUNNING
    ids = [person.id for person in people]
    there = {ids[0], ids[2], ids[3], ids[5]}
    assert {each.first for each in view.pairings} | {each.second for each in view.pairings} == there
    assert len(view.pairings) == 6
    await club.advance_clock(5_000)
    text = extract_text(find_cards(club)[0])
    assert f"No longer in this server, so withdrawn: <@{ids[1]}>." in text
    assert f"Without the role needed, so withdrawn: <@{ids[4]}>." in text
    assert f"so withdrawn: <@{ids[1]}>." in await read_management(club, "league")
    direct = club.ana.user.dm_channel.last_message
    assert direct is not None
    assert f"so withdrawn: <@{ids[1]}>." in extract_text(direct)


async def test_only_those_who_are_there_count_for_the_start(club: SimulatedClub) -> None:
    people = await gather(club, "league", 4)
    club.guild.remove_member(people[2])
    text = await manage(club, "league", "start")
    assert "It needs 4 players to start, and 3 have joined." in text
    assert (await load_view(club)).pairings == ()
    # Who comes back can join again.
    again = club.guild.add_member(people[2].user)
    await again.click(find_cards(club)[0], label="Join")
    entrant = (await load_view(club)).find_entrant(again.id)
    assert entrant is not None
    assert (entrant.left, entrant.departure) == (None, None)
    await club.advance_clock(SIGN_UP)
    assert len((await load_view(club)).pairings) == 6


async def test_a_contest_is_called_off_where_too_few_are_left(club: SimulatedClub) -> None:
    people = await gather(club, "tournament", 4, format="knock-out")
    club.guild.remove_member(people[0])
    await club.advance_clock(SIGN_UP)
    assert (await load_view(club)).contest.state is ContestState.CANCELLED
    assert "too few people had joined" in extract_text(find_cards(club)[0])


async def test_where_discord_does_not_answer_people_count_as_present(club: SimulatedClub) -> None:
    people = await gather(club, "league", 5)
    club.guild.remove_member(people[2])
    club.env.inject_error("GET", "/guilds/*/members/*", status=403, code=50001, times=None)
    await club.advance_clock(SIGN_UP)
    assert len((await load_view(club)).pairings) == 10


async def test_who_joins_late_is_not_paired_with_somebody_who_has_left(
    club: SimulatedClub,
) -> None:
    people = await start(club, "league", 5)
    club.guild.remove_member(people[2])
    await club.ben.click(find_cards(club)[0], label="Join late")
    await club.advance_clock(5_000)
    view = await load_view(club)
    opponents = {each.result.get_opponent(club.ben.id) for each in view.list_own(club.ben.id)}
    assert opponents == {person.id for person in people} - {people[2].id}
    # The one who has left forfeits what went on.
    assert {each.winner for each in view.list_own(people[2].id)} == opponents
    # Nobody asks Discord for others' sake who can't join.
    before = len(club.env.http_requests)
    await club.ben.click(find_cards(club)[0], label="Join late")
    asked = [each for each in club.env.http_requests[before:] if "/members/" in each.path]
    assert asked == []


async def test_in_a_knock_out_who_has_left_makes_way_at_the_next_round(
    club: SimulatedClub,
) -> None:
    people = await start(club, "tournament", 8, format="knock-out")
    ids = [person.id for person in people]
    club.guild.remove_member(people[0])
    club.guild.remove_member(people[3])
    # They win the round before they are missed.
    await play_round(club, ids)
    await club.advance_clock(5_000)
    view = await load_view(club)
    # The first semi-final would have been theirs, so there is only the other.
    assert [{each.first, each.second} for each in view.pairings if each.round == 2] == [
        {ids[1], ids[2]}
    ]
    await play_round(club, ids)
    view = await load_view(club)
    assert view.contest.state is ContestState.OVER
    assert list_champions(view) == [ids[1]]


async def test_a_swiss_leaves_out_who_has_left_and_who_never_comes(club: SimulatedClub) -> None:
    people = await start(club, "tournament", 9, format="swiss", rounds=4, days=2)
    ids = [person.id for person in people]
    view = await load_view(club)
    gone, (bye,) = people[0], view.byes
    pairing = next(each for each in view.pairings if gone.id not in (each.first, each.second))
    missing = await find_to_act(club, pairing)
    assert bye.person != missing
    club.guild.remove_member(gone)
    await play_round(club, ids, missing=[missing])
    await club.advance_clock(2 * DAY)
    await club.advance_clock(5_000)
    view = await load_view(club)
    assert view.round == 2
    paired = {
        person for each in view.pairings if each.round == 2 for person in (each.first, each.second)
    }
    paired |= {each.person for each in view.byes if each.round == 2}
    assert paired == set(ids) - {gone.id, missing}
    text = extract_text(find_cards(club)[0])
    assert f"Sitting out until they press **I'm back**: <@{missing}>." in text
    assert f"No longer in this server, so withdrawn: <@{gone.id}>." in text
    assert "Sitting out" in await read_management(club, "tournament")
    direct = club.ana.user.dm_channel.last_message
    assert direct is not None
    assert f"<@{missing}>" in extract_text(direct)
    # Whoever has missed nothing has nothing to come back from, and nobody else does either.
    present = next(each for each in people if each.id in paired)
    refusal = get_ephemeral_text(await present.click(find_cards(club)[0], label="I'm back"))
    assert refusal == f"You haven't missed a round of {NAME}, so you play on as before."
    stranger = get_ephemeral_text(await club.ben.click(find_cards(club)[0], label="I'm back"))
    assert stranger == f"You don't take part in {NAME}."
    # They are told where they look for their matches.
    actor = next(each for each in people if each.id == missing)
    own = get_response(await press_standings(actor, club.channel, "tournament", "mine")).message
    assert "You're sitting out. Press **I'm back**" in extract_text(own)
    assert list_button_labels(own) == ["I'm back"]
    # Both come back, one by the button and one by the command.
    again = club.guild.add_member(gone.user)
    for answer in (
        await actor.click(own, label="I'm back"),
        await press_standings(again, club.channel, "tournament", "join"),
    ):
        assert get_ephemeral_text(answer) == (
            f"You're back in {NAME}, and play from the next round on."
        )
    text = extract_text(find_cards(club)[0])
    assert "Sitting out" not in text
    assert "No longer" not in text
    assert "I'm back" not in list_button_labels(find_cards(club)[0])
    await play_round(club, ids)
    view = await load_view(club)
    rounds = {each.round for each in view.list_own(missing)}
    rounds |= {each.round for each in view.byes if each.person == missing}
    assert (view.round, 2 in rounds, 3 in rounds) == (3, False, True)


async def find_to_act(club: SimulatedClub, pairing: Pairing) -> int:
    """Whose turn it is in the match of a pairing."""
    return (await load_session(club.bot.app, pairing.match)).person_to_act


async def test_in_the_last_round_nobody_comes_back(club: SimulatedClub) -> None:
    people = await start(club, "tournament", 8, format="swiss", rounds=2, days=2)
    ids = [person.id for person in people]
    first = (await load_view(club)).pairings[0]
    missing = await find_to_act(club, first)
    await play_round(club, ids, missing=[missing])
    await club.advance_clock(2 * DAY)
    await club.advance_clock(5_000)
    card = find_cards(club)[0]
    assert f"Sitting out: <@{missing}>." in extract_text(card)
    assert "I'm back" not in list_button_labels(card)
    actor = next(each for each in people if each.id == missing)
    refusal = get_ephemeral_text(await press_old_button(club, actor, "leaguejoin:1"))
    assert refusal == f"You've already joined {NAME}."
    # Where what they missed is annulled they have missed nothing.
    await club.ana.slash(
        club.channel, "server end", match=first.match, how="annul", reason="a slip"
    )
    await club.advance_clock(5_000)
    assert "Sitting out" not in extract_text(find_cards(club)[0])


async def test_a_role_that_is_deleted_keeps_nobody_out(club: SimulatedClub) -> None:
    role = club.guild.create_role("Players")
    await gather(club, "tournament", 0, role=role)
    card = find_cards(club)[0]
    assert "Only members with the role" in get_ephemeral_text(
        await club.ben.click(card, label="Join")
    )
    club.env.backend.delete_role(club.guild.id, role.id)
    await club.env.settle()
    await club.advance_clock(5_000)
    released = "The role needed to join was deleted, so everyone can join."
    text = extract_text(find_cards(club)[0])
    assert released in text
    assert "For members with the role" not in text
    assert released in await read_management(club, "tournament")
    direct = club.ana.user.dm_channel.last_message
    assert direct is not None
    assert released in extract_text(direct)
    joined = get_ephemeral_text(await club.ben.click(card, label="Join"))
    assert joined.startswith(f"You've joined {NAME}.")


async def test_a_role_that_was_deleted_while_the_bot_was_away_withdraws_nobody(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, servers = club.guild.create_role("Players"), club.guild.create_role("Club")
    await change_server(club.ana, club.channel, role=servers)
    await create_contest(
        club.ana, club.channel, "league", name=NAME, game="fallas", pace="none", signup=3, role=own
    )
    people = add_people(club, 4)
    for person in people:
        for each in (own, servers):
            club.env.backend.add_member_role(club.guild.id, person.id, each.id)
        await person.click(find_cards(club)[0], label="Join")
    # Nothing is heard of it, as while the bot is down.
    monkeypatch.setattr(Tabula, "on_guild_role_delete", _hear_nothing)
    for each in (own, servers):
        club.env.backend.delete_role(club.guild.id, each.id)
    await club.advance_clock(SIGN_UP)
    view = await load_view(club)
    assert (view.contest.role, len(view.present), len(view.pairings)) == (None, 4, 6)
    assert (await club.store.servers.load_settings(club.guild.id)).role is None


async def _hear_nothing(*_: object) -> None:
    """Do nothing."""


async def test_the_servers_own_role_is_needed_too(club: SimulatedClub) -> None:
    role = club.guild.create_role("Club")
    await change_server(club.ana, club.channel, role=role)
    await gather(club, "league", 0)
    refusal = get_ephemeral_text(await club.ben.click(find_cards(club)[0], label="Join"))
    assert f"<@&{role.id}>" in refusal
    assert (await load_view(club)).entrants == ()
    club.env.backend.add_member_role(club.guild.id, club.ben.id, role.id)
    await club.ben.click(find_cards(club)[0], label="Join")
    assert len((await load_view(club)).entrants) == 1


async def test_a_series_waits_for_players_and_keeps_its_divisions(club: SimulatedClub) -> None:
    people = await start(club, "league", 9, seasons=True, event=True)
    ids = [person.id for person in people]
    await change_settings(people[0], club.channel, reminders="direct")
    await change_settings(people[1], club.channel, reminders="never")
    await play_round(club, ids)
    await club.advance_clock(5_000)
    # Its last season's players are told once, as they want to be.
    (call,) = find_closings(club)
    assert "Sign-up for Spring open, season 2 is open and closes" in extract_text(call)
    assert list_mentioned(club, "Final standings") == ids[2:]
    direct = people[0].user.dm_channel.last_message
    assert direct is not None
    assert "Sign-up for Spring open, season 2" in extract_text(direct)
    divisions = [
        [each.person for each in them] for them in (await load_view(club)).list_divisions()
    ]
    for person in people[:3]:
        await press_standings(person, club.channel, "league", "join", league="2")
    before = (await load_view(club, 2)).contest.starts
    await club.advance_clock(7 * DAY)
    view = await load_view(club, 2)
    # It goes on for a week, once.
    assert view.contest.state is ContestState.OPEN
    assert view.contest.starts >= before + 7 * DAY
    (_, card) = find_cards(club)
    assert "Too few players had joined, so sign-up goes on for a week." in extract_text(card)
    await club.advance_clock(7 * DAY + 5_000)
    await club.advance_clock(5_000)
    view = await load_view(club, 2)
    assert (view.contest.state, view.contest.is_waiting) == (ContestState.OPEN, True)
    (_, card) = find_cards(club)
    assert "sign-up is closed. An organiser can open it again" in extract_text(card)
    assert "It starts" not in extract_text(card)
    assert list_button_labels(card) == ["Withdraw"]
    direct = club.ana.user.dm_channel.last_message
    assert direct is not None
    assert "sign-up is closed. An organiser can open it again" in extract_text(direct)
    (event,) = [
        each
        for each in club.env.backend.get_guild(club.guild.id).scheduled_events.values()
        if "season 2" in each.name
    ]
    assert event.status == discord.EventStatus.canceled.value
    closed = "Sign-up for Spring open is closed until its organisers open it again."
    response = await press_old_button(club, people[4], "leaguejoin:2")
    assert get_ephemeral_text(response) == closed
    # Months later an organiser opens it again.
    await club.advance_clock(100 * DAY)
    assert (await load_view(club, 2)).contest.is_waiting
    answer = await club.ana.slash(club.channel, "league manage", league="2")
    await club.ana.click(get_response(answer).message, custom_id="leaguerule:2:extend")
    view = await load_view(club, 2)
    assert view.contest.starts > club.bot.app.clock() + 6 * DAY
    for person in people[3:]:
        await press_standings(person, club.channel, "league", "join", league="2")
    await club.advance_clock(7 * DAY + 5_000)
    view = await load_view(club, 2)
    assert view.contest.state is ContestState.RUNNING
    seeded = [[each.person for each in them] for them in view.list_divisions()]
    # The best of the second division and the last of the first change places.
    top, bottom = divisions
    assert seeded == [[*top[:-1], bottom[0]], [top[-1], *bottom[1:]]]
    (call,) = find_closings(club)
    assert "Sign-up for" not in extract_text(call)


async def test_what_is_no_series_is_called_off_with_too_few(club: SimulatedClub) -> None:
    await gather(club, "league", 3)
    await club.advance_clock(SIGN_UP)
    assert (await load_view(club)).contest.state is ContestState.CANCELLED


async def test_who_is_back_twice_is_back_once(club: SimulatedClub) -> None:
    people = await start(club, "tournament", 8, format="swiss", rounds=3, days=2)
    ids = [person.id for person in people]
    missing = await find_to_act(club, (await load_view(club)).pairings[0])
    await play_round(club, ids, missing=[missing])
    await club.advance_clock(2 * DAY)
    await club.advance_clock(5_000)
    card = find_cards(club)[0]
    actor = next(each for each in people if each.id == missing)
    await actor.click(card, label="I'm back")
    # The bot stops and comes back before they ask again.
    await stop_bot_for(club, HOUR)
    assert "I'm back" not in list_button_labels(find_cards(club)[0])
    again = await press_old_button(club, actor, "leaguejoin:1")
    assert get_ephemeral_text(again) == f"You've already joined {NAME}."
    entrant = (await load_view(club)).find_entrant(missing)
    assert entrant is not None
    assert entrant.back_after == 2
    await play_round(club, ids)
    view = await load_view(club)
    assert view.round == 3
    assert view.list_running(missing)


async def test_a_start_that_two_processes_make_at_once_is_one(club: SimulatedClub) -> None:
    people = await gather(club, "league", 6)
    club.guild.remove_member(people[5])
    club.hands.ahead += SIGN_UP
    job = StartContest(1)
    (queued,) = [
        each for each in await load_due(club.store.jobs, club.hands(), 9) if each.kind == job.kind
    ]
    await asyncio.gather(*(delivery.start_contest(club.bot, job, queued) for _ in range(2)))
    await club.advance_clock(5_000)
    view = await load_view(club)
    assert len(view.pairings) == 10
    gone = view.find_entrant(people[5].id)
    assert gone is not None
    assert gone.departure is Departure.SERVER


async def test_where_direct_messages_are_closed_the_channel_tells(club: SimulatedClub) -> None:
    people = await start(club, "league", 4, seasons=True, size=5)
    await change_settings(people[0], club.channel, reminders="direct")
    club.env.inject_error("POST", "/users/@me/channels", status=403, code=50007, times=None)
    await play_round(club, [person.id for person in people])
    await club.advance_clock(5_000)
    await club.advance_clock(5_000)
    calls = [
        text
        for text in map(extract_text, list_public_messages(club))
        if "Sign-up for Spring open, season 2 is open" in text
    ]
    # The old season's card, the post that announces its end, and one to those who had no message.
    assert len(calls) == 3
    assert [text for text in calls if text.startswith(f"<@{people[0].id}>: Sign-up")] == calls[2:]
    # The organiser reads on the card what they could not be told.
    await club.advance_clock(7 * DAY)
    await club.advance_clock(5_000)
    assert "sign-up goes on for a week" in extract_text(find_cards(club)[-1])
    assert [each.error for each in await club.store.jobs.load_all() if each.error] == []


async def test_another_organiser_goes_on_where_the_first_has_left(club: SimulatedClub) -> None:
    role = club.guild.create_role("Staff", permissions=discord.Permissions(manage_events=True))
    for person in (club.ben, club.cyn):
        club.env.backend.add_member_role(club.guild.id, person.id, role.id)
    await create_contest(
        club.ben, club.channel, "league", name=NAME, game="fallas", pace="none", signup=3
    )
    people = add_people(club, 5)
    for person in people:
        await person.click(find_cards(club)[0], label="Join")
    club.guild.remove_member(club.ben)
    club.guild.remove_member(people[4])
    await club.advance_clock(SIGN_UP)
    await club.advance_clock(5_000)
    view = await load_view(club)
    assert len(view.pairings) == 6
    # Who has left is told nothing of it any more, and it goes on without them.
    assert club.ben.user.dm_channel.last_message is None
    answer = await club.cyn.slash(club.channel, "league manage")
    panel = get_response(answer).message
    assert f"so withdrawn: <@{people[4].id}>." in extract_text(panel)
    result = await club.cyn.click(panel, custom_id="leaguerule:1:extend")
    assert "gave one more week" in extract_text(get_response(result).message)
    club.env.backend.remove_member_role(club.guild.id, club.cyn.id, role.id)
    response = await club.cyn.slash(club.channel, "league manage")
    assert get_ephemeral_text(response).startswith("Only people with the permission Manage Events")


async def test_what_is_to_come_is_listed_whatever_becomes_of_its_place(
    club: SimulatedClub,
) -> None:
    people = await start(club, "league", 4, game="zeno", limit=1)
    person, elsewhere = people[1], club.guild.create_text_channel("elsewhere")
    card = find_cards(club)[0]
    line = f"[{NAME}]({card.jump_url}): 2 matches begin as others end."

    async def list_coming() -> str:
        answer = await person.slash(elsewhere, "matches")
        return get_ephemeral_text(answer).partition("### Your leagues and tournaments\n")[2]

    assert line in await list_coming()
    await manage(club, "league", "pause")
    assert f"{line} Paused: clocks are stopped" in await list_coming()
    # They take part, so that they read of it also where they can't see it any more.
    await hide_channel(club, club.channel, person)
    assert line in await list_coming()
    club.env.backend.delete_channel(club.channel.id)
    await club.env.settle()
    assert "2 matches begin as others end." in await list_coming()
    # In a server that has removed the bot it waits, and is said in direct messages.
    await leave_guild(club)
    direct = get_response(await person.user.slash("matches")).message
    assert "2 matches begin as others end." in extract_text(direct)


async def test_a_role_that_is_deleted_while_the_form_is_open_keeps_nobody_out(
    club: SimulatedClub,
) -> None:
    role = club.guild.create_role("Players")
    form = await club.ana.slash(club.channel, "tournament create", name=NAME, game="zeno")
    form = await choose_term(club.ana, form, "role", role)
    club.env.backend.delete_role(club.guild.id, role.id)
    await club.env.settle()
    await choose_term(club.ana, form, "create", None)
    await club.advance_clock(5_000)
    card = find_cards(club)[0]
    assert "The role needed to join was deleted, so everyone can join." in extract_text(card)
    joined = get_ephemeral_text(await club.ben.click(card, label="Join"))
    assert joined.startswith(f"You've joined {NAME}.")


async def test_players_are_not_invited_in_quiet_hours(club: SimulatedClub) -> None:
    people = await start(club, "league", 4, seasons=True)
    hour = club.hands() // HOUR % 24
    await change_server(club.ana, club.channel, quiet=f"{hour}-{(hour + 3) % 24}")
    await play_round(club, [person.id for person in people])
    await club.advance_clock(5_000)

    assert find_closings(club) == []
    await club.advance_clock(3 * HOUR)
    assert len(find_closings(club)) == 1
    assert list_mentioned(club, "Final standings") == [person.id for person in people]


async def test_who_can_no_longer_see_the_channel_is_not_paired(club: SimulatedClub) -> None:
    people = await gather(club, "league", 5, seasons=True)
    await hide_channel(club, club.channel, people[3])
    await club.advance_clock(SIGN_UP)
    await club.advance_clock(5_000)
    view = await load_view(club)
    gone = view.find_entrant(people[3].id)
    assert gone is not None
    assert (gone.departure, len(view.pairings)) == (Departure.SIGHT, 6)
    text = extract_text(find_cards(club)[0])
    assert f"Unable to see this channel, so withdrawn: <@{people[3].id}>." in text
    # Nor is anybody told of the next season where they can't see it.
    await change_settings(people[0], club.channel, reminders="direct")
    await hide_channel(club, club.channel, people[0])
    await play_round(club, [person.id for person in people])
    await club.advance_clock(5_000)
    await club.advance_clock(5_000)
    assert people[0].user.dm_channel.last_message is None
