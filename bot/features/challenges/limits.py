"""Limits of how many challenges there may be, checked in the transaction that stores one."""

from sqlalchemy import Connection, and_, func, select
from sqlalchemy.sql.elements import ColumnElement

from bot.platform.db.challenge_rows import NewChallenge
from bot.platform.db.errors import DuplicateRematchError, LimitExceededError
from bot.platform.db.tables import challenges as table
from bot.platform.db.tables import matches as matches_table
from engine.clock import HOUR, MINUTE

MAX_COUNTED_CHALLENGES = 2000
"""Latest challenges that are read to count how many a server has made within a minute."""


def require_person_rate(connection: Connection, new: NewChallenge, most: int | None) -> None:
    """Raise LimitExceededError if a challenger has made that many within a minute.

    They count whatever became of them.
    """
    if most is None:
        return
    lately = select(func.count()).where(
        table.c.challenger == new.challenger, _in_last_minute(table.c.created, new)
    )
    if connection.execute(lately).scalar_one() >= most:
        raise LimitExceededError(new.challenger, "lately", most)


def require_rate_to_one(connection: Connection, new: NewChallenge, most: int | None) -> None:
    """Raise LimitExceededError if somebody was challenged that often within an hour in vain.

    Each challenge calls them, also one that is withdrawn at once.
    """
    if most is None or new.opponent is None:
        return
    in_vain = select(func.count()).where(
        table.c.challenger == new.challenger,
        table.c.opponent == new.opponent,
        table.c.match.is_(None),
        table.c.created > new.created - HOUR,
        table.c.created <= new.created,
    )
    if connection.execute(in_vain).scalar_one() >= most:
        raise LimitExceededError(new.opponent, "to one", most)


def require_server_rate(connection: Connection, new: NewChallenge, most: int | None) -> None:
    """Raise LimitExceededError if that many were made in a server within a minute.

    Only the latest challenges of all servers are counted.
    """
    if most is None or not new.guild:
        return
    # By their numbers, so that it takes no longer however many there are of earlier days.
    latest = (
        select(table.c.guild, table.c.created)
        .order_by(table.c.id.desc())
        .limit(MAX_COUNTED_CHALLENGES)
        .subquery()
    )
    here = select(func.count()).where(
        latest.c.guild == new.guild, _in_last_minute(latest.c.created, new)
    )
    if connection.execute(here).scalar_one() >= most:
        raise LimitExceededError(new.challenger, "here", most)


def _in_last_minute(created: ColumnElement[int], new: NewChallenge) -> ColumnElement[bool]:
    """Return the condition that a challenge was made in the minute up to a new one."""
    return and_(created > new.created - MINUTE, created <= new.created)


def require_no_running_rematch(connection: Connection, new: NewChallenge) -> None:
    """Raise DuplicateRematchError if a challenger's rematch that began at once is still running."""
    if new.rematch_of is None:
        return
    running = (
        select(table.c.id)
        .join(matches_table, table.c.match == matches_table.c.id)
        .where(table.c.challenger == new.challenger, table.c.rematch_of == new.rematch_of)
        .where(matches_table.c.ended.is_(None))
    )
    number = connection.execute(running).scalar()
    if number is not None:
        raise DuplicateRematchError(number)


def require_open_limit(connection: Connection, new: NewChallenge, most: int) -> None:
    """Raise LimitExceededError if a challenger has that many open challenges."""
    # One whose time is over may still wait to be closed.
    theirs = select(table.c.id, table.c.rematch_of).where(
        table.c.challenger == new.challenger, table.c.state == "open", table.c.expires > new.created
    )
    still_open = connection.execute(theirs.order_by(table.c.id)).all()
    for number, rematch_of in still_open:
        if rematch_of is not None and rematch_of == new.rematch_of:
            raise DuplicateRematchError(number)
    if len(still_open) >= most:
        raise LimitExceededError(new.challenger, "open", most)
