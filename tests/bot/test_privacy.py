"""What people are told of their data, how they get it, and what is left when it is deleted."""

import json
import shutil
import tracemalloc
import zipfile
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, BinaryIO

import pytest
import simcord
from sqlalchemy import Connection, insert

from bot.features.analysis.store import analyses
from bot.features.challenges.store import Challenges
from bot.features.matches import loading
from bot.features.matches.record import RecordFault, verify_record
from bot.features.matches.scene import picture_names
from bot.features.matches.store import Matches
from bot.features.matches.texts import name_people
from bot.features.privacy import delivery as export
from bot.features.privacy.deletion_log import DeletionLog, read_deletions
from bot.features.privacy.store import PersonalData
from bot.platform.db.backups import back_up_database
from bot.platform.i18n.reader import load_reader
from engine.clock import DAY
from engine.match import Phase
from engine.outcome import ABORTED
from tests.bot.test_help import MAX_SCREEN_LENGTH
from tests.bot.test_matches import download_record
from tests.bot.test_record_page import load_validator
from tests.store.test_privacy import dump_values, find_traces
from tests.support.club import SimulatedClub, open_club
from tests.support.driver import (
    extract_text,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    give_up,
    list_button_labels,
    list_direct_texts,
    press_more,
    start_match,
    take_next_action,
)
from tests.support.panels import ask_deletion, change_settings, export_data, open_data
from tests.upkeep.test_doctor import call_doctor
from tests.words.build import compile_texts

pytestmark = pytest.mark.asyncio

WORD = "my granny's goose"


async def play_to_the_end(club: SimulatedClub, **options: Any) -> None:
    """Let Ana and Ben play a match to its end."""
    await start_match(club, "twelve-dogs", **options)
    while await take_next_action(club):
        pass


async def delete_data(club: SimulatedClub, person: simcord.MemberActor) -> None:
    """Let somebody have their data deleted, and everything that follows be done."""
    message = await ask_deletion(person, club.channel)
    await person.click(message, custom_id="delete-data:yes")
    await club.advance_clock(0)


async def test_everybody_is_told_what_is_stored_on_one_screen(club: SimulatedClub) -> None:
    text = extract_text(await open_data(club.cyn, club.channel))
    lines = text.splitlines()
    assert lines[0] == "### Your data"
    assert len(text) < MAX_SCREEN_LENGTH
    assert all(line.startswith("- **") for line in lines[1:])
    for words in ("**Export**", "**Delete**", "PRIVACY.md", "30 days", "train models"):
        assert words in text
    # Asking stores nothing.
    assert await club.store.people.load_names([club.cyn.id]) == {}


