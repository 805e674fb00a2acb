"""Finding games, and what every game says of itself."""

from dataclasses import replace

import pytest

from engine.games import GAMES, find_game, select_newest
from engine.games.name_matching import fold_name, has_matching_name
from engine.games.unplayed import UNPLAYED, UnplayedGame, find_unplayed
from engine.refusal import Reason, Refusal
from engine.rules import Family, Game
from tests.engine.build import expect_refusal

IN_ORDER = [
    *("zeno", "ludus-anglicorum", "pyf", "twelve-dogs"),
    *("duodecim-scripta", "tabula"),
    *(
        "buffa-cortesa",
        "pareia-de-entrada",
        "buffa-de-baldrac",
        "cab-e-quinal",
        "cab-e-quinal-fixed",
        "doblet",
    ),
    *(
        "emperador",
        "medio-emperador",
        "fallas",
        "laquet",
        "quinze-tablas",
        "reencontrat",
        "seis-dos-e-as",
    ),
    *(
        "todas-tablas",
        "baralie",
        "imperial",
        "provincial",
        "ludus-lumbardorum",
        "paume-carie-one",
        "paume-carie-two",
    ),
    *("verquere", "swedish-tables", "irish", "backgammon"),
]


def test_every_game_of_the_sources_is_there_family_by_family() -> None:
    assert [slug for slug in GAMES if slug in IN_ORDER] == IN_ORDER
    assert all(slug == game.slug for slug, game in GAMES.items())
    families = [game.family for game in GAMES.values()]
    assert families == sorted(families, key=list(Family).index)


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("zeno", "zeno"),
        ("ZENO'S GAME", "zeno"),
        (" Ludus Anglicorum ", "ludus-anglicorum"),
        ("the english game", "ludus-anglicorum"),
        ("Puff", "pyf"),
        ("Doze canes", "twelve-dogs"),
        ("XII scripta", "duodecim-scripta"),
        ("faylis", "fallas"),
        ("All tables", "todas-tablas"),
        ("Verkeer", "verquere"),
        ("Buffa de cortesia", "buffa-cortesa"),
        ("buffa", "buffa-cortesa"),
        ("seis, doz & as", "seis-dos-e-as"),
        ("fallis", "fallas"),
        ("XII scriptorum", "duodecim-scripta"),
        ("english game", "ludus-anglicorum"),
        ("THE  ENGLISH GAME", "ludus-anglicorum"),
        ("Irish game", "irish"),
        ("the twelve dogs", "twelve-dogs"),
        ("romanos reencontrat", "reencontrat"),
        ("Impérial", "imperial"),
        ("bradspel", "swedish-tables"),
        ("Zeno\u2019s  game", "zeno"),
        ("zenos game", "zeno"),
        ("Ludus\u00a0Anglicorum", "ludus-anglicorum"),
        ("ludus anglicorum", "ludus-anglicorum"),
        ("ludus\u2013anglicorum", "ludus-anglicorum"),
    ],
)
def test_a_game_is_found_by_slug_title_or_alias(name: str, slug: str) -> None:
    assert find_game(name) is GAMES[slug]


@pytest.mark.parametrize(
    ("name", "hint", "offered"),
    [
        ("chess", "`/rules` lists all games", ()),
        ("", "`/rules` lists all games", ()),
        ("zenno", "did you mean Zeno?", ("Zeno",)),
        (
            "buffa de corteza",
            "did you mean Buffa cortesa?",
            ("Buffa cortesa",),
        ),  # two of its spellings are near
        (
            "empirador",
            "did you mean Emperador or Medio emperador?",
            ("Emperador", "Medio emperador"),
        ),
        ("dogs", "did you mean Twelve Dogs?", ("Twelve Dogs",)),
        (
            "paume",
            "did you mean Paume carie on one table or Paume carie on the whole board?",
            ("Paume carie on one table", "Paume carie on the whole board"),
        ),
        ("dd", "`/rules` lists all games", ()),  # a part of hardly any word says nothing
    ],
)
def test_any_other_name_is_refused_offering_the_nearest(
    name: str, hint: str, offered: tuple[str, ...]
) -> None:
    with expect_refusal(f"there's no game called {name}; {hint}", Reason.GAME) as refusal:
        find_game(name)
    assert refusal.value.legal == offered


def test_a_game_is_found_in_the_edition_that_a_match_began_with() -> None:
    assert find_game("Zeno's game", 1) is GAMES["zeno"]
    for edition in (0, 2):
        with expect_refusal(
            f"Zeno has no edition {edition} of its rules here, only edition 1",
            Reason.EDITION,
        ):
            find_game("zeno", edition)


def test_new_matches_take_the_newest_edition() -> None:
    zeno, pyf = GAMES["zeno"], GAMES["pyf"]
    later = replace(zeno, edition=2, title="Zeno again")
    assert select_newest([pyf, later, zeno]) == {"zeno": later, "pyf": pyf}


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_name_of_a_game_finds_it(game: Game) -> None:
    assert all(find_game(name) is game for name in (game.slug, game.title, *game.aliases))


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_option_has_values_to_choose_from_the_default_first(game: Game) -> None:
    for option in game.options:
        names = [value.name for value in option.values]
        assert len(names) == len(set(names)) >= 2
        assert option.default_value.name == names[0]
        assert game.find_option(option.name) is option


@pytest.mark.parametrize("slug", list(GAMES))
def test_every_game_takes_the_house_rule_on_unusable_numbers(slug: str) -> None:
    own = {
        "buffa-cortesa": "opponent",
        "doblet": "opponent",
        "laquet": "opponent",
        "fallas": "loses",
    }
    option = GAMES[slug].find_option("unusable")
    assert {value.name for value in option.values} == {"lost", "opponent", "loses"}
    if slug in IN_ORDER:
        assert option.default_value.name == own.get(slug, "lost")
    assert GAMES[slug].resolve_rules({}).unusable.value == option.default_value.name


def test_games_that_cannot_be_played_have_a_page_of_their_own() -> None:
    for page in UNPLAYED:
        assert all(find_unplayed(name) is page for name in (page.slug, page.title, *page.aliases))
        with pytest.raises(Refusal):
            find_game(page.slug)
    assert find_unplayed("zeno") is None
    assert {find_unplayed("lourche"), find_unplayed("Sixe-ace")} <= set(UNPLAYED)


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("tric-trac", "trictrac"),
        ("Tric Trac", "trictrac"),
        ("Grand trictrac", "trictrac"),
        ("tick tack", "ticktack"),
        ("imperial french", "imperial-french"),
        ("Sixe ace", "sixe-ace"),
    ],
)
def test_a_page_is_found_as_games_are(name: str, slug: str) -> None:
    page = find_unplayed(name)
    assert page is not None
    assert page.slug == slug


def test_no_two_games_or_pages_share_a_name_however_it_is_typed() -> None:
    known: tuple[Game | UnplayedGame, ...] = (*GAMES.values(), *UNPLAYED)
    named = [{fold_name(name) for name in (each.slug, each.title, *each.aliases)} for each in known]
    assert sum(map(len, named)) == len(set().union(*named))


@pytest.mark.parametrize(
    ("typed", "held"),
    [
        ("the eng", True),
        ("The", True),
        ("engl", True),
        ("ÉNGLISH g", True),
        ("english-g", True),
        ("", True),
        ("gamee", False),
    ],
)
def test_a_name_is_recognised_by_a_part_of_it(typed: str, held: bool) -> None:
    assert has_matching_name(("The English Game",), typed) is held
