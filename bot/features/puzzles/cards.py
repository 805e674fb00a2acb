"""The cards of puzzles: a position to play, an answer's evaluation, and the post of a day."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import discord
from discord import ButtonStyle

from bot.features.matches.controls import (
    FIRST_MENU_ID,
    MENUS_PER_VERSION,
    list_game_controls,
    play_menus,
)
from bot.features.matches.scene import build_scene_moves, list_dice, translate_board_words
from bot.features.puzzles import service, texts
from bot.features.puzzles.match_puzzles import OwnPuzzle, OwnPuzzleResult
from bot.platform.i18n.common import format_title
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Item, Listing, Picture
from bot.platform.ui.controls import MenuEntry, MenuId, build_menu
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
    say: Reader, today: service.DailyPuzzle, person: int, tried: service.PuzzleAttempt | None = None
) -> Card:
    """Return a day's puzzle for one who solves it, as far as they have played.

    It takes a while to list the plays.
    """
    puzzle = today.puzzle
    introduction = texts.format_heading(say, puzzle), texts.format_source_text(say, puzzle)
    return _build_solving_card(
        say, puzzle, person, tried, introduction, texts.format_small_print(say, today)
    )


def own_puzzle_card(
    say: Reader, puzzle: OwnPuzzle, person: int, tried: service.PuzzleAttempt | None = None
) -> Card:
    """Return a person's own puzzle, as far as they have played."""
    introduction = (texts.format_own_heading(say, puzzle),)
    small = texts.format_own_small_print(say, puzzle)
    return _build_solving_card(say, puzzle, person, tried, introduction, small)


def _build_solving_card(
    say: Reader,
    puzzle: Puzzle,
    person: int,
    tried: service.PuzzleAttempt | None,
    introduction: Sequence[str],
    small: str,
) -> Card:
    match = tried.match if tried else puzzle.match
    play = tried.play if tried else ""
    return Card(
        texts=(
            *introduction,
            texts.format_rules(say, puzzle),
            texts.format_question(say, puzzle),
            texts.format_partial_play(say, play),
        ),
        picture=_build_picture(_build_scene(say, puzzle, match)),
        controls=(
            *_build_menus(say, puzzle, match, play),
            *_restart_controls(say, puzzle, play),
            *list_game_controls(say, puzzle.game),
        ),
        small=small,
        seats={person: match.turn},
    )


def public_puzzle_card(say: Reader, puzzle: Puzzle) -> Card:
    """Return a day's puzzle for everyone, with a button by which each solves it alone."""
    return Card(
        texts=(
            texts.format_heading(say, puzzle),
            texts.format_source_text(say, puzzle),
            texts.format_rules(say, puzzle),
            texts.format_question(say, puzzle),
        ),
        picture=_build_picture(_build_scene(say, puzzle, puzzle.match)),
        controls=(
            _build_button(puzzle, OPEN, say("Solve it"), ButtonStyle.primary),
            *list_game_controls(say, puzzle.game),
        ),
        small="\n".join(texts.format_origin(say, puzzle)),
    )


def answer_card(
    say: Reader, answered: service.PuzzleResult, person: int, *, shareable: bool
) -> Card:
    """Return the evaluation of an answer beside the best, as arrows on the board.

    A solved puzzle can be shared.
    """
    puzzle = answered.tried.puzzle
    # A second try knows the answer already, so only the first may be shared.
    may_share = answered.right and answered.counts and shareable
    return Card(
        texts=tuple(texts.format_answer(say, answered)),
        picture=_build_answer_picture(say, puzzle, answered.answer, right=answered.right),
        controls=(_build_button(puzzle, SHARE, say("Share in the channel"), ButtonStyle.secondary),)
        if may_share
        else (),
        small=texts.explain_arrows(say, puzzle, right=answered.right),
        seats={person: puzzle.match.turn},
    )


def own_answer_card(say: Reader, answered: OwnPuzzleResult, person: int) -> Card:
    """Return the evaluation of an answer to one's own puzzle, and a button for the next."""
    puzzle = answered.puzzle
    more = discord.ui.Button[Any](
        label=say("Next puzzle"), style=ButtonStyle.primary, custom_id=f"{PUZZLE}:{MINE}"
    )
    return Card(
        texts=tuple(texts.format_own_answer(say, answered)),
        picture=_build_answer_picture(say, puzzle, answered.answer, right=answered.right),
        controls=(_build_button(puzzle, OPEN, say("Try again"), ButtonStyle.secondary), more),
        small=texts.explain_arrows(say, puzzle, right=answered.right),
        seats={person: puzzle.match.turn},
    )


