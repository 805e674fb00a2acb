"""Playing by pressing: a button for each move, and a menu of whole plays."""

from collections.abc import Callable, Iterator, Sequence

import discord
from discord import ButtonStyle

from bot.features.matches.action_buttons import make_action_button
from bot.features.matches.play_texts import describe_play
from bot.features.matches.session import MatchSession
from bot.features.matches.suggestions import list_plays_with_remarks
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item
from bot.platform.ui.controls import MOST_CHOICES, MenuId, VerbScope, declare_verb, make_menu
from engine.board import GameBoard
from engine.match import Match
from engine.move import Move
from engine.notation import format_play
from engine.plays import list_one_man_plays

FIRST_MENU_ID = 1000
"""Where the numbers of menus begin, clear of those that Discord gives other parts."""
MENUS_PER_VERSION = 20
"""How many numbers of menus each version of a match has: more than three dice sum up to."""
MOST_MOVES = 15
"""Buttons of moves on one message; where there are more, one first says which man moves."""
PLAY = declare_verb("plays", VerbScope.ACTION)
"""Play from a menu."""
MAN = declare_verb("man", VerbScope.STATE)
"""Say which man moves, or go back to all of them."""
_ALL_KEYCAPS = 9


def build_play_controls(say: Reader, session: MatchSession, man: int | None) -> Iterator[Item]:
    """Yield the controls by which the throw is played.

    They are the moves of all men, or of the man on a place; or first the men, where their moves are
    too many.
    """
    match = session.match
    board = match.rules.board
    buttons = list_button_plays(match)
    if man is not None:
        yield from _make_move_buttons(say, session, [each for each in buttons if each[0][0] == man])
        yield _make_man_button(session, say("Another man"), "")
        return
    if len(buttons) <= MOST_MOVES:
        yield from _make_move_buttons(say, session, buttons)
    else:
        for source in sorted({play[0].source for play in buttons}):
            name = _name_place(say, board, source)
            yield _make_man_button(session, f"{name} > ?", board.place_names[source])
    plays = match.plays
    # Where each play is one move, the buttons have them all.
    if len(plays) <= MOST_CHOICES and any(len(play.moves) > 1 for play in plays):
        yield _make_play_menu(say, match, _make_menu_id(session))


def list_button_plays(match: Match) -> list[tuple[Move, ...]]:
    """List what has a button: each next move, and one man's way by the whole throw, if it fits."""
    moves: list[tuple[Move, ...]] = [(move,) for move in sorted(match.list_next_moves())]
    if len(moves) > MOST_MOVES:
        return moves
    whole = list_one_man_plays(match.rules, match.position, match.duty)
    return sorted([*moves, *whole]) if len(moves) + len(whole) <= MOST_MOVES else moves


def _make_move_buttons(
    say: Reader, session: MatchSession, plays: Sequence[tuple[Move, ...]]
) -> Iterator[Item]:
    match = session.match
    for play in plays:
        text = format_play(play, match.rules, match.position)
        button = make_action_button(
            session, "move", format_move_label(say, match, play), ButtonStyle.primary, text
        )
        button.emoji = make_keycap(play)
        yield button


def format_move_label(say: Reader, match: Match, play: Sequence[Move]) -> str:
    """Write a man's moves on a button: where he goes, and whether he hits."""
    places = (play[0].source, *(move.target for move in play))
    way = " > ".join(_name_place(say, match.rules.board, place) for place in places)
    return say("{move} hits", move=way) if any(move.hit for move in play) else way


def _name_place(say: Reader, board: GameBoard, place: int) -> str:
    if place in board.bars:
        return say.in_context("a place, on a button", "bar")
    if place == board.hand:
        return say.in_context("a place, on a button", "hand")
    if place == board.off:
        return say.in_context("a place, on a button", "off")
    return board.place_names[place]


def make_keycap(play: Sequence[Move]) -> discord.PartialEmoji | None:
    """Return the number of a move as its emoji; a sum has none."""
    if len(play) > 1 or play[0].number > _ALL_KEYCAPS:
        return None
    return discord.PartialEmoji(name=f"{play[0].number}\N{VARIATION SELECTOR-16}\u20e3")


def _make_man_button(session: MatchSession, label: str, place: str) -> Item:
    return discord.ui.Button(
        label=label,
        style=ButtonStyle.primary if place else ButtonStyle.secondary,
        custom_id=f"{MAN}:{session.id}:{session.match.version}:{place}",
    )


def _make_menu_id(session: MatchSession) -> MenuId:
    version = session.match.version
    # A client keeps showing a choice, and won't allow it again, until the menu is another one.
    return MenuId(f"{PLAY}:{session.id}:{version}:0", FIRST_MENU_ID + version * MENUS_PER_VERSION)


def play_menus(say: Reader, match: Match, named: Callable[[int], MenuId]) -> Iterator[Item]:
    """Return whole plays where they fit in one menu, else the next moves.

    If there are many, each number has its own menu. `named` names the menu for a number, or with 0
    the only one.
    """
    if len(match.plays) <= MOST_CHOICES:
        yield _make_play_menu(say, match, named(0))
        return
    moves = match.list_next_moves()
    if len(moves) <= MOST_CHOICES:
        yield make_menu(named(0), say("Make a move"), _menu_entries(match, moves))
        return
    for number in sorted({move.number for move in moves}, reverse=True):
        with_it = [move for move in moves if move.number == number]
        placeholder = say("Move with the {number}", number=number)
        yield make_menu(named(number), placeholder, _menu_entries(match, with_it))


def _make_play_menu(say: Reader, match: Match, name: MenuId) -> Item:
    plays = [
        (text, describe_play(say, match, play, remark))
        for text, play, remark in list_plays_with_remarks(match)
    ]
    return make_menu(
        name, say.plural("Play the only legal play", "Choose one of {n} plays", len(plays)), plays
    )


def _menu_entries(match: Match, moves: Sequence[Move]) -> list[tuple[str, str]]:
    return [(format_play((move,), match.rules, match.position), "") for move in moves]
