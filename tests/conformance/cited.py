"""Where we have read each work that the pages cite.

That is a document of the project's shared folder, or elsewhere. The shared folder is not part of
this repository. Where it lies beside the checkout, the words are looked for in it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from engine.games import sources

Citation: TypeAlias = tuple[str, ...]
"""A document and words that stand in it; or an address alone."""

ARTICLE, RULES_PAGE, WIKIPEDIA, LEAFLET, ROMAN_PAGE = (
    f"seeds/00{number}_*.txt" for number in range(5)
)
DOSSIER = "rules/dossier.md"
EVIDENCE = (DOSSIER, "(Digital Ludeme Project evidence, quotes Golladay's translation")

CITATIONS: Mapping[str, Citation] = {
    sources.LIBRO: (
        ARTICLE,
        'The Libro de los Juegos ("Book of games"), commissioned by Alfonso X',
        "1283",
    ),
    sources.ROYAL: (DOSSIER, "Royal 13 A XVIII (14th c.)"),
    sources.LEWINS: (ARTICLE, "© Shelagh Lewins 2021"),
    sources.MURRAY: (
        ARTICLE,
        "The Mediæval Games Of Tables, Medium Ævum, JUNE 1941, Vol. 10",
        "pp. 57-69",
    ),
    sources.MURRAY_BOARDS: (
        ARTICLE,
        "A history of Board-games Other Than Chess, Clarendon Press, 1952",
    ),
    sources.SCHAEDLER: (ARTICLE, "Das Spiel der Engländer", "(2013)"),
    sources.GOLLADAY: EVIDENCE,
    sources.LUDEME: EVIDENCE,
    sources.FISKE: (ARTICLE, "1905. Chess in Iceland"),
    sources.COTTON: ("https://bkgm.com/books/Cotton/Transcription/",),
    sources.COTTON_FIRST: ("http://bckg.pagesperso-orange.fr/english/the_compleat_gamester.htm",),
    sources.WILLUGHBY: (DOSSIER, "after Willughby"),
    sources.ST_IVES: (DOSSIER, "members.tripod.com/Guilde_of_St_Ives/Games/irish.htm"),
    sources.BELL: (
        ROMAN_PAGE,
        "Board and Table Games from Many Civilizations by R.C. Bell, pp. 34-35",
    ),
    sources.BELL_OF_1969: (
        ARTICLE,
        "Board and Table Games from Many Civilizations, Oxford University Press, 1969",
    ),
    sources.BOTERMANS: (ROMAN_PAGE, "The Book of Games by Jack Botermans, pp. 557-568"),
    sources.ROMAN_PAGE: (DOSSIER, "historicalgames.neocities.org"),
    sources.WALKER: (LEAFLET, "Copyright © Damian Walker 2011", "Leaflet #9"),
    sources.ENCYCLOPAEDIA: (WIKIPEDIA, "Article snapshot taken from Wikipedia"),
    sources.WIKIPEDIA_LAQUET: ("https://en.wikipedia.org/wiki/Laquet",),
    sources.WIKIPEDIA_DOUBLETS: (DOSSIER, "WP Doublets"),
    sources.WIKIPEDIA_IRISH: (DOSSIER, "WP Irish"),
    sources.WIKIPEDIA_VERQUERE: (DOSSIER, "WP Verquere"),
    sources.WIKIPEDIA_TICKTACK: (DOSSIER, "WP Ticktack"),
    sources.WIKIPEDIA_PLAKOTO: ("https://en.wikipedia.org/wiki/Plakoto",),
    sources.PARLETT: (WIKIPEDIA, "Parlett (1999), p. 82"),
    sources.FORGOTTEN_GAMES: (DOSSIER, "JO cabequinal"),
    sources.BACKGAMMON_GALORE: (DOSSIER, "BKGM Fayles"),
    sources.VASA: ("https://studylib.net/doc/18323766/the-rules-of-swedish-tables",),
    "Agathias, Greek Anthology 9.482 (c. 565)": (
        ARTICLE,
        "482.-ΑΓΑΘΙΟΥ ΣΧΟΛΑΣΤΙΚΟΥ",
        "written around 565 AD",
    ),
    "L. Becq de Fouquières (1869), as Lewins cites him": (
        ARTICLE,
        "Louis Becq de Fouquières reconstructed the position of the pieces in 1869",
    ),
    "London, British Library, Royal MS 13 A XVIII (c. 1330), ludus anglicorum": (
        WIKIPEDIA,
        "Royal 13 A XVIII - 1330",
    ),
    "London, British Library, Royal MS 13 A XVIII (c. 1330): paume carie": (
        ARTICLE,
        "Paume carie v2 (R)",
    ),
    "Libro de los Juegos (1283): buffa cortesa, pareia de entrada": (
        ARTICLE,
        "Pareia de entrada (Alf)",
    ),
    "Libro de los Juegos (Alfonso X, 1283), f. 74r: doze canes": (
        ARTICLE,
        "1283-folio-74r-juego-de-los-doze-canes",
    ),
    "The rules of backgammon as printed today": (DOSSIER, "### 5.4 Backgammon (modern)"),
}
"""Every work that a page cites, and where it was read."""

NAMES: Mapping[str, str] = {
    "Lewins": "Lewins, Tabula",
    "Murray": "Murray",
    "Golladay": "Golladay",
    "Digital Ludeme Project": "Digital Ludeme Project",
    "Libro": "Libro de los Juegos",
    "Royal 13 A": "Royal MS 13 A",
    "Cotton": "Cotton",
    "Willughby": "Willughby",
    "St Ives": "St Ives",
    "Bell": "Bell",
    "Botermans": "Botermans",
    "Walker": "Walker",
    "Schaedler": "Schädler",
    "Parlett": "Parlett",
    "Wikipedia": "Wikipedia",
    "Académie des jeux oubliés": "Académie des jeux oubliés",
    "Backgammon Galore": "Backgammon Galore",
    "Vasa": "Vasa Museum",
    "Agathias": "Agathias",
    "Becq de Fouquières": "Becq de Fouquières",
}
"""How sentences name a work, and words of its citation."""

EXTERNAL_SOURCES: Mapping[str, str] = {
    "2003": "https://studylib.net/doc/18323766/the-rules-of-swedish-tables",
    "f. 78v": "https://en.wikipedia.org/wiki/Laquet",
}
"""Years and folios that sentences name and that stand in no document of the shared folder."""


def find_shared_folder() -> Path | None:
    """Return the project's shared folder, or None.

    It is looked for beside the checkout, and beside each folder that holds it.
    """
    beside = (folder / "shared" for folder in Path(__file__).resolve().parents)
    return next((folder for folder in beside if (folder / "seeds").is_dir()), None)


def load_document(folder: Path, pattern: str) -> str:
    """Return the text of one shared document, with single spaces."""
    (path,) = folder.glob(pattern)
    return " ".join(path.read_text("utf-8").replace("*", "").split())
