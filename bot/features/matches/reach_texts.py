"""What is said of a match whose place is gone, and of where it goes on."""

from collections.abc import Sequence

from bot.features.matches.session import MatchSession
from bot.platform.i18n.common import format_title
from bot.platform.i18n.permissions import format_permissions
from bot.platform.i18n.reader import Reader


def explain_hidden_match(
    say: Reader, session: MatchSession, missing: Sequence[str], *, gone: bool = False
) -> str:
    """Say why a match can't be shown, that its clock is stopped, and how to continue elsewhere."""
    parts = {
        "match": session.id,
        "game": format_title(say, session.match.game),
        "channel": f"<#{session.row.channel}>",
    }
    why = say(
        "I can't show match {match} ({game}): Discord doesn't let me post in {channel}.", **parts
    )
    if gone:
        why = say(
            "I can't show match {match} ({game}): its channel or thread is deleted, locked or "
            "hidden from me.",
            **parts,
        )
    elif missing:
        why = say(
            "I can't show match {match} ({game}): I'm missing the permission {permissions} in "
            "{channel}. A moderator can grant it in the channel's settings, under Permissions.",
            permissions=format_permissions(say, missing),
            **parts,
        )
    time = say("Its clock is stopped until I can show it again.")
    return f"{why} {time} {explain_how_to_continue(say, session)}"


def explain_hidden_action(say: Reader, session: MatchSession, missing: Sequence[str]) -> str:
    """Tell somebody who has acted in a match's channel why nothing shows there."""
    return say(
        "Done in match {match}, but I can't show it here: I'm missing the permission {permissions} "
        "in this channel. A moderator can grant it in the channel's settings, under Permissions.",
        match=session.id,
        permissions=format_permissions(say, missing),
    )


def explain_how_to_continue(say: Reader, session: MatchSession) -> str:
    """Tell by which command a match is brought to another channel."""
    return say(
        "To continue elsewhere, type `/match board match:{match} share:True` in another channel of "
        "this server.",
        match=session.id,
    )


def format_continuation(say: Reader, session: MatchSession, channel: int) -> str:
    """Tell where a match goes on."""
    return say("Match {match} continues in {channel}.", match=session.id, channel=f"<#{channel}>")


def explain_lost_thread(say: Reader) -> str:
    """Say why a match goes on in the channel of its thread."""
    return say("I can no longer post in this match's thread, so the match continues here.")
