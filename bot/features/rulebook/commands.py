"""What one reads: /games, /matches, /rules, /leaderboard, /me profile, /help."""

from collections.abc import Sequence
from dataclasses import replace

import discord
from discord import app_commands

from bot.features.challenges import service as challenges
from bot.features.challenges.controls import WITHDRAW
from bot.features.challenges.delivery import drop_lost_challenges
from bot.features.challenges.game_choice import (
    LEVEL_CHOICES,
    list_game_choices,
    list_page_choices,
    offer_games,
)
from bot.features.matches.controls import ROUNDS
from bot.features.matches.lookup import load_running_sessions
from bot.features.matches.reach import find_match_links
from bot.features.matches.session import MatchSession
from bot.features.notes import service as match_notes
from bot.features.ratings import profile as profiles
from bot.features.ratings import standings
from bot.features.ratings.controls import RANKS
from bot.features.ratings.seasons import find_season, make_season_scope
from bot.features.ratings.service import (
    ALL_GAMES,
    EVERYWHERE,
    make_pool_name,
    make_server_scope,
    require_pool,
)
from bot.features.ratings.texts import format_season
from bot.features.rulebook.cards import origins_card, rules_card
from bot.features.rulebook.catalogue import catalogue_card
from bot.features.rulebook.controls import CATALOGUE, GUIDE, ORIGINS_PAGE, RULES, RULES_PAGE
from bot.features.rulebook.extensions import load_match_labels, load_profile_sections
from bot.features.rulebook.pages import (
    OpenChallenge,
    Ranking,
    help_card,
    leaderboard_card,
    matches_card,
    profile_card,
    waiting_match_card,
)
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.app_client import Interaction, make_person
from bot.platform.ui.card import Card
from bot.platform.ui.controls import MOST_CHOICES
from bot.platform.ui.declarations import command, press
from bot.platform.ui.groups import me_group
from bot.platform.ui.ids import get_selection, parse_choice, parse_number
from bot.platform.ui.membership import is_bot_member
from bot.platform.ui.places import build_link, require_permissions
from bot.store import Challenge
from engine.folding import fold_text
from engine.games import GAMES, find_game
from engine.players.level import Level
from engine.rules import Family

MATCHES = "matches"
"""The kind of the pages that list matches; those of rules and ranks are called as their verbs."""
SCOPE_CHOICES = [
    app_commands.Choice(name="this server", value="server"),
    app_commands.Choice(name="everywhere", value=EVERYWHERE),
]
"""Whose matches count: a choice of /leaderboard and /profile."""
SCOPE_DESCRIPTION = "This server, or all servers for those who chose to be shown there"
"""What the choice says. What is of all servers is shown to the one who asks alone."""


@command(everywhere=True)
async def games(answer: InteractionAnswer) -> None:
    """Browse the games: how long they take, what they're like, and play one."""
    await answer.send_page(CATALOGUE, catalogue_card(answer.reader, next(iter(Family))))


@press(CATALOGUE, everywhere=True)
async def show_family(answer: InteractionAnswer) -> None:
    """Show another family of games in the catalogue."""
    family = parse_choice(Family, get_selection(answer.interaction))
    await answer.turn_page(CATALOGUE, catalogue_card(answer.reader, family))


@command(everywhere=True)
async def matches(answer: InteractionAnswer) -> None:
    """List your matches in progress and your open challenges."""
    sessions = await load_running_sessions(answer.app, answer.person.id)
    await answer.send_page(MATCHES, await _prepare_matches_card(answer, sessions))


async def _prepare_matches_card(
    answer: InteractionAnswer, sessions: Sequence[MatchSession]
) -> Card:
    client, person = answer.client, answer.person.id
    links = await find_match_links(client, [each.row for each in sessions])
    notes = await match_notes.load_notes(client.app, person, [each.id for each in sessions])
    opened = [
        OpenChallenge(each, _build_challenge_link(each))
        # The list is where people wonder about a challenge whose message was deleted.
        for each in await drop_lost_challenges(client, person)
    ]
    labels = await load_match_labels(client.app, answer.reader, sessions)
    return matches_card(answer.reader, sessions, person, links, notes, opened, labels)


