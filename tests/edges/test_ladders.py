"""Ladders on which people come and go: who has left, is away, blocks, or never answers."""

import discord
import pytest
import simcord

from bot.features.challenges.store import Challenges
from bot.features.ladders.rungs import DECLINED, LAPSED, WITHDRAWN
from bot.features.ladders.store import Ladders
from bot.features.matches.store import Matches
from bot.features.preferences.store import Blocks
from engine.clock import DAY, HOUR
from tests.bot.test_access import create_channel_hidden_from
from tests.bot.test_ladders import (
    NAME,
    WEEK,
    answer,
    begin,
    challenge,
    find_card,
    find_rung,
    list_drops,
    list_ids,
    load_view,
    open_ladder,
)
from tests.bot.test_privacy import delete_data
from tests.support.club import SimulatedClub
from tests.support.contests import (
    INTERNAL_REASON,
    PUBLIC_REASON,
    create_contest,
    find_hint,
    press_old_button,
    press_standings,
)
from tests.support.driver import (
    extract_text,
    find_button,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    give_up,
    list_direct_texts,
    list_menus,
    list_public_messages,
)
from tests.support.panels import change_server, change_settings
from tests.support.season import record_presence, stop_bot_for
from tests.support.stored import load_due, load_given_up

pytestmark = pytest.mark.asyncio
AWAY = "left the server or lost the role it asks for"


async def see_next(club: SimulatedClub, person: simcord.MemberActor) -> discord.Message:
    """What somebody reads about whom they can challenge."""
    return get_response(await press_standings(person, club.channel, "ladder", "next")).message


def list_offered(message: discord.Message) -> list[str]:
    """Whom the menu of a message offers to challenge."""
    return [option.label for menu in list_menus(message) for option in menu.options]


def come_back(club: SimulatedClub, person: simcord.MemberActor) -> simcord.MemberActor:
    """Let somebody who has left the server join it again."""
    return club.guild.add_member(person.user)


async def test_who_has_left_the_server_is_out_of_the_way(club: SimulatedClub) -> None:
    people = await open_ladder(club, 6)
    ana, ben, cyn, dan, eva, fay = people
    for person in (dan, eva):
        club.guild.remove_member(person)
    message = await see_next(club, fay)
    text = extract_text(message)
    assert "You're on rung 4 of 4." in text
    for person in (dan, eva):
        assert f"<@{person.id}>: {person.user.global_name} has {AWAY}" in text
    # Three rungs above her are those of who is there.
    assert list_offered(message) == ["Ana", "Ben", "Cyn"]
    card = extract_text(find_card(club))
    assert "Not in the server, or without the role it asks for: Dan and Eva." in card
    assert find_rung(find_card(club), 4) == "Fay"
    assert (await challenge(club, fay, ana)).startswith("You've challenged")
    await answer(club, ana, "decline")
    assert (await load_view(club)).rungs == list_ids(people, 6, 1, 2, 3)
    # Back in the server, Dan is on the rung that he has kept, whatever he asks.
    again = come_back(club, dan)
    text = extract_text(await see_next(club, again))
    assert "You're on rung 5 of 5." in text
    assert (await load_view(club)).rungs == list_ids(people, 6, 1, 2, 3, 4)
    # And Eva by the button that a newcomer presses.
    response = await come_back(club, eva).click(find_card(club), label="Join")
    assert get_ephemeral_text(response).startswith(f"You've joined {NAME} on rung 6.")
    assert (await load_view(club)).order == list_ids(people, 6, 1, 2, 3, 4, 5)
    assert "Not in the server" not in extract_text(find_card(club))
    assert cyn.id in (await load_view(club)).rungs
    assert ben.id in (await load_view(club)).rungs


async def test_who_leaves_after_the_list_was_shown_is_found_out_by_the_press(
    club: SimulatedClub,
) -> None:
    people = await open_ladder(club, 5)
    ana, ben, eva = people[0], people[1], people[4]
    message = await see_next(club, eva)
    assert list_offered(message) == ["Ben", "Cyn", "Dan"]
    club.guild.remove_member(ben)
    (menu,) = list_menus(message)
    pressed = await eva.select(message, custom_id=menu.custom_id, values=[str(ben.id)])
    text = get_ephemeral_text(pressed)
    assert text.startswith(f"Ben has {AWAY}, so they're out of the way until they come back.")
    assert (await load_view(club)).rungs == list_ids(people, 1, 3, 4, 5)
    # At once Ana is within her reach, by the command too.
    assert (await challenge(club, eva, ana)).startswith("You've challenged")


