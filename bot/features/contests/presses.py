"""What the buttons of a contest do, which its commands do too."""

import discord

from bot.features.contests import rulings, service
from bot.features.contests import texts as words
from bot.features.contests.cards import (
    contest_card,
    explanation_card,
    manage_card,
    own_matches_card,
)
from bot.features.contests.controls import (
    JOIN,
    LEAVE,
    MINE,
    OUT,
    REMOVE,
    RULE,
    TABLE,
    label_ruling,
    make_leave_button,
)
from bot.features.contests.rows import ContestState, ContestView, RulingAction
from bot.features.contests.seasons import join_late
from bot.features.matches.loading import load_session
from bot.features.matches.reach import find_match_links
from bot.features.moderation.service import LONGEST_REASON
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.ui.access import require_sight
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.card import Card, text_only_card
from bot.platform.ui.declarations import press
from bot.platform.ui.forms import build_text_form, get_typed_text
from bot.platform.ui.ids import get_selection, list_selection, parse_number
from bot.platform.ui.membership import get_server_permissions
from bot.store import PersonNames


@press(JOIN)
async def press_join(answer: InteractionAnswer, number: int) -> None:
    """Join the contest whose message this is."""
    await join_and_tell(answer, await service.load_contest(answer.app, number, answer.guild))


async def join_and_tell(answer: InteractionAnswer, view: ContestView) -> None:
    """Join a contest before it starts, or late."""
    await require_sight(answer.interaction, view.contest.channel)
    cause, number = str(answer.interaction.id), view.contest.id
    if view.contest.state is ContestState.RUNNING:
        joined = await join_late(answer.app, number, answer.person, cause)
        told = words.format_late_reply(answer.reader, joined, answer.person.id)
    else:
        joined = await service.join_contest(answer.app, number, answer.person, cause)
        told = words.format_joined_reply(answer.reader, joined)
    with log_answer_failures(answer.interaction):
        await answer.send(text_only_card(told))


async def leave_or_ask(answer: InteractionAnswer, view: ContestView) -> None:
    """Leave a contest at once while people sign up, and else after a question."""
    if view.contest.state is ContestState.OPEN:
        await _leave(answer, view)
    else:
        await _ask_before_leaving(answer, view)


async def _ask_before_leaving(answer: InteractionAnswer, view: ContestView) -> None:
    service.require_unfinished(view.contest)
    service.require_entrant(view, answer.person.id)
    running = len(view.list_running(answer.person.id))
    question = words.ask_before_leaving(answer.reader, view, running)
    button = make_leave_button(answer.reader, view)
    await answer.send(Card(texts=(question,), controls=(button,)))


@press(LEAVE)
async def press_leave(answer: InteractionAnswer, number: int) -> None:
    """Leave the contest whose message this is, or that was asked about."""
    view = await service.load_contest(answer.app, number, answer.guild)
    # On an old message of sign-up it could be a surprise that matches are forfeited.
    if view.contest.state is ContestState.RUNNING and not answer.is_private_message:
        await _ask_before_leaving(answer, view)
    else:
        await _leave(answer, view)


async def _leave(answer: InteractionAnswer, view: ContestView) -> None:
    left = await service.leave_contest(answer.app, view.contest.id, answer.person.id)
    with log_answer_failures(answer.interaction):
        told = text_only_card(words.format_left_reply(answer.reader, left))
        if answer.is_private_message:
            await answer.edit_message(told)
        else:
            await answer.send(told)


async def show_standings(answer: InteractionAnswer, view: ContestView) -> None:
    """Show how a contest stands."""
    names = await load_names(answer, view)
    await answer.send(contest_card(answer.reader, view, names, answer.app.clock()))


@press(TABLE)
async def explain_table(answer: InteractionAnswer, number: int) -> None:
    """Show a table with the sums that decide it, or all rounds of a bracket."""
    view = await service.load_contest(answer.app, number, answer.guild)
    chosen = list_selection(answer.interaction)
    division = parse_number(chosen[0]) if chosen else _find_division(view, answer.person.id)
    if division >= len(view.list_divisions()):
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    names = await load_names(answer, view)
    card = explanation_card(answer.reader, view, names, division)
    if chosen:
        await answer.edit_message(card)
    else:
        await answer.send(card)


