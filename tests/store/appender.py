"""A program that adds event after event to a match, and says each version once it is saved, until it is killed."""

import asyncio
import sys

from bot.store import Store
from tests.store.build import step


async def _append(where: str, match: int) -> None:
    async with await Store.open(where) as store:
        row = await store.matches.get(match)
        assert row is not None
        version = row.version
        while True:
            version = (await store.matches.append(match, step(version, f"after {version}", records=3))).version
            sys.stdout.write(f"{version}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(_append(sys.argv[1], int(sys.argv[2])))
