"""Why something is refused: the rule, one sentence, and what would be legal instead."""

from collections.abc import Mapping
from difflib import get_close_matches
from enum import StrEnum


class Rule(StrEnum):
    """The rule that a refusal rests on; the value is what a log or a counter shows."""

    UNREADABLE = "unreadable"  # the text means nothing
    AMBIGUOUS = "ambiguous"  # the text means two different things
    NO_MAN = "no-man"  # nothing stands where the move begins
    NO_NUMBER = "no-number"  # the dice do not show that number any more
    BLOCKED = "blocked"  # two opposing men hold the point [S1: "secured"]
    SINGLE = "single"  # no second man on the own side [S1, Ludus Anglicorum]
    FULL = "full"  # the point holds all the men it may [S1, Twelve Dogs]
    BAR_FIRST = "bar-first"  # hit men enter before anything else moves [S1]
    PLACING = "placing"  # men that have never been entered come first [LJ, baldrac; Bell, tabula]
    RETURN = "return"  # a hit man would go to a point that is not free for him [R, faylis]
    NO_MOVING = "no-moving"  # a game, or a table, in which men do not move [S1]
    OFF_COURSE = "off-course"  # the number leads past the end of the course
    BEARING = "bearing"  # not every man is in the bearing table, or a man stands farther back [S1]
    MUST_USE = "must-use"  # as many numbers as can be, the higher first [S0]
    PHASE = "phase"  # not the time for this
    TAKE_BACK = "take-back"  # nothing may be taken back any more [S0, S1]
    OPTION = "option"  # no such game, option or value
    POSITION = "position"  # the text is no position of this game


class Refusal(ValueError):
    """A refused wish: nothing has changed.

    `rule` names the rule, `sentence` says what is wrong, `legal` lists what would be legal in the words a
    player types (empty where nothing would be).
    """

    def __init__(self, rule: Rule, sentence: str, legal: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.rule = rule
        self.sentence = sentence
        self.legal = legal


def unknown(complaint: str, typed: str, known: Mapping[str, str], otherwise: str) -> Refusal:
    """Return the refusal of a name that nothing here has: with the nearest ones, or `otherwise` where none is near.

    `known` gives for every spelling the name to offer.
    """
    offered = {spelling.casefold(): name for spelling, name in known.items()}
    near = tuple(dict.fromkeys(offered[spelling] for spelling in get_close_matches(typed.casefold(), offered)))
    hint = f"did you mean {' or '.join(near)}?" if near else otherwise
    return Refusal(Rule.OPTION, f"{complaint}; {hint}", near)
