"""The card on which the house rules of a challenge are chosen before it is posted.

The card itself is the memory.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import discord
from discord import ButtonStyle

from bot.features.challenges.controls import DRAFT, POST_DRAFT, option_menus
from bot.features.challenges.terms import MatchTerms
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, text_only_card
from engine.clock import Pace, parse_pace
from engine.games import find_game
from engine.position import Side
from engine.refusal import Refusal
from engine.rules import Game


@dataclass(frozen=True, slots=True)
class Draft:
    """What a challenge will be, without its house rules.

    That is the game, the opponent, the challenger's side, whether it is rated, the pace and a
    word for the dice.
    """

    game: Game
    opponent: int | None
    side: Side
    rated: bool
    pace: Pace
    word: str

    def with_options(self, options: Mapping[str, str]) -> MatchTerms:
        """Return the draft with those house rules."""
        # Only departures are stored, so a challenge says nothing about rules that are as usual.
        usual = {option.name: option.default_value.name for option in self.game.options}
        chosen = {name: value for name, value in options.items() if usual[name] != value}
        return MatchTerms(self.game, chosen, self.side, self.rated, self.pace)


def draft_card(say: Reader, draft: Draft, chosen: Mapping[str, str]) -> Card:
    """Return the card with a menu for each house rule, as they are chosen by now."""
    heading = say("### {game}: house rules", game=common.format_title(say, draft.game))
    hint = say("Each menu shows the rule in force. Nothing is posted until you press the button.")
    terms = (draft.side.value, str(int(draft.rated)), draft.pace.name)
    # The card is the only place where a draft exists: nothing is stored before it is posted.
    parts = (POST_DRAFT, draft.game.slug, str(draft.opponent or 0), *terms, draft.word)
    send: discord.ui.Button[Any] = discord.ui.Button(
        label=say("Challenge"), style=ButtonStyle.success, custom_id=":".join(parts)
    )
    return Card(texts=(heading, hint), controls=(*option_menus(say, draft.game, chosen), send))


def draft_posted_card(say: Reader) -> Card:
    """Return what the card becomes when the challenge is posted."""
    return text_only_card(say("Your challenge has been posted."))


def parse_draft(message: discord.Message) -> tuple[Draft, dict[str, str]]:
    """Read a draft and the house rules chosen so far from the card that shows them.

    Raises DeclinedError for the card of an earlier version.
    """
    view = discord.ui.LayoutView.from_message(message)
    menus = [item for item in view.walk_children() if isinstance(item, discord.ui.Select)]
    chosen = {
        menu.custom_id.removeprefix(f"{DRAFT}:"): option.value
        for menu in menus
        for option in menu.options
        if option.default
    }
    buttons = [item for item in view.walk_children() if isinstance(item, discord.ui.Button)]
    send = next(
        (button.custom_id for button in buttons if (button.custom_id or "").startswith(POST_DRAFT)),
        None,
    )
    if send is None:
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    try:
        return _parse_post_button(send), chosen
    except (ValueError, Refusal):
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL) from None


def _parse_post_button(send: str) -> Draft:
    """Read the button that posts a draft.

    Raises ValueError or Refusal for one of an earlier version.
    """
    # The word comes last, since it is free text and may hold colons itself.
    _, slug, opponent, side, rated, pace, word = send.split(":", 6)
    return Draft(
        find_game(slug), int(opponent) or None, Side(side), rated == "1", parse_pace(pace), word
    )
