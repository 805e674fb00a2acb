"""Train all games at once: share several processes' time by how much each game needs."""

import multiprocessing
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from engine.games import GAMES
from engine.rules import Game
from lab.training.practice import TrainingPlan, rate_difficulty, train_net

RESERVE_S = 12.0
"""Seconds kept back for what is written down at the end."""


@dataclass(frozen=True)
class JointTrainingPlan:
    """A stretch of training for all games: one of several `parts` of the planned time."""

    seconds: float
    processes: int
    source: Path
    target: Path
    parts: int = 1
    seed: int = 1


def divide_time(games: Sequence[Game], processes: int, seconds: float) -> dict[str, float]:
    """How many seconds each game gets: by its difficulty, but no more than one process has."""
    left = {game.slug: rate_difficulty(game) for game in games}
    total = processes * seconds
    options: dict[str, float] = {}
    # A game that would need more than one process has is given just that. What is over goes to the
    # others in the next round, until nobody is above the limit.
    while left:
        scale = total / sum(left.values())
        capped = [slug for slug, need in left.items() if need * scale >= seconds]
        for slug in capped or list(left):
            options[slug] = min(seconds, left.pop(slug) * scale)
            total -= options[slug]
    return options


def assign_games(
    options: dict[str, float], processes: int, seconds: float
) -> list[list[tuple[str, float]]]:
    """Hand the games out, the longest first to the emptiest process, and fill each one's time."""
    handed: list[list[tuple[str, float]]] = [[] for _ in range(processes)]
    for slug, need in sorted(options.items(), key=lambda each: -each[1]):
        emptiest = min(handed, key=lambda each: sum(need for _, need in each))
        emptiest.append((slug, need))
    return [
        [(slug, need * seconds / sum(each for _, each in games)) for slug, need in games]
        for games in handed
        if games
    ]


def train_all(games: Sequence[Game], whole: JointTrainingPlan, said: Callable[[str], None]) -> None:
    """Train the nets of these games side by side until the time is over."""
    began = time.monotonic()
    seconds = whole.seconds - RESERVE_S
    said(f"{seconds:.0f} s for {len(games)} games in {whole.processes} processes")
    options = divide_time(games, whole.processes, seconds)
    # Forked processes have the kernel that is compiled here already.
    context = multiprocessing.get_context("fork")
    workers = [
        context.Process(target=_train_games, args=(tasks, whole, said))
        for tasks in assign_games(options, whole.processes, seconds)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    said(f"Done after {time.monotonic() - began:.0f} s")


def _train_games(
    tasks: list[tuple[str, float]], whole: JointTrainingPlan, said: Callable[[str], None]
) -> None:
    # `train_net` has saved what was learnt, and an interrupted worker has nothing more to say.
    with suppress(KeyboardInterrupt):
        for slug, seconds in tasks:
            plan = TrainingPlan(
                seconds, seconds * whole.parts, whole.source, whole.target, whole.seed
            )
            train_net(GAMES[slug], plan, said)
