"""The words of pictures, of alternative texts and of boards in plain lines, for one reader."""

from functools import lru_cache, partial

from bot.platform.i18n.numbers import format_points
from bot.platform.i18n.reader import Reader
from render.words import Words


@lru_cache(maxsize=64)
def translate_board_words(say: Reader) -> Words:
    """Return the words of a board in one reader's language.

    Its templates keep their placeholders.
    """
    return Words(
        # Translators: name of a side, after the colour of its men (noun).
        gold=say("Gold"),
        # Translators: name of a side, after the colour of its men (noun).
        black=say("Black"),
        gold_letter=say.in_context("the letter of a side's men", "G"),
        black_letter=say.in_context("the letter of a side's men", "B"),
        bar=say.in_context("a place, in the picture of a board", "bar"),
        home=say.in_context("a place, in the picture of a board", "home"),
        pips=partial(_format_pips, say),
        in_hand=partial(_format_in_hand, say),
        off=partial(_format_off, say),
        luck=partial(_format_luck, say),
        borne_off=partial(_format_borne_off, say),
        on_bar=partial(_format_on_bar, say),
        on_bar_for=partial(_format_on_bar_for, say),
        on_point=partial(_format_on_point, say),
        lists=say.in_context("between the parts of a list", ", "),
        sentence=say("{words}.", words="{words}"),
        # Translators: a side, its player and where its men are: "Gold (Ana): 2 on a, 5 on f."
        standing=say("{side} ({name}): {men}.", side="{side}", name="{name}", men="{men}"),
        dice_left=say("To play: {numbers}.", numbers="{numbers}"),
        dice_used=say("Used: {numbers}.", numbers="{numbers}"),
        last=say("Last play: {moves}.", moves="{moves}"),
        arrows=say("Arrows {number}: {moves}.", number="{number}", moves="{moves}"),
        move=say("{source} to {target}", source="{source}", target="{target}"),
        hit=say("{source} to {target} (hit)", source="{source}", target="{target}"),
        # Translators: a player, then how lucky the dice were: "Ana: luck +0.42."
        lucky=say("{name}: {luck}.", name="{name}", luck="{luck}"),
        # Translators: a side, then its player: "Gold: Ana".
        head=say("{side}: {name}", side="{side}", name="{name}"),
        # Translators: a side, then its men that are on no point: "Gold: 2 on the bar".
        beside=say("{side}: {men}", side="{side}", men="{men}"),
    )


# Functions of the module, and not lambdas, so that a scene can be sent to another process.
def _format_pips(say: Reader, count: int) -> str:
    return say.plural("{n} pip", "{n} pips", count)


def _format_in_hand(say: Reader, count: int) -> str:
    return say.plural("{n} in hand", "{n} in hand", count)


def _format_off(say: Reader, count: int) -> str:
    return say.plural("{n} off", "{n} off", count)


def _format_luck(say: Reader, points: float) -> str:
    return say("luck {points}", points=format_points(say, points))


def _format_borne_off(say: Reader, count: int) -> str:
    return say.plural("{n} borne off", "{n} borne off", count)


def _format_on_bar(say: Reader, count: int) -> str:
    return say.plural("{n} on the bar", "{n} on the bar", count)


def _format_on_bar_for(say: Reader, count: int, table: str) -> str:
    return say.plural(
        "{n} on the bar for {table}", "{n} on the bar for {table}", count, table=table
    )


def _format_on_point(say: Reader, count: int, point: str) -> str:
    return say.plural("{n} on {point}", "{n} on {point}", count, point=point)
