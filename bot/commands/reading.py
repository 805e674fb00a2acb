"""What one reads: /games, /rules, /leaderboard, /profile, /help."""

from collections.abc import Callable, Sequence

import discord
from discord import app_commands

from bot.app import challenge as challenges
from bot.app import profile as profiles
from bot.app import standings
from bot.app.play import load_session
from bot.app.ratings import ALL_GAMES, EVERYWHERE, make_pool_name, make_server_scope
from bot.app.session import MatchSession
from bot.commands.asking import (
    Commands,
    Presses,
    get_person,
    in_all_contexts,
    in_servers,
    is_bot_member,
    make_person,
    respond,
)
from bot.commands.games import LEVEL_CHOICES, list_game_choices, list_page_choices
from bot.commands.ids import get_selection, parse_number, require_pool, split_id
from bot.delivery.challenges import drop_lost_challenges
from bot.delivery.outlets import (
    Interaction,
    InteractionAnswer,
    build_link,
    log_answer_failures,
    require_permissions,
)
from bot.delivery.reach import find_match_links
from bot.store import Challenge
from bot.views import controls
from bot.views.card import Card
from bot.views.pages import (
    OpenChallenge,
    games_card,
    help_card,
    leaderboard_card,
    profile_card,
    waiting_match_card,
)
from bot.views.rules import origins_card, rules_card
from bot.words.reader import Reader
from engine.games import GAMES, find_game
from engine.players.level import Level

RULES, RANKS, MATCHES = "rules", "ranks", "matches"
"""The kinds of pages here that can be turned."""
SCOPE_CHOICES = [
    app_commands.Choice(name="this server", value="server"),
    app_commands.Choice(name="everywhere", value=EVERYWHERE),
]
"""Whose matches count: a choice of /leaderboard and /profile."""


@app_commands.command()
@in_all_contexts
async def games(interaction: Interaction) -> None:
    """List your matches in progress and your open challenges."""

    async def work(answer: InteractionAnswer) -> None:
        await answer.send_page(
            MATCHES, await _prepare_games_card(answer, await _load_running_sessions(interaction))
        )

    await respond(interaction, work, everywhere=True)


async def _load_running_sessions(interaction: Interaction) -> list[MatchSession]:
    """Return all that somebody plays, in every server."""
    app = interaction.client.app
    return [
        await load_session(app, row.id)
        for row in await app.store.matches.load_running_by_person(interaction.user.id)
    ]


async def _prepare_games_card(answer: InteractionAnswer, sessions: Sequence[MatchSession]) -> Card:
    client = answer.interaction.client
    person = answer.interaction.user.id
    links = await find_match_links(client, [each.row for each in sessions])
    memos = await client.app.store.memos.load_for_matches(person, [each.id for each in sessions])
    opened = [
        OpenChallenge(each, _build_challenge_link(each))
        for each in await drop_lost_challenges(client, person)
    ]
    return games_card(answer.reader, sessions, person, links, memos, opened)


def _build_challenge_link(challenge: Challenge) -> str | None:
    if challenge.message is None:
        return None
    return build_link(challenge.guild, challenge.channel, challenge.message)


async def _handle_withdraw(interaction: Interaction, _: str) -> None:
    """Withdraw or decline the challenge that was picked, and show what is left."""

    async def work(answer: InteractionAnswer) -> None:
        number = parse_number(get_selection(interaction))
        await challenges.decline_challenge(interaction.client.app, number, get_person(interaction))
        with log_answer_failures(interaction):
            card = await _prepare_games_card(answer, await _load_running_sessions(interaction))
            await answer.turn_page(MATCHES, card)

    await respond(interaction, work, everywhere=True)


async def _handle_rounds(interaction: Interaction, rest: str) -> None:
    """Show the match that waits before or after another, or the list where there is none.

    The id is `way:match`.
    """
    way, match = split_id(rest, 2)
    here = parse_number(match)

    async def work(answer: InteractionAnswer) -> None:
        running = await _load_running_sessions(interaction)
        waiting = [each for each in running if each.person_to_act == interaction.user.id]
        # The match shown may have been played meanwhile, so its neighbours are found by number.
        beside = [at for at, each in enumerate(waiting) if each.id > here]
        if way == "back":
            beside = [at for at, each in enumerate(waiting) if each.id < here][::-1]
        if beside:
            at = beside[0]
            found = waiting[at]
            client = interaction.client
            memos = await client.app.store.memos.load_for_matches(interaction.user.id, [found.id])
            links = await find_match_links(client, [found.row])
            card = waiting_match_card(
                answer.reader, waiting, at, links.get(found.id), memos.get(found.id, "")
            )
        else:
            card = await _prepare_games_card(answer, running)
        await answer.turn_page(MATCHES, card)

    await respond(interaction, work, everywhere=True)


@app_commands.command()
@in_all_contexts
@app_commands.describe(game="The game; leave it out to browse all games")
async def rules(interaction: Interaction, game: str | None = None) -> None:
    """Read how a game is played and where it comes from."""

    async def work(answer: InteractionAnswer) -> None:
        card = rules_card(answer.reader, game or next(iter(GAMES)))
        await answer.send_page(RULES, card)

    await respond(interaction, work, everywhere=True)


