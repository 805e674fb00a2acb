"""Contests, their entrants and pairings, events and roles: what is read, and what changes them."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from fractions import Fraction
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

import sqlalchemy as sa
from sqlalchemy.sql.elements import ColumnElement

from bot.features.contests.formats import may_come_back
from bot.features.contests.standings import Bye
from bot.features.contests.tables import (
    IS_UNFINISHED,
    UNFINISHED,
    CompetitionChange,
    Contest,
    ContestFormat,
    ContestRole,
    ContestRuling,
    ContestState,
    ContestView,
    Departure,
    Entrant,
    LatePlan,
    NewContest,
    NewPairing,
    Pairing,
    RoundPlan,
    RulingAction,
    SeasonPlan,
    ServerProblem,
    UnfinishedRule,
    byes,
    entrants,
    pairings,
    role_holders,
    roles,
    rulings,
)
from bot.features.contests.tables import contests as table
from bot.features.matches.proof import SecretOrigin
from bot.features.matches.rows import MatchUpdate
from bot.features.matches.store import END_WRITERS, insert_match
from bot.features.matches.tables import events, matches
from bot.platform.db import exclusions
from bot.platform.db.database import StorePart, find_existing, lock_rows, reading, writing
from bot.platform.db.exclusions import ExclusionScope
from bot.platform.db.jobs import bring_jobs_forward, enqueue_jobs, finish_job
from bot.platform.db.pauses import ACTIVITIES, DEADLINES, ActiveRows, Deadline, end_stoppage
from bot.platform.db.rows import Job, QueuedJob, StoppageScope
from bot.platform.db.sealing import DROPPED, SEALED_ROWS, SealedRows, get_seal
from bot.platform.db.tables import stoppages
from engine.outcome import ABORTED
from engine.position import Side

_ENTRANT = [entrants.c[field.name] for field in fields(Entrant)]
_PAIRING = [
    matches.c.game if field.name == "game" else pairings.c[field.name] for field in fields(Pairing)
]
_RULING = [rulings.c[field.name] for field in fields(ContestRuling)]
_Row = TypeVar("_Row")


def load_view(connection: sa.Connection, number: int) -> ContestView | None:
    """Return a contest with everybody in it; None if there is none."""
    return next(iter(load_views(connection, [number])), None)


def _is_played_by(person: int) -> ColumnElement[bool]:
    """Return the condition that a contest is unfinished, and that somebody takes part in it."""
    theirs = sa.select(entrants.c.contest).where(
        entrants.c.person == person, entrants.c.left.is_(None)
    )
    return sa.and_(IS_UNFINISHED, table.c.id.in_(theirs))


def _build_parts(*, of_division: bool) -> tuple[sa.Select[Any], ...]:
    """Return what asks for entrants, pairings, byes and rulings of contests, or of a division."""

    def build(
        owner: sa.Table, columns: Sequence[ColumnElement[Any]], *order: ColumnElement[Any]
    ) -> sa.Select[Any]:
        query = sa.select(owner.c.contest, *columns).where(owner.c.contest.in_(_NUMBERS))
        if of_division and "division" in owner.c:
            query = query.where(owner.c.division == sa.bindparam("shown"))
        return query.order_by(*order)

    played = pairings.join(matches, pairings.c.match == matches.c.id)
    free = [byes.c.round, byes.c.person]
    return (
        build(entrants, _ENTRANT, entrants.c.seed, entrants.c.joined, entrants.c.person),
        build(pairings, _PAIRING, pairings.c.number).select_from(played),
        build(byes, [*free, byes.c.half_points], *free),
        build(rulings, _RULING, rulings.c.id),
    )


_NUMBERS: sa.BindParameter[int] = sa.bindparam("numbers", type_=sa.BigInteger, expanding=True)
# Every act in a contest asks for these, and they take longer to build than to run.
_OWN_ROWS = sa.select(table).where(table.c.id.in_(_NUMBERS))
_ALL_PARTS = _build_parts(of_division=False)
_PARTS_OF_DIVISION = _build_parts(of_division=True)


def _group_by_contest(
    rows: Iterable[Sequence[Any]], numbers: Sequence[int]
) -> dict[int, list[Sequence[Any]]]:
    found: dict[int, list[Sequence[Any]]] = {number: [] for number in numbers}
    for number, *values in rows:
        found[number].append(values)
    return found


def load_views(
    connection: sa.Connection, numbers: Sequence[int], division: int | None = None
) -> list[ContestView]:
    """Return contests in that order: with everybody in them, or with one of their divisions."""

    if not numbers:
        return []
    which = {"numbers": list(numbers), "shown": division}
    own = connection.execute(_OWN_ROWS, which).mappings()
    contests = {row["id"]: build_contest(connection, row) for row in own}
    joined, paired, free, ruled = (
        _group_by_contest(connection.execute(query, which), numbers)
        for query in (_ALL_PARTS if division is None else _PARTS_OF_DIVISION)
    )
    return [
        ContestView(
            contests[number],
            tuple(_parse_departure(Entrant(*each)) for each in joined[number]),
            tuple(Pairing(*each) for each in paired[number]),
            tuple(Bye(at, person, Fraction(halves, 2)) for at, person, halves in free[number]),
            tuple(
                ContestRuling(contest, at, moderator, RulingAction(action), reason, person)
                for contest, at, moderator, action, reason, person in ruled[number]
            ),
        )
        for number in numbers
        if number in contests
    ]


def _parse_departure(entrant: Entrant) -> Entrant:
    if entrant.departure is None:
        return entrant
    return replace(entrant, departure=Departure(entrant.departure))


def _find_next_season(connection: sa.Connection, number: int) -> ContestView | None:
    query = sa.select(table.c.id).where(table.c.previous == number)
    return next(iter(load_views(connection, list(connection.execute(query).scalars()))), None)


def load_origin(connection: sa.Connection, match: int) -> SecretOrigin | None:
    """Return from which contest's secret that of a match is derived; None outside contests."""
    other = pairings.alias()
    running = sa.exists().where(other.c.contest == table.c.id, other.c.how.is_(None))
    query = (
        sa.select(
            table.c.commitment,
            table.c.secret,
            table.c.state,
            table.c.posted_digits,
            pairings.c.number,
            running,
        )
        .join(pairings, pairings.c.contest == table.c.id)
        .where(pairings.c.match == match)
    )
    found = connection.execute(query).first()
    # Where the contest's secret is lost nothing is derived from it any more.
    if found is None or found.secret == DROPPED:
        return None
    commitment, kept, state, posted, number, goes_on = found
    # A contest that was called off has matches until they are annulled, and this secret would tell
    # their throws.
    is_public = state not in UNFINISHED and not goes_on
    secret = get_seal(connection).unseal(kept) if is_public else None
    return SecretOrigin(commitment, number, secret, posted)


