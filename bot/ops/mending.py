"""Restoring what can be derived: each change is announced before, and nothing else is touched."""

from collections.abc import Iterator, Sequence

from bot.features.ratings import service as ratings
from bot.features.ratings.seasons import is_later_season
from bot.ops.findings import (
    BoardRerating,
    Finding,
    JobDeletion,
    JobRequeue,
    RepairAction,
    RowRewrite,
)
from bot.ops.replaying import replay_all
from bot.store import Leaderboard, Store


def plan_repairs(findings: Sequence[Finding]) -> list[RepairAction]:
    """Return what would mend the findings, each once, in the order in which it is to be done.

    Ratings come after the rows of matches, which give their results.
    """
    # By their texts, as mends hold mappings, which cannot be hashed.
    mends = {repr(mend): mend for finding in findings for mend in finding.mends}
    # False sorts before True, and `sorted` leaves the others in their order.
    return sorted(mends.values(), key=lambda mend: isinstance(mend, BoardRerating))


def describe_repairs(mends: Sequence[RepairAction]) -> Iterator[str]:
    """Yield what is going to be done, a sentence each."""
    for mend in mends:
        match mend:
            case RowRewrite():
                yield f"write the row of match {mend.match} from its events"
            case BoardRerating(board):
                yield (
                    f"rate the board {board.scope}, {board.pool} again, "
                    "from the results of all its matches"
                )
            case JobRequeue(_, job):
                yield f"let the job “{job.kind} {job.key}” be done"
            case JobDeletion(job):
                yield f"forget the job “{job.kind} {job.key}”"


async def apply_repairs(store: Store, mends: Sequence[RepairAction]) -> None:
    """Do it; raises StoreError. What is not done by then is found and done the next time."""
    for each in mends:
        match each:
            case RowRewrite(match, version, restated):
                await store.histories.rewrite_row(match, version, restated)
            case JobRequeue(guild, job):
                await store.jobs.enqueue(guild, [job])
            case JobDeletion(job):
                # This deletes the job only if it was not renewed since it was examined.
                await store.jobs.finish(job)
    boards = [each.board for each in mends if isinstance(each, BoardRerating)]
    if boards:
        await _rerate_boards(store, boards)


async def _rerate_boards(store: Store, boards: Sequence[Leaderboard]) -> None:
    results = []
    wanted = set(boards)
    async for each in replay_all(store):
        if each.result is None:
            continue
        # Later seasons start from the ratings of a board that changes.
        wanted |= {
            board
            for board in each.result.boards
            if any(is_later_season(board, changed) for changed in boards)
        }
        if wanted & set(each.result.boards):
            results.append(each.result)
    await store.ratings.rerate_boards(wanted, results, ratings.compute_strengths)
