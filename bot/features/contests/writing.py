"""What changes of contests write inside a transaction, and what results of matches do."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, and_, insert, update

from bot.features.contests.fetching import fetch_view
from bot.features.contests.rows import (
    Contest,
    ContestChange,
    ContestRuling,
    ContestState,
    ContestView,
    NewContest,
    NewPairing,
    SeasonPlan,
    UnfinishedRule,
)
from bot.features.contests.standings import Bye
from bot.features.contests.tables import byes, entrants, pairings, rulings
from bot.features.matches.store import insert_match
from bot.platform.db.jobs import enqueue_jobs
from bot.platform.db.rows import Job, MatchUpdate
from bot.platform.db.sealing import get_seal
from bot.platform.db.statements import lock_rows
from bot.platform.db.tables import contests as table
from engine.outcome import ABORTED
from engine.position import Side


def write_update(
    connection: Connection, match: int, step: MatchUpdate, winner_before: str | None
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
    connection.execute(update(pairings).where(pairings.c.match == match).values(result))


def insert_contest(connection: Connection, new: NewContest) -> int:
    """Keep a new contest, its secret sealed, and return its number."""
    values = {**asdict(new), "secret": get_seal(connection).seal(new.secret)}
    if new.unfinished is UnfinishedRule.CLOCK:
        # The column takes what it took at first: for more, SQLite would need another table.
        values |= {"unfinished": UnfinishedRule.DRAW, "by_clock": True}
    return int(connection.execute(insert(table).values(values).returning(table.c.id)).scalar_one())


def begin_season(connection: Connection, number: int, now: int, plan: SeasonPlan) -> list[int]:
    """Divide and pair people, begin their matches, and return the matches in order."""
    begun = begin_matches(connection, number, 0, plan.pairings)
    grant_byes(connection, number, plan.byes)
    in_order = (
        (division, person) for division, them in enumerate(plan.divisions) for person in them
    )
    for seed, (division, person) in enumerate(in_order):
        update_entrant(connection, number, person, {"division": division, "seed": seed})
    update_contest(
        connection,
        number,
        {
            "state": ContestState.RUNNING,
            "began": now,
            "ends": plan.ends,
            "format": plan.format,
            "rounds": plan.rounds,
        },
    )
    return begun


def begin_matches(
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
            "round": pairing.round,
            "board": pairing.board,
            "first": pairing.first,
            "second": pairing.second,
            "match": begun[-1],
        }
        connection.execute(insert(pairings).values(values))
    return begun


def grant_byes(connection: Connection, number: int, granted: Sequence[Bye]) -> None:
    """Keep who has nobody to meet in a round, and what they get for it."""
    for bye in granted:
        values = {
            "contest": number,
            "round": bye.round,
            "person": bye.person,
            "half_points": int(bye.points * 2),
        }
        connection.execute(insert(byes).values(values))


def end_contest(connection: Connection, contest: Contest, state: ContestState) -> None:
    """Let a contest be over, or called off."""
    # From now on its secret is public, and checking it needs no key.
    update_contest(connection, contest.id, {"state": state, "secret": contest.secret})


def update_contest(connection: Connection, number: int, values: Mapping[str, Any]) -> None:
    """Change columns of a contest."""
    connection.execute(update(table).where(table.c.id == number).values(values))


def update_entrant(
    connection: Connection, number: int, person: int, values: Mapping[str, Any]
) -> None:
    """Change columns of somebody who takes part."""
    own = and_(entrants.c.contest == number, entrants.c.person == person)
    connection.execute(update(entrants).where(own).values(values))


def finish_change(
    connection: Connection,
    contest: Contest,
    jobs: Sequence[Job],
    ruling: ContestRuling | None = None,
) -> ContestChange:
    """Enqueue the jobs that follow a change, and keep the ruling that brought it."""
    if ruling:
        connection.execute(insert(rulings).values(asdict(ruling)))
    return ContestChange(is_made=True, jobs=enqueue_jobs(connection, contest.guild, jobs))


def lock_view(connection: Connection, number: int) -> ContestView | None:
    """Return a contest that nobody else can change until the transaction ends."""
    lock_rows(connection, table.c.id, [number])
    return fetch_view(connection, number)
