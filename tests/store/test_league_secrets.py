"""A league's secret is sealed while it goes on, and told once none of its matches depends on it."""

from pathlib import Path

import pytest

from bot.features.contests.store import Contests
from bot.features.contests.tables import (
    ContestView,
    Entrant,
    NewPairing,
    SeasonPlan,
)
from bot.features.matches.jobs import ShowMatch
from bot.features.matches.proof import SecretOrigin
from bot.features.matches.rows import EndingUpdate
from bot.features.matches.store import Matches
from bot.platform.db.store import Store
from tests.store.test_contests import SECRET, build_beginning, build_contest
from tests.support.stored import ANA, BEN, CYN, NOW, build_step, register_people, start_match

pytestmark = pytest.mark.asyncio
KEY = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY="
RESIGNED = EndingUpdate("gold", "resigned")
PEOPLE = (ANA, BEN, CYN)
COMMITMENT = "c0ffee"


async def start_league(store: Store) -> tuple[int, int]:
    """A league in which Ana meets Ben and then Cyn: the numbers of the two matches."""
    await register_people(store, *PEOPLE)
    new = build_contest(organiser=CYN, days=7, starts=NOW)
    contests = store.get(Contests)
    number, _ = await contests.create(new, lambda _: ())
    job = ShowMatch(1).build_job(NOW)
    for person in PEOPLE:
        await contests.join(number, Entrant(person, str(person), NOW), 4, job)

    def plan(_: ContestView) -> SeasonPlan:
        pairings = [
            NewPairing(0, ANA, other, build_beginning(number, ANA, other)) for other in (BEN, CYN)
        ]
        return SeasonPlan([PEOPLE], pairings, NOW + 9)

    assert (await contests.start(number, NOW, plan, lambda *_: ())).is_made
    view = await contests.load_view(number)
    assert view is not None
    first, second = (pairing.match for pairing in view.pairings)
    return first, second


async def end_match(store: Store, match: int) -> None:
    """Somebody resigns."""
    cause = f"end of {match}"
    await store.get(Matches).apply_update(match, build_step(0, cause, ending=RESIGNED))


async def test_a_league_s_secret_is_told_when_the_league_is_over(where: str | Path) -> None:
    async with await Store.open(where, [KEY]) as store:
        first, second = await start_league(store)
        await end_match(store, first)
        contests = store.get(Contests)
        assert await contests.load_origin(first) == SecretOrigin(COMMITMENT, 1, None, 0)
        await end_match(store, second)
        # Until the league is closed, which it is at once, though by a job.
        assert await contests.load_origin(second) == SecretOrigin(COMMITMENT, 2, None, 0)
        assert (await contests.close(1, lambda _: True, [])).is_made
        assert await contests.load_origin(first) == SecretOrigin(COMMITMENT, 1, SECRET, 0)
        assert await contests.load_origin(second) == SecretOrigin(COMMITMENT, 2, SECRET, 0)


async def test_one_that_was_called_off_tells_it_once_no_match_goes_on(where: str | Path) -> None:
    async with await Store.open(where, [KEY]) as store:
        first, second = await start_league(store)
        await end_match(store, first)
        contests = store.get(Contests)
        # The other match is annulled a little later; until then it could be played knowing it.
        assert (await contests.cancel(1, [])).is_made
        assert await contests.load_origin(first) == SecretOrigin(COMMITMENT, 1, None, 0)
        await end_match(store, second)
        assert await contests.load_origin(first) == SecretOrigin(COMMITMENT, 1, SECRET, 0)


async def test_another_match_has_no_league_s_secret(where: str | Path) -> None:
    async with await Store.open(where, [KEY]) as store:
        await start_league(store)
        assert await store.get(Contests).load_origin(await start_match(store)) is None
        assert await store.get(Contests).load_origin(99) is None


async def test_a_league_goes_on_without_its_secret_and_needs_no_key(where: str | Path) -> None:
    async with await Store.open(where, [KEY]) as store:
        await start_league(store)
    async with await Store.open(where, drops_lost=True) as store:
        lost = await store.find_lost_secrets()
        assert (lost.may_be_found, lost.list_numbers("contests")) == (False, [1])
        view = await store.get(Contests).load_view(1)
        assert view is not None
        assert (view.contest.secret, view.contest.is_running) == (b"", True)
    # Nor is what is unknown sealed.
    async with await Store.open(where, [KEY]) as store:
        assert (await store.find_lost_secrets()).list_numbers("contests") == [1]
