"""The nets that judge positions: one hidden layer each, kept in half precision with the facts of their training.

A net's three outputs belong to the side to throw: its chance to win (a draw counts half), and the points beyond one
that it may expect to win and to lose, as shares of `extra`, the most that a game can count beyond one.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.players.inputs import INPUTS_VERSION, Floats

WEIGHTS = Path(__file__).with_name("weights")
"""Where the nets lie: a file each, named after its game and the option that it is made for, if any."""

OUTPUTS = 3


class Judged(NamedTuple):
    """What a net says of some positions, for the side to throw; one number a position each.

    `win` is its chance to win; `won` and `lost` are the points beyond one that it may expect to win and to lose.
    """

    win: npt.NDArray[np.float32]
    won: npt.NDArray[np.float32]
    lost: npt.NDArray[np.float32]

    @property
    def points(self) -> npt.NDArray[np.float32]:
        """The expected points."""
        return 2 * self.win - 1 + self.won - self.lost


@dataclass(frozen=True, eq=False)
class Net:
    """A net: `first` (inputs, hidden) and its `bias`, `second` (hidden, 3) and its `offset`; float32.

    `extra` is the most that a game counts beyond one point, nought where every game counts one. `facts` tell how the
    net was trained and how well it plays.
    """

    first: Floats
    bias: Floats
    second: Floats
    offset: Floats
    extra: int = 0
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def hidden(self) -> int:
        """How many hidden units the net has."""
        return len(self.bias)

    def evaluate(self, seen: Floats) -> Judged:
        """Judge positions given by their inputs, one row each."""
        return self.judge(seen @ self.first + self.bias)

    def judge(self, sums: Floats) -> Judged:
        """Judge positions given by what enters the hidden units, one row each."""
        hidden = sums / (1 + np.abs(sums))
        said = 1 / (1 + np.exp(-(hidden @ self.second + self.offset)))
        return Judged(said[:, 0], said[:, 1] * self.extra, said[:, 2] * self.extra)


def save(net: Net, path: Path) -> None:
    """Write a net in half precision; the old file stays whole until the new one is."""
    facts = json.dumps({**net.facts, "inputs": INPUTS_VERSION, "extra": net.extra}, indent=1)
    arrays = {name: getattr(net, name).astype(np.float16) for name in ("first", "bias", "second", "offset")}
    beside = path.with_suffix(".part.npz")
    np.savez_compressed(beside, allow_pickle=False, facts=np.array(facts), **arrays)
    beside.replace(path)


def load(path: Path) -> Net:
    """Read a net; raises FileNotFoundError, and ValueError for a file of other inputs."""
    with np.load(path, allow_pickle=False) as kept:
        facts = json.loads(str(kept["facts"]))
        if facts["inputs"] != INPUTS_VERSION:
            raise ValueError(f"{path.name} was trained on inputs of version {facts['inputs']}, not {INPUTS_VERSION}")
        first, bias, second, offset = (kept[name].astype(np.float32) for name in ("first", "bias", "second", "offset"))
    return Net(first, bias, second, offset, facts["extra"], facts)
