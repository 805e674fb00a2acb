"""Leagues and tournaments: organise one, sign up for it, and withdraw."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from bot.features.challenges.terms import MatchRequest
from bot.features.contests.jobs import (
    ForfeitMatches,
    GiveRoles,
    ShowContest,
    ShowEvent,
    StartContest,
    build_update_jobs,
)
from bot.features.contests.rows import (
    LEAGUES,
    Contest,
    ContestChange,
    ContestFormat,
    ContestSettings,
    ContestState,
    ContestView,
    Entrant,
    NewContest,
)
from bot.features.servers import service as servers
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.people import DiscordPerson
from bot.store import Job
from engine import dice
from engine.clock import DAY, Pace
from engine.folding import fold_text
from engine.rules import Game

LEAST_ENTRANTS, MOST_ENTRANTS = 4, 64
LEAST_IN_ROUND_ROBIN, MOST_IN_ROUND_ROBIN = 3, 16
"""Players of a round robin: at most, everybody has fifteen matches side by side."""
MOST_GAMES = 8
"""Games of a contest."""
MOST_CONTESTS = 10
"""Leagues and tournaments that a server can have open or running at a time."""
LONGEST_CONTEST_NAME = 60
"""Characters of a contest's name."""
LONGEST_NUMBER = 12
"""Digits of a number that is looked up."""
MOST_LISTED = 25
"""A server's latest contests, among which one is looked for and which are offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestTerms(ContestSettings):
    """What an organiser chooses; people sign up for so many days before it starts."""

    name: str
    games: Sequence[Game]
    options: Mapping[str, str]
    rated: bool
    pace: Pace
    sign_up_days: int


async def organise_contest(app: App, asked: MatchRequest, terms: ContestTerms) -> int:
    """Open a contest for sign-up and return its number; raises DeclinedError if it may not be."""
    name = " ".join(terms.name.split())
    if not fold_text(name):
        raise DeclinedError(DeclineReason.NO_CONTEST_NAME)
    games = terms.games
    if len(games) > MOST_GAMES:
        raise DeclinedError(DeclineReason.CONTEST_GAMES, most=MOST_GAMES)
    if len(games) > 1 and terms.options:
        raise DeclinedError(DeclineReason.CONTEST_HOUSE_RULES)
    if any(game.resolve_rules(terms.options).players > 1 for game in games):
        raise DeclinedError(DeclineReason.NO_TEAM_CONTESTS)
    server = await app.store.servers.get(asked.guild)
    servers.require_start_place(server, asked.channel, asked.parent)
    if len(await app.store.contests.load_by_server(asked.guild)) >= MOST_CONTESTS:
        raise DeclinedError(DeclineReason.TOO_MANY_CONTESTS, most=MOST_CONTESTS)
    await app.save_people(asked.person)
    now = app.clock()
    # Drawn before anybody can sign up: only a secret that is fixed first proves that the dice were
    # not chosen to suit.
    secret = app.entropy(dice.SECRET_BYTES)
    new = NewContest(
        guild=asked.guild,
        channel=asked.channel,
        name=name,
        organiser=asked.person.id,
        game=games[0].slug,
        more_games=[game.slug for game in games[1:]],
        options=terms.options,
        rated=terms.rated,
        pace=terms.pace.name,
        secret=secret,
        commitment=dice.compute_commitment(secret),
        created=now,
        starts=now + terms.sign_up_days * DAY,
        **terms.get_settings(),
    )
    number, jobs = await app.store.contests.create(new, lambda at: build_opening_jobs(at, new))
    app.take(jobs)
    return number


def build_opening_jobs(number: int, new: NewContest) -> Sequence[Job]:
    """Return the jobs that follow when a contest opens."""
    jobs = [ShowContest(number).make_job(new.created), StartContest(number).make_job(new.starts)]
    if new.has_event:
        jobs.append(ShowEvent(number).make_job(new.created))
    if new.has_roles and new.first_season is not None:
        # Until the new season starts they are those of the one that has ended.
        jobs.append(GiveRoles(new.first_season).make_job(new.created))
    return jobs


async def join_contest(app: App, number: int, person: DiscordPerson, cause: str) -> ContestView:
    """Sign somebody up; raises DeclinedError if they are in, or it is full or no longer open.

    What they give to the dice is the id of the interaction, which Discord chose.
    """
    view = await load_contest(app, number)
    require_open(view.contest)
    await require_entry_role(app, view.contest, person)
    known = view.find_entrant(person.id)
    if known and known.left is None:
        raise DeclinedError(DeclineReason.CONTEST_JOINED, contest=view.contest.name)
    most = get_most_entrants(view.contest)
    if len(view.present) >= most:
        raise DeclinedError(DeclineReason.CONTEST_FULL, most=most)
    await app.save_people(person)
    now = app.clock()
    change = await app.store.contests.join(
        number, Entrant(person.id, cause, now), most, ShowContest(number).make_job(now)
    )
    return await finish_change(app, number, change)


async def leave_contest(app: App, number: int, person: int) -> ContestView:
    """Withdraw somebody, who then forfeits the matches that go on.

    Raises DeclinedError if they do not take part, or the league is over.
    """
    view = await load_contest(app, number)
    require_unfinished(view.contest)
    require_prepared(view.contest)
    require_entrant(view, person)
    now = app.clock()
    change = await app.store.contests.withdraw(
        number, person, now, build_withdrawal_jobs(view.contest, person, now)
    )
    return await finish_change(app, number, change)


def build_withdrawal_jobs(contest: Contest, person: int, now: int) -> Sequence[Job]:
    """Return the jobs that follow when somebody leaves a contest."""
    if contest.state is ContestState.OPEN:
        return [ShowContest(contest.id).make_job(now)]
    forfeited = ForfeitMatches(contest.id, person).make_job(now)
    return [forfeited, *build_update_jobs(contest, now)]


async def finish_change(app: App, number: int, change: ContestChange) -> ContestView:
    """Begin the jobs of a change, and return the contest after it.

    Raises DeclinedError if nothing was changed, since somebody else was quicker.
    """
    if not change.is_made:
        raise DeclinedError(DeclineReason.CONTEST_MOVED_ON)
    app.take(change.jobs)
    return await load_contest(app, number)


async def load_contest(app: App, number: int, guild: int | None = None) -> ContestView:
    """Return a contest, of that server if one is given; raises DeclinedError if there is none."""
    view = await app.store.contests.load_view(number)
    if view is None or guild not in (None, view.contest.guild):
        raise DeclinedError(DeclineReason.CONTEST_UNKNOWN)
    return view


async def find_contest(
    app: App,
    guild: int,
    typed: str,
    person: int | None = None,
    formats: Collection[ContestFormat] = LEAGUES,
) -> ContestView:
    """Return the contest of a server that somebody means by its name or number, or by neither.

    It is a league, or of the other `formats` if some are given. By neither it is the only one that
    goes on, or of several the only one in which the `person` takes part; where none goes on it is
    the latest. Raises DeclinedError if that is none, or several.
    """
    latest = await app.store.contests.load_latest(guild, MOST_LISTED, formats)
    if typed:
        return await _find_named(app, guild, typed, latest, formats)
    going_on = [each for each in latest if each.is_unfinished]
    if len(going_on) > 1 and person is not None:
        own = {each.id for each in await app.store.contests.load_by_person(person)}
        going_on = [each for each in going_on if each.id in own] or going_on
    if len(going_on) > 1:
        raise DeclinedError(DeclineReason.SAY_WHICH_CONTEST, league=formats == LEAGUES)
    meant = going_on or latest[:1]
    if not meant:
        raise DeclinedError(DeclineReason.NO_CONTEST, league=formats == LEAGUES)
    return await load_contest(app, meant[0].id)


async def _find_named(
    app: App,
    guild: int,
    typed: str,
    latest: Sequence[Contest],
    formats: Collection[ContestFormat],
) -> ContestView:
    if typed.isascii() and typed.isdigit() and len(typed) < LONGEST_NUMBER:
        view = await load_contest(app, int(typed), guild)
        if view.contest.format in formats:
            return view
    named = [each for each in latest if fold_text(each.name) == fold_text(typed)]
    if not named:
        raise DeclinedError(DeclineReason.CONTEST_UNKNOWN)
    # The latest of its seasons.
    return await load_contest(app, named[0].id)


def get_least_entrants(contest: Contest) -> int:
    """Return how many people a contest needs to start."""
    is_small = contest.format is ContestFormat.ROUND_ROBIN
    return LEAST_IN_ROUND_ROBIN if is_small else LEAST_ENTRANTS


def get_most_entrants(contest: Contest) -> int:
    """Return for how many people a contest has room."""
    is_small = contest.format is ContestFormat.ROUND_ROBIN
    most = MOST_IN_ROUND_ROBIN if is_small else MOST_ENTRANTS
    return min(contest.size or most, most)


async def require_entry_role(app: App, contest: Contest, person: DiscordPerson) -> None:
    """Raise DeclinedError if a person is known to lack a role that the players need."""
    servers.require_member_role(await app.store.servers.get(contest.guild), person)
    # Roles that are not known refuse nobody.
    if contest.role is not None and person.roles is not None and contest.role not in person.roles:
        raise DeclinedError(DeclineReason.NO_ENTRY_ROLE, role=contest.role, contest=contest.name)


def require_open(contest: Contest) -> None:
    """Raise DeclinedError unless people can sign up for a contest."""
    require_prepared(contest)
    if contest.state is not ContestState.OPEN:
        raise DeclinedError(DeclineReason.CONTEST_NOT_OPEN, contest=contest.name)


def require_prepared(contest: Contest) -> None:
    """Raise DeclinedError while the matches of a contest that starts are being created."""
    if contest.is_starting:
        raise DeclinedError(DeclineReason.CONTEST_STARTING, contest=contest.name)


def require_unfinished(contest: Contest) -> None:
    """Raise DeclinedError if a contest is over or was called off."""
    if not contest.is_unfinished:
        raise DeclinedError(DeclineReason.CONTEST_OVER, contest=contest.name)


def require_entrant(view: ContestView, person: int) -> Entrant:
    """Return somebody who takes part; raises DeclinedError for anyone else."""
    found = view.find_entrant(person)
    if found is None or found.left is not None:
        raise DeclinedError(DeclineReason.NOT_AN_ENTRANT, contest=view.contest.name)
    return found