def _find_division(view: ContestView, person: int) -> int:
    """Return somebody's own division; the first for those who do not take part."""
    own = view.find_entrant(person)
    return (own.division or 0) if own else 0


@press(MINE)
async def press_own_matches(answer: InteractionAnswer, number: int) -> None:
    """List one's own matches in the contest whose message this is."""
    await show_own_matches(answer, await service.load_contest(answer.app, number, answer.guild))


async def show_own_matches(answer: InteractionAnswer, view: ContestView) -> None:
    """List one's own matches in a contest."""
    person = answer.person.id
    if view.find_entrant(person) is None:
        raise DeclinedError(DeclineReason.NOT_AN_ENTRANT, contest=view.contest.name)
    running = [each.match for each in view.list_running(person)]
    sessions = {match: await load_session(answer.app, match) for match in running}
    own = [each.match for each in view.list_own(person)]
    rows = await answer.app.store.matches.load_rows(own)
    links = await find_match_links(answer.client, rows)
    await answer.send(own_matches_card(answer.reader, view, person, links, sessions))


async def show_management(answer: InteractionAnswer, view: ContestView) -> None:
    """Show organisers what they can do to a contest."""
    await answer.send(manage_card(answer.reader, view, await load_names(answer, view)))


def _ask_for_reason(
    interaction: Interaction, number: int, action: RulingAction
) -> discord.ui.Modal:
    say = interaction.client.get_asker_reader(interaction)
    return build_reason_form(interaction, f"{RULE}:{number}:{action}", label_ruling(say, action))


@press(RULE, modal=_ask_for_reason)
async def press_ruling(answer: InteractionAnswer, number: int, action: RulingAction) -> None:
    """Start a contest now, extend it or call it off, with the reason that was typed."""
    await _rule(answer, number, action)


def _ask_why_them(
    interaction: Interaction, number: int, action: RulingAction, first: int
) -> discord.ui.Modal:
    say = interaction.client.get_asker_reader(interaction)
    # Under another id, since the form brings back no selection.
    person = parse_number(get_selection(interaction))
    return build_reason_form(
        interaction, f"{OUT}:{number}:{action}:{person}", label_ruling(say, action)
    )


@press(REMOVE, modal=_ask_why_them)
async def press_removal(
    answer: InteractionAnswer, number: int, action: RulingAction, first: int
) -> None:
    """Ask why somebody is to be removed or replaced: the form does all that follows."""
    raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)


# The form of a menu, of which its own id names the entry: no message shows it.
@press(OUT, shown=False)
async def remove_player(
    answer: InteractionAnswer, number: int, action: RulingAction, person: int
) -> None:
    """Remove or replace somebody in a contest, with the reason that was typed."""
    await _rule(answer, number, action, person)


def build_reason_form(interaction: Interaction, custom_id: str, title: str) -> discord.ui.Modal:
    """Return the form that asks an organiser for the reason of a ruling."""
    say = interaction.client.get_asker_reader(interaction)
    return build_text_form(
        custom_id,
        title=title,
        # Translators: label in a form: why an organiser decides so (noun).
        label=say("Reason"),
        hint=say("It's shown to the organisers and kept"),
        longest=LONGEST_REASON,
    )


async def _rule(
    answer: InteractionAnswer, number: int, action: RulingAction, person: int | None = None
) -> None:
    require_organiser(answer.interaction)
    await service.load_contest(answer.app, number, answer.guild)
    reason = get_typed_text(answer.interaction)
    after = await rulings.rule_contest(answer.app, number, answer.person, action, reason, person)
    with log_answer_failures(answer.interaction):
        names = await load_names(answer, after)
        await answer.edit_message(manage_card(answer.reader, after, names))


async def load_names(answer: InteractionAnswer, view: ContestView) -> dict[int, PersonNames]:
    """Return the names of all who take part in a contest, or have left it."""
    return await answer.app.store.people.load_names([each.person for each in view.entrants])


def require_organiser(interaction: Interaction) -> None:
    """Raise DeclinedError unless whoever asks may organise the server's events at this moment."""
    may = get_server_permissions(interaction)
    if not (may.manage_events or may.manage_guild):
        raise DeclinedError(DeclineReason.NOT_AN_ORGANISER)
