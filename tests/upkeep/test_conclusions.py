"""What the doctor says of matches that their contest ended: a forfeit is in no rating."""

from pathlib import Path

import pytest

from bot.features.matches import service as play
from bot.features.matches.service import Action, resign_match
from bot.features.ratings.store import Ratings
from bot.ops.doctor import RepairMode
from bot.platform.db.store import Store
from bot.platform.people import CLOCK
from engine.events import Concluded
from engine.position import Side
from tests.support.match_season import ANA, BEN, CYN, MatchSeason
from tests.upkeep.test_doctor import MENDS, call_doctor, change_database, dump_database

pytestmark = pytest.mark.asyncio

FORFEITED, UNPLAYED, DECIDED = 1, 2, 3
"""The matches by their numbers."""

CONCLUSIONS = {
    FORFEITED: Concluded(Side.GOLD, forfeited=True),
    UNPLAYED: Concluded(None, forfeited=True),
    DECIDED: Concluded(Side.BLACK, forfeited=False),
}


async def conclude_match(season: MatchSeason, match: int, event: Concluded) -> None:
    """End a match as its contest does."""
    action = Action(match, CLOCK, f"the deadline of match {match}")
    await play.apply_action(season.app, action, lambda _: event)


async def play_contest(where: str) -> None:
    """Play matches that a contest ends, and after them one that is resigned."""
    async with await Store.open(where) as store:
        season = MatchSeason(store)
        for number, event in CONCLUSIONS.items():
            assert await season.start_match("zeno") == number
            await season.play_match(number, 5)
            await conclude_match(season, number, event)
            await season.show_match(number)
        later = await season.start_match("zeno", BEN, CYN)
        await resign_match(season.app, season.build_action(later, CYN))
        await season.show_match(later)


async def test_a_forfeited_match_is_in_no_rating_nor_in_one_worked_out_again(new: Path) -> None:
    await play_contest(str(new))
    assert await call_doctor(str(new)) == (True, ["Nothing is wrong."])
    async with await Store.open_read_only(str(new)) as store:
        ratings = store.get(Ratings)
        assert await ratings.load_changes(FORFEITED) == ()
        assert await ratings.load_changes(UNPLAYED) == ()
        # Of Ana's three matches the deadline alone was rated.
        (rated,) = [
            row
            for pool, row in await ratings.load_by_person("everywhere", ANA.id)
            if pool == "zeno"
        ]
        assert (rated.games, rated.won + rated.drawn + rated.lost) == (1, 1)
    # Nor is it after ratings that are wrong have been worked out again.
    before = await dump_database(str(new))
    await change_database(
        str(new),
        "INSERT INTO rating_changes (match, scope, pool, person, before_mu, before_sigma, "
        f"after_mu, after_sigma, side) SELECT {FORFEITED}, scope, pool, person, mu, sigma, 26.5, "
        f"7.5, 'gold' FROM ratings WHERE person = {ANA.id} AND scope = 'everywhere' "
        "AND pool = 'zeno'",
        "UPDATE ratings SET mu = 26.5, sigma = 7.5, won = won + 1, games = games + 1 "
        f"WHERE person = {ANA.id} AND scope = 'everywhere' AND pool = 'zeno'",
    )
    text = (
        f"match {FORFEITED}: what it did to the board everywhere, zeno is not what its result "
        "comes to"
    )
    assert await call_doctor(str(new)) == (False, [text, f"1 thing is wrong{MENDS}."])
    assert (await call_doctor(str(new), RepairMode.AT_ONCE))[0]
    assert await dump_database(str(new)) == before
