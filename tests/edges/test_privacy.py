"""Somebody has their data deleted, and perhaps comes back.

What others decided about them holds, and nothing else is left: not in any file of a running bot.
"""

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import simcord

from bot.features.contests.tables import ContestView
from bot.features.preferences.store import Blocks
from bot.features.privacy.service import DeletePerson
from bot.features.privacy.store import PersonalData
from bot.platform.context import NO_SERVER
from bot.platform.db.backups import back_up_database
from bot.platform.db.preferences import MAX_FORMER_NAMES
from bot.platform.db.store import Store
from bot.platform.ui.controls import list_control_ids
from tests.bot.test_ladders import begin, find_card, load_view, open_ladder
from tests.bot.test_leagues import create_league, find_league, rule
from tests.bot.test_leagues import load_view as load_contest
from tests.bot.test_privacy import delete_data, play_to_the_end
from tests.bot.test_tournaments import SIGN_UP, gather_players
from tests.bot.test_tournaments import find_card as find_tournament
from tests.store.test_privacy import dump_values, find_traces
from tests.support import driver
from tests.support.club import SimulatedClub
from tests.support.contests import press_standings
from tests.support.panels import ask_deletion
from tests.support.stored import ANA, BEN, CYN, DAN, NOW, gather_rows, register_people
from tests.support.undoing import return_file_to_version

pytestmark = pytest.mark.asyncio


async def require_forgotten(club: SimulatedClub, person: simcord.MemberActor) -> None:
    """Let nothing stored name somebody."""
    assert find_traces(await dump_values(club.store), str(person.id)) == set()


def list_present(view: ContestView) -> list[int]:
    """Who takes part in a contest."""
    return [each.person for each in view.present]


@pytest.mark.parametrize("deleted", [False, True])
async def test_who_was_removed_from_a_league_stays_out(club: SimulatedClub, deleted: bool) -> None:
    card = await create_league(club)
    for person in (club.ana, club.ben, club.cyn):
        await person.click(card, label="Join")
    await rule(club, "remove", "Two accounts", person=club.ben.id)
    # Whoever leaves by themselves may come back before it starts.
    await press_standings(club.cyn, club.channel, "league", "leave")
    if deleted:
        for person in (club.ben, club.cyn):
            await delete_data(club, person)
            await require_forgotten(club, person)
    refusal = driver.get_ephemeral_text(await club.ben.click(find_league(club), label="Join"))
    assert refusal == (
        "You were removed from Autumn league, or left it while it was played, so you can't join it "
        "again."
    )
    await club.cyn.click(find_league(club), label="Join")
    assert list_present(await load_contest(club)) == [club.ana.id, club.cyn.id]
    if deleted:
        # To be refused stores nothing.
        await require_forgotten(club, club.ben)
    # What nobody can join any more keeps no mark of anybody.
    await rule(club, "cancel", "Nobody plays")
    assert (await dump_values(club.store))["exclusions.mark"] == []


async def test_who_loses_a_swiss_does_not_come_back_with_half_a_point(
    club: SimulatedClub,
) -> None:
    people = await gather_players(club, 9, format="swiss", rounds=4)
    await club.advance_clock(SIGN_UP)
    loser = people[3]
    await delete_data(club, loser)
    await club.advance_clock(5_000)
    refusal = driver.get_ephemeral_text(await loser.click(find_tournament(club), label="Join late"))
    assert "left it while it was played, so you can't join it again." in refusal
    view = await load_contest(club)
    assert loser.id not in list_present(view)
    assert len(view.entrants) == 9
    await require_forgotten(club, loser)


@pytest.mark.parametrize("deleted", [False, True])
async def test_who_was_removed_from_a_ladder_stays_out(club: SimulatedClub, deleted: bool) -> None:
    people = await open_ladder(club, 4)
    removed, leaver = people[1], people[2]
    panel = driver.get_response(await club.ana.slash(club.channel, "ladder manage")).message
    form = await club.ana.select(panel, custom_id="ladderremove:1:0", values=[str(removed.id)])
    await club.ana.submit_modal(form, {"text": "Never answers"})
    await press_standings(leaver, club.channel, "ladder", "leave")
    if deleted:
        for person in (removed, leaver):
            await delete_data(club, person)
            await require_forgotten(club, person)
    # Nobody can be let back in who isn't known any more.
    panel = driver.get_response(await club.ana.slash(club.channel, "ladder manage")).message
    assert ("ladderreadmit:1:0" in list_control_ids(panel)) is not deleted
    refusal = driver.get_ephemeral_text(await removed.click(find_card(club), label="Join"))
    assert refusal == "The organisers removed you from Club ladder, so you can't join it again."
    await leaver.click(find_card(club), label="Join")
    assert (await load_view(club)).rungs == (people[0].id, people[3].id, leaver.id)


