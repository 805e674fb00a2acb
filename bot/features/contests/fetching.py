"""Reading contests inside a transaction: one with everybody in it, or the top of several."""

from collections.abc import Sequence
from dataclasses import fields
from fractions import Fraction

from sqlalchemy import Connection, RowMapping, exists, select

from bot.features.contests.rows import (
    UNFINISHED,
    Contest,
    ContestFormat,
    ContestRuling,
    ContestState,
    ContestView,
    Entrant,
    Pairing,
    RulingAction,
    ServerProblem,
    UnfinishedRule,
)
from bot.features.contests.standings import Bye
from bot.features.contests.tables import byes, entrants, pairings, rulings
from bot.features.matches.secret_origin import SecretOrigin
from bot.platform.db.sealing import get_seal
from bot.platform.db.tables import contests as table

_ENTRANT = [entrants.c[field.name] for field in fields(Entrant)]
_PAIRING = [pairings.c[field.name] for field in fields(Pairing)]
_RULING = [rulings.c[field.name] for field in fields(ContestRuling)]


def fetch_view(connection: Connection, number: int) -> ContestView | None:
    """Return a league with everybody in it; None if there is none."""
    row = connection.execute(select(table).where(table.c.id == number)).mappings().first()
    if row is None:
        return None
    joined = (
        select(*_ENTRANT)
        .where(entrants.c.contest == number)
        .order_by(entrants.c.seed, entrants.c.joined, entrants.c.person)
    )
    paired = select(*_PAIRING).where(pairings.c.contest == number).order_by(pairings.c.number)
    free = select(byes.c.round, byes.c.person, byes.c.half_points).where(byes.c.contest == number)
    ruled = select(*_RULING).where(rulings.c.contest == number).order_by(rulings.c.id)
    return ContestView(
        make_contest(connection, row),
        tuple(Entrant(*each) for each in connection.execute(joined)),
        tuple(Pairing(*each) for each in connection.execute(paired)),
        tuple(
            Bye(at, person, Fraction(halves, 2))
            for at, person, halves in connection.execute(free.order_by(byes.c.round, byes.c.person))
        ),
        tuple(
            ContestRuling(**{**each, "action": RulingAction(each["action"])})
            for each in connection.execute(ruled).mappings()
        ),
    )


def fetch_origin(connection: Connection, match: int) -> SecretOrigin | None:
    """Return from which league's secret that of a match is derived; None outside leagues."""
    other = pairings.alias()
    running = exists().where(other.c.contest == table.c.id, other.c.how.is_(None))
    query = (
        select(
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
    if found is None:
        return None
    commitment, kept, state, posted, number, goes_on = found
    # A league that was called off has matches until they are annulled, and this secret would tell
    # their throws.
    is_public = state not in UNFINISHED and not goes_on
    secret = get_seal(connection).unseal(kept) if is_public else None
    return SecretOrigin(commitment, number, secret, posted)


def fetch_first_divisions(connection: Connection, numbers: Sequence[int]) -> list[ContestView]:
    """Return the first divisions of several leagues in that order, without what was ruled."""
    if not numbers:
        return []
    own = select(table).where(table.c.id.in_(numbers))
    contests = {
        row["id"]: make_contest(connection, row) for row in connection.execute(own).mappings()
    }
    seated = (
        select(entrants.c.contest, *_ENTRANT)
        .where(entrants.c.contest.in_(numbers), entrants.c.division == 0)
        .order_by(entrants.c.seed)
    )
    paired = (
        select(pairings.c.contest, *_PAIRING)
        .where(pairings.c.contest.in_(numbers), pairings.c.division == 0)
        .order_by(pairings.c.number)
    )
    free = select(byes.c.contest, byes.c.round, byes.c.person, byes.c.half_points)
    free = free.where(byes.c.contest.in_(numbers)).order_by(byes.c.round, byes.c.person)
    people_of: dict[int, list[Entrant]] = {number: [] for number in numbers}
    for number, *entrant in connection.execute(seated):
        people_of[number].append(Entrant(*entrant))
    pairings_of: dict[int, list[Pairing]] = {number: [] for number in numbers}
    for number, *pairing in connection.execute(paired):
        pairings_of[number].append(Pairing(*pairing))
    byes_of: dict[int, list[Bye]] = {number: [] for number in numbers}
    for number, at, person, halves in connection.execute(free):
        byes_of[number].append(Bye(at, person, Fraction(halves, 2)))
    return [
        ContestView(
            contests[number],
            tuple(people_of[number]),
            tuple(pairings_of[number]),
            tuple(byes_of[number]),
        )
        for number in numbers
    ]


def make_contest(connection: Connection, row: RowMapping) -> Contest:
    """Return the league that a row is, its secret unsealed."""
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