def build_contest(connection: sa.Connection, row: sa.RowMapping) -> Contest:
    """Return the contest that a row is, its secret unsealed."""
    values = {
        **row,
        "secret": get_seal(connection).unseal(row["secret"]),
        "format": ContestFormat(row["format"]),
        "state": ContestState(row["state"]),
        "unfinished": UnfinishedRule(row["unfinished"]),
    }
    if values.pop("by_clock"):
        values["unfinished"] = UnfinishedRule.CLOCK
    for name in ("event_problem", "roles_problem"):
        values[name] = ServerProblem(row[name]) if row[name] else None
    return Contest(**values)


_ACTS = ("thrown", "played", "chosen", "left")
"""The records of what people do themselves."""
_AUTOMATIC = "throw "
"""How the cause of a throw begins that is made for somebody who wants automatic throws."""


class CompetitionStore(StorePart, Generic[_Row]):
    """What is read and written in the same way of contests and of ladders."""

    table: ClassVar[sa.Table]
    scope: ClassVar[ExclusionScope]

    @staticmethod
    def _build(connection: sa.Connection, row: sa.RowMapping) -> _Row:
        """Return what a row is."""
        raise NotImplementedError

    async def load_several(self, numbers: set[int]) -> dict[int, _Row]:
        """Return those of some numbers that there are."""
        theirs = sa.select(self.table).where(self.table.c.id.in_(numbers))
        return await self._database.read(
            lambda connection: {
                row["id"]: self._build(connection, row)
                for row in connection.execute(theirs).mappings()
            }
        )

    async def find_existing(self, numbers: set[int]) -> set[int]:
        """Return which of some numbers there are."""
        return await self._database.read(
            lambda connection: find_existing(connection, self.table.c.id, numbers)
        )

    async def load_channels(self, numbers: Collection[int]) -> dict[int, frozenset[int]]:
        """Return the channels in which those of some numbers are shown."""
        query = sa.select(self.table.c.id, self.table.c.channel).where(self.table.c.id.in_(numbers))
        found = await self._load_rows(query)
        return {number: frozenset({channel}) for number, channel in found}

    async def is_excluded(self, number: int, person: int) -> bool:
        """Whether somebody was removed, or left what was played and had their data deleted."""
        return await self._database.read(
            lambda connection: exclusions.is_excluded(connection, self.scope, number, person)
        )

    async def save_message(
        self, number: int, message: int, before: int | None, done: QueuedJob, **shown: int
    ) -> bool:
        """Remember the message that shows one, and that a job is done.

        Return False, changing nothing, where another message shows it by now. `shown` is what else
        is kept of the message, by its column.
        """
        return await self._save_post(number, before, done, {"message": message, **shown})

    @writing
    def _save_post(
        self,
        connection: sa.Connection,
        number: int,
        before: int | None,
        done: QueuedJob,
        values: Mapping[str, int],
    ) -> bool:
        """Remember a message, the first of the values, unless there is another than before."""
        column = self.table.c[next(iter(values))]
        as_read = sa.and_(self.table.c.id == number, column.is_not_distinct_from(before))
        changed = sa.update(self.table).where(as_read).values(**values)
        if connection.execute(changed).rowcount != 1:
            return False
        finish_job(connection, done)
        return True

    async def _load_where(self, which: ColumnElement[bool]) -> list[_Row]:
        return await self._load(sa.select(self.table).where(which).order_by(self.table.c.id))

    async def _load(self, query: sa.Select[*tuple[Any, ...]]) -> list[_Row]:
        return await self._database.read(
            lambda connection: [
                self._build(connection, row) for row in connection.execute(query).mappings()
            ]
        )


