"""Leagues and tournaments: organise one, sign up for it, withdraw, and the jobs of all that."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.features.challenges.terms import MatchRequest, choose_pace, is_rated, parse_options
from bot.features.contests import tables
from bot.features.contests.formats import get_format, may_come_back
from bot.features.contests.standings import EDITION
from bot.features.contests.store import Contests
from bot.features.contests.tables import Contest, ContestView
from bot.features.matches.jobs import END_JOBS
from bot.features.matches.session import MatchSession
from bot.features.servers import service as servers
from bot.features.servers.service import REDRAW_JOBS
from bot.platform.context import App
from bot.platform.db.jobs import JobPayload, Subject
from bot.platform.db.rows import Job
from bot.platform.i18n.reader import DeclinedError, Reader, escape_text, mark_text
from bot.platform.people import DiscordPerson
from engine import dice
from engine.clock import DAY, SECOND
from engine.folding import fold_text
from engine.games import GAMES, find_game
from engine.rules import Game

MAX_REDRAWN = 25
"""Contests of a server that are drawn anew, where its language changes: the latest."""
SETTLE_MS = 2 * SECOND
"""Milliseconds after which a result is shown, so that several that come together are shown once."""


class ShowContest(JobPayload, kind="show contest", about=Subject.CONTEST, needs_server=True):
    """Let a contest go on as far as its results allow, and bring its message up to date."""

    contest: int


class ShowEvent(JobPayload, kind="show event", about=Subject.CONTEST, needs_server=True):
    """Bring a contest's event in its server up to date."""

    contest: int


class GiveRoles(JobPayload, kind="give roles", about=Subject.CONTEST, needs_server=True):
    """Bring up to date who has the roles of a league, which is named by its first season.

    So that of all its seasons one at a time does.
    """

    contest: int


class StartContest(
    JobPayload, kind="start contest", about=Subject.CONTEST, is_timed=True, is_postponed=True
):
    """Start a contest whose sign-up ends, or call it off if too few have signed up."""

    contest: int


class EndContest(
    JobPayload, kind="end contest", about=Subject.CONTEST, is_timed=True, is_postponed=True
):
    """Close the round of a contest whose deadline has come; a league has one."""

    contest: int


class DecideRound(JobPayload, kind="decide round", about=Subject.CONTEST, key="{contest}:{round}"):
    """Decide a contest's matches that go on in a round that is closed, and in earlier ones."""

    contest: int
    round: int


class ThrowOpening(JobPayload, kind="throw opening", about=Subject.MATCH):
    """Throw for who begins a match of a contest, which nobody starts by a press."""

    match: int


class NotifyOptional(
    JobPayload, kind="tell optional match", about=Subject.MATCH, key="{match} {person}"
):
    """Tell somebody that they may take a match as unplayed, as one has blocked the other."""

    match: int
    person: int


class ForfeitMatches(
    JobPayload, kind="forfeit matches", about=Subject.CONTEST, key="{contest}:{person}"
):
    """Let somebody who has withdrawn from a contest, or was removed, forfeit their matches."""

    contest: int
    person: int


class NotifyOrganiser(
    JobPayload,
    kind="notify organiser",
    about=Subject.CONTEST,
    key="{contest}:{round}",
    needs_server=True,
):
    """Say who organised a contest what its card says of people and roles that are missing.

    That is once for what is noticed before the round that follows `round`.
    """

    contest: int
    round: int


class AnnounceEnd(JobPayload, kind="announce end", about=Subject.CONTEST, needs_server=True):
    """Announce the end of a contest once, and bring that post up to date."""

    contest: int


class InvitePlayers(JobPayload, kind="invite players", about=Subject.CONTEST, needs_server=True):
    """Sign last season's players up for a season, and tell those who were since an instant."""

    contest: int
    since: int | None = None


class InviteDirectly(
    JobPayload,
    kind="invite directly",
    about=Subject.CONTEST,
    key="{contest}:{person}",
    needs_server=True,
):
    """Tell a player by direct message that a contest is over, or that the next season is open."""

    contest: int
    person: int


class FreePlace(JobPayload, kind="free place", about=Subject.CONTEST, key="{contest}:{person}"):
    """Annul the matches that go on of somebody in whose place another can play."""

    contest: int
    person: int


class AnnulMatches(JobPayload, kind="annul matches", about=Subject.CONTEST):
    """Annul the matches that go on in a contest that was called off."""

    contest: int


