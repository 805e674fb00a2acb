"""Fitting a net to lessons: many positions at once and over again, by Adam (Kingma and Ba, 2015).

Self-play moves a net a little after every turn, and what it learns there is unsure by as much as
the dice are. Lessons that are kept, and sure, can be learnt as closely as the net's form allows;
above all, how the ends of one turn compare.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from engine.players.inputs import Floats
from engine.players.net import Net

BATCH = 180
"""Turns at once."""
PASSES = 40
"""How often each lesson is learnt at most.

Beyond that a net learns by heart, and plays worse for it.
"""
FIRST_STEP_SIZE, LAST_STEP_SIZE = 1e-3, 1e-5
"""How far a weight moves at most, at first and at last."""
BETA1, BETA2 = 0.9, 0.999
"""How much of what they were the means of slopes, and of their squares, keep at every step."""
EPSILON = 1e-8
COMPARISON_WEIGHT = 100.0
"""How much more it matters by how much the ends of a turn differ than what each is worth."""

# Millions of lessons lie in memory at once, so they have half precision until a batch is learnt.
Small = npt.NDArray[np.float16]
Counts = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Lessons:
    """Where turns may lead, one row for each end: the inputs, evaluated as three net outputs.

    `signs` are 1 where the side to throw there is the one that had the turn, and -1 elsewhere. The
    ends of a turn stand together; `sizes` says how many each turn has.
    """

    inputs: Small
    shares: Floats
    signs: Floats
    sizes: Counts

    def __len__(self) -> int:
        """How many ends there are."""
        return len(self.inputs)

    @cached_property
    def firsts(self) -> Counts:
        """Of each turn the first end."""
        return np.cumsum(self.sizes) - self.sizes

    def select_turns(self, turns: Counts) -> "Batch":
        """The lessons of some turns."""
        sizes = self.sizes[turns]
        starts = np.cumsum(sizes) - sizes
        # For each end of the batch its index among all lessons: that of its turn's first end, plus
        # its rank in the turn, which is its own index in the batch less that of the turn's first
        # end.
        which = np.repeat(self.firsts[turns] - starts, sizes) + np.arange(sizes.sum())
        return Batch(
            self.inputs[which].astype(np.float32),
            self.shares[which],
            self.signs[which],
            starts,
            sizes,
        )

    @property
    def full_batch(self) -> "Batch":
        """Those of all turns."""
        return self.select_turns(np.arange(len(self.sizes)))


@dataclass(frozen=True, eq=False)
class Batch:
    """Lessons learnt at once, laid out as in `Lessons`; `firsts` are the turns' first ends."""

    inputs: Floats
    shares: Floats
    signs: Floats
    firsts: Counts
    sizes: Counts

    def subtract_turn_means(self, points: Floats) -> Floats:
        """By how much points to the side that had the turn exceed the mean of the turn's ends."""
        own = self.signs * points
        # The ends of a turn stand together, so each sum runs from one turn's first end to the next
        # one's.
        means = np.add.reduceat(own, self.firsts) / self.sizes
        return own - np.repeat(means, self.sizes).astype(np.float32)


def join_lessons(parts: Sequence[Lessons]) -> Lessons:
    """Lessons of several parts as one."""
    return Lessons(
        np.concatenate([part.inputs for part in parts]),
        np.concatenate([part.shares for part in parts]),
        np.concatenate([part.signs for part in parts]),
        np.concatenate([part.sizes for part in parts]),
    )


class Adam:
    """Weights that are moved against their slopes, each by its own pace."""

    def __init__(self, weights: tuple[Floats, ...]) -> None:
        self.weights = weights
        self.means = [np.zeros_like(each) for each in weights]
        self.squares = [np.zeros_like(each) for each in weights]
        self.steps = 0

    def apply_gradients(self, slopes: tuple[Floats, ...], step: float) -> None:
        """Move every weight by about `step`, less where its slopes do not agree."""
        self.steps += 1
        # The means start at zero and are too small at first; dividing by these shares mends that.
        whole_mean = 1 - BETA1**self.steps
        whole_square = 1 - BETA2**self.steps
        for weight, mean, square, slope in zip(
            self.weights, self.means, self.squares, slopes, strict=True
        ):
            mean += (1 - BETA1) * (slope - mean)
            square += (1 - BETA2) * (slope * slope - square)
            weight -= step / whole_mean * mean / (np.sqrt(square / whole_square) + EPSILON)


