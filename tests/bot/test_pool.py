"""The worker processes start on demand, are replaced, end with the program, and know no secret."""

import asyncio
import os
import pickle
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import fields, replace
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from bot.features.computer import pool as mind
from bot.features.computer.pool import PlayerPool
from bot.features.matches import loading
from bot.platform import workers
from bot.platform.workers import WorkerTimeoutError
from engine.events import Battled, Event, Played
from engine.games import GAMES, find_game
from engine.match import Match, new_match
from engine.players.files import TABLES, use_folder
from engine.players.level import Level
from tests.conformance.matches import play_random_match
from tests.support.club import SimulatedClub
from tests.support.programs import is_running
from tests.support.simulator import LOOK_S

pytestmark = pytest.mark.asyncio
ENDED_S = 60.0
"""Seconds within which a process has ended, also on a machine that does much else."""


@pytest.fixture
def pool() -> Iterator[PlayerPool]:
    """Have workers, and end them."""
    made = PlayerPool(1)
    yield made
    made.close()


def build_match_to_play(slug: str = "backgammon") -> Match:
    """A match in which gold is to play a 3-1."""
    return new_match(find_game(slug), {}).apply(Battled((3,), (1,)))


async def wait_for_exit(worker: BaseProcess) -> None:
    """Wait until a worker is gone.

    Its pool waits for it as well, and of two that wait one may miss the end.
    """
    for _ in range(round(ENDED_S / LOOK_S)):
        if not worker.is_alive():
            return
        await asyncio.sleep(LOOK_S)
    raise AssertionError(worker)


async def test_a_worker_plays_by_the_rules(pool: PlayerPool) -> None:
    match = build_match_to_play()
    event = await pool.decide(match, Level.COMPANION, 1)
    assert isinstance(event, Played)
    assert match.apply(event).turn is match.turn.other


async def test_nothing_runs_before_it_is_needed_and_nothing_after_it_is_closed(
    pool: PlayerPool,
) -> None:
    assert pool.processes == []
    await pool.decide(build_match_to_play(), Level.COMPANION, 1)
    (worker,) = pool.processes
    assert worker.is_alive()
    pool.close()
    await wait_for_exit(worker)


async def test_a_worker_that_dies_is_replaced_and_asked_again(pool: PlayerPool) -> None:
    await pool.decide(build_match_to_play(), Level.COMPANION, 1)
    (worker,) = pool.processes
    worker.kill()
    await wait_for_exit(worker)
    assert await pool.decide(build_match_to_play(), Level.COMPANION, 1)
    assert pool.processes != [worker]


async def test_a_worker_that_takes_too_long_is_ended() -> None:
    pool = PlayerPool(1, budget_s=0.01)
    pool.start_workers()
    (worker,) = pool.processes
    with pytest.raises(WorkerTimeoutError, match=r"took longer than 0\.01 s"):
        await pool.decide(build_match_to_play(), Level.MASTER, 1)
    assert pool.processes == []
    await wait_for_exit(worker)


async def ask_stopped_worker(pool: PlayerPool) -> tuple[BaseProcess, asyncio.Task[Event | None]]:
    """Stop the only worker, and ask it something.

    Everything asked from now on waits behind that, for a second less.
    """
    await pool.decide(build_match_to_play(), Level.COMPANION, 1)
    (worker,) = pool.processes
    os.kill(worker.pid or 0, signal.SIGSTOP)
    late = asyncio.create_task(pool.decide(build_match_to_play(), Level.COMPANION, 1))
    await asyncio.sleep(1)
    return worker, late


@pytest.mark.sweep
async def test_one_asked_in_place_of_a_worker_that_took_too_long_is_ended_too() -> None:
    pool = PlayerPool(1, budget_s=6)
    first, late = await ask_stopped_worker(pool)
    # This one is then asked of another worker, which is stopped as well.
    other = asyncio.create_task(pool.decide(build_match_to_play(), Level.COMPANION, 1))
    with pytest.raises(WorkerTimeoutError):
        await late
    # It is asked as soon as that one's end is seen.
    for _ in range(round(ENDED_S / LOOK_S)):
        if pool.processes:
            break
        await asyncio.sleep(LOOK_S)
    (second,) = pool.processes
    os.kill(second.pid or 0, signal.SIGSTOP)
    with pytest.raises(WorkerTimeoutError):
        await other
    for worker in (first, second):
        await wait_for_exit(worker)
    assert pool.processes == []


