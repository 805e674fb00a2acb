"""Builders for tests of the rules: positions, plays and matches from their text."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeAlias

import pytest

from bot.platform.i18n.common import format_ending
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.refusals import explain_refusal
from engine.ending import find_outcome, score_outcome
from engine.events import Event, Played
from engine.games import GAMES
from engine.match import Match, Phase, find_forced_event, new_match
from engine.notation import format_play, parse_play
from engine.outcome import GameOutcome
from engine.plays import list_legal_plays
from engine.position import Position, Side
from engine.position_text import format_position, parse_position
from engine.refusal import Reason, Refusal
from engine.rules import Rules

LUDUS = "ludus-anglicorum"
OutcomeText: TypeAlias = tuple[Side | None, str, int]
EMPEROR = "f7,i1,k2,t2,u2,y1 h2,l2,m2,n1,o2,p2,s2,w2 gold 6-5-2"
ROYAL = "h1,i1,k1,l1,m1,n2,o2,p2,q2,r2 a8,t1,u1,w1,x1,y1,z1,bar1 black -"


def make_rules(slug: str, **options: str) -> Rules:
    """A game's rules with some options."""
    return GAMES[slug].resolve_rules(options)


def build_position(text: str, slug: str, **options: str) -> tuple[Rules, Position]:
    """A position and the rules it is read under."""
    known = make_rules(slug, **options)
    return known, parse_position(text, known)


def list_ends(text: str, slug: str, **options: str) -> set[str]:
    """The texts of all positions in which a legal play can end."""
    known, position = build_position(text, slug, **options)
    return {format_position(play.end, known) for play in list_legal_plays(known, position)}


def list_plays(text: str, slug: str, **options: str) -> list[str]:
    """The texts of all legal plays."""
    known, position = build_position(text, slug, **options)
    return [format_play(play.moves, known, position) for play in list_legal_plays(known, position)]


def find_result(text: str, slug: str, **options: str) -> OutcomeText | None:
    """How the game has ended in this position and what that counts, or None while it goes on."""
    known, position = build_position(text, slug, **options)
    outcome = find_outcome(known, position)
    return describe_outcome(outcome and score_outcome(known, position, outcome), slug)


def explain_in_english(refusal: Refusal) -> str:
    """The sentence of a refusal."""
    return explain_refusal(Reader.ENGLISH, refusal)


def describe_outcome(outcome: GameOutcome | None, slug: str) -> OutcomeText | None:
    """How a game has ended: who won, in words, and what that counts; None while it goes on."""
    if outcome is None:
        return None
    return outcome.winner, format_ending(Reader.ENGLISH, GAMES[slug], outcome), outcome.points


@contextmanager
def expect_refusal(sentence: str, *reasons: Reason) -> Iterator[pytest.ExceptionInfo[Refusal]]:
    """What is done here is refused with that sentence, and for that reason where one is given."""
    with pytest.raises(Refusal) as refusal:
        yield refusal
    assert explain_in_english(refusal.value) == sentence
    assert not reasons or refusal.value.reason in reasons


def build_match(text: str, slug: str, **options: str) -> Match:
    """A match in the middle, waiting for the throw of the side to move."""
    match = new_match(GAMES[slug], options)
    return replace(match, position=parse_position(text, match.rules), phase=Phase.THROW)


def apply_events(match: Match, *events: Event) -> Match:
    """The match after these events, each judged by the rules."""
    for event in events:
        match = match.apply(event)
    return match


def apply_automatic(match: Match) -> Match:
    """The match after everything that follows by itself."""
    while event := find_forced_event(match):
        match = match.apply(event)
    return match


def play_moves(match: Match, typed: str) -> Match:
    """The match after the side to move made the typed moves."""
    return match.apply(Played(parse_play(typed, match.rules, match.position, match.duty)))


def format_match(match: Match) -> str:
    """The text of the match's position."""
    return format_position(match.position, match.rules)
