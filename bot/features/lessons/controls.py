"""Buttons of lessons, and those that lead to one."""

from collections.abc import Iterator
from typing import Any

import discord
from discord import ButtonStyle

from bot.features.lessons.service import LessonView
from bot.features.matches.controls import build_play_emoji, list_button_plays
from bot.platform.i18n.common import format_title, keep_together
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item
from bot.platform.ui.controls import MAX_LABEL_LENGTH
from engine.games import GAMES
from engine.games.lessons import LESSONS, find_lesson
from engine.games.suggested import FIRST_GAME
from engine.lesson import Lesson
from engine.match import Phase
from engine.notation import format_play
from render.characters import shorten_text

LEARN = "learn"
"""Open a lesson, or the list of them."""
BEGIN, LATEST, OPEN, RESUME, RESTART, LIST = "new", "latest", "open", "resume", "restart", "list"
"""How: beside what one was looking at, or in place of a card of lessons."""
FEW_MOVES = 4
"""Buttons among which a beginner finds their way; with more, each is one move by one number."""
PRESS = "lesson"
"""Do something in a step of a lesson."""


def first_lesson_control(say: Reader) -> Item:
    """Return the button that begins the lesson of the game that is picked for newcomers."""
    return discord.ui.Button(
        label=say("Learn in three minutes"),
        style=ButtonStyle.success,
        custom_id=f"{LEARN}:{BEGIN}:{FIRST_GAME}",
    )


def learn_control(say: Reader) -> Item:
    """Return the button that does what `/learn` does: where somebody stopped, or the lessons."""
    # Translators: button: opens the lessons (verb).
    return _build_learn_button(say("Learn"), ButtonStyle.success, LATEST)


def game_lesson_controls(say: Reader, slug: str) -> tuple[Item, ...]:
    """Return the button that begins the lesson of a game, or of games like it, if there is one."""
    lesson = find_lesson(slug)
    if lesson is None:
        return ()
    label = say("Learn in three minutes")
    if lesson.game != slug:
        label = say("Lesson: {game}", game=format_title(say, GAMES[lesson.game]))
    return (
        discord.ui.Button(
            label=shorten_text(label, MAX_LABEL_LENGTH),
            style=ButtonStyle.secondary,
            custom_id=f"{LEARN}:{BEGIN}:{lesson.game}",
        ),
    )


def interruption_controls(say: Reader, lesson: Lesson) -> tuple[Item, ...]:
    """Return the buttons for somebody who has left a lesson in the middle."""
    return (
        # Translators: button: goes on with a lesson that was left in the middle (verb).
        _build_learn_button(say("Go on"), ButtonStyle.success, RESUME, lesson.game),
        _build_learn_button(say("Start over"), ButtonStyle.secondary, RESTART, lesson.game),
        _build_learn_button(say("All lessons"), ButtonStyle.secondary, LIST),
    )


def list_controls(say: Reader) -> tuple[Item, ...]:
    """Return a button for each lesson."""
    return tuple(
        _build_learn_button(format_title(say, GAMES[slug]), ButtonStyle.primary, OPEN, slug)
        for slug in LESSONS
    )


def end_controls(say: Reader, lesson: Lesson) -> tuple[Item, ...]:
    """Return the buttons that lead on from the end of a lesson to others, or to this one again."""
    return (
        _build_learn_button(say("All lessons"), ButtonStyle.secondary, LIST),
        _build_learn_button(say("Start over"), ButtonStyle.secondary, RESTART, lesson.game),
    )


def step_controls(say: Reader, view: LessonView) -> Iterator[Item]:
    """Yield the buttons of a step: every legal move, or each die to turn, and one for help."""
    match = view.match
    if match.phase is Phase.CHOOSE:
        for number in sorted(set(match.thrown)):
            label = say("Turn the {number} into a six", number=number)
            yield _build_press_button(view, label, ButtonStyle.primary, str(number))
    plays = list_button_plays(match, FEW_MOVES) if match.phase is Phase.PLAY else []
    for play in plays:
        text = format_play(play, match.rules, match.position)
        button = _build_press_button(view, keep_together(text), ButtonStyle.primary, text)
        button.emoji = build_play_emoji(match, play)
        yield button
    yield _build_press_button(view, say("Show me"), ButtonStyle.secondary, "")


def _build_press_button(
    view: LessonView, label: str, style: ButtonStyle, text: str
) -> discord.ui.Button[Any]:
    progress = view.progress
    at = f"{PRESS}:{view.lesson.game}:{progress.step}:{len(progress.presses)}"
    return discord.ui.Button(label=label, style=style, custom_id=f"{at}:{text}")


def _build_learn_button(label: str, style: ButtonStyle, act: str, slug: str = "") -> Item:
    return discord.ui.Button(
        label=shorten_text(label, MAX_LABEL_LENGTH), style=style, custom_id=f"{LEARN}:{act}:{slug}"
    )
