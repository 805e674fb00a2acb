"""How long the report of a whole game takes, and what is left to do where it was analysed in play.

    python -m tests.bench.reports [GAME]

A companion plays a beginner, both man by man, as people press. Times are of one processor.
"""

import sys
import time
from random import Random

from engine.events import Battled, Event, Played, Thrown
from engine.games import GAMES
from engine.match import BOTH_THROW_PHASES, Match, Phase, find_forced_event, new_match
from engine.players.analysis import analyse_steps
from engine.players.decide import decide_event
from engine.players.evaluation import StepAnalysis
from engine.players.level import Level
from engine.position import Side

LEVELS = {Side.GOLD: Level.BEGINNER, Side.BLACK: Level.COMPANION}


def play_man_by_man(slug: str, seed: int) -> list[Event]:
    """The events of a game between a beginner and a companion."""
    chance = Random(seed)
    match = new_match(GAMES[slug], {})
    events: list[Event] = []
    while match.phase is not Phase.OVER:
        events.append(_choose_event(match, chance))
        match = match.apply(events[-1])
    return events


def _choose_event(match: Match, chance: Random) -> Event:
    def throw() -> tuple[int, ...]:
        return tuple(chance.randint(1, 6) for _ in range(match.due_dice))

    if match.phase in BOTH_THROW_PHASES:
        return Battled(throw(), throw())
    event = find_forced_event(match) or decide_event(
        match, LEVELS[match.turn], chance.getrandbits(30)
    )
    if isinstance(event, Played) and not event.forced:
        return Played(event.moves[:1])
    return Thrown(throw()) if event is None else event


def main() -> None:
    """Print the times."""
    slug = sys.argv[1] if len(sys.argv) > 1 else "zeno"
    game = GAMES[slug]
    events = play_man_by_man(slug, 7)
    # The nets are loaded once for all matches.
    list(analyse_steps(game, {}, events[:12]))
    began = time.process_time()
    found = list(analyse_steps(game, {}, events))
    whole = time.process_time() - began
    turns: list[float] = []
    known: list[StepAnalysis] = []
    thrown = [at for at, event in enumerate(events) if isinstance(event, Thrown)]
    for end in (*thrown[1:], len(events)):
        began = time.process_time()
        known = list(analyse_steps(game, {}, events[:end], known))
        turns.append(time.process_time() - began)
    assert known == found
    decisions = [each for each in found if not each.thrown]
    plays = sum(isinstance(event, Played) and not event.forced for event in events)
    sys.stdout.write(f"{slug}: {len(thrown)} throws, {len(decisions)} decisions in {plays} parts\n")
    sys.stdout.write(f"the whole match at once: {whole:.1f} s\n")
    sys.stdout.write(
        f"a turn in play: {sum(turns) / len(turns):.2f} s, at most {max(turns):.2f} s\n"
    )
    sys.stdout.write(f"left when the match is over: {turns[-1]:.2f} s\n")


if __name__ == "__main__":
    main()
