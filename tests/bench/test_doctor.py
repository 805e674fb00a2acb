"""How fast the doctor goes through a database, compared with only replaying its matches.

By hand, with as many matches as you like: `.venv/bin/python -m tests.bench.test_doctor 10000`.
"""

import asyncio
import sys
import time
from pathlib import Path

import pytest

from bot.features.matches.store.inspection import Histories
from bot.ops.database_checks import ReplayCounts, examine_database
from bot.ops.replay_checks import PAGE, replay_page
from bot.platform.db.store import Store
from bot.platform.db.tables import now_ms
from tests.bench import by_hand
from tests.support.match_season import MatchSeason, play_every_kind
from tests.upkeep.copying import copy_matches

pytestmark = pytest.mark.bench
MATCHES = 400


async def measure_doctor(folder: Path, matches: int) -> str:
    """Let the doctor go through so many matches, and a plain loop through a page of them."""
    file = folder / "season.db"
    async with await Store.open(file) as store:
        await play_every_kind(MatchSeason(store))
    await asyncio.to_thread(copy_matches, file, matches)
    async with await Store.open_read_only(file) as store:
        page = await store.get(Histories).load_page(0, PAGE)
        began = time.process_time()
        replay_page(page, {})
        alone = (time.process_time() - began) / len(page)
        gone, began = ReplayCounts(), time.monotonic()
        found = [
            finding async for finding in examine_database(store, now_ms(), gone, running=False)
        ]
        seconds = time.monotonic() - began
    assert gone.matches == matches
    assert not [finding.sentence for finding in found if "match" in finding.sentence]
    rate, plain = gone.matches / seconds, 1 / alone
    return (
        f"{gone} in {seconds:.1f} s: {rate:.0f} a second; "
        f"replayed alone, {plain:.0f} a second of one core"
    )


@pytest.mark.asyncio
async def test_the_doctor_goes_through_a_database(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = await measure_doctor(tmp_path, MATCHES)
    with capsys.disabled():
        sys.stdout.write(f"\n{text}\n")


if __name__ == "__main__":
    by_hand.print_measurement(measure_doctor)
