"""`make fuzz`: look for texts, records and requests that are neither read nor refused.

It is guided by what code each case reaches (atheris, on libFuzzer). Of what it tries the fewest
that reach everything are kept in tests/fuzz/corpus, and every test run goes through them; a case
that fails ends it, and is kept too.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

# It is not installed with the tests.
import atheris  # type: ignore[import-untyped, import-not-found, unused-ignore]

from tests.fuzz.kept import load_cases, save_cases

with atheris.instrument_imports(include=["engine", "bot"]):
    from tests.fuzz.targets import TARGETS

SLOWEST_S = 20
"""Seconds after which a case counts as one that never ends."""
LONGEST = 400
"""Bytes that a case has at most."""


def main() -> None:
    """Fuzz one target, or all in turn."""
    if len(sys.argv) > 1 and sys.argv[1] in TARGETS:
        # What this program starts for itself: libFuzzer never returns.
        # It starts itself again, by a shell, to find the fewest cases.
        itself = f"{sys.executable} -m tests.fuzz {sys.argv[1]}"
        atheris.Setup([itself, *sys.argv[2:]], TARGETS[sys.argv[1]])
        atheris.Fuzz()
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument(
        "--minutes", type=float, default=60, help="how long, for everything together (default 60)"
    )
    parser.add_argument(
        "--only", nargs="*", default=list(TARGETS), choices=list(TARGETS), help="only these"
    )
    arguments = parser.parse_args()
    failed = [
        name
        for name in arguments.only
        if not _fuzz_target(name, arguments.minutes * 60 / len(arguments.only))
    ]
    if failed:
        sys.exit(
            f"Not read, nor refused: a case of {', '.join(failed)}; "
            "it is kept, and `make test` shows it"
        )


def _fuzz_target(name: str, seconds: float) -> bool:
    """Fuzz a target for so long and keep what was found; False where a case failed."""
    with tempfile.TemporaryDirectory() as made:
        folder, fewest, bad = (Path(made, each) for each in ("found", "fewest", "bad"))
        for each in (folder, fewest, bad):
            each.mkdir()
        for at, case in enumerate(load_cases(name)):
            (folder / str(at)).write_bytes(case)
        limits = (
            f"-timeout={SLOWEST_S}",
            f"-max_len={LONGEST}",
            "-rss_limit_mb=4000",
            f"-artifact_prefix={bad}/",
        )
        run = (sys.executable, "-m", "tests.fuzz", name)
        done = subprocess.run(
            [*run, f"-max_total_time={round(seconds)}", *limits, str(folder)], check=False
        )
        subprocess.run([*run, "-merge=1", *limits, str(fewest), str(folder)], check=False)
        save_cases(name, {each.read_bytes() for where in (fewest, bad) for each in where.iterdir()})
    return done.returncode == 0


if __name__ == "__main__":
    main()
