"""Leagues as people meet them: sign-up, matches that start by themselves, tables, and rulings."""

from typing import Any

import discord
import pytest
import simcord

from bot.features.contests.rows import ContestState, ContestView
from bot.features.contests.seasons import list_tables
from engine import dice
from engine.clock import DAY
from tests.bot.conftest import SimulatedClub
from tests.bot.driver import (
    extract_text,
    get_ephemeral_text,
    give_up,
    list_button_labels,
    list_pictures,
    list_public_messages,
)

WEEK = 7 * DAY
NAME = "Autumn league"


def add_member(club: SimulatedClub, login: str) -> simcord.MemberActor:
    """Another person in the club's server."""
    return club.guild.add_member(club.env.create_user(login, global_name=login.title()))


async def create_league(
    club: SimulatedClub, name: str = NAME, game: str = "fallas", **options: Any
) -> discord.Message:
    """The message of a league that Ana organises."""
    await club.ana.slash(club.channel, "league create", name=name, game=game, **options)
    return find_league(club)


def find_league(club: SimulatedClub) -> discord.Message:
    """The message of the league, wherever matches went on since."""
    (card,) = [
        message
        for message in list_public_messages(club)
        if extract_text(message).startswith("### Autumn league")
    ]
    return card


async def load_view(club: SimulatedClub, number: int = 1) -> ContestView:
    """A league as it is stored."""
    view = await club.store.contests.load_view(number)
    assert view is not None
    return view


async def start_league(
    club: SimulatedClub, **options: Any
) -> tuple[discord.Message, list[simcord.MemberActor]]:
    """A league of four that has started: its message, and its people by their ids."""
    card = await create_league(club, **options)
    people = [club.ana, club.ben, club.cyn, add_member(club, "dan")]
    for person in people:
        await person.click(card, label="Join")
    await club.advance_clock(7 * DAY + 1)
    return find_league(club), people


@pytest.mark.asyncio
async def test_people_join_and_leave_until_it_starts(club: SimulatedClub) -> None:
    card = await create_league(club, game="Fallas", weeks=3)
    told = extract_text(card)
    assert "- Game: Fallas" in told
    assert "- Time to play: 3 weeks" in told
    assert "Nobody has joined yet; there's room for 64." in told
    assert list_button_labels(card) == ["Join", "Withdraw"]
    view = await load_view(club)
    assert f"Dice commitment: `{view.contest.commitment[:16]}" in told
    assert view.contest.commitment == dice.compute_commitment(view.contest.secret)
    joined = get_ephemeral_text(await club.ben.click(card, label="Join"))
    assert joined.startswith("You've joined Autumn league.")
    await club.cyn.slash(club.channel, "league join")
    assert f"**2 players of 64**: <@{club.ben.id}> and <@{club.cyn.id}>" in extract_text(
        find_league(club)
    )
    again = get_ephemeral_text(await club.ben.click(card, label="Join"))
    assert again == "You've already joined Autumn league."
    await club.ben.click(card, label="Withdraw")
    assert f"**1 player of 64**: <@{club.cyn.id}>" in extract_text(find_league(club))
    stranger = get_ephemeral_text(await club.ben.click(card, label="Withdraw"))
    assert stranger == "You don't take part in Autumn league."
    # Who comes back gives to the dice anew.
    await club.ben.click(card, label="Join")
    entrant = (await load_view(club)).find_entrant(club.ben.id)
    assert entrant is not None
    assert entrant.left is None


@pytest.mark.asyncio
async def test_matches_of_a_league_start_by_themselves(club: SimulatedClub) -> None:
    card, people = await start_league(club)
    view = await load_view(club)
    assert view.contest.state is ContestState.RUNNING
    pairs = {frozenset((each.first, each.second)) for each in view.pairings}
    ids = [person.id for person in people]
    assert pairs == {frozenset((one, other)) for one in ids for other in ids if one != other}
    assert len(view.pairings) == 6
    for pairing in view.pairings:
        row = await club.store.matches.get(pairing.match)
        assert row is not None
        assert row.version >= 1
        assert row.message is not None
        assert row.thread == row.channel
        assert row.secret == dice.derive_match_secret(view.contest.secret, pairing.number)
        given = {each.person: each.contribution for each in view.entrants}
        assert {seat.person: seat.contribution for seat in row.seats} == {
            person: given[person] for person in (pairing.first, pairing.second)
        }
    assert "0 of 6 matches are over." in extract_text(card)
    (picture,) = list_pictures(card)
    assert picture.description is not None
    assert "Autumn league" in picture.description
    assert list_button_labels(card) == ["My matches", "How the table is made"]
    own = get_ephemeral_text(await club.ben.click(card, label="My matches"))
    assert own.count("in progress") == 3


@pytest.mark.asyncio
async def test_resigned_matches_make_the_table(club: SimulatedClub) -> None:
    _, people = await start_league(club)
    by_id = {person.id: person for person in people}
    # The earlier in the order of ids wins each match, so the points are 3, 2, 1 and 0.
    order = sorted(by_id)
    for pairing in (await load_view(club)).pairings:
        loser = max(pairing.first, pairing.second)
        await give_up(club, by_id[loser], club.channel, pairing.match)
    await club.advance_clock(5_000)
    view = await load_view(club)
    (table,) = list_tables(view)
    assert [(each.person, int(each.points)) for each in table] == list(
        zip(order, (3, 2, 1, 0), strict=True)
    )
    assert view.contest.state is ContestState.OVER
    told = extract_text(find_league(club))
    assert f"**<@{order[0]}> won the league.**" in told
    assert "6 of 6 matches are over." in told
    assert view.contest.secret.hex() in told
