"""Hints: /match hint, the button that asks for one, and the one by which hints are allowed."""

from bot.features.hints import service as hints
from bot.features.hints.cards import allow_hints_card, hint_card, hint_waiting_card
from bot.features.hints.controls import HINT, SHOW
from bot.features.hints.service import HintRequest
from bot.features.matches.match_choice import match_command
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import text_only_card
from bot.platform.ui.channels import ServerChannel
from bot.platform.ui.declarations import press
from bot.platform.ui.groups import match_group


@match_command(group=match_group)
async def hint(answer: InteractionAnswer, match: int) -> None:
    """See your best play and its equity."""
    await _give_hint(answer, match)


async def _give_hint(answer: InteractionAnswer, match: int) -> None:
    """Show somebody the best they can do, or ask the others whether they allow hints."""
    found = await hints.request_hint(answer.app, match, answer.asker)
    if isinstance(found, HintRequest):
        await _ask_others(answer, found)
    else:
        await answer.send(hint_card(answer.reader, found))


async def _ask_others(answer: InteractionAnswer, wanted: HintRequest) -> None:
    """Ask in the match's channel, once for each who wants hints."""
    row, person = wanted.session.row, answer.person.id
    if wanted.first:
        channel = ServerChannel(answer.client, row.guild, row.channel)
        card = allow_hints_card(channel.reader, wanted, person)
        await channel.post(card, f"hints in match {row.id} for {person}")
        # Only now: a person who was shown a failure must find that nothing has changed.
        await hints.record_consent(answer.app, wanted.session, person)
    await answer.send(hint_waiting_card(answer.reader, wanted))


@press(HINT, direct=True, edits_public=True)
async def ask_or_allow_hint(answer: InteractionAnswer, match: int, what: str) -> None:
    """Ask for a hint, or allow them: `ask` or `allow`."""
    if what == "ask":
        await _give_hint(answer, match)
        return
    wanted = await hints.allow_hints(answer.app, match, answer.guild, answer.person.id)
    if wanted.missing:
        await answer.send(hint_waiting_card(answer.reader, wanted))
    else:
        say = answer.public_reader
        told = say(
            "Hints are now allowed in match {match}. Use `/match hint`.", match=wanted.session.id
        )
        await answer.edit_message(text_only_card(told))


@press(SHOW, direct=True)
async def show_advice(answer: InteractionAnswer, match: int, version: int, number: int) -> None:
    """Look at another of the best plays."""
    found = await hints.show_prospect(answer.app, match, version, answer.asker, number)
    await answer.edit_message(hint_card(answer.reader, found))
