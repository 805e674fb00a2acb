"""Ratings from before the daily limit and seasons, and what the doctor says of both."""

from pathlib import Path

import pytest

from bot.features.matches.rows import Leaderboard
from bot.features.matches.service import resign_match
from bot.features.moderation import service as moderation
from bot.ops.doctor import apply_repairs, plan_repairs
from bot.ops.findings import BoardRerating
from bot.platform.db.store import Store
from bot.platform.people import DiscordPerson
from engine.clock import DAY, MINUTE
from tests.support.match_season import ANA, BEN, GUILD, MatchSeason
from tests.support.rated import dump_ratings
from tests.support.undoing import return_file_to_version
from tests.upkeep.test_unsettled import change_database, list_findings

pytestmark = pytest.mark.asyncio

NOT_THEIRS = "is not what their matches have made of it"


async def lose_match(season: MatchSeason, loser: DiscordPerson, *, edition: int = 2) -> int:
    """Let Ana and Ben begin a match that is rated by an edition, and one of them resign it."""
    match = await season.start_match("zeno")
    await season.play_match(match, 3)
    begun = f"UPDATE matches SET rating_edition = {edition} WHERE id = {match}"
    await change_database(season, begun)
    await resign_match(season.app, season.build_action(match, loser))
    await season.show_match(match)
    # Far enough from the next one that nobody takes them for stored in the other order.
    season.now += 2 * MINUTE
    return match


async def mend_faults(season: MatchSeason) -> None:
    """Do what the doctor would."""
    await apply_repairs(season.store, plan_repairs(await list_findings(season)))
    assert await list_findings(season) == []


async def count_still(season: MatchSeason) -> int:
    """How many matches moved nobody's rating."""
    _, changes = await dump_ratings(season.store)
    return len({row[0] for row in changes if row[4:6] == row[6:8]})


async def test_a_database_from_before_is_rated_again_to_the_same_numbers(new: Path) -> None:
    async with await Store.open(new) as store:
        season = MatchSeason(store)
        matches = [await lose_match(season, BEN, edition=1) for _ in range(5)]
        before = await dump_ratings(store)
        assert await count_still(season) == 0
    return_file_to_version(new, 25)
    async with await Store.open(new) as store:
        season.store = season.app.store = store
        assert await dump_ratings(store) == before
        assert await list_findings(season) == []
        scopes, pools = ("everywhere", f"server:{GUILD}"), ("zeno", "all")
        boards = [Leaderboard(scope, pool) for scope in scopes for pool in pools]
        await apply_repairs(store, [BoardRerating(board) for board in boards])
        assert await dump_ratings(store) == before
        # What is played from now on is limited, by matches of the new edition alone.
        for _ in range(4):
            await lose_match(season, ANA)
        assert await count_still(season) == 1
        assert await list_findings(season) == []
        action = season.build_action(matches[0], ANA)
        await moderation.end_match(season.app, action, GUILD, moderation.ANNUL, "a slip")
        await moderation.rerate_matches(season.app, matches[0])
        assert await count_still(season) == 1


async def test_matches_against_the_computer_have_no_limit(new: Path) -> None:
    async with await Store.open(new) as store:
        season = MatchSeason(store)
        for _ in range(5):
            match = await season.start_computer_match("zeno")
            await season.play_match(match, 5)
            await resign_match(season.app, season.build_action(match, ANA))
            await season.show_match(match)
        rows, changes = await dump_ratings(store)
        assert {row[5] for row in rows} == {5}
        assert len({row[0] for row in changes}) == 5
        assert await count_still(season) == 0
        assert await list_findings(season) == []


async def test_a_limit_that_was_not_kept_to_is_found_and_mended(new: Path) -> None:
    async with await Store.open(new) as store:
        season = MatchSeason(store)
        matches = [await lose_match(season, BEN) for _ in range(4)]
        before = await dump_ratings(store)
        board = "scope = 'everywhere' AND pool = 'zeno'"
        await change_database(
            season,
            "UPDATE rating_changes SET after_mu = before_mu, after_sigma = before_sigma "
            f"WHERE match = {matches[1]} AND {board}",
        )
        sentences = {finding.sentence for finding in await list_findings(season)}
        assert (
            f"match {matches[1]}: the board everywhere, zeno was rated without regard to the daily "
            "limit"
        ) in sentences
        assert f"the rating of {ANA.id} on the board everywhere, zeno {NOT_THEIRS}" in sentences
        await mend_faults(season)
        assert await dump_ratings(store) == before


async def test_a_season_that_is_mended_takes_the_later_ones_with_it(new: Path) -> None:
    async with await Store.open(new) as store:
        season = MatchSeason(store)
        for _ in range(3):
            await lose_match(season, BEN)
            season.now += 91 * DAY
        before = await dump_ratings(store)
        assert [row[0] for row in before[0] if row[0].startswith("everywhere@")] == [
            f"everywhere@2027-Q{quarter}" for quarter in (1, 2, 3) for _ in range(4)
        ]
        assert await list_findings(season) == []
        await change_database(
            season,
            "UPDATE ratings SET mu = mu + 1 "
            f"WHERE scope = 'everywhere@2027-Q1' AND pool = 'zeno' AND person = {ANA.id}",
        )
        sentences = [finding.sentence for finding in await list_findings(season)]
        assert sentences == [
            f"the rating of {ANA.id} on the board everywhere@2027-Q{quarter}, zeno {NOT_THEIRS}"
            for quarter in (1, 2)
        ]
        await mend_faults(season)
        assert await dump_ratings(store) == before


async def test_seasons_that_started_from_a_wrong_one_are_mended_too(new: Path) -> None:
    async with await Store.open(new) as store:
        season = MatchSeason(store)
        await lose_match(season, BEN)
        right = (await dump_ratings(store))[0]
        await change_database(
            season,
            "UPDATE ratings SET mu = mu + 1 "
            f"WHERE scope = 'everywhere@2027-Q1' AND pool = 'zeno' AND person = {ANA.id}",
        )
        season.now += 91 * DAY
        await lose_match(season, BEN)
        # The second goes by the first, which alone is found to be wrong.
        assert [finding.sentence for finding in await list_findings(season)] == [
            f"the rating of {ANA.id} on the board everywhere@2027-Q1, zeno {NOT_THEIRS}"
        ]
        before = (await dump_ratings(store))[0]
        await mend_faults(season)
        after = (await dump_ratings(store))[0]
        first = "everywhere@2027-Q1"
        assert [row for row in after if row[0] == first] == [
            row for row in right if row[0] == first
        ]
        assert {row[:2] for row in set(before) ^ set(after)} == {
            (f"everywhere@2027-Q{quarter}", "zeno") for quarter in (1, 2)
        }
