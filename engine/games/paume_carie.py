"""Paume carie, the palm game, in its two forms: for sides of one, two or three [R, S0, M]."""

from dataclasses import replace

from engine.games.house_rules import DOUBLES, TEAMS, UNUSABLE, change_default, cite_source
from engine.games.sources import LEWINS, LUDEME, MURRAY_BOARDS, ROYAL
from engine.outcome import GameOutcome
from engine.position import Position
from engine.rules import (
    BearingRule,
    Dice,
    DoublesRule,
    Family,
    Game,
    LudemeEntry,
    Option,
    OptionValue,
    Provenance,
    ProvenanceLabel,
    Rules,
    SideRules,
)


def count_slaps(rules: Rules, position: Position, outcome: GameOutcome) -> GameOutcome:
    """Count the men that the losers have left: each is a slap that their palms are owed [R]."""
    if outcome.winner is None:
        return outcome
    owed = rules.men - position.men(outcome.winner.other)[rules.board.off]
    return replace(outcome, parts={**outcome.parts, "worth": "slaps", "n": owed}, points=owed)


BEARING = Option(
    name="bearing",
    asks="How are men borne off?",
    values=(
        OptionValue(
            "exact", "A 1 takes a man from exactly the first point, a 2 from the second, and so on."
        ),
        OptionValue(
            "farthest",
            "A higher number takes a man from the highest point you hold.",
            {"bearing": BearingRule.USUAL},
        ),
    ),
    source="Our sources do not say; exact numbers mirror the way men enter",
)

AGAIN = cite_source(
    change_default(DOUBLES, "again"),
    (
        "Murray (1952), after the Digital Ludeme Project: doubles give another throw; the other "
        "values come from other games"
    ),
)

PAUME_CARIE_ONE = Game(
    slug="paume-carie-one",
    title="Paume carie on one table",
    aliases=("Paumecary", "Paume carie", "The palm game"),
    tagline="Enter all your men on one table, then bear them off; the losers' palms are slapped.",
    rules=Rules(
        # Men come in and go off on the same six points: number n enters one on the n-th and bears
        # it off from there, so the farthest point is f.
        gold=SideRules(start="hand15", course="a..f", home="f..a"),
        black=SideRules(start="hand15", course="a..f", home="f..a"),
        dice=Dice(count=2, doubles=DoublesRule.AGAIN),
        moving=False,
        bearing=BearingRule.EXACT,
        score=count_slaps,
    ),
    family=Family.ROYAL,
    rank=4,
    options=(TEAMS, BEARING, AGAIN, UNUSABLE),
    special=(
        (
            "Each number enters a man on its point; men don't move. Once all fifteen are in, "
            "number n bears one off point n."
        ),
        "The losers get a slap on the palm for each man they have left; the result counts them.",
    ),
    solved=(
        (
            "By the usual rules and with best play by both sides, the side that begins wins 55.9% "
            "of the games, with one player a side."
        ),
        "On average the side that begins ends a game 0.85 slaps ahead.",
        (
            "If unusable numbers are offered to the other side, the side that begins wins 56.4%; "
            "if a higher number takes a man from the highest point you hold, 55.7%."
        ),
        "Ad fallum, where a number that cannot be used loses, the side that begins wins 59.6%.",
        (
            "If doubles do nothing special, the side that begins wins 56.2%; if they are played "
            "twice, 55.1%; if they are played twice and give another throw, 54.7%."
        ),
        (
            "It takes hardly any skill: one throw in 124 leaves a choice, and plays at random "
            "still win 49.1% against best play, when each side begins half of the games."
        ),
        (
            "The choice that mattered most in 1,000,000 games: a side with one man to enter, seven "
            "on the third point and two on the fifth threw 5 and 3. Entering with the 5 is right; "
            "entering with the 3 and bearing off with the 5 leaves a man alone on the fifth point, "
            "and costs 34.3% of the games."
        ),
    ),
    words={
        "slaps": (
            "{ending}, and the losers' palms are owed {n} slap",
            "{ending}, and the losers' palms are owed {n} slaps",
        ),
    },
    provenance=Provenance(
        label=ProvenanceLabel.COMPLETED,
        sources=(ROYAL, MURRAY_BOARDS, LUDEME, LEWINS),
        history=(
            "Lewins counts it among the naughty games: when one side has borne off its men, "
            "the winners bear off the losers' men and slap the losers' hands once for each."
        ),
        decisions=(
            "Men are borne off by exactly the number that entered them.",
            "Doubles give another throw, as in Murray.",
            "All players of a side share one set of men.",
            "The slaps are counted; delivering them is up to the players.",
        ),
        ludeme=LudemeEntry(
            game=694,
            rulesets=(814,),
            version="1.3.12",
            differences=(
                (
                    "There, a number may also move a man within the table, and men are borne off "
                    "at the end of it; here, men don't move, and the number that enters a man "
                    "also bears one off."
                ),
                (
                    "Their text, like ours, gives another throw for doubles; their file plays them "
                    "twice."
                ),
            ),
        ),
    ),
)

PAUME_CARIE_TWO = replace(
    PAUME_CARIE_ONE,
    slug="paume-carie-two",
    title="Paume carie on the whole board",
    aliases=("Paumecary, second way",),
    tagline="Like Paume carie, but once round the whole board.",
    rules=replace(
        PAUME_CARIE_ONE.rules,
        gold=SideRules(start="hand15", course="a..z"),
        black=SideRules(start="hand15", course="a..z"),
        moving=True,
        home_rests=True,
        bearing=BearingRule.USUAL,
    ),
    rank=5,
    options=(TEAMS, AGAIN, UNUSABLE),
    special=(),
    solved=(),
    provenance=replace(
        PAUME_CARIE_ONE.provenance,
        history=(
            "The manuscript's second form of the palm game. Lewins adopted for Pyf its teams, and "
            "that men in the last table rest until they are borne off."
        ),
        decisions=(
            "Doubles give another throw here too, though only the first form says so.",
            "All players of a side share one set of men.",
            "The slaps are counted here too.",
        ),
        ludeme=None,
    ),
)
