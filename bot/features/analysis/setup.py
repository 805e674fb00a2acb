"""Setting up a position from what somebody types: the game, its rules, the men and the throw."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.platform.errors import DeclinedError, DeclineReason
from engine.events import Thrown
from engine.folding import fold_text
from engine.games import find_game
from engine.games.backgammon import BACKGAMMON
from engine.match import Match, Phase
from engine.players.midgame import build_match
from engine.position import Position
from engine.position_ids import parse_position_id
from engine.position_text import parse_position
from engine.refusal import Reason, Refusal
from engine.rules import Game
from engine.throws import parse_throw


@dataclass(frozen=True, slots=True)
class PositionSetup:
    """A position of a game with some house rules, and a throw of all dice where one is given."""

    game: Game
    options: Mapping[str, str]
    position: Position
    thrown: tuple[int, ...] = ()


def parse_setup(game: str, position: str, throw: str, options: str) -> PositionSetup:
    """Read what somebody types; without a game it is backgammon as another program writes it.

    A throw takes the place of the dice in the position. Raises Refusal, or DeclinedError where no
    game is named.
    """
    wanted = find_game(game) if game.strip() else BACKGAMMON
    chosen = parse_chosen_options(wanted, options)
    rules = wanted.resolve_rules(chosen)
    at = parse_position_id(position) if wanted is BACKGAMMON else None
    if at is None:
        if not game.strip():
            raise DeclinedError(DeclineReason.NO_GAME_NAMED)
        at = parse_position(position, rules)
    if not throw.strip():
        return PositionSetup(wanted, chosen, at)
    # What is remembered of numbers being played goes with them.
    bare = at._replace(dice=(), memory=0) if at.dice else at
    return PositionSetup(wanted, chosen, bare, parse_throw(throw, rules.dice))


def build_setup_match(setup: PositionSetup) -> Match:
    """Return a match that has reached a position; raises Refusal where the game is over there."""
    rules = setup.game.resolve_rules(setup.options)
    match = replace(
        build_match(setup.game, rules, setup.position),
        options=dict(setup.options),
    )
    if match.phase is not Phase.OVER and setup.thrown:
        match = match.apply(Thrown(setup.thrown))
    if match.phase is Phase.OVER:
        raise Refusal(Reason.GAME_OVER)
    return match


def parse_chosen_options(game: Game, text: str) -> dict[str, str]:
    """Read options as they are typed, `dice=two-and-six blockade=wins`; raises Refusal."""
    options: dict[str, str] = {}
    joined = re.sub(" ?[=:] ?", "=", fold_text(text))
    for word in filter(None, re.split(r"[ ,;]+", joined)):
        name, equals, value = word.partition("=")
        option = game.find_option(name)
        if not equals:
            raise Refusal(Reason.OPTION_FORM, option=name, value=option.default_value.name)
        options[option.name] = option.find_value(value).name
    return options
