"""Figures for docs/readings that the studies don't count: who is caught first, and who wins.

`python -m lab.reading_games GAMES` plays so many of each and writes docs/readings/figures.csv. The
game's net plays both sides without looking ahead; every game has dice of its own seed.
"""

import csv
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from random import Random

from engine.events import Event, Played
from engine.games import GAMES
from engine.games.emperador import count_prime_hits, find_barata, find_entry_barata
from engine.games.house_rules import count_men_to_place, has_prime
from engine.games.ludus_anglicorum import find_plight
from engine.match import (
    DECISION_PHASES,
    Match,
    Phase,
    apply_unchecked,
    find_forced_event,
    new_match,
)
from engine.players.batch_evaluation import evaluate_by_net
from engine.players.prospects import find_best
from engine.playout import choose_event
from engine.plays import make_move
from engine.position import Side
from engine.rules import Rules
from lab.readings import COUNTS

FIRST_SEED = 1283
"""The seed of the first game; each later one has the next."""

COLUMNS = ("game", "options", "event", "first_seed", "games", "seen", "won", "drawn")
"""Of the games in which an event was seen, `won` went to the side that it speaks for."""

Watch = Callable[[Match], Side | None]
"""Returns the side that an event speaks for, where a position shows it."""


def find_lympolder(match: Match) -> Side | None:
    """Return the side that has lympolded the one to move."""
    plight = find_plight(match.rules, match.position, match.turn)
    return match.turn.other if plight == "lympolded" else None


def find_permanent_lympolder(match: Match) -> Side | None:
    """Return the side whose opponent has seven men for its six entry points."""
    count = count_men_to_place(match.rules, match.position, match.turn)
    return match.turn.other if count >= 7 else None


def find_blockader(match: Match) -> Side | None:
    """Return the side that holds six points in a row before the other's men, once it has moved."""
    # Before a throw the turn has passed on already.
    side = match.turn.other
    return side if has_prime(match.rules, match.position, side) else None


def find_entry_closer(match: Match) -> Side | None:
    """Return the side whose opponent has a man on the bar and no point to enter on."""
    outcome = find_entry_barata(match.rules, match.position)
    return outcome.winner if outcome else None


def find_first_home(match: Match) -> Side | None:
    """Return the side that has just brought all its men into its last table."""
    side = match.turn.other
    men, rules = match.position.men(side), match.rules
    # The throw that brought the last man home may have borne off others.
    arrived = men[rules.board.off] + sum(men[point] for point in rules.course(side)[-6:])
    return side if arrived == rules.men else None


@dataclass(frozen=True)
class RuleReading:
    """A game by some of its options, and the events to look out for."""

    slug: str
    options: Mapping[str, str]
    events: Mapping[str, Watch]
    counts_hits: bool = False


READINGS = (
    RuleReading(
        "ludus-anglicorum",
        {},
        {"lympolded": find_lympolder, "seven-to-enter": find_permanent_lympolder},
    ),
    RuleReading(
        "emperador",
        {"barata": "off"},
        {"six-points": find_blockader, "no-entry": find_entry_closer},
        counts_hits=True,
    ),
    RuleReading("zeno", {"goal": "off"}, {"all-home": find_first_home}),
)
FOUR_HITS = "four-hits"


def count_hits(rules: Rules, match: Match, event: Event, hits: int) -> int:
    """Return the counts of men hit while holding six points after an event."""
    position = match.position
    for move in event.moves if isinstance(event, Played) else ():
        position = make_move(rules, position, move)
        hits = count_prime_hits(rules, position._replace(memory=hits), move)
    return hits


def play_game(reading: RuleReading, seed: int) -> tuple[dict[str, Side], Side | None]:
    """Play one game; returns for each event the side it first spoke for, and the winner."""
    chance = Random(seed)  # noqa: S311 - no secret
    match = new_match(GAMES[reading.slug], reading.options)
    first: dict[str, Side] = {}
    hits = 0
    while match.phase is not Phase.OVER:
        event = find_forced_event(match) or (
            find_best(match, evaluate_by_net).event
            if match.phase in DECISION_PHASES
            else choose_event(match, chance)
        )
        if reading.counts_hits:
            hits = count_hits(match.rules, match, event, hits)
            barata = find_barata(hits)
            # By the options of this reading it doesn't end the game, but would by the usual ones.
            if barata and barata.winner:
                first.setdefault(FOUR_HITS, barata.winner)
        match = apply_unchecked(match, event)
        if match.phase is Phase.THROW:
            for name, watch in reading.events.items():
                # What comes about again later in the game isn't counted once more.
                if side := watch(match):
                    first.setdefault(name, side)
    assert match.outcome is not None
    return first, match.outcome.winner


def count_events(
    reading: RuleReading, games: int, pool: ProcessPoolExecutor
) -> dict[str, Counter[str]]:
    """Count for each event the games that showed it, and how those ended."""
    counts = {name: Counter[str]() for name in reading.events}
    if reading.counts_hits:
        counts[FOUR_HITS] = Counter()
    # A seed a game, so that any one of them can be played again.
    seeds = range(FIRST_SEED, FIRST_SEED + games)
    for first, winner in pool.map(play_game, repeat(reading), seeds, chunksize=2):
        for name, side in first.items():
            counts[name].update(seen=1, won=int(side is winner), drawn=int(winner is None))
    return counts


def main(games: int) -> None:
    """Play the games and write the file."""
    with ProcessPoolExecutor() as pool, COUNTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for reading in READINGS:
            options = " ".join(f"{name}={value}" for name, value in reading.options.items())
            for name, count in count_events(reading, games, pool).items():
                counted = (count["seen"], count["won"], count["drawn"])
                writer.writerow(
                    (reading.slug, options or "usual", name, FIRST_SEED, games, *counted)
                )
            file.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]))
