"""A person's data: every column is thought of, all of theirs is exported, and nothing is left."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Integer,
    MetaData,
    Table,
    insert,
    select,
    update,
)

from bot.features.privacy.deletion_log import KEPT_MS, Deletion, DeletionLog, read_deletions
from bot.features.privacy.store import PersonalData
from bot.platform.db.rows import DELETED_NAME
from bot.platform.db.store import Store
from bot.platform.db.tables import (
    ColumnRule,
    Erasure,
    ImpersonalColumn,
    PersonalColumn,
    ServerErasure,
    find_server_rule,
    get_rule,
    load_metadata,
)
from tests.support.filling import list_rows
from tests.support.stored import NOW, gather_rows

PERSON, OTHER, THIRD = 987_654_321_098_765_432, 987_654_321_098_765_433, 987_654_321_098_765_434
NAME, ACCOUNT = "Zenobia Quux", "zenobia.quux"
FREE_TEXT = f"{NAME} (<@{PERSON}>, @{ACCOUNT}) said so"
"""What people may have typed about somebody."""
RULED = {"audit", "contest_rulings", "ladder_events"}
SMALL_IDS = {11: PERSON, 12: OTHER, 13: THIRD}
"""The people of the rows that fill a store, and who they are here: with ids as Discord has them."""


def list_rules() -> dict[str, ColumnRule]:
    """What is said of every column, by `table.column`; a column of which nothing is said fails."""
    return {
        f"{table.name}.{column.name}": get_rule(column)
        for table in load_metadata().sorted_tables
        for column in table.columns
    }


COLUMNS = list_rules()


def test_a_column_without_a_rule_is_found() -> None:
    table = Table("unheard_of", MetaData(), Column("id", Integer))
    with pytest.raises(KeyError):
        get_rule(table.c.id)


TIED_BY = {"guild", "server", "scope", "match", "contest", "ladder", "challenge"}
"""Names of columns by which a row is about a server, or about what is played in one."""


def list_unthought(metadata: MetaData) -> list[str]:
    """Name the tables that know servers, and don't say what becomes of their rows."""
    tied = {table for table in metadata.sorted_tables if TIED_BY & set(table.columns.keys())}
    for table in metadata.sorted_tables:
        if any(key.column.table in tied for key in table.foreign_keys):
            tied.add(table)
    return sorted(table.name for table in tied if find_server_rule(table) is None)


def test_every_table_that_knows_servers_says_what_becomes_of_its_rows() -> None:
    assert list_unthought(load_metadata()) == []


@pytest.mark.parametrize(
    "column",
    [
        Column("guild", Integer),
        Column("match", Integer),
        Column("game", ForeignKey("matches.id")),
        Column("proposal", ForeignKey("proposals.analysis")),
    ],
)
def test_a_new_table_that_says_nothing_of_servers_is_found(column: Column[Any]) -> None:
    metadata = MetaData()
    for table in load_metadata().sorted_tables:
        table.to_metadata(metadata)
    Table("unheard_of", metadata, column)
    assert list_unthought(metadata) == ["unheard_of"]


def test_what_is_deleted_or_renumbered_of_a_server_can_be_found() -> None:
    for table in load_metadata().sorted_tables:
        rule = find_server_rule(table)
        if rule is not None and (rule.exported or rule.erasure is not ServerErasure.KEPT):
            parents = [key.column.table for key in table.foreign_keys]
            direct = {"guild", "scope"} & set(table.columns.keys())
            assert direct or any("guild" in parent.c for parent in parents), table.name


def test_a_column_that_refers_to_people_is_never_impersonal() -> None:
    for table in load_metadata().sorted_tables:
        for column in table.columns:
            refers = any(key.column.table.name == "people" for key in column.foreign_keys)
            named = column.name in ("person", "moderator", "organiser", "blocked", "name", "text")
            rule = COLUMNS[f"{table.name}.{column.name}"]
            if refers or (named and table.name != "notes"):
                assert isinstance(rule, PersonalColumn), f"{table.name}.{column.name}"


