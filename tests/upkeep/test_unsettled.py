"""The doctor checks unsettled state: ratings that wait for an annulment, and changed seats."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import text

from bot.features.matches import loading
from bot.features.matches.jobs import MentionPlayer
from bot.features.matches.service import claim_match, resign_match
from bot.features.moderation import service as moderation
from bot.features.moderation import service as substitution
from bot.features.moderation.service import RerateMatches, SeatOffer
from bot.features.ratings.store import Ratings
from bot.features.ratings.store import rerating as rerating_pages
from bot.ops.database_checks import ReplayCounts, examine_database
from bot.ops.doctor import apply_repairs, plan_repairs
from bot.ops.findings import Finding
from bot.platform.db.rows import Pause, QueuedJob
from bot.platform.db.store import Store
from bot.platform.people import DiscordPerson
from engine.clock import DAY, HOUR
from tests.support.match_season import ANA, BEN, CYN, DAN, GUILD, MatchSeason

pytestmark = pytest.mark.asyncio

EVE = DiscordPerson(1005, "Eve")
SCOPES = ("everywhere", "everywhere@2027-Q1", f"server:{GUILD}", f"server:{GUILD}@2027-Q1")
"""Of all time, and of the season in which the clock of these tests stands."""
NOT_THEIRS = "is not what their matches have made of it"


@pytest_asyncio.fixture
async def season(new: Path) -> AsyncIterator[MatchSeason]:
    """Nothing was played yet."""
    async with await Store.open(new) as store:
        yield MatchSeason(store)


async def list_findings(season: MatchSeason) -> list[Finding]:
    """What the doctor finds."""
    return [
        finding
        async for finding in examine_database(
            season.store, season.now, ReplayCounts(), running=False
        )
    ]


async def list_sentences(season: MatchSeason) -> list[str]:
    """What the doctor says."""
    return [finding.sentence for finding in await list_findings(season)]


async def change_database(season: MatchSeason, statement: str) -> None:
    """Change the database behind the bot's back."""
    await season.store._database.write(  # noqa: SLF001
        lambda connection: connection.execute(text(statement))
    )


async def lose_match(
    season: MatchSeason, game: str, loser: DiscordPerson, winner: DiscordPerson
) -> int:
    """Begin a match and let one resign it."""
    match = await season.start_match(game, loser, winner)
    await season.play_match(match, 3)
    await resign_match(season.app, season.build_action(match, loser))
    await season.show_match(match)
    return match


async def annul_match(season: MatchSeason) -> QueuedJob:
    """Annul a match of Dan's after which he played another.

    Returns the job that is to rate that one anew.
    """
    first = await lose_match(season, "doblet", DAN, ANA)
    await lose_match(season, "fallas", CYN, BEN)
    for rival in (BEN, CYN):
        await lose_match(season, "doblet", DAN, rival)
    await moderation.end_match(
        season.app, season.build_action(first, CYN), GUILD, moderation.ANNUL, "a slip"
    )
    (job,) = [job for job in await season.store.jobs.load_all() if job.kind == RerateMatches.kind]
    return job


async def load_leaderboards(season: MatchSeason) -> dict[str, Any]:
    """What all leaderboards say."""
    return {
        f"{scope} {pool}": await season.store.get(Ratings).load_board(scope, pool)
        for scope in SCOPES
        for pool in ("all", "doblet", "fallas")
    }


async def test_ratings_that_wait_to_be_rated_anew_are_no_damage(season: MatchSeason) -> None:
    await annul_match(season)
    assert await list_sentences(season) == []


@pytest.mark.sweep
@pytest.mark.parametrize("last", [1, 2, 3, 5])
async def test_nor_are_those_that_are_half_rated(
    season: MatchSeason, last: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rerating_pages, "PAGE", 1)
    job = await annul_match(season)
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
        await moderation.rerate_matches(season.app, int(job.key))
    monkeypatch.setattr(season.store._database, "write", write)  # noqa: SLF001
    assert await list_sentences(season) == []


