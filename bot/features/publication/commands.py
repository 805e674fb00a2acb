"""The question in /data whether somebody's finished matches may be published."""

from collections.abc import Sequence

from discord import ButtonStyle

from bot.features.privacy.commands import DATA_QUESTIONS, DATA_ROWS
from bot.features.publication.service import find_consent, save_consent
from bot.features.publication.texts import (
    format_agreed,
    format_choice,
    format_question,
    format_refused,
)
from bot.platform.i18n.reader import Reader, UnknownControlError
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import Card, PanelRow, text_only_card
from bot.platform.ui.controls import build_button
from bot.platform.ui.declarations import press

PUBLICATION = "publication"
"""Answer whether one's matches may be published, or be asked that again."""
ASK, AGREE, REFUSE = "ask", "yes", "no"


@DATA_ROWS.add()
async def load_rows(answer: InteractionAnswer) -> Sequence[PanelRow]:
    """Return what somebody has answered, to be changed; who hasn't is asked by itself."""
    say, consent = answer.reader, await find_consent(answer.app, answer.person.id)
    if consent is None:
        return []
    text = format_choice(say, consent.at if consent.holds else None)
    # Translators: button: opens the question whether one's matches may be published (verb).
    return [PanelRow(text, build_button(say("Choose…"), f"{PUBLICATION}:{ASK}"))]


@DATA_QUESTIONS.add()
async def ask_once(answer: InteractionAnswer) -> Card | None:
    """Return the question for those who haven't answered it."""
    consent = await find_consent(answer.app, answer.person.id)
    return question_card(answer.reader) if consent is None else None


def question_card(say: Reader) -> Card:
    """Return the question whether somebody's matches may be published."""
    # Alike, since neither answer is better.
    agree = build_button(say("I agree"), f"{PUBLICATION}:{AGREE}", ButtonStyle.secondary)
    refuse = build_button(say("I don't agree"), f"{PUBLICATION}:{REFUSE}", ButtonStyle.secondary)
    return Card(texts=format_question(say), controls=(agree, refuse))


@press(PUBLICATION, everywhere=True)
async def choose(answer: InteractionAnswer, act: str) -> None:
    """Keep what somebody answers, or ask them again."""
    say = answer.reader
    if act == ASK:
        await answer.send(question_card(say))
    elif act in (AGREE, REFUSE):
        await save_consent(answer.app, answer.person, agrees=act == AGREE)
        text = format_agreed(say) if act == AGREE else format_refused(say)
        await answer.edit_message(text_only_card(text))
    else:
        raise UnknownControlError
