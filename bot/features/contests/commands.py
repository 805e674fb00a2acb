"""Leagues and tournaments: /league, /tournament, and what the buttons of a contest do."""

from collections.abc import Collection
from functools import partial

import discord
from discord import app_commands

from bot.features.contests import cards, competitions, drafts, forms, seasons, service, texts
from bot.features.contests.delivery import build_card, release_deleted_roles, withdraw_departed
from bot.features.contests.endings import take_as_unplayed
from bot.features.contests.formats import (
    get_format,
    load_formats,
    may_come_back,
)
from bot.features.contests.tables import (
    LEAGUES,
    TOURNAMENTS,
    Contest,
    ContestFormat,
    ContestState,
    ContestView,
    RulingAction,
    UnfinishedRule,
)
from bot.features.matches.interactions import (
    offer_games,
)
from bot.features.matches.loading import load_rows, load_session
from bot.features.matches.places import find_match_links
from bot.features.matches.texts import format_relative_time
from bot.platform.db.rows import PersonNames
from bot.platform.i18n.common import join_sentences
from bot.platform.i18n.reader import DeclinedError, UnknownControlError, escape_text
from bot.platform.ui.access import require_shown, require_sight
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.controls import get_selection, get_typed_text, list_selection, parse_number
from bot.platform.ui.declarations import command, in_servers, press

league = in_servers(app_commands.Group(name="league", description="Play in this server's leagues"))
tournament = in_servers(
    app_commands.Group(name="tournament", description="Play in this server's tournaments")
)


def _build_kind(
    formats: Collection[ContestFormat], none: type[DeclinedError], several: type[DeclinedError]
) -> competitions.CompetitionKind[Contest, ContestView]:
    return competitions.CompetitionKind(
        load_latest=partial(service.load_latest, formats=formats),
        load=partial(service.load_contest, formats=formats),
        list_own=service.load_own_contests,
        is_going_on=lambda contest: contest.is_unfinished,
        format_name=texts.format_contest_name,
        unknown=service.ContestUnknownError,
        none=none,
        several=several,
    )


LEAGUE = _build_kind(LEAGUES, service.NoLeagueError, service.SeveralLeaguesError)
TOURNAMENT = _build_kind(TOURNAMENTS, service.NoTournamentError, service.SeveralTournamentsError)
CONTEST = _build_kind(
    frozenset(ContestFormat), service.NoTournamentError, service.SeveralTournamentsError
)
"""A league or a tournament."""
FORMAT_CHOICES = [
    app_commands.Choice(name=each.choice, value=each.kind) for each in load_formats() if each.choice
]
_DESCRIPTIONS = {
    "name": "What it is called",
    "game": "The game, or several with commas; a form asks for the rest",
}


@command(group=league, name="create")
@app_commands.describe(**_DESCRIPTIONS)
async def create_league(
    answer: InteractionAnswer,
    name: app_commands.Range[str, 1, competitions.MAX_COMPETITION_NAME_LENGTH],
    game: app_commands.Range[str, 1, drafts.MAX_GAMES_LENGTH],
) -> None:
    """Open a league that people here can join."""
    options = service.ContestOptions(
        name=name,
        format=ContestFormat.LEAGUE,
        games=game,
        pace="three-days",
        days=4 * forms.WEEK,
        sign_up_days=7,
        unfinished=UnfinishedRule.EVALUATION,
    )
    await forms.open_contest_form(answer, options)


@command(group=tournament, name="create")
@app_commands.describe(**_DESCRIPTIONS, kind="Who meets whom (default: a knock-out)")
@app_commands.rename(kind="format")
@app_commands.choices(kind=FORMAT_CHOICES)
async def create_tournament(
    answer: InteractionAnswer,
    name: app_commands.Range[str, 1, competitions.MAX_COMPETITION_NAME_LENGTH],
    game: app_commands.Range[str, 1, drafts.MAX_GAMES_LENGTH],
    kind: str = ContestFormat.KNOCK_OUT,
) -> None:
    """Open a tournament that people here can join."""
    options = service.ContestOptions(
        name=name,
        format=ContestFormat(kind),
        games=game,
        pace="day",
        days=7,
        sign_up_days=3,
        unfinished=UnfinishedRule.EVALUATION,
    )
    await forms.open_contest_form(answer, options)


create_league.autocomplete("game")(offer_games)
create_tournament.autocomplete("game")(offer_games)


