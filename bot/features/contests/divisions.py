"""Divisions of a league: how large they are, and who rises and falls between seasons."""

from collections.abc import Collection, Sequence
from itertools import pairwise

MIN_DIVISION = 4
MAX_DIVISION = 8
MAX_OF_ONE_MOVER = 5
"""Up to how many players of a division only one of them rises, and one falls."""


def split_divisions(count: int) -> tuple[int, ...]:
    """Return the sizes of as few divisions as hold that many players, larger ones first.

    They are from `MIN_DIVISION` to `MAX_DIVISION`, and differ by one at most. Raises ValueError if
    there are too few players for one division.
    """
    if count < MIN_DIVISION:
        raise ValueError(f"a division takes {MIN_DIVISION} players, not {count}")
    # Negated twice, the floor division rounds up.
    divisions = -(-count // MAX_DIVISION)
    size, larger = divmod(count, divisions)
    return (size + 1,) * larger + (size,) * (divisions - larger)


def count_movers(size: int) -> int:
    """Return how many of a division of that size rise, and as many fall, after a season."""
    movers = 1 if size <= MAX_OF_ONE_MOVER else 2
    # More than half could not both rise and fall.
    return min(movers, size // 2)


def count_exchanged(upper: int, lower: int) -> int:
    """Return how many change places between two divisions of these sizes, one below the other.

    As many rise as fall; where the divisions have unlike numbers of movers, the smaller number.
    """
    return min(count_movers(upper), count_movers(lower))


def order_next_season(
    tables: Sequence[Sequence[int]], joined: Collection[int], newcomers: Sequence[int]
) -> tuple[int, ...]:
    """Return the people in the order in which they are to be divided next season.

    `tables` are last season's divisions, top first, each in its final order. The last of each
    change places with the first of the one below (see `count_exchanged`), and both keep their
    order. Then those who are not among `joined` are left out, and everyone below moves up.
    `newcomers` come last, in their order; any who have a place already keep that.
    """
    divisions = [list(table) for table in tables]
    for upper, lower in pairwise(divisions):
        exchanged = count_exchanged(len(upper), len(lower))
        # With nobody to exchange, a slice from -0 on would be the whole division.
        start = len(upper) - exchanged
        upper[start:], lower[:exchanged] = lower[:exchanged], upper[start:]
    staying = set(joined)
    placed = [person for division in divisions for person in division if person in staying]
    already = set(placed)
    return (*placed, *(person for person in newcomers if person not in already))
