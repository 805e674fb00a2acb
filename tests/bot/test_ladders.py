"""Ladders as people meet them: joining, challenges and their answers, drops, and rulings."""

from typing import Any

import discord
import pytest
import simcord

from bot.features.challenges.computer_seats import fill_with_computer
from bot.features.challenges.terms import MatchRequest
from bot.features.ladders import service
from bot.features.ladders.rows import LadderView
from bot.features.ladders.rungs import LAPSED, WITHDRAWN, LadderAction
from bot.features.matches.clock import IDLE_LIMIT_MS
from bot.features.matches.loading import load_session
from bot.platform.computers import DEFAULT_LEVEL
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.people import DiscordPerson
from engine.clock import DAY, HOUR
from tests.bot.conftest import SimulatedClub
from tests.bot.driver import (
    extract_text,
    find_button,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    give_up,
    list_button_labels,
    list_menus,
    list_pictures,
    list_public_messages,
)

WEEK = 7 * DAY
NAME = "Club ladder"


def add_member(club: SimulatedClub, login: str) -> simcord.MemberActor:
    """Another person in the club's server."""
    return club.guild.add_member(club.env.create_user(login, global_name=login.title()))


def find_card(club: SimulatedClub) -> discord.Message:
    """The message of the ladder, wherever matches went on since."""
    (card,) = [
        message
        for message in list_public_messages(club)
        if extract_text(message).startswith(f"### {NAME}")
    ]
    return card


async def open_ladder(
    club: SimulatedClub, count: int = 5, **options: Any
) -> list[simcord.MemberActor]:
    """A ladder that Ana organises: its people, the first on the top rung."""
    people = [club.ana, club.ben, club.cyn]
    people += [add_member(club, login) for login in ("dan", "eva", "fay")[: max(0, count - 3)]]
    await club.ana.slash(club.channel, "ladder create", name=NAME, game="fallas", **options)
    for person in people[:count]:
        await person.click(find_card(club), label="Join")
    return people[:count]


async def load_view(club: SimulatedClub, number: int = 1) -> LadderView:
    """A ladder as it is stored."""
    view = await club.store.ladders.load_view(number)
    assert view is not None
    return view


async def challenge(
    club: SimulatedClub, challenger: simcord.MemberActor, opponent: simcord.MemberActor
) -> str:
    """What the challenger reads."""
    return get_ephemeral_text(
        await challenger.slash(club.channel, "ladder challenge", opponent=opponent)
    )


async def answer(club: SimulatedClub, person: simcord.MemberActor, act: str) -> None:
    """Accept or decline the newest challenge."""
    asked = get_newest_message(club)
    await person.click(asked, custom_id=find_button(asked, f":{act}"))


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
    told = extract_text(find_card(club))
    assert "Fallas; 3 days a turn; rated." in told
    for rung, person in enumerate(people, 1):
        assert f"**{rung}.** <@{person.id}>" in told
    assert "drops one rung a week, but not while on vacation" in told
    assert list_button_labels(find_card(club)) == ["Join", "Challenge", "Leave", "Manage"]
    again = get_ephemeral_text(await club.ben.click(find_card(club), label="Join"))
    assert again == "You're already on Club ladder."
    left = get_ephemeral_text(await club.ana.slash(club.channel, "ladder leave"))
    assert left == "You've left Club ladder. You can join again, at the bottom."
    back = get_ephemeral_text(await club.ana.slash(club.channel, "ladder join"))
    assert back.startswith("You've joined Club ladder on rung 3.")
    assert (await load_view(club)).rungs == list_ids(people, 2, 3, 1)
    shown = get_ephemeral_text(await club.ben.slash(club.channel, "ladder standings"))
    assert f"**1.** <@{club.ben.id}>" in shown
    await club.ben.slash(club.channel, "ladder standings", share=True)
    assert f"**1.** <@{club.ben.id}>" in extract_text(get_newest_message(club))