def build_notice_jobs(view: ContestView, now: int) -> Sequence[Job]:
    """Return the jobs by which everyone, and the organiser, sees what a contest is missing."""
    organiser = NotifyOrganiser(view.contest.id, view.round).build_job(now + SETTLE_MS)
    return [*build_update_jobs(view.contest, now), organiser]


def build_update_jobs(contest: Contest, now: int) -> Sequence[Job]:
    """Return the jobs by which everything that shows a contest is brought up to date."""
    jobs = [ShowContest(contest.id).build_job(now)]
    if contest.has_event:
        jobs.append(ShowEvent(contest.id).build_job(now))
    if contest.has_roles:
        jobs.append(GiveRoles(contest.series).build_job(now))
    if contest.previous is not None and contest.state is tables.ContestState.OPEN:
        # What is left of the last season says until when people can join.
        jobs.append(ShowContest(contest.previous).build_job(now))
    return jobs


def build_end_jobs(contest: Contest, now: int) -> Sequence[Job]:
    """Return the jobs that follow when a contest is over, or called off."""
    # Once the message of the next season is there.
    announced = AnnounceEnd(contest.id).build_job(now + SETTLE_MS)
    return [*build_update_jobs(contest, now), announced]


@END_JOBS.add()
def show_result(before: MatchSession, after: MatchSession, now: int) -> Sequence[Job]:
    """Show a contest as it stands once one of its matches is over, or annulled afterwards."""
    if after.row.contest is None:
        return []
    return [ShowContest(after.row.contest).build_job(now + SETTLE_MS)]


@REDRAW_JOBS.add()
async def load_redraw_jobs(app: App, guild: int) -> Sequence[Job]:
    """Return the jobs that draw a server's leagues and tournaments, and their events, anew."""
    now = app.clock()
    contests = await app.store.get(Contests).load_shown(guild, MAX_REDRAWN)
    return [job for each in contests for job in build_update_jobs(each, now)]


class ContestExcludedError(DeclinedError):
    contest: str
    sentence = mark_text(
        "You were removed from {contest}, or left it while it was played, so you can't join it "
        "again."
    )


class ContestFullError(DeclinedError):
    most: int
    sentence = mark_text("All {most} places are taken. If somebody withdraws, you can join.")


class TooManyGamesError(DeclinedError):
    most: int
    sentence = mark_text("There can be {most} games at most. Name fewer.")


class SeveralGamesError(DeclinedError):
    sentence = mark_text(
        "House rules can be chosen for one game only. Leave out either them or the other games."
    )


class ContestJoinedError(DeclinedError):
    contest: str
    sentence = mark_text("You've already joined {contest}.")


class ContestLeftError(DeclinedError):
    contest: str
    sentence = mark_text(
        "You've left {contest}, so you can't join it again. You can join the next one."
    )


class ContestMovedOnError(DeclinedError):
    sentence = mark_text(
        "It has changed in the meantime, so nothing was done. Look at it again before you "
        "repeat that."
    )


class NothingMissedError(DeclinedError):
    contest: str
    sentence = mark_text("You haven't missed a round of {contest}, so you play on as before.")


class ContestNotOpenError(DeclinedError):
    contest: str
    sentence = mark_text("Sign-up for {contest} is closed. You can join the next one.")


class ContestWaitingError(DeclinedError):
    contest: str
    sentence = mark_text("Sign-up for {contest} is closed until its organisers open it again.")


class ContestOverError(DeclinedError):
    contest: str
    sentence = mark_text("{contest} is over, so it can't be changed any more.")


class MayNotReplaceError(DeclinedError):
    sentence = mark_text(
        "Nobody can be replaced before the start, or in a knock-out. Remove them instead."
    )


class NobodyReturnsError(DeclinedError):
    contest: str
    sentence = mark_text("Everyone who played last time has joined {contest}, or sits it out.")


class ContestStartingError(DeclinedError):
    contest: str
    sentence = mark_text(
        "The matches of {contest} are being prepared. Please try again in a minute."
    )


class ContestUnknownError(DeclinedError):
    sentence = mark_text(
        "I don't know that league or tournament. Choose one of those that the command offers."
    )


class MatchBegunError(DeclinedError):
    match: int
    sentence = mark_text(
        "You've both played in match {match} already, so it can't be taken as unplayed. You "
        "can still resign it or offer a draw."
    )


