"""Ludus Anglicorum, the English Game of Royal 13 A XVIII [S0, S1, S2]."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from engine.games.house_rules import MAJORET, MINORET, UNUSABLE, change_values, count_men_to_place
from engine.games.sources import (
    ENCYCLOPAEDIA,
    FISKE,
    LEWINS,
    LUDEME_BEARING,
    MURRAY,
)
from engine.outcome import GameOutcome
from engine.position import Position, Side
from engine.rules import (
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
from engine.search.moves import is_stuck


def find_plight(rules: Rules, position: Position, side: Side) -> str | None:
    """Name the plight of a side that no number can move: `lympolded` or `lurched` [S1]."""
    if _is_lympolded(rules, position, side):
        return "lympolded"
    return "lurched" if _is_lurched(rules, position, side) else None


def _is_lympolded(rules: Rules, position: Position, side: Side) -> bool:
    mine, theirs = position.men(side), position.men(side.other)
    # The entry table lies on the side's own half, where it may bring no second man [S1]: its own
    # single men close points to it as well.
    return rules.board.count_waiting(mine) > 0 and all(
        mine[p] or theirs[p] > 1 for p in rules.entry_points(side)
    )


def _is_lurched(rules: Rules, position: Position, side: Side) -> bool:
    mine = position.men(side)
    entry = rules.entry_points(side)
    last = rules.course(side)[-1]
    in_play = rules.men - mine[rules.board.off]
    if (
        rules.board.count_waiting(mine)
        or sum(mine[p] for p in entry) + mine[last] != in_play
        or mine[last] == in_play
    ):
        return False
    return is_stuck(rules, position, side)


def _is_royal_plight(rules: Rules, position: Position, side: Side) -> bool:
    mine = position.men(side)
    entry = rules.entry_points(side)
    last = rules.course(side)[-1]
    waiting = rules.board.count_waiting(mine)
    drawn_up = (
        all(mine[point] == 1 for point in entry) and mine[last] == rules.men - len(entry) - waiting
    )
    return drawn_up and waiting <= 1 and find_plight(rules, position, side) is not None


def _is_permanent_plight(rules: Rules, position: Position, side: Side) -> bool:
    # A seventh man for six points that each take one: entering never gets the side out of it.
    return count_men_to_place(rules, position, side) >= 7


def _is_caught(rules: Rules, position: Position, side: Side) -> bool:
    return find_plight(rules, position, side) is not None


def _is_murray_plight(rules: Rules, position: Position, side: Side) -> bool:
    mine = position.men(side)
    return rules.board.count_waiting(mine) == 1 and all(
        mine[point] == 1 for point in rules.entry_points(side)
    )


def _name_murray_plight(rules: Rules, position: Position, side: Side) -> str:
    others = rules.men - len(rules.entry_points(side)) - 1
    last = rules.course(side)[-1]
    return "lympolded" if position.men(side)[last] == others else "lurched"


def _is_shut_out(rules: Rules, position: Position, side: Side) -> bool:
    # The other side holds the whole entry table and the next point while a man is to enter [S2].
    held = position.men(side.other)
    return rules.board.count_waiting(position.men(side)) > 0 and all(
        held[point] >= rules.ban_closed for point in rules.course(side)[:7]
    )


def _name_lurched(*_: object) -> str:
    return "lurched"


@dataclass(frozen=True)
class _LossRule:
    """Gives the game to the other side of one that is caught; both at once may be a draw.

    No function within a function, so that rules can be sent to another process.
    """

    caught: Callable[[Rules, Position, Side], bool]
    name: Callable[[Rules, Position, Side], str | None] = find_plight
    otherwise: str = ""
    drawn: bool = field(default=True, kw_only=True)

    def __call__(self, rules: Rules, position: Position) -> GameOutcome | None:
        """Return how the game has ended, if it has."""
        lost = [side for side in Side if self.caught(rules, position, side)]
        if self.drawn and len(lost) > 1:
            return GameOutcome(None, "both-caught")
        return next(
            (
                GameOutcome(
                    side.other, self.name(rules, position, side) or self.otherwise, {"side": side}
                )
                for side in lost
            ),
            None,
        )


EXACT_FEAT = (
    "A side also loses at once in the manuscript's exact position: one man on each of its six "
    "entry points, one on the bar or none, all others on its last point, and no number that could "
    "move any."
)
CAUGHT_FEAT = "A side also loses at once when it is lympolded or lurched."
MURRAY_FEAT = (
    "A side also loses at once when it has one man on each of its six entry points and one to "
    "enter."
)
PERMANENT_FEAT = (
    "A side also loses at once when it has seven men for its six entry points, on them or on the "
    "bar."
)
SHUT_OUT_FEAT = (
    "A side also loses at once when it has a man to enter while its whole entry table, and the "
    "point after it, is held by the other side."
)
BOTH_FEAT = "If one move catches both sides, the game is a draw."

DICE = Option(
    name="dice",
    asks="How are the dice thrown?",
    values=(
        OptionValue(
            "three",
            "Three dice; if none shows six, the thrower turns one of them to a six.",
            {"dice.presumed": 6},
        ),
        OptionValue(
            "two-and-six",
            "Two dice; the third number is always six.",
            {"dice.count": 2, "dice.fixed": (6,)},
        ),
        OptionValue("three-plain", "Three dice as they fall, as in Emperador."),
        OptionValue(
            "three-named",
            "Three dice; the thrower always names one of them a six, even beside a natural six.",
            {"dice.presumed": 6, "dice.named": True},
        ),
        MAJORET,
        MINORET,
    ),
    source=(
        "Royal 13 A XVIII: three dice or two, with a six presumed for the third; Lewins applies it "
        "to both, Wikipedia to two; Lewins adds majoret, minoret and a six named beside sixes"
    ),
)

BLOCKADE = Option(
    name="blockade",
    asks="What happens to a lympolded or lurched side?",
    values=(
        OptionValue("skip", "The side misses its turns until it is freed."),
        OptionValue(
            "exact",
            (
                "The manuscript's position loses at once: one man on each entry point, at most "
                "one on the bar, the rest on the last, and no move."
            ),
            {
                "ending_after_move": _LossRule(_is_royal_plight),
                "ending_texts": (EXACT_FEAT, BOTH_FEAT),
            },
        ),
        OptionValue(
            "wins",
            "A lympolded or lurched side loses at once; if one move traps both, it's a draw.",
            {"ending_after_move": _LossRule(_is_caught), "ending_texts": (CAUGHT_FEAT, BOTH_FEAT)},
        ),
        OptionValue(
            "murray",
            (
                "A side with one man on each of its six entry points and one to enter loses at "
                "once: lympolded if all others are on its last point, lurched if fewer are."
            ),
            {
                "ending_after_move": _LossRule(_is_murray_plight, _name_murray_plight),
                "ending_texts": (MURRAY_FEAT, BOTH_FEAT),
            },
        ),
        OptionValue(
            "permanent",
            "A side with seven men for its six entry points, on them or on the bar, loses at once.",
            {
                "ending_after_move": _LossRule(
                    _is_permanent_plight, otherwise="lympolded-for-ever"
                ),
                "ending_texts": (PERMANENT_FEAT, BOTH_FEAT),
            },
        ),
        OptionValue(
            "shut-out",
            (
                "A side with a man to enter loses if its whole entry table and the next point are "
                "held by the other."
            ),
            {
                "ending_after_move": _LossRule(_is_shut_out, _name_lurched),
                "ending_texts": (SHUT_OUT_FEAT, BOTH_FEAT),
            },
        ),
    ),
    source="Royal 13 A XVIII; Lewins reads both as plights, Murray as victories, lurching with "
    "fewer than eight men on the last point; Wikipedia lurches with the entry table and s held",
)

LUDUS_ANGLICORUM = Game(
    slug="ludus-anglicorum",
    title="Ludus Anglicorum",
    aliases=("The English Game", "English", "Longus ludus", "The Long Game"),
    tagline=(
        "The serious player's game: every throw has a six, and there is no doubling on your own "
        "side."
    ),
    rules=Rules(
        gold=SideRules(start="a15", course="a..z", ban_second="a..m"),
        black=SideRules(start="z15", course="z..a", ban_second="n..z"),
        plight=find_plight,
    ),
    edition=2,
    family=Family.RUMWOLDSTOW,
    rank=1,
    options=(DICE, BLOCKADE, UNUSABLE),
    special=(
        (
            "A side with a man on the bar and no point to enter on is lympolded and misses its "
            "turns until it is freed."
        ),
        "So does a lurched side: one shut in behind six points with nothing to move.",
    ),
    words={
        "lympolded": "{side} is lympolded",
        "lympolded-for-ever": "{side} is lympolded for ever",
        "lurched": "{side} is lurched",
        "both-caught": "both sides are caught at once",
    },
    provenance=Provenance(
        label=ProvenanceLabel.DESCRIBED,
        sources=(
            "London, British Library, Royal MS 13 A XVIII (c. 1330), ludus anglicorum",
            FISKE,
            MURRAY,
            ENCYCLOPAEDIA,
            LEWINS,
        ),
        history=(
            "Royal 13 A XVIII calls it the English game. Lewins "
            "finds it virtually identical to Emperador in King Alfonso's book. Wikipedia's "
            "article says that it was said to be the most popular game of tables in the "
            "England of Chaucer's time."
        ),
        decisions=(
            "A throw that shows a six stands; otherwise the thrower turns any die to a six.",
            (
                "Being lympolded or lurched costs turns, not the game, unless the players agree "
                "otherwise."
            ),
            "That `shut-out` needs a man to enter is our rule: without one, it may trap no one.",
            "With `wins`, seven in ten of our computer's games ended that way, a quarter sooner.",
            "`exact` and `murray` ended none, `permanent` 2 and `shut-out` 3 in 100.",
        ),
        ludeme=LudemeEntry(
            game=957,
            rulesets=(1116, 1117, 1118, 1119),
            version="1.3.12",
            differences=(
                (
                    "Their three dice as they fall are our `three-plain`, their throw of six our "
                    "`two-and-six`; our default turns a die to a six, as Lewins reads the "
                    "manuscript."
                ),
                (
                    "There, a third number that the thrower or the opponent names is a ruleset "
                    "each; here, neither is offered. Their file plays the first ruleset alone."
                ),
                (
                    "There, no point of the first table takes a second man; here, none of the "
                    "first two tables does, as in Lewins."
                ),
                (
                    "Their text sends a hit man back to where it began; here, and in their file, "
                    "it enters by number."
                ),
                LUDEME_BEARING,
                (
                    "Their rules have no lympolding and no lurching; ours take both from the "
                    "manuscript."
                ),
            ),
        ),
    ),
)

LUDUS_ANGLICORUM_FIRST = replace(
    LUDUS_ANGLICORUM,
    edition=1,
    options=(
        DICE,
        change_values(
            BLOCKADE,
            {
                "exact": {
                    "ending_after_move": _LossRule(_is_royal_plight, drawn=False),
                    "ending_texts": (EXACT_FEAT,),
                },
                "wins": {
                    "ending_after_move": _LossRule(_is_caught, drawn=False),
                    "ending_texts": (CAUGHT_FEAT,),
                },
                "permanent": {
                    "ending_after_move": _LossRule(
                        _is_permanent_plight, otherwise="lympolded-for-ever", drawn=False
                    ),
                    "ending_texts": (PERMANENT_FEAT,),
                },
                "shut-out": {
                    "ending_after_move": _LossRule(_is_shut_out, _name_lurched, drawn=False),
                    "ending_texts": (SHUT_OUT_FEAT,),
                },
            },
        ),
        UNUSABLE,
    ),
)
"""The first edition, for what began with it: a move that catches both sides lets black win."""
