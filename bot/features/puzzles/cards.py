"""The cards of a puzzle: the position to play, an answer's evaluation, the news of a solution."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import discord
from discord import ButtonStyle

from bot.features.matches.board_texts import translate_board_words
from bot.features.matches.play_controls import FIRST_MENU_ID, MENUS_PER_VERSION, play_menus
from bot.features.matches.scene import list_dice, make_scene_moves
from bot.features.puzzles import texts as words
from bot.features.puzzles.own import OwnPuzzle, OwnPuzzleResult
from bot.features.puzzles.service import (
    DailyPuzzle,
    PuzzleAttempt,
    PuzzleResult,
    list_unblocked_moves,
)
from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Item, Picture
from bot.platform.ui.controls import MenuId, make_menu
from engine.match import Match
from engine.notation import parse_play
from engine.players.puzzles import Puzzle, PuzzlePlay
from engine.position import Side
from render.describe import describe_scene
from render.scene import Scene, SceneMove

OPEN, PLAY, SHARE, MINE = "open", "play", "share", "mine"
"""What the controls of a puzzle do."""


PUZZLE = "puzzle"
"""The verb of the buttons that open a puzzle, play in it, and share it."""


def puzzle_card(
    say: Reader, today: DailyPuzzle, person: int, tried: PuzzleAttempt | None = None
) -> Card:
    """Return a day's puzzle for one who solves it, as far as they have played.

    It takes a while to list the plays.
    """
    puzzle = today.puzzle
    introduction = words.format_heading(say, puzzle), words.format_source_text(say, puzzle)
    return _build_solving_card(
        say, puzzle, person, tried, introduction, words.format_small_print(say, today)
    )


def own_puzzle_card(
    say: Reader, puzzle: OwnPuzzle, person: int, tried: PuzzleAttempt | None = None
) -> Card:
    """Return a person's own puzzle, as far as they have played."""
    introduction = (words.format_own_heading(say, puzzle),)
    small = words.format_own_small_print(say, puzzle)
    return _build_solving_card(say, puzzle, person, tried, introduction, small)


def _build_solving_card(
    say: Reader,
    puzzle: Puzzle,
    person: int,
    tried: PuzzleAttempt | None,
    introduction: Sequence[str],
    small: str,
) -> Card:
    match = tried.match if tried else puzzle.match
    play = tried.play if tried else ""
    return Card(
        texts=(
            *introduction,
            words.format_question(say, puzzle),
            words.format_partial_play(say, play),
        ),
        picture=_build_picture(_build_scene(say, puzzle, match)),
        controls=(*_build_menus(say, puzzle, match, play), *_restart_controls(say, puzzle, play)),
        small=small,
        seats={person: match.turn},
    )


def public_puzzle_card(say: Reader, puzzle: Puzzle) -> Card:
    """Return a day's puzzle for everyone, with a button by which each solves it alone."""
    return Card(
        texts=(
            words.format_heading(say, puzzle),
            words.format_source_text(say, puzzle),
            words.format_question(say, puzzle),
        ),
        picture=_build_picture(_build_scene(say, puzzle, puzzle.match)),
        controls=(_make_button(puzzle, OPEN, say("Solve it"), ButtonStyle.primary),),
        small=words.format_origin(say, puzzle),
    )


def answer_card(say: Reader, answered: PuzzleResult, person: int, *, shareable: bool) -> Card:
    """Return the evaluation of an answer beside the best, as arrows on the board.

    A solved puzzle can be shared.
    """
    puzzle = answered.tried.puzzle
    # A second try knows the answer already, so only the first may be shared.
    told = answered.right and answered.counts and shareable
    return Card(
        texts=tuple(words.format_answer(say, answered)),
        picture=_build_answer_picture(say, puzzle, answered.answer, right=answered.right),
        controls=(_make_button(puzzle, SHARE, say("Share in the channel"), ButtonStyle.secondary),)
        if told
        else (),
        small=words.explain_arrows(say, right=answered.right),
        seats={person: puzzle.match.turn},
    )


