"""Challenging by menus: the entry in a person's menu, and the card on which terms are chosen."""

from collections.abc import Mapping
from dataclasses import replace

import discord

from bot.features.challenges import service as challenges
from bot.features.challenges.commands import is_computer, offer_or_start
from bot.features.challenges.controls import (
    DRAFT,
    DRAFT_GAME,
    DRAFT_TERM,
    POST_DRAFT,
    DraftTerm,
)
from bot.features.challenges.draft_cards import (
    Draft,
    draft_card,
    draft_posted_card,
    game_choice_card,
    parse_draft,
)
from bot.features.challenges.interactions import make_match_request
from bot.features.challenges.terms import choose_pace, is_rated, parse_offered_pace
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.card import Card
from bot.platform.ui.declarations import person_menu, press
from bot.platform.ui.ids import (
    get_selection,
    parse_choice,
    parse_switch,
    require_known_person,
    require_message,
)
from bot.platform.ui.membership import require_current_member, require_member
from bot.platform.ui.places import require_permissions
from engine.clock import UNLIMITED
from engine.games import GAMES, find_game
from engine.position import Side


@person_menu(name="Challenge")
async def challenge_person(
    answer: InteractionAnswer, person: discord.Member | discord.User
) -> None:
    """Choose a game and its terms, and challenge that person."""
    require_permissions(answer.interaction)
    opponent = require_member(person)
    if not is_computer(answer.client, opponent):
        challenges.require_other_person(answer.person, opponent)
        await challenges.require_may_challenge(answer.app, make_match_request(answer), opponent)
    # The name is asked for again when the challenge is posted.
    await answer.app.save_people(opponent)
    await answer.send(game_choice_card(answer.reader, opponent.id))


@press(DRAFT_GAME)
async def choose_challenge_game(answer: InteractionAnswer, opponent: int, _: str) -> None:
    """Show the card of terms for the game that was picked against somebody."""
    slug = get_selection(answer.interaction)
    if slug not in GAMES:
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    person = await require_known_person(answer.app, opponent)
    rated, pace = False, UNLIMITED
    if not is_computer(answer.client, person):
        pace = await choose_pace(answer.app, answer.guild, "")
        rated = await is_rated(answer.app, answer.guild, wished=None)
    draft = Draft(find_game(slug), opponent, Side.GOLD, rated, pace, "")
    if not is_computer(answer.client, person):
        challenges.require_valid_opponent(answer.person, person, draft.with_options({}))
    await answer.edit_message(prepare_draft_card(answer, draft, {}))


def prepare_draft_card(answer: InteractionAnswer, draft: Draft, chosen: Mapping[str, str]) -> Card:
    """Return the card of terms; against the computer nobody's clock runs."""
    me = answer.client.user
    is_timed = me is None or draft.opponent != me.id
    return draft_card(answer.reader, draft, chosen, is_timed=is_timed)


@press(DRAFT_TERM)
async def choose_challenge_term(
    answer: InteractionAnswer, term: DraftTerm, value: str = ""
) -> None:
    """Show a card of terms with another side or pace, rated or not."""
    draft, chosen = parse_draft(require_message(answer.interaction))
    match term:
        case DraftTerm.SIDE:
            side = parse_choice(Side, get_selection(answer.interaction))
            draft = replace(draft, side=side)
        case DraftTerm.PACE:
            draft = replace(draft, pace=parse_offered_pace(get_selection(answer.interaction)))
        case DraftTerm.RATED:
            draft = replace(draft, rated=parse_switch(value))
    await answer.edit_message(prepare_draft_card(answer, draft, chosen))


@press(DRAFT)
async def choose_house_rule(answer: InteractionAnswer, option: str) -> None:
    """Show a card of terms with what was picked from one of its menus of house rules."""
    draft, chosen = parse_draft(require_message(answer.interaction))
    selected = {**chosen, option: get_selection(answer.interaction)}
    await answer.edit_message(prepare_draft_card(answer, draft, selected))


@press(POST_DRAFT)
async def offer_draft(answer: InteractionAnswer) -> None:
    """Make a challenge of what a card of terms shows."""
    interaction = answer.interaction
    draft, chosen = parse_draft(require_message(interaction))
    require_permissions(interaction)
    opponent = await require_known_person(answer.app, draft.opponent) if draft.opponent else None
    if opponent and not is_computer(answer.client, opponent):
        # The card may be days old: they may have left the server, or lost the role, since.
        opponent = await require_current_member(interaction, opponent)
    asked = make_match_request(answer, draft.word)
    await offer_or_start(answer, asked, opponent, draft.with_options(chosen))
    with log_answer_failures(interaction):
        await answer.edit_message(draft_posted_card(answer.reader))