def _build_challenge_link(challenge: Challenge) -> str | None:
    if challenge.message is None:
        return None
    return build_link(challenge.guild, challenge.channel, challenge.message)


@press(WITHDRAW, everywhere=True)
async def withdraw_challenge(answer: InteractionAnswer) -> None:
    """Withdraw or decline the challenge that was picked, and show what is left."""
    number = parse_number(get_selection(answer.interaction))
    await challenges.decline_challenge(answer.app, number, answer.guild, answer.person)
    # The challenge is withdrawn by now, whatever becomes of the answer.
    with log_answer_failures(answer.interaction):
        sessions = await load_running_sessions(answer.app, answer.person.id)
        await answer.turn_page(MATCHES, await _prepare_matches_card(answer, sessions))


@press(ROUNDS, everywhere=True)
async def show_waiting_match(answer: InteractionAnswer, way: str, here: int) -> None:
    """Show the match that waits before or after another, or the list where there is none."""
    client, person = answer.client, answer.person.id
    running = await load_running_sessions(client.app, person)
    waiting = [each for each in running if each.person_to_act == person]
    # The match shown may have been played meanwhile, so its neighbours are found by number.
    beside = [at for at, each in enumerate(waiting) if each.id > here]
    if way == "back":
        # Reversed, so that the nearest comes first here too.
        beside = [at for at, each in enumerate(waiting) if each.id < here][::-1]
    if beside:
        at = beside[0]
        found = waiting[at]
        notes = await match_notes.load_notes(client.app, person, [found.id])
        links = await find_match_links(client, [found.row])
        card = waiting_match_card(
            answer.reader, waiting, at, links.get(found.id), notes.get(found.id, "")
        )
    else:
        card = await _prepare_matches_card(answer, running)
    await answer.turn_page(MATCHES, card)


@command(everywhere=True)
@app_commands.describe(game="The game; leave it out to browse all games")
async def rules(answer: InteractionAnswer, game: str | None = None) -> None:
    """Read how a game is played and where it comes from."""
    await answer.send_page(RULES, rules_card(answer.reader, game or next(iter(GAMES))))


