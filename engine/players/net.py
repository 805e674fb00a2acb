"""The nets that evaluate positions: one hidden layer, in half precision, with training facts.

A net's three outputs belong to the side to throw: its chance to win (a draw counts half), and the
points beyond one that it may expect to win and to lose, as shares of `extra`, the most that a game
can count beyond one.
"""

import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.players.inputs import INPUTS_VERSION, Floats
from engine.strict_json import parse_json, write_json

OUTPUTS = 3
DIGEST_DIGITS = 12
"""How many hexadecimal digits name a net's file."""


class DamagedNetError(ValueError):
    """A file that holds no net, or a part of one; the message names it."""


class OtherInputsError(ValueError):
    """A net that sees other inputs than these players give it; the message names its file."""


class NetEvaluations(NamedTuple):
    """What a net says of some positions, for the side to throw; one number a position each.

    `win` is its chance to win; `won` and `lost` are the points beyond one that it may expect to win
    and to lose.
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
    """A net: `first` (inputs, hidden), its `bias`, `second` (hidden, 3), its `offset`; float32.

    `extra` is the most that a game counts beyond one point, zero where every game counts one.
    `facts` tell how the net was trained and how well it plays. `digest` names the file that it was
    read from, by the first digits of its SHA-256.
    """

    first: Floats
    bias: Floats
    second: Floats
    offset: Floats
    extra: int = 0
    facts: Mapping[str, Any] = field(default_factory=dict)
    digest: str = ""

    @property
    def unit_count(self) -> int:
        """How many hidden units the net has."""
        return len(self.bias)

    def evaluate(self, seen: Floats) -> NetEvaluations:
        """Judge positions given by their inputs, one row each."""
        return self.evaluate_sums(seen @ self.first + self.bias)

    def evaluate_sums(self, sums: Floats) -> NetEvaluations:
        """Judge positions given by what enters the hidden units, one row each."""
        # Softsign, which needs no exponential as a logistic unit or tanh would.
        hidden = sums / (1 + np.abs(sums))
        said = 1 / (1 + np.exp(-(hidden @ self.second + self.offset)))
        return NetEvaluations(said[:, 0], said[:, 1] * self.extra, said[:, 2] * self.extra)


def save_net(net: Net, path: Path) -> None:
    """Write a net in half precision; the old file stays whole until the new one is."""
    facts = write_json({**net.facts, "inputs": INPUTS_VERSION, "extra": net.extra}, indent=1)
    arrays = {
        # Half precision is for the file alone: nets are read back into float32.
        name: getattr(net, name).astype(np.float16)
        for name in ("first", "bias", "second", "offset")
    }
    # numpy would add `.npz` to a name that ends in anything else.
    beside = path.with_suffix(".part.npz")
    np.savez_compressed(beside, allow_pickle=False, facts=np.array(facts), **arrays)
    beside.replace(path)


def load_net(path: Path) -> Net:
    """Read a net.

    Raises FileNotFoundError, DamagedNetError, and OtherInputsError for a net with other inputs.
    """
    try:
        content = path.read_bytes()
        facts, *parts = _load_arrays(content)
        version, extra = facts["inputs"], facts["extra"]
    # A missing file is an OSError as well, but there is nothing damaged about it.
    except FileNotFoundError:
        raise
    # A wrong byte in a header can raise nearly anything.
    except Exception as error:
        raise DamagedNetError(f"{path.name} is damaged: {error}") from error
    if version != INPUTS_VERSION:
        raise OtherInputsError(
            f"{path.name} was trained on inputs of version {version}, not {INPUTS_VERSION}"
        )
    first, bias, second, offset = parts
    hidden = len(bias)
    if [part.shape for part in parts] != [
        (len(first), hidden),
        (hidden,),
        (hidden, OUTPUTS),
        (OUTPUTS,),
    ]:
        raise DamagedNetError(f"{path.name} is damaged: its parts do not fit each other")
    # Half precision ends at 65504; what is larger becomes infinite when it is written.
    if not all(np.isfinite(part).all() for part in parts):
        raise DamagedNetError(f"{path.name} is damaged: not all its weights are numbers")
    digest = hashlib.sha256(content).hexdigest()[:DIGEST_DIGITS]
    return Net(first, bias, second, offset, extra, facts, digest)


def _load_arrays(content: bytes) -> tuple[Any, Floats, Floats, Floats, Floats]:
    # Reading pickled objects could run what somebody has put into them, so none are allowed.
    with np.load(io.BytesIO(content), allow_pickle=False) as kept:
        first, bias, second, offset = (
            kept[name].astype(np.float32) for name in ("first", "bias", "second", "offset")
        )
        return parse_json(str(kept["facts"])), first, bias, second, offset
