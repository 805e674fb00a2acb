"""The doctor checks unsettled state: ratings that wait for an annulment, and changed seats."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import text

from bot.app import moderation, play, ratings, substitution, tasks
from bot.app.people import Person
from bot.app.substitution import Offer
from bot.store import Pause, QueuedJob, Store, undoing
from bot.upkeep.examining import Gone, examine
from bot.upkeep.findings import Finding
from bot.upkeep.mending import mend, plan
from engine.clock import DAY, HOUR
from tests.upkeep.season import ANA, BEN, CYN, DAN, GUILD, Season

pytestmark = pytest.mark.asyncio

EVE = Person(1005, "Eve")
NOT_THEIRS = "is not what their matches have made of it"


@pytest_asyncio.fixture
async def season(tmp_path: Path) -> AsyncIterator[Season]:
    """Nothing was played yet."""
    async with await Store.open(tmp_path / "season.db") as store:
        yield Season(store)


async def examined(season: Season) -> list[Finding]:
    """What the doctor finds."""
    return [finding async for finding in examine(season.store, season.now, Gone(), running=False)]


async def sentences(season: Season) -> list[str]:
    """What the doctor says."""
    return [finding.sentence for finding in await examined(season)]


async def change(season: Season, statement: str) -> None:
    """Change the database behind the bot's back."""
    await season.store._database.write(  # noqa: SLF001
        lambda connection: connection.execute(text(statement))
    )


async def annulled(season: Season) -> QueuedJob:
    """Annul a match of Dan's after which he played another.

    Returns the job that is to rate that one anew.
    """
    first = await season.begin("doblet", ANA, DAN)
    await season.play(first)
    elsewhere = await season.begin("fallas", BEN, CYN)
    await season.play(elsewhere)
    for rival in (BEN, CYN):
        await season.play(await season.begin("doblet", DAN, rival))
    await moderation.end(season.app, season.action(first, CYN), GUILD, moderation.ANNUL, "a slip")
    (job,) = [job for job in await season.store.inspection.jobs() if job.kind == tasks.RATE_ANEW]
    return job


async def boards(season: Season) -> dict[str, Any]:
    """What all leaderboards say."""
    scopes = ("everywhere", ratings.server(GUILD))
    return {
        f"{scope} {pool}": await season.store.ratings.board(scope, pool)
        for scope in scopes
        for pool in ("all", "doblet", "fallas")
    }


async def test_ratings_that_wait_to_be_rated_anew_are_no_damage(season: Season) -> None:
    await annulled(season)
    assert await sentences(season) == []


@pytest.mark.sweep
@pytest.mark.parametrize("last", [1, 2, 3, 5])
async def test_nor_are_those_that_are_half_rated(
    season: Season, last: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undoing, "PAGE", 1)
    job = await annulled(season)
    write = season.store._database.write  # noqa: SLF001
    written = 0

    async def failing(work: Any) -> Any:
        nonlocal written
        written += 1
        if written > last:
            raise InterruptedError
        return await write(work)

    monkeypatch.setattr(season.store._database, "write", failing)  # noqa: SLF001
    with pytest.raises(InterruptedError):
        await moderation.rate_anew(season.app, int(job.key))
    monkeypatch.setattr(season.store._database, "write", write)  # noqa: SLF001
    assert await sentences(season) == []


async def test_meanwhile_results_are_judged_and_other_boards_whole(season: Season) -> None:
    await annulled(season)
    where = "scope = 'everywhere' AND pool"
    won_more = "won = won + 1, games = games + 1"
    await change(
        season, f"UPDATE ratings SET {won_more} WHERE {where} = 'doblet' AND person = {BEN.id}"
    )
    await change(
        season, f"UPDATE ratings SET mu = mu + 0.5 WHERE {where} = 'fallas' AND person = {CYN.id}"
    )
    assert await sentences(season) == [
        f"the rating of {BEN.id} on the board everywhere, doblet {NOT_THEIRS}",
        f"the rating of {CYN.id} on the board everywhere, fallas {NOT_THEIRS}",
    ]


async def test_once_it_is_done_everything_is_judged(season: Season) -> None:
    job = await annulled(season)
    await moderation.rate_anew(season.app, int(job.key))
    await season.store.jobs.done(job)
    assert await sentences(season) == []
    where = "scope = 'everywhere' AND pool = 'doblet' AND person"
    await change(season, f"UPDATE ratings SET mu = mu + 0.5 WHERE {where} = {DAN.id}")
    assert await sentences(season) == [
        f"the rating of {DAN.id} on the board everywhere, doblet {NOT_THEIRS}"
    ]


async def test_what_was_never_done_is_mended_to_just_what_it_would_have_come_to(
    season: Season,
) -> None:
    job = await annulled(season)
    await season.store.jobs.done(job)
    findings = await examined(season)
    assert [finding.sentence for finding in findings] == [
        f"the rating of {DAN.id} on the board {board} {NOT_THEIRS}"
        for board in ("everywhere, all", "everywhere, doblet", "server:1, all", "server:1, doblet")
    ]
    await mend(season.store, plan(findings))
    assert await sentences(season) == []
    mended = await boards(season)
    await moderation.rate_anew(season.app, int(job.key))
    assert await boards(season) == mended


async def test_one_that_was_given_up_is_all_that_is_wrong(season: Season) -> None:
    job = await annulled(season)
    await season.store.jobs.give_up(job, "no", season.now)
    (sentence,) = await sentences(season)
    assert sentence.startswith(f"the job “rate anew {job.key}” was given up on ")


async def test_one_of_a_match_that_is_not_there_is_forgotten(season: Season) -> None:
    await season.store.jobs.add(1, [tasks.rate_anew(7, season.now), tasks.call(8, 1, season.now)])
    assert sorted(await sentences(season)) == [
        "the job “call 8” is about what is not there",
        "the job “rate anew 7” is about what is not there",
    ]


async def test_an_absence_before_somebody_took_a_seat_stopped_no_clock(season: Season) -> None:
    match = await season.begin("pyf", ANA, BEN, CYN, DAN, players="2", pace="5d+0s")
    await season.play(match, 30)
    sitting = await play.load(season.app, match)
    holder = sitting.to_act
    await season.app.remember(EVE)
    await season.store.pauses.add(Pause(EVE.id, season.now, season.now + 3 * DAY))
    # Of the holder's five days three go by; two are left to the new one, who is back by then.
    season.now += 3 * DAY
    await substitution.take(
        season.app, season.action(match, EVE), Offer(match, holder, EVE.id, holder)
    )
    season.now += 2 * DAY + 13 * HOUR
    waiting = sitting.waiting[0]
    await play.claim(season.app, season.action(match, Person(waiting, sitting.names[waiting])))
    await season.shown(match)
    assert await sentences(season) == []
