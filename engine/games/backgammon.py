"""Backgammon as it is played today, for comparison, and because people ask; without the cube."""

from dataclasses import replace

from engine.games.house_rules import UNUSABLE
from engine.games.sources import LEWINS, WIKIPEDIA_IRISH
from engine.outcome import GameOutcome
from engine.position import Position
from engine.rules import (
    Dice,
    DoublesRule,
    Family,
    Game,
    LudemeEntry,
    OpeningRollRules,
    Provenance,
    ProvenanceLabel,
    Rules,
    SideRules,
)


def score_gammon(rules: Rules, position: Position, outcome: GameOutcome) -> GameOutcome:
    """Count a gammon as two points and a backgammon as three.

    A gammon is a loss without a man borne off; a backgammon, one with a man still on the bar or in
    the winner's home too. A side that resigns or falls before the winner has borne off every man
    loses a single game.
    """
    off = rules.board.off
    if outcome.winner is None or position.men(outcome.winner)[off] < rules.men:
        return outcome
    loser = position.men(outcome.winner.other)
    if loser[off]:
        return outcome
    behind = rules.board.count_waiting(loser) + sum(
        loser[point] for point in rules.home(outcome.winner)
    )
    value, points = ("backgammon", 3) if behind else ("gammon", 2)
    return replace(outcome, parts={**outcome.parts, "worth": value}, points=points)


BACKGAMMON = Game(
    slug="backgammon",
    title="Backgammon",
    aliases=("Modern backgammon",),
    tagline="The modern game, with gammons but without the cube.",
    rules=Rules(
        gold=SideRules(start="a2,m5,r3,t5", course="a..z"),
        black=SideRules(start="z2,n5,h3,f5", course="z..a"),
        dice=Dice(count=2, doubles=DoublesRule.TWICE),
        battle=OpeningRollRules(dice=1, played=True),
        score=score_gammon,
    ),
    family=Family.LATER,
    rank=3,
    options=(UNUSABLE,),
    special=(
        (
            "Losing without having borne off a man is a gammon and counts two; with a man still on "
            "the bar or in the winner's home as well, it is a backgammon and counts three."
        ),
        "There is no doubling cube.",
    ),
    words={
        "gammon": "a gammon ({ending})",
        "backgammon": "a backgammon ({ending})",
    },
    provenance=Provenance(
        label=ProvenanceLabel.DESCRIBED,
        sources=("The rules of backgammon as printed today", WIKIPEDIA_IRISH, LEWINS),
        history=(
            "Lewins finds the word in print from 1647 onwards. Wikipedia's article on Irish "
            "calls backgammon a derivative of that game, which it superseded."
        ),
        decisions=("The cube is left out: matches here are single games.",),
        ludeme=LudemeEntry(
            game=49,
            rulesets=(76,),
            version="1.3.12",
            differences=(
                "There, every game counts one; here, a gammon counts two and a backgammon three.",
            ),
        ),
    ),
)
