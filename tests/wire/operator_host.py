"""A stand-in for the machine on which docs/operations.md has its commands run.

`python -m tests.wire.operator_host PROGRAM ARGUMENT...` does what the program does, as far as the
page needs it: units and containers run as processes, with the settings and the folder that their
files give them. The machine's root is $HOST_ROOT. What it doesn't know is an error.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
ROOT = Path(os.environ.get("HOST_ROOT", "/nonexistent"))
LOG, RUNNING = ROOT / "log", ROOT / "running"
START_S = 60.0
"""Seconds within which a bot that was started is connected."""
END_S = 30.0
CONNECTED = "invite it"
"""What the bot's log says once it is connected."""
_FOLDERS = re.compile(r"(?<![\w/])(/(?:etc|opt|srv|data|var/lib)/)")


def relocate(text: str) -> str:
    """Name the folders of a machine as they lie below the stand-in's root."""
    return _FOLDERS.sub(rf"{ROOT}\1", text)


def read_settings(file: Path) -> dict[str, str]:
    """Return the variables of an EnvironmentFile, or of a file for `docker run --env-file`."""
    lines = (line.strip() for line in relocate(file.read_text("utf-8")).splitlines())
    pairs = (line.partition("=") for line in lines if line and not line.startswith("#"))
    return {name: " ".join(shlex.split(value)) for name, _, value in pairs}


def read_service(unit: str) -> tuple[list[str], dict[str, str], Path]:
    """Return the command, the variables and the folder of a unit, with its drop-ins."""
    template, at, instance = unit.partition("@")
    folder = ROOT / "etc/systemd/system"
    files = [folder / f"{template}{at}.service"]
    files += sorted((folder / f"{template}{at}.service.d").glob("*.conf"))
    settings: dict[str, str] = {}
    command, place = "", ROOT
    for line in "\n".join(file.read_text("utf-8") for file in files).splitlines():
        name, _, value = relocate(line.replace("%i", instance)).partition("=")
        if name == "Environment":
            key, _, content = value.partition("=")
            settings[key] = content
        elif name == "EnvironmentFile":
            file = Path(value.removeprefix("-"))
            if file.is_file() or not value.startswith("-"):
                settings |= read_settings(file)
        elif name == "ExecStart":
            command = value
        elif name == "WorkingDirectory":
            place = Path(value)
    words = [
        part
        for word in command.split()
        for part in (settings[word[1:]].split() if word.startswith("$") else [word])
    ]
    return words, settings, place


def build_environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Return this process's variables with those as Tabula's only ones."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("TABULA_")}
    return {**own, "PYTHONPATH": str(PROJECT), **settings}


def start(name: str, command: Sequence[str], settings: Mapping[str, str], folder: Path) -> None:
    """Start a bot in the background, and wait until it is connected."""
    log = LOG / name
    before = log.stat().st_size if log.exists() else 0
    folder.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            env=build_environment(settings),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    (RUNNING / name).write_text(str(process.pid))
    ends = time.monotonic() + START_S
    while CONNECTED not in (said := log.read_bytes()[before:].decode()):
        if process.poll() is not None or time.monotonic() > ends:
            sys.exit(f"{name} does not run: {said}")
        time.sleep(0.05)


def stop(name: str) -> None:
    """Stop a bot that runs, and wait until it has ended."""
    pid = int((RUNNING / name).read_text())
    os.kill(pid, signal.SIGTERM)
    ends = time.monotonic() + END_S
    # Not a child of this process, so it can't be waited for.
    while Path(f"/proc/{pid}/cmdline").exists() and Path(f"/proc/{pid}/cmdline").read_bytes():
        if time.monotonic() > ends:
            sys.exit(f"{name} does not end")
        time.sleep(0.05)
    (RUNNING / name).unlink()


def execute(command: Sequence[str], settings: Mapping[str, str], folder: Path) -> None:
    """Become a program that ends by itself."""
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    os.execve(command[0], list(command), build_environment(settings))


def handle_systemctl(arguments: Sequence[str]) -> None:
    """Start and stop units."""
    verb, *units = [word for word in arguments if word != "--now"]
    if verb in ("stop", "disable", "restart"):
        for unit in units:
            stop(unit)
    if verb in ("start", "enable", "restart"):
        for unit in units:
            start(unit, *read_service(unit))
    elif verb not in ("stop", "disable", "daemon-reload"):
        sys.exit(f"systemctl {verb}?")


def handle_systemd_run(arguments: Sequence[str]) -> None:
    """Run a command with the properties of a transient unit."""
    parser = ArgumentParser()
    for flag in ("--quiet", "--pipe", "--wait"):
        parser.add_argument(flag, action="store_true", required=True)
    parser.add_argument("-p", action="append", dest="properties")
    known, command = parser.parse_known_args(arguments)
    properties = dict(each.split("=", 1) for each in known.properties)
    # What is no folder or file here is the same as in the unit.
    unit = (ROOT / "etc/systemd/system/tabula.service").read_text("utf-8").splitlines()
    for name, value in properties.items():
        assert f"{name}={value.removeprefix(str(ROOT))}" in unit, name
    place = Path(properties["WorkingDirectory"])
    execute(command, read_settings(Path(properties["EnvironmentFile"])), place)


