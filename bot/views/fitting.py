"""Whole lines, as many as there is room for: nothing that is said breaks off in the middle."""

from collections.abc import Sequence


def first_that_fit(lines: Sequence[str], most: int) -> list[str]:
    """Return the first of some lines or paragraphs that together take at most so many characters."""
    kept = []
    room = most
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return kept


def last_that_fit(lines: Sequence[str], most: int) -> list[str]:
    """Return the last of them, in their order."""
    return first_that_fit(lines[::-1], most)[::-1]
