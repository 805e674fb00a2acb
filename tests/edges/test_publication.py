"""Matches published with everybody's consent, when people and places come and go."""

import asyncio
import json
import os
import re
import shutil
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import simcord

from bot.client import Tabula
from bot.features.analysis.store import HintConsents
from bot.features.matches.store import Matches
from bot.features.privacy.service import request_deletion
from bot.features.publication.store import Consents, ListedMatch
from bot.ops.checked_backups import note_other_restore
from bot.ops.publishing import publish_matches
from bot.ops.replay_checks import PAGE
from bot.platform.db.backups import back_up_database
from bot.platform.db.copies import COPY_MARK
from bot.platform.db.errors import StoreError
from bot.platform.db.store import Store
from engine.clock import DAY, MINUTE
from tests.bot.test_access import hide_channel
from tests.bot.test_command_line import run_tabula
from tests.bot.test_past_matches import resign_matches
from tests.bot.test_privacy import delete_data
from tests.bot.test_record_page import load_validator
from tests.bot.test_substitution import start_team_match
from tests.support.club import SeededEntropy, SimulatedClub, open_club
from tests.support.driver import (
    extract_text,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    give_up,
    list_button_labels,
    start_match,
    take_next_action,
)
from tests.support.finished import store_matches
from tests.support.panels import (
    answer_publication,
    ask_publication,
    ask_server_data,
    open_data,
)
from tests.support.stored import ANA, BEN, CYN, DAN, NOW, connect_directly
from tests.upkeep.test_restored import empty, restart_from_backup

__all__ = ["empty"]

pytestmark = pytest.mark.asyncio
QUESTION = "### May your finished matches be published?"
DB = "club.sqlite3"


async def publish(
    club: SimulatedClub, folder: Path, where: str = "", **options: Any
) -> list[dict[str, Any]]:
    """The matches of a file that is written beside the running bot, each checked."""
    file = folder / "published.jsonl"
    async with await Store.open_read_only(where or folder / DB) as store:
        made = await publish_matches(store, file, club.hands(), **options)
    text = file.read_text("utf-8")
    head, *found = map(json.loads, text.splitlines())
    validator = load_validator("published")
    validator.evolve(schema=validator.schema["$defs"]["head"]).validate(head)
    for each in found:
        validator.validate(each)
    assert head["matches"] == made.matches == len(found)
    people = (club.ana, club.ben, club.cyn)
    for told in (*(str(each.id) for each in people), str(club.guild.id), str(club.channel.id)):
        assert told not in text
    # Whole words: a pseudonym may well have these letters in it.
    assert not re.search(r"(?i)\b(ana|ben|cyn|club|tables)\b", text.replace('"tables"', ""))
    return found


async def agree(club: SimulatedClub, *people: simcord.MemberActor) -> None:
    """Let people agree."""
    for person in people:
        told = get_ephemeral_text(await answer_publication(person, club.channel, agrees=True))
        assert told.startswith("Your finished matches may be published under a pseudonym.")


async def refuse(club: SimulatedClub, person: simcord.MemberActor) -> None:
    """Let somebody refuse, or withdraw."""
    told = get_ephemeral_text(await answer_publication(person, club.channel, agrees=False))
    assert told.startswith("Your matches won't be published.")


def list_pseudonyms(match: dict[str, Any]) -> list[str]:
    """Who played a match, in the order of the seats."""
    return [each["player"] for each in match["players"]]


async def list_questions(club: SimulatedClub, person: simcord.MemberActor) -> list[str]:
    """What somebody is asked as they open /data."""
    result = await person.slash(club.channel, "data")
    told = [extract_text(each.message) for each in (result.response, *result.followups) if each]
    return [text for text in told if text.startswith(QUESTION)]


