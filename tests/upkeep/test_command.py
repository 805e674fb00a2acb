"""`tabula doctor` as a program: what it prints, what it asks, and its exit status."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from bot.ops.commands import DISCORD_LEFT_OUT, NOWHERE_LISTED
from tests.support.stored import dump_file
from tests.upkeep.test_doctor import change_database
from tests.wire.discord_server import DiscordServer
from tests.wire.processes import make_environment

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]


async def run_tabula(
    folder: Path, *arguments: str, text: str = "", **settings: str
) -> tuple[int, list[str]]:
    """Run the program in a folder to its end; return its exit status and all that it prints."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *arguments),
        cwd=folder,
        env=make_environment(**settings),
        stdin=PIPE,
        stdout=PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await asyncio.wait_for(process.communicate(text.encode()), 60)
    assert process.returncode is not None
    return process.returncode, [
        line for line in output.decode().splitlines() if " replayed in " not in line
    ]


async def test_a_database_that_is_sound(file: Path) -> None:
    before = dump_file(file)
    settings = {"TABULA_DATABASE": str(file), "TABULA_TOKEN": "secret"}
    assert await run_tabula(file.parent, "doctor", "--offline", **settings) == (
        0,
        ["Nothing is wrong."],
    )
    assert dump_file(file) == before


async def test_settings_that_are_wrong_are_told_and_the_database_is_looked_at(file: Path) -> None:
    await change_database(str(file), "DELETE FROM jobs WHERE kind = 'watch'")
    (file.parent / ".env").write_text("TABULA_TOKN=secret\n")
    status, texts = await run_tabula(file.parent, "doctor", TABULA_DATABASE=str(file))
    assert status == 1
    assert texts == [
        DISCORD_LEFT_OUT,
        "TABULA_TOKN is not a known setting; did you mean TABULA_TOKEN?",
        "match 8: it goes on, and no job “watch” waits for it",
        (
            "2 things are wrong; `tabula doctor --repair` mends what it can, "
            "and tells before what it will do."
        ),
    ]


async def test_without_a_token_all_but_discord_is_checked(file: Path) -> None:
    texts = [DISCORD_LEFT_OUT, "Nothing is wrong."]
    assert await run_tabula(file.parent, "doctor", TABULA_DATABASE=str(file)) == (0, texts)


@pytest.mark.parametrize(("flags", "text"), [(["--repair"], "y\n"), (["--repair", "--yes"], "")])
async def test_what_is_mended_is_told_before(file: Path, flags: list[str], text: str) -> None:
    await change_database(str(file), "DELETE FROM jobs WHERE kind = 'watch'")
    settings = {"TABULA_DATABASE": str(file), "TABULA_TOKEN": "secret"}
    status, texts = await run_tabula(
        file.parent, "doctor", "--offline", *flags, text=text, **settings
    )
    question = "Shall I? [y/N] " if text else ""
    assert texts == [
        "match 8: it goes on, and no job “watch” waits for it",
        "To mend it I will:",
        "- let the job “watch 8” be done",
        f"{question}Done; looking again.",
        "Nothing is wrong.",
    ]
    assert status == 0


@pytest.mark.parametrize("text", ["n\n", "", "\n"])
async def test_nothing_is_mended_that_nobody_allows(file: Path, text: str) -> None:
    await change_database(str(file), "DELETE FROM jobs WHERE kind = 'watch'")
    before = dump_file(file)
    settings = {"TABULA_DATABASE": str(file), "TABULA_TOKEN": "secret"}
    status, texts = await run_tabula(
        file.parent, "doctor", "--offline", "--repair", text=text, **settings
    )
    assert (status, texts[-1]) == (1, "Shall I? [y/N] Nothing was changed.")
    assert dump_file(file) == before


