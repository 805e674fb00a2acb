"""What a hint says for a play: never only what is against it."""

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from bot.features.analysis.hints import Advice
from bot.features.analysis.texts import describe_event, format_explanation
from bot.platform.i18n.reader import Reader, load_reader
from engine.events import Battled, Chosen, Played, Thrown
from engine.games import GAMES
from engine.match import BREAK, Match, Phase, find_forced_event, new_match
from engine.notation import parse_play
from engine.players.comparison import compare_prospects
from engine.players.evaluation import ExplainedProspect, PlayReason, Prospect
from engine.players.midgame import build_match
from engine.players.prospects import find_best, list_prospects
from tests.engine.build import build_position

OPENING = "a2,m5,r3,t5 z2,n5,h3,f5 gold 3-1"
POSITIONS = 60
"""Of each game."""


def iter_positions(slug: str) -> Iterator[Match]:
    """Yield positions of games between players who sometimes play anything, with plays to compare.

    Dice and players are random, but the same each time.
    """
    chance = random.Random(slug)
    match = new_match(GAMES[slug], {})
    while True:
        if match.phase is Phase.OVER:
            match = new_match(GAMES[slug], {})
        dice = tuple(chance.randint(1, 6) for _ in range(match.due_dice))
        if forced := find_forced_event(match):
            match = match.apply(forced)
        elif match.phase is Phase.BATTLE:
            half = len(dice) // 2
            match = match.apply(Battled(dice[:half], dice[half:]))
        elif match.phase is Phase.THROW:
            match = match.apply(Thrown(dice))
        elif match.phase is Phase.PLAY and len(match.plays) > 1:
            yield match
            anything = Played(chance.choice(match.plays).moves)
            match = match.apply(anything if chance.random() < 0.3 else find_best(match).event)
        else:
            match = match.apply(find_best(match).event)


def compare_best(match: Match) -> Advice | None:
    """Return a hint at the best play beside the second; None where they can't be compared."""
    first, second = sorted(list_prospects(match), key=lambda each: -each.evaluation.points)[:2]
    reasons = compare_prospects(match, first.event, second.event)
    if reasons is None:
        return None
    best = [ExplainedProspect(*first, 1, reasons), ExplainedProspect(*second, 0, reasons)]
    return Advice(match, best)


@pytest.mark.parametrize("slug", ["backgammon", "zeno", "tabula", "laquet", "todas-tablas"])
def test_no_hint_speaks_only_against_its_best_play(slug: str) -> None:
    named = []
    for match in islice(iter_positions(slug), POSITIONS):
        if (advice := compare_best(match)) is None:
            continue
        lines = format_explanation(Reader.ENGLISH, advice).splitlines()
        found = [
            line for line in lines if line.startswith(("Better", "Unlike", "Compared", "Worse"))
        ]
        assert not found[0].startswith("Worse"), lines
        named.append(not found[0].startswith("Compared"))
    # Mostly something can be named.
    assert sum(named) > len(named) / 3 > POSITIONS / 6


def explain(own: str, other: str, *reasons: PlayReason) -> list[str]:
    """Return how a play in backgammon's opening is compared with a worse one."""
    match = build_match(GAMES["backgammon"], *build_position(OPENING, "backgammon"))
    first, second = (
        Prospect(Played(parse_play(text, match.rules, match.position)), evaluation.evaluation)
        for text, evaluation in zip(
            (own, other),
            sorted(list_prospects(match), key=lambda each: -each.evaluation.points),
            strict=False,
        )
    )
    best = [ExplainedProspect(*first, 1, reasons), ExplainedProspect(*second, 0, ())]
    return format_explanation(Reader.ENGLISH, Advice(match, best)).splitlines()[2:]


def test_what_is_seen_is_named_where_nothing_is_weighed_apart() -> None:
    assert explain("r-u t-u", "m-p-q") == ["Unlike play 2, this one: makes u; leaves no blot on q."]
    assert explain("m-p t-u", "r-u t-u") == [
        "Compared with play 2, no single reason decides; the position as a whole is better."
    ]


def test_a_choice_is_named_in_the_readers_words() -> None:
    """No game has a choice but these, which a translation must not name as the code does."""
    asked = {each.name for game in GAMES.values() for each in game.options if each.starter_chooses}
    assert asked == {"table"}
    say = load_reader("de")
    twelve_dogs, irish = (new_match(GAMES[slug], {}) for slug in ("twelve-dogs", "irish"))
    assert describe_event(say, twelve_dogs, Chosen("table", "af")) == say(
        "choose the table {table}", table="af"
    )
    assert describe_event(say, irish, Chosen(BREAK, "m")) == say("break {point}", point="m")