async def test_everybody_is_asked_until_they_have_answered(club: SimulatedClub) -> None:
    assert len(await list_questions(club, club.ana)) == 1
    (question,) = await list_questions(club, club.ana)
    for words in ("moves, dice", "never names", "CC0", "16 or older", "can't be taken back"):
        assert words in question
    asked = await ask_publication(club.ana, club.channel)
    # Neither is put forward.
    assert list_button_labels(asked) == ["I agree", "I don't agree"]
    await refuse(club, club.ana)
    assert await list_questions(club, club.ana) == []
    assert "You don't agree to your matches" in extract_text(
        await open_data(club.ana, club.channel)
    )
    await agree(club, club.ana)
    assert await list_questions(club, club.ana) == []
    assert "You agreed to your matches being published, <t:" in extract_text(
        await open_data(club.ana, club.channel)
    )
    consent = await club.store.get(Consents).find(club.ana.id)
    assert consent is not None
    assert club.hands() - MINUTE < consent.at <= club.hands()
    assert consent.wording == 1


async def test_a_match_is_published_if_all_its_players_agree(
    club: SimulatedClub, tmp_path: Path
) -> None:
    await start_match(club, "zeno", word="my granny's goose")
    for _ in range(8):
        await take_next_action(club)
    # One that goes on is never published.
    await agree(club, club.ana, club.ben)
    assert await publish(club, tmp_path) == []
    await give_up(club, club.ana, club.channel, 1)
    (match,) = await publish(club, tmp_path)
    row = await club.store.get(Matches).load_row(1)
    assert row is not None
    stored = await club.store.get(Matches).load_events(1)
    assert match["events"] == [event.record for event in stored]
    assert (match["game"], match["rules"], match["how"]) == ("zeno", row.edition, "resigned")
    assert match["winner"] == row.winner
    text = (tmp_path / "published.jsonl").read_text()
    for told in ("goose", row.commitment, row.secret.hex(), *(e.cause or "-" for e in stored)):
        assert told == "-" or told not in text
    first, second = list_pseudonyms(match)
    assert first != second
    # The same people have the same pseudonyms in further matches and files.
    await resign_matches(club, "fallas")
    again = await publish(club, tmp_path)
    assert again[0] == match
    assert set(list_pseudonyms(again[1])) == {first, second}
    await start_match(club, "zeno")
    await club.cyn.slash(club.channel, "challenge", game="zeno", opponent=club.ana)
    assert len(await publish(club, tmp_path)) == 2


async def test_who_withdraws_is_in_no_later_file_and_comes_back_as_somebody_else(
    club: SimulatedClub, tmp_path: Path
) -> None:
    await resign_matches(club, "zeno")
    await agree(club, club.ana, club.ben)
    (before,) = await publish(club, tmp_path)
    # Twice is once.
    await agree(club, club.ana)
    assert await publish(club, tmp_path) == [before]
    await refuse(club, club.ben)
    assert await publish(club, tmp_path) == []
    await agree(club, club.ben)
    (after,) = await publish(club, tmp_path)
    changed = set(list_pseudonyms(before)) ^ set(list_pseudonyms(after))
    assert len(changed) == 2
    assert after["id"] != before["id"]


async def test_who_has_their_data_deleted_is_in_no_later_file(
    club: SimulatedClub, tmp_path: Path
) -> None:
    await resign_matches(club, "zeno")
    await agree(club, club.ana, club.ben)
    (match,) = await publish(club, tmp_path)
    await delete_data(club, club.ana)
    assert await publish(club, tmp_path) == []
    # Nothing says any more who that was, and they are asked again.
    with connect_directly(tmp_path / DB) as connection:
        left = "\n".join(connection.iterdump())
    assert sum(each in left for each in list_pseudonyms(match)) == 1
    assert len(await list_questions(club, club.ana)) == 1
    await agree(club, club.ana)
    assert await publish(club, tmp_path) == []


async def test_everybody_who_ever_sat_at_the_table_must_agree(
    club: SimulatedClub, tmp_path: Path
) -> None:
    dan, eve = await start_team_match(club)
    await club.cyn.slash(club.channel, "match substitute", player=eve)
    await eve.click(get_newest_message(club), label="Take the seat")
    await club.advance_clock(0)
    await give_up(club, club.ana, club.channel, 1)
    await agree(club, club.ana, club.ben, dan, eve)
    assert await publish(club, tmp_path) == []
    await agree(club, club.cyn)
    (match,) = await publish(club, tmp_path)
    assert len(set(list_pseudonyms(match))) == 5
    handed_over = [each for each in match["players"] if each["from"]]
    (taken,) = [event for event in match["events"] if event["event"] == "seated"]
    assert [(each["side"], each["seat"]) for each in handed_over] == [
        (taken["side"], taken["player"])
    ]
    assert match["events"].index(taken) + 1 == handed_over[0]["from"]


