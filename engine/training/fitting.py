"""Fitting a net to lessons: many positions at once and over again, by Adam (Kingma and Ba, 2015).

Self-play moves a net a little after every turn, and what it learns there is unsure by as much as the dice are. Lessons
that are kept, and sure, can be learnt as closely as the net's form allows.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engine.players.inputs import Floats
from engine.players.net import OUTPUTS, Net

BATCH = 512
"""Lessons at once."""
FIRST_STEP, LAST_STEP = 1e-3, 1e-5
"""How far a weight moves at most, at first and at last."""
STEADY, STEADIER = 0.9, 0.999
"""How much of what they were the means of slopes, and of their squares, keep at every step."""
TINY = 1e-8

Small = npt.NDArray[np.float16]


@dataclass(frozen=True, eq=False)
class Lessons:
    """Inputs of positions, a row each, and what they are worth: three shares each, as a net's outputs are."""

    inputs: Small
    shares: Floats

    def __len__(self) -> int:
        """How many there are."""
        return len(self.inputs)

    def some(self, which: npt.NDArray[np.intp] | slice) -> tuple[Floats, Floats]:
        """The inputs and shares of some of them."""
        return self.inputs[which].astype(np.float32), self.shares[which]


def together(parts: Sequence[Lessons]) -> Lessons:
    """Lessons of several parts as one."""
    return Lessons(np.concatenate([part.inputs for part in parts]), np.concatenate([part.shares for part in parts]))


class Adam:
    """Weights that are moved against their slopes, each by its own pace."""

    def __init__(self, weights: tuple[Floats, ...]) -> None:
        self.weights = weights
        self.means = [np.zeros_like(each) for each in weights]
        self.squares = [np.zeros_like(each) for each in weights]
        self.steps = 0

    def move(self, slopes: tuple[Floats, ...], step: float) -> None:
        """Move every weight by about `step`, less where its slopes do not agree."""
        self.steps += 1
        whole_mean = 1 - STEADY**self.steps
        whole_square = 1 - STEADIER**self.steps
        for weight, mean, square, slope in zip(self.weights, self.means, self.squares, slopes, strict=True):
            mean += (1 - STEADY) * (slope - mean)
            square += (1 - STEADIER) * (slope * slope - square)
            weight -= step / whole_mean * mean / (np.sqrt(square / whole_square) + TINY)


def fitted(net: Net, lessons: Lessons, goes_on: Callable[[], float], seed: int) -> Net:
    """Return the net moved towards the lessons; `goes_on` says which share of the fitting is done, until it is all."""
    weights = tuple(part.copy() for part in (net.first, net.bias, net.second, net.offset))
    adam = Adam(weights)
    known = OUTPUTS if net.extra else 1
    chance = np.random.default_rng(seed)
    for which in _batches(len(lessons), chance):
        done = goes_on()
        if done >= 1:
            break
        adam.move(slopes_of(weights, *lessons.some(which), known), FIRST_STEP * (LAST_STEP / FIRST_STEP) ** done)
    first, bias, second, offset = weights
    return replace(net, first=first, bias=bias, second=second, offset=offset)


def _batches(count: int, chance: np.random.Generator) -> Iterator[npt.NDArray[np.intp]]:
    """Draw as many of so many lessons as are learnt at once, all of them before any comes again; there is no end."""
    while True:
        order = chance.permutation(count)
        yield from (order[start : start + BATCH] for start in range(0, count, BATCH))


def slopes_of(weights: tuple[Floats, ...], inputs: Floats, shares: Floats, known: int) -> tuple[Floats, ...]:
    """By how much the error grows with each weight: the cross entropy of as many outputs as are known."""
    first, bias, second, offset = weights
    sums = inputs @ first + bias
    spread = 1 + np.abs(sums)
    hidden = sums / spread
    said = 1 / (1 + np.exp(-(hidden @ second + offset)))
    error = (said - shares) / len(shares)
    error[:, known:] = 0
    asked = error @ second.T / (spread * spread)
    return inputs.T @ asked, asked.sum(axis=0), hidden.T @ error, error.sum(axis=0)


def distance(net: Net, lessons: Lessons) -> float:
    """Return how far what the net says lies from the lessons, in points: the root of the mean square."""
    inputs, shares = lessons.some(slice(None))
    known = shares * np.array([1, net.extra, net.extra], np.float32)
    meant = 2 * known[:, 0] - 1 + known[:, 1] - known[:, 2]
    return float(np.sqrt(np.mean((net.evaluate(inputs).points - meant) ** 2)))