@pytest.mark.sweep
async def test_who_waited_behind_one_that_took_too_long_is_answered() -> None:
    pool = PlayerPool(1, budget_s=10)
    _, late = await ask_stopped_worker(pool)
    # Asked later, they have not waited too long themselves.
    others = [
        asyncio.create_task(pool.decide(build_match_to_play(), Level.COMPANION, 1))
        for _ in range(5)
    ]
    with pytest.raises(WorkerTimeoutError):
        await late
    assert len(await asyncio.gather(*others)) == 5
    pool.close()


@pytest.mark.parametrize("slug", GAMES)
async def test_what_a_worker_hears_is_the_match_as_it_was_told(slug: str) -> None:
    # At several moments: what can be taken back comes with the turns.
    for match in play_random_match(slug, (), 1).moments[::7]:
        unpacked = mind.unpack_match(pickle.loads(pickle.dumps(mind.pack_match(match))))
        assert unpacked == replace(match, before=None)


async def test_a_worker_is_told_neither_the_secret_nor_a_throw_to_come(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "play", game="zeno")
    session = await loading.load_session(club.bot.app, 1)
    payload = mind.pack_match(session.match)
    packed = pickle.dumps(payload)
    for kept in (
        session.row.secret,
        session.row.secret.hex().encode(),
        session.row.commitment.encode(),
    ):
        assert kept not in packed
    # A match has no field in which it could stand.
    assert {field.name for field in fields(Match)} >= set(payload.table)


ORPHAN = """
import asyncio, os, signal
from bot.features.computer.pool import PlayerPool
from engine.events import Battled
from engine.games import find_game
from engine.match import new_match
from engine.players.files import TABLES, use_folder
from engine.players.level import Level

async def main():
    pool = PlayerPool(1)
    match = new_match(find_game("backgammon"), {}).apply(Battled((3,), (1,)))
    await pool.decide(match, Level.BEGINNER, 1)
    print(pool.processes[0].pid, flush=True)
    await asyncio.sleep(60)

if __name__ == "__main__":
    asyncio.run(main())
"""


ORPHAN_OF_REPLAYS = """
import asyncio, multiprocessing
from bot.ops.replay_checks import PAGE, open_replayer

async def main():
    async with open_replayer(PAGE + 1) as replay:
        await replay([], {})
        print(multiprocessing.active_children()[0].pid, flush=True)
        await asyncio.sleep(60)

if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.mark.wire
@pytest.mark.parametrize("program_text", [ORPHAN, ORPHAN_OF_REPLAYS], ids=["plays", "replays"])
async def test_workers_end_with_a_program_that_is_killed(tmp_path: Path, program_text: str) -> None:
    script = tmp_path / "program.py"
    script.write_text(program_text)
    program = await asyncio.create_subprocess_exec(
        sys.executable,
        str(script),
        stdout=asyncio.subprocess.PIPE,
        env={"PYTHONPATH": str(Path.cwd())},
    )
    assert program.stdout is not None
    worker = int(await program.stdout.readline())
    program.kill()
    await program.wait()
    start = time.monotonic()
    while is_running(worker):
        assert time.monotonic() - start < ENDED_S
        await asyncio.sleep(0.05)


async def test_a_worker_knows_the_folder_of_tables_that_a_setting_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nobody has solved this reading here, so that another's table stands in for its own.
    shutil.copy(TABLES / "doblet.npz", tmp_path / "doblet.unusable=lost.npz")
    match = new_match(find_game("doblet"), {"unusable": "lost"})
    found = []
    monkeypatch.setattr(workers, "_preparations", [])
    for _ in range(2):
        worker = workers.Worker()
        found.append(await worker.run(60, mind.evaluate_match, mind.pack_match(match)))
        worker.kill()
        workers.prepare_workers(partial(use_folder, tmp_path))
    assert [each.exact for each in found] == [False, True]