@pytest.mark.asyncio
async def test_a_challenger_who_wins_takes_the_rung(club: SimulatedClub) -> None:
    people = await open_ladder(club)
    told = await challenge(club, people[3], people[0])
    assert told.startswith(f"You've challenged <@{people[0].id}> on Club ladder")
    waiting = f"<@{people[3].id}> challenges <@{people[0].id}>, who has to answer <t:"
    assert waiting in extract_text(find_card(club))
    assert "This is a challenge on a ladder" in extract_text(get_newest_message(club))
    await answer(club, people[0], "accept")
    match = (await load_view(club)).challenges[0].match
    assert match is not None
    assert f"<@{people[3].id}> plays <@{people[0].id}>: match {match}" in extract_text(
        find_card(club)
    )
    row = await club.store.matches.get(match)
    assert row is not None
    # As in any match, what both give to the dice are the interactions by which they agreed.
    assert {seat.person for seat in row.seats} == set(list_ids(people, 1, 4))
    assert len({seat.contribution for seat in row.seats}) == 2
    mine = get_ephemeral_text(await club.ana.slash(club.channel, "matches"))
    assert "-# Club ladder" in mine
    await give_up(club, people[0], club.channel, match)
    assert (await load_view(club)).rungs == list_ids(people, 4, 1, 2, 3, 5)
    told = extract_text(find_card(club))
    assert f"<@{people[3].id}> won against <@{people[0].id}>" in told
    assert "plays" not in told
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
    told = await challenge(club, people[1], people[0])
    assert told.startswith("You and Ana have met within the last 14 days. You can meet again from")
    await club.advance_clock(14 * DAY)
    assert (await challenge(club, people[1], people[0])).startswith("You've challenged")


@pytest.mark.asyncio
async def test_an_annulled_match_counts_for_nothing_at_once(club: SimulatedClub) -> None:
    people = await open_ladder(club)
    match = await begin(club, people[3], people[0])
    await give_up(club, people[0], club.channel, match)
    await club.ana.slash(club.channel, "server end", match=match, how="annul", reason="a slip")
    assert (await load_view(club)).rungs == list_ids(people, 1, 2, 3, 4, 5)
    told = extract_text(find_card(club))
    assert f"**1.** <@{people[0].id}>" in told
    assert "was annulled, and counts for nothing" in told


@pytest.mark.asyncio
async def test_who_declines_loses_the_rung_unrated(club: SimulatedClub) -> None:
    people = await open_ladder(club, rated=True)
    await challenge(club, people[2], people[0])
    await answer(club, people[0], "decline")
    assert (await load_view(club)).rungs == list_ids(people, 3, 1, 2, 4, 5)
    told = extract_text(find_card(club))
    assert f"<@{people[0].id}> declined, so <@{people[2].id}> won by forfeit, unrated" in told
    assert await club.store.matches.load_numbers() == []