class NoLeagueError(DeclinedError):
    sentence = mark_text(
        "There's no league in this server now. Its organisers can open one with `/league create`."
    )


class NoTournamentError(DeclinedError):
    sentence = mark_text(
        "There's no tournament in this server now. Its organisers can open one with "
        "`/tournament create`."
    )


class NoContestNameError(DeclinedError):
    sentence = mark_text("It needs a name with letters or digits, such as “Autumn league”.")


class NoEntryRoleError(DeclinedError):
    """Somebody lacks the role that the players of a contest need."""

    role: int
    contest: str

    def _format(self, say: Reader) -> str:
        return say(
            "Only members with the role {role} can join {contest}.",
            role=f"<@&{self.role}>",
            contest=escape_text(self.contest),
        )


class TeamContestError(DeclinedError):
    sentence = mark_text(
        "Leagues and tournaments are for games of one player a side. Choose another game, or "
        "other house rules."
    )


class NotAnEntrantError(DeclinedError):
    contest: str
    sentence = mark_text("You don't take part in {contest}.")


class SeveralLeaguesError(DeclinedError):
    sentence = mark_text(
        "There are several leagues here. Say which you mean with the option `league`."
    )


class SeveralTournamentsError(DeclinedError):
    sentence = mark_text(
        "There are several tournaments here. Say which you mean with the option `tournament`."
    )


class TooFewEntrantsError(DeclinedError):
    """Too few have signed up for a contest to start."""

    least: int
    n: int

    def _format(self, say: Reader) -> str:
        # Translators: it: the league or tournament.
        return say.plural(
            "It needs {least} players to start, and {n} has joined.",
            "It needs {least} players to start, and {n} have joined.",
            self.n,
            least=self.least,
        )


class TooManyContestsError(DeclinedError):
    most: int
    sentence = mark_text(
        "This server already has {most} leagues and tournaments that are open or being played, "
        "the most allowed. One has to end first."
    )