async def test_who_comes_back_has_the_rung_that_inactivity_gives_them(
    club: SimulatedClub,
) -> None:
    people = await open_ladder(club, 5, pace="none")
    ana, ben, cyn, dan, eva = people
    club.guild.remove_member(ana)
    # All others play on and on; the weekly look finds out that Ana has left.
    for one, other in ((eva, dan), (cyn, ben)):
        await begin(club, one, other)
    await club.advance_clock(WEEK)
    assert (await load_view(club)).rungs == list_ids(people, 2, 3, 4, 5)
    for _ in range(5):
        await club.advance_clock(WEEK)
    # She has dropped on days 28, 35 and 42.
    assert (await load_view(club)).order == list_ids(people, 2, 3, 4, 1, 5)
    text = get_ephemeral_text(
        await press_standings(come_back(club, ana), club.channel, "ladder", "next")
    )
    assert "You're on rung 4 of 5." in text
    assert (await load_view(club)).rungs == list_ids(people, 2, 3, 4, 1, 5)


async def test_where_discord_does_not_answer_everybody_is_there(club: SimulatedClub) -> None:
    people = await open_ladder(club, 4)
    club.guild.remove_member(people[1])
    club.env.inject_error("GET", "/guilds/*/members/*", status=503, times=20)
    message = await see_next(club, people[3])
    assert list_offered(message) == ["Ana", "Ben", "Cyn"]
    assert (await load_view(club)).rungs == list_ids(people, 1, 2, 3, 4)


async def test_who_loses_the_role_is_out_of_the_way_until_they_have_it(
    club: SimulatedClub,
) -> None:
    people = await open_ladder(club, 5)
    ana, cyn, eva = people[0], people[2], people[4]
    role = club.guild.create_role("Players")
    for person in people:
        club.env.backend.add_member_role(club.guild.id, person.id, role.id)
    await change_server(ana, club.channel, role=role)
    club.env.backend.remove_member_role(club.guild.id, cyn.id, role.id)
    message = await see_next(club, eva)
    assert list_offered(message) == ["Ana", "Ben", "Dan"]
    assert f"Cyn has {AWAY}" in extract_text(message)
    refusal = get_ephemeral_text(await press_standings(cyn, club.channel, "ladder", "next"))
    assert refusal.startswith(f"Only members of <@&{role.id}> can challenge each other here")
    club.env.backend.add_member_role(club.guild.id, cyn.id, role.id)
    assert "You're on rung 3 of 5." in extract_text(await see_next(club, cyn))
    assert list_offered(await see_next(club, eva)) == ["Ben", "Cyn", "Dan"]


async def test_a_challenge_of_who_has_left_costs_nobody_a_rung(club: SimulatedClub) -> None:
    people = await open_ladder(club, 5)
    ana, ben, cyn, dan, eva = people
    for one, other in ((dan, ana), (cyn, ben), (eva, cyn)):
        await challenge(club, one, other)
    message = get_newest_message(club)
    for person in (cyn, dan, eva):
        club.guild.remove_member(person)
    # Ben declines, Ana never answers, and nobody who is there can begin what Eva asked for.
    listed = get_response(await ben.slash(club.channel, "matches")).message
    (menu,) = list_menus(listed)
    await ben.select(listed, custom_id=menu.custom_id, values=["2"])
    again = come_back(club, cyn)
    text = get_ephemeral_text(await again.click(message, custom_id=find_button(message, ":accept")))
    assert text == "Eva has left this server, so the challenge is withdrawn."
    await club.advance_clock(WEEK)
    view = await load_view(club)
    assert [each.how for each in view.challenges] == [WITHDRAWN] * 3
    assert view.order == list_ids(people, 1, 2, 3, 4, 5)
    assert await club.store.get(Matches).load_numbers() == []


