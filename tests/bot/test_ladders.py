"""Ladders as people meet them: joining, challenges and their answers, drops, and rulings."""

import re
from typing import Any

import discord
import pytest
import simcord

from bot.features.challenges.computer_seats import fill_with_computer
from bot.features.challenges.terms import MatchRequest
from bot.features.ladders import service
from bot.features.ladders.rungs import LAPSED, WITHDRAWN, LadderAction
from bot.features.ladders.store import Ladders
from bot.features.ladders.tables import LadderView
from bot.features.matches.clock import IDLE_LIMIT_MS
from bot.features.matches.loading import load_session
from bot.features.matches.store import Matches
from bot.features.ratings.store import Ratings
from bot.platform.i18n.reader import UnknownControlError
from bot.platform.people import DEFAULT_LEVEL, DiscordPerson
from bot.platform.ui.controls import list_control_ids
from engine.clock import DAY, HOUR
from tests.support.club import SimulatedClub
from tests.support.contests import create_contest, press_old_button, press_standings
from tests.support.driver import (
    add_member,
    extract_text,
    find_button,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    give_up,
    list_button_labels,
    list_direct_texts,
    list_menus,
    list_pictures,
    list_posts,
    list_public_messages,
)

WEEK = 7 * DAY
NAME = "Club ladder"


def find_card(club: SimulatedClub) -> discord.Message:
    """The message of the ladder, wherever matches went on since."""
    (card,) = list_posts(club, f"### {NAME}")
    return card


def find_rung(message: discord.Message, rung: int) -> str:
    """Who is on a rung in the picture of a ladder's message."""
    (picture,) = list_pictures(message)
    assert picture.description is not None
    (name,) = re.findall(rf"[.;] {rung} (\w+), Played", picture.description)
    return str(name)


async def open_ladder(
    club: SimulatedClub, count: int = 5, **options: Any
) -> list[simcord.MemberActor]:
    """A ladder that Ana organises: its people, the first on the top rung."""
    people = [club.ana, club.ben, club.cyn]
    people += [add_member(club, login) for login in ("dan", "eva", "fay")[: max(0, count - 3)]]
    await create_contest(club.ana, club.channel, "ladder", name=NAME, game="fallas", **options)
    for person in people[:count]:
        await person.click(find_card(club), label="Join")
    return people[:count]


async def load_view(club: SimulatedClub, number: int = 1) -> LadderView:
    """A ladder as it is stored."""
    view = await club.store.get(Ladders).load_view(number)
    assert view is not None
    return view


async def list_drops(club: SimulatedClub, number: int = 1) -> list[int | None]:
    """Who has dropped a rung, as often as they have."""
    history = await club.store.get(Ladders).load_history(number)
    return [each.person for each in history.events if each.action is LadderAction.DROP]


async def challenge(
    club: SimulatedClub, challenger: simcord.MemberActor, opponent: simcord.MemberActor
) -> str:
    """What the challenger reads."""
    return get_ephemeral_text(
        await challenger.slash(club.channel, "ladder challenge", opponent=opponent)
    )


async def answer(club: SimulatedClub, person: simcord.MemberActor, act: str) -> None:
    """Accept or decline the newest challenge."""
    message = get_newest_message(club)
    await person.click(message, custom_id=find_button(message, f":{act}"))


async def begin(
    club: SimulatedClub, challenger: simcord.MemberActor, opponent: simcord.MemberActor
) -> int:
    """The number of the match of a challenge that is accepted."""
    await challenge(club, challenger, opponent)
    await answer(club, opponent, "accept")
    match = (await load_view(club)).challenges[-1].match
    assert match is not None
    return match


def list_ids(people: list[simcord.MemberActor], *order: int) -> tuple[int, ...]:
    """The ids of some people, given by their first rungs from 1 on."""
    return tuple(people[at - 1].id for at in order)


