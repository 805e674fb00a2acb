"""Which net judges which rules."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.games import GAMES
from engine.players.known import game_of, read_option, setting_of, spelt, varied
from engine.players.net import DamagedNetError, Net, OtherInputsError, load, save
from engine.players.nets import net_for
from engine.players.value import value
from engine.throws import differ
from tests.engine.build import pos, rules
from tests.engine.players.conftest import KeepNet
from tests.engine.players.drive import some_net


def test_without_a_net_greedy_judges(keep_net: KeepNet) -> None:
    assert not any(net_for(game.rules) for game in GAMES.values())


def test_a_net_judges_its_game_and_options_that_change_no_way_to_win(keep_net: KeepNet) -> None:
    keep_net("zeno", some_net(rules("zeno")))
    assert net_for(rules("zeno"))
    assert net_for(rules("zeno", unusable="opponent"))
    assert (
        net_for(rules("zeno", goal="off")) is None
    )  # bearing off is another end than bringing all men home
    assert net_for(rules("imperial")) is None


def test_a_net_does_not_judge_what_it_cannot_see(keep_net: KeepNet) -> None:
    keep_net("seis-dos-e-as", some_net(rules("seis-dos-e-as")))
    assert net_for(rules("seis-dos-e-as"))
    assert (
        net_for(rules("seis-dos-e-as", reentry="start-table")) is None
    )  # one bar in place of four


def test_a_net_made_for_an_option_judges_where_it_is_chosen(keep_net: KeepNet) -> None:
    keep_net("zeno", some_net(rules("zeno")))
    keep_net("zeno.goal=off", some_net(rules("zeno", goal="off")))
    off = net_for(rules("zeno", goal="off"))
    assert off is not None
    assert off is not net_for(rules("zeno"))
    assert net_for(rules("zeno", goal="off", unusable="loses")) is off
    assert net_for(rules("zeno", unusable="loses")) is net_for(rules("zeno"))


def test_a_net_made_for_an_option_does_not_judge_what_else_it_cannot_see(keep_net: KeepNet) -> None:
    keep_net("zeno", some_net(rules("zeno")))
    keep_net("zeno.unusable=loses", some_net(rules("zeno", unusable="loses")))
    assert net_for(rules("zeno", unusable="loses")) is not net_for(rules("zeno"))
    assert net_for(rules("zeno", goal="off", unusable="loses")) is None


def test_a_net_is_read_once(keep_net: KeepNet) -> None:
    keep_net("zeno", some_net(rules("zeno")))
    assert net_for(rules("zeno")) is net_for(rules("zeno", unusable="loses"))


def test_a_net_says_what_a_position_is_worth(keep_net: KeepNet) -> None:
    known, begin = pos("a15 z15 gold -", "zeno")
    plain = value(known, begin)
    keep_net("zeno", some_net(rules("zeno")))
    judged = value(known, begin)
    assert judged != plain
    assert judged.points == pytest.approx(2 * judged.win - 1, abs=1e-6)


@pytest.mark.parametrize("slug", GAMES)
def test_rules_are_known_by_their_game(slug: str) -> None:
    game = GAMES[slug]
    assert setting_of(game.rules_with({})) == (game, {})
    for option in game.options:
        for value_ in option.values:
            known = game.rules_with({option.name: value_.name})
            found, chosen = setting_of(known)
            assert found.rules_with(chosen) == known
            assert len(chosen) <= 1


def test_rules_of_two_games_are_those_of_the_one_that_needs_fewer_options() -> None:
    buffa, pareia = GAMES["buffa-cortesa"], GAMES["pareia-de-entrada"]
    assert setting_of(buffa.rules_with({"unusable": "lost"})) == (pareia, {})
    assert setting_of(buffa.rules_with({"unusable": "lost", "dice": "three"})) == (
        pareia,
        {"dice": "three"},
    )
    assert setting_of(pareia.rules_with({"unusable": "opponent", "dice": "three"})) == (
        buffa,
        {"dice": "three"},
    )


def test_a_net_that_is_not_there_is_told_from_a_damaged_one(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "zeno.npz")


def test_a_table_that_the_starter_chooses_is_none_to_be_studied() -> None:
    assert all("table" not in options for options in varied(GAMES["twelve-dogs"]))


def test_a_value_that_makes_no_difference_alone_is_none_to_be_studied() -> None:
    assert {"doubles": "twice"} in list(varied(GAMES["pyf"]))
    # Which throws are doubles matters where doubles are played otherwise, and of three dice.
    assert {"pairs": "any-pair"} not in list(varied(GAMES["pyf"]))
    assert {"pairs": "any-pair"} not in list(varied(GAMES["buffa-cortesa"]))
    assert differ(rules("pyf", doubles="twice", pairs="any-pair"), rules("pyf", doubles="twice"))
    assert differ(
        rules("buffa-cortesa", dice="three", pairs="any-pair"), rules("buffa-cortesa", dice="three")
    )


def test_options_are_written_and_read() -> None:
    assert spelt({"dice": "three", "goal": "off"}) == "dice=three.goal=off"
    assert read_option("goal=off") == {"goal": "off"}


def test_a_net_of_other_inputs_is_not_read(tmp_path: Path) -> None:
    net = some_net(rules("zeno"), hidden=5)
    assert net.hidden == 5
    save(net, tmp_path / "zeno.npz")
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
        load(tmp_path / "zeno.npz")


def spoilt(net: Net, path: Path, how: str) -> None:
    """Write a net, and damage its file."""
    parts = {
        "a number that is none": replace(net, bias=np.full_like(net.bias, np.nan)),
        "another shape": replace(net, second=net.second[:-1]),
    }
    save(parts.get(how, net), path)
    whole = path.read_bytes()
    match how:
        case "empty":
            path.write_bytes(b"")
        case "cut off":
            path.write_bytes(whole[: len(whole) // 2])
        case "one byte":
            at = len(whole) // 3
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        case "a part missing":
            np.savez(path, allow_pickle=False, first=net.first)


@pytest.mark.parametrize(
    "how",
    ["empty", "cut off", "one byte", "a part missing", "a number that is none", "another shape"],
)
def test_a_damaged_net_is_named(how: str, tmp_path: Path) -> None:
    spoilt(some_net(rules("zeno"), hidden=5), tmp_path / "zeno.npz", how)
    with pytest.raises(DamagedNetError, match=r"^zeno\.npz is damaged: "):
        load(tmp_path / "zeno.npz")


def test_rules_of_no_game_are_refused() -> None:
    with pytest.raises(ValueError, match="rules of no game"):
        game_of(replace(rules("zeno"), men=3))