@rules.autocomplete("game")
async def _pages_like(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the games whose name contains what was typed.

    Those that can't be played but have a page are included.
    """
    say = interaction.client.get_reader(interaction.locale)
    return [*list_game_choices(say, typed), *list_page_choices(say, typed)][: controls.MOST_CHOICES]


async def _handle_rules(interaction: Interaction, _: str) -> None:
    """Show another game's rules in place of these."""

    async def work(answer: InteractionAnswer) -> None:
        await answer.turn_page(RULES, rules_card(answer.reader, get_selection(interaction)))

    await respond(interaction, work, everywhere=True)


async def _turn_game_page(
    interaction: Interaction, slug: str, page: Callable[[Reader, str], Card]
) -> None:
    """Turn to another page of a game."""

    async def work(answer: InteractionAnswer) -> None:
        await answer.turn_page(RULES, page(answer.reader, slug))

    await respond(interaction, work, everywhere=True)


async def _handle_rules_page(interaction: Interaction, slug: str) -> None:
    await _turn_game_page(interaction, slug, rules_card)


async def _handle_origins_page(interaction: Interaction, slug: str) -> None:
    await _turn_game_page(interaction, slug, origins_card)


@app_commands.command()
@in_servers
@app_commands.describe(
    game="One game (default: all games together)",
    scope="This server or all servers",
    against="Rated matches against me at this level (default: between people)",
)
@app_commands.choices(scope=SCOPE_CHOICES, against=LEVEL_CHOICES)
async def leaderboard(
    interaction: Interaction,
    game: str | None = None,
    scope: str = "server",
    against: str | None = None,
) -> None:
    """Show the leaderboard."""

    async def work(answer: InteractionAnswer) -> None:
        require_permissions(interaction)
        card = await _prepare_leaderboard(answer, scope, _find_pool(game, against), 0)
        await answer.send_page(RANKS, card)

    await respond(interaction, work, private=False)


async def _prepare_leaderboard(
    answer: InteractionAnswer, scope: str, pool: str, number: int
) -> Card:
    """Return one page of a leaderboard as the one who asks sees it."""
    interaction = answer.interaction
    app = interaction.client.app
    page = await standings.load_page(
        app, _find_scope(interaction, scope), pool, interaction.user.id, number
    )
    listed = [line.person for line in page.lines]
    return leaderboard_card(answer.reader, page, await app.load_names(listed), scope, pool)


def _find_pool(game: str | None, against: str | None) -> str:
    """Return the pool of a game by its name, or of all games.

    It is the one among people, or the one against the computer at a level.
    """
    return make_pool_name(
        find_game(game).slug if game else ALL_GAMES, Level(against) if against else None
    )


def _find_scope(interaction: Interaction, scope: str) -> str:
    return make_server_scope(interaction.guild_id or 0) if scope == "server" else EVERYWHERE


async def _handle_ranks(interaction: Interaction, rest: str) -> None:
    """Show another page of a leaderboard in place of this one: `scope:pool:page`."""
    scope, pool, page = split_id(rest, 3)

    async def work(answer: InteractionAnswer) -> None:
        card = await _prepare_leaderboard(answer, scope, require_pool(pool), parse_number(page))
        await answer.turn_page(RANKS, card)

    await respond(interaction, work, private=False)


@app_commands.command()
@in_servers
@app_commands.describe(
    player="The player (default: you)",
    game="The game for the rating graph (default: all games together)",
    scope="This server or all servers",
    against="For the rating graph: rated matches against me at this level",
)
@app_commands.choices(scope=SCOPE_CHOICES, against=LEVEL_CHOICES)
async def profile(
    interaction: Interaction,
    player: discord.User | None = None,
    game: str | None = None,
    scope: str = "server",
    against: str | None = None,
) -> None:
    """Show a player's results by game and rating over time."""

    async def work(answer: InteractionAnswer) -> None:
        require_permissions(interaction)
        who = player or interaction.user
        where = _find_scope(interaction, scope)
        found = await profiles.load_profile(
            interaction.client.app, where, _find_pool(game, against), who.id
        )
        await answer.send(profile_card(answer.reader, found, make_person(who).name))

    await respond(interaction, work, private=False)


@leaderboard.autocomplete("game")
@profile.autocomplete("game")
async def _games_like(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the games whose slug, title or other names hold what was typed."""
    return list_game_choices(interaction.client.get_reader(interaction.locale), typed)


@app_commands.command()
@in_all_contexts
async def help(interaction: Interaction) -> None:  # noqa: A001 - the command's name
    """Learn how to start."""

    async def work(answer: InteractionAnswer) -> None:
        await answer.send(help_card(answer.reader, in_server=is_bot_member(interaction)))

    await respond(interaction, work, everywhere=True)


COMMANDS: Commands = (games, rules, leaderboard, profile, help)
PRESSES: Presses = {
    controls.ROUNDS: _handle_rounds,
    controls.WITHDRAW: _handle_withdraw,
    controls.RULES: _handle_rules,
    controls.RULES_PAGE: _handle_rules_page,
    controls.ORIGINS_PAGE: _handle_origins_page,
    controls.RANKS: _handle_ranks,
}
