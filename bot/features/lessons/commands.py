"""Lessons: /learn, and the buttons by which one is done."""

from discord import app_commands

from bot.features.lessons import service as lessons
from bot.features.lessons.cards import interruption_card, lesson_card, lessons_card
from bot.features.lessons.controls import BEGIN, LEARN, LIST, OPEN, PRESS, RESTART, RESUME
from bot.features.lessons.service import LessonView
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import Card
from bot.platform.ui.declarations import command, press
from engine.games import GAMES
from engine.games.lessons import LESSONS
from engine.lesson import Lesson

LESSON_CHOICES = [app_commands.Choice(name=GAMES[slug].title, value=slug) for slug in LESSONS]


@command(everywhere=True)
@app_commands.describe(lesson="The game; leave it out to go on where you stopped, or to choose")
@app_commands.choices(lesson=LESSON_CHOICES)
async def learn(answer: InteractionAnswer, lesson: str | None = None) -> None:
    """Learn a game in three minutes by playing a few turns."""
    if lesson is None:
        card = await _prepare_latest(answer)
    else:
        card = await _open_lesson(answer, lessons.require_lesson(lesson))
    await answer.send_page(LEARN, card)


async def _prepare_latest(answer: InteractionAnswer) -> Card:
    """Return the question whether to go on where somebody stopped, or the list of lessons."""
    for progress in await lessons.load_progress(answer.app, answer.person.id):
        if lessons.is_unfinished(progress):
            return interruption_card(answer.reader, progress)
    return await _prepare_list(answer)


async def _prepare_list(answer: InteractionAnswer) -> Card:
    begun = await lessons.load_progress(answer.app, answer.person.id)
    return lessons_card(answer.reader, {each.lesson: each for each in begun})


async def _open_lesson(answer: InteractionAnswer, lesson: Lesson) -> Card:
    """Return the beginning of a lesson; for somebody in the middle of it, the question."""
    for progress in await lessons.load_progress(answer.app, answer.person.id):
        if progress.lesson == lesson.game and lessons.is_unfinished(progress):
            return interruption_card(answer.reader, progress)
    return _prepare_view(answer, await lessons.begin_lesson(answer.app, answer.person.id, lesson))


def _prepare_view(answer: InteractionAnswer, view: LessonView) -> Card:
    return lesson_card(answer.reader, view, answer.person.id)


@press(LEARN, everywhere=True)
async def open_lesson(answer: InteractionAnswer, act: str, slug: str = "") -> None:
    """Open a lesson beside a message, or in place of a card of lessons."""
    if act == BEGIN:
        # A message of its own, since the one with the button may be everyone's.
        await answer.send_page(LEARN, await _open_lesson(answer, lessons.require_lesson(slug)))
        return
    await answer.turn_page(LEARN, await _prepare_act(answer, act, slug))


async def _prepare_act(answer: InteractionAnswer, act: str, slug: str) -> Card:
    app, person = answer.app, answer.person.id
    if act == LIST:
        return await _prepare_list(answer)
    lesson = lessons.require_lesson(slug)
    if act == OPEN:
        return await _open_lesson(answer, lesson)
    if act == RESUME:
        return _prepare_view(answer, await lessons.resume_lesson(app, person, lesson))
    if act == RESTART:
        return _prepare_view(answer, await lessons.begin_lesson(app, person, lesson))
    raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)


@press(PRESS, everywhere=True)
async def press_in_lesson(
    answer: InteractionAnswer, slug: str, step: int, count: int, text: str
) -> None:
    """Do what was pressed in a lesson, and show where it goes on."""
    lesson = lessons.require_lesson(slug)
    view = await lessons.press_in_lesson(answer.app, answer.person.id, lesson, step, count, text)
    await answer.turn_page(LEARN, _prepare_view(answer, view))
