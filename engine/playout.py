"""Random play: any game, from any moment to its end, by the same machine that people play on."""

from random import Random

from engine.events import Battled, Chosen, Event, Left, Played, Thrown
from engine.match import SIX, Match, Phase, apply_unchecked, find_forced_event
from engine.search.routes import NUMBERS


def choose_event(match: Match, chance: Random) -> Event:
    """Return the next event: one that follows by itself, a throw, or a random legal decision."""
    return find_forced_event(match) or _DECISIONS[match.phase](match, chance)


def play_out(match: Match, chance: Random, most_throws: int) -> Match:
    """Play a match at random to its end, or until so many throws have been drawn."""
    while match.phase is not Phase.OVER and match.drawn < most_throws:
        match = apply_unchecked(match, choose_event(match, chance))
    return match


def _throw_dice(match: Match, chance: Random) -> tuple[int, ...]:
    return tuple(chance.choice(NUMBERS) for _ in range(match.due_dice))


def _roll_opening(match: Match, chance: Random) -> Event:
    return Battled(_throw_dice(match, chance), _throw_dice(match, chance))


def _make_choice(match: Match, chance: Random) -> Event:
    assert match.choice is not None
    return Chosen(match.choice.name, chance.choice(match.choice.values).name)


def _play_offer(match: Match, chance: Random) -> Event:
    play = chance.choice((None, *match.plays))
    return Played(play.moves) if play else Left()


_DECISIONS = {
    Phase.BATTLE: _roll_opening,
    Phase.OPENING: _make_choice,
    Phase.BREAK_ROLL: _roll_opening,
    Phase.BREAK: _make_choice,
    Phase.THROW: lambda match, chance: Thrown(_throw_dice(match, chance)),
    Phase.CHOOSE: lambda match, chance: Chosen(SIX, str(chance.choice(match.thrown))),
    Phase.PLAY: lambda match, chance: Played(chance.choice(match.plays).moves),
    Phase.OFFER: _play_offer,
}
