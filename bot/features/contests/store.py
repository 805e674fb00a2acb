"""Contests, their entrants and pairings: what is read, and what changes all or nothing."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import TypeAlias

from sqlalchemy import (
    Connection,
    and_,
    insert,
    update,
)

from bot.features.contests.fetching import (
    fetch_view,
)
from bot.features.contests.queries import ContestQueries
from bot.features.contests.rows import (
    Contest,
    ContestChange,
    ContestRuling,
    ContestState,
    ContestView,
    Entrant,
    LatePlan,
    NewContest,
    RoundPlan,
    SeasonPlan,
)
from bot.features.contests.tables import entrants
from bot.features.contests.writing import (
    begin_matches,
    begin_season,
    end_contest,
    finish_change,
    grant_byes,
    insert_contest,
    lock_view,
    update_contest,
    update_entrant,
)
from bot.platform.db.jobs import bring_jobs_forward, enqueue_jobs, finish_job
from bot.platform.db.pauses import end_stoppage
from bot.platform.db.rows import Job, QueuedJob, StoppageScope
from bot.platform.db.tables import contests as table
from bot.platform.db.tables import stoppages

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

    async def create(
        self, new: NewContest, jobs: Callable[[int], Sequence[Job]]
    ) -> tuple[int, tuple[QueuedJob, ...]]:
        """Keep a new league, and return its number and the jobs that follow."""

        def work(connection: Connection) -> tuple[int, tuple[QueuedJob, ...]]:
            number = insert_contest(connection, new)
            return number, enqueue_jobs(connection, new.guild, jobs(number))

        return await self._database.write(work)

    async def join(self, number: int, entrant: Entrant, most: int, job: Job) -> ContestChange:
        """Let somebody sign up for an open league with room; who has withdrawn can join again."""

        def work(connection: Connection) -> ContestChange:
            before = lock_view(connection, number)
            known = before.find_entrant(entrant.person) if before else None
            if before is None or before.contest.state is not ContestState.OPEN:
                return ContestChange(is_made=False)
            if before.contest.is_starting:
                return ContestChange(is_made=False)
            if (known and known.left is None) or len(before.present) >= most:
                return ContestChange(is_made=False)
            if known is None:
                connection.execute(insert(entrants).values(contest=number, **asdict(entrant)))
            else:
                # With what they give to the dice now: the league's secret was fixed before either.
                again = {"contribution": entrant.contribution, "joined": entrant.joined}
                update_entrant(connection, number, entrant.person, {**again, "left": None})
            return finish_change(connection, before.contest, [job])

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
            before = lock_view(connection, number)
            known = before.find_entrant(person) if before else None
            if before is None or not before.contest.is_unfinished or before.contest.is_starting:
                return ContestChange(is_made=False)
            if known is None or known.left is not None:
                return ContestChange(is_made=False)
            update_entrant(connection, number, person, {"left": now})
            return finish_change(connection, before.contest, jobs, ruling)

        return await self._database.write(work)

    async def start(
        self,
        number: int,
        now: int,
        make_plan: MakePlan,
        jobs: JobsAfterStart,
        ruling: ContestRuling | None = None,
        *,
        held: str = "",
    ) -> ContestChange:
        """Start an open league: divide its people, and create all their matches or the next ones.

        What the plan holds is done in one transaction. Where it is not complete, this is repeated
        until it is: the league is starting meanwhile, and only then it runs and `held` jobs of its
        matches are due, those of a kind with the number of a match as their key. It goes on from
        what is stored, so that nothing is done twice, however often it is tried and by whomever.
        """

        def work(connection: Connection) -> ContestChange:
            before = lock_view(connection, number)
            if before is None or before.contest.state is not ContestState.OPEN:
                return ContestChange(is_made=False)
            plan = make_plan(before)
            begun = begin_season(connection, before, now, plan)
            if not plan.is_complete:
                change = finish_change(connection, before.contest, jobs(begun, None), ruling)
                return replace(change, is_complete=False)
            change = finish_change(connection, before.contest, jobs(begun, plan.ends), ruling)
            earlier = [str(each.match) for each in before.pairings]
            released = bring_jobs_forward(connection, held, earlier, now)
            return replace(change, jobs=(*change.jobs, *released))

        return await self._database.write(work)

    async def add_late(
        self,
        number: int,
        entrant: Entrant,
        make_plan: MakeLatePlan,
        jobs: Callable[[Sequence[int]], Sequence[Job]],
    ) -> ContestChange:
        """Add somebody to a contest that is played, and begin their matches, all or nothing.

        Who has been in it before is not added again.
        """

        def work(connection: Connection) -> ContestChange:
            before = lock_view(connection, number)
            if before is None or before.contest.state is not ContestState.RUNNING:
                return ContestChange(is_made=False)
            if before.find_entrant(entrant.person) is not None:
                return ContestChange(is_made=False)
            plan = make_plan(before)
            placed = replace(
                entrant,
                division=plan.division,
                seed=len(before.entrants),
                replaces=plan.replaces,
            )
            connection.execute(insert(entrants).values(contest=number, **asdict(placed)))
            begun = begin_matches(connection, number, len(before.pairings), plan.pairings)
            grant_byes(connection, number, plan.byes)
            return finish_change(connection, before.contest, jobs(begun))

        return await self._database.write(work)

    async def postpone(
        self, number: int, by: int, jobs: Callable[[Contest], Sequence[Job]], ruling: ContestRuling
    ) -> ContestChange:
        """Let sign-up, or the matches of a league that goes on, last so much longer."""

        def work(connection: Connection) -> ContestChange:
            before = lock_view(connection, number)
            if before is None or not before.contest.is_unfinished or before.contest.is_starting:
                return ContestChange(is_made=False)
            is_open = before.contest.state is ContestState.OPEN
            column = table.c.starts if is_open else table.c.ends
            update_contest(connection, number, {column.name: column + by})
            after = fetch_view(connection, number)
            assert after is not None
            return finish_change(connection, after.contest, jobs(after.contest), ruling)

        return await self._database.write(work)

    async def pause(
        self, number: int, now: int, jobs: Sequence[Job], ruling: ContestRuling
    ) -> ContestChange:
        """Stop all time of a contest that is played: its deadline's, and its matches' clocks."""

        def work(connection: Connection) -> ContestChange:
            before = lock_view(connection, number)
            if before is None or not before.contest.is_running or before.contest.paused is not None:
                return ContestChange(is_made=False)
            update_contest(connection, number, {"paused": now})
            stopped = {"scope": StoppageScope.CONTEST, "subject": number, "began": now}
            connection.execute(insert(stoppages).values(stopped))
            return finish_change(connection, before.contest, jobs, ruling)

        return await self._database.write(work)

    async def resume(
        self,
        number: int,
        now: int,
        jobs: Callable[[ContestView], Sequence[Job]],
        ruling: ContestRuling,
    ) -> ContestChange:
        """Let time run again in a contest that is paused, and add what was lost to its deadline."""

        def work(connection: Connection) -> ContestChange:
            before = lock_view(connection, number)
            if before is None or not before.contest.is_running or before.contest.paused is None:
                return ContestChange(is_made=False)
            end_stoppage(connection, StoppageScope.CONTEST, number, now)
            lost = max(now - before.contest.paused, 0)
            update_contest(connection, number, {"paused": None, "ends": table.c.ends + lost})
            after = fetch_view(connection, number)
            assert after is not None
            return finish_change(connection, after.contest, jobs(after), ruling)

        return await self._database.write(work)

    async def add_round(
        self,
        number: int,
        make_plan: MakeRoundPlan,
        jobs: Callable[[Sequence[int], RoundPlan], Sequence[Job]],
    ) -> ContestChange:
        """Let people meet who can, in one transaction, so that nobody is paired twice.

        Nothing is changed where the plan is None, or says that the contest is over.
        """

        def work(connection: Connection) -> ContestChange:
            before = lock_view(connection, number)
            if before is None or before.contest.state is not ContestState.RUNNING:
                return ContestChange(is_made=False)
            plan = make_plan(before)
            if plan is None or plan.is_over:
                return ContestChange(is_made=False)
            begun = begin_matches(connection, number, len(before.pairings), plan.pairings)
            grant_byes(connection, number, plan.byes)
            values = {"closed_rounds": plan.closed_rounds, "ends": plan.ends}
            update_contest(connection, number, values)
            return finish_change(connection, before.contest, jobs(begun, plan))

        return await self._database.write(work)

    async def close_round(
        self,
        number: int,
        now: int,
        make_end: Callable[[ContestView], int | None],
        jobs: Callable[[Contest], Sequence[Job]],
    ) -> ContestChange:
        """Close the round whose deadline has come; `make_end` returns the next round's."""

        def work(connection: Connection) -> ContestChange:
            before = lock_view(connection, number)
            if before is None or before.contest.state is not ContestState.RUNNING:
                return ContestChange(is_made=False)
            ends, closed = before.contest.ends, before.contest.closed_rounds + 1
            if ends is None or ends > now or closed > before.round:
                return ContestChange(is_made=False)
            values = {"closed_rounds": closed, "ends": make_end(before)}
            update_contest(connection, number, values)
            after = replace(before.contest, closed_rounds=closed, ends=values["ends"])
            return finish_change(connection, before.contest, jobs(after))

        return await self._database.write(work)

    async def close(
        self,
        number: int,
        is_over: Callable[[ContestView], bool],
        jobs: Sequence[Job],
        following: NewContest | None = None,
        following_jobs: Callable[[int], Sequence[Job]] = lambda _: (),
    ) -> ContestChange:
        """End a contest that is over by its results, and open the one that follows it, if any.

        Its secret is public from then on.
        """

        def work(connection: Connection) -> ContestChange:
            before = lock_view(connection, number)
            if before is None or before.contest.state is not ContestState.RUNNING:
                return ContestChange(is_made=False)
            if before.list_running() or not is_over(before):
                return ContestChange(is_made=False)
            end_contest(connection, before.contest, ContestState.OVER)
            opened = following_jobs(insert_contest(connection, following)) if following else ()
            return finish_change(connection, before.contest, [*jobs, *opened])

        return await self._database.write(work)

    async def cancel(
        self, number: int, jobs: Sequence[Job], ruling: ContestRuling | None = None
    ) -> ContestChange:
        """Call an unfinished league off."""

        def work(connection: Connection) -> ContestChange:
            before = lock_view(connection, number)
            if before is None or not before.contest.is_unfinished:
                return ContestChange(is_made=False)
            end_contest(connection, before.contest, ContestState.CANCELLED)
            return finish_change(connection, before.contest, jobs, ruling)

        return await self._database.write(work)

    async def save_message(
        self,
        number: int,
        message: int,
        before: int | None,
        done: QueuedJob,
        posted_digits: int | None = None,
    ) -> bool:
        """Remember the message that shows a league, and that a job is done.

        Return False, changing neither, where another message shows it by now. `posted_digits` says
        how much of the commitment it shows; None where it was posted too late to bind.
        """
        as_read = and_(table.c.id == number, table.c.message.is_not_distinct_from(before))
        values = {"message": message}
        if posted_digits is not None:
            values["posted_digits"] = posted_digits

        def work(connection: Connection) -> bool:
            if connection.execute(update(table).where(as_read).values(values)).rowcount != 1:
                return False
            finish_job(connection, done)
            return True

        return await self._database.write(work)
