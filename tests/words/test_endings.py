"""How games end, in words: every ending, its stake, and what a game remembers."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog

from bot.platform.i18n.common import ENDINGS, format_ending, format_game_text, format_remark
from bot.platform.i18n.reader import Reader, load_reader
from engine.games import GAMES
from engine.outcome import GameOutcome
from engine.position import Side
from tests.support.pseudo import LOCALE, compile_pseudo_folder, read_template
from tests.words.build import compile_catalogue

GOLD, BLACK = Side
ENDING_CASES: tuple[tuple[str, str, Mapping[str, Any], str], ...] = (
    ("zeno", "off", {}, "all men borne off"),
    ("zeno", "goal", {}, "all men in the last table"),
    ("twelve-dogs", "full", {"most": 4, "least": 2}, "4 points to 2"),
    ("twelve-dogs", "even", {}, "three points each"),
    ("zeno", "resigned", {"side": "gold"}, "gold resigned"),
    ("zeno", "agreed", {}, "both sides agreed"),
    ("zeno", "adjudicated", {}, "decided by a moderator"),
    ("zeno", "annulled", {}, "annulled"),
    ("fallas", "ad-fallum", {"side": "black"}, "ad fallum: black couldn't play the throw"),
    ("pyf", "stuck", {}, "no throw could ever move either side"),
    ("zeno", "other", {"text": "bearing off"}, "bearing off"),
    ("emperador", "barata", {}, "barata: four men hit while holding six points in a row"),
    ("emperador", "barata-at-once", {}, "barata: six points in a row"),
    ("emperador", "barata-no-entry", {}, "barata: no point to enter on"),
    ("ludus-anglicorum", "both-caught", {}, "both sides are caught at once"),
    ("twelve-dogs", "all-six", {}, "all six points held"),
    ("twelve-dogs", "not-all-six", {}, "neither side holds all six points"),
    ("emperador", "tie", {}, "neither side can enter its men"),
    ("medio-emperador", "tie", {}, "neither side can enter its men"),
    ("zeno", "timed-out", {"side": "black"}, "black ran out of time"),
    ("zeno", "aborted", {"side": "gold"}, "gold left within the first two turns"),
    ("zeno", "abandoned", {}, "nobody played for sixty days"),
    ("zeno", "forfeited", {"side": "black"}, "black forfeited"),
    ("zeno", "forfeited", {}, "neither side played in time"),
    ("zeno", "deadline", {}, "decided at the deadline"),
    ("ludus-anglicorum", "lympolded", {"side": "black"}, "black is lympolded"),
    ("ludus-anglicorum", "lympolded-for-ever", {"side": "black"}, "black is lympolded for ever"),
    ("ludus-anglicorum", "lurched", {"side": "gold"}, "gold is lurched"),
    (
        "verquere",
        "jan",
        {"side": "gold"},
        "jan: gold has more men to enter than its table has room for",
    ),
    (
        "swedish-tables",
        "jan",
        {"side": "gold"},
        "jan: gold has more men to enter than its table has room for",
    ),
    ("swedish-tables", "fifteen", {}, "all fifteen on the last point"),
    ("swedish-tables", "seven-five-three", {}, "seven, five and three"),
    ("swedish-tables", "three-fives", {}, "three fives"),
    ("swedish-tables", "five-threes", {}, "five threes"),
    ("backgammon", "off", {"worth": "gammon"}, "a gammon (all men borne off)"),
    ("backgammon", "off", {"worth": "backgammon"}, "a backgammon (all men borne off)"),
    *(
        (
            slug,
            how,
            {**parts, "worth": "slaps", "n": owed},
            f"{text}, and the losers' palms are owed {slaps}",
        )
        for slug in ("paume-carie-one", "paume-carie-two")
        for how, parts, text in (
            ("off", {}, "all men borne off"),
            ("resigned", {"side": "black"}, "black resigned"),
        )
        for owed, slaps in ((1, "1 slap"), (3, "3 slaps"))
    ),
)
REMARK_CASES: tuple[tuple[str, str, Mapping[str, Any], str], ...] = (
    ("emperador", "hits", {}, "hits made while holding six points: none"),
    ("emperador", "hits-gold", {"gold": 2}, "hits made while holding six points: gold 2"),
    ("emperador", "hits-black", {"black": 3}, "hits made while holding six points: black 3"),
    (
        "emperador",
        "hits-gold-black",
        {"gold": 1, "black": 3},
        "hits made while holding six points: gold 1, black 3",
    ),
    ("tabula", "placed", {"point": "c"}, "only the man just placed on c goes on"),
    ("tabula", "placed-none", {}, "no placed man goes on"),
)


@pytest.mark.parametrize(("slug", "how", "parts", "text"), ENDING_CASES)
def test_each_ending_is_told(slug: str, how: str, parts: Mapping[str, Any], text: str) -> None:
    assert format_ending(Reader.ENGLISH, GAMES[slug], GameOutcome(GOLD, how, parts)) == text


@pytest.mark.parametrize(("slug", "what", "parts", "text"), REMARK_CASES)
def test_what_a_game_remembers_is_told(
    slug: str, what: str, parts: Mapping[str, Any], text: str
) -> None:
    assert format_remark(Reader.ENGLISH, GAMES[slug], (what, parts)) == text


def test_where_nothing_is_remembered_nothing_is_told() -> None:
    assert format_remark(Reader.ENGLISH, GAMES["zeno"], None) == ""


def test_no_words_of_a_game_are_left_out() -> None:
    texts = {(slug, what) for slug, what, _, _ in (*ENDING_CASES, *REMARK_CASES)}
    texts |= {(slug, parts["worth"]) for slug, _, parts, _ in ENDING_CASES if "worth" in parts}
    assert {(slug, what) for slug, game in GAMES.items() for what in game.words} <= texts
    assert set(ENDINGS) <= {what for _, what in texts}


def test_nothing_of_them_stays_in_english(tmp_path: Path) -> None:
    foreign = load_reader(LOCALE, compile_pseudo_folder(tmp_path, read_template()))
    for slug, how, parts, _ in ENDING_CASES:
        if how != "other":
            text = format_ending(foreign, GAMES[slug], GameOutcome(GOLD, how, parts))
            assert (text[0], text[-1]) == ("«", "»")
    for slug, what, parts, _ in REMARK_CASES:
        assert format_game_text(foreign, GAMES[slug], what, **parts).startswith("«")


def test_a_games_words_are_counted_as_a_language_counts(tmp_path: Path) -> None:
    catalogue = Catalog("pl", fuzzy=False)
    forms = ("{ending} ({n} klaps)", "{ending} ({n} klapsy)", "{ending} ({n} klapsów)")
    slaps = GAMES["paume-carie-one"].words["slaps"]
    catalogue.add(slaps, forms, context="game:paume-carie-one")
    polish = load_reader("pl", compile_catalogue(tmp_path, "pl", catalogue))
    for n, counted in ((1, "1 klaps"), (3, "3 klapsy"), (7, "7 klapsów")):
        owed = GameOutcome(GOLD, "off", {"worth": "slaps", "n": n}, n)
        assert (
            format_ending(polish, GAMES["paume-carie-one"], owed)
            == f"all men borne off ({counted})"
        )


def test_a_side_in_place_of_its_players_may_have_an_article(tmp_path: Path) -> None:
    catalogue = Catalog("es", fuzzy=False)
    catalogue.add("gold", "las doradas", context="a side in place of its players")
    catalogue.add("{side} resigned", "rendición de {side}")
    spanish = load_reader("es-ES", compile_catalogue(tmp_path, "es", catalogue))
    resigned = GameOutcome(BLACK, "resigned", {"side": "gold"})
    text = format_ending(spanish, GAMES["zeno"], resigned)
    assert text == "rendición de las doradas"
    named = format_ending(spanish, GAMES["zeno"], resigned, {GOLD: "Ana", BLACK: "Ben"})
    assert named == "rendición de Ana"
