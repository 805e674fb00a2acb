"""Builders for tests of the rules: positions, plays and matches from their text."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeAlias

import pytest

from bot.words.endings import ending
from bot.words.reader import Reader
from bot.words.reasons import reason
from engine.ending import judge, valued
from engine.events import Event, Played
from engine.games import GAMES
from engine.match import Match, Phase, automatic, new_match
from engine.moves import legal_plays
from engine.notation import format_play, parse_play
from engine.outcome import Outcome
from engine.position import Position, Side
from engine.position_text import format_position, parse_position
from engine.refusal import Reason, Refusal
from engine.rules import Rules

LUDUS = "ludus-anglicorum"
Said: TypeAlias = tuple[Side | None, str, int]
EMPEROR = "f7,i1,k2,t2,u2,y1 h2,l2,m2,n1,o2,p2,s2,w2 gold 6-5-2"
ROYAL = "h1,i1,k1,l1,m1,n2,o2,p2,q2,r2 a8,t1,u1,w1,x1,y1,z1,bar1 black -"


def rules(slug: str, **options: str) -> Rules:
    """A game's rules with some options."""
    return GAMES[slug].rules_with(options)


def pos(text: str, slug: str, **options: str) -> tuple[Rules, Position]:
    """A position and the rules it is read under."""
    known = rules(slug, **options)
    return known, parse_position(text, known)


def ends(text: str, slug: str, **options: str) -> set[str]:
    """The texts of all positions in which a legal play can end."""
    known, position = pos(text, slug, **options)
    return {format_position(play.end, known) for play in legal_plays(known, position)}


def texts(text: str, slug: str, **options: str) -> list[str]:
    """The texts of all legal plays."""
    known, position = pos(text, slug, **options)
    return [format_play(play.moves, known, position) for play in legal_plays(known, position)]


def result(text: str, slug: str, **options: str) -> Said | None:
    """How the game has ended in this position and what that counts, or None while it goes on."""
    known, position = pos(text, slug, **options)
    outcome = judge(known, position)
    return said(outcome and valued(known, position, outcome), slug)


def english(refusal: Refusal) -> str:
    """The sentence of a refusal."""
    return reason(Reader.ENGLISH, refusal)


def said(outcome: Outcome | None, slug: str) -> Said | None:
    """How a game has ended: who won, in words, and what that counts; None while it goes on."""
    if outcome is None:
        return None
    return outcome.winner, ending(Reader.ENGLISH, GAMES[slug], outcome), outcome.points


@contextmanager
def refused(sentence: str, *reasons: Reason) -> Iterator[pytest.ExceptionInfo[Refusal]]:
    """What is done here is refused with that sentence, and for that reason where one is given."""
    with pytest.raises(Refusal) as refusal:
        yield refusal
    assert english(refusal.value) == sentence
    assert not reasons or refusal.value.reason in reasons


def running(text: str, slug: str, **options: str) -> Match:
    """A match in the middle, waiting for the throw of the side to move."""
    match = new_match(GAMES[slug], options)
    return replace(match, position=parse_position(text, match.rules), phase=Phase.THROW)


def after(match: Match, *events: Event) -> Match:
    """The match after these events, each judged by the rules."""
    for event in events:
        match = match.apply(event)
    return match


def settled(match: Match) -> Match:
    """The match after everything that follows by itself."""
    while event := automatic(match):
        match = match.apply(event)
    return match


def play(match: Match, typed: str) -> Match:
    """The match after the side to move made the typed moves."""
    return match.apply(Played(parse_play(typed, match.rules, match.position, match.duty)))


def shown(match: Match) -> str:
    """The text of the match's position."""
    return format_position(match.position, match.rules)
