"""Where the database is, as it is written in the settings."""

from pathlib import Path

import pytest

from bot.platform.db.address import format_address, get_file_path, parse_address
from bot.platform.db.errors import StoreError


@pytest.mark.parametrize(
    ("written", "file"),
    [
        ("tabula.sqlite3", "tabula.sqlite3"),
        (Path("/var/lib/tabula.db"), "/var/lib/tabula.db"),
        ("sqlite:///here.db", "here.db"),
        ("sqlite:////var/there.db", "/var/there.db"),
        ("sqlite+aiosqlite:///here.db", "here.db"),
    ],
)
def test_a_file(written: str | Path, file: str) -> None:
    url = parse_address(written)
    assert get_file_path(url) == Path(file)
    assert format_address(url) == file


@pytest.mark.parametrize("kind", ["postgresql", "postgres", "postgresql+asyncpg"])
def test_a_server(kind: str) -> None:
    url = parse_address(f"{kind}://ana:secret@db.example:5433/tables")
    assert url.drivername == "postgresql+asyncpg"
    assert get_file_path(url) is None
    assert format_address(url) == "the database tables on db.example:5433"


def test_a_server_over_a_safe_way() -> None:
    assert parse_address("postgresql://ana@db.example/tables?sslmode=require").query == {
        "ssl": "require"
    }


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        (
            "sqlite:///here.db?mode=ro",
            "the database's address says mode, which is not known here: take that out",
        ),
        (
            "postgresql://ana:secret@db/tables?mode=ro&timeout=5",
            (
                "the database's address says mode and timeout, which is not known here: "
                "take that out; channel_binding, host, sslmode may stand there"
            ),
        ),
        (
            "postgresql://ana:secret@db/tables?sslmode=require&channel_binding=require",
            (
                "the driver knows no channel binding; take channel_binding out of the database's "
                "address, and let sslmode=verify-full make sure of the server"
            ),
        ),
        (
            "postgresql://ana:secret@db/tables?sslmode=yes",
            (
                "sslmode in the database's address is one of disable, allow, prefer, require, "
                "verify-ca, verify-full"
            ),
        ),
        (
            "postgresql://ana:secret@db/tables?host=/a&host=/b",
            "the database's address says host more than once",
        ),
        (
            "postgresql://ana:sec@ret@db/tables",
            "in the database's address, write each @ of the user and password as %40",
        ),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_remedy(written: str, sentence: str) -> None:
    with pytest.raises(StoreError) as error:
        parse_address(written)
    assert str(error.value) == sentence


@pytest.mark.parametrize("binding", ["prefer", "disable"])
def test_a_channel_binding_that_is_not_required_is_left_out(binding: str) -> None:
    url = parse_address(f"postgresql://ana@db/tables?sslmode=require&channel_binding={binding}")
    assert (url.host, url.query) == ("db", {"ssl": "require"})


@pytest.mark.parametrize(
    ("written", "port"),
    [
        ("postgresql://ana@/tables?host=/var/run/postgresql", "5432"),
        ("postgresql:///tables?host=/var/run/postgresql", "5432"),
        ("postgresql://ana@%2Fvar%2Frun%2Fpostgresql:5433/tables", "5433"),
        ("postgresql://ana@db:5433/tables?host=/var/run/postgresql", "5433"),
    ],
)
def test_a_server_behind_a_socket(written: str, port: str) -> None:
    url = parse_address(written)
    assert (url.host, url.port) == (None, None)
    assert url.query == {"host": "/var/run/postgresql", "port": port}
    assert format_address(url) == "the database tables on this machine"


def test_a_server_named_behind_the_address() -> None:
    assert (
        format_address(parse_address("postgresql:///tables?host=db.example"))
        == "the database tables on db.example"
    )


@pytest.mark.parametrize("written", ["~/tables.db", "sqlite:///~/tables.db"])
def test_a_file_at_home(written: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ana")
    assert get_file_path(parse_address(written)) == Path("/home/ana/tables.db")


@pytest.mark.parametrize("written", ["~nobody-here/tables.db", "sqlite:///~nobody-here/tables.db"])
def test_a_home_of_nobody_is_refused(written: str) -> None:
    with pytest.raises(StoreError) as error:
        parse_address(written)
    assert str(error.value) == (
        "~nobody-here/tables.db begins with a home directory that is not known here; "
        "write the whole path"
    )


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        (
            "mysql://ana:secret@host/tables",
            "the database's address begins with mysql, but it is a file, ",
        ),
        ("sqlite://", "the database's address begins with sqlite, but it is a file, "),
        ("sqlite:///:memory:", "the database's address begins with sqlite, but it is a file, "),
        (
            "postgresql://ana:secret@host:port/tables",
            "the database's address cannot be read: it is a file, ",
        ),
    ],
)
def test_what_is_neither_is_refused_and_its_password_is_not_repeated(
    written: str, sentence: str
) -> None:
    with pytest.raises(StoreError) as error:
        parse_address(written)
    assert str(error.value) == f"{sentence}sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"
