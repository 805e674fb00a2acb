"""Games that the sources name and that cannot be played from them: what is known, and what is missing."""

from dataclasses import dataclass

from engine.games.names import fold_name
from engine.games.sources import (
    BELL_OF_1969,
    COTTON_FIRST,
    LEWINS,
    PARLETT,
    ROYAL,
    WIKIPEDIA_PLAKOTO,
    WIKIPEDIA_TICKTACK,
)

ONLY_THE_NAME = "Only its name and its company are known to us; no source at hand tells its set-up or its rules."


@dataclass(frozen=True)
class Page:
    """A game that has a page and no board: what is known of it, why it cannot be played here, and who says so."""

    slug: str
    title: str
    aliases: tuple[str, ...]
    known: str
    why: str
    sources: tuple[str, ...]


UNPLAYED = (
    Page(
        slug="ticktack",
        title="Ticktack",
        aliases=("Tick-tack", "Tic-tac"),
        known=(
            "Fifteen men a side on the first points, contrary ways, two dice. A single hit wins the game and takes no "
            "man; filling one's second table and other feats win it double."
        ),
        why="A win must be claimed, and one overlooked is punished: that is another kind of game.",
        sources=(COTTON_FIRST, WIKIPEDIA_TICKTACK),
    ),
    Page(
        slug="trictrac",
        title="Trictrac",
        aliases=("Tric-trac", "Le grand trictrac"),
        known=(
            "The French tric-trac, as Lewins describes it: men start on the first points, and players score by "
            "arranging them as well as by winning the race. Twelve points make a hole."
        ),
        why="It is played for a score, which Lewins sets apart from the race games of tables.",
        sources=(LEWINS,),
    ),
    Page(
        slug="tieste",
        title="Tieste",
        aliases=(),
        known="A French game in which the sides run contrary ways; Parlett puts it beside Ludus Anglicorum.",
        why=ONLY_THE_NAME,
        sources=(PARLETT,),
    ),
    Page(
        slug="imperial-french",
        title="Impérial (French)",
        aliases=("French imperial",),
        known=(
            "A French game in which the sides run contrary ways; Parlett puts it beside Ludus Anglicorum. We know of "
            "nothing that makes it the Imperial of Royal 13 A XVIII, which can be played here."
        ),
        why=ONLY_THE_NAME,
        sources=(PARLETT, ROYAL),
    ),
    Page(
        slug="testa",
        title="Testa",
        aliases=(),
        known="An Italian game in which the sides run contrary ways; Parlett puts it beside Ludus Anglicorum.",
        why=ONLY_THE_NAME,
        sources=(PARLETT,),
    ),
    Page(
        slug="plakoto",
        title="Plakoto",
        aliases=("Tapa",),
        known=(
            "Played in Greece today, and in Bulgaria as Tapa: fifteen men on the first points, contrary ways, two "
            "dice. A single man is not hit but pinned by the man who lands on him, and waits below."
        ),
        why=(
            "With one man of each side on a point, a position's text does not say which lies below, so games could "
            "not be written down."
        ),
        sources=(WIKIPEDIA_PLAKOTO, PARLETT),
    ),
    Page(
        slug="lourche",
        title="Lourche",
        aliases=("Lurch",),
        known=(
            "A French game in the manner of backgammon, says Lewins. To make somebody lourche was to cost them the "
            "win; the lurching of Ludus Anglicorum seems to derive from it."
        ),
        why="Only the name and the phrase are known to us; no source at hand tells how it was played.",
        sources=(LEWINS,),
    ),
    Page(
        slug="sixe-ace",
        title="Sixe-ace",
        aliases=("Six-ace",),
        known="Bell equates it with Seis, dos e as; Lewins calls the two games unrelated.",
        why="No source at hand tells how it was played.",
        sources=(LEWINS, BELL_OF_1969),
    ),
)
"""Every such game, in the order in which they are shown."""


_BY_NAME = {
    fold_name(name): page for page in UNPLAYED for name in (page.slug, page.title, *page.aliases)
}


def find_unplayed(name: str) -> Page | None:
    """Return the page of that slug, title or alias, if there is one; names are compared as those of games."""
    return _BY_NAME.get(fold_name(name))
