"""A game's rules page, made from the same data that the engine plays by."""

from collections.abc import Iterator

import discord

from bot.views.controls import rules_menus
from bot.views.post import Post
from engine.board import Board
from engine.games import find_game
from engine.games.unplayed import Page, find_unplayed
from engine.position import Side, format_men
from engine.rules import Bearing, Dice, Ending, Game, Option, Placing, Reentry, Rules, Sides
from render.scene import Scene

MOST_IN_FIELD = 1024
MUST_USE = "As many numbers as possible must be used, and the higher where there is a choice."

BEGINS = {
    Sides.KEPT: "begins",
    Sides.GOLD: "plays gold",
    Sides.CHOSEN: "chooses a side",
}
PLACES = {
    Placing.FREE: "",
    Placing.ALL: " No man moves before all of his side's have entered.",
    Placing.HALF: " Until all of a side's men have entered, none goes past the middle of the course.",
    Placing.STILL: " Until all of a side's men have entered, only the man being placed goes on.",
}
BOUND = {
    Reentry.FIRST: "must enter before his side moves anything else",
    Reentry.SOFT: "must enter before his side moves anything else, where a number can enter him",
    Reentry.FREE: "may enter when his side likes",
}
BORNE = {
    Bearing.USUAL: "by the exact number, or by a higher one if no man stands farther back",
    Bearing.EXACT: "by the exact number only",
    Bearing.PAST: "by any number that reaches the edge or passes it",
}


def rules_page(name: str) -> Post:
    """Return the page of a game, or of one that cannot be played; raises Refusal where there is none of that name."""
    page = find_unplayed(name)
    return _unplayed_post(page) if page else rules_post(find_game(name))


def _unplayed_post(page: Page) -> Post:
    also = f"Also called {', '.join(page.aliases)}. " if page.aliases else ""
    embed = discord.Embed(title=f"{page.title}: not playable here", description=f"{also}{page.known}")
    embed.add_field(name="Why not", value=page.why, inline=False)
    embed.set_footer(text="; ".join(page.sources))
    return Post("", None, rules_menus(page.slug), embed=embed)


def rules_post(game: Game) -> Post:
    """Return a game's rules: set-up, way, dice, hitting, bearing, ending, options, and where they come from."""
    embed = discord.Embed(title=f"{game.title}: the rules", description=_description(game))
    for name, text in _fields(game):
        embed.add_field(name=name, value=text[:MOST_IN_FIELD], inline=False)
    embed.set_footer(text=f"{game.provenance.label.value.capitalize()}. {'; '.join(game.provenance.sources)}"[:2048])
    return Post("", _set_up(game), rules_menus(game.slug), embed=embed)


def _description(game: Game) -> str:
    also = f"Also called {', '.join(game.aliases)}. " if game.aliases else ""
    return f"{game.tagline}\n{also}{game.provenance.history}"


def _fields(game: Game) -> Iterator[tuple[str, str]]:
    rules = game.rules
    yield "Set-up", _start(rules)
    yield "Who begins", _beginning(rules)
    yield "Dice", _dice(game)
    yield "Moving", _moving(rules)
    yield "Hitting", _hitting(rules)
    if banned := _single(rules):
        yield "No doubling", banned
    yield "The end", _ending(rules)
    if game.special:
        yield "What is special", "\n".join(f"• {line}" for line in game.special)
    for option in game.options:
        yield f"Option `{option.name}`", _option(option)
    if game.provenance.decisions:
        yield "What we decided", "\n".join(f"• {line}" for line in game.provenance.decisions)


def _start(rules: Rules) -> str:
    sides = (f"{side}: {_men_in_words(rules.start.men(side), rules.board)}" for side in Side)
    return f"{rules.men} men a side. {'; '.join(sides)}."


def _men_in_words(men: bytes, board: Board) -> str:
    return "all in hand" if men[board.hand] == sum(men) else format_men(men, board)


def _beginning(rules: Rules) -> str:
    battle = rules.battle
    count = battle.dice or rules.dice.count
    thrown = "one die" if count == 1 else f"{count} dice"
    winner = f"Each side throws {thrown}; the {'lower' if battle.lower else 'higher'} {BEGINS[battle.sides]}"
    begins = f"{battle.begins} begins" if battle.begins else "" if battle.sides is Sides.KEPT else "begins"
    throw = "playing these numbers" if battle.played else "with a fresh throw"
    return f"{winner}{' and ' if begins else ''}{begins}, {throw}. Equal throws are thrown again."


def _dice(game: Game) -> str:
    by_default = [
        option.default.meaning for option in game.options if any("dice" in path for path in option.default.changes)
    ]
    return " ".join(dict.fromkeys((_thrown(game.rules_with({}).dice), *by_default, MUST_USE)))


def _thrown(dice: Dice) -> str:
    fixed = "".join(f", and a {number} is always added" for number in dice.fixed)
    return f"{dice.count} dice{fixed}; each number is a move of its own, and one man may make several."


def _moving(rules: Rules) -> str:
    entry = "; ".join(f"{side} on {_run(rules.entry(side), rules.board)}" for side in Side)
    if not rules.moving:
        return f"Men enter, number n on the n-th point ({entry}), and do not move."
    ways = "; ".join(f"{side} travels {_ways(rules.way(side).course)}" for side in Side)
    entering = f" Men enter by number n on the n-th point: {entry}." if rules.closed > 1 else ""
    return f"{ways}.{entering}{PLACES[rules.placing]}"


def _ways(course: str) -> str:
    return ", then ".join(part.replace("..", " to ") for part in course.split(","))


def _run(points: tuple[int, ...], board: Board) -> str:
    return f"{board.names[points[0]]} to {board.names[points[-1]]}"


def _hitting(rules: Rules) -> str:
    limit = f" A point holds at most {rules.limit} men." if rules.limit else ""
    if rules.closed == 1:
        return f"Nothing is hit: a single man closes a point to the other side.{limit}"
    apart = set(rules.course(Side.GOLD)).isdisjoint(rules.course(Side.BLACK))
    if apart:
        return f"Nothing is hit, since the sides never meet.{limit}"
    return (
        "Two opposing men close a point. A single man is hit by landing on him; he waits on the bar and "
        f"{BOUND[rules.reentry]}.{limit}"
    )


def _single(rules: Rules) -> str:
    banned = (f"{side} on {_ways(rules.way(side).single)}" for side in Side if rules.way(side).single)
    listed = "; ".join(banned)
    return f"No second man of a side may stand on these points: {listed}." if listed else ""


def _ending(rules: Rules) -> str:
    if rules.ending is Ending.FULL:
        return "When every point holds two men, the side with more points has won; equal is a tie."
    home = "; ".join(f"{side} in {_run(rules.home(side), rules.board)}" for side in Side)
    if rules.bearing is Bearing.NONE:
        return f"The first side with all its men in its last table has won ({home}). Nothing is borne off."
    return (
        f"The first side to bear off all its men has won. Men are borne off when all stand in the last table ({home}), "
        f"{BORNE[rules.bearing]}."
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
        ways=True,
    )