@pytest.mark.asyncio
async def test_people_join_at_the_bottom_and_the_card_shows_it(club: SimulatedClub) -> None:
    people = await open_ladder(club, 3, rated=True)
    text = extract_text(find_card(club))
    assert "Fallas; 3 days a turn; rated." in text
    for rung, person in enumerate(people, 1):
        assert find_rung(find_card(club), rung) == person.user.global_name
        assert f"<@{person.id}>" not in text
    assert "drops one rung a week, but not while on vacation" in text
    assert list_button_labels(find_card(club)) == ["Join", "Challenge", "Leave", "Manage"]
    again = get_ephemeral_text(await club.ben.click(find_card(club), label="Join"))
    assert again == "You're already on Club ladder."
    left = get_ephemeral_text(await press_standings(club.ana, club.channel, "ladder", "leave"))
    assert left == "You've left Club ladder. You can join again, at the bottom."
    back = get_ephemeral_text(await press_standings(club.ana, club.channel, "ladder", "join"))
    assert back.startswith("You've joined Club ladder on rung 3.")
    assert (await load_view(club)).rungs == list_ids(people, 2, 3, 1)
    standings = get_response(await club.ben.slash(club.channel, "ladder standings")).message
    assert standings is not None
    assert find_rung(standings, 1) == "Ben"
    await club.ben.slash(club.channel, "ladder standings", share=True)
    assert find_rung(get_newest_message(club), 1) == "Ben"


@pytest.mark.asyncio
async def test_a_challenger_who_wins_takes_the_rung(club: SimulatedClub) -> None:
    people = await open_ladder(club)
    text = await challenge(club, people[3], people[0])
    assert text.startswith(f"You've challenged <@{people[0].id}> on Club ladder")
    waiting = f"<@{people[3].id}> challenges <@{people[0].id}>, whose time to answer runs out <t:"
    assert waiting in extract_text(find_card(club))
    assert "This is a challenge on a ladder" in extract_text(get_newest_message(club))
    await answer(club, people[0], "accept")
    match = (await load_view(club)).challenges[0].match
    assert match is not None
    assert f"<@{people[3].id}> plays <@{people[0].id}>: match {match}" in extract_text(
        find_card(club)
    )
    row = await club.store.get(Matches).load_row(match)
    assert row is not None
    # As in any match, what both give to the dice are the interactions by which they agreed.
    assert {seat.person for seat in row.seats} == set(list_ids(people, 1, 4))
    assert len({seat.contribution for seat in row.seats}) == 2
    mine = get_ephemeral_text(await club.ana.slash(club.channel, "matches"))
    assert "-# Club ladder" in mine
    await give_up(club, people[0], club.channel, match)
    assert (await load_view(club)).rungs == list_ids(people, 4, 1, 2, 3, 5)
    text = extract_text(find_card(club))
    assert f"<@{people[3].id}> won against <@{people[0].id}>" in text
    assert "plays" not in text
    (picture,) = list_pictures(find_card(club))
    assert picture.description is not None
    assert picture.description.startswith(
        "Club ladder. 1 Dan, Played 1, Won 1; 2 Ana, Played 1, Won 0; 3 Ben, Played 0, Won 0;"
    )


@pytest.mark.asyncio
async def test_nobody_moves_when_the_challenged_wins_and_the_pair_waits(
    club: SimulatedClub,
) -> None:
    people = await open_ladder(club)
    match = await begin(club, people[1], people[0])
    await give_up(club, people[1], club.channel, match)
    assert (await load_view(club)).rungs == list_ids(people, 1, 2, 3, 4, 5)
    text = await challenge(club, people[1], people[0])
    assert text.startswith("You and Ana have met within the last 14 days. You can meet again from")
    await club.advance_clock(14 * DAY)
    assert (await challenge(club, people[1], people[0])).startswith("You've challenged")


@pytest.mark.asyncio
async def test_an_annulled_match_counts_for_nothing_at_once(club: SimulatedClub) -> None:
    people = await open_ladder(club)
    match = await begin(club, people[3], people[0])
    await give_up(club, people[0], club.channel, match)
    await club.ana.slash(club.channel, "server end", match=match, how="annul", reason="a slip")
    assert (await load_view(club)).rungs == list_ids(people, 1, 2, 3, 4, 5)
    text = extract_text(find_card(club))
    assert find_rung(find_card(club), 1) == "Ana"
    assert "was annulled, and counts for nothing" in text


@pytest.mark.asyncio
async def test_who_declines_loses_the_rung_unrated(club: SimulatedClub) -> None:
    people = await open_ladder(club, rated=True)
    await challenge(club, people[2], people[0])
    await answer(club, people[0], "decline")
    assert (await load_view(club)).rungs == list_ids(people, 3, 1, 2, 4, 5)
    text = extract_text(find_card(club))
    assert f"<@{people[0].id}> declined, so <@{people[2].id}> won by forfeit, unrated" in text
    assert await club.store.get(Matches).load_numbers() == []


