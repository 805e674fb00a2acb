"""Leagues: /league create, join, leave, standings, matches and manage, and the buttons."""

import discord
from discord import app_commands

from bot.features.challenges.commands import LONGEST_NAME, LONGEST_OPTIONS, LONGEST_PACE
from bot.features.challenges.game_choice import offer_games, offer_paces
from bot.features.challenges.interactions import make_match_request
from bot.features.challenges.terms import choose_pace, is_rated, parse_options
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
from bot.features.contests.rows import (
    ContestState,
    ContestView,
    RulingAction,
    UnfinishedRule,
)
from bot.features.contests.seasons import join_late, list_tables
from bot.features.contests.service import (
    LONGEST_CONTEST_NAME,
    MOST_LISTED,
    ContestTerms,
)
from bot.features.matches.loading import load_session
from bot.features.matches.reach import find_match_links
from bot.features.moderation.service import LONGEST_REASON
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.card import Card, text_only_card
from bot.platform.ui.controls import LONGEST_ENTRY, MOST_CHOICES
from bot.platform.ui.declarations import command, in_servers, press
from bot.platform.ui.forms import build_text_form, get_typed_text
from bot.platform.ui.ids import get_selection, list_selection, parse_number
from bot.platform.ui.places import require_permissions
from bot.store import PersonNames
from engine.folding import fold_text
from engine.games import find_game
from render.characters import shorten_text

league = in_servers(app_commands.Group(name="league", description="Play in this server's leagues"))
LEAGUE_DESCRIPTION = "The league; needed only where there are several"
"""What the option is for by which one of several leagues is meant."""
UNFINISHED_CHOICES = [
    app_commands.Choice(name="a clear lead wins, else a draw", value=UnfinishedRule.EVALUATION),
    app_commands.Choice(name="a draw", value=UnfinishedRule.DRAW),
]


@command(group=league)
@app_commands.describe(
    name="What the league is called",
    game="The game to play",
    weeks="How many weeks there are to play",
    signup="How many days people can join (default: 7)",
    pace="The time control (default: three-days), or such as 5d+12h",
    rated="Rated? (default: this server's setting)",
    unfinished="What becomes of matches in progress at the deadline",
    seasons="Open the next season when this one is over?",
    options="House rules, such as dice=two-and-six",
)
@app_commands.choices(unfinished=UNFINISHED_CHOICES)
async def create(
    answer: InteractionAnswer,
    name: app_commands.Range[str, 1, LONGEST_CONTEST_NAME],
    game: app_commands.Range[str, 1, LONGEST_NAME],
    weeks: app_commands.Range[int, 1, 26] = 4,
    signup: app_commands.Range[int, 1, 60] = 7,
    pace: app_commands.Range[str, 0, LONGEST_PACE] = "three-days",
    rated: bool | None = None,
    unfinished: str = UnfinishedRule.EVALUATION,
    seasons: bool = False,
    options: app_commands.Range[str, 0, LONGEST_OPTIONS] = "",
) -> None:
    """Open a league that people here can join."""
    require_organiser(answer.interaction)
    require_permissions(answer.interaction)
    wanted = find_game(game)
    terms = ContestTerms(
        name=name,
        game=wanted,
        options=parse_options(wanted, options),
        rated=await is_rated(answer.app, answer.guild, wished=rated),
        pace=await choose_pace(answer.app, answer.guild, pace),
        weeks=weeks,
        sign_up_days=signup,
        unfinished=UnfinishedRule(unfinished),
        repeats=seasons,
    )
    number = await service.organise_contest(answer.app, make_match_request(answer), terms)
    with log_answer_failures(answer.interaction):
        view = await service.load_contest(answer.app, number)
        await answer.send(text_only_card(words.format_created_reply(answer.reader, view.contest)))


create.autocomplete("game")(offer_games)


create.autocomplete("pace")(offer_paces)


@command(group=league)
@app_commands.describe(league=LEAGUE_DESCRIPTION)
async def join(
    answer: InteractionAnswer, league: app_commands.Range[str, 0, LONGEST_CONTEST_NAME] = ""
) -> None:
    """Join a league before it starts, or late."""
    await _join(answer, await service.find_contest(answer.app, answer.guild, league))


@press(JOIN)
async def press_join(answer: InteractionAnswer, number: int) -> None:
    """Join the league whose message this is."""
    await _join(answer, await service.load_contest(answer.app, number, answer.guild))


async def _join(answer: InteractionAnswer, view: ContestView) -> None:
    cause, number = str(answer.interaction.id), view.contest.id
    if view.contest.state is ContestState.RUNNING:
        joined = await join_late(answer.app, number, answer.person, cause)
        told = words.format_late_reply(answer.reader, joined, answer.person.id)
    else:
        joined = await service.join_contest(answer.app, number, answer.person, cause)
        told = words.format_joined_reply(answer.reader, joined)
    with log_answer_failures(answer.interaction):
        await answer.send(text_only_card(told))


@command(group=league)
@app_commands.describe(league=LEAGUE_DESCRIPTION)
async def leave(
    answer: InteractionAnswer, league: app_commands.Range[str, 0, LONGEST_CONTEST_NAME] = ""
) -> None:
    """Leave a league; while it's played, you forfeit your matches in progress."""
    view = await service.find_contest(answer.app, answer.guild, league, answer.person.id)
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
    """Leave the league whose message this is, or that was asked about."""
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