def _build_answer_picture(
    say: Reader, puzzle: Puzzle, answer: PuzzlePlay, *, right: bool
) -> Picture:
    # The best play comes first among the answers; others may be as good.
    best = _build_arrows(puzzle.match, puzzle.answers[0].play)
    done = _build_arrows(puzzle.match, answer.play)
    scene = _build_scene(say, puzzle, puzzle.match)
    return _build_picture(replace(scene, advice=(done,) if right else (best, done)))


def share_card(say: Reader, puzzle: Puzzle, person: int, streak: int) -> Card:
    """Return the line that tells everyone of a solved puzzle, with a button that leads there."""
    return Card(
        texts=(texts.format_announcement(say, puzzle, person, streak),),
        controls=(_build_button(puzzle, OPEN, say("Today's puzzle"), ButtonStyle.secondary),),
    )


def _build_scene(say: Reader, puzzle: Puzzle, match: Match) -> Scene:
    names = texts.format_solver(say), texts.format_opponent(say)
    return Scene(
        rules=match.rules,
        position=match.position,
        names=names if match.turn is Side.GOLD else (names[1], names[0]),
        title=format_title(say, match.game),
        status=texts.format_status(say, puzzle),
        dice=list_dice(match),
        last=build_scene_moves(match.moves),
        turn=match.turn,
        thrower=match.turn,
        words=translate_board_words(say),
    )


def _build_picture(scene: Scene) -> Picture:
    return Picture(scene, describe_scene(scene))


def _build_arrows(match: Match, play: str) -> tuple[SceneMove, ...]:
    moves = parse_play(play, match.rules, match.position)
    return build_scene_moves(moves)


def _build_menus(say: Reader, puzzle: Puzzle, match: Match, play: str) -> tuple[Item, ...]:
    named = partial(_build_menu_id, puzzle, len(match.moves), play)
    # Menus of legal plays would give the one answer away, so they list all that men might do.
    if puzzle.is_forced:
        return (
            build_menu(
                named(0),
                say("Try a move"),
                [MenuEntry(text) for text in service.list_unblocked_moves(match)],
            ),
        )
    return tuple(play_menus(say, match, named))


def _build_menu_id(puzzle: Puzzle, done: int, play: str, number: int) -> MenuId:
    """Name a menu: the moves made so far are in its id."""
    return MenuId(
        f"{PUZZLE}:{PLAY}:{puzzle.id}:{number}:{play}",
        # As with the menus of a match, each step has numbers of its own: under the same number a
        # Discord client would keep showing what was picked before.
        FIRST_MENU_ID + done * MENUS_PER_VERSION + number,
    )


def _restart_controls(say: Reader, puzzle: Puzzle, play: str) -> tuple[Item, ...]:
    return (_build_button(puzzle, OPEN, say("Start again"), ButtonStyle.secondary),) if play else ()


def _build_button(puzzle: Puzzle, act: str, label: str, style: ButtonStyle) -> Item:
    return discord.ui.Button(label=label, style=style, custom_id=f"{PUZZLE}:{act}:{puzzle.id}")


def daily_puzzle_card(say: Reader, daily: service.DailyPost, last_link: str | None) -> Card:
    """Return the puzzle of the day for everyone, with the solution of the last one.

    `last_link` leads to the last one's message.
    """
    card = public_puzzle_card(say, daily.puzzle)
    solution = texts.format_solution(say, daily.last, last_link) if daily.last else ""
    below = (solution, texts.format_streaks(say, daily))
    return replace(
        card,
        texts=_replace_heading(say, card, daily.puzzle),
        below=tuple(filter(None, below)),
        small=texts.format_post_small_print(say, daily.puzzle, daily.next_post),
    )


def past_puzzle_card(say: Reader, puzzle: Puzzle, next_link: str) -> Card:
    """Return the message of a puzzle that is over; `next_link` leads to its solution."""
    card = public_puzzle_card(say, puzzle)
    assert card.picture is not None
    return replace(
        card,
        texts=_replace_heading(say, card, puzzle),
        # The message keeps the picture that it has.
        picture=replace(card.picture, shows=None),
        below=(texts.format_closed(say, next_link),),
        controls=(),
    )


def _replace_heading(say: Reader, card: Card, puzzle: Puzzle) -> tuple[str | Listing, ...]:
    return (texts.format_post_heading(say, puzzle), *card.texts[1:])
