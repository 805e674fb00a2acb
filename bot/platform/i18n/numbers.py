"""Large numbers and decimals, with the signs that the reader's language has for them."""

from bot.platform.i18n.reader import Reader


def format_count(say: Reader, count: int) -> str:
    """Write a whole number in groups of three digits: `10,000`."""
    row, *groups = f"{count:,}".split(",")
    for group in groups:
        row = say.in_context(
            "a large number, in groups of three digits",
            "{thousands},{rest}",
            thousands=row,
            rest=group,
        )
    return row


def format_decimal(say: Reader, number: float) -> str:
    """Write a number with two decimals: `0.24`."""
    return _write_decimal(say, f"{number:.2f}")


def format_points(say: Reader, points: float) -> str:
    """Write points of equity with their sign: `+0.24`, `−0.11`."""
    return _write_decimal(say, f"{points:+.2f}")


def format_gain(gain: int) -> str:
    """Write how much something rose or fell: `+16`, `−71`."""
    return _use_minus(f"{gain:+}")


def _write_decimal(say: Reader, written: str) -> str:
    whole, decimals = _use_minus(written).split(".")
    return say.in_context(
        "a number with decimals", "{whole}.{decimals}", whole=whole, decimals=decimals
    )


def _use_minus(written: str) -> str:
    """Write a minus sign, as wide as the plus, in place of a hyphen, at which lines break."""
    return written.replace("-", "−")
