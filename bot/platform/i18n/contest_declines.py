"""Why something is not done in a league."""

from collections.abc import Callable, Mapping
from typing import Any

from bot.platform.errors import DeclineReason
from bot.platform.i18n.common import escape_text
from bot.platform.i18n.reader import Reader


def _name(parts: Mapping[str, Any]) -> str:
    return escape_text(parts["contest"])


CONTEST_DECLINE_TEXTS: Mapping[DeclineReason, Callable[[Reader, Mapping[str, Any]], str]] = {
    DeclineReason.CONTEST_FULL: lambda say, parts: say(
        "All {most} places in this league are taken. If somebody withdraws, you can join.", **parts
    ),
    DeclineReason.CONTEST_JOINED: lambda say, parts: say(
        "You've already joined {league}.", league=_name(parts)
    ),
    DeclineReason.CONTEST_LEFT: lambda say, parts: say(
        "You've left {league}, so you can't join it again. You can join its next season.",
        league=_name(parts),
    ),
    DeclineReason.CONTEST_MOVED_ON: lambda say, _: say(
        "The league has changed in the meantime, so nothing was done. See how it stands with "
        "`/league standings`."
    ),
    DeclineReason.CONTEST_NOT_OPEN: lambda say, parts: say(
        "Sign-up for {league} is closed. You can join its next season.", league=_name(parts)
    ),
    DeclineReason.CONTEST_OVER: lambda say, parts: say(
        "{league} is over, so it can't be changed any more.", league=_name(parts)
    ),
    DeclineReason.CONTEST_UNKNOWN: lambda say, _: say(
        "I don't know that league. The option `league` lists those of this server."
    ),
    DeclineReason.NO_CONTEST: lambda say, _: say(
        "There's no league in this server now. Its organisers can open one with `/league create`."
    ),
    DeclineReason.NO_CONTEST_NAME: lambda say, _: say(
        "The league needs a name with letters or digits, such as `Autumn league`."
    ),
    DeclineReason.NO_TEAM_CONTESTS: lambda say, _: say(
        "Leagues are for games of one player a side. Choose another game, or other house rules."
    ),
    DeclineReason.NOT_AN_ENTRANT: lambda say, parts: say(
        "You don't take part in {league}.", league=_name(parts)
    ),
    DeclineReason.NOT_AN_ORGANISER: lambda say, _: say(
        "Only people with the permission Manage Events or Manage Server can do that."
    ),
    DeclineReason.SAY_WHICH_CONTEST: lambda say, _: say(
        "There are several leagues here. Say which you mean with the option `league`."
    ),
    DeclineReason.TOO_FEW_ENTRANTS: lambda say, parts: say.plural(
        "A league needs {least} players to start, and {n} has joined.",
        "A league needs {least} players to start, and {n} have joined.",
        parts["n"],
        least=parts["least"],
    ),
    DeclineReason.TOO_MANY_CONTESTS: lambda say, parts: say(
        "This server already has {most} leagues that are open or being played, the most allowed. "
        "One has to end first.",
        **parts,
    ),
}