async def test_the_computer_need_not_agree(club: SimulatedClub, tmp_path: Path) -> None:
    await club.ana.slash(club.channel, "play", game="zeno", level="beginner")
    await give_up(club, club.ana, club.channel)
    assert await publish(club, tmp_path) == []
    await agree(club, club.ana)
    (match,) = await publish(club, tmp_path)
    levels = [each["computer"] for each in match["players"]]
    assert sorted(levels, key=str) == [None, "beginner"]
    assert (None in list_pseudonyms(match)) == ("beginner" in levels)


async def test_what_counts_for_nothing_is_not_published(
    club: SimulatedClub, tmp_path: Path
) -> None:
    await agree(club, club.ana, club.ben)
    await resign_matches(club, "zeno", "fallas")
    await start_match(club, "zeno")
    left = await club.ana.slash(club.channel, "match resign", match=3)
    assert left.response is not None
    await club.ana.click(left.response.message, label="Leave the match")
    row = await club.store.get(Matches).load_row(3)
    assert row is not None
    assert row.how == "aborted"
    assert [each["game"] for each in await publish(club, tmp_path)] == ["zeno", "fallas"]
    await club.ana.slash(club.channel, "server end", match=1, how="annul", reason="a slip")
    assert [each["game"] for each in await publish(club, tmp_path)] == ["fallas"]


async def test_a_place_that_is_hidden_or_gone_changes_nothing(
    club: SimulatedClub, tmp_path: Path
) -> None:
    """Who played there has agreed to that, and the file says of no place."""
    await agree(club, club.ana, club.ben)
    await resign_matches(club, "zeno")
    (before,) = await publish(club, tmp_path)
    await hide_channel(club, club.channel, club.cyn)
    await get_newest_message(club).delete()
    assert await publish(club, tmp_path) == [before]


