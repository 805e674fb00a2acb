"""Every command of docs/operations.md, line by line, on a stand-in for an operator's machine."""

import asyncio
import os
import re
import shutil
import signal
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.ops.checked_backups import list_copies
from tests.support.postgresql import PostgreSQLServer, find_free_port

from .discord_server import DiscordServer
from .operator_host import PROJECT, create_host
from .sessions import poll_until
from .tabula import WireHarness
from .test_endpoint import fetch_answer, wait_for_health

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.wire,
    pytest.mark.sweep,
    pytest.mark.skipif(sys.platform != "linux", reason="the page is for Linux"),
]

PAGE = PROJECT / "docs/operations.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINE_S = 120.0
"""Seconds within which each line is done."""
COPY_S = 600.0
"""Seconds for a copy, which the bot makes with what others leave of the machine."""
END = "line ended with"


def list_blocks() -> list[tuple[str, str]]:
    """The language and the text of each block, with lines that go on joined."""
    found = BLOCK.findall(PAGE.read_text("utf-8"))
    return [(language, text.replace("\\\n", "")) for language, text in found]


@dataclass
class Operator:
    """Somebody who does what the page says, in one shell."""

    root: Path
    shell: Process
    server: DiscordServer
    said: dict[str, str]

    async def run(self, line: str) -> str:
        """Run a line; it must succeed. Returns what it prints."""
        assert self.shell.stdin
        assert self.shell.stdout
        line = self.fill_in(line)
        self.shell.stdin.write(f"{line}\necho '{END}' $?\n".encode())
        output = ""
        async with asyncio.timeout(LINE_S):
            while not (found := re.search(rf"^{END} (\d+)$", output, re.MULTILINE)):
                read = await self.shell.stdout.readline()
                assert read, f"{line}: {output}"
                output += read.decode()
        assert found[1] == "0", f"{line}: {output}"
        return output[: found.start()]

    def fill_in(self, text: str) -> str:
        """Put this machine's values in the place of the page's examples."""
        copies = list_copies(self.root / "var/lib/tabula/copies")
        known = {**self.said, "tabula-2026-11-29.sqlite3": copies[-1].name if copies else "?"}
        for example, value in known.items():
            text = text.replace(example, value)
        return re.sub(r"(?<![\w/])(/(?:etc|opt|srv|data|var/lib)/)", rf"{self.root}\1", text)

    def write_settings(self, text: str) -> None:
        """Enter a block in the file that its first line names."""
        first, _, rest = text.partition("\n")
        name = first.removeprefix("# ")
        file = self.root / name.lstrip("/")
        values = self.fill_in(rest) if name.endswith(".env") else rest
        changed = {line.partition("=")[0] for line in values.splitlines()}
        before = file.read_text("utf-8").splitlines() if file.exists() else []
        left = [line for line in before if line.partition("=")[0] not in changed]
        file.write_text("\n".join([*left, values]), "utf-8")
        file.chmod(0o600)
        if name in ("/etc/tabula.env", ".env"):
            with file.open("a", encoding="utf-8") as added:
                added.write(f"TABULA_DISCORD_API={self.server.api}\n")

    async def wait_for_copy(self) -> None:
        """Wait until the bot has made last night's backup."""
        await poll_until(lambda: list_copies(self.root / "var/lib/tabula/copies"), COPY_S)


@pytest.fixture
def database() -> Iterator[str]:
    """An empty database on a server, for which the page has USER:PASSWORD@HOST/NAME."""
    with PostgreSQLServer("-F") as server:
        yield server.create_database().partition("://")[2]


@asynccontextmanager
async def start_operator(root: Path, database: str) -> AsyncIterator[Operator]:
    environment = create_host(root)
    async with await DiscordServer.start() as server:
        shell = await asyncio.create_subprocess_exec(
            "bash", cwd=PROJECT, env=environment, stdin=PIPE, stdout=PIPE, stderr=STDOUT
        )
        ports = {port: str(find_free_port()) for port in ("8080", "8081")}
        said = {
            **ports,
            "=TOKEN": f"={server.world.token}",
            "USER:PASSWORD@HOST/NAME": database,
            "123456789012345678": str(server.get_person("ana").id),
            # In place of the settings of the checkout.
            " .env.example .env": f" .env.example {root}/.env",
            "--env-file .env": f"--env-file {root}/.env",
            "-g tabula-pages": f"-g {os.getgid()}",
            # Discord lets a shard log in every five seconds.
            "0-7/16": "0/2",
            "8-15/16": "1/2",
        }
        try:
            yield Operator(root, shell, server, said)
        finally:
            shell.kill()
            await shell.wait()
            for file in (root / "running").iterdir():
                with suppress(ProcessLookupError):
                    os.kill(int(file.read_text()), signal.SIGKILL)


