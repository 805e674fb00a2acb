"""A ladder of four years: people climb, stay away, leave the server, block, and the bot restarts.

By the bot's own clock, week after week. What is shown and what is kept is held against a replay of
all that happened.
"""

import random

import pytest
import simcord

from bot.features.challenges.store import Challenges
from bot.features.ladders.rungs import REACH, LadderAction, compute_rungs
from bot.features.ladders.store import Ladders
from bot.features.ladders.tables import LadderView
from engine.clock import DAY, HOUR
from tests.bot.test_ladders import WEEK, challenge, find_card, find_rung, load_view, open_ladder
from tests.edges.test_ladders import restart
from tests.support.club import SimulatedClub
from tests.support.contests import press_standings
from tests.support.driver import (
    add_member,
    extract_text,
    find_button,
    get_ephemeral_text,
    get_response,
    give_up,
    list_menus,
    list_public_messages,
)
from tests.support.season import record_presence
from tests.support.stored import load_given_up

pytestmark = pytest.mark.asyncio
WEEKS = 208
RESTART_EVERY = 13
"""Weeks between two restarts; each time the bot is down for some hours or days."""


class LadderYears:
    """The people of a ladder, and what they do in a week."""

    def __init__(self, club: SimulatedClub, people: list[simcord.MemberActor]) -> None:
        self.club = club
        self.chance = random.Random(4)
        self.people = {person.id: person for person in people}
        self.gone: set[int] = set()
        self.matches: list[int] = []

    def pick(self) -> simcord.MemberActor:
        """Somebody who is in the server."""
        return self.people[self.chance.choice(sorted(self.people.keys() - self.gone))]

    async def climb(self) -> None:
        """Let somebody look whom they can challenge, and challenge the first of them."""
        person = self.pick()
        message = get_response(
            await press_standings(person, self.club.channel, "ladder", "next")
        ).message
        for menu in list_menus(message)[:1]:
            chosen = menu.options[0].value
            # The list offers nobody who has left.
            assert int(chosen) not in self.gone
            answer = await person.select(message, custom_id=menu.custom_id, values=[chosen])
            assert get_ephemeral_text(answer).startswith("You've challenged")

    async def answer(self) -> None:
        """Let those who were challenged accept, decline or say nothing."""
        view = await load_view(self.club)
        for each in view.running:
            if each.match is not None or each.challenged in self.gone:
                continue
            asked = await self.club.store.get(Challenges).load_challenge(each.id)
            assert asked is not None
            (message,) = [one for one in list_public_messages(self.club) if one.id == asked.message]
            act = self.chance.choice(("accept", "accept", "decline", ""))
            if act:
                button = find_button(message, f":{act}")
                await self.people[each.challenged].click(message, custom_id=button)

    async def play(self) -> None:
        """Let a match end; now and then an old one is annulled."""
        club = self.club
        for each in (await load_view(club)).running:
            loser = self.chance.choice((each.challenger, each.challenged))
            if each.match is not None and loser not in self.gone:
                await give_up(club, self.people[loser], club.channel, each.match)
                self.matches.append(each.match)
        if self.matches and self.chance.random() < 0.1:
            old = self.matches.pop(self.chance.randrange(len(self.matches)))
            ended = {"match": old, "how": "annul", "reason": "a slip"}
            await club.ana.slash(club.channel, "server end", **ended)

    async def come_and_go(self) -> None:
        """Let somebody leave the server or come back, leave the ladder, rest, or block another."""
        club, chance = self.club, self.chance
        match chance.randrange(12):
            case 0 | 1 if len(self.gone) < 3:
                # Ana stays, as she organises it.
                person = chance.choice(sorted(self.people.keys() - self.gone - {club.ana.id}))
                club.guild.remove_member(self.people[person])
                self.gone.add(person)
            case 2 | 3 if self.gone:
                person = chance.choice(sorted(self.gone))
                self.people[person] = club.guild.add_member(self.people[person].user)
                self.gone.remove(person)
            case 4:
                leaver = self.pick()
                message = get_response(
                    await press_standings(leaver, club.channel, "ladder", "leave")
                ).message
                if "forfeit" in extract_text(message):
                    await leaver.click(message, label="Leave and forfeit")
                await press_standings(leaver, club.channel, "ladder", "join")
            case 5:
                await self.pick().slash(club.channel, "me vacation", days=1)
            case 6:
                one, other = self.pick(), self.pick()
                await one.slash(club.channel, "me block", person=other)
                await one.slash(club.channel, "me block", person=other, lift=True)
            case _:
                return


async def require_consistent(years: LadderYears) -> LadderView:
    """What is kept is what a replay comes to, and the card shows it."""
    store = years.club.store
    view, history = await load_view(years.club), await store.get(Ladders).load_history(1)
    assert view.order == compute_rungs(history.events, history.challenges)
    assert await store.get(Ladders).find_wrong_orders() == []
    assert sorted(view.order) == sorted(years.people)
    card = find_card(years.club)
    for rung, person in enumerate(view.rungs, 1):
        assert find_rung(card, rung) == years.people[person].user.global_name
    return view


@pytest.mark.sweep
async def test_a_ladder_of_four_years(club: SimulatedClub) -> None:
    people = await open_ladder(club, 6, pace="week")
    for login in ("gus", "hal", "ida"):
        people.append(add_member(club, login))
        await people[-1].click(find_card(club), label="Join")
    years = LadderYears(club, people)
    for week in range(WEEKS):
        for acts in ((years.climb, years.climb), (years.answer,), (years.play, years.come_and_go)):
            for act in acts:
                await act()
            club.hands.ahead += DAY
            await record_presence(club)
            await club.advance_clock(0)
        if week % RESTART_EVERY == RESTART_EVERY - 1:
            await restart(club, years.chance.choice((HOUR, DAY, 10 * DAY)))
        club.hands.ahead += WEEK - 3 * DAY
        await record_presence(club)
        await club.advance_clock(0)
        await require_consistent(years)
    assert await load_given_up(club.store.jobs) == []
    events = (await club.store.get(Ladders).load_history(1)).events
    dropped = [each for each in events if each.action is LadderAction.DROP]
    # Only what moved somebody is stored: far less than one row a person and week.
    assert 0 < len(dropped) < WEEKS * len(people) / 4
    # At the end everybody who is there reaches three above, however many have left.
    view = await load_view(club)
    lowest = years.people[view.rungs[-1]]
    text = await challenge(club, lowest, years.people[view.rungs[-1 - REACH]])
    assert "too far above" not in text
