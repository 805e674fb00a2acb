"""What we say of the Digital Ludeme Project's games has its identifiers, and names what we have."""

import re
from collections import defaultdict

import pytest

from bot.features.rulebook.texts import format_origins
from bot.platform.i18n.reader import Reader
from engine.games import EDITIONS, GAMES
from engine.rules import Game, LudemeEntry
from lab.games_page import build_page

NONE_KNOWN = {"pyf", "tabula", "buffa-cortesa", "paume-carie-two", "irish"}
"""Games that its list of rulesets doesn't have, as far as we have seen."""
SHARED = {625: {"cab-e-quinal", "cab-e-quinal-fixed"}}
"""Games of ours that are two rulesets of one of its games."""

IDENTIFIER = re.compile(r"DLP\.(Games|GameRulesets)\.[1-9]\d*")
VERSION = re.compile(r"\d+\.\d+\.\d+")

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)


def get_entry(game: Game) -> LudemeEntry:
    """Return what we say of a game; skips one of which there is nothing to say."""
    if game.provenance.ludeme is None:
        pytest.skip("none known")
    return game.provenance.ludeme


def get_rulesets(game: Game) -> tuple[int, ...]:
    return game.provenance.ludeme.rulesets if game.provenance.ludeme else ()


def extract_section(game: Game) -> str:
    """What the page of the games says of one."""
    return build_page().partition(f"\n### {game.title}\n")[2].partition("\n##")[0]


def format_sources(game: Game) -> str:
    """What the page in Discord says of the sources of a game."""
    return list(format_origins(Reader.ENGLISH, game))[-1][1]


def test_every_game_has_an_entry_or_none_is_known() -> None:
    without = {game.slug for game in GAMES.values() if game.provenance.ludeme is None}
    assert without == NONE_KNOWN


def test_the_pages_in_discord_show_the_identifiers_of_all_games() -> None:
    shown = [game for game in GAMES.values() if "DLP.Games." in format_sources(game)]
    assert len(shown) == len(GAMES) - len(NONE_KNOWN) == 25


def test_several_rulesets_are_a_range_in_discord() -> None:
    several = [game for game in GAMES.values() if len(get_rulesets(game)) > 1]
    assert [game.slug for game in several] == ["ludus-anglicorum"]
    assert "DLP.Games.957, DLP.GameRulesets.1116-1119" in format_sources(*several)
    for game in EDITIONS.values():
        if keys := get_rulesets(game):
            assert keys == (*range(keys[0], keys[-1] + 1),)


def test_no_two_games_have_one_identifier_unless_they_are_one_game_of_theirs() -> None:
    games = defaultdict(set)
    rulesets = defaultdict(set)
    for slug, game in GAMES.items():
        if entry := game.provenance.ludeme:
            games[entry.game].add(slug)
            for ruleset in entry.rulesets:
                rulesets[ruleset].add(slug)
    assert {key: slugs for key, slugs in games.items() if len(slugs) > 1} == SHARED
    assert all(len(slugs) == 1 for slugs in rulesets.values())


@every_game
def test_an_entry_has_what_the_project_asks_of_those_who_cite_it(game: Game) -> None:
    entry = get_entry(game)
    assert entry.rulesets
    assert all(IDENTIFIER.fullmatch(each) for each in entry.identifiers)
    assert VERSION.fullmatch(entry.version)
    assert entry.differences


@every_game
def test_a_difference_names_only_options_that_the_game_has(game: Game) -> None:
    values = {value.name for option in game.options for value in option.values}
    for difference in get_entry(game).differences:
        for named in re.findall(r"`([^`]+)`", difference):
            option, _, value = named.rpartition("=")
            if option:
                game.find_option(option).find_value(value)
            else:
                assert value in values, difference


@every_game
def test_the_pages_show_the_identifiers(game: Game) -> None:
    section = extract_section(game)
    shown = format_sources(game)
    if game.provenance.ludeme is None:
        assert "*Digital Ludeme Project:* none known." in section
        assert "DLP." not in shown
        return
    for each in game.provenance.ludeme.identifiers:
        assert f"[{each}](https://ludii.games/identifier?Id={each})" in section
    # On the page in Discord too, whether the project is a source of ours or not.
    for each in game.provenance.ludeme.identifiers[:2]:
        assert each in shown
    for difference in game.provenance.ludeme.differences:
        assert f"- {difference}" in section


def test_earlier_editions_have_the_entry_of_the_present_one() -> None:
    for game in EDITIONS.values():
        assert game.provenance.ludeme == GAMES[game.slug].provenance.ludeme
