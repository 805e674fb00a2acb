"""Contests of many players: everybody sees their own line, and all others if they look."""

import discord
import pytest
import simcord

from bot.features.contests.results import compute_swiss
from tests.bot import test_leagues as league
from tests.bot.test_ladders import open_ladder
from tests.bot.test_leagues import create_league, find_league, load_view, rule
from tests.bot.test_tournaments import SIGN_UP, find_card, gather_players
from tests.support.club import SimulatedClub
from tests.support.contests import join_together
from tests.support.driver import (
    add_member,
    extract_text,
    get_ephemeral_text,
    get_response,
    list_menus,
    list_pictures,
)

pytestmark = pytest.mark.asyncio


async def open_table(
    person: simcord.MemberActor, card: discord.Message, label: str = "How the table is made"
) -> discord.Message:
    """The table with all sums as somebody sees it."""
    message = get_response(await person.click(card, label=label)).message
    assert message is not None
    return message


async def turn_to(
    person: simcord.MemberActor, shown: discord.Message, label: str
) -> discord.Message:
    """Another page of it."""
    (menu,) = list_menus(shown)
    value = next(each.value for each in menu.options if each.label == label)
    turned = await person.select(shown, custom_id=menu.custom_id, values=[value])
    message = get_response(turned).message
    assert message is not None
    return message


async def test_everybody_is_in_the_table_of_a_swiss_of_sixty_four(club: SimulatedClub) -> None:
    people = await gather_players(club, 64, in_order=False, format="swiss", rounds=2)
    await club.advance_clock(SIGN_UP)
    card = find_card(club)
    places = [each.person for each in compute_swiss(await load_view(club))]
    # The picture has sixteen, and words the others.
    (picture,) = list_pictures(card)
    assert picture.description is not None
    assert "Ana" in picture.description
    text = extract_text(card)
    assert all(f"<@{person}>" in text for person in places[16:])
    last = next(each for each in people if each.id == places[-1])
    message = await open_table(last, card)
    own, *lines = [line for line in extract_text(message).splitlines() if f"<@{last.id}>" in line]
    assert own.startswith("**You**: ")
    assert own.endswith("Sonneborn-Berger 0")
    # Their page is the last, and has their line in its place.
    assert lines == [own.removeprefix("**You**: ")]
    assert "Places 49–64" in extract_text(message)
    (menu,) = list_menus(message)
    pages = [each.label for each in menu.options]
    assert pages == ["Places 1–16", "Places 17–32", "Places 33–48", "Places 49–64"]
    seen = []
    for page in pages:
        message = await turn_to(last, message, page)
        text = extract_text(message)
        assert own in text
        assert "… and" not in text
        listed = [line for line in text.splitlines() if line.startswith("**") and "<@" in line]
        seen += [line for line in listed if line != own]
        (picture,) = list_pictures(message)
        assert picture.description is not None
    assert len(seen) == 64
    assert all(any(f"<@{person}>" in line for line in seen) for person in places)


async def test_one_s_own_line_comes_first_in_private_standings(club: SimulatedClub) -> None:
    people = await gather_players(club, 17, in_order=False, format="swiss", rounds=2)
    await club.advance_clock(SIGN_UP)
    text = get_ephemeral_text(await people[9].slash(club.channel, "tournament standings"))
    assert text.splitlines()[1].startswith("**You**: ")
    assert f"<@{people[9].id}>" in text.splitlines()[1]
    stranger = add_member(club, "stranger")
    text = get_ephemeral_text(await stranger.slash(club.channel, "tournament standings"))
    assert "**You**" not in text
    await people[9].slash(club.channel, "tournament standings", share=True)
    assert "**You**" not in "".join(map(extract_text, club.channel.history()))


async def test_a_league_says_first_how_one_stands(club: SimulatedClub) -> None:
    card = await create_league(club, pace="none")
    people = [add_member(club, f"player{at}") for at in range(20)]
    await join_together(club, card, people)
    await rule(club, "start")
    text = get_ephemeral_text(await people[19].slash(club.channel, "league standings"))
    assert text.splitlines()[1].startswith("**You**: ")
    message = await open_table(people[19], find_league(club))
    assert "Division C" in extract_text(message)
    message = await turn_to(people[19], message, "Division A")
    first = extract_text(message).splitlines()[1]
    assert first.startswith("**You**: ")
    assert f"<@{people[19].id}>" in first


async def test_of_a_large_knock_out_each_round_has_a_page(club: SimulatedClub) -> None:
    people = await gather_players(club, 32, in_order=False, format="knock-out")
    await club.advance_clock(SIGN_UP)
    message = await open_table(people[31], find_card(club), "All rounds")
    # Only the first round has begun: nothing is known of the others.
    assert list_menus(message) == []
    text = extract_text(message)
    assert all(f"<@{person.id}>" in text for person in people)
    assert "… and" not in text
    for pairing in (await load_view(club)).list_running():
        loser = max(pairing.first, pairing.second)
        await league.resign(club, loser, pairing.match)
    await club.advance_clock(5_000)
    view = await load_view(club)
    lost = {each.result.get_opponent(each.winner) for each in view.pairings if each.winner}
    out = next(person for person in people if person.id in lost)
    message = await open_table(out, find_card(club), "All rounds")
    (menu,) = list_menus(message)
    assert [each.label for each in menu.options] == ["Round of 32", "Round of 16"]
    # The latest comes first, and says nothing of those who are out but to themselves.
    own = extract_text(message).splitlines()[1]
    assert own.startswith("**You**: ")
    assert f"beat <@{out.id}>" in own
    first = extract_text(await turn_to(out, message, "Round of 32"))
    assert first.splitlines()[1] == own
    assert all(f"<@{person.id}>" in first for person in people)


async def test_a_ladder_says_first_on_which_rung_one_stands(club: SimulatedClub) -> None:
    people = await open_ladder(club, 5)
    text = get_ephemeral_text(await people[3].slash(club.channel, "ladder standings"))
    assert "You're on rung 4 of 5." in text.splitlines()[:2]
    await people[3].slash(club.channel, "ladder standings", share=True)
    assert "You're on rung" not in "".join(map(extract_text, club.channel.history()))