MAX_AT_ONCE = 50
"""Matches of a person in a contest that an organiser can let go on side by side."""
MAX_GAMES = 8
"""Games of a contest."""
MAX_CONTESTS = 10
"""Leagues and tournaments that a server can have open or running at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestOptions(tables.ContestSettings):
    """The terms of a contest as an organiser types or chooses them.

    `games` are names with commas between them; that of a family, such as Rumwoldstow, stands for
    its games. `rated` is None where the server decides.
    """

    name: str = ""
    games: str = ""
    options: str = ""
    rated: bool | None = None
    pace: str = ""
    sign_up_days: int


def _list_family(folded: str) -> list[Game]:
    return [game for game in GAMES.values() if folded == fold_text(game.family.name)]


def _find_games(typed: str) -> Iterator[Game]:
    names = [name.strip() for name in typed.split(",")]
    for name in filter(None, names) if any(names) else names:
        yield from _list_family(fold_text(name)) or [find_game(name)]


@dataclass(frozen=True, slots=True)
class CheckedTerms:
    """What a contest is called and what is played in it, once that was found to be possible."""

    name: str
    games: Sequence[Game]
    options: Mapping[str, str]


def check_terms(chosen: ContestOptions) -> CheckedTerms:
    """Return the name, games and house rules of a contest.

    Raises Refusal for a game or option that is not known, and DeclinedError.
    """
    games = list({game.slug: game for game in _find_games(chosen.games)}.values())
    options = parse_options(games[0], chosen.options)
    name = " ".join(chosen.name.split())
    if not fold_text(name):
        raise NoContestNameError
    if len(games) > MAX_GAMES:
        raise TooManyGamesError(MAX_GAMES)
    if len(games) > 1 and options:
        raise SeveralGamesError
    if any(game.resolve_rules(options).players > 1 for game in games):
        raise TeamContestError
    return CheckedTerms(name, games, options)


async def organise_contest(app: App, request: MatchRequest, chosen: ContestOptions) -> int:
    """Open a contest for sign-up and return its number.

    Raises Refusal for a game, option or pace that is not known, and DeclinedError.
    """
    terms = check_terms(chosen)
    rated = await is_rated(app, request.guild, wished=chosen.rated)
    pace = await choose_pace(app, request.guild, chosen.pace)
    server = await app.store.servers.load_settings(request.guild)
    servers.require_start_place(server, request.channel, request.parent)
    await require_room_for_contest(app, request.guild)
    await app.save_people(request.person)
    now = app.clock()
    # Drawn before anybody can sign up: only a secret that is fixed first proves that the dice were
    # not chosen to suit.
    secret = app.entropy(dice.SECRET_BYTES)
    new = tables.NewContest(
        guild=request.guild,
        channel=request.channel,
        name=terms.name,
        organiser=request.person.id,
        game=terms.games[0].slug,
        more_games=[game.slug for game in terms.games[1:]],
        options=terms.options,
        rated=rated,
        pace=pace.name,
        secret=secret,
        commitment=dice.compute_commitment(secret),
        created=now,
        starts=now + chosen.sign_up_days * DAY,
        edition=EDITION,
        **chosen.get_settings(),
    )
    number, jobs = await app.store.get(Contests).create(new, lambda at: build_opening_jobs(at, new))
    app.take(jobs)
    return number


async def require_room_for_contest(app: App, guild: int) -> None:
    """Raise DeclinedError if a server has as many contests going on as it can have."""
    if len(await app.store.get(Contests).load_by_server(guild)) >= MAX_CONTESTS:
        raise TooManyContestsError(MAX_CONTESTS)


def build_opening_jobs(number: int, new: tables.NewContest) -> Sequence[Job]:
    """Return the jobs that follow when a contest opens."""
    jobs = [ShowContest(number).build_job(new.created), StartContest(number).build_job(new.starts)]
    if new.has_event:
        jobs.append(ShowEvent(number).build_job(new.created))
    if new.has_roles and new.first_season is not None:
        # Until the new season starts they are those of the one that has ended.
        jobs.append(GiveRoles(new.first_season).build_job(new.created))
    return jobs


async def join_contest(app: App, number: int, person: DiscordPerson, cause: str) -> ContestView:
    """Sign somebody up; raises DeclinedError if they are in, or it is full or no longer open.

    What they give to the dice is the id of the interaction, which Discord chose.
    """
    view = await load_contest(app, number)
    require_open(view.contest)
    if view.contest.is_waiting:
        raise ContestWaitingError(view.contest.name)
    await require_entry_role(app, view.contest, person)
    known = view.find_entrant(person.id)
    if known and known.left is None:
        raise ContestJoinedError(view.contest.name)
    await require_not_excluded(app, view.contest, person.id)
    most = get_most_entrants(view.contest)
    if len(view.present) >= most:
        raise ContestFullError(most)
    await app.save_people(person)
    now = app.clock()
    change = await app.store.get(Contests).join(
        number, tables.Entrant(person.id, cause, now), most, ShowContest(number).build_job(now)
    )
    return await finish_change(app, number, change)


async def leave_contest(app: App, number: int, person: int) -> ContestView:
    """Withdraw somebody, who then forfeits the matches that go on.

    Raises DeclinedError if they do not take part, or the contest is over.
    """
    view = await load_contest(app, number)
    require_unfinished(view.contest)
    require_prepared(view.contest)
    require_entrant(view, person)
    now = app.clock()
    change = await app.store.get(Contests).withdraw(
        number, person, now, build_withdrawal_jobs(view.contest, person, now)
    )
    return await finish_change(app, number, change)


def build_withdrawal_jobs(contest: Contest, person: int, now: int) -> Sequence[Job]:
    """Return the jobs that follow when somebody leaves a contest."""
    if contest.state is tables.ContestState.OPEN:
        return [ShowContest(contest.id).build_job(now)]
    forfeited = ForfeitMatches(contest.id, person).build_job(now)
    return [forfeited, *build_update_jobs(contest, now)]


def build_departure_jobs(view: ContestView, departed: Collection[int], now: int) -> Sequence[Job]:
    """Return the jobs that follow when people turn out to be no longer there."""
    # Before the start there is nothing to forfeit.
    leaving = () if view.contest.state is tables.ContestState.OPEN else departed
    forfeited = [ForfeitMatches(view.contest.id, person).build_job(now) for person in leaving]
    return [*forfeited, *build_notice_jobs(view, now)]


async def release_role(app: App, guild: int, role: int) -> None:
    """Let everybody join the contests that needed a role which was deleted."""
    now = app.clock()
    for contest in await app.store.get(Contests).load_by_server(guild):
        if contest.role == role:
            view = await load_contest(app, contest.id)
            jobs = build_notice_jobs(view, now)
            app.take((await app.store.get(Contests).release_role(contest.id, role, jobs)).jobs)


async def come_back(app: App, number: int, person: DiscordPerson) -> ContestView:
    """Let somebody who sat out a Swiss, or was withdrawn, play from the next round on.

    Raises DeclinedError if they have missed nothing, or no round is left.
    """
    view = await load_contest(app, number)
    own = require_known_entrant(view, person.id)
    is_missing = own.departure is not None or own in get_format(view.contest).list_no_shows(view)
    if not is_missing:
        raise NothingMissedError(view.contest.name)
    if not may_come_back(view, person.id):
        raise ContestNotOpenError(view.contest.name)
    await require_entry_role(app, view.contest, person)
    shown = build_update_jobs(view.contest, app.clock())
    return await finish_change(
        app, number, await app.store.get(Contests).bring_back(number, person.id, shown)
    )


async def finish_change(app: App, number: int, change: tables.CompetitionChange) -> ContestView:
    """Begin the jobs of a change, and return the contest after it.

    Raises DeclinedError if nothing was changed, since somebody else was quicker.
    """
    if not change.is_made:
        raise ContestMovedOnError
    app.take(change.jobs)
    return await load_contest(app, number)


async def load_contest(
    app: App,
    number: int,
    guild: int | None = None,
    formats: Collection[tables.ContestFormat] = tuple(tables.ContestFormat),
) -> ContestView:
    """Return a contest of some formats, of that server if one is given.

    Raises DeclinedError if there is none.
    """
    view = await app.store.get(Contests).load_view(number)
    if (
        view is None
        or guild not in (None, view.contest.guild)
        or view.contest.format not in formats
    ):
        raise ContestUnknownError
    return view


async def load_latest(
    app: App, guild: int, most: int, formats: Collection[tables.ContestFormat]
) -> Sequence[Contest]:
    """Return a server's latest contests of some formats."""
    return await app.store.get(Contests).load_latest(guild, most, formats)


