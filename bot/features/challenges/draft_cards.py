"""The cards on which the game and terms of a challenge are chosen before it is posted.

The card itself is the memory.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import discord
from discord import ButtonStyle

from bot.features.challenges.controls import (
    DRAFT,
    DRAFT_TERM,
    POST_DRAFT,
    DraftTerm,
    game_menus,
    option_menus,
)
from bot.features.challenges.game_choice import list_paces
from bot.features.challenges.terms import MatchTerms
from bot.features.matches.clock_texts import format_pace
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.i18n import common
from bot.platform.i18n.catalogue_texts import option_context
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, PanelRow, text_only_card
from bot.platform.ui.choices import make_choice_menu, make_switch
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


def game_choice_card(say: Reader, opponent: int) -> Card:
    """Return the card on which a game is chosen against an opponent."""
    return Card(
        texts=(
            say("### Your challenge"),
            say("Choose a game to play with {who}.", who=f"<@{opponent}>"),
        ),
        controls=game_menus(say, opponent),
    )


def draft_card(
    say: Reader, draft: Draft, chosen: Mapping[str, str], *, is_timed: bool = True
) -> Card:
    """Return the card with a menu for each term and house rule, as they are chosen by now.

    Without a clock (`is_timed`), as against the computer, there is no pace to choose.
    """
    heading = say("### Your challenge: {game}", game=common.format_title(say, draft.game))
    who = say("It's for anyone who accepts it.")
    if draft.opponent:
        who = say("It's for {who}.", who=f"<@{draft.opponent}>")
    hint = say("Nothing is posted until you press **Challenge**.")
    terms = (draft.side.value, str(int(draft.rated)), draft.pace.name)
    # The card is the only place where a draft exists: nothing is stored before it is posted.
    parts = (POST_DRAFT, draft.game.slug, str(draft.opponent or 0), *terms, draft.word)
    send: discord.ui.Button[Any] = discord.ui.Button(
        # Translators: button: posts the challenge, which was only prepared so far (verb).
        label=say("Challenge"),
        style=ButtonStyle.success,
        custom_id=":".join(parts),
    )
    return Card(
        texts=(heading, f"{who} {hint}"),
        panel=(
            *_build_term_rows(say, draft, is_timed=is_timed),
            *_build_option_rows(say, draft.game, chosen),
        ),
        controls=(send,),
    )


def _build_term_rows(say: Reader, draft: Draft, *, is_timed: bool) -> Iterator[PanelRow]:
    sides = [(side.value, common.format_side_title(say, side), "") for side in Side]
    side = make_choice_menu(f"{DRAFT_TERM}:{DraftTerm.SIDE}", sides, draft.side.value)
    yield PanelRow(say("**Your side**"), side)
    if is_timed:
        # One that was typed is listed as well.
        paces = dict.fromkeys([*list_paces(), draft.pace])
        entries = [(pace.name, format_pace(say, pace), "") for pace in paces]
        pace = make_choice_menu(f"{DRAFT_TERM}:{DraftTerm.PACE}", entries, draft.pace.name)
        # Translators: label of a menu: how much time each player has in a match (noun).
        yield PanelRow(say("**Pace**"), pace)
    rated = make_switch(say, f"{DRAFT_TERM}:{DraftTerm.RATED}", is_on=draft.rated)
    yield PanelRow(say("**Rated**: on") if draft.rated else say("**Rated**: off"), rated)


def _build_option_rows(say: Reader, game: Game, chosen: Mapping[str, str]) -> Iterator[PanelRow]:
    for option, menu in option_menus(say, game, chosen):
        asks = say.in_context(option_context(option.name), option.asks)
        yield PanelRow(f"**{asks}**", menu)


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
        if menu.custom_id.startswith(f"{DRAFT}:")
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
