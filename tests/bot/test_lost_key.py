"""What people meet when the key to sealed dice is lost for good: a sentence wherever they look."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import update

from bot.features.challenges.tables import challenges
from bot.features.contests.tables import contests
from bot.features.matches.session import SessionCache
from bot.features.matches.tables import matches
from bot.ops.commands import end_without_secret
from bot.platform.db.sealing import DROPPED, LostSecrets
from tests.bot.test_command_line import run_tabula
from tests.bot.test_commitments import get_record, press_dice
from tests.bot.test_league_dice import find_message
from tests.bot.test_league_server import write
from tests.bot.test_leagues import find_league, load_view, start_league
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    get_ephemeral_text,
    get_newest_message,
    give_up,
    press_more,
    start_match,
)

pytestmark = pytest.mark.asyncio
ANNULLED = "**Annulled**: the key to its dice was lost. The match doesn't count."
VERIFIED = (
    "The throws can't be checked: the key to this match's dice was lost, so the match was "
    "annulled. Every move is legal."
)


async def lose(club: SimulatedClub, *lost: tuple[str, int]) -> None:
    """Let the secrets of some rows be dropped, as `tabula key --lost` does."""
    tables = {table.name: table for table in (matches, challenges, contests)}
    for name, number in lost:
        table = tables[name]
        await write(club, update(table).where(table.c.id == number).values(secret=DROPPED))
    club.bot.app.get_part(SessionCache).clear()
    await end_without_secret(club.bot.app, LostSecrets((), lost))
    await club.advance_clock(5_000)


async def test_a_match_and_a_challenge_say_why_they_end(
    club: SimulatedClub, tmp_path: Path
) -> None:
    await start_match(club, "zeno")
    await lose(club, ("matches", 1), ("challenges", 1))
    end = get_newest_message(club)
    assert ANNULLED in extract_text(end)
    assert "The ratings no longer include this match." in extract_text(end)
    assert "The secret is lost." in await press_dice(club, end)
    assert get_ephemeral_text(await press_more(club.cyn, end, "Verify")) == VERIFIED
    record = await get_record(club)
    assert record["secret"] == ""
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    assert run_tabula("verify", str(file)).stdout.decode().strip() == VERIFIED

    await club.ana.slash(club.channel, "challenge", game="zeno")
    await lose(club, ("challenges", 2))
    assert "Withdrawn: the key to its dice was lost. Please make a new challenge." in extract_text(
        get_newest_message(club)
    )


async def test_a_record_without_a_secret_proves_nothing_unless_it_was_annulled(
    club: SimulatedClub, tmp_path: Path
) -> None:
    await start_match(club, "zeno")
    await give_up(club, club.ben, club.channel)
    record = await get_record(club)
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record | {"secret": ""}))
    found = run_tabula("verify", str(file))
    assert found.returncode == 1
    assert "the secret doesn't match the published commitment" in found.stderr.decode()


async def test_a_league_goes_on_with_dice_of_each_match(club: SimulatedClub) -> None:
    _, people = await start_league(club)
    view = await load_view(club)
    first, second = view.pairings[0], view.pairings[1]
    (loser,) = (person for person in people if person.id == first.second)
    await give_up(club, loser, club.channel, first.match)
    running: Sequence[tuple[str, int]] = [
        ("matches", each.match) for each in view.pairings[1:] if each.match
    ]
    await lose(club, ("contests", 1), *running)
    view = await load_view(club)
    assert [each.how for each in view.pairings][:2] == ["resigned", "annulled"]
    assert ANNULLED in extract_text(await find_message(club, second.match))
    # What was played before is proved by itself.
    record = await get_record(club, first.match)
    assert "league" not in record
    assert record["secret"]
    lost = "The key to these dice was lost. Each match begun since has dice of its own."
    assert lost in extract_text(find_league(club))
