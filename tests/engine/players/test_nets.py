"""Which net judges which rules."""

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from engine.games import GAMES
from engine.players.files import WEIGHTS
from engine.players.net import (
    DIGEST_DIGITS,
    DamagedNetError,
    Net,
    OtherInputsError,
    load_net,
    save_net,
)
from engine.players.nets import get_net
from engine.players.requests import evaluate_position
from engine.players.variants import (
    format_options,
    identify_game,
    identify_setting,
    iter_variants,
    parse_option,
)
from engine.throws import is_rule_change
from tests.engine.build import build_position, make_rules
from tests.engine.players.conftest import KeepNet
from tests.engine.players.drive import make_random_net


def test_without_a_net_greedy_judges(keep_net: KeepNet) -> None:
    assert not any(get_net(game.rules) for game in GAMES.values())


def test_a_net_judges_its_game_and_options_that_change_no_way_to_win(keep_net: KeepNet) -> None:
    keep_net("zeno", make_random_net(make_rules("zeno")))
    assert get_net(make_rules("zeno"))
    assert get_net(make_rules("zeno", unusable="opponent"))
    assert (
        get_net(make_rules("zeno", goal="off")) is None
    )  # bearing off is another end than bringing all men home
    assert get_net(make_rules("imperial")) is None


def test_a_net_does_not_judge_what_it_cannot_see(keep_net: KeepNet) -> None:
    keep_net("seis-dos-e-as", make_random_net(make_rules("seis-dos-e-as")))
    assert get_net(make_rules("seis-dos-e-as"))
    assert (
        get_net(make_rules("seis-dos-e-as", reentry="start-table")) is None
    )  # one bar in place of four


def test_a_net_made_for_an_option_judges_where_it_is_chosen(keep_net: KeepNet) -> None:
    keep_net("zeno", make_random_net(make_rules("zeno")))
    keep_net("zeno.goal=off", make_random_net(make_rules("zeno", goal="off")))
    off = get_net(make_rules("zeno", goal="off"))
    assert off is not None
    assert off is not get_net(make_rules("zeno"))
    assert get_net(make_rules("zeno", goal="off", unusable="loses")) is off
    assert get_net(make_rules("zeno", unusable="loses")) is get_net(make_rules("zeno"))


def test_a_net_made_for_an_option_does_not_judge_what_else_it_cannot_see(keep_net: KeepNet) -> None:
    keep_net("zeno", make_random_net(make_rules("zeno")))
    keep_net("zeno.unusable=loses", make_random_net(make_rules("zeno", unusable="loses")))
    assert get_net(make_rules("zeno", unusable="loses")) is not get_net(make_rules("zeno"))
    assert get_net(make_rules("zeno", goal="off", unusable="loses")) is None


def test_a_net_names_its_file() -> None:
    path = WEIGHTS / "zeno.npz"
    assert load_net(path).digest == sha256(path.read_bytes()).hexdigest()[:DIGEST_DIGITS]


def test_a_net_is_read_once(keep_net: KeepNet) -> None:
    keep_net("zeno", make_random_net(make_rules("zeno")))
    assert get_net(make_rules("zeno")) is get_net(make_rules("zeno", unusable="loses"))


def test_a_net_says_what_a_position_is_worth(keep_net: KeepNet) -> None:
    known, begin = build_position("a15 z15 gold -", "zeno")
    plain = evaluate_position(known, begin)
    keep_net("zeno", make_random_net(make_rules("zeno")))
    judged = evaluate_position(known, begin)
    assert judged != plain
    assert judged.points == pytest.approx(2 * judged.win - 1, abs=1e-6)


@pytest.mark.parametrize("slug", GAMES)
def test_rules_are_known_by_their_game(slug: str) -> None:
    game = GAMES[slug]
    assert identify_setting(game.resolve_rules({})) == (game, {})
    for option in game.options:
        for value_ in option.values:
            known = game.resolve_rules({option.name: value_.name})
            found, chosen = identify_setting(known)
            assert found.resolve_rules(chosen) == known
            assert len(chosen) <= 1


