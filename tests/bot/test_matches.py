"""Whole matches, from the challenge to the leaderboard."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.app.record import Wrong, verify
from bot.client import Tabula
from bot.store import Store, backup
from bot.words.reader import Reader
from bot.words.reasons import reason
from engine.refusal import Refusal
from tests.bot.conftest import Club, Seeded
from tests.bot.driver import answer, begin, called, labels, newest, said, step, text


@pytest.mark.asyncio
async def test_twelve_dogs_from_challenge_to_leaderboard(club: Club) -> None:
    await begin(club, "twelve-dogs")
    assert labels(newest(club)) == ["af", "gm", "ns", "tz", "Dice"]
    await called(club).click(newest(club), label="gm")
    turns = 0
    while await step(club):
        turns += 1
    end = newest(club)
    assert "won**: " in text(end) or "**Drawn**: three points each" in text(end)
    assert [file.filename for file in end.attachments] == ["board.png"]
    assert labels(end) == ["Rematch", "Replay", "Verify", "Dice", "Record", "Report"]
    stored = await club.store.matches.get(1)
    assert stored is not None
    assert stored.winner is not None
    # The secret is one press away, and no long number stands in the channel.
    assert stored.secret.hex() not in text(end)
    assert stored.secret.hex() in said(await club.cyn.click(end, label="Dice"))
    assert "throws were recomputed from the secret" in said(
        await club.ben.click(end, label="Verify")
    )
    await club.ana.slash(club.channel, "leaderboard")
    listed = text(newest(club))
    assert "Ana" in listed
    assert "Ben" in listed


@pytest.mark.asyncio
async def test_a_match_goes_on_after_a_restart_with_its_old_buttons(club: Club) -> None:
    await begin(club, "zeno", rated=False)
    for _ in range(5):
        assert await step(club)
    before = newest(club)
    bot = Tabula(club.store, entropy=Seeded())
    await club.env.restart_bot(bot)
    assert newest(club).id == before.id
    assert await step(club)
    assert newest(club).id != before.id or text(newest(club)) != text(before)
    for _ in range(5):
        assert await step(club)
    await club.ana.slash(club.channel, "resign")
    assert "Not rated." in text(newest(club))
    assert verify(await record_of(club)).wrong is None
    await bot.close()


@pytest.mark.asyncio
async def test_the_record_of_a_match_verifies_and_a_changed_one_does_not(
    club: Club, tmp_path: Path
) -> None:
    await begin(club, "twelve-dogs")
    while await step(club):
        pass
    record = await record_of(club)
    verdict = verify(record)
    assert verdict.wrong is None
    assert verdict.throws == sum(
        2 if event["event"] == "battled" else event["event"] == "thrown"
        for event in record["events"]
    )
    thrown = next(event for event in record["events"] if event["event"] == "thrown")
    thrown["dice"] = [7 - number for number in thrown["dice"]]
    assert verify(record).wrong is Wrong.THROW
    record["commitment"] = "0" * 64
    assert verify(record).wrong is Wrong.SECRET
    with pytest.raises(Refusal) as refusal:
        verify({**record, "rules": 7})
    told = reason(Reader.ENGLISH, refusal.value)
    assert told == "Twelve Dogs has no edition 7 of its rules here, only edition 1"


@pytest.mark.asyncio
async def test_a_match_of_an_edition_that_is_not_here_is_left_alone(
    club: Club, tmp_path: Path
) -> None:
    await begin(club, "zeno")
    with closing(sqlite3.connect(tmp_path / "club.sqlite3")) as database, database:
        database.execute("UPDATE matches SET edition = 7")
    bot = Tabula(club.store, entropy=Seeded())
    await club.env.restart_bot(bot)
    told = said(await club.ana.slash(club.channel, "roll"))
    assert told == "Zeno has no edition 7 of its rules here, only edition 1."
    await bot.close()


async def record_of(club: Club) -> dict[str, Any]:
    """The record of the match that has just ended, as somebody gets it by the button."""
    told = answer(await club.cyn.click(newest(club), label="Record"))
    read: dict[str, Any] = json.loads(await told.attachments[0].read())
    return read


@pytest.mark.asyncio
async def test_a_match_can_be_read_from_the_store_alone(club: Club, tmp_path: Path) -> None:
    await begin(club, "zeno")
    for _ in range(6):
        await step(club)
    await backup(tmp_path / "club.sqlite3", tmp_path / "copy.sqlite3")
    async with await Store.open(tmp_path / "copy.sqlite3") as copy:
        row, events = await copy.matches.get(1), await copy.matches.events(1)
        assert row is not None
        assert [event.version for event in events] == list(range(1, row.version + 1))
