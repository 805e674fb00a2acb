"""Which message a turn has, where somebody plays alone against the computer."""

from dataclasses import replace

import pytest

from bot.features.matches.session import is_message_current
from bot.platform.people import COMPUTERS
from tests.bot.test_computer import load_session, load_transitions, press_next_control
from tests.support.club import SimulatedClub


@pytest.mark.asyncio
async def test_a_message_that_was_posted_while_the_computer_played_is_that_of_the_next_turn(
    club: SimulatedClub,
) -> None:
    await club.ana.slash(club.channel, "play", game="laquet", level="beginner")
    computers: list[int] = []
    while len(computers) < 2:
        await press_next_control(club)
        session = await load_session(club)
        computers = [
            each.before.version
            for each in await load_transitions(club)
            if replace(session, match=each.before).person_to_act in COMPUTERS
        ]
    session = await load_session(club)
    assert session.person_to_act == club.ana.id
    # Shown when the computer had one thing left to do: that message is edited.
    shown = replace(session, row=replace(session.row, shown=computers[-1]))
    assert is_message_current(shown)
    # Between people the next player gets a message of their own.
    people = replace(
        shown,
        row=replace(
            shown.row, seats=tuple(replace(s, person=i) for i, s in enumerate(shown.row.seats))
        ),
    )
    assert not is_message_current(people)
