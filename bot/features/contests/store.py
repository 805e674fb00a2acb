"""Leagues, their entrants and pairings; how a season starts, and how results are kept."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, TypeAlias

from sqlalchemy import (
    Connection,
    Select,
    and_,
    exists,
    insert,
    select,
    update,
)
from sqlalchemy.sql.elements import ColumnElement

from bot.features.contests.fetching import (
    fetch_first_divisions,
    fetch_origin,
    fetch_view,
    make_contest,
)
from bot.features.contests.rows import (
    Contest,
    ContestChange,
    ContestRuling,
    ContestState,
    ContestView,
    Entrant,
    NewContest,
    NewPairing,
    SeasonPlan,
)
from bot.features.contests.tables import entrants, pairings, rulings
from bot.features.matches.secret_origin import SecretOrigin
from bot.features.matches.store import insert_match
from bot.platform.db.database import Database
from bot.platform.db.jobs import enqueue_jobs, finish_job
from bot.platform.db.rows import Job, MatchUpdate, QueuedJob
from bot.platform.db.sealing import get_seal
from bot.platform.db.statements import lock_rows
from bot.platform.db.tables import IS_UNFINISHED, events
from bot.platform.db.tables import contests as table
from engine.outcome import ABORTED
from engine.position import Side

_DECISIONS = ("played", "chosen", "left")
"""The records of what people decide themselves."""


MakePlan: TypeAlias = Callable[[ContestView], SeasonPlan]
"""Plans the season of those who take part as they are when it starts."""
MakeLatePlan: TypeAlias = Callable[[ContestView], tuple[int, Sequence[NewPairing]]]
"""Returns the division of somebody who comes late, and whom they meet there."""
JobsAfterStart: TypeAlias = Callable[[Sequence[int], int], Sequence[Job]]
"""The jobs that follow when the matches of those numbers begin, given the deadline."""


class Contests:
    """Leagues by their number."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(
        self, new: NewContest, jobs: Callable[[int], Sequence[Job]]
    ) -> tuple[int, tuple[QueuedJob, ...]]:
        """Keep a new league, and return its number and the jobs that follow."""

        def work(connection: Connection) -> tuple[int, tuple[QueuedJob, ...]]:
            number = _insert_contest(connection, new)
            return number, enqueue_jobs(connection, new.guild, jobs(number))

        return await self._database.write(work)

    async def get(self, number: int) -> Contest | None:
        """Return a league, or None."""
        found = await self._load_where(table.c.id == number)
        return found[0] if found else None

    async def load_several(self, numbers: set[int]) -> dict[int, Contest]:
        """Return those of some leagues that there are, by their numbers."""
        return {each.id: each for each in await self._load_where(table.c.id.in_(numbers))}

    async def load_view(self, number: int) -> ContestView | None:
        """Return a league with everybody in it, as it is at one moment; None if there is none."""
        return await self._database.read(lambda connection: fetch_view(connection, number))

    async def load_origin(self, match: int) -> SecretOrigin | None:
        """Return where the secret of a league's match comes from; None for other matches."""
        return await self._database.read(lambda connection: fetch_origin(connection, match))

    async def load_by_server(self, guild: int) -> list[Contest]:
        """Return a server's leagues that people can sign up for or that are played."""
        return await self._load_where(and_(table.c.guild == guild, IS_UNFINISHED))

    async def load_latest(self, guild: int, most: int) -> list[Contest]:
        """Return a server's leagues of every state, the latest first."""
        query = select(table).where(table.c.guild == guild).order_by(table.c.id.desc()).limit(most)
        return await self._load(query)

    async def load_by_person(self, person: int) -> list[Contest]:
        """Return the unfinished leagues of every server in which somebody takes part."""
        theirs = exists().where(
            entrants.c.contest == table.c.id,
            entrants.c.person == person,
            entrants.c.left.is_(None),
        )
        return await self._load_where(and_(IS_UNFINISHED, theirs))

    async def load_first_divisions(self, guild: int, person: int, most: int) -> list[ContestView]:
        """Return the latest leagues of a server that are over and that somebody might have won.

        Those are the ones in whose first division they were, and of these all that is returned is
        that division.
        """
        # By the person's own index, however many leagues the server has had.
        theirs = (
            select(entrants.c.contest)
            .join(table)
            .where(entrants.c.person == person, entrants.c.division == 0)
            .where(table.c.guild == guild, table.c.state == ContestState.OVER)
            .order_by(entrants.c.contest.desc())
            .limit(most)
        )
        return await self._database.read(
            lambda connection: fetch_first_divisions(
                connection, list(connection.execute(theirs).scalars())
            )
        )

    async def load_channels(self, numbers: set[int]) -> dict[int, frozenset[int]]:
        """Return the channels in which those leagues are shown."""
        query = select(table.c.id, table.c.channel).where(table.c.id.in_(numbers))
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return {number: frozenset({channel}) for number, channel in found}

    async def find_existing(self, numbers: set[int]) -> set[int]:
        """Return which of those leagues there are."""
        query = select(table.c.id).where(table.c.id.in_(numbers))
        return await self._database.read(
            lambda connection: set(connection.execute(query).scalars())
        )

    async def find_next_season(self, number: int) -> int | None:
        """Return the league that follows one as its next season, if any does."""
        query = select(table.c.id).where(table.c.previous == number)
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    async def _load_where(self, which: ColumnElement[bool]) -> list[Contest]:
        return await self._load(select(table).where(which).order_by(table.c.id))

    async def _load(self, query: Select[*tuple[Any, ...]]) -> list[Contest]:
        return await self._database.read(
            lambda connection: [
                make_contest(connection, row) for row in connection.execute(query).mappings()
            ]
        )

    async def join(self, number: int, entrant: Entrant, most: int, job: Job) -> ContestChange:
        """Let somebody sign up for an open league with room; who has withdrawn can join again."""

        def work(connection: Connection) -> ContestChange:
            before = _lock_view(connection, number)
            known = before.find_entrant(entrant.person) if before else None
            if before is None or before.contest.state is not ContestState.OPEN:
                return ContestChange(is_made=False)
            if (known and known.left is None) or len(before.present) >= most:
                return ContestChange(is_made=False)
            if known is None:
                connection.execute(insert(entrants).values(contest=number, **asdict(entrant)))
            else:
                # With what they give to the dice now: the league's secret was fixed before either.
                again = {"contribution": entrant.contribution, "joined": entrant.joined}
                _update_entrant(connection, number, entrant.person, {**again, "left": None})
            return _finish_change(connection, before.contest, [job])

        return await self._database.write(work)

    async def withdraw(
        self,
        number: int,
        person: int,
        now: int,
        jobs: Sequence[Job],
        ruling: ContestRuling | None = None,
    ) -> ContestChange:
        """Let somebody withdraw, or be removed by a ruling, from an unfinished league."""

        def work(connection: Connection) -> ContestChange:
            before = _lock_view(connection, number)
            known = before.find_entrant(person) if before else None
            if before is None or not before.contest.is_unfinished:
                return ContestChange(is_made=False)
            if known is None or known.left is not None:
                return ContestChange(is_made=False)
            _update_entrant(connection, number, person, {"left": now})
            return _finish_change(connection, before.contest, jobs, ruling)

        return await self._database.write(work)

    async def start(
        self,
        number: int,
        now: int,
        make_plan: MakePlan,
        jobs: JobsAfterStart,
        ruling: ContestRuling | None = None,
    ) -> ContestChange:
        """Start an open league: divide and pair its people, and begin all their matches.

        All of it is done in one transaction, so a league is paired once, however often it is tried
        and by whomever.
        """

        def work(connection: Connection) -> ContestChange:
            before = _lock_view(connection, number)
            if before is None or before.contest.state is not ContestState.OPEN:
                return ContestChange(is_made=False)
            plan = make_plan(before)
            begun = _begin_season(connection, number, now, plan)
            return _finish_change(connection, before.contest, jobs(begun, plan.ends), ruling)

        return await self._database.write(work)

    async def add_late(
        self,
        number: int,
        entrant: Entrant,
        make_plan: MakeLatePlan,
        jobs: Callable[[Sequence[int]], Sequence[Job]],
    ) -> ContestChange:
        """Add somebody to a league that is played, and begin their matches, all or nothing.

        Who has been in it before is not added again.
        """

        def work(connection: Connection) -> ContestChange:
            before = _lock_view(connection, number)
            if before is None or before.contest.state is not ContestState.RUNNING:
                return ContestChange(is_made=False)
            if before.find_entrant(entrant.person) is not None:
                return ContestChange(is_made=False)
            division, beginnings = make_plan(before)
            placed = replace(entrant, division=division, seed=len(before.entrants))
            connection.execute(insert(entrants).values(contest=number, **asdict(placed)))
            begun = _begin_matches(connection, number, len(before.pairings), beginnings)
            return _finish_change(connection, before.contest, jobs(begun))

        return await self._database.write(work)

    async def postpone(
        self, number: int, by: int, jobs: Callable[[Contest], Sequence[Job]], ruling: ContestRuling
    ) -> ContestChange:
        """Let sign-up, or the matches of a league that goes on, last so much longer."""

        def work(connection: Connection) -> ContestChange:
            before = _lock_view(connection, number)
            if before is None or not before.contest.is_unfinished:
                return ContestChange(is_made=False)
            is_open = before.contest.state is ContestState.OPEN
            column = table.c.starts if is_open else table.c.ends
            _update_contest(connection, number, {column.name: column + by})
            after = fetch_view(connection, number)
            assert after is not None
            return _finish_change(connection, after.contest, jobs(after.contest), ruling)

        return await self._database.write(work)

    async def close(
        self,
        number: int,
        jobs: Sequence[Job],
        following: NewContest | None = None,
        following_jobs: Callable[[int], Sequence[Job]] = lambda _: (),
    ) -> ContestChange:
        """End a league whose matches are all over, and open the one that follows it, if any.

        Its secret is public from then on.
        """

        def work(connection: Connection) -> ContestChange:
            before = _lock_view(connection, number)
            if before is None or before.contest.state is not ContestState.RUNNING:
                return ContestChange(is_made=False)
            if before.list_running():
                return ContestChange(is_made=False)
            _end_contest(connection, before.contest, ContestState.OVER)
            opened = following_jobs(_insert_contest(connection, following)) if following else ()
            return _finish_change(connection, before.contest, [*jobs, *opened])

        return await self._database.write(work)

    async def cancel(
        self, number: int, jobs: Sequence[Job], ruling: ContestRuling | None = None
    ) -> ContestChange:
        """Call an unfinished league off."""

        def work(connection: Connection) -> ContestChange:
            before = _lock_view(connection, number)
            if before is None or not before.contest.is_unfinished:
                return ContestChange(is_made=False)
            _end_contest(connection, before.contest, ContestState.CANCELLED)
            return _finish_change(connection, before.contest, jobs, ruling)

        return await self._database.write(work)

    async def save_message(
        self, number: int, message: int, before: int | None, done: QueuedJob
    ) -> bool:
        """Remember the message that shows a league, and that a job is done.

        Return False, changing neither, where another message shows it by now.
        """
        as_read = and_(table.c.id == number, table.c.message.is_not_distinct_from(before))

        def work(connection: Connection) -> bool:
            shown = update(table).where(as_read).values(message=message)
            if connection.execute(shown).rowcount != 1:
                return False
            finish_job(connection, done)
            return True

        return await self._database.write(work)

    async def load_decisions(self, numbers: Sequence[int]) -> dict[int, set[int]]:
        """Return who has decided anything in each of those matches."""
        query = select(events.c.match, events.c.person, events.c.record).where(
            events.c.match.in_(numbers), events.c.person.is_not(None)
        )
        found = await self._database.read(lambda connection: connection.execute(query).all())
        acted: dict[int, set[int]] = {number: set() for number in numbers}
        for match, person, record in found:
            # What is forced follows from another's act, and is kept under their name.
            if record["event"] in _DECISIONS and not record.get("forced"):
                acted[match].add(person)
        return acted