async def test_a_block_is_out_of_the_way_and_said_to_who_has_set_it(club: SimulatedClub) -> None:
    people = await open_ladder(club, 6)
    ana, _, cyn, dan, eva, fay = people
    await fay.slash(club.channel, "me block", person=dan)
    await cyn.slash(club.channel, "me block", person=fay)
    message = await see_next(club, fay)
    text = extract_text(message)
    assert f"<@{dan.id}>: You've blocked Dan. You can unblock them with `/me block`." in text
    assert f"<@{cyn.id}>: Cyn can't be challenged by you." in text
    # Whoever she can't challenge isn't one of the three rungs.
    assert list_offered(message) == ["Ana", "Ben", "Eva"]
    assert (await challenge(club, fay, ana)).startswith("You've challenged")
    # Nobody else reaches further by it.
    assert list_offered(await see_next(club, eva)) == ["Ben", "Cyn", "Dan"]


@pytest.mark.parametrize("blocker", [0, 2])
async def test_a_block_takes_an_open_challenge_back_and_moves_nobody(
    club: SimulatedClub, blocker: int
) -> None:
    people = await open_ladder(club, 4)
    pair = people[0], people[2]
    await challenge(club, people[2], people[0])
    asked = get_newest_message(club)
    other = pair[1] if blocker == 0 else pair[0]
    await people[blocker].slash(club.channel, "me block", person=other)
    view = await load_view(club)
    assert [each.how for each in view.challenges] == [WITHDRAWN]
    assert view.rungs == list_ids(people, 1, 2, 3, 4)
    (message,) = [each for each in list_public_messages(club) if each.id == asked.id]
    assert "Withdrawn." in extract_text(message)


async def test_a_block_from_before_this_version_costs_no_rung_either(club: SimulatedClub) -> None:
    people = await open_ladder(club, 4)
    await challenge(club, people[2], people[0])
    await challenge(club, people[3], people[1])
    await club.store.get(Blocks).add(people[2].id, people[0].id)
    await club.store.get(Blocks).add(people[1].id, people[3].id)
    await answer(club, people[1], "decline")
    await club.advance_clock(WEEK)
    view = await load_view(club)
    assert [each.how for each in view.challenges] == [WITHDRAWN, WITHDRAWN]
    assert view.rungs == list_ids(people, 1, 2, 3, 4)


async def test_an_unanswered_challenge_is_called_again_a_day_before(club: SimulatedClub) -> None:
    people = await open_ladder(club)
    await challenge(club, people[2], people[0])
    before = get_newest_message(club)
    await club.ben.slash(club.channel, "puzzle", share=True)
    await club.advance_clock(WEEK - DAY - HOUR)
    assert any(each.id == before.id for each in list_public_messages(club))
    await club.advance_clock(HOUR)
    again = get_newest_message(club)
    assert again.id > before.id
    assert f"<@{people[0].id}>" in extract_text(again)
    assert not any(each.id == before.id for each in list_public_messages(club))
    # Once, also where the bot is started anew meanwhile.
    await restart(club)
    await club.advance_clock(HOUR)
    assert get_newest_message(club).id == again.id
    await people[0].click(again, custom_id=find_button(again, ":accept"))
    assert (await load_view(club)).challenges[0].match is not None


async def restart(club: SimulatedClub, milliseconds: int = 0) -> None:
    """Let the bot be down for so long."""
    # The program records all the time that it runs; here almost none has passed.
    await record_presence(club)
    await stop_bot_for(club, milliseconds)


@pytest.mark.parametrize("closed", [False, True])
async def test_who_wants_direct_messages_is_reminded_there_if_that_is_possible(
    club: SimulatedClub, *, closed: bool
) -> None:
    people = await open_ladder(club)
    await change_settings(people[0], club.channel, reminders="direct")
    await challenge(club, people[2], people[0])
    message = get_newest_message(club)
    if closed:
        club.env.inject_error("POST", "/users/@me/channels", status=403, code=50007)
    await club.advance_clock(WEEK - DAY)
    if closed:
        assert list_direct_texts(people[0]) == []
        assert get_newest_message(club).id > message.id
    else:
        (text,) = list_direct_texts(people[0])
        assert text.startswith("Cyn's challenge on a ladder expires <t:")
        assert str(message.id) in text
        assert any(each.id == message.id for each in list_public_messages(club))
    assert await load_given_up(club.store.jobs) == []