class ContestQueries(CompetitionStore[Contest]):
    """Contests as they are at one moment."""

    table = table
    scope = ExclusionScope.CONTEST
    _build = staticmethod(build_contest)

    async def load_contest(self, number: int) -> Contest | None:
        """Return a contest, or None."""
        found = await self._load_where(table.c.id == number)
        return found[0] if found else None

    async def load_view(self, number: int) -> ContestView | None:
        """Return a contest with everybody in it, as it is at one moment; None if there is none."""
        return await self._database.read(lambda connection: load_view(connection, number))

    async def load_origin(self, match: int) -> SecretOrigin | None:
        """Return where the secret of a contest's match comes from; None for other matches."""
        return await self._database.read(lambda connection: load_origin(connection, match))

    async def load_shown(self, guild: int, most: int) -> list[Contest]:
        """Return a server's latest contests of those that go on, or whose end was announced."""
        shown = sa.or_(IS_UNFINISHED, table.c.closing.is_not(None))
        theirs = sa.and_(table.c.guild == guild, shown)
        return await self._load(
            sa.select(table).where(theirs).order_by(table.c.id.desc()).limit(most)
        )

    async def load_by_server(self, guild: int) -> list[Contest]:
        """Return a server's contests that people can sign up for or that are played."""
        return await self._load_where(sa.and_(table.c.guild == guild, IS_UNFINISHED))

    async def load_latest(
        self, guild: int, most: int, formats: Collection[ContestFormat] = tuple(ContestFormat)
    ) -> list[Contest]:
        """Return a server's contests of some formats and every state, the latest first."""
        theirs = sa.and_(table.c.guild == guild, table.c.format.in_(formats))
        return await self._load(
            sa.select(table).where(theirs).order_by(table.c.id.desc()).limit(most)
        )

    async def load_by_person(self, person: int) -> list[Contest]:
        """Return the unfinished contests of every server in which somebody takes part."""
        return await self._load_where(_is_played_by(person))

    @reading
    def load_views_by_person(self, connection: sa.Connection, person: int) -> list[ContestView]:
        """Return the same with everybody in them, in a few statements for all of them together."""
        numbers = sa.select(table.c.id).where(_is_played_by(person)).order_by(table.c.id)
        return load_views(connection, connection.execute(numbers).scalars().all())

    async def load_left_by_person(self, person: int, since: int) -> list[Contest]:
        """Return what somebody took part in that is over, called off or that they have left.

        Only what would still go on at an instant by its own time, or later.
        """
        own = sa.exists().where(
            entrants.c.contest == table.c.id,
            entrants.c.person == person,
            sa.or_(entrants.c.left.is_not(None), table.c.state.not_in(UNFINISHED)),
        )
        # By the person's own index, however many contests there are.
        theirs = sa.select(entrants.c.contest).where(entrants.c.person == person)
        late = sa.func.coalesce(table.c.ends, table.c.starts) > since
        return await self._load_where(sa.and_(table.c.id.in_(theirs), own, late))

    async def load_first_divisions(self, guild: int, person: int, most: int) -> list[ContestView]:
        """Return the latest contests of a server that are over and that somebody might have won.

        Those are the ones in whose first division they were, and of these all that is returned is
        that division.
        """
        # By the person's own index, however many contests the server has had.
        theirs = (
            sa.select(entrants.c.contest)
            .join(table)
            .where(entrants.c.person == person, entrants.c.division == 0)
            .where(table.c.guild == guild, table.c.state == ContestState.OVER)
            .order_by(entrants.c.contest.desc())
            .limit(most)
        )
        return await self._database.read(
            lambda connection: load_views(
                connection, list(connection.execute(theirs).scalars()), division=0
            )
        )

    async def find_next_season(self, number: int) -> ContestView | None:
        """Return the league that follows one as its next season, if any does."""
        return await self._database.read(lambda connection: _find_next_season(connection, number))

    async def load_optional(self, match: int) -> tuple[int, ...]:
        """Return the two who may take a match as unplayed; none for other matches."""
        own = sa.select(pairings.c.first, pairings.c.second).where(
            pairings.c.match == match, pairings.c.optional == 1
        )
        found = await self._database.read(lambda connection: connection.execute(own).first())
        return tuple(found) if found else ()

    async def load_actors(self, numbers: Sequence[int]) -> dict[int, set[int]]:
        """Return who has done anything in each of those matches."""
        # What follows from an act by itself has no cause of its own.
        query = sa.select(events.c.match, events.c.person, events.c.record).where(
            events.c.match.in_(numbers),
            events.c.person.is_not(None),
            events.c.cause.not_like(f"{_AUTOMATIC}%"),
        )
        found = await self._load_rows(query)
        acted: dict[int, set[int]] = {number: set() for number in numbers}
        for match, person, record in found:
            if record["event"] in _ACTS:
                acted[match].add(person)
        return acted


