"""Training all games at once: the time of several processes shared out by how much each game needs."""

import multiprocessing
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.games import GAMES
from engine.rules import Game
from engine.training import layout as at
from engine.training.practice import Plan, difficulty, hidden_units, train
from engine.training.workshop import Workshop

RESERVE = 12.0
"""Seconds kept back for what is written down at the end."""


@dataclass(frozen=True)
class Whole:
    """A stretch of training for all games: one of several `parts` of the time that is planned for them."""

    seconds: float
    processes: int
    source: Path
    target: Path
    parts: int = 1
    seed: int = 1


def compile_all() -> None:
    """Compile the kernel: everything forked afterwards has it at once."""
    shop = Workshop(GAMES["zeno"].rules, hidden_units(GAMES["zeno"]), 1)
    shop.teach(1, 0.0, 0.0, by=at.GREEDILY)
    shop.meet(1, at.AT_RANDOM, first=at.GREEDILY)


def shares(games: Sequence[Game], processes: int, seconds: float) -> dict[str, float]:
    """How many seconds each game gets: by its difficulty, but no more than one process has."""
    left = {game.slug: difficulty(game) for game in games}
    total = processes * seconds
    given: dict[str, float] = {}
    while left:
        scale = total / sum(left.values())
        capped = [slug for slug, need in left.items() if need * scale >= seconds]
        for slug in capped or list(left):
            given[slug] = min(seconds, left.pop(slug) * scale)
            total -= given[slug]
    return given


def bins(given: dict[str, float], processes: int, seconds: float) -> list[list[tuple[str, float]]]:
    """Hand the games out to the processes, the longest first to the emptiest, and fill each process's time."""
    handed: list[list[tuple[str, float]]] = [[] for _ in range(processes)]
    for slug, need in sorted(given.items(), key=lambda each: -each[1]):
        emptiest = min(handed, key=lambda each: sum(need for _, need in each))
        emptiest.append((slug, need))
    return [
        [(slug, need * seconds / sum(each for _, each in games)) for slug, need in games] for games in handed if games
    ]


def train_all(games: Sequence[Game], whole: Whole) -> None:
    """Train the nets of these games side by side until the time is over."""
    began = time.monotonic()
    print("Compiling the kernel, a minute or two", flush=True)
    compile_all()
    seconds = whole.seconds - (time.monotonic() - began) - RESERVE
    print(f"Compiled; {seconds:.0f} s for {len(games)} games in {whole.processes} processes", flush=True)
    given = shares(games, whole.processes, seconds)
    context = multiprocessing.get_context("fork")
    workers = [
        context.Process(target=_work, args=(tasks, whole)) for tasks in bins(given, whole.processes, seconds)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print(f"Done after {time.monotonic() - began:.0f} s", flush=True)


def _work(tasks: list[tuple[str, float]], whole: Whole) -> None:
    for slug, seconds in tasks:
        source, target = (folder / f"{slug}.npz" for folder in (whole.source, whole.target))
        plan = Plan(seconds, seconds * whole.parts, source, target, whole.seed)
        train(GAMES[slug], plan, lambda line: print(line, flush=True))
