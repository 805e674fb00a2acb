"""Settings as people write them: what is wrong gets a sentence that says what would be right."""

import os
from datetime import time
from pathlib import Path

import pytest

from bot.settings import (
    EXPECTED,
    Settings,
    SettingsError,
    find_exposure,
    find_unknown_names,
    load_settings,
    load_storage_settings,
    read_text,
)

SENTENCE = "the settings cannot be used: "


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own, without settings but a token, and with a home."""
    for name in list(os.environ):
        if name.startswith("TABULA_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("TABULA_TOKEN", "made-up")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def get_refusal() -> str:
    """The sentence with which the settings are refused."""
    with pytest.raises(SettingsError) as error:
        load_settings()
    return str(error.value)


BAD = {
    "guild": ["abc", "1.5", "-1", "0", "1_000", "1e5", "my server", "1" * 30, "12,5"],
    "log_level": ["LOUD", "WARN", "5", "INFO,DEBUG"],
    "log_format": ["xml", "JSON lines", "1"],
    "health": ["8080", ":8080", "127.0.0.1:", "127.0.0.1:http", "host:99999", "a b:80", "::1:80"],
    "copies": ["~nobody-of-that-name/copies"],
    "copies_kept": ["0", "-7", "seven", "7.5", "1e3", "7 nights"],
    "pages": ["~nobody-of-that-name/pages"],
    "tables": ["~nobody-of-that-name/tables"],
    "copies_at": ["4:00", "4", "24:00", "04:60", "4am", "04:00:00", "04:00+02:00", "14400", "noon"],
    "deletions": ["~nobody-of-that-name/deletions"],
    "discord_api": ["discord.com", "ftp://discord.com", "http://", "http://a b"],
}


@pytest.mark.parametrize(("field", "written"), [(f, each) for f in BAD for each in BAD[f]])
def test_what_a_setting_cannot_be_is_refused_in_our_words(
    monkeypatch: pytest.MonkeyPatch, field: str, written: str
) -> None:
    name = f"TABULA_{field.upper()}"
    monkeypatch.setenv(name, written)
    assert get_refusal() == f"{SENTENCE}{name} is {EXPECTED[field]}, not {written}"


def test_the_time_of_copies_is_refused_with_what_would_be_right(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TABULA_COPIES_AT", "4:00")
    assert get_refusal() == (
        f"{SENTENCE}TABULA_COPIES_AT is a time of day in UTC as HH:MM, such as 04:00, not 4:00"
    )


@pytest.mark.parametrize(
    "token", ["Bot abc", '"abc"', "\u201cabc\u201d", "a\nb", "abc def", "ab\u00e9"]
)
def test_a_token_that_cannot_be_one_is_refused_and_not_repeated(
    monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    monkeypatch.setenv("TABULA_TOKEN", token)
    text = get_refusal()
    assert text == f"{SENTENCE}TABULA_TOKEN is {EXPECTED['token']}"
    assert token not in text


def test_every_setting_that_can_be_refused_has_its_sentence() -> None:
    # The database and its keys are read by the store, which refuses them itself.
    assert set(EXPECTED) == set(Settings.model_fields) - {"database", "move_to", "seal"}
    assert set(BAD) == set(EXPECTED) - {"token"}


def test_every_mistake_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABULA_GUILD", "x")
    monkeypatch.setenv("TABULA_COPIES_KEPT", "x")
    monkeypatch.delenv("TABULA_TOKEN")
    assert get_refusal() == (
        f"{SENTENCE}TABULA_TOKEN is missing; set it in the environment, or in .env; "
        f"TABULA_GUILD is {EXPECTED['guild']}, not x; "
        f"TABULA_COPIES_KEPT is {EXPECTED['copies_kept']}, not x"
    )


@pytest.mark.parametrize(
    ("field", "written", "read"),
    [
        ("guild", " 12 ", 12),
        ("guild", "\u0661\u0662", 12),
        ("log_level", " debug\u00a0", "DEBUG"),
        ("log_format", "JSON", "json"),
        ("health", "[::1]:8080", "[::1]:8080"),
        ("health", "LocalHost:\uff18\uff10", "localhost:80"),
        ("copies_kept", "\u0667", 7),
        ("copies_at", "04\uff1a30", time(4, 30)),
        ("discord_api", "http://127.0.0.1:1/Api", "http://127.0.0.1:1/Api"),
    ],
)
def test_settings_are_read_however_they_are_typed(
    monkeypatch: pytest.MonkeyPatch, field: str, written: str, read: object
) -> None:
    monkeypatch.setenv(f"TABULA_{field.upper()}", written)
    assert getattr(load_settings(), field) == read


def test_a_folder_may_begin_at_home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABULA_COPIES", "~/copies")
    assert load_settings().copies == folder / "home" / "copies"


@pytest.mark.parametrize(
    "written",
    [
        b"TABULA_TOKEN=of-a-file\nTABULA_COPIES_KEPT=3\n",
        b"\xef\xbb\xbfTABULA_TOKEN=of-a-file\nTABULA_COPIES_KEPT=3\n",
        b"\xef\xbb\xbfTABULA_TOKEN=of-a-file\r\nTABULA_COPIES_KEPT=3\r\n",
        b"TABULA_TOKEN=of-a-file\r\nTABULA_COPIES_KEPT=3",
    ],
    ids=["plain", "mark", "mark and CRLF", "CRLF"],
)
def test_a_file_of_settings_is_read_as_windows_writes_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, written: bytes
) -> None:
    monkeypatch.delenv("TABULA_TOKEN")
    (folder / ".env").write_bytes(written)
    settings = load_settings()
    assert (settings.token.get_secret_value(), settings.copies_kept) == ("of-a-file", 3)
    assert find_unknown_names() == []


LINE = "TABULA_DATABASE=caf\u00e9.sqlite3\r\n"


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        (LINE.encode("utf-16"), ".env is in UTF-16, or no text file; save it as UTF-8"),
        (LINE.encode("utf-16-be"), ".env is in UTF-16, or no text file; save it as UTF-8"),
        (
            ("# a line\r\n" + LINE).encode("latin-1"),
            ".env is not in UTF-8 (line 2), but perhaps in Latin-1; save it as UTF-8",
        ),
    ],
)
def test_a_file_of_settings_in_another_encoding_is_named_with_the_remedy(
    folder: Path, written: bytes, sentence: str
) -> None:
    (folder / ".env").write_bytes(written)
    for read in (load_settings, load_storage_settings, find_unknown_names):
        with pytest.raises(ValueError, match=r"^\.env is ") as error:
            read()
        assert str(error.value) == sentence


def test_a_text_loses_its_mark_and_keeps_the_rest(folder: Path) -> None:
    file = folder / "text"
    file.write_bytes(b"\xef\xbb\xbfcaf\xc3\xa9\r\n")
    assert read_text(file) == "caf\u00e9\r\n"


TOLD = "other users of this machine can read {} in .env; run `chmod 600 .env`"


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660])
@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("TABULA_TOKEN=secret", "TABULA_TOKEN"),
        ("tabula_token=secret", "TABULA_TOKEN"),
        ("TABULA_SEAL=key\nTABULA_TOKEN=secret", "TABULA_SEAL and TABULA_TOKEN"),
        ("TABULA_DATABASE=postgresql://bot:secret@localhost/bot", "TABULA_DATABASE"),
        ("TABULA_DATABASE=postgresql://bot:se/cret@localhost/bot", "TABULA_DATABASE"),
        ("TABULA_MOVE_TO=postgresql://bot:secret@localhost/bot", "TABULA_MOVE_TO"),
    ],
)
def test_a_file_with_secrets_that_others_can_read_is_told(
    folder: Path, written: str, named: str, mode: int
) -> None:
    (folder / ".env").write_text(written + "\n")
    (folder / ".env").chmod(mode)
    assert find_exposure() == TOLD.format(named)
    (folder / ".env").chmod(0o600)
    assert find_exposure() is None


@pytest.mark.parametrize(
    "written",
    [
        "TABULA_TOKEN=\nTABULA_DATABASE=tabula.sqlite3\nTABULA_SEAL=",
        "TABULA_DATABASE=postgresql://localhost/bot",
        "TABULA_DATABASE=postgresql://bot@localhost/bot",
    ],
)
def test_a_file_without_secrets_may_be_read_by_others(folder: Path, written: str) -> None:
    assert find_exposure() is None
    (folder / ".env").write_text(written + "\n")
    (folder / ".env").chmod(0o644)
    assert find_exposure() is None
