"""Carrying a club's database over to a server: whatever arrives is replayed there, match by match."""

import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from secrets import token_bytes

from bot.app import play
from bot.app.context import App, Clock
from bot.app.record import events_of, to_file, verify
from bot.store import Store, StoreError, carry, source_of
from engine.refusal import Refusal

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Moved:
    """What was carried over: rows by table, the matches among them, and those that do not verify."""

    rows: dict[str, int]
    matches: int
    wrong: tuple[int, ...]


async def move(where: str | Path, target: str, keys: Sequence[str], clock: Clock) -> Moved:
    """Carry the database in a file over to an empty one on a server, and replay every match there.

    The file stays as it is, but for being brought to the present version; `keys` are those that seal it, if any do.
    Raises StoreError, having carried nothing over, while a program uses the file, and where the target is not empty.
    """
    file = source_of(where, target)
    # Open, it is nobody else's, and of the present version.
    async with await Store.open(file, keys) as source:
        wrong = await source.check()
        if wrong:
            raise StoreError(f"{file} is not whole: {wrong[0]}")
        rows = await carry(file, target)
    async with await Store.open(target, keys) as store:
        app = App(store, clock, token_bytes)
        numbers = await store.matches.numbers()
        odd = [number async for number in _wrong(app, numbers)]
    return Moved(rows, len(numbers), tuple(odd))


async def _wrong(app: App, numbers: list[int]) -> AsyncIterator[int]:
    """Yield the matches whose events do not come to what is kept of them, by the rules and the secret."""
    for number in numbers:
        try:
            sitting = await play.load(app, number)
            happened = await play.history(app, sitting.row)
            found = verify(to_file(sitting, events_of(sitting, happened)))
        except (Refusal, ValueError, KeyError):
            log.warning("match %d cannot be replayed", number, exc_info=True)
            yield number
            continue
        if found.wrong is not None or sitting.row.snapshot != play.snapshot(sitting.match):
            yield number
