"""What is said in a lesson, around what the lesson itself says."""

from bot.features.lessons.service import LessonView, is_unfinished
from bot.features.lessons.store import LessonProgress
from bot.platform.i18n.catalogue_texts import lesson_context
from bot.platform.i18n.common import format_dice, format_side_title, format_title
from bot.platform.i18n.reader import Reader
from engine.games import GAMES
from engine.games.lessons import LESSONS
from engine.lesson import Lesson
from engine.match import Phase


def format_heading(say: Reader, view: LessonView) -> str:
    """Name the lesson and the step."""
    game = format_title(say, GAMES[view.lesson.game])
    if view.is_over:
        return say("### Lesson: {game}\n-# Finished", game=game)
    return say(
        "### Lesson: {game}\n-# Step {n} of {total}: {title}",
        game=game,
        n=view.progress.step + 1,
        total=len(view.lesson.steps),
        title=_translate_text(say, view.lesson, view.step.title),
    )


def format_story(say: Reader, view: LessonView) -> str:
    """Say what the step before did; once something is pressed in this one, how that goes on."""
    if view.late:
        return say("That button was from another moment. Here is where you are.")
    if view.tried:
        return _format_hint(say, view)
    if view.asked:
        return _format_advice(say, view)
    if view.progress.presses:
        return _format_rest(say, view)
    if view.progress.step == 0:
        return ""
    before = view.lesson.steps[view.progress.step - 1]
    return _translate_text(say, view.lesson, before.done)


def _format_hint(say: Reader, view: LessonView) -> str:
    step = view.step
    told = _translate_text(say, view.lesson, step.hints.get(view.tried, step.hint))
    return say("Not quite. {why}", why=told)


def _format_advice(say: Reader, view: LessonView) -> str:
    if view.step.hint:
        return _translate_text(say, view.lesson, view.step.hint)
    return say("The arrows show one way.")


def _format_rest(say: Reader, view: LessonView) -> str:
    left = format_dice(view.match.position.dice)
    # Nothing is played yet where a die was turned.
    if not view.match.moves:
        return say("Good. Now play {dice}.", dice=left)
    return say("Good. Still to play: {dice}.", dice=left)


def format_task(say: Reader, view: LessonView) -> str:
    """Say what is to be done now, or at the end what was learnt; nothing beside a hint."""
    if view.is_over:
        return _translate_text(say, view.lesson, view.lesson.summary)
    # The hint says it already.
    if view.tried or (view.asked and view.step.hint):
        return ""
    return _translate_text(say, view.lesson, view.step.task)


def format_status(say: Reader, view: LessonView) -> str:
    """Say in the picture whose turn it is."""
    side = format_side_title(say, view.lesson.side)
    if view.match.phase is Phase.OVER:
        return say("{side} won", side=side)
    return say("{side} to play", side=side)


def format_learner(say: Reader) -> str:
    """Name in the picture who learns."""
    # Translators: a name in the picture of a board: the reader, who is to play.
    return say("you")


def format_opponent(say: Reader) -> str:
    """Name in the picture who answers."""
    # Translators: a name in the picture of a board: the player of the other side.
    return say("opponent")


def explain_place(say: Reader) -> str:
    """Tell that a lesson can be left."""
    return say("You can stop at any time: `/learn` brings you back here.")


def explain_next_game(say: Reader) -> str:
    """Tell what comes after a lesson."""
    return say("The computer plays at your pace, and nothing is rated unless you ask for it.")


def format_interruption(say: Reader, progress: LessonProgress) -> tuple[str, ...]:
    """Say where somebody has stopped."""
    lesson = LESSONS[progress.lesson]
    step = lesson.steps[progress.step]
    return (
        say("### Lesson: {game}", game=format_title(say, GAMES[lesson.game])),
        say(
            "You stopped at step {n} of {total}: {title}. Go on from there, or start over?",
            n=progress.step + 1,
            total=len(lesson.steps),
            title=_translate_text(say, lesson, step.title),
        ),
    )


def format_lesson_line(say: Reader, lesson: Lesson, progress: LessonProgress | None) -> str:
    """Say what a lesson teaches, and how far somebody is in it."""
    # Translators: a game, then a sentence about its lesson.
    told = say(
        "**{game}**: {line}",
        game=format_title(say, GAMES[lesson.game]),
        line=_translate_text(say, lesson, lesson.tagline),
    )
    if progress is None or not (is_unfinished(progress) or progress.step >= len(lesson.steps)):
        return told
    if is_unfinished(progress):
        state = say("step {n} of {total}", n=progress.step + 1, total=len(lesson.steps))
    else:
        # Translators: of a lesson, in brackets: the reader has finished it (participle).
        state = say("done")
    # Translators: a line about a lesson, then how far the reader is: "(step 2 of 7)".
    return say("{line} ({state})", line=told, state=state)


def _translate_text(say: Reader, lesson: Lesson, text: str) -> str:
    return say.in_context(lesson_context(lesson.game), text)
