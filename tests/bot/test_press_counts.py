"""How many presses a whole game against the computer takes, by the buttons or by the menu."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from bot.features.matches.play_controls import list_button_plays
from engine.events import Chosen, Event, Played, Thrown
from engine.match import Match
from engine.move import Move
from engine.notation import format_play
from engine.players.decide import decide_event
from engine.players.level import Level
from tests.bot.conftest import SimulatedClub
from tests.bot.driver import (
    find_button,
    get_newest_message,
    list_button_labels,
    list_menus,
)
from tests.bot.test_computer import is_match_over, load_session, load_transitions

pytestmark = [pytest.mark.asyncio, pytest.mark.sweep]


@dataclass(slots=True)
class PressCount:
    """Presses so far, and the throws of the one who pressed."""

    presses: int = 0
    throws: int = 0


async def play_game(club: SimulatedClub, game: str, *, by_menu: bool) -> PressCount:
    """Ana plays as the companion would, by buttons alone or by the menu where there is one."""
    counted = PressCount()
    await club.ana.slash(club.channel, "play", game=game, level="beginner")
    while not is_match_over(club):
        counted.presses += await act_once(club, by_menu=by_menu)
    session = await load_session(club)
    (side,) = session.find_sides(club.ana.id)
    thrown = [each for each in await load_transitions(club) if isinstance(each.event, Thrown)]
    counted.throws = sum(each.before.turn is side for each in thrown)
    return counted


async def act_once(club: SimulatedClub, *, by_menu: bool) -> int:
    """Do the next thing; return how many presses it took."""
    match = (await load_session(club)).match
    event = decide_event(match, Level.COMPANION, seed=1)
    if by_menu and isinstance(event, Played) and list_menus(get_newest_message(club)):
        (menu,) = list_menus(get_newest_message(club))
        text = find_whole_play(match, event.moves)
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
    """Make the whole play if it is one man's and has a button, else its first move."""
    plays = list_button_plays(match)
    play = tuple(moves) if tuple(moves) in plays else tuple(moves[:1])
    text = format_play(play, match.rules, match.position)
    source = match.rules.board.place_names[play[0].source]
    is_hidden = "?" in "".join(list_button_labels(get_newest_message(club)))
    if is_hidden:
        await press(club, f":{source}")
    await press(club, f":move:{text}")
    return 1 + is_hidden


async def press(club: SimulatedClub, ending: str) -> None:
    """Ana presses the button whose id ends so."""
    message = get_newest_message(club)
    await club.ana.click(message, custom_id=find_button(message, ending))


def find_ending(event: Event | None) -> str:
    """How the id of the button for a decision ends."""
    if isinstance(event, Chosen):
        return f":{event.what}:{event.value}"
    return ":leave" if event is not None else ":roll"


@pytest.mark.parametrize("by_menu", [False, True])
async def test_zeno_takes_at_most_a_press_a_number(club: SimulatedClub, *, by_menu: bool) -> None:
    counted = await play_game(club, "zeno", by_menu=by_menu)
    # Three dice a throw, the roll included.
    assert counted.presses <= 3 * counted.throws
    # Half of all games take a player at most 29 throws: at most 80 presses for such a game.
    assert not by_menu or 29 * counted.presses / counted.throws <= 80


@pytest.mark.parametrize("by_menu", [False, True])
async def test_backgammon_takes_about_two_presses_a_turn(
    club: SimulatedClub, *, by_menu: bool
) -> None:
    counted = await play_game(club, "backgammon", by_menu=by_menu)
    assert counted.presses <= 2.2 * counted.throws
