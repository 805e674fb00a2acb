"""What changes of contests write inside a transaction, and what results of matches do."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, and_, bindparam, insert, update

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

_DIVIDE = (
    update(entrants)
    .where(entrants.c.contest == bindparam("of"), entrants.c.person == bindparam("who"))
    .values(division=bindparam("to_division"), seed=bindparam("to_seed"))
)


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


def begin_season(
    connection: Connection, before: ContestView, now: int, plan: SeasonPlan
) -> list[int]:
    """Divide people unless that is done, begin matches of theirs, and return these in order.

    With the last of them the contest runs.
    """
    number = before.contest.id
    begun = begin_matches(connection, number, len(before.pairings), plan.pairings)
    if not before.contest.is_starting:
        _divide_entrants(connection, number, plan.divisions)
        update_contest(connection, number, {"began": now})
    if plan.is_complete:
        grant_byes(connection, number, plan.byes)
        played = {"format": plan.format, "rounds": plan.rounds}
        values = {"state": ContestState.RUNNING, "began": now, "ends": plan.ends, **played}
        update_contest(connection, number, values)
    return begun


def _divide_entrants(
    connection: Connection, number: int, divisions: Sequence[Sequence[int]]
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
    connection: Connection, number: int, known: int, planned: Sequence[NewPairing]
) -> list[int]:
    """Begin the matches of pairings that come after those `known`; return them in order."""
    begun = [insert_match(connection, pairing.beginning) for pairing in planned]
    rows = [
        {
            "contest": number,
            "number": at,
            "division": pairing.division,
            "round": pairing.round,
            "board": pairing.board,
            "first": pairing.first,
            "second": pairing.second,
            "match": match,
        }
        for at, (pairing, match) in enumerate(zip(planned, begun, strict=True), known + 1)
    ]
    if rows:
        connection.execute(insert(pairings), rows)
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