@press(cards.JOIN)
async def press_join(answer: InteractionAnswer, number: int) -> None:
    """Join the contest whose card this is, before it starts or late."""
    view = await service.load_contest(answer.app, number, answer.guild)
    await require_sight(answer.interaction, view.contest.channel)
    cause = str(answer.interaction.id)
    view = await release_deleted_roles(answer.client, view)
    if may_come_back(view, answer.person.id):
        await _come_back_and_confirm(answer, number)
        return
    if view.contest.state is ContestState.RUNNING:
        planned = await seasons.plan_late(answer.app, view, answer.person, cause)
        others = {each.get_opponent(answer.person.id) for each in planned.pairings}
        await withdraw_departed(answer.client, view, others)
        joined = await seasons.join_late(answer.app, number, answer.person, cause)
        own = answer.person.id
        counted = texts.format_late_reply(answer.reader, joined, own)
        waiting = texts.format_own_waiting(answer.reader, joined, own)
        text = join_sentences(answer.reader, counted, waiting)
    else:
        joined = await service.join_contest(answer.app, number, answer.person, cause)
        say = answer.reader
        text = say(
            "You've joined {contest}. It starts {when}; your matches then start automatically. "
            "With `{command}` you can withdraw before the start, and afterwards too, but then "
            "your matches in progress are forfeited.",
            command=f"{texts.get_command(joined.contest)} standings",
            contest=escape_text(texts.format_contest_name(say, joined.contest)),
            when=format_relative_time(joined.contest.starts),
        )
        text += f"\n{texts.format_size(say, joined)}"
    await answer.confirm(text)


@press(cards.BACK)
async def press_back(answer: InteractionAnswer, number: int) -> None:
    """Play from the next round on in the contest whose message this is, after missing one."""
    view = await service.load_contest(answer.app, number, answer.guild)
    await require_sight(answer.interaction, view.contest.channel)
    await _come_back_and_confirm(answer, number)


async def _come_back_and_confirm(answer: InteractionAnswer, number: int) -> None:
    after = await service.come_back(answer.app, number, answer.person)
    say = answer.reader
    await answer.confirm(
        say(
            "You're back in {contest}, and play from the next round on.",
            contest=escape_text(texts.format_contest_name(say, after.contest)),
        )
    )


@press(cards.LEAVE)
async def press_leave(answer: InteractionAnswer, number: int, sure: str = "") -> None:
    """Leave the contest whose card this is: while it's played only once they are `sure`."""
    view = await service.load_contest(answer.app, number, answer.guild)
    await require_contest_shown(answer, view)
    person = answer.person.id
    if view.contest.state is ContestState.RUNNING and not sure:
        service.require_entrant(view, person)
        question = texts.ask_before_leaving(answer.reader, view, person)
        await competitions.ask_before_forfeiting(answer, question, f"{cards.LEAVE}:{number}")
        return
    left = await service.leave_contest(answer.app, number, person)
    text = texts.format_left_reply(answer.reader, left, person)
    await competitions.confirm_leaving(answer, text, was_asked=bool(sure))


async def show_standings(answer: InteractionAnswer, view: ContestView) -> None:
    """Show how a contest stands, and alone to somebody who takes part first how they do."""
    await require_contest_shown(answer, view)
    person = answer.person.id if answer.private else None
    await answer.send(await build_card(answer.app, answer.reader, view, person))


@press(cards.TABLE)
async def explain_table(answer: InteractionAnswer, number: int) -> None:
    """Show a table with the sums that decide it, or all rounds of a bracket."""
    view = await service.load_contest(answer.app, number, answer.guild)
    await require_contest_shown(answer, view)
    chosen, names = list_selection(answer.interaction), await load_names(answer, view)
    page = parse_number(chosen[0]) if chosen else None
    card = cards.explanation_card(answer.reader, view, names, answer.person.id, page)
    if chosen:
        await answer.edit_message(card)
    else:
        await answer.send(card)


async def require_contest_shown(answer: InteractionAnswer, view: ContestView) -> None:
    """Raise DeclinedError unless whoever asks sees the channel of a contest, or takes part."""
    is_own = view.find_entrant(answer.person.id) is not None
    await require_shown(answer, view.contest.channel, is_own=is_own)


@press(cards.SKIP, direct=True)
async def press_skip(answer: InteractionAnswer, match: int) -> None:
    """Take a match as unplayed whose two are kept apart by a block where that can be."""
    cause = str(answer.interaction.id)
    view = await take_as_unplayed(answer.app, match, answer.person, cause)
    await answer.confirm(get_format(view.contest).format_skipped_reply(answer.reader, match))


@press(cards.MINE)
async def press_own_matches(answer: InteractionAnswer, number: int) -> None:
    """List one's own matches in the contest whose message this is."""
    view = await service.load_contest(answer.app, number, answer.guild)
    await require_contest_shown(answer, view)
    person = answer.person.id
    if view.find_entrant(person) is None:
        raise service.NotAnEntrantError(view.contest.name)
    running = [each.match for each in view.list_running(person)]
    sessions = {match: await load_session(answer.app, match) for match in running}
    own = [each.match for each in view.list_own(person)]
    rows = await load_rows(answer.app, own)
    links = await find_match_links(answer.client, rows)
    await answer.send(cards.own_matches_card(answer.reader, view, person, links, sessions))


