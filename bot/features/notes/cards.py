"""The note that a card of a match shows to the one who made it."""

from dataclasses import replace

from bot.features.matches.extensions import PRIVATE_LINES
from bot.features.matches.session import MatchSession
from bot.features.notes.service import load_notes
from bot.features.notes.texts import format_note
from bot.platform.i18n.reader import Reader
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import Card


@PRIVATE_LINES.add()
async def load_note_line(answer: InteractionAnswer, session: MatchSession) -> str:
    """Return what somebody who looks at a match has noted about it."""
    notes = await load_notes(answer.app, answer.person.id, [session.id])
    return format_note(answer.reader, notes.get(session.id, ""))


def add_note_to_card(say: Reader, card: Card, note: str) -> Card:
    """Return a card of a match with what the one who sees it, alone, noted about the match."""
    return replace(card, below=(*card.below, format_note(say, note)))