def fit_net(net: Net, lessons: Lessons, time_gone: Callable[[], float], seed: int) -> Net:
    """Return the net fitted to the lessons; `time_gone` gives the share of its time that's over."""
    # Adam changes arrays in place, and the net that is given must stay as it was.
    weights = tuple(part.copy() for part in (net.first, net.bias, net.second, net.offset))
    adam = Adam(weights)
    chance = np.random.default_rng(seed)
    steps = PASSES * math.ceil(len(lessons.sizes) / BATCH)
    for step, turns in enumerate(_iter_batches(len(lessons.sizes), chance)):
        # Time or passes run out, whichever is first, and the step size reaches its last value just
        # then.
        done = max(time_gone(), step / steps)
        if done >= 1:
            break
        slopes = compute_gradients(weights, lessons.select_turns(turns), net.extra)
        adam.apply_gradients(slopes, FIRST_STEP_SIZE * (LAST_STEP_SIZE / FIRST_STEP_SIZE) ** done)
    first, bias, second, offset = weights
    return replace(net, first=first, bias=bias, second=second, offset=offset)


def _iter_batches(count: int, chance: np.random.Generator) -> Iterator[Counts]:
    """Yield batches of turns without end, each turn once before any comes again."""
    while True:
        order = chance.permutation(count)
        yield from (order[start : start + BATCH] for start in range(0, count, BATCH))


def compute_gradients(weights: tuple[Floats, ...], batch: Batch, extra: int) -> tuple[Floats, ...]:
    """By how much the error grows with each weight.

    The error is the cross entropy of the outputs, and `COMPARISON_WEIGHT` times half the square of
    the points by which the ends of a turn are thought to differ from what they do.
    """
    first, bias, second, offset = weights
    sums = batch.inputs @ first + bias
    spread = 1 + np.abs(sums)
    hidden = sums / spread
    # Cross entropy's slope before a sigmoid is the plain difference, without the sigmoid's own
    # slope.
    said = 1 / (1 + np.exp(-(hidden @ second + offset)))
    error = said - batch.shares
    output_points = _get_output_points(extra)
    apart = batch.subtract_turn_means(error @ output_points)
    # The comparison is a squared error, so here the sigmoid's slope does enter.
    error += COMPARISON_WEIGHT * (batch.signs * apart)[:, None] * output_points * said * (1 - said)
    error /= len(error)
    # Where a game counts one point, the other two outputs mean nothing and are not learnt.
    if not extra:
        error[:, 1:] = 0
    # The slope of x / (1 + |x|) is 1 / (1 + |x|)².
    asked = error @ second.T / (spread * spread)
    return batch.inputs.T @ asked, asked.sum(axis=0), hidden.T @ error, error.sum(axis=0)


def _get_output_points(extra: int) -> Floats:
    """How many points each of the outputs is worth, a net's three."""
    return np.array([2, extra, -extra], np.float32)


@dataclass(frozen=True)
class NetValidation:
    """How a net does in lessons, in points.

    `distance` is the root of the mean square by which it is out; `given_away` is what its choice
    among the ends of a turn is worth less than the best, as a mean.
    """

    distance: float
    given_away: float


def validate_net(net: Net, lessons: Lessons) -> NetValidation:
    """Find out how a net does in lessons."""
    batch = lessons.full_batch
    meant = batch.shares @ _get_output_points(net.extra) - 1
    said = net.evaluate(batch.inputs).points
    distance = float(np.sqrt(np.mean((said - meant) ** 2)))
    turns = np.repeat(np.arange(len(batch.sizes)), batch.sizes)
    own = batch.signs * meant
    # Sorted by turn, then by what the net says, best first: at each turn's first place stands the
    # end that the net would choose.
    chosen = np.lexsort((-batch.signs * said, turns))[batch.firsts]
    best = np.maximum.reduceat(own, batch.firsts)
    return NetValidation(distance, float(np.mean(best - own[chosen])))
