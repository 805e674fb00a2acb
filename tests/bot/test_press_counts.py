"""How many presses a whole game takes: by the buttons, by the menu, or by any of the buttons."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

import pytest

from bot.features.matches.controls import list_button_plays
from engine.events import Chosen, Event, Played, Thrown
from engine.match import Match
from engine.move import Move
from engine.notation import format_play
from engine.players.decide import decide_event
from engine.players.level import Level
from tests.bot.test_computer import is_match_over, load_session, load_transitions
from tests.support.club import SimulatedClub
from tests.support.driver import (
    find_button,
    get_newest_message,
    list_button_labels,
    list_control_ids,
    list_menus,
    start_match,
    take_next_action,
)

pytestmark = [pytest.mark.asyncio, pytest.mark.sweep]

CountedAct: TypeAlias = Callable[[SimulatedClub], Awaitable[int]]
"""Does the next thing, and returns how many presses that took."""


@dataclass(slots=True)
class PressCount:
    """Presses so far, those of *Roll* among them, and the throws of those who pressed."""

    presses: int = 0
    throws: int = 0
    rolls: int = 0


async def play_game(club: SimulatedClub, game: str, act: CountedAct) -> PressCount:
    """Ana plays the computer; each `act` is what she does next, with so many presses."""
    counted = PressCount()
    await club.ana.slash(club.channel, "play", game=game, level="beginner")
    while not is_match_over(club):
        counted.presses += await act(club)
    session = await load_session(club)
    (side,) = session.find_sides(club.ana.id)
    thrown = [each for each in await load_transitions(club) if isinstance(each.event, Thrown)]
    counted.throws = sum(each.before.turn is side for each in thrown)
    return counted


async def play_together(club: SimulatedClub, game: str, turns: int) -> PressCount:
    """Ana and Ben play so many throws, each by the menu where there is one."""
    counted = PressCount()
    await start_match(club, game)
    while counted.throws < turns:
        counted.rolls += "Roll" in list_button_labels(get_newest_message(club))
        assert await take_next_action(club)
        counted.presses += 1
        history = await load_transitions(club)
        counted.throws = sum(isinstance(each.event, Thrown) for each in history)
    return counted


async def act_by_buttons(club: SimulatedClub) -> int:
    """Do as the companion would, by buttons alone."""
    return await act_once(club, by_menu=False)


async def act_by_menu(club: SimulatedClub) -> int:
    """Do as the companion would, by the menu where there is one."""
    return await act_once(club, by_menu=True)


class RandomPresser:
    """Presses any button that does something in the match, but takes nothing back."""

    def __init__(self) -> None:
        self._random = Random(1)

    async def __call__(self, club: SimulatedClub) -> int:
        """Press once."""
        message = get_newest_message(club)
        menus = {each.custom_id for each in list_menus(message)}
        buttons = [
            each
            for each in list_control_ids(message)
            if each not in menus and not each.endswith(":back")
        ]
        await club.ana.click(message, custom_id=self._random.choice(buttons))
        return 1


async def act_once(club: SimulatedClub, *, by_menu: bool) -> int:
    """Do the next thing; return how many presses it took."""
    match = (await load_session(club)).match
    event = decide_event(match, Level.COMPANION, seed=1)
    if by_menu and isinstance(event, Played) and list_menus(get_newest_message(club)):
        menus = list_menus(get_newest_message(club))
        text = find_whole_play(match, event.moves)
        (menu,) = [each for each in menus if text in [option.value for option in each.options]]
        await club.ana.select(get_newest_message(club), custom_id=menu.custom_id, values=[text])
        return 1
    if isinstance(event, Played):
        return await press_first_move(club, match, event.moves)
    await press(club, find_ending(event))
    return 1


def find_whole_play(match: Match, moves: Sequence[Move]) -> str:
    """The entry of the menu that ends as these moves do."""
    end = match.apply(Played(tuple(moves)))
    (play,) = [
        play for play in match.plays if match.apply(Played(play.moves)).position == end.position
    ]
    return format_play(play.moves, match.rules, match.position)


async def press_first_move(club: SimulatedClub, match: Match, moves: Sequence[Move]) -> int:
    """Make the whole play if it has a button, else its first move."""
    play = find_button_play(match, moves) or tuple(moves[:1])
    text = format_play(play, match.rules, match.position)
    source = match.rules.board.place_names[play[0].source]
    is_hidden = any(each.startswith("man") for each in list_control_ids(get_newest_message(club)))
    if is_hidden:
        await press(club, f":{source}")
    await press(club, f":move:{text}")
    return 1 + is_hidden


def find_button_play(match: Match, moves: Sequence[Move]) -> tuple[Move, ...] | None:
    """The whole play that has a button and ends as these moves do, if there is one."""
    whole = {play.moves for play in match.plays}
    end = match.apply(Played(tuple(moves))).position
    return next(
        (
            play
            for play in list_button_plays(match)
            if play in whole and match.apply(Played(play)).position == end
        ),
        None,
    )


async def press(club: SimulatedClub, ending: str) -> None:
    """Ana presses the button whose id ends so."""
    message = get_newest_message(club)
    await club.ana.click(message, custom_id=find_button(message, ending))


def find_ending(event: Event | None) -> str:
    """How the id of the button for a decision ends."""
    if isinstance(event, Chosen):
        return f":{event.what}:{event.value}"
    return ":leave" if event is not None else ":roll"


@pytest.mark.parametrize(
    ("act", "limit"), [(act_by_buttons, 2.8), (act_by_menu, 1.6), (RandomPresser(), 2.2)]
)
async def test_zeno_takes_a_press_a_man_at_most(
    club: SimulatedClub, act: CountedAct, limit: float
) -> None:
    counted = await play_game(club, "zeno", act)
    # Three dice a throw. Half of all games take a player at most 33 throws: 50 presses by menu.
    assert counted.presses <= limit * counted.throws


@pytest.mark.parametrize(
    ("act", "limit"), [(act_by_buttons, 1.6), (act_by_menu, 1.0), (RandomPresser(), 1.7)]
)
async def test_backgammon_takes_about_a_press_a_turn(
    club: SimulatedClub, act: CountedAct, limit: float
) -> None:
    counted = await play_game(club, "backgammon", act)
    assert counted.presses <= limit * counted.throws


@pytest.mark.parametrize(("game", "limit"), [("zeno", 1.8), ("backgammon", 1.3)])
async def test_two_people_press_no_more_than_one_and_never_to_roll(
    club: SimulatedClub, game: str, limit: float
) -> None:
    counted = await play_together(club, game, turns=24)
    assert counted.presses <= limit * counted.throws
    assert counted.rolls == 0
