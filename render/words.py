"""The words that pictures, alternative texts and boards in plain lines are made of.

Here they are in English; who speaks to people in another language makes a `Words` of its own and
puts it into the scene. A text has named places to fill; what depends on a number is a function of
it, for languages count in many ways.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias

from engine.board import GameBoard
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
class Joints:
    """How texts are put together in one language: templates, and what stands between clauses."""

    row: str = "{before}, {next}"
    clauses: str = "; "
    span: str = "{first} – {last}"
    ranked: str = "{rank} {name}"
    counted: str = "{name} {n}"
    labelled: str = "{label}: {text}"
    sentence: str = "{words}."
    sentences: str = "{text} {sentence}"

    def join_row(self, things: Iterable[str]) -> str:
        """Write things in a row; empty ones are left out."""
        return self._join(lambda row, next_: self.row.format(before=row, next=next_), things)

    def join_sentences(self, sentences: Iterable[str]) -> str:
        """Write sentences one after another; empty ones are left out."""
        return self._join(
            lambda text, sentence: self.sentences.format(text=text, sentence=sentence), sentences
        )

    def join_clauses(self, clauses: Iterable[str]) -> str:
        """Write clauses one after another in a sentence."""
        return self.clauses.join(clauses)

    def label(self, label: str, text: str) -> str:
        """Write a text after what it belongs to; one of them alone where the other is empty."""
        return self.labelled.format(label=label, text=text) if label and text else label or text

    def end(self, words: str) -> str:
        """Write the full stop after a sentence that has none."""
        return self.sentence.format(words=words.removesuffix("."))

    @staticmethod
    def _join(join: Callable[[str, str], str], texts: Iterable[str]) -> str:
        told = [text for text in texts if text]
        return reduce(join, told) if told else ""


@dataclass(frozen=True, slots=True)
class Words:
    """What is said of a board in one language.

    `pips`, `in_hand`, `off`, `luck` (in points of equity), `bar` and `home` stand in the picture
    and should be short. `gold`, `black` and their letters name the sides, which have another form
    in a sentence, as the bar has, and `joints` put the sentences together.
    """

    gold: str = "Gold"
    black: str = "Black"
    gold_in_text: str = "gold"
    black_in_text: str = "black"
    gold_letter: str = "G"
    black_letter: str = "B"

    bar: str = "bar"
    bar_in_text: str = "bar"
    home: str = "home"
    bar_for: str = "bar for {table}"
    hand: str = "hand"
    outside: str = "off"

    pips: CountFormat = _format_pips
    in_hand: CountFormat = _format_in_hand
    off: CountFormat = _format_off
    luck: Callable[[float], str] = _format_luck

    borne_off: CountFormat = _format_borne_off
    on_bar: CountFormat = _format_on_bar
    on_bar_for: Callable[[int, str], str] = _format_on_bar_for
    on_point: Callable[[int, str], str] = _format_on_point

    joints: Joints = Joints()
    standing: str = "{side} ({name}): {men}."
    dice_left: str = "To play: {numbers}."
    dice_used: str = "Used: {numbers}."
    last: str = "Last play: {moves}."
    arrows: str = "Arrows {number}: {moves}."
    move: str = "{source} to {target}"
    hit: str = "{source} to {target} (hit)"
    span: str = "{first} to {last}"
    way: str = "{side} moves {way}; home is {home}."
    stretch: str = "from {first} to {last}"
    lucky: str = "{name}: {luck}."
    head: str = "{side}: {name}"
    beside: str = "{side}: {men}"

    def place_name(self, board: GameBoard, place: int) -> str:
        """Return the name of a place that a man moves from or to; a point's is a letter."""
        if place == board.off:
            return self.outside
        if place == board.hand:
            return self.hand
        name = board.place_names[place]
        if place not in board.bars:
            return name
        # A lone bar is called `bar`; one of several is called `bar-af` or so.
        _, _, table = name.partition("-")
        return self.bar_for.format(table=table) if table else self.bar_in_text

    def side_name(self, side: Side) -> str:
        """Return the name of a side."""
        return self.gold if side is Side.GOLD else self.black

    def side_in_text(self, side: Side) -> str:
        """Return the name of a side where it stands in a sentence."""
        return self.gold_in_text if side is Side.GOLD else self.black_in_text

    def side_letter(self, side: Side) -> str:
        """Return the letter for a side's men in plain lines."""
        return self.gold_letter if side is Side.GOLD else self.black_letter


ENGLISH = Words()