@pytest.mark.asyncio
async def test_who_does_not_answer_in_seven_days_loses_the_rung(club: SimulatedClub) -> None:
    people = await open_ladder(club)
    await challenge(club, people[2], people[0])
    await club.advance_clock(WEEK - HOUR)
    assert (await load_view(club)).running
    await club.advance_clock(HOUR)
    assert (await load_view(club)).rungs == list_ids(people, 3, 1, 2, 4, 5)
    text = extract_text(find_card(club))
    assert f"<@{people[0].id}> didn't answer, so <@{people[2].id}> won by forfeit" in text


@pytest.mark.asyncio
async def test_a_challenge_waits_for_whoever_is_on_vacation(club: SimulatedClub) -> None:
    people = await open_ladder(club)
    await challenge(club, people[2], people[0])
    await club.ana.slash(club.channel, "me vacation", days=9)
    await club.advance_clock(7 * DAY + HOUR)
    assert (await load_view(club)).running
    # Two days later Ana is back, and has a day.
    await club.advance_clock(2 * DAY)
    assert (await load_view(club)).running
    await club.advance_clock(DAY)
    view = await load_view(club)
    assert view.challenges[0].how == LAPSED
    assert view.rungs == list_ids(people, 3, 1, 2, 4, 5)


@pytest.mark.asyncio
async def test_a_challenge_that_is_withdrawn_moves_nobody(club: SimulatedClub) -> None:
    people = await open_ladder(club)
    await challenge(club, people[2], people[0])
    await answer(club, people[2], "decline")
    view = await load_view(club)
    assert view.challenges[0].how == WITHDRAWN
    assert view.rungs == list_ids(people, 1, 2, 3, 4, 5)
    assert "Latest results" not in extract_text(find_card(club))


@pytest.mark.asyncio
async def test_why_somebody_cannot_be_challenged(club: SimulatedClub) -> None:
    people = await open_ladder(club, 6)
    ana, ben, cyn, dan, eva, fay = people
    stranger = add_member(club, "gus")
    assert await challenge(club, fay, ana) == (
        "Ana is too far above you; you can challenge up to 3 rungs above your own."
    )
    assert await challenge(club, ben, cyn) == (
        "Cyn is below you; one only challenges players above."
    )
    assert await challenge(club, fay, stranger) == (
        "Gus isn't on this ladder; they can join it with `/ladder standings`."
    )
    assert await challenge(club, stranger, fay) == (
        "You aren't on Club ladder. You can join it with `/ladder standings`."
    )
    await challenge(club, fay, eva)
    assert await challenge(club, fay, dan) == (
        "You've already challenged somebody on this ladder, and that isn't over yet."
    )
    assert await challenge(club, fay, eva) == (
        "You and Eva already have a challenge or a match on this ladder."
    )
    await challenge(club, cyn, ben)
    assert await challenge(club, dan, ben) == (
        "Ben has already been challenged on this ladder, and that isn't over yet."
    )
    await club.cyn.slash(club.channel, "me vacation", days=7)
    assert (await challenge(club, dan, cyn)).startswith("Cyn is on vacation until <t:")
    await press_standings(club.ana, club.channel, "ladder", "leave")
    assert await challenge(club, dan, ana) == "Ana has left this ladder."
    await club.cyn.slash(club.channel, "me vacation", days=0)
    await club.cyn.slash(club.channel, "me block", person=dan)
    assert await challenge(club, dan, cyn) == "Cyn can't be challenged by you."


@pytest.mark.asyncio
async def test_next_says_whom_one_can_challenge_and_the_menu_does_it(club: SimulatedClub) -> None:
    people = await open_ladder(club, 6)
    match = await begin(club, people[4], people[3])
    await give_up(club, people[4], club.channel, match)
    response = await press_standings(people[4], club.channel, "ladder", "next")
    text = get_ephemeral_text(response)
    assert "You're on rung 5 of 6." in text
    assert f"**1.** <@{people[0].id}>: Ana is too far above you" in text
    for rung in (2, 3):
        assert f"**{rung}.** <@{people[rung - 1].id}>: **can be challenged**" in text
    assert f"**4.** <@{people[3].id}>: You and Dan have met within the last 14 days." in text
    assert f"**6.** <@{people[5].id}>: Fay is below you" in text
    (menu,) = list_menus(get_response(response).message)
    assert [option.label for option in menu.options] == ["Ben", "Cyn"]
    chosen = await people[4].select(
        get_response(response).message, custom_id=menu.custom_id, values=[str(people[1].id)]
    )
    assert get_ephemeral_text(chosen).startswith(f"You've challenged <@{people[1].id}>")
    pressed = get_ephemeral_text(await people[4].click(find_card(club), label="Challenge"))
    assert "You've already challenged somebody on this ladder" in pressed