@DEADLINES.add(1)
def list_deadlines() -> Sequence[Deadline]:
    """Return that nobody could sign up or play during an outage."""
    # What is paused gets back all of that time when it goes on.
    running = sa.and_(IS_UNFINISHED, table.c.state == "running", table.c.paused.is_(None))
    return [
        # Twice, for the index of those that are unfinished.
        Deadline(table.c.starts, sa.and_(IS_UNFINISHED, table.c.state == "open"), table.c.created),
        Deadline(table.c.ends, running, table.c.began),
    ]


@ACTIVITIES.add(2)
def find_active_rows() -> ActiveRows:
    """Return that unfinished contests are something that goes on."""
    return ActiveRows(table.c.guild, IS_UNFINISHED)


@SEALED_ROWS.add(2)
def list_sealed_rows() -> Sequence[SealedRows]:
    """Return the secrets of unfinished contests."""
    return [(table.c.secret, sa.select(table.c.id, table.c.secret).where(IS_UNFINISHED))]


_DIVIDE = (
    sa.update(entrants)
    .where(entrants.c.contest == sa.bindparam("of"), entrants.c.person == sa.bindparam("who"))
    .values(division=sa.bindparam("to_division"), seed=sa.bindparam("to_seed"))
)


@END_WRITERS.add(2)
def write_update(
    connection: sa.Connection, match: int, step: MatchUpdate, winner_before: str | None
) -> None:
    """Keep what came of a match in its contest, also when it is annulled afterwards."""
    ending = step.ending
    if ending is None:
        return
    winner = ending.winner
    if ending.how == ABORTED:
        # In a contest nobody can leave a match as if it had not been.
        winner = Side(ending.parts["side"]).other.value
    won = next((person for person, side in ending.sides.items() if side == winner), None)
    result = {"winner": won, "how": ending.how}
    connection.execute(sa.update(pairings).where(pairings.c.match == match).values(result))


def insert_contest(connection: sa.Connection, new: NewContest) -> int:
    """Keep a new contest, its secret sealed, and return its number."""
    values = {**asdict(new), "secret": get_seal(connection).seal(new.secret)}
    if new.unfinished is UnfinishedRule.CLOCK:
        # The column takes what it took at first: for more, SQLite would need another table.
        values |= {"unfinished": UnfinishedRule.DRAW, "by_clock": True}
    return int(
        connection.execute(sa.insert(table).values(values).returning(table.c.id)).scalar_one()
    )


def begin_season(
    connection: sa.Connection, before: ContestView, now: int, plan: SeasonPlan
) -> list[int]:
    """Divide people unless that is done, begin matches of theirs, and return these in order.

    With the last of them the contest runs.
    """
    number = before.contest.id
    begun = begin_matches(connection, number, before.last_number, plan.pairings)
    if not before.contest.is_starting:
        _divide_entrants(connection, number, plan.divisions)
        starters = sum(map(len, plan.divisions))
        update_contest(connection, number, {"began": now, "starters": starters})
    if plan.is_complete:
        grant_byes(connection, number, plan.byes)
        days = plan.days or before.contest.days
        played = {"format": plan.format, "rounds": plan.rounds, "days": days}
        values = {"state": ContestState.RUNNING, "began": now, "ends": plan.ends, **played}
        update_contest(connection, number, values)
    return begun


def _divide_entrants(
    connection: sa.Connection, number: int, divisions: Sequence[Sequence[int]]
) -> None:
    """Keep in which division everybody is, and at which seed in all."""
    in_order = [(division, person) for division, them in enumerate(divisions) for person in them]
    connection.execute(
        _DIVIDE,
        [
            {"of": number, "who": person, "to_division": division, "to_seed": seed}
            for seed, (division, person) in enumerate(in_order)
        ],
    )


def begin_matches(
    connection: sa.Connection, number: int, known: int, planned: Sequence[NewPairing]
) -> list[int]:
    """Begin the matches of pairings, and return them in order.

    Those that have no number have the next after the last that is `known`.
    """
    begun = [insert_match(connection, pairing.beginning) for pairing in planned]
    same = ("division", "round", "board", "first", "second", "optional")
    rows = [
        {
            "contest": number,
            "number": pairing.number or at,
            "match": match,
            **{name: getattr(pairing, name) for name in same},
        }
        for at, (pairing, match) in enumerate(zip(planned, begun, strict=True), known + 1)
    ]
    if rows:
        connection.execute(sa.insert(pairings), rows)
    return begun


def grant_byes(connection: sa.Connection, number: int, granted: Sequence[Bye]) -> None:
    """Keep who has nobody to meet in a round, and what they get for it."""
    for bye in granted:
        values = {"round": bye.round, "person": bye.person, "half_points": int(bye.points * 2)}
        connection.execute(sa.insert(byes).values(contest=number, **values))


def end_contest(connection: sa.Connection, contest: Contest, state: ContestState) -> None:
    """Let a contest be over, or called off."""
    # From now on its secret is public, and checking it needs no key.
    update_contest(connection, contest.id, {"state": state, "secret": contest.secret})
    # Nobody joins it any more.
    exclusions.readmit_everybody(connection, ExclusionScope.CONTEST, [contest.id])