async def test_a_match_that_is_damaged_is_left_out_and_counted(
    club: SimulatedClub, tmp_path: Path
) -> None:
    await agree(club, club.ana, club.ben)
    await resign_matches(club, *["zeno"] * 5)
    with connect_directly(tmp_path / DB) as connection:
        for change in (
            "UPDATE events SET record = '[7]' WHERE match = 1 AND version = 1",
            "DELETE FROM events WHERE match = 2 AND version = 1",
            "UPDATE matches SET winner = 'draw' WHERE id = 3",
            "UPDATE matches SET game = 'unheard-of' WHERE id = 4",
        ):
            connection.execute(change)
    file = tmp_path / "out.jsonl"
    async with await Store.open_read_only(tmp_path / DB) as store:
        made = await publish_matches(store, file, club.hands())
    assert (made.matches, made.damaged) == (1, 4)
    ended = await asyncio.to_thread(
        run_tabula, "publish", "-o", str(file), TABULA_DATABASE=str(tmp_path / DB)
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout.decode().splitlines() == [
        f"Matches published in {file}: 1.",
        "Left out, since they can't be replayed: 4; run `tabula doctor`.",
    ]


async def test_only_matches_of_a_day_or_later(club: SimulatedClub, tmp_path: Path) -> None:
    await agree(club, club.ana, club.ben)
    await resign_matches(club, "zeno")
    await club.advance_clock(3 * DAY)
    await resign_matches(club, "fallas")
    days = [each["day"] for each in await publish(club, tmp_path)]
    assert (date.fromisoformat(days[1]) - date.fromisoformat(days[0])).days == 3
    for day, games in ((days[0], ["zeno", "fallas"]), (days[1], ["fallas"]), ("2999-01-01", [])):
        found = await publish(club, tmp_path, since=date.fromisoformat(day))
        assert [each["game"] for each in found] == games


async def test_pressed_twice_at_once_and_after_a_restart_there_is_one_pseudonym(
    club: SimulatedClub, tmp_path: Path
) -> None:
    asked = await ask_publication(club.ana, club.channel)
    await asyncio.gather(
        *(club.ana.click(asked, custom_id="publication:yes") for _ in range(2)),
        return_exceptions=True,
    )
    before = await club.store.get(Consents).find(club.ana.id)
    bot = await club.restart_bot()
    await agree(club, club.ana)
    after = await club.store.get(Consents).find(club.ana.id)
    assert before is not None
    assert after is not None
    assert before.pseudonym == after.pseudonym
    await bot.close()


async def test_what_was_withdrawn_since_a_restored_backup_is_not_published(
    empty: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.sqlite3"
    async with open_club(empty) as club:
        await agree(club, club.ana, club.ben)
        await resign_matches(club, "zeno")
        (before,) = await publish(club, tmp_path, empty)
        await back_up_database(empty, copy)
        await refuse(club, club.ben)
        async with await Store.open_read_only(copy) as store:
            with pytest.raises(StoreError, match="start the bot before"):
                await publish_matches(store, tmp_path / "new.jsonl", club.hands())
        assert not (tmp_path / "new.jsonl").exists()
        async with restart_from_backup(club, empty, copy):
            assert await publish(club, tmp_path, empty) == []
            # Either may have withdrawn since: both are asked once more, and get other pseudonyms.
            await ask_both_again(club, tmp_path, empty, before)


async def ask_both_again(
    club: SimulatedClub, folder: Path, where: str, before: dict[str, Any]
) -> None:
    """Ana and Ben are asked once more, and nothing in the next file leads to the one before."""
    for person in (club.ana, club.ben):
        assert len(await list_questions(club, person)) == 1
    for _ in range(9):
        # Tests draw the same after each start of the bot.
        club.bot.app.entropy(1)
    await agree(club, club.ana, club.ben)
    (after,) = await publish(club, folder, where)
    assert len({*list_pseudonyms(before), *list_pseudonyms(after)}) == 4
    assert after["id"] != before["id"]


async def test_what_was_withdrawn_since_a_snapshot_is_not_published_after_forget(
    tmp_path: Path,
) -> None:
    where, snapshot = tmp_path / DB, tmp_path / "snapshot"
    async with open_club(where) as club:
        await agree(club, club.ana, club.ben)
        await refuse(club, club.cyn)
        await resign_matches(club, "zeno")
        (before,) = await publish(club, tmp_path)
        await restart_from_snapshot(club, where, snapshot)
        await refuse(club, club.ben)
        await restart_from_snapshot(club, where, snapshot, forget=False)
        # Nothing says that it was put back, as docs/operations.md warns.
        assert await publish(club, tmp_path) == [before]
        await restart_from_snapshot(club, where, snapshot)
        assert await publish(club, tmp_path) == []
        assert await list_questions(club, club.cyn) == []
        await ask_both_again(club, tmp_path, "", before)


async def restart_from_snapshot(
    club: SimulatedClub, where: Path, snapshot: Path, *, forget: bool = True
) -> None:
    """End the bot, and start it from the file as it was when this was first called."""
    await club.bot.close()
    await club.store.close()
    if snapshot.exists():
        shutil.copy(snapshot, where)
        if forget:
            assert await note_other_restore(str(where), [], club.hands) == ([], 2)
    else:
        shutil.copy(where, snapshot)
    club.store = await Store.open(where)
    bot = Tabula(club.store, clock=club.hands, entropy=SeededEntropy())
    await club.env.restart_bot(bot)
    club.bot = bot
    await club.advance_clock(0)


async def test_hostile_names_are_in_no_file(tmp_path: Path) -> None:
    names = ("=HYPERLINK(1)", "\u202e@everyone", "😀")
    async with open_club(tmp_path / DB, names=names) as club:
        await agree(club, club.ana, club.ben)
        await resign_matches(club, "zeno")
        await publish(club, tmp_path)
    text = (tmp_path / "published.jsonl").read_text()
    assert not any(name in text for name in names)
    assert "everyone" not in text


async def test_a_file_that_cannot_be_written_leaves_the_one_before(
    club: SimulatedClub, tmp_path: Path
) -> None:
    missing = tmp_path / "missing" / "out.jsonl"
    ended = await asyncio.to_thread(
        run_tabula, "publish", "-o", str(missing), TABULA_DATABASE=str(tmp_path / DB)
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith(b"tabula: ")
    ended = await asyncio.to_thread(
        run_tabula, "publish", "-o", "x", "--since", "May", TABULA_DATABASE="x"
    )
    assert b"May is no day such as 2026-03-01" in ended.stderr
    assert await publish(club, tmp_path) == []
    assert list_leftovers(tmp_path) == []


async def test_a_file_replaces_only_earlier_published_matches(
    club: SimulatedClub, tmp_path: Path
) -> None:
    """A slip in the name costs nobody a database, nor the time until it is found at the end."""
    notes, empty_file, folder = (tmp_path / name for name in ("notes.txt", "new.jsonl", "folder"))
    notes.write_text('{"title": "published matches"}\n')
    empty_file.touch()
    folder.mkdir()
    database = tmp_path / DB
    async with await Store.open_read_only(database) as store:
        for file in (notes, folder, database):
            before = None if file is folder else file.read_bytes()
            with pytest.raises(FileExistsError, match=file.name):
                await publish_matches(store, file, club.hands())
            assert before is None or file.read_bytes() == before
        await publish_matches(store, empty_file, club.hands())
    assert empty_file.read_text().startswith('{"tabula": "published matches", ')


async def test_what_a_killed_run_has_left_is_removed_a_day_later(
    club: SimulatedClub, tmp_path: Path
) -> None:
    """It holds matches that somebody may have withdrawn; another run's own is younger."""
    names = (".published.jsonl.abcdefg1", ".published.jsonl.abcdefg2", ".published.jsonl.backups")
    folders = [tmp_path / name for name in names]
    for folder in folders:
        folder.mkdir()
        (folder / "published.jsonl").write_text("matches")
    (folders[2] / "mine").touch()
    for folder in (folders[0], folders[2]):
        os.utime(folder, (time.time() - 2 * 86_400,) * 2)
    await publish(club, tmp_path)
    assert [folder.exists() for folder in folders] == [False, True, True]
    assert (folders[2] / "published.jsonl").exists()


async def test_a_link_leads_to_the_file_that_is_replaced(
    club: SimulatedClub, tmp_path: Path
) -> None:
    """A withdrawal would not reach those who read the file itself."""
    await agree(club, club.ana, club.ben)
    await resign_matches(club, "zeno")
    site = tmp_path / "site"
    site.mkdir()
    (tmp_path / "published.jsonl").symlink_to(site / "matches.jsonl")
    assert len(await publish(club, tmp_path)) == 1
    await refuse(club, club.ana)
    assert await publish(club, tmp_path) == []
    assert len((site / "matches.jsonl").read_text().splitlines()) == 1
    assert (tmp_path / "published.jsonl").is_symlink()


def list_leftovers(folder: Path) -> Sequence[str]:
    """Files that were begun and never finished."""
    return [each.name for each in folder.iterdir() if "jsonl." in each.name]


async def test_a_server_that_is_forgotten_keeps_no_match_from_its_players(
    club: SimulatedClub, tmp_path: Path
) -> None:
    await agree(club, club.ana, club.ben)
    await resign_matches(club, "zeno")
    (before,) = await publish(club, tmp_path)
    question = get_response(await ask_server_data(club.ana, club.channel, "delete")).message
    await club.ana.click(question, label="Delete this server's data")
    await club.advance_clock(0)
    row = await club.store.get(Matches).load_row(1)
    assert row is not None
    assert row.guild != club.guild.id
    assert await publish(club, tmp_path) == [before]


async def test_matches_come_a_page_at_a_time_in_the_order_of_their_ends(store: Store) -> None:
    ended = [(NOW + at, ANA, BEN, "gold") for at in (5, 1, 3, 3, 3, 9)]
    others = [(NOW + at, ANA, CYN, "gold") for at in (1, 3, 9)]
    await store_matches(store, [*ended, *others], guild=1)
    await store_matches(store, ended[:1], how="annulled", guild=1)
    consents = store.get(Consents)
    # Of two answers at once the first gives the pseudonym.
    await asyncio.gather(*(consents.save(ANA, NOW, name) for name in ("a1", "a2")))
    assert await consents.list_matches(0, (0, 0), 9) == []
    await consents.save(BEN, NOW, "b")
    await consents.save(CYN, NOW, None)
    names = await consents.load_pseudonyms([ANA, BEN, CYN, DAN])
    assert names in ({ANA: "a1", BEN: "b"}, {ANA: "a2", BEN: "b"})
    pages = []
    after = (0, 0)
    while page := await consents.list_matches(NOW + 2, after, 2):
        pages.append([number for _, number in page])
        after = page[-1]
    assert pages == [[3, 4], [5, 1], [6]]


async def annul(club: SimulatedClub) -> None:
    """Annul the first match."""
    await club.ana.slash(club.channel, "server end", match=1, how="annul", reason="a slip")


async def answer_anew(club: SimulatedClub) -> None:
    """Let Ben withdraw, and agree once more."""
    await refuse(club, club.ben)
    await agree(club, club.ben)


CHANGES: Mapping[str, Callable[[SimulatedClub], Awaitable[None]]] = {
    "withdrawn": lambda club: refuse(club, club.ben),
    "withdrawn and agreed": answer_anew,
    "deleted": lambda club: delete_data(club, club.ben),
    "annulled": annul,
}


@pytest.mark.parametrize("what", CHANGES)
async def test_what_is_withdrawn_after_its_page_was_read_is_not_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    where = str(tmp_path / DB)
    # The first call returns the page.
    await publish_while_it_changes(where, tmp_path, monkeypatch, what, "list_matches", 2)


@pytest.mark.parametrize("what", CHANGES)
async def test_what_is_withdrawn_once_a_file_is_written_is_not_published(
    empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    await publish_while_it_changes(empty, tmp_path, monkeypatch, what, "release", 1)


async def publish_while_it_changes(
    where: str, folder: Path, monkeypatch: pytest.MonkeyPatch, what: str, method: str, at: int
) -> None:
    """What changes before a method is called for the so manieth time leaves its match out."""
    real = getattr(Consents, method)
    calls = 0
    async with open_club(where) as club:
        await agree(club, club.ana, club.ben, club.cyn)
        await resign_matches(club, "zeno")
        await club.cyn.slash(club.channel, "play", game="fallas", level="beginner")
        await give_up(club, club.cyn, club.channel)

        async def change_before(self: Consents, *args: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == at:
                await CHANGES[what](club)
            return await real(self, *args)

        monkeypatch.setattr(Consents, method, change_before)
        assert [each["game"] for each in await publish(club, folder, where)] == ["fallas"]
        assert list_leftovers(folder) == []


async def test_nobody_withdraws_and_nothing_is_annulled_while_a_file_appears(
    empty: str, tmp_path: Path
) -> None:
    """Whoever is told that they have withdrawn is in no file that appears afterwards."""
    async with open_club(empty) as club:
        await agree(club, club.ana, club.ben)
        await resign_matches(club, "zeno")
        loop = asyncio.get_running_loop()
        order: list[str] = []
        started: list[asyncio.Task[None]] = []

        async def change(name: str, change: Awaitable[object]) -> None:
            await change
            order.append(name)

        def begin() -> None:
            withdrawal = club.store.get(Consents).save(club.ben.id, club.hands(), None)
            started.extend(
                asyncio.create_task(change(*each))
                for each in (("withdrawn", withdrawal), ("annulled", annul(club)))
            )

        def publish_slowly() -> None:
            loop.call_soon_threadsafe(begin)
            time.sleep(0.5)
            order.append("published")

        async with await Store.open_read_only(empty) as store:
            known = await store.get(Consents).load_pseudonyms([club.ana.id, club.ben.id])
            listed = [ListedMatch(1, known)]
            assert await store.get(Consents).release(listed, publish_slowly) == frozenset()
            await asyncio.gather(*started)
            assert order[0] == "published"
            assert sorted(order) == ["annulled", "published", "withdrawn"]
            assert await store.get(Consents).release(listed, publish_slowly) == {1}


async def test_a_backup_that_is_restored_while_a_file_is_made_keeps_it_from_appearing(
    club: SimulatedClub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await agree(club, club.ana, club.ben)
    await resign_matches(club, "zeno")
    real = Consents.release

    async def restore_before(self: Consents, *args: Any) -> Any:
        with connect_directly(tmp_path / DB) as connection:
            connection.execute("INSERT INTO notes (name, text) VALUES (?, '1')", (COPY_MARK,))
        return await real(self, *args)

    monkeypatch.setattr(Consents, "release", restore_before)
    with pytest.raises(StoreError, match="start the bot before"):
        await publish(club, tmp_path)
    assert not (tmp_path / "published.jsonl").exists()
    assert list_leftovers(tmp_path) == []


async def test_who_asks_for_deletion_is_in_no_file_from_then_on(
    club: SimulatedClub, tmp_path: Path
) -> None:
    """Though the bot has yet to delete their data, as when it stops before."""
    await agree(club, club.ana, club.ben)
    await resign_matches(club, "zeno")
    await club.bot.close()
    await request_deletion(club.bot.app, club.ana.id)
    assert await club.store.people.load_names([club.ana.id])
    assert await publish(club, tmp_path) == []


async def test_a_file_says_whether_hints_were_allowed(club: SimulatedClub, tmp_path: Path) -> None:
    await agree(club, club.ana, club.ben)
    for rated, hints in ((True, False), (False, False), (False, True)):
        await start_match(club, "backgammon", rated=rated)
        if hints:
            await club.ana.slash(club.channel, "match hint")
            await club.ben.click(get_newest_message(club), label="Allow hints")
        await give_up(club, club.ana, club.channel)
    await club.ana.slash(club.channel, "play", game="zeno", level="beginner")
    await give_up(club, club.ana, club.channel)
    found = await publish(club, tmp_path)
    assert [each["hints"] for each in found] == [False, False, True, True]


async def test_hints_count_though_somebody_else_took_a_seat_later(
    club: SimulatedClub, tmp_path: Path
) -> None:
    dan, eve = await start_team_match(club, rated=False)
    players = (club.ana, club.ben, club.cyn, dan)
    for person in players:
        await club.store.get(HintConsents).allow(1, person.id)
    await club.cyn.slash(club.channel, "match substitute", player=eve)
    await eve.click(get_newest_message(club), label="Take the seat")
    await club.advance_clock(0)
    await give_up(club, club.ana, club.channel, 1)
    await agree(club, *players, eve)
    (match,) = await publish(club, tmp_path)
    assert match["hints"] is True


async def test_many_matches_are_replayed_by_several_processes(
    club: SimulatedClub, tmp_path: Path
) -> None:
    await agree(club, club.ana, club.ben)
    await resign_matches(club, "zeno")
    (match,) = await publish(club, tmp_path)
    with connect_directly(tmp_path / DB) as connection:
        for table, key in (("matches", "id"), ("seats", "match"), ("events", "match")):
            found = connection.execute(f"PRAGMA table_info({table})").fetchall()
            others = ", ".join(f'"{name}"' for _, name, *_ in found if name != key)
            for number in range(2, 2 * PAGE + 3):
                connection.execute(
                    f'INSERT INTO {table} ("{key}", {others}) '
                    f'SELECT {number}, {others} FROM {table} WHERE "{key}" = 1'
                )
        connection.execute(f"UPDATE events SET record = '[7]' WHERE match = {PAGE}")
    found = await publish(club, tmp_path)
    assert len(found) == 2 * PAGE + 1
    assert found[0] == match
    # Alike as matches may be that are given up at once, each has an id of its own.
    assert len({each["id"] for each in found}) == len(found)
    assert all({**each, "id": match["id"]} == match for each in found)