async def test_who_wants_no_reminders_gets_none(club: SimulatedClub) -> None:
    people = await open_ladder(club)
    await change_settings(people[0], club.channel, reminders="never")
    await challenge(club, people[2], people[0])
    message = get_newest_message(club)
    await club.advance_clock(WEEK - HOUR)
    assert get_newest_message(club).id == message.id
    await club.advance_clock(HOUR)
    assert [each.how for each in (await load_view(club)).challenges] == [LAPSED]


async def test_a_vacation_is_not_interrupted_by_a_reminder_but_followed_by_one(
    club: SimulatedClub,
) -> None:
    people = await open_ladder(club)
    await challenge(club, people[2], people[0])
    message = get_newest_message(club)
    await people[0].slash(club.channel, "me vacation", days=9)
    await club.advance_clock(WEEK)
    assert get_newest_message(club).id == message.id
    await club.advance_clock(2 * DAY + HOUR)
    # Ana is back, and has a day.
    assert get_newest_message(club).id > message.id
    await answer(club, people[0], "decline")
    assert [each.how for each in (await load_view(club)).challenges] == [DECLINED]


async def test_an_outage_gives_back_the_time_to_answer_and_to_be_active(
    club: SimulatedClub,
) -> None:
    people = await open_ladder(club, 3, pace="none")
    ana, ben, cyn = people
    await club.advance_clock(20 * DAY)
    await restart(club, 10 * DAY)
    # Thirty days after they joined the others begin to play; only twenty have counted for Ana.
    await begin(club, cyn, ben)
    await club.advance_clock(WEEK)
    assert await list_drops(club) == []
    assert (await load_view(club)).rungs == list_ids(people, 1, 2, 3)
    await club.advance_clock(WEEK)
    assert await list_drops(club) == [ana.id]


async def test_the_challenge_of_a_player_who_is_deleted_moves_nobody(club: SimulatedClub) -> None:
    people = await open_ladder(club)
    await challenge(club, people[3], people[0])
    await delete_data(club, people[3])
    await club.advance_clock(WEEK)
    view = await load_view(club)
    assert view.order == list_ids(people, 1, 2, 3, 5)
    assert await club.store.get(Ladders).find_wrong_orders() == []
    again = get_ephemeral_text(await people[3].click(find_card(club), label="Join"))
    assert again.startswith(f"You've joined {NAME} on rung 5.")


async def test_what_is_annulled_years_later_changes_all_that_came_of_it(
    club: SimulatedClub,
) -> None:
    people = await open_ladder(club, 4)
    first = await begin(club, people[3], people[0])
    await give_up(club, people[0], club.channel, first)
    second = await begin(club, people[2], people[1])
    await give_up(club, people[1], club.channel, second)
    assert (await load_view(club)).rungs == list_ids(people, 4, 1, 3, 2)
    await club.ana.slash(club.channel, "server end", match=first, how="annul", reason="a slip")
    view = await load_view(club)
    assert view.rungs == list_ids(people, 1, 3, 2, 4)
    assert [view.count_matches(person.id) for person in people] == [(0, 0), (1, 0), (1, 1), (0, 0)]
    assert await club.store.get(Ladders).find_wrong_orders() == []
    assert find_rung(find_card(club), 4) == people[3].user.global_name


async def test_a_ladder_is_seen_by_those_who_see_its_channel(club: SimulatedClub) -> None:
    cellar = create_channel_hidden_from(club, club.cyn)
    await create_contest(club.ana, cellar, "ladder", name=NAME, game="fallas")
    for person in (club.ana, club.ben):
        await press_standings(person, club.channel, "ladder", "join")
    seen = get_response(await club.ben.slash(club.channel, "ladder standings")).message
    assert find_rung(seen, 1) == "Ana"
    for refusal in (
        await club.cyn.slash(club.channel, "ladder standings"),
        await press_old_button(club, club.cyn, "laddernext:1"),
        await press_old_button(club, club.cyn, "ladderjoin:1"),
    ):
        text = get_ephemeral_text(refusal)
        assert f"<@{club.ana.id}>" not in text
        assert f"<#{cellar.id}>" in text


