"""What leagues have in their servers besides their messages: an event, and roles."""

from collections.abc import Collection, Sequence
from typing import Literal

from sqlalchemy import Connection, and_, delete, exists, insert, select, update

from bot.features.contests.rows import ContestRole, ServerProblem
from bot.features.contests.tables import role_holders, roles
from bot.platform.db.database import Database
from bot.platform.db.jobs import enqueue_jobs
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.db.tables import contests as table


class ServerItems:
    """The events and roles of leagues: roles by the number of a league's first season."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save_event(self, number: int, event: int) -> bool:
        """Keep which event shows a league; return False where it shows another, or has one."""

        def work(connection: Connection) -> bool:
            other = table.alias()
            is_taken = exists(select(other.c.id).where(other.c.event == event))
            shown = update(table).where(table.c.id == number, table.c.event.is_(None), ~is_taken)
            return connection.execute(shown.values(event=event)).rowcount == 1

        return await self._database.write(work)

    async def find_kept_events(self, events: Collection[int]) -> set[int]:
        """Return which of those events show a league."""
        query = select(table.c.event).where(table.c.event.in_(events))
        return await self._database.read(
            lambda connection: set(connection.execute(query).scalars())
        )

    async def find_kept_roles(self, found: Collection[int]) -> set[int]:
        """Return which of those roles are kept as a league's."""
        query = select(roles.c.role).where(roles.c.role.in_(found))
        return await self._database.read(
            lambda connection: set(connection.execute(query).scalars())
        )

    async def save_problem(
        self,
        number: int,
        guild: int,
        column: Literal["event_problem", "roles_problem"],
        problem: ServerProblem | None,
        jobs: Sequence[Job],
    ) -> tuple[QueuedJob, ...]:
        """Keep what is in the way of a league's event or roles, if anything is.

        Return the jobs that follow, none where that was known.
        """

        def work(connection: Connection) -> tuple[QueuedJob, ...]:
            is_new = and_(table.c.id == number, table.c[column].is_distinct_from(problem))
            changed = update(table).where(is_new).values({column: problem})
            if connection.execute(changed).rowcount != 1:
                return ()
            return enqueue_jobs(connection, guild, jobs)

        return await self._database.write(work)

    async def load_roles(self, series: int) -> list[ContestRole]:
        """Return the roles of a league, with those who hold them."""

        def work(connection: Connection) -> list[ContestRole]:
            held = connection.execute(
                select(role_holders).where(role_holders.c.contest == series)
            ).all()
            known = connection.execute(
                select(roles).where(roles.c.contest == series).order_by(roles.c.place)
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

        return await self._database.read(work)

    async def begin_role(self, series: int, place: int, after: int) -> None:
        """Note that a role is about to be made, which gets an id above `after`."""
        beginning = insert(roles).values(contest=series, place=place, after=after)
        await self._database.write(lambda connection: connection.execute(beginning))

    async def save_role(self, series: int, place: int, role: int) -> None:
        """Keep which role it is that was made."""
        own = and_(roles.c.contest == series, roles.c.place == place)
        made = update(roles).where(own).values(role=role)
        await self._database.write(lambda connection: connection.execute(made))

    async def save_holders(
        self, series: int, place: int, given: dict[int, bool], taken: Collection[int]
    ) -> None:
        """Keep who has been given a role, or is about to be (False), and from whom it was taken."""
        own = and_(role_holders.c.contest == series, role_holders.c.place == place)

        def work(connection: Connection) -> None:
            changed = {*given, *taken}
            connection.execute(delete(role_holders).where(own, role_holders.c.person.in_(changed)))
            for person, is_given in given.items():
                holder = {"contest": series, "place": place, "person": person}
                connection.execute(insert(role_holders).values(**holder, is_given=is_given))

        await self._database.write(work)

    async def forget_roles(self, series: int) -> None:
        """Forget the roles of a league, which are gone."""

        def work(connection: Connection) -> None:
            for each in (role_holders, roles):
                connection.execute(delete(each).where(each.c.contest == series))

        await self._database.write(work)
