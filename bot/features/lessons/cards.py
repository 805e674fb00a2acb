"""The cards of lessons: a step, its end, the list of lessons, and where somebody stopped."""

from collections.abc import Mapping

import discord
from discord import ButtonStyle

from bot.features.computer.controls import make_computer_control_id
from bot.features.lessons import texts as words
from bot.features.lessons.controls import (
    end_controls,
    interruption_controls,
    list_controls,
    step_controls,
)
from bot.features.lessons.service import LessonView
from bot.features.lessons.store import LessonProgress
from bot.features.matches.board_texts import translate_board_words
from bot.features.matches.scene import list_dice, make_scene_moves
from bot.features.rulebook.controls import GUIDE, rules_page_control
from bot.platform.i18n.common import format_side_title, format_title
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Item, Picture
from bot.platform.ui.controls import LONGEST_LABEL
from engine.games import GAMES
from engine.games.lessons import LESSONS
from engine.lesson import Lesson
from engine.match import Phase
from engine.position import Side
from render.characters import shorten_text
from render.describe import describe_scene
from render.scene import Scene, SceneOption


def lesson_card(say: Reader, view: LessonView, person: int) -> Card:
    """Return where somebody is in a lesson: a step to do, or its end."""
    shown = _build_scene(say, view)
    controls = tuple(step_controls(say, view))
    small = words.explain_place(say)
    if view.is_over:
        controls = _list_end_controls(say, view.lesson)
        small = words.explain_next_game(say)
    return Card(
        texts=(words.format_heading(say, view), words.format_story(say, view)),
        picture=Picture(shown, describe_scene(shown)),
        # The task stands beside the buttons that do it.
        below=(words.format_task(say, view),),
        controls=controls,
        small=small,
        seats={person: view.lesson.side},
    )


def interruption_card(say: Reader, progress: LessonProgress) -> Card:
    """Ask somebody who left a lesson whether to go on or to start over."""
    return Card(
        texts=words.format_interruption(say, progress),
        controls=interruption_controls(say, LESSONS[progress.lesson]),
    )


def lessons_card(say: Reader, begun: Mapping[str, LessonProgress]) -> Card:
    """Return the list of lessons, with how far somebody is in each."""
    lines = (
        words.format_lesson_line(say, lesson, begun.get(slug)) for slug, lesson in LESSONS.items()
    )
    # Translators: heading of the list of lessons in which one learns a game.
    heading = say("### Lessons")
    return Card(texts=(heading, *lines), controls=list_controls(say))


def _list_end_controls(say: Reader, lesson: Lesson) -> tuple[Item, ...]:
    game = GAMES[lesson.game]
    label = say("Play {game} against the computer", game=format_title(say, game))
    play: Item = discord.ui.Button(
        label=shorten_text(label, LONGEST_LABEL),
        style=ButtonStyle.success,
        custom_id=make_computer_control_id(game.slug),
    )
    return (
        play,
        rules_page_control(GUIDE, game.slug, say("The rules")),
        *end_controls(say, lesson),
    )


def _order_names(side: Side, learner: str, opponent: str) -> tuple[str, str]:
    return (learner, opponent) if side is Side.GOLD else (opponent, learner)


def _build_scene(say: Reader, view: LessonView) -> Scene:
    match = view.match
    over = match.phase is Phase.OVER
    side = view.lesson.side
    # Where arrows show a way, the other ways are left out.
    options = () if view.moves or over else match.list_next_moves()
    played = make_scene_moves(match.moves)
    return Scene(
        rules=match.rules,
        position=match.position,
        names=_order_names(side, words.format_learner(say), words.format_opponent(say)),
        # The strip beside the board is short, and the lesson calls the opponent by its side.
        drawn_names=_order_names(
            side, words.format_learner(say), format_side_title(say, side.other)
        ),
        title=format_title(say, match.game),
        status=words.format_status(say, view),
        dice=list_dice(match),
        last=played or make_scene_moves(view.replied),
        turn=None if over else side,
        thrower=match.thrower,
        # The way round and the names beside it would be in the way of arrows.
        ways=view.progress.step == 0 and not view.moves,
        options=tuple(SceneOption(move.source, move.target, move.number) for move in options),
        advice=(make_scene_moves(view.moves),) if view.moves else (),
        words=translate_board_words(say),
    )
