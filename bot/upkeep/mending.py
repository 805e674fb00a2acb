"""Restoring what can be derived: each change is announced before, and nothing else is touched."""

from collections.abc import Iterator, Sequence

from bot.app import ratings
from bot.store import Board, Store
from bot.upkeep.findings import Finding, Forget, Mend, RateAnew, Restate, Wish
from bot.upkeep.replaying import replayed


def plan(findings: Sequence[Finding]) -> list[Mend]:
    """Return what would mend the findings, each once, in the order in which it is to be done.

    Ratings come after the rows of matches, which give their results.
    """
    mends = {repr(mend): mend for finding in findings for mend in finding.mends}
    return sorted(mends.values(), key=lambda mend: isinstance(mend, RateAnew))


def told(mends: Sequence[Mend]) -> Iterator[str]:
    """Yield what is going to be done, a sentence each."""
    for mend in mends:
        match mend:
            case Restate():
                yield f"write the row of match {mend.match} from its events"
            case RateAnew(board):
                yield (
                    f"rate the board {board.scope}, {board.pool} anew, "
                    "from the results of all its matches"
                )
            case Wish(_, job):
                yield f"let the job “{job.kind} {job.key}” be done"
            case Forget(job):
                yield f"forget the job “{job.kind} {job.key}”"


async def mend(store: Store, mends: Sequence[Mend]) -> None:
    """Do it; raises StoreError. What is not done by then is found and done the next time."""
    for each in mends:
        match each:
            case Restate(match, version, restated):
                await store.histories.restate(match, version, restated)
            case Wish(guild, job):
                await store.jobs.add(guild, [job])
            case Forget(job):
                await store.jobs.done(job)
    boards = [each.board for each in mends if isinstance(each, RateAnew)]
    if boards:
        await _rate(store, boards)


async def _rate(store: Store, boards: Sequence[Board]) -> None:
    results = [
        each.result
        async for each in replayed(store)
        if each.result and set(boards) & set(each.result.boards)
    ]
    results.sort(key=lambda result: (result.ended, result.match))
    await store.histories.rate(boards, results, ratings.rate)
