"""Running a lesson by the rules: where each step begins, and whether a play is what it asks for."""

from functools import lru_cache, reduce
from typing import NamedTuple

from engine.events import Chosen, Event, Passed, Played, Thrown
from engine.games import GAMES
from engine.games.lessons import LESSONS
from engine.lesson import Goal, Lesson, LessonStep, PreparedReply
from engine.match import SIX, Match, Phase
from engine.move import Move
from engine.notation import parse_play
from engine.plays import make_move
from engine.position import Position
from engine.position_text import parse_position


class StepStart(NamedTuple):
    """A match that waits for the learner, and what the opponent has just played."""

    match: Match
    replied: tuple[Move, ...] = ()


@lru_cache(maxsize=64)
def begin_step(slug: str, number: int) -> StepStart:
    """Return where a step of a lesson begins, counted from 0, with its throw made."""
    lesson = LESSONS[slug]
    step = lesson.steps[number]
    if step.position:
        return StepStart(_set_up(lesson, step).apply(Thrown(step.throw)))
    before = finish_step(slug, number - 1)
    return StepStart(before.apply(Thrown(step.throw)), before.moves)


def _set_up(lesson: Lesson, step: LessonStep) -> Match:
    game = GAMES[lesson.game]
    rules = game.resolve_rules(lesson.options)
    position = parse_position(step.position, rules)
    return Match(
        game=game,
        options=dict(lesson.options),
        rules=rules,
        position=position,
        phase=Phase.THROW,
        thrower=position.turn,
    )


def finish_step(slug: str, number: int) -> Match:
    """Return the match after the first play that a step asks for and the opponent's replies."""
    step = LESSONS[slug].steps[number]
    match = _turn_six(slug, number)
    match = match.apply(Played(find_wanted_moves(slug, number, match)))
    return reduce(_apply_reply, step.replies, match)


def _turn_six(slug: str, number: int) -> Match:
    """Return where a step's numbers are to be played, its die turned where one is to be."""
    match = begin_step(slug, number).match
    if match.phase is not Phase.CHOOSE:
        return match
    return match.apply(Chosen(SIX, LESSONS[slug].steps[number].six))


def _apply_reply(match: Match, reply: PreparedReply) -> Match:
    match = match.apply(Thrown(reply.throw))
    if not reply.play:
        return match.apply(Passed())
    return match.apply(Played(parse_play(reply.play, match.rules, match.position)))


def parse_press(match: Match, text: str) -> Event:
    """Return what a button says, a number to turn or moves; raises Refusal if it is not legal."""
    if match.phase is Phase.CHOOSE:
        return Chosen(SIX, text)
    return Played(parse_play(text, match.rules, match.position))


def is_step_over(slug: str, match: Match) -> bool:
    """Return whether the learner has played the whole throw."""
    return match.turn is not LESSONS[slug].side or match.phase in (Phase.THROW, Phase.OVER)


def is_wanted(slug: str, number: int, match: Match) -> bool:
    """Return whether a step's goal is reached, or can be with the numbers that are left."""
    step = LESSONS[slug].steps[number]
    if match.presumed is not None and step.six:
        text = str(begin_step(slug, number).match.thrown[match.presumed])
        if text != step.six:
            return False
    if step.goal is Goal.ANY:
        return True
    if is_step_over(slug, match):
        return _is_fulfilled(slug, number, match)
    return any(_is_fulfilled(slug, number, match.apply(Played(play.moves))) for play in match.plays)


def find_wanted_moves(slug: str, number: int, match: Match) -> tuple[Move, ...]:
    """Return moves with which a step's goal is reached from here; empty where there are none."""
    return next(
        (
            play.moves
            for play in match.plays
            if is_wanted(slug, number, match.apply(Played(play.moves)))
        ),
        (),
    )


def _is_fulfilled(slug: str, number: int, after: Match) -> bool:
    lesson = LESSONS[slug]
    step = lesson.steps[number]
    match step.goal:
        case Goal.HIT:
            return any(move.hit for move in after.moves)
        case Goal.SHUT_OUT:
            return after.is_stuck
        case Goal.WIN:
            return after.outcome is not None and after.outcome.winner is lesson.side
    return (after.position.gold, after.position.black) in _list_wanted_ends(slug, number)


@lru_cache(maxsize=64)
def _list_wanted_ends(slug: str, number: int) -> frozenset[tuple[bytes, bytes]]:
    step = LESSONS[slug].steps[number]
    match = _turn_six(slug, number)
    ends = (
        reduce(
            lambda position, move: make_move(match.rules, position, move),
            parse_play(play, match.rules, match.position),
            match.position,
        )
        for play in step.plays
    )
    return frozenset(map(_get_men, ends))


def _get_men(position: Position) -> tuple[bytes, bytes]:
    return position.gold, position.black
