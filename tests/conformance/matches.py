"""Random matches of every game under every option, played once and shared by the tests."""

from dataclasses import dataclass
from functools import cache
from random import Random

import pytest

from engine.events import Event
from engine.games import GAMES
from engine.match import Match, Phase, new_match
from engine.playout import choose_event
from tests.support.sweeps import mark_sweeps

Options = tuple[tuple[str, str], ...]
Setting = tuple[str, Options]

SETTINGS: list[Setting] = [
    *((slug, ()) for slug in GAMES),
    *(
        (slug, ((option.name, value.name),))
        for slug, game in GAMES.items()
        for option in game.options
        for value in option.values[1:]
    ),
]
"""Every game with its defaults, and with each other value of each option alone."""

COMBINED: list[Setting] = [
    ("ludus-anglicorum", (("dice", "two-and-six"), ("blockade", "wins"), ("unusable", "opponent"))),
    (
        "ludus-anglicorum",
        (("dice", "three-plain"), ("blockade", "permanent"), ("unusable", "loses")),
    ),
    ("pyf", (("players", "2"), ("doubles", "twice-again"), ("unusable", "opponent"))),
    ("pyf", (("doubles", "twice-again"), ("pairs", "any-pair"), ("unusable", "opponent"))),
    ("pyf", (("players", "3"), ("doubles", "again"), ("unusable", "loses"))),
    ("twelve-dogs", (("table", "tz"), ("unusable", "opponent"))),
    ("laquet", (("single", "g"), ("pair", "y"), ("course", "tabulated"))),
    ("doblet", (("moving", "own-table"), ("unusable", "lost"))),
    ("zeno", (("setup", "same-way"), ("goal", "off"))),
    ("tabula", (("placing", "anywhere"), ("home", "any"))),
    ("tabula", (("sums", "bound"), ("home", "any"), ("bearing", "usual"))),
    ("emperador", (("barata", "no-entry"), ("reentry", "first"))),
]
"""A few options together."""

EVERY = [*SETTINGS, *COMBINED]
"""All of them."""


def format_setting(setting: Setting) -> str:
    """Return how a test's name says a setting."""
    slug, options = setting
    return " ".join([slug, *(f"{option}={value}" for option, value in options)])


def mark_odd_settings(settings: list[Setting]) -> list[object]:
    """Leave settings other than a game's usual ones to `make test-rest`."""
    return mark_sweeps(settings, lambda setting: not setting[1])


every_setting = pytest.mark.parametrize(
    "setting",
    mark_odd_settings(EVERY),
    ids=map(format_setting, EVERY),
)
"""Mark that runs a test for every setting.

Those that `mark_odd_settings` marks are left to `make test-rest`.
"""


@dataclass(frozen=True)
class MatchHistory:
    """A match's events, and the match before the first and after each of them."""

    events: tuple[Event, ...]
    moments: tuple[Match, ...]

    @property
    def end(self) -> Match:
        """The match after its last event."""
        return self.moments[-1]


@cache
def play_random_match(slug: str, options: Options, seed: int) -> MatchHistory:
    """Play one match at random to its end, every event judged by the rules."""
    chance = Random(f"{slug} {options} {seed}")
    match = new_match(GAMES[slug], dict(options))
    events: list[Event] = []
    moments = [match]
    while match.phase is not Phase.OVER:
        event = choose_event(match, chance)
        match = match.apply(event)
        events.append(event)
        moments.append(match)
    return MatchHistory(tuple(events), tuple(moments))


def play_random_matches(setting: Setting) -> list[MatchHistory]:
    """A few matches of one setting: more of the games that are quickly played."""
    slug, options = setting
    return [play_random_match(slug, options, seed) for seed in range(SEEDS.get(slug, 1))]


SEEDS = {"ludus-anglicorum": 2, "twelve-dogs": 20, "doblet": 4, "fallas": 2}
"""How many matches of one setting the tests look at event by event, where it is more than one."""