def test_what_is_impersonal_or_withheld_has_a_reason() -> None:
    for name, rule in COLUMNS.items():
        if isinstance(rule, ImpersonalColumn):
            assert rule.why, name
        elif rule.erasure is Erasure.JOB:
            assert rule.withheld, name


def test_what_goes_with_its_row_is_in_a_table_whose_rows_are_deleted() -> None:
    deleted = {
        name.partition(".")[0]
        for name, rule in COLUMNS.items()
        if isinstance(rule, PersonalColumn) and rule.erasure is Erasure.ROW
    }
    for name, rule in COLUMNS.items():
        if isinstance(rule, PersonalColumn) and rule.erasure is Erasure.WITH_ROW:
            assert name.partition(".")[0] in deleted, name


def personalise(table: str, row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with real ids, and with the person wherever a column can hold one."""
    made = dict(row)
    for column, value in row.items():
        rule = COLUMNS[f"{table}.{column}"]
        if isinstance(rule, ImpersonalColumn):
            continue
        if isinstance(value, int) and rule.erasure in (Erasure.ROW, Erasure.PSEUDONYM):
            made[column] = SMALL_IDS.get(value, value)
        elif rule.erasure is Erasure.PEOPLE:
            text = json.dumps(value)
            for small, real in SMALL_IDS.items():
                text = re.sub(rf"(?<!\d){small}(?!\d)", str(real), text)
            made[column] = json.loads(text)
        elif rule.erasure in (Erasure.WORDS, Erasure.TITLE) and table != "jobs":
            made[column] = FREE_TEXT
    return add_names(table, made)


def add_names(table: str, made: dict[str, Any]) -> dict[str, Any]:
    """Return a row with what is particular to its table."""
    if table == "people":
        names = {PERSON: (NAME, ACCOUNT)}
        made["name"], made["account"] = names.get(made["id"], (f"Person {made['id'] % 10}", None))
    if table == "events" and made["person"] == PERSON:
        made["cause"] = f"{PERSON} has left ladder 5"
    if table == "matches" and "former" in made:
        made["former"] += [{"side": "gold", "number": 0, "person": PERSON, "until": 2}]
    if table in ("contests", "ladders"):
        made["organiser"] = PERSON
    if "contribution" in made and table != "entrants":
        made["contribution"] = "1234567 a lucky hen"
    if table == "events" and made["person"] is None:
        made["cause"] = None
    return made


MORE: dict[str, list[dict[str, Any]]] = {
    "absences": [{"person": PERSON, "began": NOW + 5, "ended": NOW + 6}],
    "audit": [
        {
            "guild": 1,
            "at": NOW,
            "moderator": PERSON,
            "action": "draw",
            "match": 4,
            "reason": "my own words",
            "people": [OTHER, PERSON],
        }
    ],
    "blocks": [{"person": OTHER, "blocked": PERSON}],
    "contest_rulings": [
        {
            "contest": 3,
            "at": NOW,
            "moderator": PERSON,
            "action": "pause",
            "reason": "my own words",
        }
    ],
    "jobs": [
        {"kind": "tell follower", "key": f"7 {PERSON}", "detail": {}, "due": NOW},
        {"kind": "forfeit matches", "key": f"3:{PERSON}", "detail": {}, "due": NOW},
        {
            "kind": "tell interrupted",
            "key": "5",
            "due": NOW,
            "detail": {"person": PERSON, "token": "secret", "locale": "de"},
        },
        {
            "kind": "show match",
            "key": "4",
            "detail": {},
            "due": NOW,
            "error": f"Discord refused to mention {PERSON}",
        },
    ],
    "ladder_events": [
        {
            "ladder": 5,
            "at": NOW,
            "action": "close",
            "moderator": PERSON,
            "reason": "my own words",
        }
    ],
    "memos": [{"person": OTHER, "match": 4, "text": FREE_TEXT}],
    "seat_offers": [
        {"match": 4, "holder": OTHER, "taker": PERSON, "offerer": OTHER, "created": NOW},
        {"match": 4, "holder": OTHER, "taker": THIRD, "offerer": PERSON, "created": NOW},
    ],
    "puzzles": [{"scope": "person", "id": PERSON, "day": 20_001, "puzzle": "p"}],
    "streaks": [{"person": OTHER, "day": 20_000, "puzzle": "p", "streak": 1}],
}
"""What else a person can have left."""


async def fill_with_person(store: Store) -> None:
    """Write rows into every table, with the person in every column that can hold one."""

    def work(connection: Connection) -> None:
        for table in load_metadata().sorted_tables:
            for row in list_rows(table):
                connection.execute(insert(table).values(personalise(table.name, row)))
            for row in MORE.get(table.name, []):
                connection.execute(insert(table).values(row))

    await store._database.write(work)  # noqa: SLF001


async def dump_values(store: Store) -> dict[str, list[str]]:
    """Return every value of every row, as text, by `table.column`."""

    def work(connection: Connection) -> dict[str, list[str]]:
        return {
            f"{table.name}.{column.name}": [
                json.dumps(value, ensure_ascii=False, default=repr)
                for value in connection.execute(select(column)).scalars()
            ]
            for table in load_metadata().sorted_tables
            for column in table.columns
        }

    return await store._database.read(work)  # noqa: SLF001


def find_traces(dump: dict[str, list[str]], *traces: str) -> set[str]:
    """Return the columns in which any of those texts is found."""
    return {
        name
        for name, values in dump.items()
        if any(trace.lower() in value.lower() for trace in traces for value in values)
    }


@pytest.mark.asyncio
async def test_the_person_is_in_every_column_that_can_hold_one(store: Store) -> None:
    """Else the test of the deletion would prove less than it seems to."""
    await fill_with_person(store)
    found = find_traces(await dump_values(store), str(PERSON))
    checked = set()
    for name, rule in COLUMNS.items():
        if isinstance(rule, PersonalColumn) and rule.erasure in (
            *(Erasure.ROW, Erasure.PSEUDONYM, Erasure.PEOPLE, Erasure.TITLE, Erasure.WORDS),
        ):
            checked.add(name)
    assert checked - found == UNFILLED


UNFILLED = {
    # Somebody else is in these, whose table has the person in another column.
    *("pairings.second", "challenges.opponent"),
}


@pytest.mark.asyncio
@pytest.mark.parametrize("person", [PERSON, OTHER, THIRD])
async def test_nothing_is_left_of_a_person(store: Store, person: int) -> None:
    await fill_with_person(store)
    before = await dump_values(store)
    assert find_traces(before, str(person))
    erased = await store.get(PersonalData).erase(person, NOW + 50, lambda _: [])
    assert erased.pseudonym == -1
    after = await dump_values(store)
    assert find_traces(after, str(person)) == set()
    names = await store.people.load_names([-1])
    assert (names[-1].name, names[-1].account) == (DELETED_NAME, None)
    if person != PERSON:
        return
    assert find_traces(after, NAME, ACCOUNT, "my own words") == set()
    # What others need is there, as many rows as before.
    for table in ("matches", "seats", "events", "ratings", "rating_changes", "pairings", "audit"):
        column = f"{table}.{next(iter(load_metadata().tables[table].columns)).name}"
        assert len(after[column]) == len(before[column]) > 0
    assert "-1" in after["seats.person"]
    assert json.loads(after["audit.people"][0]) == [-1]
    # Of the reasons of others only the person is gone.
    assert '"deleted player (deleted player, @deleted player) said so"' in after["audit.reason"]


@pytest.mark.asyncio
async def test_two_people_get_two_pseudonyms(store: Store) -> None:
    await fill_with_person(store)
    given = [
        (await store.get(PersonalData).erase(person, NOW, lambda _: [])).pseudonym
        for person in (PERSON, OTHER)
    ]
    assert given == [-1, -2]
    again = await store.get(PersonalData).erase(PERSON, NOW, lambda _: [])
    # Nothing of theirs is there any more, so nobody needs a pseudonym.
    assert again.pseudonym is None
    assert sorted(await store.people.load_names([-1, -2, -3])) == [-2, -1]


@pytest.mark.asyncio
async def test_everything_of_a_person_is_exported(store: Store) -> None:
    await fill_with_person(store)
    rows = await gather_rows(store.get(PersonalData).collect(PERSON))
    assert await store.get(PersonalData).load_matches(PERSON) == [4]
    for name, rule in COLUMNS.items():
        table, _, column = name.partition(".")
        if not isinstance(rule, PersonalColumn) or rule.withheld:
            continue
        assert table in rows, name
        # A row that nobody else is in has all of its columns.
        assert all(column in row for row in rows[table]), name
    text = json.dumps(rows)
    assert str(PERSON) in text
    assert NAME in text
    assert "a lucky hen" in text
    # Who has blocked them is nobody's but the other's.
    assert {row["person"] for row in rows["blocks"]} == {str(PERSON)}
    assert {row["person"] for row in rows["memos"]} == {str(PERSON)}
    # What is about a match that they play is theirs too, whomever it names.
    assert [row["match"] for table in ("reports", "ladder_results") for row in rows[table]] == [
        4,
        4,
    ]
    for secret in ("secret", "token"):
        assert not [row for rows_of in rows.values() for row in rows_of if secret in row]


@pytest.mark.asyncio
async def test_the_data_is_given_once_a_day(store: Store) -> None:
    data = store.get(PersonalData)
    assert await data.begin_export(PERSON, NOW, 100)
    assert not await data.begin_export(PERSON, NOW + 99, 100)
    assert await data.begin_export(OTHER, NOW + 99, 100)
    assert await data.begin_export(PERSON, NOW + 100, 100)
    await data.forget_export(PERSON)
    assert await data.begin_export(PERSON, NOW + 101, 100)


def test_deletions_are_listed_in_files(tmp_path: Path) -> None:
    files = (tmp_path / "tabula.db.deletions", tmp_path / "copies" / "tabula.deletions")
    log = DeletionLog(files)
    log.append(Deletion(PERSON, NOW))
    log.append(Deletion(OTHER, NOW + 1))
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].stat().st_mode & 0o777 == 0o600
    assert read_deletions([*files, tmp_path / "none"]) == [
        Deletion(PERSON, NOW),
        Deletion(OTHER, NOW + 1),
    ]
    # A deletion that no backup can undo any more is forgotten, and with it the person's id.
    log.append(Deletion(THIRD, NOW + KEPT_MS + 1))
    assert read_deletions(files) == [Deletion(OTHER, NOW + 1), Deletion(THIRD, NOW + KEPT_MS + 1)]
    files[0].write_text("no list\n")
    with pytest.raises(ValueError, match=r"tabula\.db\.deletions is not a list of deletions$"):
        read_deletions(files)


@pytest.mark.asyncio
async def test_a_server_is_found_by_whatever_is_its_own(store: Store) -> None:
    await fill_with_person(store)
    own = [
        table
        for table in load_metadata().sorted_tables
        if (rule := find_server_rule(table)) is not None
        and (rule.exported, rule.erasure) == (True, ServerErasure.DELETED)
        and "guild" in table.c
    ]
    servers = {table: PERSON + 100 + number for number, table in enumerate(own)}

    def work(connection: Connection) -> None:
        for table, server in servers.items():
            connection.execute(update(table).values(guild=server))

    await store._database.write(work)  # noqa: SLF001
    assert {table.name for table in own} > {"servers", "audit", "scheduled_posts"}
    assert set(servers.values()) <= await store.get(PersonalData).find_servers("delete server")