@press(cards.MATCHES)
async def press_matches(answer: InteractionAnswer, number: int, page: int = -1) -> None:
    """List everybody's matches in the contest whose card this is, or turn to a page of them."""
    view = await service.load_contest(answer.app, number, answer.guild)
    await require_contest_shown(answer, view)
    paging, pairings = cards.find_matches_page(view, page)
    rows = await load_rows(answer.app, [each.match for each in pairings])
    links = await find_match_links(answer.client, rows)
    card = cards.all_matches_card(answer.reader, view, paging, pairings, links)
    if page < 0:
        await answer.send_page(cards.MATCHES, card)
    else:
        await answer.turn_page(cards.MATCHES, card)


async def show_management(answer: InteractionAnswer, view: ContestView) -> None:
    """Show organisers what they can do to a contest."""
    await answer.send(cards.manage_card(answer.reader, view, await load_names(answer, view)))


@press(cards.AGAIN)
async def press_again(answer: InteractionAnswer, number: int) -> None:
    """Open what follows the league or tournament whose end this announces, for its players."""
    competitions.require_organiser(answer.interaction)
    view = await service.load_contest(answer.app, number, answer.guild)
    following = await seasons.open_next_season(answer.app, view.contest.id, answer.person)
    say = answer.reader
    await answer.confirm(
        say(
            "{contest} is open and starts {when}. Those who played last time are being signed up "
            "and notified; they can withdraw before it starts.",
            contest=escape_text(texts.format_contest_name(say, following)),
            when=format_relative_time(following.starts),
        )
    )


def _ask_for_reason(
    interaction: Interaction, number: int, action: RulingAction
) -> discord.ui.Modal | None:
    if not action.needs_reason:
        return None
    say = interaction.client.get_asker_reader(interaction)
    return competitions.build_reason_form(
        interaction,
        f"{cards.RULE}:{number}:{action}",
        cards.label_ruling(say, action),
        public=action is RulingAction.CANCEL,
    )


@press(cards.RULE, modal=_ask_for_reason)
async def press_ruling(answer: InteractionAnswer, number: int, action: RulingAction) -> None:
    """Start a contest now, extend, pause or resume it, or call it off for the reason typed."""
    await _rule(answer, number, action)


def _ask_why_them(
    interaction: Interaction, number: int, action: RulingAction, first: int
) -> discord.ui.Modal | None:
    if not action.needs_reason:
        return None
    say = interaction.client.get_asker_reader(interaction)
    # Under another id, since the form brings back no selection.
    person = parse_number(get_selection(interaction))
    return competitions.build_reason_form(
        interaction,
        f"{cards.OUT}:{number}:{action}:{person}",
        cards.label_ruling(say, action),
        public=False,
    )


@press(cards.REMOVE, modal=_ask_why_them)
async def press_removal(
    answer: InteractionAnswer, number: int, action: RulingAction, first: int
) -> None:
    """Let somebody back in; for what needs a reason the form does all that follows."""
    if action.needs_reason:
        raise UnknownControlError
    await _rule(answer, number, action, parse_number(get_selection(answer.interaction)))


# The form of a menu, of which its own id names the entry: no message shows it.
@press(cards.OUT, shown=False)
async def remove_player(
    answer: InteractionAnswer, number: int, action: RulingAction, person: int
) -> None:
    """Remove or replace somebody in a contest, with the reason that was typed."""
    await _rule(answer, number, action, person)


async def _rule(
    answer: InteractionAnswer, number: int, action: RulingAction, person: int | None = None
) -> None:
    competitions.require_organiser(answer.interaction)
    view = await service.load_contest(answer.app, number, answer.guild)
    # Forms of earlier versions ask for more reasons.
    is_form = answer.interaction.type is discord.InteractionType.modal_submit
    reason = get_typed_text(answer.interaction) if is_form else ""
    if action is RulingAction.START:
        seasons.require_rulable(view, action)
        people = [each.person for each in view.present]
        await withdraw_departed(answer.client, view, people)
    after = await seasons.rule_contest(answer.app, number, answer.person, action, reason, person)
    with log_answer_failures(answer.interaction):
        names = await load_names(answer, after)
        await answer.edit_message(cards.manage_card(answer.reader, after, names))


async def load_names(answer: InteractionAnswer, view: ContestView) -> dict[int, PersonNames]:
    """Return the names of all who take part in a contest, or have left it."""
    return await answer.app.load_all_names([each.person for each in view.entrants])


def _add_commands(commands: competitions.CompetitionCommands[Contest, ContestView]) -> None:
    word = commands.group.name
    commands.add_standings(show_standings)
    commands.add(
        "manage",
        f"For organisers: start, extend, pause or call off a {word}.",
        show_management,
        organisers=True,
    )


_add_commands(competitions.CompetitionCommands(league, LEAGUE))
_add_commands(competitions.CompetitionCommands(tournament, TOURNAMENT))
