"""A PostgreSQL server for the tests, from the machine's own programs, thrown away at the end."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.memory import find_memory_folder

DEBIAN = Path("/usr/lib/postgresql")
UNPRIVILEGED = ("postgres", "nobody")
START_S = 30.0


class PostgreSQLUnavailableError(Exception):
    """Why there is no server here."""


class PostgreSQLServer:
    """A running server with empty databases for all who ask.

    `options` go to the program itself.
    """

    def __init__(self, *options: str) -> None:
        self._programs = _find_program_folder()
        self._user = _find_server_user()
        # Not pytest's own folder: the server's user may not go into it.
        self._folder = Path(tempfile.mkdtemp(prefix="tabula-postgresql-", dir=find_memory_folder()))
        if self._user:
            os.chown(self._folder, pwd.getpwnam(self._user).pw_uid, -1)
        self._port = find_free_port()
        self._numbers: Iterator[int] = count()
        self._options = options
        self.data = self._folder / "data"
        self._call_program(
            "initdb",
            "--pgdata",
            self.data,
            "--username",
            "tabula",
            "--auth",
            "trust",
            "--no-sync",
            "-E",
            "UTF8",
        )
        self.start()

    def start(self) -> None:
        """Start it, again where it was stopped."""
        where: list[str | Path] = [
            "-D",
            self.data,
            "-k",
            "",
            "-h",
            "127.0.0.1",
            "-p",
            str(self._port),
        ]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", *where, *self._options],
                user=self._user,
                cwd=self._folder,
                stdout=log,
                stderr=log,
            )
        self._wait_until_ready()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it by a signal.

        SIGTERM ends it when all have left, SIGINT and SIGQUIT at once, SIGKILL like a crash.
        """
        self._process.send_signal(how)
        self._process.wait(START_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.stop()
        self.remove_data()

    def remove_data(self) -> None:
        """Delete all that it kept, once it has ended."""
        shutil.rmtree(self._folder)

    def create_database(self) -> str:
        """Make an empty database, and return its address."""
        return self._execute_create("CREATE DATABASE {}")

    def clone_database(self, address: str) -> str:
        """Copy a database that nobody uses now, and return the copy's address."""
        return self._execute_create(f"CREATE DATABASE {{}} TEMPLATE {address.rpartition('/')[2]}")

    @contextmanager
    def lend_database(self, address: str) -> Iterator[str]:
        """Let a database be used, and throw it away then, whoever still uses it."""
        yield address
        self.execute_sql(f"DROP DATABASE {address.rpartition('/')[2]} WITH (FORCE)")

    def _execute_create(self, sql: str) -> str:
        name = f"tabula{next(self._numbers)}"
        self.execute_sql(sql.format(name))
        return f"postgresql://tabula@127.0.0.1:{self._port}/{name}"

    def execute_sql(self, sql: str, database: str = "postgres") -> None:
        """Run SQL, beside the store."""
        self._call_program(
            "psql",
            "-h",
            "127.0.0.1",
            "-p",
            str(self._port),
            "-U",
            "tabula",
            "-d",
            database,
            "-qc",
            sql,
        )

    def _wait_until_ready(self) -> None:
        patience = time.monotonic() + START_S
        while subprocess.call(
            [self._programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self._port)]
        ):
            if self._process.poll() is not None or time.monotonic() > patience:
                raise RuntimeError((self._folder / "log").read_text())
            time.sleep(0.05)

    def _call_program(self, program: str, *arguments: str | Path) -> None:
        done = subprocess.run(
            [self._programs / program, *arguments],
            user=self._user,
            cwd=self._folder,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise RuntimeError(done.stderr)


def _find_program_folder() -> Path:
    """Return the folder of the server's programs."""
    found = shutil.which("initdb")
    folders = [
        *([Path(found).resolve().parent] if found else []),
        *sorted(DEBIAN.glob("*/bin"), reverse=True),
    ]
    for folder in folders:
        if all(
            (folder / program).exists() for program in ("initdb", "postgres", "pg_isready", "psql")
        ):
            return folder
    raise PostgreSQLUnavailableError(
        "no PostgreSQL server is installed here (Debian, Ubuntu: apt install postgresql)"
    )


def _find_server_user() -> str | None:
    """Return the user who runs the server if we are root, which it refuses; None for ourselves."""
    if os.geteuid():
        return None
    for name in UNPRIVILEGED:
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    raise PostgreSQLUnavailableError(
        "PostgreSQL does not run as root, and there is no other user here"
    )


def find_free_port() -> int:
    """Return a port of this machine that nobody uses now."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
