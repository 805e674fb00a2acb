"""The command line of `make torture`."""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from .run import TortureRun, TortureSettings
from .schedule import SHARES

DATABASES = ("sqlite", "postgresql")


def _parse_arguments() -> TortureSettings:
    parser = argparse.ArgumentParser(
        prog="make torture", description="The real bot under a seeded schedule of faults."
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="of the schedule (1); the same seed, the same faults"
    )
    parser.add_argument("--faults", type=int, default=300, help="how many (300)")
    parser.add_argument("--matches", type=int, default=16, help="how many go on at once (16)")
    parser.add_argument("--minutes", type=float, help="after which no further fault begins (none)")
    parser.add_argument("--database", choices=DATABASES, default="sqlite")
    parser.add_argument("--kinds", help=f"some of: {', '.join(SHARES)} (all)")
    parser.add_argument(
        "--folder", type=Path, help="where the database, the log and the requests are kept"
    )
    found = parser.parse_args()
    kinds = (
        tuple(SHARES)
        if found.kinds is None
        else tuple(kind.strip() for kind in found.kinds.split(","))
    )
    if unknown := set(kinds) - set(SHARES):
        parser.error(f"unknown kinds: {', '.join(sorted(unknown))}")
    folder = found.folder or Path(tempfile.mkdtemp(prefix="tabula-torture-"))
    folder.mkdir(parents=True, exist_ok=True)
    return TortureSettings(
        found.seed, found.faults, found.matches, found.database, kinds, folder, found.minutes
    )


if __name__ == "__main__":
    sys.exit(asyncio.run(TortureRun(_parse_arguments()).execute()))
