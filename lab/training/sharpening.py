"""Sharpen a trained net: let it learn closely what the ends of turns are worth by 1-ply."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from engine.games import find_game
from engine.players.boards import Boards
from engine.players.files import file_name
from engine.players.input_arrays import build_inputs
from engine.players.inputs import lay_out_inputs
from engine.players.net import OUTPUTS, Net, load_net, save_net
from engine.players.variants import Options
from engine.position import Side
from engine.rules import Game, Rules
from lab.command_line import open_pool
from lab.training import layout as at
from lab.training.fitting import PASSES, Lessons, NetValidation, fit_net, join_lessons, validate_net
from lab.training.layout import Floats, Ints, LessonBuffer, Row, TurnMemory
from lab.training.lessons import BEST, gather_lessons
from lab.training.matches import Bound, play_fast_match
from lab.training.practice import TrainingPlan
from lab.training.workshop import Score, Workshop, assign_policy, new_spare_memory, widen_net

GATHERING_SHARE, MATCH_SHARE = 0.85, 0.05
"""The shares of time for lessons, and for games against the net's old self.

The net learns between the two.
"""
MIN_LEARNING_S = 1.0
"""Seconds that learning gets at least."""
MAX_GAMES = 100_000
"""Games in which the net meets itself as it was, at most."""
STRETCH_S = 40.0
"""Seconds for which a process gathers lessons before it hands them over."""
BLOCK_S = 5.0
"""Seconds after which it looks at the time, and a game is broken off."""
FIRST_COUNT = 200
"""How many lessons it gathers before it knows how long they take."""
MAX_LESSONS = 4_000_000
"""Lessons at most: each takes half a kilobyte, twice over while they are put together."""


@dataclass(frozen=True)
class LessonTask:
    """Lessons to gather: with a net for a game with options, dice from a seed, and a time limit.

    The time is in seconds.
    """

    slug: str
    options: Options
    net: Net
    seed: int
    seconds: float


def sharpen_net(
    game: Game, plan: TrainingPlan, hidden: int, processes: int, said: Callable[[str], None]
) -> Net:
    """Let a game's net learn for the time planned, and save it if it is better.

    The net gets at least `hidden` hidden units. The last part of its lessons is held back, to tell
    how well the others are learnt; afterwards it meets itself as it was. Raises FileNotFoundError
    where there is no net. Interrupted, it leaves the net as it was.
    """
    began = time.monotonic()
    net = load_net(plan.source / file_name(game, plan.options))
    *parts, held_back = _gather_in_parallel(game, plan, net, processes, said)
    learnt = join_lessons(parts)
    # The parts would otherwise fill memory a second time while the net learns.
    parts.clear()
    left = max(MIN_LEARNING_S, plan.seconds * (1 - MATCH_SHARE) - (time.monotonic() - began))
    before = validate_net(net, held_back)
    said(
        f"{game.slug}: learning {len(learnt):,} lessons for {left:.0f} s, "
        f"or until each is learnt {PASSES} times"
    )
    start = time.monotonic()
    wider = widen_net(net, max(hidden, net.unit_count), plan.seed)
    sharp = fit_net(wider, learnt, lambda: (time.monotonic() - start) / left, plan.seed)
    after = validate_net(sharp, held_back)
    said(
        f"{game.slug}: in lessons held back {after.given_away:.5f} points given away, "
        f"{before.given_away:.5f} before"
    )
    said(
        f"{game.slug}: {after.distance:.4f} points from what they say, {before.distance:.4f} before"
    )
    # A workshop holds nets of one size. The wider net plays as the old one: its new units say
    # nothing.
    met = _play_old_self(game, plan, sharp, wider)
    said(
        f"{game.slug}: it wins {100 * met.share:.1f} ± {100 * met.share_error:.1f}% "
        "against itself before"
    )
    if not is_improvement(before, after, met):
        said(f"{game.slug}: nothing gained, so the net stays as it was")
        return net
    facts = {
        **net.facts,
        "hidden": sharp.unit_count,
        "seconds": round(net.facts["seconds"] + time.monotonic() - began, 1),
        "lessons": net.facts.get("lessons", 0) + len(learnt),
    }
    plan.target.mkdir(parents=True, exist_ok=True)
    save_net(replace(sharp, facts=facts), plan.target / file_name(game, plan.options))
    return sharp


def is_improvement(before: NetValidation, after: NetValidation, met: Score) -> bool:
    """Return whether a net gives less away than before and is no worse than its old self.

    It may lose more games to its old self only within two standard errors.
    """
    return after.given_away < before.given_away and met.share + 2 * met.share_error >= 1 / 2


def _play_old_self(game: Game, plan: TrainingPlan, sharp: Net, net: Net) -> Score:
    """How a net fares against another."""
    shop = Workshop(game.resolve_rules(plan.options), sharp.unit_count, plan.seed)
    shop.install_net(sharp)
    shop.install_net(net, other=True)
    return play_fast_match(shop, at.BY_NET, at.BY_NET, Bound(MAX_GAMES, plan.seconds * MATCH_SHARE))


def _gather_in_parallel(
    game: Game, plan: TrainingPlan, net: Net, processes: int, said: Callable[[str], None]
) -> list[Lessons]:
    """Gather lessons side by side for their share of the time: two parts at least."""
    stretches = max(1, round(plan.seconds * GATHERING_SHARE / STRETCH_S))
    seconds = plan.seconds * GATHERING_SHARE / stretches
    # Dice other than those of all lessons before.
    first = plan.seed + net.facts.get("lessons", 0)
    # One part is held back, so one more is needed to learn from.
    count = max(2, stretches * processes)
    tasks = [
        LessonTask(game.slug, plan.options, net, first + number, seconds) for number in range(count)
    ]
    parts = []
    lessons = 0
    with open_pool(processes) as pool:
        for part in pool.imap_unordered(gather_for_task, tasks):
            parts.append(part)
            lessons += len(part)
            said(f"{game.slug}: {lessons:,} lessons, part {len(parts)} of {len(tasks)}")
            if lessons >= MAX_LESSONS:
                break
    return parts


def gather_for_task(task: LessonTask) -> Lessons:
    """Gather the lessons of a task."""
    rules = find_game(task.slug).resolve_rules(task.options)
    shop = Workshop(rules, task.net.unit_count, task.seed)
    shop.install_net(task.net)
    return join_lessons(list(_iter_lessons(rules, shop, task.seconds)))


def _iter_lessons(rules: Rules, shop: Workshop, seconds: float) -> Iterator[Lessons]:
    until = time.monotonic() + seconds
    ends, deep = new_spare_memory(), new_spare_memory()
    count = FIRST_COUNT
    now = time.monotonic()
    while now < until:
        yield gather_lesson_rows(shop, ends, deep, count).to_lessons(rules)
        took = time.monotonic() - now
        now += took
        affordable = count / took * min(BLOCK_S, max(until - now, 0.0))
        count = max(FIRST_COUNT, min(4 * count, int(affordable)))


@dataclass(frozen=True, eq=False)
class LessonRows:
    """The lessons that the kernel gathered: rows, three shares each, and whose turns led there.

    `turns` says of each position which turn it was, and `sides`, of every turn, whose.
    """

    kept: Row
    shares: Floats
    turns: Ints
    sides: Ints

    def to_lessons(self, rules: Rules) -> Lessons:
        """The same as lessons."""
        # A stride of whole rows reads one field of each.
        to_throw = self.kept[at.TURN :: at.ROW]
        signs = np.where(to_throw == self.sides[self.turns], 1, -1).astype(np.float32)
        sizes = np.bincount(self.turns)
        # Turns that end their game may give no lesson, and a turn without ends has no mean.
        return Lessons(
            compute_row_inputs(rules, self.kept).astype(np.float16),
            self.shares,
            signs,
            sizes[sizes > 0],
        )


def gather_lesson_rows(
    shop: Workshop, ends: TurnMemory, deep: TurnMemory, count: int
) -> LessonRows:
    """Gather about `count` lessons, or a few less.

    `ends` and `deep` are memory for what is only tried.
    """
    assign_policy(shop.desk.book, at.BY_NET)
    kept: Row = np.zeros(count * at.ROW, np.int8)
    shares, errors = (
        np.zeros(count * OUTPUTS, np.float32),
        np.zeros(2 * count * OUTPUTS, np.float32),
    )
    # A turn that ends its game may give no lesson, so there may be more turns than lessons.
    sides, turns = np.zeros(2 * count, np.int32), np.zeros(count, np.int32)
    now = np.zeros(BEST + OUTPUTS, np.float32)
    taught = LessonBuffer(kept, shares, turns, sides, errors, now)
    had = gather_lessons(shop.known, shop.desk, ends, deep, shop.start, taught, count)
    return LessonRows(
        kept[: had * at.ROW], shares.reshape(count, OUTPUTS)[:had], turns[:had], sides
    )


def compute_row_inputs(rules: Rules, kept: Row) -> Floats:
    """The inputs of positions before a throw, given as the kernel's rows: a row each."""
    rows = kept.reshape(-1, at.ROW)
    width = len(rules.board.place_names)
    gold, black = (rows[:, first : first + width].astype(np.uint8) for first in (0, at.PLACES))
    found = np.zeros((len(rows), lay_out_inputs(rules, Side.GOLD).count), np.float32)
    memory = rows[:, at.MEMORY].astype(np.int64)
    for number, side in enumerate(Side):
        which = np.flatnonzero(rows[:, at.TURN] == number)
        found[which] = build_inputs(rules, Boards(gold[which], black[which], memory[which]), side)
    return found