async def test_what_is_asked_can_be_declined(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    asked = await ask_deletion(club.ana, club.channel)
    assert list_button_labels(asked) == ["Delete my data", "Keep it"]
    message = get_response(await club.ana.click(asked, label="Keep it")).message
    assert extract_text(message) == "Nothing was deleted."
    await club.advance_clock(0)
    assert club.ana.id in await club.store.people.load_names([club.ana.id])


async def test_a_deleted_player_is_nowhere_and_the_match_is_still_proved(
    club: SimulatedClub, tmp_path: Path
) -> None:
    await play_to_the_end(club, word=WORD)
    before = await download_record(club)
    assert verify_record(before).wrong is None
    throws = verify_record(before).throws
    await club.ana.slash(club.channel, "match note", match=1, text="mind the ace point")
    await club.ana.slash(club.channel, "me block", person=club.cyn.user)
    await change_settings(club.ana, club.channel, language="de")
    log = tmp_path / "tabula.deletions"
    club.bot.app.set_part(DeletionLog, DeletionLog((log,)))
    await delete_data(club, club.ana)

    left = await dump_values(club.store)
    assert (
        find_traces(left, str(club.ana.id), WORD, "mind the ace point", '"Ana"', '"ana"') == set()
    )
    assert [each.person for each in read_deletions([log])] == [club.ana.id]

    # The others keep their match, under her pseudonym.
    ratings = await club.store.get(Matches).load_ended_by_person(club.ben.id, 9)
    assert [row.id for row in ratings] == [1]
    assert "deleted player" in get_ephemeral_text(await club.ben.slash(club.channel, "history"))
    assert str(club.ana.id) not in get_ephemeral_text(await club.ben.slash(club.channel, "history"))
    dice = get_ephemeral_text(await press_more(club.ben, get_newest_message(club), "Verify"))
    assert "deleted at their request on " in dice
    assert f"recomputed all {throws} throws and found them correct." in dice
    record = await download_record(club)
    assert record["contributions"] == [None, before["contributions"][1]]
    assert record["checked"]["throws"] == throws
    load_validator("record").validate(record)
    found = verify_record(record)
    assert (found.wrong, found.throws) == (None, 0)
    assert found.past is not None
    # Everything else is the same, and whoever has the old record can still recompute the throws.
    assert {name: value for name, value in record.items() if name != "checked"} == {
        **before,
        "contributions": record["contributions"],
    }
    assert verify_record(before).wrong is None


async def test_a_record_without_a_contribution_says_what_was_checked(club: SimulatedClub) -> None:
    await play_to_the_end(club)
    record = await download_record(club)
    # A number alone is nothing personal, and stays.
    await delete_data(club, club.ana)
    assert await download_record(club) == record
    record["contributions"][0] = None
    for checked in ({}, {"at": "then", "throws": 1}, {"at": -1, "throws": 1}, None):
        with pytest.raises(ValueError, match="not a record of a match"):
            verify_record({**record, "checked": checked})
    past = verify_record({**record, "checked": {"at": 5, "throws": None}})
    assert past.wrong is RecordFault.PAST_THROW
    assert verify_record({**record, "checked": {"at": 5, "throws": 9}}).wrong is None
    # What the rules forbid is found all the same.
    broken = {**record, "checked": {"at": 5, "throws": 9}, "events": record["events"][1:]}
    assert verify_record(broken).wrong is RecordFault.EVENT


async def test_what_is_in_progress_is_ended(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    for _ in range(6):
        await take_next_action(club)
    await start_match(club, "twelve-dogs")
    await club.ana.slash(club.channel, "challenge", game="zeno")
    await club.ben.slash(club.channel, "challenge", game="zeno", opponent=club.ana)
    await club.cyn.slash(club.channel, "challenge", game="zeno")
    await delete_data(club, club.ana)
    sessions = [await loading.load_session(club.bot.app, number) for number in (1, 2)]
    assert [session.match.phase for session in sessions] == [Phase.OVER, Phase.OVER]
    assert [session.row.how for session in sessions] == ["resigned", ABORTED]
    states = [
        challenge.state
        for number in range(3, 6)
        if (challenge := await club.store.get(Challenges).load_challenge(number))
    ]
    assert states == ["withdrawn", "withdrawn", "open"]
    assert find_traces(await dump_values(club.store), str(club.ana.id)) == set()


async def test_a_word_is_needed_as_long_as_its_match_goes_on(club: SimulatedClub) -> None:
    """A restored backup has matches of somebody who is deleted already."""
    await start_match(club, "zeno", word=WORD)
    erased = await club.store.get(PersonalData).erase(club.ana.id, club.hands(), lambda _: [])
    assert erased.pseudonym == -1
    assert find_traces(await dump_values(club.store), WORD) == {"seats.contribution"}
    # As a process that knows nothing of it: its match goes on, and is shown.
    assert await take_next_action(club)


async def test_somebody_who_comes_back_is_somebody_new(club: SimulatedClub) -> None:
    await play_to_the_end(club)
    await delete_data(club, club.ana)
    await start_match(club, "zeno")
    row = await club.store.get(Matches).load_row(2)
    assert row is not None
    assert club.ana.id in {seat.person for seat in row.seats}
    assert [
        each.id for each in await club.store.get(Matches).load_ended_by_person(club.ana.id, 9)
    ] == []
    await give_up(club, club.ben, club.channel, 2)


async def test_the_doctor_finds_nothing_wrong_afterwards(
    club: SimulatedClub, tmp_path: Path
) -> None:
    await play_to_the_end(club, word=WORD)
    await delete_data(club, club.ana)
    await delete_data(club, club.ben)
    await club.bot.close()
    await club.store.close()
    assert await call_doctor(str(tmp_path / "club.sqlite3")) == (True, ["Nothing is wrong."])


async def test_neither_the_file_nor_a_backup_has_a_byte_of_them(
    club: SimulatedClub, tmp_path: Path
) -> None:
    await play_to_the_end(club, word=WORD)
    note = "mind the ace point"
    await club.ana.slash(club.channel, "match note", match=1, text=note)
    await delete_data(club, club.ana)
    file, copy = tmp_path / "club.sqlite3", tmp_path / "copy.sqlite3"
    await back_up_database(file, copy)
    await club.bot.close()
    await club.store.close()
    for each in (file, copy):
        stored = each.read_bytes()
        assert [text for text in (WORD, note, str(club.ana.id)) if text.encode() in stored] == []


async def read_archive(message: Any) -> dict[str, Any]:
    """The documents of an archive that somebody got."""
    with zipfile.ZipFile(BytesIO(await message.attachments[0].read())) as archive:
        return {name: json.loads(archive.read(name)) for name in archive.namelist()}


async def test_somebody_gets_their_data_by_direct_message(club: SimulatedClub) -> None:
    await play_to_the_end(club, word=WORD)
    record = await download_record(club)
    await start_match(club, "zeno")
    await club.ana.slash(club.channel, "match note", match=1, text="mind the ace point")
    public = len(list(club.channel.history()))
    text = get_ephemeral_text(await export_data(club.ana, club.channel))
    assert text == ("Your data is being collected. You get it by direct message in a few minutes.")
    await club.advance_clock(0)
    assert len(list(club.channel.history())) == public
    notice, sent = list_direct_texts(club.ana)
    assert notice == "You asked for your data. It follows here as soon as it's collected."
    assert sent.startswith("Here is everything that I have stored about you")
    files = await read_archive(club.ana.user.dm_channel.last_message)
    assert set(files) == {"data.json", "matches/match-1.json"}
    assert files["matches/match-1.json"] == record
    data = files["data.json"]
    load_validator("data").validate(data)
    assert (data["format"], data["person"]) == (1, str(club.ana.id))
    assert data["tables"]["people"][0]["name"] == "Ana"
    assert data["tables"]["memos"][0]["text"] == "mind the ace point"
    assert {row["id"] for row in data["tables"]["matches"]} == {1, 2}
    assert not any("secret" in row for row in data["tables"]["matches"])
    again = get_ephemeral_text(await export_data(club.ana, club.channel))
    assert (
        again == "You can get your data once a day, and you've asked for it in the last 24 hours."
    )
    await club.advance_clock(DAY)
    assert "being collected" in get_ephemeral_text(await export_data(club.ana, club.channel))


async def test_somebody_without_direct_messages_is_told(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    club.env.inject_error("POST", "/channels/*/messages", status=403, code=50007)
    text = get_ephemeral_text(await export_data(club.ana, club.channel))
    assert text.startswith("I can't send you direct messages, and your data goes nowhere else.")
    # Once they take them, they need not wait for a day.
    assert "being collected" in get_ephemeral_text(await export_data(club.ana, club.channel))


async def test_much_data_comes_in_several_archives(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "LARGEST_PART", 0)
    for _ in range(2):
        await play_to_the_end(club)
    await export_data(club.ana, club.channel)
    await club.advance_clock(0)
    sent = list(club.ana.user.dm_channel.history())[1:]
    names = [message.attachments[0].filename for message in sent]
    numbers = range(2, len(sent) + 1)
    assert names == ["tabula-data.zip", *(f"tabula-data-{number}.zip" for number in numbers)]
    assert f"(file 1 of {len(sent)})" in extract_text(sent[0])
    files = [await read_archive(message) for message in sent]
    names = [name for each in files for name in each]
    parts = [name for name in names if name.startswith("data")]
    assert names == [*parts, "matches/match-1.json", "matches/match-2.json"]
    assert parts == ["data.json", *(f"data-{number}.json" for number in range(2, len(parts) + 1))]
    documents = [document for each in files for name, document in each.items() if name in parts]
    for document in documents:
        load_validator("data").validate(document)
        assert document["person"] == str(club.ana.id)
    seats = [row for document in documents for row in document["tables"].get("seats", [])]
    assert [(row["match"], row["person"]) for row in seats] == [
        (1, str(club.ana.id)),
        (2, str(club.ana.id)),
    ]


MANY = 10_000
ELSEWHERE = 77


@pytest.mark.parametrize("subject", ["person", "server"])
async def test_much_data_takes_little_memory(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch, subject: str
) -> None:
    await play_to_the_end(club)
    monkeypatch.setattr(export, "LARGEST_PART", 2**16)
    row = {"game": "zeno", "edition": 1, "options": {}, "thrown": [1, 2], "created": 0}
    chance = Random(7)
    here = {**row, "guild": club.guild.id, "person": club.ana.id}
    there = {**row, "position": "other", "guild": ELSEWHERE, "person": club.ben.id}

    def fill(connection: Connection) -> None:
        # What is stored is not as easily compressed as the same text again and again.
        positions = [f"{chance.getrandbits(4000):x}" for _ in range(MANY)]
        connection.execute(insert(analyses), [{**here, "position": each} for each in positions])
        connection.execute(insert(analyses), [there] * 3)

    await club.store._database.write(fill)  # noqa: SLF001
    app = club.bot.app

    def open_archives(is_much: bool) -> AbstractAsyncContextManager[Sequence[BinaryIO]]:
        if subject == "person":
            return export.open_archives(app, (club.ana if is_much else club.ben).id)
        return export.open_server_archives(app, club.guild.id if is_much else ELSEWHERE)

    tracemalloc.start()
    try:
        async with open_archives(True) as archives:
            _, most = tracemalloc.get_traced_memory()
            found = [row for each in archives for row in list_rows(each, "analyses")]
    finally:
        tracemalloc.stop()
    assert len(archives) > 3
    assert {row["guild"] for row in found} == {str(club.guild.id)}
    assert len({row["id"] for row in found}) == len(found) == MANY
    # All of it is more than ten MB as text, and much more as rows.
    assert most < 5_000_000
    async with open_archives(False) as archives:
        (archive,) = archives
        assert [row["position"] for row in list_rows(archive, "analyses")] == ["other"] * 3


def list_rows(archive: BinaryIO, table: str) -> list[dict[str, Any]]:
    """The rows of a table in the documents of an archive."""
    with zipfile.ZipFile(archive) as opened:
        documents = [
            json.loads(opened.read(name)) for name in opened.namelist() if name.startswith("data")
        ]
    return [row for document in documents for row in document["tables"].get(table, [])]


async def test_a_deleted_player_is_called_so_in_each_language(
    new_file: Path, tmp_path: Path
) -> None:
    compile_texts(tmp_path, "de", {"deleted player": "gelöschte Person"})
    where = shutil.copy(new_file, tmp_path / "club.sqlite3")
    async with open_club(where, tmp_path, people="de", server="de") as club:
        await play_to_the_end(club)
        await delete_data(club, club.ana)
        text = get_ephemeral_text(await club.ben.slash(club.channel, "history"))
        assert "gelöschte Person" in text
        german = load_reader("de", tmp_path)
        people = await club.store.people.load_names([-1, club.ben.id])
        assert name_people(german, people) == {-1: "gelöschte Person", club.ben.id: "Ben"}
        assert picture_names(german, people, {})[-1] == "gelöschte Person"
        assert german("{who} won", who="<@-12>") == "gelöschte Person won"