EXPECTED = {
    "tabula doctor": "Nothing is wrong",
    "journalctl -u tabula": "invite it",
    "docker run --rm --env-file .env -v tabula:/data tabula doctor": "Nothing is wrong",
    "docker exec tabula tabula backup before.sqlite3": "Backed up to before.sqlite3",
    "tabula backup now.sqlite3": "Backed up to now.sqlite3: 1 match",
    "tabula restore copies/tabula-2026-11-29.sqlite3 --replace": "Restored from copies/",
    "tabula move-to": "Moved with every row intact: 1 match",
    "journalctl -u tabula | grep 3fa90c": "found",
    "/opt/tabula/bin/tabula key": "=",
    "tabula forget --person 123456789012345678": "People whose data is deleted: 1, and listed in",
}
"""What lines of the page print, the last time that each is run."""


BEFORE = {
    # A container is the other way, and a bot runs once.
    "install -m 600 .env.example .env": ["systemctl stop tabula"],
    # The first night's may have been made before the match began.
    "tabula restore copies/tabula-2026-11-29.sqlite3 --replace": [
        "mv /var/lib/tabula/now.sqlite3 /var/lib/tabula/copies/tabula-2026-11-29.sqlite3"
    ],
    "journalctl -u tabula | grep 3fa90c": [
        "echo 'no object' >> $HOST_ROOT/log/tabula",
        """echo '{"reference": "3fa90c", "message": "found"}' >> $HOST_ROOT/log/tabula""",
    ],
}
AFTER = {
    "docker start tabula": ["docker stop tabula", "systemctl start tabula"],
    # The rest of the page is for one process again.
    "systemctl enable --now tabula@0 tabula@1": [
        "systemctl disable --now tabula@0 tabula@1",
        "systemctl start tabula",
    ],
}
"""What the operator does between the ways that the page offers."""
SERVED = {
    "systemctl enable --now tabula": ("8080",),
    "docker start tabula": ("8080",),
    "systemctl enable --now tabula@0 tabula@1": ("8080", "8081"),
}
"""The ports at which a bot is well after a line."""


async def follow_page(operator: Operator, wire: WireHarness) -> dict[str, str]:
    """Do what the page says; return what each line prints."""
    printed: dict[str, str] = {}
    for language, text in list_blocks():
        if language == "ini":
            operator.write_settings(text)
            continue
        assert language == "sh"
        for line in text.splitlines():
            if "copies/" in line:
                await operator.wait_for_copy()
            for each in BEFORE.get(line, []):
                await operator.run(each)
            # Who has no jq here can still test the rest.
            if "| jq" not in line or shutil.which("jq"):
                printed[line] = await operator.run(line)
            for port in SERVED.get(line, ()):
                await wait_for_health(int(operator.said[port]), 200)
                assert (await fetch_answer(int(operator.said[port]), "/metrics"))[0] == 200
            if line == "journalctl -u tabula":
                await wire.begin_match("twelve-dogs")
            for each in AFTER.get(line, []):
                await operator.run(each)
    return printed


async def test_every_command_of_the_page_does_what_it_says(tmp_path: Path, database: str) -> None:
    async with start_operator(tmp_path / "host", database) as operator:
        root, server = operator.root, operator.server
        ana, ben = server.get_person("ana"), server.get_person("ben")
        wire = WireHarness(server, root / "var/lib/tabula/tabula.sqlite3", ana, ben)
        printed = await follow_page(operator, wire)
        for line, sentence in EXPECTED.items():
            assert sentence in printed[line], (line, printed[line])
        assert {*BEFORE, *AFTER, *SERVED} <= {*printed}
        assert (root / "srv/tabula-pages/index.html").is_file()
