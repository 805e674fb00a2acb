"""Why a throw, or a position of backgammon as other programs write it, is refused, as clauses."""

from collections.abc import Callable, Mapping

from bot.platform.i18n.common import format_code
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.reason_parts import Parts
from engine.refusal import Reason

EXAMPLE_THROW = "6-5-2"
"""A throw of as many dice as any game has."""


def _explain_throw(say: Reader, parts: Parts) -> str:
    count = parts["count"]
    example = format_code(EXAMPLE_THROW[: 2 * count - 1])
    return say.plural(
        "a throw in this game is {n} number from 1 to 6, such as {example}, not {typed}",
        "a throw in this game is {n} numbers from 1 to 6, such as {example}, not {typed}",
        count,
        example=example,
        typed=format_code(parts["typed"]),
    )


POSITION_ID_TEXTS: Mapping[Reason, Callable[[Reader, Parts], str]] = {
    Reason.THROW: _explain_throw,
    Reason.XGID_FIELDS: lambda say, parts: say.plural(
        "an XGID has ten fields with colons between them, but this one has {n}",
        "an XGID has ten fields with colons between them, but this one has {n}",
        parts["count"],
    ),
    Reason.XGID_LENGTH: lambda say, parts: say.plural(
        "the first field of an XGID has 26 characters, but this one has {n}",
        "the first field of an XGID has 26 characters, but this one has {n}",
        parts["count"],
    ),
    Reason.XGID_MAN: lambda say, parts: say(
        "the first field of an XGID has hyphens and the letters A to O and a to o, not {typed}",
        typed=format_code(parts["typed"]),
    ),
    Reason.XGID_BAR: lambda say, parts: say(
        "an XGID begins with the bar of the player in lower case and ends with the bar of the one "
        "in upper case, so {typed} can't be there",
        typed=format_code(parts["typed"]),
    ),
    Reason.XGID_TURN: lambda say, parts: say(
        "the fourth field of an XGID is the turn, `1` or `-1`, not {typed}",
        typed=format_code(parts["typed"]),
    ),
    Reason.XGID_DICE: lambda say, parts: say(
        "the fifth field of an XGID is the throw, such as `31`, or `00` before it, not {typed}",
        typed=format_code(parts["typed"]),
    ),
    Reason.CUBE: lambda say, _: say(
        "this position waits for the answer to a double, but there's no doubling cube here; copy "
        "it before the double"
    ),
    Reason.POSITION_ID_LENGTH: lambda say, parts: say.plural(
        "a position ID of GNU Backgammon has 14 characters, but this one has {n}",
        "a position ID of GNU Backgammon has 14 characters, but this one has {n}",
        parts["count"],
    ),
    Reason.POSITION_ID_BITS: lambda say, _: say(
        "this is no position ID of GNU Backgammon; a character is wrong, so copy it once more"
    ),
    Reason.MATCH_ID_LENGTH: lambda say, parts: say.plural(
        "a match ID of GNU Backgammon has 12 characters, but this one has {n}",
        "a match ID of GNU Backgammon has 12 characters, but this one has {n}",
        parts["count"],
    ),
    Reason.MATCH_ID_DICE: lambda say, _: say(
        "the dice of this match ID show no numbers from 1 to 6; a character is wrong, so copy it "
        "once more"
    ),
    Reason.ID_CHARACTER: lambda say, parts: say(
        "the IDs of GNU Backgammon have letters, digits, + and /, but not {typed}",
        typed=format_code(parts["typed"]),
    ),
}
