"""Where the database is, as it is written in the settings."""

from pathlib import Path

import pytest

from bot.store import StoreError
from bot.store.address import file_of, parse, shown


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
    url = parse(written)
    assert file_of(url) == Path(file)
    assert shown(url) == file


@pytest.mark.parametrize("kind", ["postgresql", "postgres", "postgresql+asyncpg"])
def test_a_server(kind: str) -> None:
    url = parse(f"{kind}://ana:secret@db.example:5433/tables")
    assert url.drivername == "postgresql+asyncpg"
    assert file_of(url) is None
    assert shown(url) == "the database tables on db.example:5433"


def test_a_server_over_a_safe_way() -> None:
    assert parse("postgresql://ana@db.example/tables?sslmode=require").query == {"ssl": "require"}


@pytest.mark.parametrize(
    "written", ["sqlite:///here.db?mode=ro", "postgresql://ana@db/tables?mode=ro"]
)
def test_what_would_mean_nothing_is_refused(written: str) -> None:
    with pytest.raises(
        StoreError, match=r"^the database's address says mode, which is not known here$"
    ):
        parse(written)


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
        parse(written)
    assert str(error.value) == f"{sentence}sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"