@pytest.mark.sweep
async def test_meanwhile_results_are_judged_and_other_boards_whole(season: MatchSeason) -> None:
    await annul_match(season)
    where = "scope = 'everywhere' AND pool"
    won_more = "won = won + 1, games = games + 1"
    await change_database(
        season, f"UPDATE ratings SET {won_more} WHERE {where} = 'doblet' AND person = {BEN.id}"
    )
    await change_database(
        season, f"UPDATE ratings SET mu = mu + 0.5 WHERE {where} = 'fallas' AND person = {CYN.id}"
    )
    assert await list_sentences(season) == [
        f"the rating of {BEN.id} on the board everywhere, doblet {NOT_THEIRS}",
        f"the rating of {CYN.id} on the board everywhere, fallas {NOT_THEIRS}",
    ]


@pytest.mark.sweep
async def test_once_it_is_done_everything_is_judged(season: MatchSeason) -> None:
    job = await annul_match(season)
    await moderation.rerate_matches(season.app, int(job.key))
    await season.store.jobs.finish(job)
    assert await list_sentences(season) == []
    where = "scope = 'everywhere' AND pool = 'doblet' AND person"
    await change_database(season, f"UPDATE ratings SET mu = mu + 0.5 WHERE {where} = {DAN.id}")
    assert await list_sentences(season) == [
        f"the rating of {DAN.id} on the board everywhere, doblet {NOT_THEIRS}"
    ]


@pytest.mark.sweep
async def test_what_was_never_done_is_mended_to_just_what_it_would_have_come_to(
    season: MatchSeason,
) -> None:
    job = await annul_match(season)
    await season.store.jobs.finish(job)
    findings = await list_findings(season)
    assert [finding.sentence for finding in findings] == [
        f"the rating of {DAN.id} on the board {board} {NOT_THEIRS}"
        for scope in SCOPES
        for board in (f"{scope}, all", f"{scope}, doblet")
    ]
    await apply_repairs(season.store, plan_repairs(findings))
    assert await list_sentences(season) == []
    mended = await load_leaderboards(season)
    await moderation.rerate_matches(season.app, int(job.key))
    assert await load_leaderboards(season) == mended


@pytest.mark.sweep
async def test_one_that_was_given_up_is_all_that_is_wrong(season: MatchSeason) -> None:
    job = await annul_match(season)
    await season.store.jobs.give_up(job, "no", season.now)
    (sentence,) = await list_sentences(season)
    assert sentence.startswith(f"the job “rate anew {job.key}” was given up on ")


async def test_one_of_a_match_that_is_not_there_is_forgotten(season: MatchSeason) -> None:
    await season.store.jobs.enqueue(
        1, [RerateMatches(7).build_job(season.now), MentionPlayer(8, 1).build_job(season.now)]
    )
    assert sorted(await list_sentences(season)) == [
        "the job “call 8” is about what is not there",
        "the job “rate anew 7” is about what is not there",
    ]


@pytest.mark.sweep
async def test_an_absence_before_somebody_took_a_seat_stopped_no_clock(season: MatchSeason) -> None:
    match = await season.start_match("pyf", ANA, BEN, CYN, DAN, players="2", pace="5d+0s")
    await season.play_match(match, 30)
    session = await loading.load_session(season.app, match)
    holder = session.person_to_act
    await season.app.save_people(EVE)
    await season.store.pauses.add_absence(Pause(EVE.id, season.now, season.now + 3 * DAY))
    # Of the holder's five days three go by; two are left to the new one, who is back by then.
    season.now += 3 * DAY
    await substitution.take_seat(
        season.app, season.build_action(match, EVE), SeatOffer(match, holder, EVE.id, holder)
    )
    season.now += 2 * DAY + 13 * HOUR
    waiting = session.waiting_players[0]
    await claim_match(
        season.app, season.build_action(match, DiscordPerson(waiting, session.names[waiting]))
    )
    await season.show_match(match)
    assert await list_sentences(season) == []