@pytest.mark.asyncio
async def test_who_leaves_during_a_match_forfeits_it(club: SimulatedClub) -> None:
    people = await open_ladder(club, rated=True)
    match = await begin(club, people[3], people[0])
    message = get_response(
        await press_standings(people[0], club.channel, "ladder", "leave")
    ).message
    assert "you forfeit 1 challenge or match in progress" in extract_text(message)
    await people[0].click(message, label="Leave and forfeit")
    await club.advance_clock(0)
    view = await load_view(club)
    assert (view.challenges[0].winner, view.challenges[0].how) == (people[3].id, "forfeited")
    # Dan has won the first rung, which Ana can't keep from him by leaving.
    assert view.rungs == list_ids(people, 4, 2, 3, 5)
    assert await club.store.get(Ratings).load_changes(match) == ()


@pytest.mark.asyncio
async def test_who_leaves_unanswered_challenges_has_declined_them(club: SimulatedClub) -> None:
    people = await open_ladder(club)
    await challenge(club, people[3], people[0])
    message = get_response(await people[0].click(find_card(club), label="Leave")).message
    await people[0].click(message, label="Leave and forfeit")
    assert (await load_view(club)).rungs == list_ids(people, 4, 2, 3, 5)
    assert f"Declined by <@{people[0].id}>." in "\n".join(
        map(extract_text, list_public_messages(club))
    )


@pytest.mark.asyncio
async def test_who_lets_a_match_without_a_clock_rest_forfeits_it(club: SimulatedClub) -> None:
    people = await open_ladder(club, pace="none")
    match = await begin(club, people[3], people[0])
    idle = (await load_session(club.bot.app, match)).person_to_act
    await club.advance_clock(IDLE_LIMIT_MS + HOUR)
    (over,) = (await load_view(club)).challenges
    (winner,) = set(list_ids(people, 1, 4)) - {idle}
    assert (over.winner, over.how) == (winner, "forfeited")


@pytest.mark.asyncio
async def test_a_ladder_match_cannot_be_left_as_if_it_had_not_been(club: SimulatedClub) -> None:
    people = await open_ladder(club)
    match = await begin(club, people[3], people[0])
    message = get_response(await people[0].slash(club.channel, "match resign", match=match)).message
    assert list_button_labels(message) == ["Resign", "Play on"]


@pytest.mark.asyncio
async def test_the_inactive_drop_one_rung_a_week_but_not_on_vacation(club: SimulatedClub) -> None:
    people = await open_ladder(club, 3, pace="none")
    ana, ben, cyn = people
    await club.advance_clock(20 * DAY)
    # Cyn plays against Ben, and Ana does nothing.
    match = await begin(club, cyn, ben)
    await give_up(club, cyn, club.channel, match)
    await club.advance_clock(8 * DAY + HOUR)
    view = await load_view(club)
    assert view.rungs == list_ids(people, 2, 1, 3)
    assert find_rung(find_card(club), 2) == "Ana"
    assert await list_drops(club) == [ana.id]
    await ana.slash(club.channel, "me vacation", days=8)
    await club.advance_clock(WEEK)
    assert (await load_view(club)).rungs == list_ids(people, 2, 1, 3)
    # The 28 days begin anew when the vacation ends, and she drops when Ben and Cyn do not.
    match = await begin(club, cyn, ben)
    for _ in range(3):
        await club.advance_clock(WEEK)
        assert (await load_view(club)).rungs == list_ids(people, 2, 1, 3)
    await give_up(club, cyn, club.channel, match)
    for _ in range(2):
        await club.advance_clock(WEEK)
    assert (await load_view(club)).rungs == list_ids(people, 2, 3, 1)
    assert await list_drops(club) == [ana.id, ana.id]


