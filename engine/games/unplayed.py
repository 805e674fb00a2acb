"""Games that the sources name and that cannot be played from them: what is known, and what is missing."""

from dataclasses import dataclass

from engine.games.sources import ENCYCLOPAEDIA, LEWINS, PARLETT


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
        aliases=("Tick-tack", "Tic-tac", "Tric-trac (English)"),
        known=(
            "Fifteen men a side on the first points, contrary ways, two dice. A single hit wins the game and takes no "
            "man; filling one's second table and other feats win it double."
        ),
        why="A win must be claimed, and one overlooked is punished: that is another kind of game.",
        sources=("C. Cotton, The Compleat Gamester (1674)", ENCYCLOPAEDIA),
    ),
    Page(
        slug="trictrac",
        title="Trictrac",
        aliases=("Le grand trictrac",),
        known="The French scoring game: points for hits, full tables and jans, and twelve holes to win.",
        why="Men are moved to score, not to get home: it belongs to another family of games.",
        sources=("J. Soumille, Le Grand Trictrac (1738)", LEWINS),
    ),
    Page(
        slug="tieste",
        title="Tieste",
        aliases=(),
        known="A French game in which the sides run contrary ways; Parlett puts it beside Ludus Anglicorum.",
        why="Only the name and its company are known to us; no source at hand tells its set-up or its rules.",
        sources=(PARLETT,),
    ),
    Page(
        slug="imperial-french",
        title="Impérial (French)",
        aliases=("French imperial", "Imperial (Civis Bononiae)"),
        known="The French problem books have an impérial that is not the Imperial of the English manuscript.",
        why="The problems show positions, not the rules that lead to them.",
        sources=(PARLETT, "H. J. R. Murray, A History of Board-Games Other than Chess (1951)"),
    ),
    Page(
        slug="testa",
        title="Testa",
        aliases=(),
        known="A game of the Bolognese problem book, in which the sides run contrary ways.",
        why="Only problems survive; its set-up and its rules are not told.",
        sources=(PARLETT, "H. J. R. Murray, A History of Board-Games Other than Chess (1951)"),
    ),
    Page(
        slug="plakoto",
        title="Plakoto",
        aliases=("Tapa",),
        known=(
            "Played in Greece today: fifteen men on the first points, contrary ways, two dice. A single man is not hit "
            "but pinned by the man who lands on him, and waits below."
        ),
        why=(
            "With one man of each side on a point, the position's text does not say who lies below, so that games "
            "could not be written down; and no source of ours describes it."
        ),
        sources=("As it is played in Greece", PARLETT),
    ),
    Page(
        slug="lourche",
        title="Lourche",
        aliases=("Lurch",),
        known=(
            "A French game in the manner of backgammon. To make somebody lourche was to cost him the win; the word "
            "may be the lurching of Ludus Anglicorum."
        ),
        why="Only the name and the phrase are known to us; no source at hand tells how it was played.",
        sources=(LEWINS,),
    ),
    Page(
        slug="sixe-ace",
        title="Sixe-ace",
        aliases=("Sixe ace", "Six-ace"),
        known="A game that Bell takes for Seis, dos e as; Lewins says that the two have nothing to do with each other.",
        why="No source at hand tells how it was played.",
        sources=(LEWINS, "R. C. Bell, Board and Table Games from Many Civilizations (1960)"),
    ),
)
"""Every such game, in the order in which they are shown."""


def find_unplayed(name: str) -> Page | None:
    """Return the page of that slug, title or alias, in any case, if there is one."""
    wanted = name.casefold().strip()
    for page in UNPLAYED:
        if wanted in (known.casefold() for known in (page.slug, page.title, *page.aliases)):
            return page
    return None