def own_answer_card(say: Reader, answered: OwnPuzzleResult, person: int) -> Card:
    """Return the evaluation of an answer to one's own puzzle, and a button for the next."""
    puzzle = answered.puzzle
    more = discord.ui.Button[Any](
        label=say("Next puzzle"), style=ButtonStyle.primary, custom_id=f"{PUZZLE}:{MINE}"
    )
    return Card(
        texts=tuple(words.format_own_answer(say, answered)),
        picture=_build_answer_picture(say, puzzle, answered.answer, right=answered.right),
        controls=(_make_button(puzzle, OPEN, say("Try again"), ButtonStyle.secondary), more),
        small=words.explain_arrows(say, right=answered.right),
        seats={person: puzzle.match.turn},
    )


def _build_answer_picture(
    say: Reader, puzzle: Puzzle, answer: PuzzlePlay, *, right: bool
) -> Picture:
    # The best play comes first among the answers; others may be as good.
    best = _build_arrows(puzzle.match, puzzle.answers[0].play)
    done = _build_arrows(puzzle.match, answer.play)
    shown = _build_scene(say, puzzle, puzzle.match)
    return _build_picture(replace(shown, advice=(done,) if right else (best, done)))


def share_card(say: Reader, puzzle: Puzzle, person: int, streak: int) -> Card:
    """Return the line that tells everyone of a solved puzzle, with a button that leads there."""
    return Card(
        texts=(words.format_announcement(say, puzzle, person, streak),),
        controls=(_make_button(puzzle, OPEN, say("Today's puzzle"), ButtonStyle.secondary),),
    )


def _build_scene(say: Reader, puzzle: Puzzle, match: Match) -> Scene:
    names = words.format_solver(say), words.format_opponent(say)
    return Scene(
        rules=match.rules,
        position=match.position,
        names=names if match.turn is Side.GOLD else (names[1], names[0]),
        title=common.format_title(say, match.game),
        status=words.format_status(say, puzzle),
        dice=list_dice(match),
        last=make_scene_moves(match.moves),
        turn=match.turn,
        thrower=match.turn,
        words=translate_board_words(say),
    )


def _build_picture(shown: Scene) -> Picture:
    return Picture(shown, describe_scene(shown))


def _build_arrows(match: Match, play: str) -> tuple[SceneMove, ...]:
    moves = parse_play(play, match.rules, match.position)
    return make_scene_moves(moves)


def _build_menus(say: Reader, puzzle: Puzzle, match: Match, play: str) -> tuple[Item, ...]:
    named = partial(_make_menu_id, puzzle, len(match.moves), play)
    # Menus of legal plays would give the one answer away, so they list all that men might do.
    if puzzle.is_forced:
        return (
            make_menu(
                named(0), say("Try a move"), [(text, "") for text in list_unblocked_moves(match)]
            ),
        )
    return tuple(play_menus(say, match, named))


def _make_menu_id(puzzle: Puzzle, done: int, play: str, number: int) -> MenuId:
    """Name a menu: the moves made so far are in its id."""
    return MenuId(
        f"{PUZZLE}:{PLAY}:{puzzle.id}:{number}:{play}",
        # As with the menus of a match, each step has numbers of its own: under the same number a
        # Discord client would keep showing what was picked before.
        FIRST_MENU_ID + done * MENUS_PER_VERSION + number,
    )


def _restart_controls(say: Reader, puzzle: Puzzle, play: str) -> tuple[Item, ...]:
    return (_make_button(puzzle, OPEN, say("Start again"), ButtonStyle.secondary),) if play else ()


def _make_button(puzzle: Puzzle, act: str, label: str, style: ButtonStyle) -> Item:
    return discord.ui.Button(label=label, style=style, custom_id=f"{PUZZLE}:{act}:{puzzle.id}")
