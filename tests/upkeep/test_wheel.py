"""The wheel in an environment of its own, without a checkout: what it says to do can be done."""

import os
import re
import subprocess
import sys
import sysconfig
import venv
from importlib.metadata import requires
from pathlib import Path

import pytest

from bot.platform.extras import advise_installation
from tests.upkeep.test_package import ROOT, copy_source

pytestmark = pytest.mark.sweep
EXTRAS = {"asyncpg": "postgres", "cryptography": "seal", "simcord": "play"}
"""The extra that brings each library."""
CHECKOUT_WORDS = re.compile(r"make |-e \.|requirements/|\.env\.example|tests/|docs/")
"""What no wheel brings."""

HIDE = """
import sys

class Hiding:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in HIDDEN:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hiding)
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tabula as a wheel installs it, with the libraries that everybody needs and no other."""
    folder = tmp_path_factory.mktemp("wheel")
    copy_source(folder / "source")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=folder / "source", check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv/bin/python"
    command = [python, "-m", "pip", "install", "--no-deps", "--no-index", wheel]
    subprocess.run([*map(str, command)], check=True, capture_output=True)
    # The libraries are this environment's, but for those of the extras.
    (packages,) = (folder / "venv/lib").glob("python*/site-packages")
    (packages / "sitecustomize.py").write_text(f"HIDDEN = {[*EXTRAS]}\n{HIDE}")
    (packages / "zz_libraries.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    return folder / "venv/bin/tabula"


def run(program: Path, folder: Path, *arguments: str, **settings: str) -> tuple[int, str]:
    """Run it in an empty folder; return its exit status and all that it says."""
    own = {name: text for name, text in os.environ.items() if not name.startswith("TABULA_")}
    own.pop("PYTHONPATH", None)
    done = subprocess.run(
        [program, *arguments],
        cwd=folder,
        env={**own, **settings},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("arguments", "settings", "status", "sentence"),
    [
        (["--version"], {}, 0, "Tabula "),
        (["run"], {}, 78, "TABULA_TOKEN is missing; set it in the environment, or in .env"),
        (["doctor", "--offline"], {}, 0, "the first `tabula run` makes tabula.sqlite3"),
        (["print", "zeno"], {}, 0, "print at 100%"),
        (["play"], {}, 1, "the playground needs simcord; install simcord[preview]=="),
        (["key"], {}, 1, "a key needs cryptography; install cryptography~="),
        (
            ["doctor", "--offline"],
            {"TABULA_DATABASE": "postgresql://tabula@127.0.0.1:1/tabula"},
            1,
            "PostgreSQL needs asyncpg; install asyncpg~=",
        ),
        (
            ["run"],
            {"TABULA_TOKEN": "x", "TABULA_SEAL": "x"},
            78,
            "TABULA_SEAL needs cryptography; install cryptography~=",
        ),
    ],
)
def test_what_an_installed_wheel_says_can_be_done(
    program: Path,
    tmp_path: Path,
    arguments: list[str],
    settings: dict[str, str],
    status: int,
    sentence: str,
) -> None:
    returned, text = run(program, tmp_path, *arguments, **settings)
    assert sentence in text
    assert returned == status
    assert not CHECKOUT_WORDS.search(text)
    assert "Traceback" not in text


def test_a_checkout_installs_what_is_locked() -> None:
    for name, extra in EXTRAS.items():
        (lock,) = re.findall(r"-r (\S+)`", advise_installation(extra))
        assert Path(lock).is_relative_to(ROOT)
        assert re.search(rf"^{name}\b", Path(lock).read_text("utf-8"), re.MULTILINE)
        assert any(
            f"extra == '{extra}'" in each.replace('"', "'") for each in requires("tabula") or ()
        )
