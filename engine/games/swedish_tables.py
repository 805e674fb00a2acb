"""Swedish tables, svenskt brädspel: Verquere's kin, with figures that win at once [S0, F]."""

from dataclasses import replace

from engine.games.house_rules import UNUSABLE, change_default, change_values, has_prime
from engine.games.sources import COTTON, FISKE, LEWINS, LUDEME, VASA, WIKIPEDIA_VERQUERE
from engine.games.verquere import JAN, JAN_FEAT, JAN_WORDS, find_jan
from engine.move import Move
from engine.outcome import GameOutcome
from engine.position import Position, Side
from engine.rules import (
    Dice,
    DoublesRule,
    Family,
    Game,
    LudemeEntry,
    OpeningRollRules,
    Option,
    OptionValue,
    Provenance,
    ProvenanceLabel,
    Rules,
    SideRules,
)

FIGURES = {
    (15,): "fifteen",
    (7, 5, 3): "seven-five-three",
    (5, 5, 5): "three-fives",
    (3, 3, 3, 3, 3): "five-threes",
}
"""The arrangements that win, from the last point of the course backwards."""


def find_figure_or_jan(rules: Rules, position: Position) -> GameOutcome | None:
    """Give the game to a side that wins by a figure or by jan."""
    return find_figure(rules, position) or find_jan(rules, position)


def find_figure(rules: Rules, position: Position) -> GameOutcome | None:
    """Give the game to a side whose men form a figure at the end of their course [F]."""
    for side in Side:
        men = position.men(side)
        backwards = rules.course(side)[::-1]
        for counts, name in FIGURES.items():
            # Every figure adds up to fifteen, so no men are left for the points that it doesn't
            # name.
            if all(men[point] == count for point, count in zip(backwards, counts, strict=False)):
                return GameOutcome(side, name)
    return None


def can_break_barrier(rules: Rules, position: Position, move: Move) -> bool:
    """Whether a six from right before a barrier lands on the barrier's sixth point [S0].

    The barrier must shut the whole side in.
    """
    side = position.turn
    men = position.men(side)
    course = rules.course(side)
    if move.number != 6 or move.source not in course or not has_prime(rules, position, side.other):
        return False
    held = [position.men(side.other)[point] >= rules.ban_closed for point in course]
    at = course.index(move.source)
    behind = sum(men[point] for point in course[: at + 1]) + rules.board.count_waiting(men)
    # Near the end of the course fewer than six points follow, and fewer make no barrier.
    return all(held[at + 1 : at + 7]) and len(held[at + 1 : at + 7]) == 6 and behind == rules.men


BARRIER = Option(
    name="barrier",
    asks="Can a barrier of six points be broken?",
    values=(
        OptionValue(
            "breaks",
            (
                "Yes: a side that is completely shut in, with a man right in front of the barrier, "
                "may use a six to land on its sixth point; the men there go to the bar."
            ),
            {"breach": can_break_barrier},
        ),
        OptionValue("stands", "No.", {"breach": None}),
    ),
    source=(
        "Lewins only mentions a way to break a barrier of six or more points; how it works is our "
        "decision"
    ),
)

FIGURE_FEAT = (
    "A side also wins at once when all its men stand at the end of its course: all fifteen on the "
    "last point; seven on the last, five on the last but one and three on the last but two; five "
    "on each of the last three; or three on each of the last five."
)

JAN_OR_FIGURE = change_values(
    JAN, {"waits": {"ending_after_move": find_figure, "ending_texts": (FIGURE_FEAT,)}}
)

SWEDISH_TABLES = Game(
    slug="swedish-tables",
    title="Swedish tables",
    aliases=("Svenskt brädspel", "Svenska brädspel", "Brädspel"),
    tagline=(
        "Verquere with figures: arrange your fifteen men at the end of their course and win at "
        "once."
    ),
    rules=Rules(
        gold=SideRules(start="a15", course="a..z", ban_second="a..l"),
        black=SideRules(start="n15", course="n..z,a..m", ban_second="n..y"),
        dice=Dice(count=2, doubles=DoublesRule.TWICE),
        battle=OpeningRollRules(dice=1, lower=True),
        ending_after_move=find_figure_or_jan,
        ending_texts=(FIGURE_FEAT, JAN_FEAT),
        breach=can_break_barrier,
    ),
    edition=2,
    family=Family.LATER,
    rank=1,
    options=(BARRIER, JAN_OR_FIGURE, UNUSABLE),
    special=(
        (
            "If six points in a row shut you in completely, you may break the last of them with a "
            "six from right in front."
        ),
    ),
    words={
        "fifteen": "all fifteen on the last point",
        "seven-five-three": "seven, five and three",
        "three-fives": "three fives",
        "five-threes": "five threes",
        **JAN_WORDS,
    },
    provenance=Provenance(
        label=ProvenanceLabel.COMPLETED,
        sources=(FISKE, LEWINS, LUDEME, VASA, COTTON, WIKIPEDIA_VERQUERE),
        history=(
            "Lewins calls it the form in which Verquere survives. The Swedish-Tables "
            "Association of the Vasa Museum adopted rules for it in 2003; in these, too, the "
            "lower die begins."
        ),
        decisions=(
            (
                "Every figure counts one game; this is our decision, since the Digital Ludeme "
                "Project names them without values."
            ),
            (
                "A barrier can be broken, since Lewins names the rule; in matches that began "
                "before we added it, it cannot."
            ),
            "The six lands on the sixth point of the barrier, however long it is.",
            "All men on that point go to the bar, since men of both sides cannot share a point.",
            "A side is completely shut in when none of its men is beyond the barrier.",
        ),
        ludeme=LudemeEntry(
            game=1354,
            rulesets=(1514,),
            version="1.3.12",
            differences=(
                (
                    "There, the first eleven points take second men once a man has reached the "
                    "twelfth; here, of the first twelve, only the twelfth ever does."
                ),
                (
                    "Their rules have no jan and don't break barriers; ours do, after Cotton and "
                    "Lewins."
                ),
                "There, nothing is said of who begins; here, the lower die does.",
                (
                    "Their file bears men off by the exact number; here, also by a higher one if "
                    "no man stands farther back."
                ),
            ),
        ),
    ),
)

SWEDISH_TABLES_FIRST = replace(
    SWEDISH_TABLES,
    edition=1,
    rules=replace(SWEDISH_TABLES.rules, breach=None),
    options=(change_default(BARRIER, "stands"), JAN_OR_FIGURE, UNUSABLE),
)
"""The first edition, for matches and records that began with it: a barrier stands by default."""
