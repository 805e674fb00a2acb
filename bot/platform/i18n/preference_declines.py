"""Why something can't be chosen for oneself or for a server."""

from collections.abc import Callable, Mapping
from typing import Any

from bot.platform.errors import DeclineReason
from bot.platform.i18n.common import format_code
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.reason_parts import clip_typed, join_alternatives


def _explain_unknown_zone(say: Reader, parts: Mapping[str, Any]) -> str:
    zone, near = format_code(clip_typed(str(parts["typed"]))), parts["near"]
    if near:
        return say(
            "{zone} isn't a time zone. Did you mean {near}?",
            zone=zone,
            near=join_alternatives(say, map(format_code, near)),
        )
    return say(
        "{zone} isn't a time zone. Type a city, such as `Berlin`, or an offset from UTC, such as "
        "`+2`.",
        zone=zone,
    )


PREFERENCE_DECLINE_TEXTS: Mapping[DeclineReason, Callable[[Reader, Mapping[str, Any]], str]] = {
    DeclineReason.NO_LANGUAGE: lambda say, parts: say(
        "I don't speak {language}. I speak {known}.",
        language=format_code(clip_typed(str(parts["typed"]))),
        known=say.format_list(parts["known"]),
    ),
    DeclineReason.NO_ZONE: _explain_unknown_zone,
    DeclineReason.QUIET_FORM: lambda say, _: say(
        "Type quiet hours as `22-7` or `22:30-7:15 Europe/Berlin`, or type `none` to turn them off."
    ),
}
