"""The entry in a person's menu that challenges them: a game, its terms, and the challenge."""

import discord
import pytest
import simcord

from bot.features.challenges.store import Challenges
from bot.features.matches.store import Matches
from bot.platform.ui.declarations import collect_menus
from tests.bot.test_membership import ABSENT, leave_guild
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    find_button,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    list_button_labels,
    list_menus,
    list_public_messages,
    start_match,
)
from tests.support.panels import change_server, get_chosen

pytestmark = pytest.mark.asyncio


async def pick_game(
    club: SimulatedClub, opponent: simcord.MemberActor, slug: str
) -> discord.Message:
    """Ana opens somebody's menu and picks a game; returns the card of its terms."""
    answer = await club.ana.context_menu(club.channel, "Challenge", opponent)
    card = get_response(answer).message
    menu = next(
        menu for menu in list_menus(card) if slug in [option.value for option in menu.options]
    )
    await club.ana.select(card, custom_id=menu.custom_id, values=[slug])
    return card


async def test_a_challenge_begins_in_the_menu_of_a_person(club: SimulatedClub) -> None:
    people = [each for each in collect_menus() if each.type is discord.AppCommandType.user]
    assert [each.name for each in people] == ["Challenge"]
    card = await pick_game(club, club.ben, "zeno")
    assert card.flags.ephemeral
    assert list_public_messages(club) == []
    answer = await club.ana.select(card, custom_id="draftterm:side", values=["black"])
    assert get_response(answer).id == card.id
    assert f"It's for <@{club.ben.id}>." in get_ephemeral_text(answer)
    await club.ana.select(card, custom_id="draftterm:pace", values=["day"])
    await club.ana.click(card, custom_id="draftterm:rated:0")
    answer = await club.ana.select(card, custom_id="draft:unusable", values=["opponent"])
    for control, value in (("side", "black"), ("pace", "day")):
        assert get_chosen(get_response(answer).message, f"draftterm:{control}") == [value]
    assert "**Rated**: off" in get_ephemeral_text(answer)
    response = await club.ana.click(card, label="Challenge")
    assert get_ephemeral_text(response) == "Your challenge has been posted."
    challenge = await club.store.get(Challenges).load_challenge(1)
    assert challenge is not None
    assert (challenge.game, challenge.challenger, challenge.opponent, challenge.side) == (
        "zeno",
        club.ana.id,
        club.ben.id,
        "black",
    )
    assert (challenge.rated, challenge.pace) == (False, "day")
    assert challenge.options == {"unusable": "opponent"}
    await club.ben.click(
        get_newest_message(club), custom_id=find_button(get_newest_message(club), ":accept")
    )
    assert "Match 1" in extract_text(get_newest_message(club))


async def test_a_challenge_has_the_terms_of_the_server_at_first(club: SimulatedClub) -> None:
    await change_server(club.ana, club.channel, pace="week", rated=False)
    card = await pick_game(club, club.ben, "laquet")
    answer = await club.ana.select(card, custom_id="draftterm:side", values=["gold"])
    assert get_chosen(get_response(answer).message, "draftterm:pace") == ["week"]
    assert "**Rated**: off" in get_ephemeral_text(answer)


async def test_who_cannot_be_challenged_is_refused_before_a_game_is_chosen(
    club: SimulatedClub,
) -> None:
    robot = club.guild.add_member(club.env.create_user("robot", global_name="Robot", bot=True))
    await club.ben.slash(club.channel, "me block", person=club.ana)
    for person, refusal in (
        (club.ana, "You can't challenge yourself."),
        (robot, "Robot is a bot and doesn't play."),
        (club.ben, "Ben can't be challenged."),
    ):
        text = get_ephemeral_text(await club.ana.context_menu(club.channel, "Challenge", person))
        assert text.startswith(refusal)
    role = club.guild.create_role("Players")
    await change_server(club.ana, club.channel, role=role)
    text = get_ephemeral_text(await club.ana.context_menu(club.channel, "Challenge", club.cyn))
    assert text.startswith(f"Only members of <@&{role.id}> can challenge each other here")
    assert list_public_messages(club) == []


async def test_the_bot_s_own_menu_plays_the_computer_at_once(club: SimulatedClub) -> None:
    me = simcord.MemberActor(
        club.env, club.guild, simcord.UserHandle(club.env, club.env.backend.bot_user)
    )
    card = await pick_game(club, me, "zeno")
    answer = await club.ana.click(card, custom_id="draftterm:rated:1")
    menus = [menu.custom_id for menu in list_menus(get_response(answer).message)]
    assert "draftterm:pace" not in menus
    await club.ana.click(card, label="Challenge")
    row = await club.store.get(Matches).load_row(1)
    assert row is not None
    assert row.rated


async def test_nothing_is_challenged_where_the_bot_is_no_member(club: SimulatedClub) -> None:
    await leave_guild(club)
    answer = await club.ana.context_menu(club.channel, "Challenge", club.ben)
    assert get_ephemeral_text(answer) == ABSENT
    assert "Challenge" not in list_button_labels(get_response(answer).message)
    assert await club.store.get(Challenges).load_challenge(1) is None


async def test_somebody_who_plays_already_can_be_challenged_again(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    card = await pick_game(club, club.ben, "zeno")
    await club.ana.click(card, label="Challenge")
    challenge = await club.store.get(Challenges).load_challenge(2)
    assert challenge is not None
    assert challenge.opponent == club.ben.id