async def load_own_contests(app: App, _: Sequence[Contest], person: int) -> Collection[int]:
    """Return the unfinished contests in which somebody takes part."""
    return {each.id for each in await app.store.get(Contests).load_by_person(person)}


def get_most_entrants(contest: Contest) -> int:
    """Return for how many people a contest has room."""
    most = get_format(contest).most
    return min(contest.size or most, most)


async def require_entry_role(app: App, contest: Contest, person: DiscordPerson) -> None:
    """Raise DeclinedError if a person is known to lack a role that the players need."""
    servers.require_member_role(await app.store.servers.load_settings(contest.guild), person)
    # Roles that are not known refuse nobody.
    if contest.role is not None and person.roles is not None and contest.role not in person.roles:
        raise NoEntryRoleError(role=contest.role, contest=contest.name)


async def require_not_excluded(app: App, contest: Contest, person: int) -> None:
    """Raise DeclinedError for somebody who was removed, also after they had their data deleted."""
    if await app.store.get(Contests).is_excluded(contest.id, person):
        raise ContestExcludedError(contest.name)


async def lacks_entry_role(app: App, contest: Contest, person: DiscordPerson) -> bool:
    """Return whether a person is known to lack a role that the players need."""
    try:
        await require_entry_role(app, contest, person)
    except DeclinedError:
        return True
    return False


def require_open(contest: Contest) -> None:
    """Raise DeclinedError unless people can sign up for a contest."""
    require_prepared(contest)
    if contest.state is not tables.ContestState.OPEN:
        raise ContestNotOpenError(contest.name)


def require_prepared(contest: Contest) -> None:
    """Raise DeclinedError while the matches of a contest that starts are being created."""
    if contest.is_starting:
        raise ContestStartingError(contest.name)


def require_unfinished(contest: Contest) -> None:
    """Raise DeclinedError if a contest is over or was called off."""
    if not contest.is_unfinished:
        raise ContestOverError(contest.name)


def require_entrant(view: ContestView, person: int) -> tables.Entrant:
    """Return somebody who takes part; raises DeclinedError for anyone else."""
    found = require_known_entrant(view, person)
    if found.left is not None:
        raise NotAnEntrantError(view.contest.name)
    return found


def require_known_entrant(view: ContestView, person: int) -> tables.Entrant:
    """Return somebody who takes part, or no longer does; raises DeclinedError for anyone else."""
    found = view.find_entrant(person)
    if found is None:
        raise NotAnEntrantError(view.contest.name)
    return found