@pytest.mark.asyncio
async def test_what_organisers_rule(club: SimulatedClub) -> None:
    people = await open_ladder(club)
    refusal = "Only people with the permission Manage Events or Manage Server can do that."
    for response in (
        await club.ben.slash(club.channel, "ladder manage"),
        await create_contest(club.ben, club.channel, "ladder", name="Mine", game="zeno"),
        await club.ben.click(find_card(club), label="Manage"),
    ):
        assert get_ephemeral_text(response) == refusal
    match = await begin(club, people[3], people[0])
    await challenge(club, people[4], people[1])
    panel = get_response(await club.ana.slash(club.channel, "ladder manage")).message
    form = await club.ana.select(panel, custom_id="ladderremove:1:0", values=[str(people[4].id)])
    removed = await club.ana.submit_modal(form, {"text": "Never answers"})
    text = extract_text(get_response(removed).message)
    assert f"<@{club.ana.id}> removed <@{people[4].id}>. “Never answers”" in text
    assert (await load_view(club)).rungs == list_ids(people, 1, 2, 3, 4)
    panel = get_response(await club.ana.click(find_card(club), label="Manage")).message
    form = await club.ana.click(panel, label="Close the ladder")
    closed = await club.ana.submit_modal(form, {"text": "The season is over"})
    assert "closed the ladder. “The season is over”" in extract_text(get_response(closed).message)
    card = find_card(club)
    assert f"<@{club.ana.id}> closed the ladder: “The season is over”" in extract_text(card)
    assert list_button_labels(card) == []
    await give_up(club, people[0], club.channel, match)
    assert (await load_view(club)).rungs == list_ids(people, 1, 2, 3, 4)
    late = get_ephemeral_text(await press_old_button(club, people[4], "ladderjoin:1"))
    assert late == "Club ladder is closed, so it can't be changed any more."


@pytest.mark.asyncio
async def test_who_was_removed_can_be_let_back_in(club: SimulatedClub) -> None:
    people = await open_ladder(club, 4)
    ben, refusal = people[1], "The organisers removed you from Club ladder"
    menu, values = "ladderreadmit:1:0", [str(ben.id)]

    async def manage() -> discord.Message:
        panel = get_response(await club.ana.slash(club.channel, "ladder manage")).message
        assert panel is not None
        return panel

    async def remove() -> None:
        panel = await manage()
        form = await club.ana.select(panel, custom_id="ladderremove:1:0", values=[str(ben.id)])
        await club.ana.submit_modal(form, {"text": "Never answers"})

    assert menu not in list_control_ids(await manage())
    await remove()
    panel, another = await manage(), await manage()
    assert get_ephemeral_text(await ben.click(find_card(club), label="Join")).startswith(refusal)
    ruled = get_response(await club.ana.select(panel, custom_id=menu, values=values)).message
    assert f"<@{club.ana.id}> let <@{ben.id}> back in.\n" in extract_text(ruled)
    assert menu not in list_control_ids(ruled)
    await club.advance_clock(0)
    assert (await load_view(club)).rungs == list_ids(people, 1, 3, 4, 2)
    assert find_rung(find_card(club), 4) == "Ben"
    (text,) = list_direct_texts(ben)
    assert text.startswith("The organisers let you back onto Club ladder")
    assert text.endswith("You're on rung 4 of 4.")
    # Of two organisers the second finds it done.
    again = get_ephemeral_text(await club.ana.select(another, custom_id=menu, values=values))
    assert again.startswith("The ladder has changed in the meantime")
    # Nothing keeps them out any more, until they are removed again.
    await press_standings(ben, club.channel, "ladder", "leave")
    assert menu not in list_control_ids(await manage())
    await ben.click(find_card(club), label="Join")
    assert (await load_view(club)).rungs == list_ids(people, 1, 3, 4, 2)
    await remove()
    assert get_ephemeral_text(await ben.click(find_card(club), label="Join")).startswith(refusal)
    # By now the direct messages are closed: the ladder shows it.
    closed = f"/channels/{ben.user.dm_channel.id}/messages"
    club.env.inject_error("POST", closed, status=403, code=50007)
    await club.ana.select(await manage(), custom_id=menu, values=values)
    await club.advance_clock(0)
    assert len(list_direct_texts(ben)) == 1
    standings = get_ephemeral_text(await ben.slash(club.channel, "ladder standings"))
    assert "You're on rung 4 of 4." in standings


