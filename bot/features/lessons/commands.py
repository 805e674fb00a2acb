"""Lessons: /learn, the buttons by which one is done, its cards and their words."""

from collections.abc import Mapping

import discord
from discord import ButtonStyle, app_commands

from bot.features.computer.controls import build_computer_control_id
from bot.features.lessons import service as lessons
from bot.features.lessons.controls import (
    BEGIN,
    LATEST,
    LEARN,
    LIST,
    OPEN,
    PRESS,
    RESTART,
    RESUME,
    end_controls,
    interruption_controls,
    list_controls,
    step_controls,
)
from bot.features.lessons.progress import LessonProgress, is_unfinished
from bot.features.lessons.service import LessonView
from bot.features.matches.controls import list_game_controls
from bot.features.matches.scene import build_scene_moves, list_dice, translate_board_words
from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader, UnknownControlError, lesson_context
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import Card, Item, Picture
from bot.platform.ui.controls import MAX_LABEL_LENGTH
from bot.platform.ui.declarations import command, press
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
    scene = _build_scene(say, view)
    controls = tuple(step_controls(say, view))
    small = explain_place(say)
    if view.is_over:
        controls = _list_end_controls(say, view.lesson)
        small = explain_next_game(say)
    return Card(
        texts=(format_heading(say, view), format_story(say, view)),
        picture=Picture(scene, describe_scene(scene)),
        # The task stands beside the buttons that do it.
        below=(format_task(say, view),),
        controls=controls,
        small=small,
        seats={person: view.lesson.side},
    )


def interruption_card(say: Reader, progress: LessonProgress) -> Card:
    """Ask somebody who left a lesson whether to go on or to start over."""
    return Card(
        texts=format_interruption(say, progress),
        controls=interruption_controls(say, LESSONS[progress.lesson]),
    )


def lessons_card(say: Reader, begun: Mapping[str, LessonProgress]) -> Card:
    """Return the list of lessons, with how far somebody is in each."""
    lines = (format_lesson_line(say, lesson, begun.get(slug)) for slug, lesson in LESSONS.items())
    # Translators: heading of the list of lessons in which one learns a game.
    heading = say("### Lessons")
    return Card(texts=(heading, *lines), controls=list_controls(say))


