"""Leagues: /league create, join, leave, standings, matches and manage."""

import discord
from discord import app_commands

from bot.features.challenges.commands import LONGEST_NAME, LONGEST_OPTIONS, LONGEST_PACE
from bot.features.challenges.game_choice import offer_games, offer_paces
from bot.features.contests.creating import LONGEST_GAMES, ContestWishes
from bot.features.contests.forms import MOST_DAYS, MOST_WEEKS, WEEK, create_or_ask
from bot.features.contests.naming import offer_leagues
from bot.features.contests.presses import (
    join_and_tell,
    leave_or_ask,
    require_organiser,
    show_management,
    show_own_matches,
    show_standings,
)
from bot.features.contests.rows import ContestFormat, ContestView, UnfinishedRule
from bot.features.contests.service import (
    LEAST_ENTRANTS,
    LONGEST_CONTEST_NAME,
    MOST_ENTRANTS,
    find_contest,
)
from bot.features.preferences.service import DAYS_A_YEAR
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.declarations import command, in_servers

league = in_servers(app_commands.Group(name="league", description="Play in this server's leagues"))
LEAGUE_DESCRIPTION = "The league; needed only where there are several"
"""What the option is for by which one of several leagues is meant."""
UNFINISHED_CHOICES = [
    app_commands.Choice(name="a clear lead wins, else a draw", value=UnfinishedRule.EVALUATION),
    app_commands.Choice(name="lost by the one whose turn it is", value=UnfinishedRule.CLOCK),
    app_commands.Choice(name="a draw", value=UnfinishedRule.DRAW),
]


@command(group=league)
@app_commands.describe(
    name="What it is called; without it, a form asks for everything",
    game="The game to play",
    weeks="How many weeks there are to play",
    signup="How many days people can join (default: 7)",
    pace="The time control (default: three-days), or such as 5d+12h",
    rated="Rated? (default: this server's setting)",
    unfinished="What becomes of matches in progress at the deadline",
    role="Only members with this role can join",
    size="How many can join at most",
    late="Can people join in its first half? (default: yes)",
    vacation="Days away that stop a player's clock in a match (default: all)",
    seasons="Open the next season when this one is over?",
    games="More games, so that each pair plays each: names with commas",
    event="Show it among this server's events? (default: no)",
    roles="Give a role to each division and to the champion? (default: no)",
    options="House rules, such as dice=two-and-six",
)
@app_commands.choices(unfinished=UNFINISHED_CHOICES)
async def create(
    answer: InteractionAnswer,
    name: app_commands.Range[str, 0, LONGEST_CONTEST_NAME] = "",
    game: app_commands.Range[str, 0, LONGEST_NAME] = "",
    weeks: app_commands.Range[int, 1, MOST_WEEKS] = 4,
    signup: app_commands.Range[int, 1, MOST_DAYS] = 7,
    pace: app_commands.Range[str, 0, LONGEST_PACE] = "three-days",
    rated: bool | None = None,
    unfinished: str = UnfinishedRule.EVALUATION,
    seasons: bool = False,
    role: discord.Role | None = None,
    size: app_commands.Range[int, LEAST_ENTRANTS, MOST_ENTRANTS] | None = None,
    late: bool = True,
    vacation: app_commands.Range[int, 0, DAYS_A_YEAR] | None = None,
    games: app_commands.Range[str, 0, LONGEST_GAMES] = "",
    event: bool = False,
    roles: bool = False,
    options: app_commands.Range[str, 0, LONGEST_OPTIONS] = "",
) -> None:
    """Open a league that people here can join."""
    wishes = ContestWishes(
        name=name,
        format=ContestFormat.LEAGUE,
        games=f"{game},{games}",
        options=options,
        rated=rated,
        pace=pace,
        days=weeks * WEEK,
        sign_up_days=signup,
        role=role.id if role else None,
        size=size,
        away_days=vacation,
        late_entry=late,
        unfinished=UnfinishedRule(unfinished),
        repeats=seasons,
        has_event=event,
        has_roles=roles,
    )
    await create_or_ask(answer, wishes)


create.autocomplete("game")(offer_games)


create.autocomplete("pace")(offer_paces)


async def _find_own_league(answer: InteractionAnswer, typed: str) -> ContestView:
    return await find_contest(answer.app, answer.guild, typed, answer.person.id)


@command(group=league)
@app_commands.describe(league=LEAGUE_DESCRIPTION)
async def join(
    answer: InteractionAnswer, league: app_commands.Range[str, 0, LONGEST_CONTEST_NAME] = ""
) -> None:
    """Join a league before it starts, or late."""
    await join_and_tell(answer, await find_contest(answer.app, answer.guild, league))


@command(group=league)
@app_commands.describe(league=LEAGUE_DESCRIPTION)
async def leave(
    answer: InteractionAnswer, league: app_commands.Range[str, 0, LONGEST_CONTEST_NAME] = ""
) -> None:
    """Leave a league; while it's played, you forfeit your matches in progress."""
    await leave_or_ask(answer, await _find_own_league(answer, league))


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
    await show_standings(answer, await _find_own_league(answer, league))


@command(group=league)
@app_commands.describe(league=LEAGUE_DESCRIPTION)
async def matches(
    answer: InteractionAnswer, league: app_commands.Range[str, 0, LONGEST_CONTEST_NAME] = ""
) -> None:
    """List your matches in a league."""
    await show_own_matches(answer, await _find_own_league(answer, league))


@command(group=league)
@app_commands.describe(league=LEAGUE_DESCRIPTION)
async def manage(
    answer: InteractionAnswer, league: app_commands.Range[str, 0, LONGEST_CONTEST_NAME] = ""
) -> None:
    """For organisers: start, extend, pause or call off a league."""
    require_organiser(answer.interaction)
    await show_management(answer, await find_contest(answer.app, answer.guild, league))


for each in (join, leave, standings, matches, manage):
    each.autocomplete("league")(offer_leagues)
