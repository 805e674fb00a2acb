"""The words that pictures, alternative texts and boards in plain lines are made of.

Here they are in English; who speaks to people in another language makes a `Words` of its own and
puts it into the scene. A text has named places to fill; what depends on a number is a function of
it, for languages count in many ways.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from engine.position import Side

CountFormat: TypeAlias = Callable[[int], str]
"""From a number to the words for so many."""


def _format_pips(count: int) -> str:
    return "1 pip" if count == 1 else f"{count} pips"


def _format_in_hand(count: int) -> str:
    return f"{count} in hand"


def _format_off(count: int) -> str:
    return f"{count} off"


def _format_borne_off(count: int) -> str:
    return f"{count} borne off"


def _format_on_bar(count: int) -> str:
    return f"{count} on the bar"


def _format_on_bar_for(count: int, table: str) -> str:
    return f"{count} on the bar for {table}"


def _format_on_point(count: int, point: str) -> str:
    return f"{count} on {point}"


def _format_luck(points: float) -> str:
    return f"luck {points:+.2f}"


@dataclass(frozen=True, slots=True)
class Words:
    """What is said of a board in one language.

    `pips`, `in_hand`, `off`, `luck` (in points of equity), `bar` and `home` stand in the picture
    and should be short. `gold`, `black` and their letters name the sides; `lists` parts what is
    enumerated, and `sentence` ends what came without a full stop.
    """

    gold: str = "Gold"
    black: str = "Black"
    gold_letter: str = "G"
    black_letter: str = "B"

    bar: str = "bar"
    home: str = "home"

    pips: CountFormat = _format_pips
    in_hand: CountFormat = _format_in_hand
    off: CountFormat = _format_off
    luck: Callable[[float], str] = _format_luck

    borne_off: CountFormat = _format_borne_off
    on_bar: CountFormat = _format_on_bar
    on_bar_for: Callable[[int, str], str] = _format_on_bar_for
    on_point: Callable[[int, str], str] = _format_on_point

    lists: str = ", "
    sentence: str = "{words}."
    standing: str = "{side} ({name}): {men}."
    dice_left: str = "To play: {numbers}."
    dice_used: str = "Used: {numbers}."
    last: str = "Last play: {moves}."
    arrows: str = "Arrows {number}: {moves}."
    move: str = "{source} to {target}"
    hit: str = "{source} to {target} (hit)"
    span: str = "{first} to {last}"
    way: str = "{side} moves from {way}; home is {home}."
    lucky: str = "{name}: {luck}."
    head: str = "{side}: {name}"
    beside: str = "{side}: {men}"

    def side_name(self, side: Side) -> str:
        """Return the name of a side."""
        return self.gold if side is Side.GOLD else self.black

    def side_letter(self, side: Side) -> str:
        """Return the letter for a side's men in plain lines."""
        return self.gold_letter if side is Side.GOLD else self.black_letter


ENGLISH = Words()
