"""How far the nets' evaluations err: `python -m lab.training errors` measures it.

One file, a line a game. They are of its usual rules.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine.games import GAMES
from engine.strict_json import parse_json, write_json

ERRORS = Path(__file__).with_name("errors.json")


@dataclass(frozen=True, slots=True)
class EvaluationError:
    """What evaluations have too much, in points: the mean, and the standard deviation about it.

    `bias_error` is the standard error of the mean; the deviation lies between `low` and `high` in
    nineteen cases of twenty.
    """

    bias: float
    bias_error: float
    deviation: float
    low: float
    high: float

    @property
    def typical(self) -> float:
        """The root of the mean square of the errors."""
        return math.hypot(self.bias, self.deviation)


@dataclass(frozen=True, slots=True)
class ErrorMeasurement:
    """The errors of a net's evaluations at 0-ply and at 1-ply, and how they were measured.

    So many positions were compared with so many rollouts each, which were stopped after so many
    turns, and are without the luck of their throws where they are `adjusted`; with none, where the
    game is solved. `net` is the hash of the net's weights.
    """

    edition: int
    net: str
    positions: int
    rollouts: int
    turns: int
    adjusted: bool
    seed: int
    zero_ply: EvaluationError
    one_ply: EvaluationError
    day: str = ""
    commit: str = ""


def load_errors(path: Path = ERRORS) -> dict[str, ErrorMeasurement]:
    """Read what was measured of each game by its present edition."""
    every: dict[str, dict[str, Any]] = parse_json(path.read_text("utf-8")) if path.exists() else {}
    return {
        slug: _from_json(every[slug])
        for slug, game in GAMES.items()
        if slug in every and every[slug]["edition"] == game.edition
    }


def save_errors(measured: Mapping[str, ErrorMeasurement], path: Path = ERRORS) -> None:
    """Write what was measured; the old file stays whole until the new one is."""
    lines = [
        f"{write_json(slug)}: {write_json(asdict(measured[slug]))}"
        for slug in GAMES
        if slug in measured
    ]
    beside = path.with_suffix(".part")
    beside.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    beside.replace(path)


def _from_json(kept: Mapping[str, Any]) -> ErrorMeasurement:
    errors = {name: EvaluationError(**kept[name]) for name in ("zero_ply", "one_ply")}
    return ErrorMeasurement(**{**kept, **errors})
