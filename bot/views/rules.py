"""A game's rules page, made from the same data that the engine plays by."""

from collections.abc import Iterator

import discord

from bot.views.controls import rules_menu
from bot.views.post import Post
from engine.board import Board
from engine.position import Side, format_men
from engine.rules import Bearing, Dice, Ending, Game, Option, Rules
from render.scene import Scene

MOST_IN_FIELD = 1024
MUST_USE = "As many numbers as possible must be used, and the higher where there is a choice."


def rules_post(game: Game) -> Post:
    """Return a game's rules: set-up, way, dice, hitting, bearing, ending, options, and where they come from."""
    embed = discord.Embed(title=f"{game.title}: the rules", description=_description(game))
    for name, text in _fields(game):
        embed.add_field(name=name, value=text[:MOST_IN_FIELD], inline=False)
    embed.set_footer(text=f"{game.provenance.label.value.capitalize()}. {'; '.join(game.provenance.sources)}"[:2048])
    return Post("", _set_up(game), (rules_menu(),), embed=embed)


def _description(game: Game) -> str:
    also = f"Also called {', '.join(game.aliases)}. " if game.aliases else ""
    return f"{game.tagline}\n{also}{game.provenance.history}"


def _fields(game: Game) -> Iterator[tuple[str, str]]:
    rules = game.rules
    yield "Set-up", _start(rules)
    yield "Dice", _dice(game)
    yield "Moving", _moving(rules)
    yield "Hitting", _hitting(rules)
    yield "The end", _ending(rules)
    yield "What is special", "\n".join(f"• {line}" for line in game.special)
    for option in game.options:
        yield f"Option `{option.name}`", _option(option)
    if game.provenance.decisions:
        yield "What we decided", "\n".join(f"• {line}" for line in game.provenance.decisions)


def _start(rules: Rules) -> str:
    sides = (f"{side}: {_men_in_words(rules.start.men(side), rules.board)}" for side in Side)
    return f"{rules.men} men a side. {'; '.join(sides)}. The higher roll battle begins, with a fresh throw."


def _men_in_words(men: bytes, board: Board) -> str:
    return "all in hand" if men[board.hand] == sum(men) else format_men(men, board)


def _dice(game: Game) -> str:
    by_default = [
        option.default.meaning for option in game.options if any("dice" in path for path in option.default.changes)
    ]
    return " ".join((_thrown(game.rules_with({}).dice), *by_default, MUST_USE))


def _thrown(dice: Dice) -> str:
    fixed = "".join(f", and a {number} is always added" for number in dice.fixed)
    return f"{dice.count} dice{fixed}; each number is a move of its own, and one man may make several."


def _moving(rules: Rules) -> str:
    entry = (f"{side} on {_run(rules.entry(side), rules.board)}" for side in Side)
    if not rules.moving:
        return f"Men enter, number n on the n-th point ({'; '.join(entry)}), and do not move."
    ways = (f"{side} travels {_run(rules.course(side), rules.board)}" for side in Side)
    return f"{'; '.join(ways)}. Men enter by number n on the n-th point: {'; '.join(entry)}."


def _run(points: tuple[int, ...], board: Board) -> str:
    return f"{board.names[points[0]]} to {board.names[points[-1]]}"


def _hitting(rules: Rules) -> str:
    limit = f" A point holds at most {rules.limit} men." if rules.limit else ""
    return (
        "Two opposing men close a point. A single man is hit by landing on him; he waits on the bar and must enter "
        f"before his side moves anything else.{limit}"
    )


def _ending(rules: Rules) -> str:
    if rules.ending is Ending.FULL:
        return "When every point holds two men, the side with more points has won; equal is a tie."
    home = "; ".join(f"{side} in {_run(rules.home(side), rules.board)}" for side in Side)
    if rules.bearing is Bearing.NONE:
        return f"The first side with all its men in its last table has won ({home}). Nothing is borne off."
    return (
        f"The first side to bear off all its men has won. Men are borne off when all stand in the last table ({home}), "
        "by the exact number, or by a higher one if no man stands farther back."
    )


def _option(option: Option) -> str:
    values = "\n".join(f"• `{value.name}`: {value.meaning}" for value in option.values)
    settled = "chosen by the side that begins" if option.starter_chooses else f"usually `{option.default.name}`"
    return f"{option.asks} ({settled})\n{values}\n*{option.source}*"


def _set_up(game: Game) -> Scene:
    rules = game.rules_with({})
    return Scene(
        rules=rules,
        position=rules.start,
        names=("Gold", "Black"),
        title=game.title,
        status="The set-up",
        dice=(),
        last=(),
        turn=None,
        thrower=None,
    )
