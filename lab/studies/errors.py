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
from lab.command_line import lock_file, write_beside

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
    game is solved. The positions are of so many `games`, and there are as many as could be rolled
    out in the `seconds` of a processor. `net` is the hash of the net's weights. `spread` is the
    standard deviation of what a game brings, in points, when the net meets itself at 0-ply.
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
    games: int = 0
    seconds: float = 0.0
    spread: float = 0.0


def load_errors(path: Path = ERRORS) -> dict[str, ErrorMeasurement]:
    """Read what was measured of each game by its present edition."""
    every: dict[str, dict[str, Any]] = parse_json(path.read_text("utf-8")) if path.exists() else {}
    return {
        slug: _from_json(every[slug])
        for slug, game in GAMES.items()
        if slug in every and every[slug]["edition"] == game.edition
    }


def store_error(slug: str, measured: ErrorMeasurement, path: Path = ERRORS) -> None:
    """Put what was measured of a game beside what others have stored."""
    with lock_file(path):
        save_errors(load_errors(path) | {slug: measured}, path)


def save_errors(measured: Mapping[str, ErrorMeasurement], path: Path = ERRORS) -> None:
    """Write what was measured; the old file stays whole until the new one is."""
    lines = [
        f"{write_json(slug)}: {write_json(asdict(measured[slug]))}"
        for slug in GAMES
        if slug in measured
    ]
    write_beside(path, "{\n" + ",\n".join(lines) + "\n}\n")


def _from_json(kept: Mapping[str, Any]) -> ErrorMeasurement:
    errors = {name: EvaluationError(**kept[name]) for name in ("zero_ply", "one_ply")}
    return ErrorMeasurement(**{**kept, **errors})