def write_update(
    connection: Connection, match: int, step: MatchUpdate, winner_before: str | None
) -> None:
    """Keep what came of a match in its league, also when it is annulled afterwards."""
    ending = step.ending
    if ending is None:
        return
    winner = ending.winner
    if ending.how == ABORTED:
        # In a league nobody can leave a match as if it had not been.
        winner = Side(ending.parts["side"]).other.value
    won = next((person for person, side in ending.sides.items() if side == winner), None)
    result = {"winner": won, "how": ending.how}
    connection.execute(update(pairings).where(pairings.c.match == match).values(result))


def _insert_contest(connection: Connection, new: NewContest) -> int:
    values = {**asdict(new), "secret": get_seal(connection).seal(new.secret)}
    return int(connection.execute(insert(table).values(values).returning(table.c.id)).scalar_one())


def _begin_season(connection: Connection, number: int, now: int, plan: SeasonPlan) -> list[int]:
    """Divide and pair people, begin their matches, and return the matches in order."""
    begun = _begin_matches(connection, number, 0, plan.pairings)
    in_order = (
        (division, person) for division, them in enumerate(plan.divisions) for person in them
    )
    for seed, (division, person) in enumerate(in_order):
        _update_entrant(connection, number, person, {"division": division, "seed": seed})
    _update_contest(
        connection, number, {"state": ContestState.RUNNING, "began": now, "ends": plan.ends}
    )
    return begun