def _list_end_controls(say: Reader, lesson: Lesson) -> tuple[Item, ...]:
    game = GAMES[lesson.game]
    label = say("Play {game} against the computer", game=common.format_title(say, game))
    play: Item = discord.ui.Button(
        label=shorten_text(label, MAX_LABEL_LENGTH),
        style=ButtonStyle.success,
        custom_id=build_computer_control_id(game.slug),
    )
    return (
        play,
        *list_game_controls(say, game.slug),
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
    played = build_scene_moves(match.moves)
    return Scene(
        rules=match.rules,
        position=match.position,
        names=_order_names(side, format_learner(say), format_opponent(say)),
        # The strip beside the board is short, and the lesson calls the opponent by its side.
        drawn_names=_order_names(
            side, format_learner(say), common.format_side_title(say, side.other)
        ),
        title=common.format_title(say, match.game),
        status=format_status(say, view),
        dice=list_dice(match),
        last=played or build_scene_moves(view.replied),
        turn=None if over else side,
        thrower=match.thrower,
        # The way round and the names beside it would be in the way of arrows.
        ways=view.progress.step == 0 and not view.moves,
        options=tuple(SceneOption(move.source, move.target, move.number) for move in options),
        advice=(build_scene_moves(view.moves),) if view.moves else (),
        words=translate_board_words(say),
    )


LESSON_CHOICES = [app_commands.Choice(name=GAMES[slug].title, value=slug) for slug in LESSONS]


@command(everywhere=True)
@app_commands.describe(lesson="The game; leave it out to go on where you stopped, or to choose")
@app_commands.choices(lesson=LESSON_CHOICES)
async def learn(answer: InteractionAnswer, lesson: str | None = None) -> None:
    """Learn a game in three minutes by playing a few turns."""
    if lesson is None:
        card = await _build_latest(answer)
    else:
        card = await _open_lesson(answer, lessons.require_lesson(lesson))
    await answer.send_page(LEARN, card)


async def _build_latest(answer: InteractionAnswer) -> Card:
    """Return the question whether to go on where somebody stopped, or the list of lessons."""
    for progress in await lessons.load_progress(answer.app, answer.person.id):
        if is_unfinished(progress):
            return interruption_card(answer.reader, progress)
    return await _build_list(answer)


async def _build_list(answer: InteractionAnswer) -> Card:
    begun = await lessons.load_progress(answer.app, answer.person.id)
    return lessons_card(answer.reader, {each.lesson: each for each in begun})


async def _open_lesson(answer: InteractionAnswer, lesson: Lesson) -> Card:
    """Return the beginning of a lesson; for somebody in the middle of it, the question."""
    for progress in await lessons.load_progress(answer.app, answer.person.id):
        if progress.lesson == lesson.game and is_unfinished(progress):
            return interruption_card(answer.reader, progress)
    return _build_view(answer, await lessons.begin_lesson(answer.app, answer.person.id, lesson))


def _build_view(answer: InteractionAnswer, view: LessonView) -> Card:
    return lesson_card(answer.reader, view, answer.person.id)


@press(LEARN, everywhere=True)
async def open_lesson(answer: InteractionAnswer, act: str, slug: str = "") -> None:
    """Open a lesson beside a message, or in place of a card of lessons."""
    if act == BEGIN:
        # A message of its own, since the one with the button may be everyone's.
        await answer.send_page(LEARN, await _open_lesson(answer, lessons.require_lesson(slug)))
        return
    if act == LATEST:
        await answer.send_page(LEARN, await _build_latest(answer))
        return
    await answer.turn_page(LEARN, await _build_act(answer, act, slug))


async def _build_act(answer: InteractionAnswer, act: str, slug: str) -> Card:
    app, person = answer.app, answer.person.id
    if act == LIST:
        return await _build_list(answer)
    lesson = lessons.require_lesson(slug)
    if act == OPEN:
        return await _open_lesson(answer, lesson)
    if act == RESUME:
        return _build_view(answer, await lessons.resume_lesson(app, person, lesson))
    if act == RESTART:
        return _build_view(answer, await lessons.begin_lesson(app, person, lesson))
    raise UnknownControlError


@press(PRESS, everywhere=True)
async def press_in_lesson(
    answer: InteractionAnswer, slug: str, step: int, count: int, text: str
) -> None:
    """Do what was pressed in a lesson, and show where it goes on."""
    lesson = lessons.require_lesson(slug)
    view = await lessons.press_in_lesson(answer.app, answer.person.id, lesson, step, count, text)
    await answer.turn_page(LEARN, _build_view(answer, view))


def format_heading(say: Reader, view: LessonView) -> str:
    """Name the lesson and the step."""
    game = common.format_title(say, GAMES[view.lesson.game])
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
    text = _translate_text(say, view.lesson, step.hints.get(view.tried, step.hint))
    return say("Not quite. {why}", why=text)


def _format_advice(say: Reader, view: LessonView) -> str:
    if view.step.hint:
        return _translate_text(say, view.lesson, view.step.hint)
    return say("The arrows show one way.")


def _format_rest(say: Reader, view: LessonView) -> str:
    left = common.format_dice(view.match.position.dice)
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
    side = common.format_side(say, view.lesson.side)
    if view.match.phase is Phase.OVER:
        return common.capitalise_first(say("{side} won", side=side))
    return common.capitalise_first(say("{side} to play", side=side))


def format_learner(say: Reader) -> str:
    """Name in the picture who learns."""
    # Translators: a name in the picture of a board: the reader, who is to play.
    return say("you")


def format_opponent(say: Reader) -> str:
    """Name in the picture who answers."""
    # Translators: a name in the picture of a board: the player of the other side.
    return say("opponent")


def explain_place(say: Reader) -> str:
    """Say that a lesson can be left."""
    return say("You can stop at any time: `/learn` brings you back here.")


def explain_next_game(say: Reader) -> str:
    """Say what comes after a lesson."""
    return say("The computer plays at your pace, and nothing is rated unless you ask for it.")


def format_interruption(say: Reader, progress: LessonProgress) -> tuple[str, ...]:
    """Say where somebody has stopped."""
    lesson = LESSONS[progress.lesson]
    step = lesson.steps[progress.step]
    return (
        say("### Lesson: {game}", game=common.format_title(say, GAMES[lesson.game])),
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
    text = say(
        "**{game}**: {line}",
        game=common.format_title(say, GAMES[lesson.game]),
        line=_translate_text(say, lesson, lesson.tagline),
    )
    if progress is None or not (is_unfinished(progress) or progress.step >= len(lesson.steps)):
        return text
    if is_unfinished(progress):
        state = say("step {n} of {total}", n=progress.step + 1, total=len(lesson.steps))
    else:
        # Translators: of a lesson, in brackets: the reader has finished it (participle).
        state = say("done")
    # Translators: a line about a lesson, then how far the reader is: "(step 2 of 7)".
    return say("{line} ({state})", line=text, state=state)


def _translate_text(say: Reader, lesson: Lesson, text: str) -> str:
    return say.in_context(lesson_context(lesson.game), text)
