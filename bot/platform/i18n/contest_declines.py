"""Why something is not done in a league or a tournament."""

from collections.abc import Callable, Mapping
from typing import Any

from bot.platform.errors import DeclineReason
from bot.platform.i18n.common import escape_text
from bot.platform.i18n.reader import Reader


def _name(parts: Mapping[str, Any]) -> str:
    return escape_text(parts["contest"])


def _miss_contest(say: Reader, parts: Mapping[str, Any]) -> str:
    if parts["league"]:
        return say(
            "There's no league in this server now. Its organisers can open one with "
            "`/league create`."
        )
    return say(
        "There's no tournament in this server now. Its organisers can open one with "
        "`/tournament create`."
    )


def _ask_which_contest(say: Reader, parts: Mapping[str, Any]) -> str:
    if parts["league"]:
        return say("There are several leagues here. Say which you mean with the option `league`.")
    return say(
        "There are several tournaments here. Say which you mean with the option `tournament`."
    )


CONTEST_DECLINE_TEXTS: Mapping[DeclineReason, Callable[[Reader, Mapping[str, Any]], str]] = {
    DeclineReason.CONTEST_FULL: lambda say, parts: say(
        "All {most} places are taken. If somebody withdraws, you can join.", **parts
    ),
    DeclineReason.CONTEST_GAMES: lambda say, parts: say(
        "There can be {most} games at most. Name fewer.", **parts
    ),
    DeclineReason.CONTEST_HOUSE_RULES: lambda say, _: say(
        "House rules can be chosen for one game only. Leave out either them or the other games."
    ),
    DeclineReason.CONTEST_JOINED: lambda say, parts: say(
        "You've already joined {contest}.", contest=_name(parts)
    ),
    DeclineReason.CONTEST_LEFT: lambda say, parts: say(
        "You've left {contest}, so you can't join it again. You can join the next one.",
        contest=_name(parts),
    ),
    DeclineReason.CONTEST_MOVED_ON: lambda say, _: say(
        "It has changed in the meantime, so nothing was done. Look at it again before you repeat "
        "that."
    ),
    DeclineReason.CONTEST_NOT_OPEN: lambda say, parts: say(
        "Sign-up for {contest} is closed. You can join the next one.", contest=_name(parts)
    ),
    DeclineReason.CONTEST_STARTING: lambda say, parts: say(
        "The matches of {contest} are being prepared. Please try again in a minute.",
        contest=_name(parts),
    ),
    DeclineReason.CONTEST_OVER: lambda say, parts: say(
        "{contest} is over, so it can't be changed any more.", contest=_name(parts)
    ),
    DeclineReason.CONTEST_REPLACEMENT: lambda say, _: say(
        "Nobody can be replaced before the start, or in a knock-out. Remove them instead."
    ),
    DeclineReason.CONTEST_UNKNOWN: lambda say, _: say(
        "I don't know that league or tournament. Choose one of those that the command offers."
    ),
    DeclineReason.NO_CONTEST: _miss_contest,
    DeclineReason.NO_CONTEST_NAME: lambda say, _: say(
        "It needs a name with letters or digits, such as `Autumn league`."
    ),
    DeclineReason.NO_ENTRY_ROLE: lambda say, parts: say(
        "Only members with the role {role} can join {contest}.",
        role=f"<@&{parts['role']}>",
        contest=_name(parts),
    ),
    DeclineReason.NO_TEAM_CONTESTS: lambda say, _: say(
        "Leagues and tournaments are for games of one player a side. Choose another game, or other "
        "house rules."
    ),
    DeclineReason.NOT_AN_ENTRANT: lambda say, parts: say(
        "You don't take part in {contest}.", contest=_name(parts)
    ),
    DeclineReason.NOT_AN_ORGANISER: lambda say, _: say(
        "Only people with the permission Manage Events or Manage Server can do that."
    ),
    DeclineReason.SAY_WHICH_CONTEST: _ask_which_contest,
    DeclineReason.TOO_FEW_ENTRANTS: lambda say, parts: say.plural(
        "It needs {least} players to start, and {n} has joined.",
        "It needs {least} players to start, and {n} have joined.",
        parts["n"],
        least=parts["least"],
    ),
    DeclineReason.TOO_MANY_CONTESTS: lambda say, parts: say(
        "This server already has {most} leagues and tournaments that are open or being played, "
        "the most allowed. One has to end first.",
        **parts,
    ),
}
