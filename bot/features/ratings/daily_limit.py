"""How often the same people can move each other's ratings in one day.

Two accounts that play each other all day could lift one of them as high as they like, and a friend
who always loses does the same without meaning to.
"""

from collections.abc import Iterable, Mapping

from engine.clock import DAY

DAILY_MEETINGS = 3
"""Matches of the same people in one game and day (UTC) that move their ratings.

Three decide a best of five, and leave an honest evening whole. Newcomers who farm get 336 points
by three wins, less than half of what twelve in a row would give, and each further day gives less.
"""


def find_day(instant: int) -> int:
    """Return the day of an instant, counted from 1970 in UTC."""
    return instant // DAY


def has_reached_limit(earlier: Iterable[Mapping[int, str]], sides: Mapping[int, str]) -> bool:
    """Whether people have met as often as counts, by the sides of earlier matches of the day."""
    return sum(has_same_sides(each, sides) for each in earlier) >= DAILY_MEETINGS


def has_same_sides(earlier: Mapping[int, str], sides: Mapping[int, str]) -> bool:
    """Whether all who play now played in an earlier match, with and against the same people."""
    # Colours may have changed: either everybody is on their side of then, or nobody is.
    return len({earlier.get(person) == side for person, side in sides.items()}) == 1 and all(
        person in earlier for person in sides
    )