def _begin_matches(
    connection: Connection, number: int, known: int, planned: Sequence[NewPairing]
) -> list[int]:
    """Begin the matches of pairings that come after those `known`; return them in order."""
    begun = []
    for at, pairing in enumerate(planned, known + 1):
        begun.append(insert_match(connection, pairing.beginning))
        values = {
            "contest": number,
            "number": at,
            "division": pairing.division,
            "first": pairing.first,
            "second": pairing.second,
            "match": begun[-1],
        }
        connection.execute(insert(pairings).values(values))
    return begun


def _end_contest(connection: Connection, contest: Contest, state: ContestState) -> None:
    # From now on its secret is public, and checking it needs no key.
    _update_contest(connection, contest.id, {"state": state, "secret": contest.secret})


def _update_contest(connection: Connection, number: int, values: Mapping[str, Any]) -> None:
    connection.execute(update(table).where(table.c.id == number).values(values))


def _update_entrant(
    connection: Connection, number: int, person: int, values: Mapping[str, Any]
) -> None:
    own = and_(entrants.c.contest == number, entrants.c.person == person)
    connection.execute(update(entrants).where(own).values(values))


def _finish_change(
    connection: Connection,
    contest: Contest,
    jobs: Sequence[Job],
    ruling: ContestRuling | None = None,
) -> ContestChange:
    if ruling:
        connection.execute(insert(rulings).values(asdict(ruling)))
    return ContestChange(is_made=True, jobs=enqueue_jobs(connection, contest.guild, jobs))


def _lock_view(connection: Connection, number: int) -> ContestView | None:
    """Return a league that nobody else can change until the transaction ends."""
    lock_rows(connection, table.c.id, [number])
    return fetch_view(connection, number)
