"""What a position is worth, wherever it comes from."""

from dataclasses import replace

from engine import throws
from engine.ending import dead, judge, valued
from engine.match import Match, Phase
from engine.players.chances import every_throw
from engine.players.known import game_of
from engine.players.prospects import worth_of
from engine.players.worth import Worth
from engine.position import Position
from engine.rules import Dice, Game, Rules


def value(rules: Rules, position: Position) -> Worth:
    """Return a position's worth to the side to move.

    Before a throw it is evaluated as it is, else by the best play.
    """
    return worth_of(match_at(game_of(rules), rules, position), position.turn)


def match_at(game: Game, rules: Rules, position: Position) -> Match:
    """Return a match that has reached this position: over, or waiting for a throw or a play.

    Nothing but the position is known of it, so it is the first player's turn, and a throw that may
    be doubles is so only where its numbers can be nothing else.
    """
    match = Match(game=game, options={}, rules=rules, position=position, phase=Phase.THROW)
    outcome = judge(rules, position) or dead(rules, position)
    if outcome is not None:
        counted = valued(rules, position, outcome)
        return replace(
            match, phase=Phase.OVER, position=position._replace(dice=()), outcome=counted
        )
    if not position.dice:
        return match
    return replace(
        match, phase=Phase.PLAY, thrown=_thrown(rules.dice, position.dice), thrower=position.turn
    )


def _thrown(dice: Dice, left: tuple[int, ...]) -> tuple[int, ...]:
    """Return the throw that these numbers are left of.

    It is one of which all numbers are left if possible, then one without doubles.
    """
    every = [each for thrown, _ in every_throw(dice) for each in throws.turnings(dice, thrown)]
    fitting = [thrown for thrown in every if _holds(throws.numbers(dice, thrown), left)]
    return min(
        fitting,
        key=lambda thrown: (throws.numbers(dice, thrown) != left, throws.is_double(dice, thrown)),
    )


def _holds(numbers: tuple[int, ...], some: tuple[int, ...]) -> bool:
    return all(numbers.count(number) >= some.count(number) for number in some)