def test_rules_of_two_games_are_those_of_the_one_that_needs_fewer_options() -> None:
    buffa, pareia = GAMES["buffa-cortesa"], GAMES["pareia-de-entrada"]
    assert identify_setting(buffa.resolve_rules({"unusable": "lost"})) == (pareia, {})
    assert identify_setting(buffa.resolve_rules({"unusable": "lost", "dice": "three"})) == (
        pareia,
        {"dice": "three"},
    )
    assert identify_setting(pareia.resolve_rules({"unusable": "opponent", "dice": "three"})) == (
        buffa,
        {"dice": "three"},
    )


def test_a_net_that_is_not_there_is_told_from_a_damaged_one(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_net(tmp_path / "zeno.npz")


def test_a_table_that_the_starter_chooses_is_none_to_be_studied() -> None:
    assert all("table" not in options for options in iter_variants(GAMES["twelve-dogs"]))


def test_a_value_that_makes_no_difference_alone_is_none_to_be_studied() -> None:
    assert {"doubles": "twice"} in list(iter_variants(GAMES["pyf"]))
    # Which throws are doubles matters where doubles are played otherwise, and of three dice.
    assert {"pairs": "any-pair"} not in list(iter_variants(GAMES["pyf"]))
    assert {"pairs": "any-pair"} not in list(iter_variants(GAMES["buffa-cortesa"]))
    assert is_rule_change(
        make_rules("pyf", doubles="twice", pairs="any-pair"), make_rules("pyf", doubles="twice")
    )
    assert is_rule_change(
        make_rules("buffa-cortesa", dice="three", pairs="any-pair"),
        make_rules("buffa-cortesa", dice="three"),
    )


def test_options_are_written_and_read() -> None:
    assert format_options({"dice": "three", "goal": "off"}) == "dice=three.goal=off"
    assert parse_option("goal=off") == {"goal": "off"}


def test_a_net_of_other_inputs_is_not_read(tmp_path: Path) -> None:
    net = make_random_net(make_rules("zeno"), hidden=5)
    assert net.unit_count == 5
    save_net(net, tmp_path / "zeno.npz")
    with np.load(tmp_path / "zeno.npz") as kept:
        arrays = {name: kept[name] for name in kept.files}
    facts = json.loads(str(arrays.pop("facts")))
    np.savez(
        tmp_path / "zeno.npz",
        allow_pickle=False,
        facts=np.array(json.dumps({**facts, "inputs": 0})),
        **arrays,
    )
    with pytest.raises(OtherInputsError, match="trained on inputs of version 0"):
        load_net(tmp_path / "zeno.npz")


def save_damaged_net(net: Net, path: Path, how: str) -> None:
    """Write a net, and damage its file."""
    parts = {
        "a number that is none": replace(net, bias=np.full_like(net.bias, np.nan)),
        "another shape": replace(net, second=net.second[:-1]),
    }
    save_net(parts.get(how, net), path)
    whole = path.read_bytes()
    match how:
        case "empty":
            path.write_bytes(b"")
        case "cut off":
            path.write_bytes(whole[: len(whole) // 2])
        case "one byte":
            at = len(whole) // 3
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        case "no archive":
            with path.open("wb") as file:
                np.save(file, net.first)
        case "a part missing":
            np.savez(path, allow_pickle=False, first=net.first)


@pytest.mark.parametrize(
    "how",
    [
        "empty",
        "cut off",
        "one byte",
        "no archive",
        "a part missing",
        "a number that is none",
        "another shape",
    ],
)
def test_a_damaged_net_is_named(how: str, tmp_path: Path) -> None:
    save_damaged_net(make_random_net(make_rules("zeno"), hidden=5), tmp_path / "zeno.npz", how)
    with pytest.raises(DamagedNetError, match=r"^zeno\.npz is damaged: "):
        load_net(tmp_path / "zeno.npz")


def test_rules_of_no_game_are_refused() -> None:
    with pytest.raises(ValueError, match="rules of no game"):
        identify_game(replace(make_rules("zeno"), men=3))