@pytest.mark.asyncio
async def test_who_does_not_answer_in_seven_days_loses_the_rung(club: SimulatedClub) -> None:
    people = await open_ladder(club)
    await challenge(club, people[2], people[0])
    await club.advance_clock(WEEK - HOUR)
    assert (await load_view(club)).running
    await club.advance_clock(HOUR)
    assert (await load_view(club)).rungs == list_ids(people, 3, 1, 2, 4, 5)
    told = extract_text(find_card(club))
    assert f"<@{people[0].id}> didn't answer, so <@{people[2].id}> won by forfeit" in told


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
        "Gus isn't on this ladder; they can join it with `/ladder join`."
    )
    assert await challenge(club, stranger, fay) == (
        "You aren't on Club ladder. You can join it with `/ladder join`."
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
    await club.ana.slash(club.channel, "ladder leave")
    assert await challenge(club, dan, ana) == "Ana has left this ladder."
    await club.cyn.slash(club.channel, "me vacation", days=0)
    await club.cyn.slash(club.channel, "me block", person=dan)
    assert await challenge(club, dan, cyn) == "Cyn can't be challenged by you."


@pytest.mark.asyncio
async def test_next_says_whom_one_can_challenge_and_the_menu_does_it(club: SimulatedClub) -> None:
    people = await open_ladder(club, 6)
    match = await begin(club, people[4], people[3])
    await give_up(club, people[4], club.channel, match)
    asked = await people[4].slash(club.channel, "ladder next")
    told = get_ephemeral_text(asked)
    assert "You're on rung 5 of 6." in told
    assert f"**1.** <@{people[0].id}>: Ana is too far above you" in told
    for rung in (2, 3):
        assert f"**{rung}.** <@{people[rung - 1].id}>: **can be challenged**" in told
    assert f"**4.** <@{people[3].id}>: You and Dan have met within the last 14 days." in told
    assert f"**6.** <@{people[5].id}>: Fay is below you" in told
    (menu,) = list_menus(get_response(asked).message)
    assert [option.label for option in menu.options] == ["Ben", "Cyn"]
    chosen = await people[4].select(
        get_response(asked).message, custom_id=menu.custom_id, values=[str(people[1].id)]
    )
    assert get_ephemeral_text(chosen).startswith(f"You've challenged <@{people[1].id}>")
    pressed = get_ephemeral_text(await people[4].click(find_card(club), label="Challenge"))
    assert "You've already challenged somebody on this ladder" in pressed


@pytest.mark.asyncio
async def test_who_leaves_during_a_match_forfeits_it(club: SimulatedClub) -> None:
    people = await open_ladder(club, rated=True)
    match = await begin(club, people[3], people[0])
    asked = get_response(await people[0].slash(club.channel, "ladder leave")).message
    assert "you forfeit 1 challenge or match in progress" in extract_text(asked)
    await people[0].click(asked, label="Leave and forfeit")
    await club.advance_clock(0)
    view = await load_view(club)
    assert (view.challenges[0].winner, view.challenges[0].how) == (people[3].id, "forfeited")
    # Dan has won the first rung, which Ana can't keep from him by leaving.
    assert view.rungs == list_ids(people, 4, 2, 3, 5)
    assert await club.store.ratings.load_changes(match) == ()


@pytest.mark.asyncio
async def test_who_leaves_unanswered_challenges_has_declined_them(club: SimulatedClub) -> None:
    people = await open_ladder(club)
    await challenge(club, people[3], people[0])
    asked = get_response(await people[0].click(find_card(club), label="Leave")).message
    await people[0].click(asked, label="Leave and forfeit")
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
    asked = get_response(await people[0].slash(club.channel, "match resign", match=match)).message
    assert list_button_labels(asked) == ["Resign", "Play on"]


@pytest.mark.asyncio
async def test_the_inactive_drop_one_rung_a_week_but_not_on_vacation(club: SimulatedClub) -> None:
    people = await open_ladder(club, 3)
    ana, ben, cyn = people
    await club.advance_clock(20 * DAY)
    # Cyn plays against Ben, and Ana does nothing.
    match = await begin(club, cyn, ben)
    await give_up(club, cyn, club.channel, match)
    await club.advance_clock(8 * DAY + HOUR)
    view = await load_view(club)
    assert view.rungs == list_ids(people, 2, 1, 3)
    assert f"**2.** <@{ana.id}>" in extract_text(find_card(club))
    dropped = [each for each in view.events if each.action is LadderAction.DROP]
    assert [each.person for each in dropped] == [ana.id]
    await ana.slash(club.channel, "me vacation", days=8)
    await club.advance_clock(WEEK)
    assert (await load_view(club)).rungs == list_ids(people, 2, 1, 3)
    await club.advance_clock(WEEK)
    assert (await load_view(club)).rungs == list_ids(people, 2, 3, 1)


@pytest.mark.asyncio
async def test_what_organisers_rule(club: SimulatedClub) -> None:
    people = await open_ladder(club)
    refused = "Only people with the permission Manage Events or Manage Server can do that."
    for asked in (
        await club.ben.slash(club.channel, "ladder manage"),
        await club.ben.slash(club.channel, "ladder create", name="Mine", game="zeno"),
        await club.ben.click(find_card(club), label="Manage"),
    ):
        assert get_ephemeral_text(asked) == refused
    match = await begin(club, people[3], people[0])
    await challenge(club, people[4], people[1])
    panel = get_response(await club.ana.slash(club.channel, "ladder manage")).message
    form = await club.ana.select(panel, custom_id="ladderremove:1:0", values=[str(people[4].id)])
    removed = await club.ana.submit_modal(form, {"text": "Never answers"})
    told = extract_text(get_response(removed).message)
    assert f"<@{club.ana.id}> removed <@{people[4].id}>. “Never answers”" in told
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
    late = get_ephemeral_text(await people[4].slash(club.channel, "ladder join", ladder=NAME))
    assert late == "Club ladder is closed, so it can't be changed any more."


@pytest.mark.asyncio
async def test_which_of_several_ladders_is_meant(club: SimulatedClub) -> None:
    assert get_ephemeral_text(await club.ben.slash(club.channel, "ladder join")) == (
        "There's no ladder in this server now. Its organisers can open one with `/ladder create`."
    )
    await club.ana.slash(club.channel, "ladder create", name="One", game="zeno")
    await club.ana.slash(club.channel, "ladder create", name="Two", game="fallas")
    told = get_ephemeral_text(await club.ben.slash(club.channel, "ladder join"))
    assert told == "There are several ladders here. Say which you mean with the option `ladder`."
    await club.ben.slash(club.channel, "ladder join", ladder="two")
    assert (await load_view(club, 2)).rungs == (club.ben.id,)
    # The only one on which one is.
    left = get_ephemeral_text(await club.ben.slash(club.channel, "ladder leave"))
    assert left.startswith("You've left Two.")
    unknown = get_ephemeral_text(await club.ben.slash(club.channel, "ladder join", ladder="Six"))
    assert unknown.startswith("I don't know that ladder.")


@pytest.mark.asyncio
async def test_a_deleted_card_is_posted_again_at_the_next_change(club: SimulatedClub) -> None:
    await open_ladder(club, 2)
    await find_card(club).delete()
    await club.cyn.slash(club.channel, "ladder join")
    assert f"**3.** <@{club.cyn.id}>" in extract_text(find_card(club))


@pytest.mark.asyncio
async def test_the_limits_of_ladders(club: SimulatedClub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MOST_LADDERS", 1)
    monkeypatch.setattr(service, "MOST_RUNGS", 2)
    unnamed = await club.ana.slash(club.channel, "ladder create", name=" ", game="zeno")
    assert get_ephemeral_text(unnamed).startswith("The ladder needs a name")
    teams = await club.ana.slash(
        club.channel, "ladder create", name=NAME, game="pyf", options="players=2"
    )
    assert get_ephemeral_text(teams).startswith("Ladders are for games of one player a side.")
    await open_ladder(club, 2)
    full = get_ephemeral_text(await club.cyn.click(find_card(club), label="Join"))
    assert full.startswith("All 2 rungs of this ladder are taken.")
    second = await club.ana.slash(club.channel, "ladder create", name="Two", game="zeno")
    assert get_ephemeral_text(second).startswith("This server already has 1 open ladders")


@pytest.mark.asyncio
async def test_the_names_of_ladders_are_offered(club: SimulatedClub) -> None:
    await open_ladder(club, 0)
    offered = await club.ben.autocomplete(club.channel, "ladder join", "ladder", "CLUB")
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
    assert not [each for each in view.events if each.action is LadderAction.DROP]
    # All of a ladder drop together: so nobody moves, and that it was done shows in the events.
    app.lost.clear()
    app.noted.clear()
    await club.advance_clock(HOUR)
    view = await load_view(club)
    dropped = [each.person for each in view.events if each.action is LadderAction.DROP]
    assert dropped == sorted(person.id for person in people)
    assert view.rungs == list_ids(people, 1, 2)


@pytest.mark.asyncio
async def test_no_computer_takes_the_place_of_the_challenged(club: SimulatedClub) -> None:
    people = await open_ladder(club)
    await challenge(club, people[3], people[0])
    # No message has a button for it, but a modified client can send one.
    asked = MatchRequest(
        club.guild.id, club.channel.id, DiscordPerson(people[3].id, "Dan"), "a press"
    )
    with pytest.raises(DeclinedError) as refused:
        await fill_with_computer(club.bot.app, 1, asked, DEFAULT_LEVEL)
    assert refused.value.why is DeclineReason.UNKNOWN_CONTROL
    assert await club.store.matches.load_numbers() == []
