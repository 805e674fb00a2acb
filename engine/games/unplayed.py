"""Games that the sources name but that cannot be played: what is known and what is missing."""

from dataclasses import dataclass

from engine.games.name_matching import fold_name
from engine.games.sources import (
    BELL_OF_1969,
    COTTON_FIRST,
    LEWINS,
    PARLETT,
    ROYAL,
    WIKIPEDIA_PLAKOTO,
    WIKIPEDIA_TICKTACK,
)

ONLY_THE_NAME = (
    "We know only its name and the games it is named with; none of our sources gives its set-up or "
    "its rules."
)


@dataclass(frozen=True)
class UnplayedGame:
    """A game with a page but no board: what is known of it, why it is not played, its sources."""

    slug: str
    title: str
    aliases: tuple[str, ...]
    known: str
    why: str
    sources: tuple[str, ...]


UNPLAYED = (
    UnplayedGame(
        slug="ticktack",
        title="Ticktack",
        aliases=("Tick-tack", "Tic-tac"),
        known=(
            "Fifteen men a side start on the first points and go in opposite directions, with "
            "two dice. A single hit wins the game and removes no man; filling your second "
            "table and other feats win it double."
        ),
        why=(
            "A win must be claimed, and overlooking one is punished: that is a different kind of "
            "game."
        ),
        sources=(COTTON_FIRST, WIKIPEDIA_TICKTACK),
    ),
    UnplayedGame(
        slug="trictrac",
        title="Trictrac",
        aliases=("Tric-trac", "Le grand trictrac"),
        known=(
            "The French tric-trac, as Lewins describes it: men start on the first points, and "
            "players score by arranging them as well as by winning the race. Twelve points "
            "make a hole."
        ),
        why=(
            "It is played for a score, and Lewins sets such games apart from the race games of "
            "tables."
        ),
        sources=(LEWINS,),
    ),
    UnplayedGame(
        slug="tieste",
        title="Tieste",
        aliases=(),
        known=(
            "A French game in which the sides go in opposite directions; Parlett puts it beside "
            "Ludus Anglicorum."
        ),
        why=ONLY_THE_NAME,
        sources=(PARLETT,),
    ),
    UnplayedGame(
        slug="imperial-french",
        title="Impérial (French)",
        aliases=("French imperial",),
        known=(
            "A French game in which the sides go in opposite directions; Parlett puts it "
            "beside Ludus Anglicorum. We know of nothing that identifies it with the Imperial "
            "of Royal 13 A XVIII, which can be played here."
        ),
        why=ONLY_THE_NAME,
        sources=(PARLETT, ROYAL),
    ),
    UnplayedGame(
        slug="testa",
        title="Testa",
        aliases=(),
        known=(
            "An Italian game in which the sides go in opposite directions; Parlett puts it beside "
            "Ludus Anglicorum."
        ),
        why=ONLY_THE_NAME,
        sources=(PARLETT,),
    ),
    UnplayedGame(
        slug="plakoto",
        title="Plakoto",
        aliases=("Tapa",),
        known=(
            "Played in Greece today, and in Bulgaria as Tapa: fifteen men a side start on the "
            "first points and go in opposite directions, with two dice. A single man is not "
            "hit but pinned by the man that lands on it, and waits underneath."
        ),
        why=(
            "When each side has one man on a point, our notation does not say which man is "
            "underneath, so games could not be written down."
        ),
        sources=(WIKIPEDIA_PLAKOTO, PARLETT),
    ),
    UnplayedGame(
        slug="lourche",
        title="Lourche",
        aliases=("Lurch",),
        known=(
            "According to Lewins, a French game in the manner of backgammon. To make somebody "
            "lourche was to cost them the win; the lurching of Ludus Anglicorum seems to "
            "derive from it."
        ),
        why="We know only the name and the phrase; none of our sources says how it was played.",
        sources=(LEWINS,),
    ),
    UnplayedGame(
        slug="sixe-ace",
        title="Sixe-ace",
        aliases=("Six-ace",),
        known="Bell equates it with Seis, dos e as; Lewins calls the two games unrelated.",
        why="None of our sources says how it was played.",
        sources=(LEWINS, BELL_OF_1969),
    ),
)
"""Every such game, in the order in which they are shown."""


_BY_NAME = {
    fold_name(name): page for page in UNPLAYED for name in (page.slug, page.title, *page.aliases)
}


def find_unplayed(name: str) -> UnplayedGame | None:
    """Return the page of that slug, title or alias; names are compared as those of games."""
    return _BY_NAME.get(fold_name(name))
