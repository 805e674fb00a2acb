"""The names that sources have for the games: they find a game, and stay as the source has them."""

import pytest

from bot.features.matches.interactions import list_game_choices
from bot.platform.i18n.reader import game_context, list_languages, load_reader
from bot.platform.ui.controls import MAX_ENTRY_LENGTH
from engine.games import GAMES, find_game
from render.characters import utf16_length

NAMES = {
    # Reconstructions of S. Lewins, Tabula at Rumwoldstow; Pyf is Old English for puff.
    "zeno": ("Zeno",),
    "pyf": ("Pyf", "Puff"),
    # Romans, as today's books quote them.
    "duodecim-scripta": ("Duodecim scripta", "XII scripta", "Ludus duodecim scriptorum"),
    "tabula": ("Tabula", "Alea"),
    # Libro de los Juegos (1283), as Lewins and Golladay spell its names.
    "buffa-cortesa": ("Buffa cortesa",),
    "pareia-de-entrada": ("Pareia de entrada",),
    "buffa-de-baldrac": ("Buffa de baldrac",),
    "cab-e-quinal": ("Cab e quinal",),
    "cab-e-quinal-fixed": (),
    "doblet": ("Doblet",),
    "twelve-dogs": ("Doze canes", "Doze hermanos"),
    "emperador": ("Emperador",),
    "medio-emperador": ("Medio emperador",),
    "fallas": ("Fallas", "Fallis", "Faylis", "Fayles", "Fails"),
    "laquet": ("Laquet",),
    "quinze-tablas": ("Quinze tablas",),
    "reencontrat": ("Los romanos reencontrat", "Reencontrat"),
    "seis-dos-e-as": ("Seis, dos e as", "Seis, doz & as"),
    "todas-tablas": ("Todas tablas",),
    # Royal MS 13 A XVIII (c. 1330).
    "ludus-anglicorum": ("Ludus Anglicorum", "Longus ludus"),
    "baralie": ("Baralie",),
    "imperial": ("Imperial", "Ludus imperialis"),
    "provincial": ("Provincial", "Ludus provincialis"),
    "ludus-lumbardorum": ("Ludus lumbardorum",),
    "paume-carie-one": ("Paume carie",),
    "paume-carie-two": (),
    # Books of the seventeenth and eighteenth centuries, and players since.
    "verquere": ("Verquere", "Verkeer"),
    "swedish-tables": ("Svenska brädspel", "Svenskt brädspel"),
    "irish": ("Irish",),
    "backgammon": (),
}
"""What sources call each game; two are told apart in our words, and one has a name everywhere."""


def test_every_game_is_here() -> None:
    assert NAMES.keys() == GAMES.keys()


@pytest.mark.parametrize("slug", NAMES)
def test_a_game_is_found_by_the_names_of_its_sources(slug: str) -> None:
    game = GAMES[slug]
    assert {*NAMES[slug]} <= {game.title, *game.aliases}
    for name in NAMES[slug]:
        assert find_game(name) is game


@pytest.mark.parametrize("locale", list_languages())
def test_names_of_sources_are_shown_as_they_are_in_every_language(locale: str) -> None:
    say = load_reader(locale)
    for slug, names in NAMES.items():
        for name in names:
            assert say.in_context(game_context(slug), name) == name


@pytest.mark.parametrize("locale", list_languages())
def test_what_a_game_is_like_fits_a_menu_in_every_language(locale: str) -> None:
    say = load_reader(locale)
    for slug, game in GAMES.items():
        text = say.in_context(game_context(slug), game.tagline)
        assert utf16_length(text) <= max(MAX_ENTRY_LENGTH, utf16_length(game.tagline)), text


@pytest.mark.parametrize("locale", list_languages())
def test_names_of_sources_are_offered_first_in_every_language(locale: str) -> None:
    say = load_reader(locale)
    for slug, names in NAMES.items():
        for name in names:
            assert list_game_choices(say, name)[0].value == slug, name


@pytest.mark.parametrize(
    ("typed", "slug"),
    [
        ("los doze canes", "twelve-dogs"),
        ("il ludus lumbardorum", "ludus-lumbardorum"),
        ("der Emperador", "emperador"),
        ("le Ludus Anglicorum", "ludus-anglicorum"),
        ("o emperador", "emperador"),
    ],
)
def test_an_article_of_any_of_our_languages_may_stand_before_it(typed: str, slug: str) -> None:
    assert find_game(typed).slug == slug
