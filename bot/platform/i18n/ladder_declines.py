"""Why something is not done on a ladder, and why somebody cannot be challenged there."""

from collections.abc import Callable, Mapping
from typing import Any

from bot.platform.errors import DeclineReason
from bot.platform.i18n.common import escape_text
from bot.platform.i18n.reader import Reader


def _name(parts: Mapping[str, Any]) -> str:
    return escape_text(parts["ladder"])


LADDER_DECLINE_TEXTS: Mapping[DeclineReason, Callable[[Reader, Mapping[str, Any]], str]] = {
    DeclineReason.LADDER_ABSENT: lambda say, parts: say(
        "{person} isn't on this ladder; they can join it with `/ladder join`.",
        person=parts["person"],
    ),
    DeclineReason.LADDER_AWAY: lambda say, parts: say(
        "{person} is on vacation until <t:{until}:f>.",
        person=parts["person"],
        until=parts["until"] // 1000,
    ),
    DeclineReason.LADDER_BARRED: lambda say, parts: say(
        "{person} can't be challenged by you.", person=parts["person"]
    ),
    DeclineReason.LADDER_BELOW: lambda say, parts: say(
        "{person} is below you; one only challenges players above.", person=parts["person"]
    ),
    DeclineReason.LADDER_CHALLENGED: lambda say, parts: say(
        "{person} has already been challenged on this ladder, and that isn't over yet.",
        person=parts["person"],
    ),
    DeclineReason.LADDER_CHALLENGING: lambda say, _: say(
        "You've already challenged somebody on this ladder, and that isn't over yet."
    ),
    DeclineReason.LADDER_CLOSED: lambda say, parts: say(
        "{ladder} is closed, so it can't be changed any more.", ladder=_name(parts)
    ),
    DeclineReason.LADDER_FULL: lambda say, parts: say(
        "All {most} rungs of this ladder are taken. If somebody leaves, you can join.",
        most=parts["most"],
    ),
    DeclineReason.LADDER_JOINED: lambda say, parts: say(
        "You're already on {ladder}.", ladder=_name(parts)
    ),
    DeclineReason.LADDER_LEFT: lambda say, parts: say(
        "{person} has left this ladder.", person=parts["person"]
    ),
    DeclineReason.LADDER_MOVED_ON: lambda say, _: say(
        "The ladder has changed in the meantime, so nothing was done. See how it stands with "
        "`/ladder standings`."
    ),
    DeclineReason.LADDER_PLAYING: lambda say, parts: say(
        "You and {person} already have a challenge or a match on this ladder.",
        person=parts["person"],
    ),
    DeclineReason.LADDER_RECENT: lambda say, parts: say(
        "You and {person} have met within the last {days} days. You can meet again from "
        "<t:{until}:f> on.",
        person=parts["person"],
        days=parts["days"],
        until=parts["until"] // 1000,
    ),
    DeclineReason.LADDER_SELF: lambda say, _: say("You can't challenge yourself."),
    DeclineReason.LADDER_TOO_FAR: lambda say, parts: say(
        "{person} is too far above you; you can challenge up to {reach} rungs above your own.",
        person=parts["person"],
        reach=parts["reach"],
    ),
    DeclineReason.LADDER_UNKNOWN: lambda say, _: say(
        "I don't know that ladder. The option `ladder` lists those of this server."
    ),
    DeclineReason.LEAGUE_AND_LADDER: lambda say, _: say(
        "A match is played in a league or on a ladder, not both. Leave out `league` or `ladder`."
    ),
    DeclineReason.NO_LADDER: lambda say, _: say(
        "There's no ladder in this server now. Its organisers can open one with `/ladder create`."
    ),
    DeclineReason.NO_LADDER_NAME: lambda say, _: say(
        "The ladder needs a name with letters or digits, such as `Club ladder`."
    ),
    DeclineReason.NO_TEAM_LADDERS: lambda say, _: say(
        "Ladders are for games of one player a side. Choose another game, or other house rules."
    ),
    DeclineReason.NOT_ON_LADDER: lambda say, parts: say(
        "You aren't on {ladder}. You can join it with `/ladder join`.", ladder=_name(parts)
    ),
    DeclineReason.SAY_WHICH_LADDER: lambda say, _: say(
        "There are several ladders here. Say which you mean with the option `ladder`."
    ),
    DeclineReason.TOO_MANY_LADDERS: lambda say, parts: say(
        "This server already has {most} open ladders, the most allowed. One has to be closed "
        "first.",
        most=parts["most"],
    ),
}
