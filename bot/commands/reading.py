"""What one reads: /games, /rules, /leaderboard, /profile, /help."""

from collections.abc import Callable, Sequence

import discord
from discord import app_commands

from bot.app import challenge as challenges
from bot.app import profile as profiles
from bot.app import standings
from bot.app.play import load
from bot.app.ratings import ALL_GAMES, EVERYWHERE, pool, server
from bot.app.sitting import Sitting
from bot.commands.asking import (
    Commands,
    Presses,
    answered,
    anywhere,
    in_servers,
    is_member,
    known,
    person_of,
)
from bot.commands.games import LEVELS, game_choices, page_choices
from bot.commands.ids import number_of, parts, picked, pool_of
from bot.delivery.challenges import drop_lost
from bot.delivery.outlets import (
    Answer,
    Interaction,
    after_saving,
    link,
    require_permissions,
)
from bot.delivery.reach import links_of
from bot.store import Challenge
from bot.views import controls
from bot.views.card import Card
from bot.views.pages import Open, games_card, help_card, profile_card, standings_card, waiting_card
from bot.views.rules import origins_card, rules_card
from bot.words.reader import Reader
from engine.games import GAMES, find_game
from engine.players.level import Level

RULES, RANKS, MATCHES = "rules", "ranks", "matches"
"""The kinds of pages here that can be turned."""
SCOPES = [
    app_commands.Choice(name="this server", value="server"),
    app_commands.Choice(name="everywhere", value=EVERYWHERE),
]
"""Whose matches count: a choice of /leaderboard and /profile."""


@app_commands.command()
@anywhere
async def games(interaction: Interaction) -> None:
    """List your matches in progress and your open challenges."""

    async def work(answer: Answer) -> None:
        await answer.tell_page(MATCHES, await _list(answer, await _running(interaction)))

    await answered(interaction, work, everywhere=True)


async def _running(interaction: Interaction) -> list[Sitting]:
    """Return all that somebody plays, in every server."""
    app = interaction.client.app
    return [
        await load(app, row.id) for row in await app.store.matches.running_of(interaction.user.id)
    ]


async def _list(answer: Answer, sittings: Sequence[Sitting]) -> Card:
    client = answer.interaction.client
    person = answer.interaction.user.id
    links = await links_of(client, [each.row for each in sittings])
    memos = await client.app.store.memos.of(person, [each.id for each in sittings])
    opened = [Open(each, _link(each)) for each in await drop_lost(client, person)]
    return games_card(answer.reader, sittings, person, links, memos, opened)


def _link(challenge: Challenge) -> str | None:
    if challenge.message is None:
        return None
    return link(challenge.guild, challenge.channel, challenge.message)


async def _withdraw(interaction: Interaction, _: str) -> None:
    """Withdraw or decline the challenge that was picked, and show what is left."""

    async def work(answer: Answer) -> None:
        number = number_of(picked(interaction))
        await challenges.decline(interaction.client.app, number, person_of(interaction))
        with after_saving(interaction):
            card = await _list(answer, await _running(interaction))
            await answer.turn_page(MATCHES, card)

    await answered(interaction, work, everywhere=True)


async def _go_round(interaction: Interaction, rest: str) -> None:
    """Show the match that waits before or after another, or the list where there is none.

    The id is `way:match`.
    """
    way, match = parts(rest, 2)
    here = number_of(match)

    async def work(answer: Answer) -> None:
        running = await _running(interaction)
        waiting = [each for each in running if each.to_act == interaction.user.id]
        # The match shown may have been played meanwhile, so its neighbours are found by number.
        beside = [at for at, each in enumerate(waiting) if each.id > here]
        if way == "back":
            beside = [at for at, each in enumerate(waiting) if each.id < here][::-1]
        if beside:
            at = beside[0]
            found = waiting[at]
            client = interaction.client
            memos = await client.app.store.memos.of(interaction.user.id, [found.id])
            links = await links_of(client, [found.row])
            card = waiting_card(
                answer.reader, waiting, at, links.get(found.id), memos.get(found.id, "")
            )
        else:
            card = await _list(answer, running)
        await answer.turn_page(MATCHES, card)

    await answered(interaction, work, everywhere=True)


@app_commands.command()
@anywhere
@app_commands.describe(game="The game; leave it out to browse all games")
async def rules(interaction: Interaction, game: str | None = None) -> None:
    """Read how a game is played and where it comes from."""

    async def work(answer: Answer) -> None:
        card = rules_card(answer.reader, game or next(iter(GAMES)))
        await answer.tell_page(RULES, card)

    await answered(interaction, work, everywhere=True)


