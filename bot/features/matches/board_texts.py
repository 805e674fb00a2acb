"""The words of pictures, of alternative texts and of boards in plain lines, for one reader."""

from functools import lru_cache

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
        pips=lambda count: say.plural("{n} pip", "{n} pips", count),
        in_hand=lambda count: say.plural("{n} in hand", "{n} in hand", count),
        off=lambda count: say.plural("{n} off", "{n} off", count),
        luck=lambda points: say("luck {points}", points=format_points(say, points)),
        borne_off=lambda count: say.plural("{n} borne off", "{n} borne off", count),
        on_bar=lambda count: say.plural("{n} on the bar", "{n} on the bar", count),
        on_bar_for=lambda count, table: say.plural(
            "{n} on the bar for {table}", "{n} on the bar for {table}", count, table=table
        ),
        on_point=lambda count, point: say.plural(
            "{n} on {point}", "{n} on {point}", count, point=point
        ),
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
