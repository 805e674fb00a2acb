"""Sharpen a trained net: let it learn closely what the ends of turns are worth by 1-ply."""

import multiprocessing
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from engine.games import find_game
from engine.players.boards import Boards
from engine.players.files import file_name
from engine.players.inputs import layout
from engine.players.known import Options
from engine.players.net import OUTPUTS, Net, load, save
from engine.players.seen import seen
from engine.position import Side
from engine.rules import Game, Rules
from engine.training import layout as at
from engine.training.fitting import PASSES, Faults, Lessons, faults, fitted, together
from engine.training.layout import Desk, Floats, Ints, Row, Taught
from engine.training.lessons import BEST, gather
from engine.training.matches import Bound, meet_quickly
from engine.training.practice import Plan
from engine.training.workshop import Score, Workshop, both_by, spare_desk, widened

GATHERING, MEETING = 0.85, 0.05
"""The shares of time for lessons, and for games against the net's old self.

The net learns between the two.
"""
LEAST = 1.0
"""Seconds that learning gets at least."""
MOST_GAMES = 100_000
"""Games in which the net meets itself as it was, at most."""
STRETCH = 40.0
"""Seconds for which a process gathers lessons before it hands them over."""
BLOCK = 5.0
"""Seconds after which it looks at the time, and a game is broken off."""
FIRST_COUNT = 200
"""How many lessons it gathers before it knows how long they take."""
MOST = 4_000_000
"""Lessons at most: each takes half a kilobyte, twice over while they are put together."""


@dataclass(frozen=True)
class Task:
    """Lessons to gather: with a net for a game with options, dice from a seed, and a time limit.

    The time is in seconds.
    """

    slug: str
    options: Options
    net: Net
    seed: int
    seconds: float


def sharpen(
    game: Game, plan: Plan, hidden: int, processes: int, said: Callable[[str], None]
) -> Net:
    """Let a game's net learn for the time planned, and save it if it `gains`.

    The net gets at least `hidden` hidden units. The last part of its lessons is held back, to tell
    how well the others are learnt; afterwards it meets itself as it was. Raises FileNotFoundError
    where there is no net. Interrupted, it leaves the net as it was.
    """
    began = time.monotonic()
    net = load(plan.source / file_name(game, plan.options))
    *parts, held_back = _gathered(game, plan, net, processes, said)
    learnt = together(parts)
    parts.clear()
    left = max(LEAST, plan.seconds * (1 - MEETING) - (time.monotonic() - began))
    before = faults(net, held_back)
    said(
        f"{game.slug}: learning {len(learnt):,} lessons for {left:.0f} s, "
        f"or until each is learnt {PASSES} times"
    )
    start = time.monotonic()
    wider = widened(net, max(hidden, net.hidden), plan.seed)
    sharp = fitted(wider, learnt, lambda: (time.monotonic() - start) / left, plan.seed)
    after = faults(sharp, held_back)
    said(
        f"{game.slug}: in lessons held back {after.given_away:.5f} points given away, "
        f"{before.given_away:.5f} before"
    )
    said(
        f"{game.slug}: {after.distance:.4f} points from what they say, {before.distance:.4f} before"
    )
    met = _met(game, plan, sharp, wider)
    said(
        f"{game.slug}: it wins {100 * met.share:.1f} ± {100 * met.share_error:.1f} % "
        "against itself before"
    )
    if not gains(before, after, met):
        said(f"{game.slug}: nothing gained, so the net stays as it was")
        return net
    facts = {
        **net.facts,
        "hidden": sharp.hidden,
        "seconds": round(net.facts["seconds"] + time.monotonic() - began, 1),
        "lessons": net.facts.get("lessons", 0) + len(learnt),
    }
    plan.target.mkdir(parents=True, exist_ok=True)
    save(replace(sharp, facts=facts), plan.target / file_name(game, plan.options))
    return sharp


def gains(before: Faults, after: Faults, met: Score) -> bool:
    """Return whether a net gives less away than before and is no worse than its old self.

    It may lose more games to its old self only within two standard errors.
    """
    return after.given_away < before.given_away and met.share + 2 * met.share_error >= 1 / 2


