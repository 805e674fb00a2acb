"""A match that has reached a position of which nothing else is known; needs no numpy."""

from dataclasses import replace

from engine import throws
from engine.ending import find_deadlock, find_outcome, score_outcome
from engine.match import Match, Phase
from engine.players.chances import list_throws
from engine.position import Position
from engine.rules import Dice, Game, Rules


def build_match(game: Game, rules: Rules, position: Position) -> Match:
    """Return a match that has reached this position: over, or waiting for a throw or a play.

    Nothing but the position is known of it, so it is the first player's turn, and a throw that may
    be doubles is so only where its numbers can be nothing else.
    """
    match = Match(game=game, options={}, rules=rules, position=position, phase=Phase.THROW)
    outcome = find_outcome(rules, position) or find_deadlock(rules, position)
    if outcome is not None:
        counted = score_outcome(rules, position, outcome)
        return replace(
            match, phase=Phase.OVER, position=position._replace(dice=()), outcome=counted
        )
    if not position.dice:
        return match
    return replace(
        match,
        phase=Phase.PLAY,
        thrown=_reconstruct_throw(rules.dice, position.dice),
        thrower=position.turn,
    )


def _reconstruct_throw(dice: Dice, left: tuple[int, ...]) -> tuple[int, ...]:
    """Return the throw that these numbers are left of.

    It is one of which all numbers are left if possible, then one without doubles.
    """
    every = [
        each for thrown, _ in list_throws(dice) for each in throws.list_turned_throws(dice, thrown)
    ]
    fitting = [thrown for thrown in every if _has_numbers(throws.list_numbers(dice, thrown), left)]
    return min(
        fitting,
        key=lambda thrown: (
            throws.list_numbers(dice, thrown) != left,
            throws.is_double(dice, thrown),
        ),
    )


def _has_numbers(numbers: tuple[int, ...], some: tuple[int, ...]) -> bool:
    return all(numbers.count(number) >= some.count(number) for number in some)
