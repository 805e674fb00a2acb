"""Matches played by computer players, and nets made for a test."""

from collections.abc import Mapping
from random import Random

import numpy as np

from engine.events import Event
from engine.games import GAMES
from engine.match import Match, Phase, apply_unchecked, new_match
from engine.players.decide import decide_event
from engine.players.inputs import lay_out_inputs
from engine.players.level import Level
from engine.players.net import Net
from engine.playout import choose_event
from engine.position import Side
from engine.rules import Rules


def play_match(
    slug: str, options: Mapping[str, str], seed: int, levels: Mapping[Side, Level]
) -> tuple[list[Event], Match]:
    """Let two levels play a match to its end; return the events and the end.

    The rules check every event.
    """
    chance = Random(seed)
    match = new_match(GAMES[slug], options)
    events: list[Event] = []
    while match.phase is not Phase.OVER:
        event = decide_event(match, levels[match.turn], seed) or choose_event(match, chance)
        match = match.apply(event)
        events.append(event)
    return events, match


def replay_moments(slug: str, options: Mapping[str, str], events: list[Event]) -> list[Match]:
    """The match before each event."""
    match = new_match(GAMES[slug], options)
    found = []
    for event in events:
        found.append(match)
        match = apply_unchecked(match, event)
    return found


def make_random_net(rules: Rules, hidden: int = 4) -> Net:
    """A net that has learnt nothing, but says something else of every position."""
    chance = np.random.default_rng(1)
    first, bias, second, offset = (
        chance.normal(size=size).astype(np.float32)
        for size in ((lay_out_inputs(rules, Side.GOLD).count, hidden), (hidden,), (hidden, 3), (3,))
    )
    return Net(first / np.float32(4), bias, second, offset)