def _met(game: Game, plan: Plan, sharp: Net, net: Net) -> Score:
    """How a net fares against another."""
    shop = Workshop(game.rules_with(plan.options), sharp.hidden, plan.seed)
    shop.take(sharp)
    shop.take(net, other=True)
    return meet_quickly(shop, at.BY_NET, at.BY_NET, Bound(MOST_GAMES, plan.seconds * MEETING))


def _gathered(
    game: Game, plan: Plan, net: Net, processes: int, said: Callable[[str], None]
) -> list[Lessons]:
    """Gather lessons side by side for their share of the time: two parts at least."""
    stretches = max(1, round(plan.seconds * GATHERING / STRETCH))
    seconds = plan.seconds * GATHERING / stretches
    first = plan.seed + net.facts.get("lessons", 0)
    count = max(2, stretches * processes)
    tasks = [Task(game.slug, plan.options, net, first + number, seconds) for number in range(count)]
    parts = []
    lessons = 0
    context = multiprocessing.get_context("fork")
    with context.Pool(processes) as pool:
        for part in pool.imap_unordered(gathered, tasks):
            parts.append(part)
            lessons += len(part)
            said(f"{game.slug}: {lessons:,} lessons, part {len(parts)} of {len(tasks)}")
            if lessons >= MOST:
                break
    return parts


def gathered(task: Task) -> Lessons:
    """Gather the lessons of a task."""
    rules = find_game(task.slug).rules_with(task.options)
    shop = Workshop(rules, task.net.hidden, task.seed)
    shop.take(task.net)
    return together(list(_blocks(rules, shop, task.seconds)))


def _blocks(rules: Rules, shop: Workshop, seconds: float) -> Iterator[Lessons]:
    until = time.monotonic() + seconds
    ends, deep = spare_desk(), spare_desk()
    count = FIRST_COUNT
    now = time.monotonic()
    while now < until:
        yield gathered_at_once(shop, ends, deep, count).lessons(rules)
        took = time.monotonic() - now
        now += took
        affordable = count / took * min(BLOCK, max(until - now, 0.0))
        count = max(FIRST_COUNT, min(4 * count, int(affordable)))


@dataclass(frozen=True, eq=False)
class Gathered:
    """The lessons that the kernel gathered: rows, three shares each, and whose turns led there.

    `turns` says of each position which turn it was, and `sides`, of every turn, whose.
    """

    kept: Row
    shares: Floats
    turns: Ints
    sides: Ints

    def lessons(self, rules: Rules) -> Lessons:
        """The same as lessons."""
        to_throw = self.kept[at.TURN :: at.ROW]
        signs = np.where(to_throw == self.sides[self.turns], 1, -1).astype(np.float32)
        sizes = np.bincount(self.turns)
        return Lessons(
            inputs_of(rules, self.kept).astype(np.float16), self.shares, signs, sizes[sizes > 0]
        )


def gathered_at_once(shop: Workshop, ends: Desk, deep: Desk, count: int) -> Gathered:
    """Gather about `count` lessons, or a few less.

    `ends` and `deep` are memory for what is only tried.
    """
    both_by(shop.desk.book, at.BY_NET)
    kept: Row = np.zeros(count * at.ROW, np.int8)
    shares, errors = (
        np.zeros(count * OUTPUTS, np.float32),
        np.zeros(2 * count * OUTPUTS, np.float32),
    )
    sides, turns = np.zeros(2 * count, np.int32), np.zeros(count, np.int32)
    now = np.zeros(BEST + OUTPUTS, np.float32)
    taught = Taught(kept, shares, turns, sides, errors, now)
    had = gather(shop.known, shop.desk, ends, deep, shop.start, taught, count)
    return Gathered(kept[: had * at.ROW], shares.reshape(count, OUTPUTS)[:had], turns[:had], sides)


def inputs_of(rules: Rules, kept: Row) -> Floats:
    """The inputs of positions before a throw, given as the kernel's rows: a row each."""
    rows = kept.reshape(-1, at.ROW)
    width = len(rules.board.names)
    gold, black = (rows[:, first : first + width].astype(np.uint8) for first in (0, at.PLACES))
    found = np.zeros((len(rows), layout(rules, Side.GOLD).count), np.float32)
    memory = rows[:, at.MEMORY].astype(np.int64)
    for number, side in enumerate(Side):
        which = np.flatnonzero(rows[:, at.TURN] == number)
        found[which] = seen(rules, Boards(gold[which], black[which], memory[which]), side)
    return found
