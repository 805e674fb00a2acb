"""Numbers that JSON does not have are neither written nor read."""

import math

import pytest

from engine.strict_json import parse_json, write_json


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("NaN", "NaN is no number in JSON"),
        ("[-Infinity]", "-Infinity is no number in JSON"),
        ('{"a": 1e400}', "1e400 is too large a number"),
        ("-1e999", "-1e999 is too large a number"),
    ],
)
def test_a_number_that_is_not_finite_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        parse_json(text)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_is_not_written(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json({"a": [number]})


def test_other_numbers_are_as_they_were() -> None:
    assert parse_json(write_json([1, -2.5, 1e308, "Åse"])) == [1, -2.5, 1e308, "Åse"]
    assert write_json("Åse", ascii_only=False) == '"Åse"'
