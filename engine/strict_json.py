"""JSON that every program can read, without `NaN`, `Infinity` or numbers too large for a float."""

import json
import math
from typing import Any


def parse_json(text: str | bytes) -> Any:  # noqa: ANN401 - JSON
    """Return the value of a JSON text.

    Raises ValueError for what is no JSON, RecursionError for what is nested too deeply.
    """
    return json.loads(text, parse_constant=_refuse_constant, parse_float=_parse_float)


def write_json(value: object, *, ascii_only: bool = True, indent: int | None = None) -> str:
    """Return a value as JSON; raises ValueError where a number in it is not finite."""
    return json.dumps(value, allow_nan=False, ensure_ascii=ascii_only, indent=indent)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number in JSON")


def _parse_float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is too large a number")
    return number
