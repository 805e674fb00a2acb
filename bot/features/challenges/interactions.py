"""Matches that people ask for by interactions, and refusals that lead to open challenges."""

from bot.features.challenges.controls import withdrawal_menu
from bot.features.challenges.service import load_open_challenges
from bot.features.challenges.terms import MatchRequest
from bot.platform.errors import DeclineReason
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import Item
from bot.platform.ui.dispatch import helps_refused

WITHDRAWABLE_REASONS = (DeclineReason.TOO_MANY_CHALLENGES, DeclineReason.REMATCH_OFFERED)
"""What is refused because of challenges that the person can withdraw."""


def make_match_request(answer: InteractionAnswer, word: str = "") -> MatchRequest:
    """Return who asks for a match, and where."""
    interaction = answer.interaction
    parent = getattr(interaction.channel, "parent_id", None)
    cause = str(interaction.id)
    return MatchRequest(answer.guild, answer.channel, answer.person, cause, word, parent)


@helps_refused(*WITHDRAWABLE_REASONS)
async def build_withdrawal_menu(answer: InteractionAnswer) -> tuple[Item, ...]:
    """Return the menu that withdraws the challenges which are in the way."""
    person = answer.person.id
    found = await load_open_challenges(answer.app, person)
    return withdrawal_menu(answer.reader, found, person)
