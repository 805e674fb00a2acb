"""Whole matches, from the challenge to the leaderboard."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.features.matches.record import RecordFault, verify_record
from bot.features.matches.store import Matches
from bot.platform.db.backups import back_up_database
from bot.platform.db.store import Store
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.refusals import explain_refusal
from engine.refusal import Refusal
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    find_mentioned_player,
    get_ephemeral_text,
    get_newest_message,
    give_up,
    list_button_labels,
    press_more,
    read_record,
    start_match,
    take_next_action,
)


@pytest.mark.asyncio
async def test_twelve_dogs_from_challenge_to_leaderboard(club: SimulatedClub) -> None:
    await start_match(club, "twelve-dogs")
    assert list_button_labels(get_newest_message(club)) == [
        "af",
        "gm",
        "ns",
        "tz",
        "How to play",
        "More…",
    ]
    await find_mentioned_player(club).click(get_newest_message(club), label="gm")
    turns = 0
    while await take_next_action(club):
        turns += 1
    end = get_newest_message(club)
    assert "won**: " in extract_text(end) or "**Drawn**: three points each" in extract_text(end)
    assert [file.filename for file in end.attachments] == ["board.png"]
    assert list_button_labels(end) == [
        "Rematch, sides swapped",
        "What went wrong?",
        "Watch again",
        "More…",
    ]
    stored = await club.store.get(Matches).load_row(1)
    assert stored is not None
    assert stored.winner is not None
    # The secret is one press away, and no long number stands in the channel.
    assert stored.secret.hex() not in extract_text(end)
    assert stored.secret.hex() in get_ephemeral_text(await press_more(club.cyn, end, "Fair dice"))
    assert "match the secret fixed before the first roll" in get_ephemeral_text(
        await press_more(club.ben, end, "Verify")
    )
    await club.ana.slash(club.channel, "leaderboard")
    text = extract_text(get_newest_message(club))
    assert "Ana" in text
    assert "Ben" in text


@pytest.mark.asyncio
async def test_a_match_goes_on_after_a_restart_with_its_old_buttons(club: SimulatedClub) -> None:
    await start_match(club, "zeno", rated=False)
    for _ in range(5):
        assert await take_next_action(club)
    before = get_newest_message(club)
    bot = await club.restart_bot()
    assert get_newest_message(club).id == before.id
    assert await take_next_action(club)
    assert get_newest_message(club).id != before.id or extract_text(
        get_newest_message(club)
    ) != extract_text(before)
    for _ in range(5):
        assert await take_next_action(club)
    await give_up(club, club.ana, club.channel)
    assert "Not rated." in extract_text(get_newest_message(club))
    assert verify_record(await download_record(club)).wrong is None
    await bot.close()


@pytest.mark.asyncio
async def test_the_record_of_a_match_verifies_and_a_changed_one_does_not(
    club: SimulatedClub, tmp_path: Path
) -> None:
    await start_match(club, "twelve-dogs")
    while await take_next_action(club):
        pass
    record = await download_record(club)
    verdict = verify_record(record)
    assert verdict.wrong is None
    assert verdict.throws == sum(
        2 if event["event"] == "battled" else event["event"] == "thrown"
        for event in record["events"]
    )
    thrown = next(event for event in record["events"] if event["event"] == "thrown")
    thrown["dice"] = [7 - number for number in thrown["dice"]]
    assert verify_record(record).wrong is RecordFault.THROW
    record["commitment"] = "0" * 64
    assert verify_record(record).wrong is RecordFault.SECRET
    with pytest.raises(Refusal) as refusal:
        verify_record({**record, "rules": 7})
    text = explain_refusal(Reader.ENGLISH, refusal.value)
    assert text == "Twelve Dogs has no edition 7 of its rules here, only edition 1"


@pytest.mark.asyncio
async def test_a_match_of_an_edition_that_is_not_here_is_left_alone(
    club: SimulatedClub, tmp_path: Path
) -> None:
    await start_match(club, "zeno")
    with closing(sqlite3.connect(tmp_path / "club.sqlite3")) as database, database:
        database.execute("UPDATE matches SET edition = 7")
    bot = await club.restart_bot()
    text = get_ephemeral_text(await club.ana.slash(club.channel, "roll"))
    assert text == "Zeno has no edition 7 of its rules here, only edition 1."
    await bot.close()


async def download_record(club: SimulatedClub) -> dict[str, Any]:
    """The record of the match that has just ended, as somebody gets it by the button."""
    return await read_record(await press_more(club.cyn, get_newest_message(club), "Record"))


@pytest.mark.asyncio
async def test_a_match_can_be_read_from_the_store_alone(
    club: SimulatedClub, tmp_path: Path
) -> None:
    await start_match(club, "zeno")
    for _ in range(6):
        await take_next_action(club)
    await back_up_database(tmp_path / "club.sqlite3", tmp_path / "copy.sqlite3")
    async with await Store.open(tmp_path / "copy.sqlite3") as copy:
        row, events = await copy.get(Matches).load_row(1), await copy.get(Matches).load_events(1)
        assert row is not None
        assert [event.version for event in events] == list(range(1, row.version + 1))