def list_forms(person: int) -> Iterator[bytes]:
    """The ways in which an id stands in a file: in texts, and as SQLite keeps whole numbers."""
    yield str(person).encode()
    yield person.to_bytes(8, "big")
    # A number has as many bytes as it needs, of these.
    yield person.to_bytes(next(n for n in (1, 2, 3, 4, 6, 8) if person < 1 << 8 * n - 1), "big")


def find_in_files(folder: Path, *traces: bytes) -> dict[str, list[bytes]]:
    """Which of the traces are in which files, live as they are on the disk."""
    stored = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    return {
        name: found
        for name, content in stored.items()
        if (found := [trace for trace in traces if trace in content])
    }


async def leave_traces(club: SimulatedClub) -> list[bytes]:
    """Let Ben do what stores something of him, and return what can be found of it."""
    word, note, name = "goose and gander", "mind the ace point", "Benedict of the Hill"
    await play_to_the_end(club, word=word)
    await club.ben.slash(club.channel, "match note", match=1, text=note)
    await club.bot.app.store.people.save_name(club.ben.id, name, club.hands(), "benedict.hill")
    await club.ben.slash(club.channel, "notify", game="zeno")
    await driver.start_match(club, "zeno", word=word)
    for _ in range(4):
        await driver.take_next_action(club)
    await club.ana.slash(club.channel, "me block", person=club.ben)
    await club.ben.slash(club.channel, "me vacation", days=3)
    texts = (note, name, "benedict.hill")
    return [*list_forms(club.ben.id), *(text.encode() for text in texts)]


async def test_no_file_of_a_running_bot_has_a_byte_of_the_deleted(
    club: SimulatedClub, tmp_path: Path
) -> None:
    traces = await leave_traces(club)
    before = find_in_files(tmp_path, *traces)
    # All but the id as a text, which comes with the job that deletes them.
    assert {trace for found in before.values() for trace in found} == set(traces[1:])
    await delete_data(club, club.ben)
    await club.advance_clock(6_000)
    there = {file.name for file in tmp_path.iterdir()}
    assert {"club.sqlite3", "club.sqlite3-wal", "club.sqlite3-shm"} <= there
    assert find_in_files(tmp_path, *traces) == {}
    # Nor has a copy that is made from now on.
    (tmp_path / "copies").mkdir()
    await back_up_database(tmp_path / "club.sqlite3", tmp_path / "copies" / "copy.sqlite3")
    assert find_in_files(tmp_path / "copies", *traces) == {}
    # The bot goes on.
    await club.cyn.slash(club.channel, "challenge", game="zeno")