async def test_discord_is_asked_with_the_token(file: Path) -> None:
    async with await DiscordServer.start("secret") as server:
        await change_database(
            str(file),
            f"UPDATE matches SET guild = {server.world.first_guild_id}, channel = 77 WHERE id = 8",
        )
        settings = {"TABULA_DATABASE": str(file), "TABULA_DISCORD_API": server.api}
        status, texts = await run_tabula(file.parent, "doctor", TABULA_TOKEN="secret", **settings)
        assert (status, len(texts)) == (1, 3)
        assert texts[0].startswith("Servers invite the bot with ")
        assert texts[1].startswith(
            f"channel 77 of server {server.world.first_guild_id}, where match 8 goes on, cannot be"
        )
        status, texts = await run_tabula(file.parent, "doctor", TABULA_TOKEN="another", **settings)
        assert (status, len(texts)) == (1, 2)
        assert texts[0].startswith("Discord does not accept TABULA_TOKEN")


async def test_files_that_others_can_read_are_told_and_which_are_closed_are_not(
    file: Path, tmp_path: Path
) -> None:
    copies = tmp_path / "copies"
    copies.mkdir()
    path = copies / "tabula-2026-11-27.sqlite3"
    beside = file.with_name(f"{file.name}.v12.bak")
    listed = file.with_name(f"{file.name}.deletions")
    for each in (path, beside, listed):
        each.touch(0o600)
    secrets = file.parent / ".env"
    secrets.write_text("TABULA_TOKEN=secret\n")
    secrets.chmod(0o600)
    settings = {"TABULA_DATABASE": str(file), "TABULA_COPIES": str(copies)}
    assert await run_tabula(file.parent, "doctor", "--offline", **settings) == (
        0,
        ["Nothing is wrong."],
    )
    exposed = sorted([file, path, beside, listed])
    for each in (*exposed, secrets):
        each.chmod(0o640)
    status, texts = await run_tabula(file.parent, "doctor", "--offline", **settings)
    assert status == 1
    assert texts == [
        "other users of this machine can read TABULA_TOKEN in .env; run `chmod 600 .env`",
        *(
            f"other users of this machine can read {each}; run `chmod 600 {each}`"
            for each in exposed
        ),
        "5 things are wrong.",
    ]


async def test_a_start_warns_of_a_token_that_others_can_read(tmp_path: Path) -> None:
    secrets = tmp_path / ".env"
    secrets.write_text("TABULA_TOKEN=secret\n")
    warning = "other users of this machine can read TABULA_TOKEN in .env; run `chmod 600 .env`"
    async with await DiscordServer.start(token="another") as server:
        for mode, warned in ((0o644, True), (0o600, False)):
            secrets.chmod(mode)
            _, texts = await run_tabula(tmp_path, "run", TABULA_DISCORD_API=server.api)
            assert texts[-1].startswith("tabula: Discord does not accept TABULA_TOKEN")
            assert any(warning in line for line in texts) is warned


async def test_deletions_that_are_listed_nowhere_are_a_finding(tmp_path: Path) -> None:
    settings = {"TABULA_DATABASE": "postgresql://nobody@127.0.0.1:9/none"}
    status, texts = await run_tabula(tmp_path, "doctor", "--offline", **settings)
    assert (status, NOWHERE_LISTED in texts) == (1, True)
    status, texts = await run_tabula(
        tmp_path, "doctor", "--offline", TABULA_COPIES=str(tmp_path), **settings
    )
    assert NOWHERE_LISTED not in texts


@pytest.mark.parametrize("unbuffered", ["", "1"])
async def test_output_that_nobody_reads_any_more_is_no_error(
    tmp_path: Path, unbuffered: str
) -> None:
    read, write = os.pipe()
    os.close(read)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "key"),
        cwd=tmp_path,
        env=make_environment(PYTHONUNBUFFERED=unbuffered),
        stdout=write,
        stderr=PIPE,
    )
    os.close(write)
    _, complaint = await asyncio.wait_for(process.communicate(), 60)
    assert (process.returncode, complaint) == (141, b"")