@rules.autocomplete("game")
async def _pages_like(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the games whose name contains what was typed.

    Those that can't be played but have a page are included.
    """
    say = interaction.client.reader(interaction.locale)
    return [*game_choices(say, typed), *page_choices(say, typed)][: controls.MOST_CHOICES]


async def _turn_to_rules(interaction: Interaction, _: str) -> None:
    """Show another game's rules in place of these."""

    async def work(answer: Answer) -> None:
        await answer.turn_page(RULES, rules_card(answer.reader, picked(interaction)))

    await answered(interaction, work, everywhere=True)


async def _to_page(
    interaction: Interaction, slug: str, page: Callable[[Reader, str], Card]
) -> None:
    """Turn to another page of a game."""

    async def work(answer: Answer) -> None:
        await answer.turn_page(RULES, page(answer.reader, slug))

    await answered(interaction, work, everywhere=True)


async def _to_rules(interaction: Interaction, slug: str) -> None:
    await _to_page(interaction, slug, rules_card)


async def _to_origins(interaction: Interaction, slug: str) -> None:
    await _to_page(interaction, slug, origins_card)


@app_commands.command()
@in_servers
@app_commands.describe(
    game="One game (default: all games together)",
    scope="This server or all servers",
    against="Rated matches against me at this level (default: between people)",
)
@app_commands.choices(scope=SCOPES, against=LEVELS)
async def leaderboard(
    interaction: Interaction,
    game: str | None = None,
    scope: str = "server",
    against: str | None = None,
) -> None:
    """Show the leaderboard."""

    async def work(answer: Answer) -> None:
        require_permissions(interaction)
        card = await _standings(answer, scope, _pool(game, against), 0)
        await answer.tell_page(RANKS, card)

    await answered(interaction, work, private=False)


async def _standings(answer: Answer, scope: str, pool: str, number: int) -> Card:
    """Return one page of a leaderboard as the one who asks sees it."""
    interaction = answer.interaction
    app = interaction.client.app
    page = await standings.page(app, _scope(interaction, scope), pool, interaction.user.id, number)
    listed = [line.person for line in page.lines]
    return standings_card(answer.reader, page, await app.names(listed), scope, pool)


def _pool(game: str | None, against: str | None) -> str:
    """Return the pool of a game by its name, or of all games.

    It is the one among people, or the one against the computer at a level.
    """
    return pool(find_game(game).slug if game else ALL_GAMES, Level(against) if against else None)


def _scope(interaction: Interaction, scope: str) -> str:
    return server(interaction.guild_id or 0) if scope == "server" else EVERYWHERE


async def _turn_ranks(interaction: Interaction, rest: str) -> None:
    """Show another page of a leaderboard in place of this one: `scope:pool:page`."""
    scope, pool, page = parts(rest, 3)

    async def work(answer: Answer) -> None:
        card = await _standings(answer, scope, pool_of(pool), number_of(page))
        await answer.turn_page(RANKS, card)

    await answered(interaction, work, private=False)


@app_commands.command()
@in_servers
@app_commands.describe(
    player="The player (default: you)",
    game="The game for the rating graph (default: all games together)",
    scope="This server or all servers",
    against="For the rating graph: rated matches against me at this level",
)
@app_commands.choices(scope=SCOPES, against=LEVELS)
async def profile(
    interaction: Interaction,
    player: discord.User | None = None,
    game: str | None = None,
    scope: str = "server",
    against: str | None = None,
) -> None:
    """Show a player's results by game and rating over time."""

    async def work(answer: Answer) -> None:
        require_permissions(interaction)
        who = player or interaction.user
        where = _scope(interaction, scope)
        found = await profiles.profile(interaction.client.app, where, _pool(game, against), who.id)
        await answer.tell(profile_card(answer.reader, found, known(who).name))

    await answered(interaction, work, private=False)


@leaderboard.autocomplete("game")
@profile.autocomplete("game")
async def _games_like(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the games whose slug, title or other names hold what was typed."""
    return game_choices(interaction.client.reader(interaction.locale), typed)


@app_commands.command()
@anywhere
async def help(interaction: Interaction) -> None:  # noqa: A001 - the command's name
    """Learn how to start."""

    async def work(answer: Answer) -> None:
        await answer.tell(help_card(answer.reader, in_server=is_member(interaction)))

    await answered(interaction, work, everywhere=True)


COMMANDS: Commands = (games, rules, leaderboard, profile, help)
PRESSES: Presses = {
    controls.ROUNDS: _go_round,
    controls.WITHDRAW: _withdraw,
    controls.RULES: _turn_to_rules,
    controls.RULES_PAGE: _to_rules,
    controls.ORIGINS_PAGE: _to_origins,
    controls.RANKS: _turn_ranks,
}
