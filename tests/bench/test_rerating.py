"""How long others wait for the database while all that ended after an annulled match is rated anew.

Beside it somebody stores a job, again and again; the reference is the same with nothing beside it.
By hand, with as many later matches as you like:
`.venv/bin/python -m tests.bench.test_rerating 10000`.
"""

import asyncio
import random
import sys
import time
from collections.abc import Awaitable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert

from bot.features.matches.rows import EndingUpdate, Leaderboard, RatingKey, RatingRow, Seat
from bot.features.matches.store import Matches
from bot.features.matches.tables import matches, rating_changes, seats
from bot.features.ratings.service import compute_strengths
from bot.features.ratings.store import Ratings
from bot.features.ratings.tables import ratings
from bot.platform.db.rows import Job
from bot.platform.db.store import Store
from bot.platform.db.tables import people
from tests.bench import by_hand
from tests.support.stored import NOW, build_step

LATER = 1_000
PLAYERS = 100
BOARDS = tuple(
    Leaderboard(scope, pool) for scope in ("server:1", "everywhere") for pool in ("zeno", "all")
)
MATCH = {
    "guild": 1,
    "channel": 2,
    "game": "zeno",
    "edition": 1,
    "options": {},
    "rated": True,
    "secret": b"secret",
    "commitment": "commitment",
    "created": NOW,
    "touched": NOW,
    "how": "off",
}
PAUSE_S = 0.005
ALONE_S = 2.0


@dataclass(frozen=True)
class StorageWaits:
    """How long others waited, in seconds."""

    waited: list[float]

    def __str__(self) -> str:
        ordered = sorted(self.waited)
        half, most, longest = (
            ordered[int(part * (len(ordered) - 1))] * 1000 for part in (0.5, 0.99, 1.0)
        )
        return f"{half:.1f} ms (half), {most:.1f} ms (99 of 100), {longest:.1f} ms (the longest)"


def _build_season(later: int) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of a match of the first two people, and of so many that ended after it."""
    chance = random.Random(1)
    known: dict[RatingKey, RatingRow] = {}
    rows: dict[str, list[dict[str, Any]]] = {"matches": [], "seats": [], "changes": []}
    for number in range(1, later + 2):
        gold, black = (1, 2) if number == 1 else chance.sample(range(1, PLAYERS + 1), 2)
        winner = chance.choice(("gold", "black"))
        sat = [Seat(side, 0, person, "x") for side, person in (("gold", gold), ("black", black))]
        rows["matches"].append({**MATCH, "id": number, "ended": NOW + number, "winner": winner})
        rows["seats"] += [{"match": number, **asdict(seat)} for seat in sat]
        for board in BOARDS:
            after = compute_strengths(
                {seat.side: [known.get(RatingKey(*board, seat.person))] for seat in sat}, winner
            )
            for seat in sat:
                rows["changes"].append(
                    _rate_seat(number, board, seat, known, after[seat.side][0], winner)
                )
    rows["ratings"] = [{**key._asdict(), **asdict(row)} for key, row in known.items()]
    return rows


def _rate_seat(
    number: int,
    board: Leaderboard,
    seat: Seat,
    known: dict[RatingKey, RatingRow],
    now: Any,
    winner: str,
) -> dict[str, Any]:
    key = RatingKey(*board, seat.person)
    before = known.get(key) or RatingRow(0.0, 0.0, 0, 0, 0, 0, NOW)
    won = int(seat.side == winner)
    known[key] = RatingRow(
        now.mu,
        now.sigma,
        before.games + 1,
        before.won + won,
        0,
        before.lost + 1 - won,
        NOW + number,
    )
    first = before.games == 0
    return {
        "match": number,
        **key._asdict(),
        "before_mu": None if first else before.mu,
        "before_sigma": None if first else before.sigma,
        "after_mu": now.mu,
        "after_sigma": now.sigma,
        "side": seat.side,
    }


async def measure_annulment(folder: Path, later: int) -> str:
    """Annul a match after which this many ended; report how long others waited meanwhile.

    The report says as well how long they wait with nothing beside them.
    """
    async with await Store.open(folder / "season.sqlite3") as store:
        rows = _build_season(later)

        def work(connection: Connection) -> None:
            names = [
                {"id": person, "name": str(person), "seen": NOW} for person in range(1, PLAYERS + 1)
            ]
            connection.execute(insert(people), names)
            connection.execute(insert(matches), rows["matches"])
            connection.execute(insert(seats), rows["seats"])
            connection.execute(insert(rating_changes), rows["changes"])
            connection.execute(insert(ratings), rows["ratings"])

        # To play a season of so many matches through the app takes too long.
        await store._database.write(work)  # noqa: SLF001
        alone = await _time_writes_beside(store, asyncio.sleep(ALONE_S))
        started = time.perf_counter()
        waits = await _time_writes_beside(store, _annul_match(store, until=NOW + later))
        seconds = time.perf_counter() - started
    return (
        f"{later:,} later matches rated again in {seconds:.1f} s; others waited {waits}; "
        f"with nothing beside: {alone}"
    )


async def _annul_match(store: Store, until: int) -> None:
    annulment = build_step(
        0, "annul", person=1, ending=EndingUpdate("draw", "annulled", annuls=True)
    )
    await store.get(Matches).apply_update(1, annulment)
    await store.get(Ratings).rerate_after(1, BOARDS, compute_strengths, until)


async def _time_writes_beside(store: Store, doing: Awaitable[None]) -> StorageWaits:
    """Store something again and again until something else is done."""
    waited: list[float] = []
    done = asyncio.ensure_future(doing)
    while not done.done():
        started = time.perf_counter()
        await store.jobs.enqueue(1, [Job("nothing", "beside", NOW)])
        waited.append(time.perf_counter() - started)
        await asyncio.sleep(PAUSE_S)
    await done
    return StorageWaits(waited)


@pytest.mark.bench
@pytest.mark.asyncio
async def test_nobody_waits_long_for_ratings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = await measure_annulment(tmp_path, LATER)
    with capsys.disabled():
        sys.stdout.write(f"\n{text}\n")


if __name__ == "__main__":
    by_hand.print_measurement(measure_annulment)
