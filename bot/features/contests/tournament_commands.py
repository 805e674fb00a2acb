"""Tournaments: /tournament create, join, leave, standings, matches and manage."""

import discord
from discord import app_commands

from bot.features.challenges.commands import LONGEST_NAME, LONGEST_OPTIONS, LONGEST_PACE
from bot.features.challenges.game_choice import offer_games, offer_paces
from bot.features.contests.commands import UNFINISHED_CHOICES
from bot.features.contests.creating import LONGEST_GAMES, ContestWishes
from bot.features.contests.forms import (
    LEAST_ROUNDS,
    MOST_DAYS,
    MOST_ROUNDS,
    create_or_ask,
)
from bot.features.contests.naming import offer_tournaments
from bot.features.contests.presses import (
    join_and_tell,
    leave_or_ask,
    require_organiser,
    show_management,
    show_own_matches,
    show_standings,
)
from bot.features.contests.rows import TOURNAMENTS, ContestFormat, ContestView, UnfinishedRule
from bot.features.contests.service import (
    LEAST_ENTRANTS,
    LONGEST_CONTEST_NAME,
    MOST_ENTRANTS,
    find_contest,
)
from bot.features.preferences.service import DAYS_A_YEAR
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.declarations import command, in_servers

tournament = in_servers(
    app_commands.Group(name="tournament", description="Play in this server's tournaments")
)
TOURNAMENT_DESCRIPTION = "The tournament; needed only where there are several"
"""What the option is for by which one of several tournaments is meant."""
FORMAT_CHOICES = [
    app_commands.Choice(name="knock-out", value=ContestFormat.KNOCK_OUT),
    app_commands.Choice(name="Swiss, from 8 players", value=ContestFormat.SWISS),
    app_commands.Choice(name="round robin, up to 16 players", value=ContestFormat.ROUND_ROBIN),
]
BEST_OF_CHOICES = [
    app_commands.Choice(name="one match", value=1),
    app_commands.Choice(name="best of 3", value=3),
    app_commands.Choice(name="best of 5", value=5),
]


@command(group=tournament)
@app_commands.describe(
    name="What it is called; without it, a form asks for everything",
    game="The game to play",
    kind="Who meets whom",
    days="Days for a round, or for all of a round robin",
    signup="How many days people can join (default: 3)",
    best="In a knock-out: how many matches decide",
    third="In a knock-out: play for the third place?",
    rounds="In a Swiss: how many rounds (default: as suits the players)",
    pace="The time control (default: day), or such as 5d+12h",
    rated="Rated? (default: this server's setting)",
    unfinished="What becomes of matches in progress at a deadline",
    role="Only members with this role can join",
    size="How many can join at most",
    late="Can people join in its first half? (default: yes)",
    vacation="Days away that stop a player's clock in a match (default: all)",
    event="Show it among this server's events? (default: no)",
    roles="Give a role to the champion? (default: no)",
    games="More games, which take turns: names with commas",
    options="House rules, such as dice=two-and-six",
)
@app_commands.rename(kind="format")
@app_commands.choices(kind=FORMAT_CHOICES, unfinished=UNFINISHED_CHOICES)
@app_commands.choices(best=BEST_OF_CHOICES)
async def create(
    answer: InteractionAnswer,
    name: app_commands.Range[str, 0, LONGEST_CONTEST_NAME] = "",
    game: app_commands.Range[str, 0, LONGEST_NAME] = "",
    kind: str = ContestFormat.KNOCK_OUT,
    days: app_commands.Range[int, 1, MOST_DAYS] = 7,
    signup: app_commands.Range[int, 1, MOST_DAYS] = 3,
    best: int = 1,
    third: bool = False,
    rounds: app_commands.Range[int, LEAST_ROUNDS, MOST_ROUNDS] | None = None,
    pace: app_commands.Range[str, 0, LONGEST_PACE] = "day",
    rated: bool | None = None,
    unfinished: str = UnfinishedRule.EVALUATION,
    role: discord.Role | None = None,
    size: app_commands.Range[int, LEAST_ENTRANTS, MOST_ENTRANTS] | None = None,
    late: bool = True,
    vacation: app_commands.Range[int, 0, DAYS_A_YEAR] | None = None,
    event: bool = False,
    roles: bool = False,
    games: app_commands.Range[str, 0, LONGEST_GAMES] = "",
    options: app_commands.Range[str, 0, LONGEST_OPTIONS] = "",
) -> None:
    """Open a tournament that people here can join."""
    wishes = ContestWishes(
        name=name,
        format=ContestFormat(kind),
        games=f"{game},{games}",
        options=options,
        rated=rated,
        pace=pace,
        days=days,
        sign_up_days=signup,
        rounds=rounds,
        best_of=best,
        third_place=third,
        role=role.id if role else None,
        size=size,
        away_days=vacation,
        late_entry=late,
        unfinished=UnfinishedRule(unfinished),
        has_event=event,
        has_roles=roles,
    )
    await create_or_ask(answer, wishes)


create.autocomplete("game")(offer_games)


create.autocomplete("pace")(offer_paces)


async def _find_own_tournament(answer: InteractionAnswer, typed: str) -> ContestView:
    return await find_contest(answer.app, answer.guild, typed, answer.person.id, TOURNAMENTS)


@command(group=tournament)
@app_commands.describe(tournament=TOURNAMENT_DESCRIPTION)
async def join(
    answer: InteractionAnswer, tournament: app_commands.Range[str, 0, LONGEST_CONTEST_NAME] = ""
) -> None:
    """Join a tournament before it starts, or late in some formats."""
    view = await find_contest(answer.app, answer.guild, tournament, formats=TOURNAMENTS)
    await join_and_tell(answer, view)


@command(group=tournament)
@app_commands.describe(tournament=TOURNAMENT_DESCRIPTION)
async def leave(
    answer: InteractionAnswer, tournament: app_commands.Range[str, 0, LONGEST_CONTEST_NAME] = ""
) -> None:
    """Leave a tournament; you forfeit your matches in progress."""
    await leave_or_ask(answer, await _find_own_tournament(answer, tournament))


@command(group=tournament, public_option="share")
@app_commands.describe(
    tournament=TOURNAMENT_DESCRIPTION,
    share="Show it to everyone in this channel (default: only you)",
)
async def standings(
    answer: InteractionAnswer,
    tournament: app_commands.Range[str, 0, LONGEST_CONTEST_NAME] = "",
    share: bool = False,
) -> None:
    """See how a tournament stands."""
    await show_standings(answer, await _find_own_tournament(answer, tournament))


@command(group=tournament)
@app_commands.describe(tournament=TOURNAMENT_DESCRIPTION)
async def matches(
    answer: InteractionAnswer, tournament: app_commands.Range[str, 0, LONGEST_CONTEST_NAME] = ""
) -> None:
    """List your matches in a tournament."""
    await show_own_matches(answer, await _find_own_tournament(answer, tournament))


@command(group=tournament)
@app_commands.describe(tournament=TOURNAMENT_DESCRIPTION)
async def manage(
    answer: InteractionAnswer, tournament: app_commands.Range[str, 0, LONGEST_CONTEST_NAME] = ""
) -> None:
    """For organisers: start, extend, pause or call off a tournament."""
    require_organiser(answer.interaction)
    view = await find_contest(answer.app, answer.guild, tournament, formats=TOURNAMENTS)
    await show_management(answer, view)


for each in (join, leave, standings, matches, manage):
    each.autocomplete("tournament")(offer_tournaments)
