"""What is said of the notes that people make to themselves."""

from bot.platform.i18n.common import escape_text
from bot.platform.i18n.reader import Reader


def format_note(say: Reader, text: str) -> str:
    """Tell the reader what they noted about a match; nothing where they noted nothing."""
    return say("Your note: {text}", text=escape_text(text)) if text else ""


def format_note_change(say: Reader, match: int, text: str, before: str) -> str:
    """Tell the reader that a note is kept or removed, and which it was."""
    if text:
        return say(
            "Note on match {match} saved (only you can see it): {text}",
            match=match,
            text=escape_text(text),
        )
    if before:
        return say("Note on match {match} deleted: {text}", match=match, text=escape_text(before))
    return say("You had no note on match {match}.", match=match)
