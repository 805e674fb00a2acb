"""The cards of a puzzle: the position to play, an answer's evaluation, the news of a solution."""

from dataclasses import replace
from functools import partial

import discord
from discord import ButtonStyle

from bot.app.puzzles import Answered, Today, Tried, tries
from bot.views.card import Card, Item, Picture
from bot.views.controls import MENU_IDS, MENUS, PUZZLE, Name, menu, play_menus
from bot.views.scene import dice
from bot.words import common
from bot.words import puzzle as words
from bot.words.board import board_words
from bot.words.reader import Reader
from engine.match import Match
from engine.notation import parse_play
from engine.players.puzzles import Puzzle
from engine.position import Side
from render.describe import describe
from render.scene import Moved, Scene

OPEN, PLAY, SHARE = "open", "play", "share"
"""What the controls of a puzzle do."""


def puzzle_card(say: Reader, today: Today, person: int, tried: Tried | None = None) -> Card:
    """Return a day's puzzle for one who solves it, as far as they have played.

    It takes a while to list the plays.
    """
    puzzle = today.puzzle
    match = tried.match if tried else puzzle.match
    play = tried.play if tried else ""
    return Card(
        texts=(
            words.title(say, puzzle),
            words.told(say, puzzle),
            words.asked(say, puzzle),
            words.so_far(say, play),
        ),
        picture=_picture(_scene(say, puzzle, match)),
        controls=(*_menus(say, puzzle, match, play), *_begin_anew(say, puzzle, play)),
        small=words.small_print(say, today),
        seats={person: match.turn},
    )


def public_card(say: Reader, puzzle: Puzzle) -> Card:
    """Return a day's puzzle for everyone, with a button by which each solves it alone."""
    return Card(
        texts=(words.title(say, puzzle), words.told(say, puzzle), words.asked(say, puzzle)),
        picture=_picture(_scene(say, puzzle, puzzle.match)),
        controls=(_button(puzzle, OPEN, say("Solve it"), ButtonStyle.primary),),
        small=words.origin(say, puzzle),
    )


def verdict_card(say: Reader, answered: Answered, person: int, *, shareable: bool) -> Card:
    """Return the evaluation of an answer beside the best, as arrows on the board.

    A solved puzzle can be shared.
    """
    puzzle = answered.tried.puzzle
    best = _arrows(puzzle.match, puzzle.answers[0].play)
    done = _arrows(puzzle.match, answered.answer.play)
    shown = _scene(say, puzzle, puzzle.match)
    told = answered.right and answered.counts and shareable
    return Card(
        texts=tuple(words.verdict(say, answered)),
        picture=_picture(replace(shown, advice=(done,) if answered.right else (best, done))),
        controls=(_button(puzzle, SHARE, say("Share in the channel"), ButtonStyle.secondary),)
        if told
        else (),
        small=words.arrows(say, answered),
        seats={person: puzzle.match.turn},
    )


def news_card(say: Reader, puzzle: Puzzle, person: int, streak: int) -> Card:
    """Return the line that tells everyone of a solved puzzle, with a button that leads there."""
    return Card(
        texts=(words.news(say, puzzle, person, streak),),
        controls=(_button(puzzle, OPEN, say("Today's puzzle"), ButtonStyle.secondary),),
    )


def _scene(say: Reader, puzzle: Puzzle, match: Match) -> Scene:
    names = words.solver(say), words.opponent(say)
    return Scene(
        rules=match.rules,
        position=match.position,
        names=names if match.turn is Side.GOLD else (names[1], names[0]),
        title=common.title(say, match.game),
        status=words.status(say, puzzle),
        dice=dice(match),
        last=tuple(Moved(move.source, move.target, move.hit) for move in match.moves),
        turn=match.turn,
        thrower=match.turn,
        words=board_words(say),
    )


def _picture(shown: Scene) -> Picture:
    return Picture(shown, describe(shown))


def _arrows(match: Match, play: str) -> tuple[Moved, ...]:
    moves = parse_play(play, match.rules, match.position)
    return tuple(Moved(move.source, move.target, move.hit) for move in moves)


def _menus(say: Reader, puzzle: Puzzle, match: Match, play: str) -> tuple[Item, ...]:
    named = partial(_named, puzzle, len(match.moves), play)
    if puzzle.forced:
        return (menu(named(0), say("Try a move"), [(text, "") for text in tries(match)]),)
    return tuple(play_menus(say, match, named))


def _named(puzzle: Puzzle, done: int, play: str, number: int) -> Name:
    """Name a menu: the moves made so far are in its id."""
    return Name(f"{PUZZLE}:{PLAY}:{puzzle.id}:{number}:{play}", MENU_IDS + done * MENUS + number)


def _begin_anew(say: Reader, puzzle: Puzzle, play: str) -> tuple[Item, ...]:
    return (_button(puzzle, OPEN, say("Start again"), ButtonStyle.secondary),) if play else ()


def _button(puzzle: Puzzle, act: str, label: str, style: ButtonStyle) -> Item:
    return discord.ui.Button(label=label, style=style, custom_id=f"{PUZZLE}:{act}:{puzzle.id}")