@rules.autocomplete("game")
async def _pages_like(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the games whose name contains what was typed.

    Those that can't be played but have a page are included.
    """
    say = interaction.client.get_asker_reader(interaction)
    # Games that can be played come first: Discord shows a limited number of choices.
    return [*list_game_choices(say, typed), *list_page_choices(say, typed)][:MOST_CHOICES]


@press(RULES, everywhere=True)
async def choose_rules(answer: InteractionAnswer) -> None:
    """Show another game's rules in place of these."""
    game = get_selection(answer.interaction)
    await answer.turn_page(RULES, rules_card(answer.reader, game))


@press(RULES_PAGE, everywhere=True)
async def turn_to_rules(answer: InteractionAnswer, game: str) -> None:
    """Turn to a game's rules."""
    await answer.turn_page(RULES, rules_card(answer.reader, game))


@press(GUIDE, everywhere=True)
async def open_rules(answer: InteractionAnswer, game: str) -> None:
    """Open a game's rules for the one who asks."""
    await answer.send_page(RULES, rules_card(answer.reader, game))


@press(ORIGINS_PAGE, everywhere=True)
async def turn_to_origins(answer: InteractionAnswer, game: str) -> None:
    """Turn to a game's house rules and sources."""
    await answer.turn_page(RULES, origins_card(answer.reader, game))


@command(private=False)
@app_commands.describe(
    game="One game (default: all games together)",
    scope=SCOPE_DESCRIPTION,
    against="Against the computer at this level (default: between people)",
    season="A season, such as now or 2026-Q4 (default: all time)",
)
@app_commands.choices(scope=SCOPE_CHOICES, against=LEVEL_CHOICES)
async def leaderboard(
    answer: InteractionAnswer,
    game: str | None = None,
    scope: str = "server",
    against: str | None = None,
    season: str = "",
) -> None:
    """Show the leaderboard."""
    answer = _answer_in_scope(answer, scope)
    card = await _prepare_leaderboard(answer, scope, _find_pool(game, against), 0, season)
    await answer.send_page(RANKS, card)


def _answer_in_scope(answer: InteractionAnswer, scope: str) -> InteractionAnswer:
    """Return the answer as it is given: to everyone here, or alone with what is of all servers.

    Nothing of it stays in a channel, so that whoever no longer wants to be shown is not.
    """
    if _find_scope(answer.guild, scope) == EVERYWHERE:
        return replace(answer, private=True)
    require_permissions(answer.interaction)
    return answer


async def _prepare_leaderboard(
    answer: InteractionAnswer, scope: str, pool: str, number: int, typed: str
) -> Card:
    """Return one page of a leaderboard as the one who asks sees it."""
    app, now = answer.app, answer.app.clock()
    season = standings.require_season(typed, now)
    where = make_season_scope(_find_scope(answer.guild, scope), season)
    page = await standings.load_page(app, where, pool, answer.person.id, number)
    names = await app.load_names([line.person for line in page.lines])
    is_over = season is not None and season < find_season(now)
    return leaderboard_card(answer.reader, page, names, Ranking(scope, pool, season, is_over))


@leaderboard.autocomplete("season")
async def _offer_seasons(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer this season and those before it in which somebody here was rated."""
    client = interaction.client
    say, here = client.get_asker_reader(interaction), find_season(client.app.clock())
    scope = _find_scope(interaction.guild_id or 0, interaction.namespace.scope or "server")
    seasons = await standings.load_seasons(client.app, scope)
    label = say("now ({season})", season=format_season(say, here))
    choices = [
        app_commands.Choice(name=label, value=standings.NOW),
        *(app_commands.Choice(name=format_season(say, each), value=str(each)) for each in seasons),
    ]
    return [choice for choice in choices if fold_text(typed) in fold_text(choice.name)]


def _find_pool(game: str | None, against: str | None) -> str:
    """Return the pool of a game by its name, or of all games.

    It is the one among people, or the one against the computer at a level.
    """
    return make_pool_name(
        find_game(game).slug if game else ALL_GAMES, Level(against) if against else None
    )


def _find_scope(guild: int, scope: str) -> str:
    return make_server_scope(guild) if scope == "server" else EVERYWHERE


@press(RANKS, private=False, edits_public=True)
async def turn_leaderboard_page(
    answer: InteractionAnswer, scope: str, pool: str, number: int, season: str = ""
) -> None:
    """Show another page of a leaderboard in place of this one."""
    # The pool comes from a button's id, and its game may be gone since.
    if _find_scope(answer.guild, scope) == EVERYWHERE:
        answer = replace(answer, private=True)
    card = await _prepare_leaderboard(answer, scope, require_pool(pool), number, season)
    if answer.private and not answer.is_private_message:
        # A message from the time when everyone saw them.
        await answer.send_page(RANKS, card)
    else:
        await answer.turn_page(RANKS, card)


@command(group=me_group, private=False)
@app_commands.describe(
    player="The player (default: you)",
    game="The game for the rating graph (default: all games together)",
    scope=SCOPE_DESCRIPTION,
    against="For the rating graph: against the computer at this level",
)
@app_commands.choices(scope=SCOPE_CHOICES, against=LEVEL_CHOICES)
async def profile(
    answer: InteractionAnswer,
    player: discord.User | None = None,
    game: str | None = None,
    scope: str = "server",
    against: str | None = None,
) -> None:
    """Show a player's results by game and rating over time."""
    answer = _answer_in_scope(answer, scope)
    # Somebody who has left the server keeps their results, so no membership is required.
    who = make_person(player) if player else answer.person
    where = _find_scope(answer.guild, scope)
    if where == EVERYWHERE:
        await profiles.require_shown_everywhere(answer.app, answer.person.id, who)
    found = await profiles.load_profile(answer.app, where, _find_pool(game, against), who.id)
    # What features say belongs to the server in which it is asked.
    sections = (
        ()
        if where == EVERYWHERE
        else await load_profile_sections(answer.app, answer.reader, answer.guild, who.id)
    )
    await answer.send(profile_card(answer.reader, found, who.name, sections))


leaderboard.autocomplete("game")(offer_games)
profile.autocomplete("game")(offer_games)


@command(everywhere=True)
async def help(answer: InteractionAnswer) -> None:  # noqa: A001 - the command's name
    """Learn how to start."""
    await answer.send(help_card(answer.reader, in_server=is_bot_member(answer.interaction)))
