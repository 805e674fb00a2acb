"""Lessons: what somebody sees of one, what a press does in it, and how far they are."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from bot.features.lessons.progress import LessonProgress
from bot.features.lessons.store import BegunLessons
from bot.platform.context import App
from bot.platform.i18n.reader import DeclinedError, UnknownControlError, mark_text
from engine import teaching
from engine.games.lessons import LESSONS
from engine.lesson import Lesson, LessonStep
from engine.match import Match, Phase
from engine.move import Move
from engine.refusal import Refusal


class LessonNotBegunError(DeclinedError):
    sentence = mark_text("You haven't begun this lesson. `/learn` begins it.")


@dataclass(frozen=True, slots=True)
class LessonView:
    """Where somebody is in a lesson: the board, and what the opponent has just played.

    `tried` is a legal play that is not what the step asks for, `moves` are shown to somebody who
    was wrong or asks for them, and `late` says that what was pressed belonged to another moment.
    """

    lesson: Lesson
    progress: LessonProgress
    match: Match
    replied: tuple[Move, ...] = ()
    tried: str = ""
    moves: tuple[Move, ...] = ()
    asked: bool = False
    late: bool = False

    @property
    def is_over(self) -> bool:
        """Whether the last step is done."""
        return self.progress.step >= len(self.lesson.steps)

    @property
    def step(self) -> LessonStep:
        """The step that somebody is in, or the last one."""
        return self.lesson.steps[min(self.progress.step, len(self.lesson.steps) - 1)]


def require_lesson(slug: str) -> Lesson:
    """Return a lesson that a button names."""
    if slug not in LESSONS:
        raise UnknownControlError
    return LESSONS[slug]


async def load_progress(app: App, person: int) -> Sequence[LessonProgress]:
    """Return the lessons that somebody has begun, the one that they were in last first."""
    return [
        each
        for each in await app.store.get(BegunLessons).load_all(person)
        if each.lesson in LESSONS
    ]


async def begin_lesson(app: App, person: int, lesson: Lesson) -> LessonView:
    """Put somebody at the beginning of a lesson."""
    await app.store.get(BegunLessons).begin(person, lesson.game, app.clock())
    return await asyncio.to_thread(_build_view, LessonProgress(lesson.game))


async def resume_lesson(app: App, person: int, lesson: Lesson) -> LessonView:
    """Return where somebody is in a lesson; raises DeclinedError if they have not begun it."""
    progress = await app.store.get(BegunLessons).load(person, lesson.game)
    if progress is None:
        raise LessonNotBegunError
    view = await asyncio.to_thread(_build_view, progress)
    if view.progress != progress:
        await app.store.get(BegunLessons).advance(person, progress, view.progress, app.clock())
    return view


async def press_in_lesson(
    app: App, person: int, lesson: Lesson, step: int, count: int, text: str
) -> LessonView:
    """Do what somebody pressed in a step, after so many presses there; with no text, show the way.

    What belongs to another moment changes nothing, nor does what the step does not ask for. Raises
    Refusal for what is not legal.
    """
    view = await resume_lesson(app, person, lesson)
    before = view.progress
    if (step, count) != (before.step, len(before.presses)) or view.is_over:
        return _mark_late(view)
    after = await asyncio.to_thread(_judge_press, view, text)
    if after.progress == before:
        return after
    if not await app.store.get(BegunLessons).advance(person, before, after.progress, app.clock()):
        # Another press was quicker.
        return _mark_late(await resume_lesson(app, person, lesson))
    return after


def _mark_late(view: LessonView) -> LessonView:
    return LessonView(view.lesson, view.progress, view.match, view.replied, late=True)


def _build_view(progress: LessonProgress) -> LessonView:
    """Return what there is to see at some point of a lesson."""
    lesson = LESSONS[progress.lesson]
    last = len(lesson.steps) - 1
    if progress.step > last:
        return LessonView(lesson, progress, teaching.finish_step(lesson.game, last))
    start = teaching.begin_step(lesson.game, progress.step)
    try:
        match = start.match
        for text in progress.presses:
            match = match.apply(teaching.parse_press(match, text))
    except Refusal:
        # The lesson has changed since: the step begins again.
        match = start.match
        progress = LessonProgress(lesson.game, progress.step)
    return LessonView(lesson, progress, match, () if progress.presses else start.replied)


def _judge_press(view: LessonView, text: str) -> LessonView:
    """Return what there is to see after a press."""
    slug, progress = view.lesson.game, view.progress
    if not text:
        moves = teaching.find_wanted_moves(slug, progress.step, view.match)
        return LessonView(view.lesson, progress, view.match, moves=moves, asked=True)
    match = view.match.apply(teaching.parse_press(view.match, text))
    if not teaching.is_wanted(slug, progress.step, match):
        moves = teaching.find_wanted_moves(slug, progress.step, view.match)
        return LessonView(view.lesson, progress, view.match, tried=text, moves=moves)
    if match.phase is Phase.OVER:
        return LessonView(view.lesson, LessonProgress(slug, len(view.lesson.steps)), match)
    if teaching.is_step_over(slug, match):
        return _build_view(LessonProgress(slug, progress.step + 1))
    return _build_view(LessonProgress(slug, progress.step, (*progress.presses, text)))