def update_contest(connection: sa.Connection, number: int, values: Mapping[str, Any]) -> None:
    """Change columns of a contest."""
    connection.execute(sa.update(table).where(table.c.id == number).values(values))


def update_entrant(
    connection: sa.Connection, number: int, person: int, values: Mapping[str, Any]
) -> None:
    """Change columns of somebody who takes part."""
    own = sa.and_(entrants.c.contest == number, entrants.c.person == person)
    connection.execute(sa.update(entrants).where(own).values(values))


def finish_change(
    connection: sa.Connection,
    contest: Contest,
    jobs: Sequence[Job],
    ruling: ContestRuling | None = None,
) -> CompetitionChange:
    """Enqueue the jobs that follow a change, and keep the ruling that brought it."""
    if ruling:
        connection.execute(sa.insert(rulings).values(asdict(ruling)))
    return CompetitionChange(is_made=True, jobs=enqueue_jobs(connection, contest.guild, jobs))


def lock_view(connection: sa.Connection, number: int) -> ContestView | None:
    """Return a contest that nobody else can change until the transaction ends."""
    lock_rows(connection, table.c.id, [number])
    return load_view(connection, number)


MakePlan: TypeAlias = Callable[[ContestView], SeasonPlan]
"""Plans what those play who take part when it starts."""
MakeLatePlan: TypeAlias = Callable[[ContestView], LatePlan]
"""Plans what somebody plays who comes late."""
MakeRoundPlan: TypeAlias = Callable[[ContestView], RoundPlan | None]
"""Plans how a contest goes on; None where it waits for matches in progress."""
JobsAfterStart: TypeAlias = Callable[[Sequence[int], int | None], Sequence[Job]]
"""The jobs that follow when the matches of those numbers are created.

Given is the deadline, or None as long as others are still to be created."""