def handle_journalctl(arguments: Sequence[str]) -> None:
    """Print the log of a unit."""
    assert arguments[:1] == ["-u"]
    assert arguments[2:] in ([], ["-o", "cat"])
    sys.stdout.write((LOG / arguments[1]).read_text("utf-8"))


def parse_container(arguments: Sequence[str]) -> tuple[Namespace, list[str]]:
    """Return the options of `docker run`, and what the container is given to run."""
    parser = ArgumentParser()
    for flag in ("--rm", "--read-only", "-d"):
        parser.add_argument(flag, action="store_true")
    for option in ("restart", "stop-timeout", "tmpfs", "cap-drop", "security-opt", "ulimit"):
        parser.add_argument(f"--{option}")
    for option in ("--name", "--memory", "--pids-limit", "-p"):
        parser.add_argument(option)
    parser.add_argument("--env-file", type=Path, required=True)
    parser.add_argument("-v", required=True)
    known, (image, *command) = parser.parse_known_args(arguments)
    assert (image, known.v) == ("tabula", "tabula:/data")
    return known, command


def handle_docker(arguments: Sequence[str]) -> None:
    """Run the program as the image says; a container is a bot with a folder of its own."""
    verb, *rest = arguments
    image = relocate((PROJECT / "deploy/Containerfile").read_text("utf-8"))
    settings = dict(re.findall(r"\b(TABULA_\w+)=(\S+)", image))
    name = "container-tabula"
    program = [sys.executable, "-m", "bot"]
    if verb == "build":
        assert (PROJECT / rest[rest.index("-f") + 1]).is_file()
    elif verb == "run":
        known, command = parse_container(rest)
        settings |= read_settings(known.env_file)
        if not known.d:
            execute([*program, *command], settings, ROOT / "data")
        settings["TABULA_HEALTH"] = known.p.rpartition(":")[0]
        (ROOT / "container").write_text("\n".join(f"{a}={b}" for a, b in settings.items()))
        start(name, [*program, "run", "--stay"], settings, ROOT / "data")
    elif verb == "exec":
        assert rest[:2] == ["tabula", "tabula"]
        execute([*program, *rest[2:]], read_settings(ROOT / "container"), ROOT / "data")
    elif verb == "logs":
        sys.stdout.write((LOG / name).read_text("utf-8"))
    elif verb == "stop":
        stop(name)
    elif verb == "start":
        container = read_settings(ROOT / "container")
        start(name, [*program, "run", "--stay"], container, ROOT / "data")
    else:
        sys.exit(f"docker {verb}?")


def handle_python(arguments: Sequence[str]) -> None:
    """Make an environment, of which `pip` installs the program under test."""
    module, folder = arguments[1:]
    assert module == "venv"
    programs = Path(folder) / "bin"
    programs.mkdir(parents=True)
    for name, call in {
        "pip": f"-m tests.wire.operator_host pip {folder}",
        "tabula": "-m bot",
    }.items():
        file = programs / name
        file.write_text(f'#!/bin/sh\nPYTHONPATH={PROJECT} exec {sys.executable} {call} "$@"\n')
        file.chmod(0o755 if name == "pip" else 0o600)


def handle_pip(arguments: Sequence[str]) -> None:
    """Install the program, once what it needs is named; the real one is used by `.ci/container`."""
    folder, verb, *rest = arguments
    assert verb == "install"
    if "-r" in rest:
        assert (PROJECT / rest[rest.index("-r") + 1]).is_file()
    elif rest[-1] == ".":
        (Path(folder) / "bin/tabula").chmod(0o755)


PROGRAMS: Mapping[str, Callable[[Sequence[str]], None]] = {
    "apt-get": lambda _: None,
    "docker": handle_docker,
    "groupadd": lambda _: None,
    "journalctl": handle_journalctl,
    "pip": handle_pip,
    "python3": handle_python,
    "systemctl": handle_systemctl,
    "systemd-run": handle_systemd_run,
}


def create_host(root: Path) -> Mapping[str, str]:
    """Lay out the folders and programs of a machine; return the variables of its shells."""
    for folder in ("bin", "log", "running", "etc/systemd/system", "var/lib", "opt", "srv", "data"):
        (root / folder).mkdir(parents=True)
    for name in PROGRAMS:
        program = root / "bin" / name
        call = f"{sys.executable} -m tests.wire.operator_host {name}"
        program.write_text(f'#!/bin/sh\nPYTHONPATH={PROJECT} exec {call} "$@"\n')
        program.chmod(0o755)
    return {
        **build_environment({}),
        "HOST_ROOT": str(root),
        # Some thirty programs are started, of which all but the first find it compiled.
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(root / "compiled"),
        "PATH": f"{root / 'bin'}:{os.environ['PATH']}",
    }


if __name__ == "__main__":
    PROGRAMS[sys.argv[1]](sys.argv[2:])
