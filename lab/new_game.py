"""`python -m lab.new_game NAME` writes the skeleton of a game.

That is its file, its sheet for the oracle and the test of its positions. Everything in them that
says TODO is to be replaced from the source.
"""

import re
import sys
from pathlib import Path

from engine.games.name_matching import fold_name

ROOT = Path(__file__).parents[1]
SHEETS = ROOT / "tests" / "conformance" / "sheets.py"
LAST_LINE = "\n}\n"
"""How the table of sheets ends, which is the last thing in its file."""

GAME = '''"""{title}: TODO say in one line what sets it apart."""

from engine.games.house_rules import UNUSABLE
from engine.games.sources import LEWINS
from engine.rules import (
    Dice,
    Family,
    Game,
    Provenance,
    ProvenanceLabel,
    Rules,
    SideRules,
)

{constant} = Game(
    slug="{slug}",
    title="{title}",
    tagline="TODO: the game in one line.",
    rules=Rules(
        gold=SideRules(start="a15", course="a..z"),
        black=SideRules(start="z15", course="z..a"),
        dice=Dice(count=2),
    ),
    family=Family.LATER,
    rank=9,
    options=(UNUSABLE,),
    provenance=Provenance(
        label=ProvenanceLabel.DESCRIBED,
        sources=(LEWINS,),
        history="TODO: where the game comes from.",
    ),
)
'''

TEST = '''"""{title}: positions worked out by hand."""

import pytest

from tests.engine.build import list_ends

# TODO: at least three positions in which the rules of this game decide, worked out from the source.
POSITIONS = [
    ("a15 z15 gold 6-5", {{"TODO"}}),
    ("a15 z15 gold 1-1", {{"TODO"}}),
    ("a15 z15 black 6-5", {{"TODO"}}),
]


@pytest.mark.parametrize(("text", "ends"), POSITIONS)
def test_the_plays_are_those_worked_out_by_hand(text: str, ends: set[str]) -> None:
    assert list_ends(text, "{slug}") == ends
'''

SHEET = '    "{slug}": lambda _: HEAD_ON,  # TODO: describe it from the source, not from its file\n'


def write_skeleton(name: str, root: Path = ROOT) -> list[Path]:
    """Write the skeleton of a game and return its files; raises FileExistsError where one is."""
    words = re.findall(r"[^\W_]+", name)
    slug = "-".join(map(fold_name, words))
    module = slug.replace("-", "_")
    parts = {"title": " ".join(words).capitalize(), "slug": slug, "constant": module.upper()}
    game = root / "engine" / "games" / f"{module}.py"
    test = root / "tests" / "engine" / "games" / f"test_{module}.py"
    sheets = root / SHEETS.relative_to(ROOT)
    for path, text in ((game, GAME), (test, TEST)):
        with path.open("x", encoding="utf-8") as file:
            file.write(text.format(**parts))
    text = sheets.read_text("utf-8")
    assert text.endswith(LAST_LINE)
    sheets.write_text(text.removesuffix("}\n") + SHEET.format(**parts) + "}\n", "utf-8")
    return [game, sheets, test]


def main() -> None:
    """Write the skeleton of the game that is named."""
    if len(sys.argv) < 2 or not re.search(r"[^\W_]", sys.argv[1]):
        sys.exit("Say what the game is called: make game NAME='Ludus novus'")
    try:
        written = write_skeleton(" ".join(sys.argv[1:]))
    except FileExistsError as error:
        sys.exit(f"There is {error.filename} already")
    sys.stdout.write("Replace every TODO in:\n")
    sys.stdout.writelines(f"  {path.relative_to(ROOT)}\n" for path in written)


if __name__ == "__main__":
    main()