class Contests(ContestQueries):
    """Contests by their number, and what changes them: all of it or nothing."""

    @writing
    def create(
        self, connection: sa.Connection, new: NewContest, jobs: Callable[[int], Sequence[Job]]
    ) -> tuple[int, tuple[QueuedJob, ...]]:
        """Keep a new contest, and return its number and the jobs that follow."""
        number = insert_contest(connection, new)
        return number, enqueue_jobs(connection, new.guild, jobs(number))

    async def join(self, number: int, entrant: Entrant, most: int, job: Job) -> CompetitionChange:
        """Let somebody sign up for an open contest with room; who has withdrawn can join again."""

        def work(connection: sa.Connection, before: ContestView) -> Sequence[Job] | None:
            known = before.find_entrant(entrant.person)
            if before.contest.state is not ContestState.OPEN:
                return None
            if before.contest.is_starting or before.contest.is_waiting:
                return None
            if (known and known.left is None) or len(before.present) >= most:
                return None
            if exclusions.is_excluded(connection, ExclusionScope.CONTEST, number, entrant.person):
                return None
            if known is None:
                connection.execute(sa.insert(entrants).values(contest=number, **asdict(entrant)))
            else:
                # With what they give to the dice now: the contest's secret was fixed before either.
                again = {"contribution": entrant.contribution, "joined": entrant.joined}
                gone = {"left": None, "departure": None}
                update_entrant(connection, number, entrant.person, {**again, **gone})
            return [job]

        return await self._change(number, work)

    async def withdraw(
        self,
        number: int,
        person: int,
        now: int,
        jobs: Sequence[Job],
        ruling: ContestRuling | None = None,
    ) -> CompetitionChange:
        """Let somebody withdraw, or be removed by a ruling, from an unfinished contest."""

        def work(connection: sa.Connection, before: ContestView) -> Sequence[Job] | None:
            known = before.find_entrant(person)
            if not before.contest.is_unfinished or before.contest.is_starting:
                return None
            if known is None or known.left is not None:
                return None
            update_entrant(connection, number, person, {"left": now})
            if ruling:
                # Now, and not when their data is deleted: it holds whatever they do.
                exclusions.exclude_person(connection, ExclusionScope.CONTEST, [number], person)
            return jobs

        return await self._change(number, work, ruling)

    async def readmit(
        self, number: int, person: int, most: int, jobs: Sequence[Job], ruling: ContestRuling
    ) -> CompetitionChange:
        """Let somebody back in who was removed; in what is played, from the next round on."""

        def work(connection: sa.Connection, before: ContestView) -> Sequence[Job] | None:
            if not before.contest.is_unfinished or before.contest.is_starting:
                return None
            if person not in before.list_removed() or len(before.present) >= most:
                return None
            exclusions.readmit_person(connection, ExclusionScope.CONTEST, person, number)
            back_after = before.round if before.contest.is_running else None
            values = {"left": None, "departure": None, "back_after": back_after}
            update_entrant(connection, number, person, values)
            return jobs

        return await self._change(number, work, ruling)

    async def withdraw_departed(
        self, number: int, departed: Mapping[int, Departure], now: int, jobs: Sequence[Job]
    ) -> CompetitionChange:
        """Withdraw those of an unfinished contest who are no longer there, each with the reason."""

        def work(connection: sa.Connection, before: ContestView) -> Sequence[Job] | None:
            if not before.contest.is_unfinished or before.contest.is_starting:
                return None
            leaving = [each.person for each in before.present if each.person in departed]
            if not leaving:
                return None
            for person in leaving:
                values = {"left": now, "departure": departed[person]}
                update_entrant(connection, number, person, values)
            return jobs

        return await self._change(number, work)

    async def bring_back(self, number: int, person: int, jobs: Sequence[Job]) -> CompetitionChange:
        """Let somebody who sat out, or was withdrawn, play from the next round on."""

        def work(connection: sa.Connection, before: ContestView) -> Sequence[Job] | None:
            if not may_come_back(before, person):
                return None
            values = {"left": None, "departure": None, "back_after": before.round}
            update_entrant(connection, number, person, values)
            return jobs

        return await self._change(number, work)

    @writing
    def start(
        self,
        connection: sa.Connection,
        number: int,
        now: int,
        build_plan: MakePlan,
        jobs: JobsAfterStart,
        ruling: ContestRuling | None = None,
        *,
        held: str = "",
    ) -> CompetitionChange:
        """Start an open contest: divide its people, and create all their matches or the next ones.

        What the plan holds is done in one transaction. Where it is not complete, this is repeated
        until it is: the contest is starting meanwhile, and only then it runs and `held` jobs of its
        matches are due, those of a kind with the number of a match as their key. It goes on from
        what is stored, so that nothing is done twice, however often it is tried and by whomever.
        """
        before = lock_view(connection, number)
        if before is None or before.contest.state is not ContestState.OPEN:
            return CompetitionChange(is_made=False)
        plan = build_plan(before)
        begun = begin_season(connection, before, now, plan)
        if not plan.is_complete:
            change = finish_change(connection, before.contest, jobs(begun, None), ruling)
            return replace(change, is_complete=False)
        change = finish_change(connection, before.contest, jobs(begun, plan.ends), ruling)
        earlier = [str(each.match) for each in before.pairings]
        released = bring_jobs_forward(connection, held, earlier, now)
        return replace(change, jobs=(*change.jobs, *released))

    async def add_late(
        self,
        number: int,
        entrant: Entrant,
        build_plan: MakeLatePlan,
        jobs: Callable[[Sequence[int]], Sequence[Job]],
    ) -> CompetitionChange:
        """Add somebody to a contest that is played, and begin their matches, all or nothing."""

        def work(connection: sa.Connection, before: ContestView) -> Sequence[Job] | None:
            if not before.contest.is_running or before.find_entrant(entrant.person) is not None:
                return None
            if exclusions.is_excluded(connection, ExclusionScope.CONTEST, number, entrant.person):
                return None
            plan = build_plan(before)
            placed = replace(
                entrant,
                division=plan.division,
                seed=len(before.entrants),
                replaces=plan.replaces,
            )
            connection.execute(sa.insert(entrants).values(contest=number, **asdict(placed)))
            begun = begin_matches(connection, number, before.last_number, plan.pairings)
            grant_byes(connection, number, plan.byes)
            return jobs(begun)

        return await self._change(number, work)

    async def put_off(
        self, number: int, now: int, starts: int, least: int, jobs: Callable[[int], Sequence[Job]]
    ) -> CompetitionChange:
        """Let sign-up that ended with too few go on until it `starts`, and the next time wait."""

        def work(connection: sa.Connection, before: ContestView) -> Sequence[Job] | None:
            if before.contest.state is not ContestState.OPEN:
                return None
            contest = before.contest
            if contest.is_starting or contest.is_waiting or contest.starts > now:
                return None
            if len(before.present) >= least:
                return None
            values = {"shortfalls": contest.shortfalls + 1}
            if not contest.shortfalls:
                values["starts"] = starts
            update_contest(connection, number, values)
            return jobs(values["shortfalls"])

        return await self._change(number, work)

    async def release_role(self, number: int, role: int, jobs: Sequence[Job]) -> CompetitionChange:
        """Let everybody join an unfinished contest for which a role was needed."""

        def work(connection: sa.Connection, before: ContestView) -> Sequence[Job] | None:
            if not before.contest.is_unfinished or before.contest.role != role:
                return None
            update_contest(connection, number, {"role": None, "role_deleted": True})
            return jobs

        return await self._change(number, work)

    async def postpone(
        self, number: int, by: int, jobs: Callable[[Contest], Sequence[Job]], ruling: ContestRuling
    ) -> CompetitionChange:
        """Let sign-up, or the matches of a contest that goes on, last so much longer."""

        def work(connection: sa.Connection, before: ContestView) -> Sequence[Job] | None:
            if not before.contest.is_unfinished or before.contest.is_starting:
                return None
            if before.contest.is_waiting:
                update_contest(connection, number, {"starts": ruling.at + by, "shortfalls": 1})
            else:
                is_open = before.contest.state is ContestState.OPEN
                column = table.c.starts if is_open else table.c.ends
                update_contest(connection, number, {column.name: column + by})
            after = load_view(connection, number)
            assert after is not None
            return jobs(after.contest)

        return await self._change(number, work, ruling)

    async def pause(
        self, number: int, now: int, jobs: Sequence[Job], ruling: ContestRuling
    ) -> CompetitionChange:
        """Stop all time of a contest that is played: its deadline's, and its matches' clocks."""

        def work(connection: sa.Connection, before: ContestView) -> Sequence[Job] | None:
            if not before.contest.is_running or before.contest.paused is not None:
                return None
            update_contest(connection, number, {"paused": now})
            stopped = {"scope": StoppageScope.CONTEST, "subject": number, "began": now}
            connection.execute(sa.insert(stoppages).values(stopped))
            return jobs

        return await self._change(number, work, ruling)

    async def resume(
        self,
        number: int,
        now: int,
        jobs: Callable[[ContestView], Sequence[Job]],
        ruling: ContestRuling,
    ) -> CompetitionChange:
        """Let time run again in a contest that is paused, and add what was lost to its deadline."""

        def work(connection: sa.Connection, before: ContestView) -> Sequence[Job] | None:
            if not before.contest.is_running or before.contest.paused is None:
                return None
            end_stoppage(connection, StoppageScope.CONTEST, number, now)
            lost = max(now - before.contest.paused, 0)
            update_contest(connection, number, {"paused": None, "ends": table.c.ends + lost})
            after = load_view(connection, number)
            assert after is not None
            return jobs(after)

        return await self._change(number, work, ruling)

    async def add_round(
        self,
        number: int,
        build_plan: MakeRoundPlan,
        jobs: Callable[[Sequence[int], RoundPlan], Sequence[Job]],
    ) -> CompetitionChange:
        """Let people meet who can, in one transaction, so that nobody is paired twice."""

        def work(connection: sa.Connection, before: ContestView) -> Sequence[Job] | None:
            if not before.contest.is_running:
                return None
            plan = build_plan(before)
            if plan is None or plan.is_over:
                return None
            begun = begin_matches(connection, number, before.last_number, plan.pairings)
            grant_byes(connection, number, plan.byes)
            values = {"closed_rounds": plan.closed_rounds, "ends": plan.ends}
            update_contest(connection, number, values)
            return jobs(begun, plan)

        return await self._change(number, work)

    async def close_round(
        self,
        number: int,
        now: int,
        make_end: Callable[[ContestView], int | None],
        jobs: Callable[[Contest], Sequence[Job]],
    ) -> CompetitionChange:
        """Close the round whose deadline has come; `make_end` returns the next round's."""

        def work(connection: sa.Connection, before: ContestView) -> Sequence[Job] | None:
            if not before.contest.is_running:
                return None
            ends, closed = before.contest.ends, before.contest.closed_rounds + 1
            if ends is None or ends > now or closed > before.round:
                return None
            values = {"closed_rounds": closed, "ends": make_end(before)}
            update_contest(connection, number, values)
            after = replace(before.contest, closed_rounds=closed, ends=values["ends"])
            return jobs(after)

        return await self._change(number, work)

    async def close(
        self,
        number: int,
        is_over: Callable[[ContestView], bool],
        jobs: Sequence[Job],
        following: NewContest | None = None,
        following_jobs: Callable[[int], Sequence[Job]] = lambda _: (),
        *,
        unplayed: bool = False,
    ) -> CompetitionChange:
        """End a contest that is over by its results, and open the one that follows it, if any.

        Its secret is public from then on. `unplayed` says that nobody has done anything in it.
        """

        def work(connection: sa.Connection, before: ContestView) -> Sequence[Job] | None:
            if not before.contest.is_running or before.list_running() or not is_over(before):
                return None
            end_contest(connection, before.contest, ContestState.OVER)
            update_contest(connection, number, {"unplayed": unplayed})
            opened = following_jobs(insert_contest(connection, following)) if following else ()
            return [*jobs, *opened]

        return await self._change(number, work)

    async def save_closing(self, number: int, message: int, done: QueuedJob) -> bool:
        """Remember the message that announces a contest's end, and that a job is done.

        Return False, changing nothing, where it was announced before.
        """
        return await self._save_post(number, None, done, {"closing": message})

    async def open_next_season(
        self, number: int, following: NewContest, jobs: Callable[[int], Sequence[Job]]
    ) -> CompetitionChange:
        """Open the season that follows one that is over, unless that is done."""

        def work(connection: sa.Connection, before: ContestView) -> Sequence[Job] | None:
            if before.contest.state is not ContestState.OVER:
                return None
            if _find_next_season(connection, number) is not None:
                return None
            return jobs(insert_contest(connection, following))

        return await self._change(number, work)

    async def enrol(
        self, number: int, new: Sequence[Entrant], most: int, jobs: Sequence[Job]
    ) -> CompetitionChange:
        """Sign up those of some people who never joined, as far as there is room."""

        def work(connection: sa.Connection, before: ContestView) -> Sequence[Job] | None:
            if not before.contest.is_joinable:
                return None
            room = most - len(before.present)
            eligible = [
                each
                for each in new
                if before.find_entrant(each.person) is None
                and not exclusions.is_excluded(
                    connection, ExclusionScope.CONTEST, number, each.person
                )
            ]
            rows = [{"contest": number, **asdict(each)} for each in eligible[: max(room, 0)]]
            if not rows:
                return None
            connection.execute(sa.insert(entrants), rows)
            return jobs

        return await self._change(number, work)

    async def cancel(
        self, number: int, jobs: Sequence[Job], ruling: ContestRuling | None = None
    ) -> CompetitionChange:
        """Call an unfinished contest off."""

        def work(connection: sa.Connection, before: ContestView) -> Sequence[Job] | None:
            if not before.contest.is_unfinished:
                return None
            end_contest(connection, before.contest, ContestState.CANCELLED)
            return jobs

        return await self._change(number, work, ruling)

    @writing
    def _change(
        self,
        connection: sa.Connection,
        number: int,
        change: Callable[[sa.Connection, ContestView], Sequence[Job] | None],
        ruling: ContestRuling | None = None,
    ) -> CompetitionChange:
        """Change a contest that nobody else can change meanwhile.

        `change` returns the jobs that follow, or None where it can't be done any more.
        """
        before = lock_view(connection, number)
        jobs = None if before is None else change(connection, before)
        if before is None or jobs is None:
            return CompetitionChange(is_made=False)
        return finish_change(connection, before.contest, jobs, ruling)