async def test_another_organiser_goes_on_where_one_has_left(club: SimulatedClub) -> None:
    people = await open_ladder(club, 4)
    role = club.guild.create_role("Club", permissions=discord.Permissions(manage_events=True))
    club.env.backend.add_member_role(club.guild.id, club.ben.id, role.id)
    club.guild.remove_member(club.ana)
    panel = get_response(await club.ben.slash(club.channel, "ladder manage")).message
    # Also those who are out of the way can be removed.
    await see_next(club, people[3])
    form = await club.ben.select(panel, custom_id="ladderremove:1:0", values=[str(club.ana.id)])
    assert find_hint(form) == INTERNAL_REASON
    await club.ben.submit_modal(form, {"text": "Has left"})
    view = await load_view(club)
    assert view.order == list_ids(people, 2, 3, 4)
    assert "Not in the server" not in extract_text(find_card(club))
    panel = get_response(await club.ben.slash(club.channel, "ladder manage")).message
    form = await club.ben.click(panel, label="Close the ladder")
    assert find_hint(form) == PUBLIC_REASON
    await club.ben.submit_modal(form, {"text": "Enough"})
    assert f"<@{club.ben.id}> closed the ladder" in extract_text(find_card(club))


async def test_one_or_nobody_on_a_ladder(club: SimulatedClub) -> None:
    await open_ladder(club, 0)
    assert "Nobody has joined yet." in extract_text(find_card(club))
    await club.advance_clock(5 * WEEK)
    await club.ana.click(find_card(club), label="Join")
    alone = await see_next(club, club.ana)
    assert "You're on rung 1 of 1." in extract_text(alone)
    assert list_offered(alone) == []
    await club.advance_clock(5 * WEEK)
    assert await list_drops(club) == []
    # All others have left: then nobody is in the way, or can be challenged.
    for person in (club.ben, club.cyn):
        await person.click(find_card(club), label="Join")
    for person in (club.ana, club.ben):
        club.guild.remove_member(person)
    alone = await see_next(club, club.cyn)
    assert "You're on rung 1 of 1." in extract_text(alone)
    assert list_offered(alone) == []
    await club.advance_clock(5 * WEEK)
    # She has not played either, and drops below nobody.
    assert (await load_view(club)).rungs == (club.cyn.id,)


async def test_a_ladder_moves_where_an_organiser_asks_for_it_once_its_channel_is_gone(
    club: SimulatedClub,
) -> None:
    people = await open_ladder(club, 3)
    hall = club.guild.create_text_channel("hall")
    club.env.backend.delete_channel(club.channel.id)
    await club.env.settle()
    gone = "The channel of Club ladder is gone. Its organisers can move it to another one with"
    result = await people[2].slash(hall, "ladder challenge", opponent=people[1])
    assert get_ephemeral_text(result).startswith(gone)
    assert await club.store.get(Challenges).load_challenge(1) is None
    late = await press_standings(people[2], hall, "ladder", "leave")
    assert get_ephemeral_text(late).startswith("You've left Club ladder.")
    await club.advance_clock(0)
    assert await load_due(club.store.jobs, club.hands() + HOUR, 9) == []
    await club.ana.slash(hall, "ladder manage")
    await club.advance_clock(0)
    (card,) = [each for each in hall.history() if extract_text(each).startswith(f"### {NAME}")]
    assert find_rung(card, 2) == people[1].user.global_name
    result = await people[1].slash(hall, "ladder challenge", opponent=people[0])
    assert get_ephemeral_text(result).startswith("You've challenged")
    # While its channel is there nothing moves it.
    corner = club.guild.create_text_channel("corner")
    await club.ana.slash(corner, "ladder manage")
    assert (await load_view(club)).ladder.channel == hall.id


async def test_each_message_of_a_ladder_has_the_language_of_its_reader(
    club: SimulatedClub,
) -> None:
    people = await open_ladder(club, 3)
    await change_settings(people[2], club.channel, language="de")
    assert "Du stehst auf Sprosse 3 von 3." in extract_text(await see_next(club, people[2]))
    assert "Fallas; 3 days a turn" in extract_text(find_card(club))
    await change_settings(people[1], club.channel, reminders="direct")
    await change_settings(people[1], club.channel, language="de")
    await challenge(club, people[2], people[1])
    assert "This is a challenge on a ladder" in extract_text(get_newest_message(club))