async def test_the_log_is_emptied_once_nobody_reads_it_and_delays_nobody(
    club: SimulatedClub, tmp_path: Path
) -> None:
    traces = await leave_traces(club)
    with closing(sqlite3.connect(tmp_path / "club.sqlite3", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM people").fetchone()
        await delete_data(club, club.ben)
        # Whoever reads keeps what they began to read; nobody waits for them meanwhile.
        assert "club.sqlite3-wal" in find_in_files(tmp_path, *traces)
        await club.cyn.slash(club.channel, "challenge", game="zeno")
        reader.execute("COMMIT")
    await club.advance_clock(6_000)
    assert find_in_files(tmp_path, *traces) == {}


async def test_a_file_of_an_earlier_version_is_written_anew(new_file: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(new_file, tmp_path / "old.db"))
    trace = "gone long ago"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA secure_delete = OFF")
        for number in range(200):
            row = (number + 1, f"{trace} {number}")
            connection.execute("INSERT INTO people (id, name, seen) VALUES (?, ?, 0)", row)
        connection.execute("DELETE FROM people")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert trace.encode() in path.read_bytes()
    return_file_to_version(path, 25)
    assert trace.encode() in path.read_bytes()
    async with await Store.open(path):
        assert find_in_files(tmp_path, trace.encode()) == {}


async def test_who_only_played_gets_the_contests_and_ladders_that_their_rows_name(
    club: SimulatedClub,
) -> None:
    await gather_players(club, 4)
    await club.advance_clock(SIGN_UP)
    await open_ladder(club, 3)
    # Of a ladder's match the loser gets the result as well.
    match = await begin(club, club.cyn, club.ben)
    await driver.give_up(club, club.cyn, club.channel, match)
    await club.ana.slash(club.channel, "challenge", game="pyf", options="players=2")
    await club.cyn.click(driver.get_newest_message(club), label="Join gold")
    await press_standings(club.cyn, club.channel, "ladder", "leave")
    personal_data = club.store.get(PersonalData)
    for person in (club.ben, club.cyn):
        rows = await gather_rows(personal_data.collect(person.id))
        assert [(row["id"], row["name"]) for row in rows["contests"]] == [(1, "Spring cup")]
        assert [(row["id"], row["name"]) for row in rows["ladders"]] == [(1, "Club ladder")]
        # Each number in their rows is that of something they got.
        assert {row["contest"] for row in (*rows["entrants"], *rows["pairings"])} == {1}
        assert {row["ladder"] for row in rows["ladder_events"]} == {1}
        assert "secret" not in rows["contests"][0]
        assert [row["match"] for row in rows["ladder_results"]] == [match]
    seated = await gather_rows(personal_data.collect(club.cyn.id))
    sat = {row["challenge"] for row in seated["challenge_seats"]}
    assert sat
    assert sat <= {row["id"] for row in seated["challenges"]}
    # Nobody else gets them.
    stranger = await gather_rows(personal_data.collect(club.ana.id + 1_000_000))
    assert (stranger["contests"], stranger["ladders"]) == ([], [])


async def test_earlier_names_are_taken_out_of_what_others_wrote(
    club: SimulatedClub, tmp_path: Path
) -> None:
    await play_to_the_end(club)
    people = club.store.people
    for name, account in (("Queen Ana", "ana"), ("Ana Karenina", None), ("Anna", "anna.k")):
        await people.save_name(club.ana.id, name, club.hands(), account)
    text = "Queen Ana and Ana Karenina said that ANNA.K plays well, Ana too"
    await club.ben.slash(club.channel, "match note", match=1, text=text)
    rows = await gather_rows(club.store.get(PersonalData).collect(club.ana.id))
    assert sorted(row["name"] for row in rows["former_names"]) == [
        *("Ana", "Ana Karenina", "Queen Ana", "ana")
    ]
    await delete_data(club, club.ana)
    notes = (await dump_values(club.store))["memos.text"]
    gone = "deleted player"
    assert notes == [f'"{gone} and {gone} said that {gone} plays well, {gone} too"']
    await club.advance_clock(6_000)
    assert find_in_files(tmp_path, b"Karenina", b"Queen Ana", b"anna.k") == {}


async def test_as_many_names_as_one_needs_are_kept(club: SimulatedClub) -> None:
    for number in range(MAX_FORMER_NAMES + 7):
        await club.store.people.save_name(club.ana.id, f"Ana {number}", number)
    kept = (await dump_values(club.store))["former_names.name"]
    assert sorted(kept) == sorted(f'"Ana {number}"' for number in range(6, MAX_FORMER_NAMES + 6))


async def test_pressed_twice_and_done_again_after_a_restart_it_deletes_once(
    club: SimulatedClub,
) -> None:
    await play_to_the_end(club)
    answers = [await ask_deletion(club.ana, club.channel) for _ in range(2)]
    for message in answers:
        await club.ana.click(message, custom_id="delete-data:yes")
    # As after a crash in the middle: the job is still there when the bot starts again.
    await club.bot.app.enqueue(NO_SERVER, [DeletePerson(club.ana.id).build_job(club.hands())])
    await club.restart_bot()
    await club.advance_clock(6_000)
    names = await club.store.people.load_names([-1, -2])
    assert list(names) == [-1]
    await require_forgotten(club, club.ana)


async def test_two_processes_draw_one_key_of_marks(store: Store, rival: Store) -> None:
    """Else those whom one has marked would not be known to the other."""
    await register_people(store, ANA, BEN, CYN, DAN)
    await store.get(Blocks).add(ANA, BEN)
    await store.get(Blocks).add(CYN, DAN)
    await asyncio.gather(
        store.get(PersonalData).erase(BEN, NOW, lambda _: []),
        rival.get(PersonalData).erase(DAN, NOW, lambda _: []),
    )
    for each in (store, rival):
        assert await each.get(Blocks).load_between(BEN, [ANA]) == [(ANA, BEN)]
        assert await each.get(Blocks).load_between(DAN, [CYN]) == [(CYN, DAN)]


async def test_marks_are_carried_over_to_another_database(store: Store, tmp_path: Path) -> None:
    await register_people(store, ANA, BEN)
    await store.get(Blocks).add(ANA, BEN)
    await store.get(PersonalData).erase(BEN, NOW, lambda _: [])
    async with await Store.open(tmp_path / "other.db") as other:
        await other.import_from(store._database)  # noqa: SLF001
        assert await other.get(Blocks).load_between(BEN, [ANA]) == [(ANA, BEN)]