class ServerItems(StorePart):
    """The events and roles of leagues: roles by the number of a league's first season."""

    @writing
    def save_event(
        self, connection: sa.Connection, number: int, event: int, before: int | None
    ) -> bool:
        """Keep which event shows a contest, in place of the one before.

        Return False where it shows another contest, or this one has another by now.
        """
        other = table.alias()
        is_taken = sa.exists(sa.select(other.c.id).where(other.c.event == event))
        as_read = table.c.event.is_not_distinct_from(before)
        shown = sa.update(table).where(table.c.id == number, as_read, ~is_taken)
        return connection.execute(shown.values(event=event)).rowcount == 1

    async def forget_event(self, number: int) -> None:
        """Forget the event of a contest, which is gone; it can have another."""
        gone = sa.update(table).where(table.c.id == number).values(event=None)
        await self._database.write(lambda connection: connection.execute(gone))

    async def find_kept_events(self, events: Collection[int]) -> set[int]:
        """Return which of those events show a contest."""
        query = sa.select(table.c.event).where(table.c.event.in_(events))
        return set(await self._load_column(query))

    async def find_kept_roles(self, found: Collection[int]) -> set[int]:
        """Return which of those roles are kept as a contest's."""
        query = sa.select(roles.c.role).where(roles.c.role.in_(found))
        return set(await self._load_column(query))

    @writing
    def save_problem(
        self,
        connection: sa.Connection,
        number: int,
        guild: int,
        column: Literal["event_problem", "roles_problem"],
        problem: ServerProblem | None,
        jobs: Sequence[Job],
    ) -> tuple[QueuedJob, ...]:
        """Keep what is in the way of a contest's event or roles, if anything is.

        Return the jobs that follow, none where that was known.
        """
        is_new = sa.and_(table.c.id == number, table.c[column].is_distinct_from(problem))
        changed = sa.update(table).where(is_new).values({column: problem})
        if connection.execute(changed).rowcount != 1:
            return ()
        return enqueue_jobs(connection, guild, jobs)

    @reading
    def load_roles(self, connection: sa.Connection, series: int) -> list[ContestRole]:
        """Return the roles of a contest, with those who hold them."""
        held = connection.execute(
            sa.select(role_holders).where(role_holders.c.contest == series)
        ).all()
        known = connection.execute(
            sa.select(roles).where(roles.c.contest == series).order_by(roles.c.place)
        ).all()
        return [
            ContestRole(
                each.place,
                each.after,
                each.role,
                {one.person: one.is_given for one in held if one.place == each.place},
            )
            for each in known
        ]

    async def begin_role(self, series: int, place: int, after: int) -> None:
        """Note that a role is about to be made, which gets an id above `after`."""
        beginning = sa.insert(roles).values(contest=series, place=place, after=after)
        await self._database.write(lambda connection: connection.execute(beginning))

    async def save_role(self, series: int, place: int, role: int) -> None:
        """Keep which role it is that was made."""
        own = sa.and_(roles.c.contest == series, roles.c.place == place)
        made = sa.update(roles).where(own).values(role=role)
        await self._database.write(lambda connection: connection.execute(made))

    @writing
    def save_holders(
        self,
        connection: sa.Connection,
        series: int,
        place: int,
        given: dict[int, bool],
        taken: Collection[int],
    ) -> None:
        """Keep who has been given a role, or is about to be (False), and from whom it was taken."""
        own = sa.and_(role_holders.c.contest == series, role_holders.c.place == place)
        changed = {*given, *taken}
        connection.execute(sa.delete(role_holders).where(own, role_holders.c.person.in_(changed)))
        for person, is_given in given.items():
            holder = {"contest": series, "place": place, "person": person}
            connection.execute(sa.insert(role_holders).values(**holder, is_given=is_given))

    @writing
    def forget_roles(self, connection: sa.Connection, series: int) -> None:
        """Forget the roles of a contest, which are gone."""
        for each in (role_holders, roles):
            connection.execute(sa.delete(each).where(each.c.contest == series))
