"""Who meets whom in which round, when everyone is to meet everyone once.

The pairings are those of the Berger tables (FIDE Handbook, C.05, Annex 1).
"""


def pair_round_robin(count: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the rounds of a round robin, each a tuple of pairings, by the Berger tables.

    Players are numbered from 0, and the first of a pairing has the first side; everybody has the
    first side as often as the second, or once more or less. An odd number of players is paired by
    the table for one more: who would meet the player that is not there has a bye. Raises ValueError
    for fewer than two players.
    """
    if count < 2:
        raise ValueError(f"a round robin takes two players, not {count}")
    size = count + count % 2
    rounds = (_pair_round(size, number) for number in range(size - 1))
    return tuple(tuple(pair for pair in pairs if max(pair) < count) for pairs in rounds)


def _pair_round(size: int, number: int) -> list[tuple[int, int]]:
    """Return one round, counted from 0, of the table for an even number of players."""
    # All but the last player sit in a circle, and those pair off who are equally far from one of
    # them, who meets the last player. From round to round that place moves on by half a circle.
    circle = size - 1
    last = size - 1
    pivot = number * (size // 2) % circle
    pair = (last, pivot) if number % 2 else (pivot, last)
    others = range(1, size // 2)
    return [pair, *(((pivot + away) % circle, (pivot - away) % circle) for away in others)]
