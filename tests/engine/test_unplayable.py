"""Options that make no game together: those that are refused, and that there are no others."""

from collections.abc import Iterator
from random import Random

import pytest

from engine.games import EDITIONS, GAMES
from engine.match import Match, Phase, apply_unchecked, new_match
from engine.players.variants import iter_choices
from engine.playout import choose_event, play_out
from engine.position import Side
from engine.refusal import Reason, Refusal
from engine.rules import Game, Rules

TRIED = 60
"""First turns of random games, in which a side that can go on has gone on."""


def iter_combinations(game: Game) -> Iterator[dict[str, str]]:
    """Yield every way to agree on a game's options that makes other rules than those before."""
    seen: set[Rules] = set()
    for options in iter_choices(game):
        agreed = {
            name: value
            for name, value in options.items()
            if not game.find_option(name).starter_chooses
        }
        rules = game.resolve_rules(agreed)
        if rules not in seen:
            seen.add(rules)
            yield agreed


def loses_at_once(game: Game, options: dict[str, str], seed: int) -> bool:
    """Whether the side that begins has lost before the other throws, in a random game."""
    chance = Random(seed)
    match = new_match(game, options)
    first: Side | None = None
    while match.phase is not Phase.OVER:
        if first is None and match.phase not in (Phase.BATTLE, Phase.OPENING):
            first = match.turn
        if first is not None and match.phase is Phase.THROW and match.turn is not first:
            return False
        match = apply_unchecked(match, choose_event(match, chance))
    return match.outcome is not None and match.outcome.winner not in (None, first)


def is_refused(game: Game, options: dict[str, str]) -> bool:
    """Whether options are refused."""
    try:
        game.require_playable(options)
    except Refusal as refusal:
        return refusal.reason is Reason.UNPLAYABLE
    return False


@pytest.mark.parametrize("game", EDITIONS.values(), ids=lambda game: f"{game.slug}-{game.edition}")
def test_options_are_refused_together_where_who_begins_always_loses(game: Game) -> None:
    for options in iter_combinations(game):
        lost = all(loses_at_once(game, options, seed) for seed in range(TRIED))
        assert lost is is_refused(game, options), options


def test_majoret_and_ad_fallum_make_no_game_of_doblet() -> None:
    doblet = GAMES["doblet"]
    with pytest.raises(Refusal) as caught:
        doblet.require_playable({"unusable": "loses", "dice": "minoret", "moving": "own-table"})
    assert caught.value.parts["options"] == ("dice=minoret", "unusable=loses")
    for some in ({}, {"dice": "majoret"}, {"unusable": "loses"}):
        doblet.require_playable(some)


def test_a_match_that_began_by_them_can_still_be_read() -> None:
    end: Match = play_out(
        new_match(GAMES["doblet"], {"dice": "majoret", "unusable": "loses"}), Random(1), 9
    )
    assert end.outcome
