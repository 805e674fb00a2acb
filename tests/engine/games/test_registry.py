"""Finding games, and what every game says of itself."""

import pytest

from engine.games import GAMES, find_game
from engine.refusal import Refusal, Rule
from engine.rules import Game


def test_the_four_games_of_rumwoldstow() -> None:
    assert list(GAMES) == ["zeno", "ludus-anglicorum", "pyf", "twelve-dogs"]
    assert all(slug == game.slug for slug, game in GAMES.items())


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("zeno", "zeno"),
        ("ZENO'S GAME", "zeno"),
        (" Ludus Anglicorum ", "ludus-anglicorum"),
        ("the english game", "ludus-anglicorum"),
        ("Puff", "pyf"),
        ("Doze canes", "twelve-dogs"),
    ],
)
def test_a_game_is_found_by_slug_title_or_alias(name: str, slug: str) -> None:
    assert find_game(name) is GAMES[slug]


@pytest.mark.parametrize("name", ["chess", "", "zen", "buffa cortesa"])
def test_any_other_name_is_refused_naming_the_games(name: str) -> None:
    with pytest.raises(Refusal) as refusal:
        find_game(name)
    assert refusal.value.rule is Rule.OPTION
    assert refusal.value.sentence == f"{name} is not a game here; there are zeno, ludus-anglicorum, pyf, twelve-dogs"
    assert refusal.value.legal == tuple(GAMES)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_name_of_a_game_finds_it(game: Game) -> None:
    assert all(find_game(name) is game for name in (game.slug, game.title, *game.aliases))


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_option_has_values_to_choose_from_the_default_first(game: Game) -> None:
    for option in game.options:
        names = [value.name for value in option.values]
        assert len(names) == len(set(names)) >= 2
        assert option.default.name == names[0]
        assert game.option(option.name) is option


@pytest.mark.parametrize("slug", list(GAMES))
def test_every_game_takes_the_house_rule_on_unusable_numbers(slug: str) -> None:
    assert [value.name for value in GAMES[slug].option("unusable").values] == ["lost", "opponent", "loses"]