@command(group=league, public_option="share")
@app_commands.describe(
    league=LEAGUE_DESCRIPTION, share="Show it to everyone in this channel (default: only you)"
)
async def standings(
    answer: InteractionAnswer,
    league: app_commands.Range[str, 0, LONGEST_CONTEST_NAME] = "",
    share: bool = False,
) -> None:
    """See how a league stands."""
    view = await service.find_contest(answer.app, answer.guild, league, answer.person.id)
    names = await _load_names(answer, view)
    await answer.send(
        contest_card(answer.reader, view, list_tables(view), names, answer.app.clock())
    )


@press(TABLE)
async def explain_table(answer: InteractionAnswer, number: int) -> None:
    """Show the table of a division with the sums that decide it."""
    view = await service.load_contest(answer.app, number, answer.guild)
    tables = list_tables(view)
    if not tables:
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    chosen = list_selection(answer.interaction)
    division = parse_number(chosen[0]) if chosen else _find_division(view, answer.person.id)
    if division >= len(tables):
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    names = await _load_names(answer, view)
    card = explanation_card(answer.reader, view, tables, names, division)
    if chosen:
        await answer.edit_message(card)
    else:
        await answer.send(card)


def _find_division(view: ContestView, person: int) -> int:
    """Return somebody's own division; the first for those who do not take part."""
    own = view.find_entrant(person)
    return (own.division or 0) if own else 0


@command(group=league)
@app_commands.describe(league=LEAGUE_DESCRIPTION)
async def matches(
    answer: InteractionAnswer, league: app_commands.Range[str, 0, LONGEST_CONTEST_NAME] = ""
) -> None:
    """List your matches in a league."""
    view = await service.find_contest(answer.app, answer.guild, league, answer.person.id)
    await _show_own_matches(answer, view)


@press(MINE)
async def press_own_matches(answer: InteractionAnswer, number: int) -> None:
    """List one's own matches in the league whose message this is."""
    await _show_own_matches(answer, await service.load_contest(answer.app, number, answer.guild))


async def _show_own_matches(answer: InteractionAnswer, view: ContestView) -> None:
    person = answer.person.id
    if view.find_entrant(person) is None:
        raise DeclinedError(DeclineReason.NOT_AN_ENTRANT, contest=view.contest.name)
    running = [each.match for each in view.list_running(person)]
    sessions = {match: await load_session(answer.app, match) for match in running}
    own = [each.match for each in view.list_own(person)]
    rows = await answer.app.store.matches.load_rows(own)
    links = await find_match_links(answer.client, rows)
    await answer.send(own_matches_card(answer.reader, view, person, links, sessions))


@command(group=league)
@app_commands.describe(league=LEAGUE_DESCRIPTION)
async def manage(
    answer: InteractionAnswer, league: app_commands.Range[str, 0, LONGEST_CONTEST_NAME] = ""
) -> None:
    """For organisers: start, extend or call off a league, or remove a player."""
    require_organiser(answer.interaction)
    view = await service.find_contest(answer.app, answer.guild, league)
    await answer.send(manage_card(answer.reader, view, await _load_names(answer, view)))


def _ask_for_reason(
    interaction: Interaction, number: int, action: RulingAction
) -> discord.ui.Modal:
    say = interaction.client.get_reader(interaction.locale)
    return _build_reason_form(interaction, f"{RULE}:{number}:{action}", label_ruling(say, action))


@press(RULE, modal=_ask_for_reason)
async def press_ruling(answer: InteractionAnswer, number: int, action: RulingAction) -> None:
    """Start a league now, extend it or call it off, with the reason that was typed."""
    await _rule(answer, number, action)


def _ask_for_removal_reason(interaction: Interaction, number: int, first: int) -> discord.ui.Modal:
    say = interaction.client.get_reader(interaction.locale)
    # Under another id, since the form brings back no selection.
    person = parse_number(get_selection(interaction))
    return _build_reason_form(
        interaction, f"{OUT}:{number}:{person}", label_ruling(say, RulingAction.REMOVE)
    )


@press(REMOVE, modal=_ask_for_removal_reason)
async def press_removal(answer: InteractionAnswer, number: int, first: int) -> None:
    """Ask why somebody is to be removed: the form does all that follows."""
    raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)


@press(OUT)
async def remove_player(answer: InteractionAnswer, number: int, person: int) -> None:
    """Remove somebody from a league, with the reason that was typed."""
    await _rule(answer, number, RulingAction.REMOVE, person)


def _build_reason_form(interaction: Interaction, custom_id: str, title: str) -> discord.ui.Modal:
    say = interaction.client.get_reader(interaction.locale)
    return build_text_form(
        custom_id,
        title=title,
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
        names = await _load_names(answer, after)
        await answer.edit_message(manage_card(answer.reader, after, names))


async def _load_names(answer: InteractionAnswer, view: ContestView) -> dict[int, PersonNames]:
    return await answer.app.store.people.load_names([each.person for each in view.entrants])


def require_organiser(interaction: Interaction) -> None:
    """Raise DeclinedError unless whoever asks may organise events here at this moment."""
    may = interaction.permissions
    if not (may.manage_events or may.manage_guild):
        raise DeclinedError(DeclineReason.NOT_AN_ORGANISER)


async def offer_leagues(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the leagues of this server whose names hold what was typed."""
    contests = interaction.client.app.store.contests
    found = await contests.load_latest(interaction.guild_id or 0, MOST_LISTED)
    wanted = fold_text(typed)
    say = interaction.client.get_reader(interaction.locale)
    return [
        app_commands.Choice(
            name=shorten_text(words.format_contest_name(say, each), LONGEST_ENTRY),
            value=str(each.id),
        )
        for each in found
        if wanted in fold_text(each.name)
    ][:MOST_CHOICES]


for each in (join, leave, standings, matches, manage):
    each.autocomplete("league")(offer_leagues)