@pytest.mark.asyncio
async def test_which_of_several_ladders_is_meant(club: SimulatedClub) -> None:
    assert get_ephemeral_text(await press_standings(club.ben, club.channel, "ladder", "join")) == (
        "There's no ladder in this server now. Its organisers can open one with `/ladder create`."
    )
    await create_contest(club.ana, club.channel, "ladder", name="One", game="zeno")
    await create_contest(club.ana, club.channel, "ladder", name="Two", game="fallas")
    text = get_ephemeral_text(await press_standings(club.ben, club.channel, "ladder", "join"))
    assert text == "There are several ladders here. Say which you mean with the option `ladder`."
    await press_standings(club.ben, club.channel, "ladder", "join", ladder="two")
    assert (await load_view(club, 2)).rungs == (club.ben.id,)
    # The only one on which one is.
    left = get_ephemeral_text(await press_standings(club.ben, club.channel, "ladder", "leave"))
    assert left.startswith("You've left Two.")
    unknown = get_ephemeral_text(
        await press_standings(club.ben, club.channel, "ladder", "join", ladder="Six")
    )
    assert unknown.startswith("I don't know that ladder.")


@pytest.mark.asyncio
async def test_a_deleted_card_is_posted_again_at_the_next_change(club: SimulatedClub) -> None:
    await open_ladder(club, 2)
    await find_card(club).delete()
    await press_standings(club.cyn, club.channel, "ladder", "join")
    assert find_rung(find_card(club), 3) == "Cyn"


@pytest.mark.asyncio
async def test_the_limits_of_ladders(club: SimulatedClub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_LADDERS", 1)
    monkeypatch.setattr(service, "MAX_RUNGS", 2)
    unnamed = await create_contest(club.ana, club.channel, "ladder", name=" ", game="zeno")
    assert get_ephemeral_text(unnamed).startswith("The ladder needs a name")
    teams = await create_contest(
        club.ana, club.channel, "ladder", name=NAME, game="pyf", options="players=2"
    )
    assert get_ephemeral_text(teams).startswith("Ladders are for games of one player a side.")
    await open_ladder(club, 2)
    full = get_ephemeral_text(await club.cyn.click(find_card(club), label="Join"))
    assert full.startswith("All 2 rungs of this ladder are taken.")
    second = await create_contest(club.ana, club.channel, "ladder", name="Two", game="zeno")
    assert get_ephemeral_text(second).startswith("This server already has 1 open ladders")


@pytest.mark.asyncio
async def test_the_names_of_ladders_are_offered(club: SimulatedClub) -> None:
    await open_ladder(club, 0)
    offered = await club.ben.autocomplete(club.channel, "ladder standings", "ladder", "CLUB")
    assert [(each["name"], each["value"]) for each in offered] == [(NAME, "1")]


@pytest.mark.asyncio
async def test_nobody_drops_while_their_server_is_lost(club: SimulatedClub) -> None:
    people = await open_ladder(club, 2)
    app = club.bot.app
    # As noted when a server cannot be reached.
    app.lost.add(club.guild.id)
    app.noted.add(club.guild.id)
    await club.advance_clock(29 * DAY)
    view = await load_view(club)
    assert view.rungs == list_ids(people, 1, 2)
    assert view.ladder.next_drop < club.hands()
    # All of a ladder drop together: so nobody moves, which is not stored.
    app.lost.clear()
    app.noted.clear()
    await club.advance_clock(HOUR)
    view = await load_view(club)
    assert view.ladder.next_drop > club.hands()
    assert await list_drops(club) == []
    assert view.rungs == list_ids(people, 1, 2)


@pytest.mark.asyncio
async def test_no_computer_takes_the_place_of_the_challenged(club: SimulatedClub) -> None:
    people = await open_ladder(club)
    await challenge(club, people[3], people[0])
    # No message has a button for it, but a modified client can send one.
    request = MatchRequest(
        club.guild.id, club.channel.id, DiscordPerson(people[3].id, "Dan"), "a press"
    )
    with pytest.raises(UnknownControlError):
        await fill_with_computer(club.bot.app, 1, request, DEFAULT_LEVEL)
    assert await club.store.get(Matches).load_numbers() == []
