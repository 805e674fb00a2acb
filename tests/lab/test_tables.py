"""The kernel knows or refuses each field of the rules, so that no net is taught another game."""

from collections.abc import Callable, Iterator
from dataclasses import field, fields, make_dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pytest

from engine.board import GameBoard
from engine.games import EDITIONS, GAMES
from engine.players.files import WEIGHTS
from engine.rules import Ban, Dice, OpeningRollRules, Rules, SideRules
from lab.training.tables import KNOWN_FIELDS, UnknownRuleError, build_tables
from tests.conformance.matches import EVERY

ZENO = GAMES["zeno"].rules


class Part(NamedTuple):
    """A dataclass that rules are made of, one of its kind, and the rules with another one."""

    kind: type
    one: Any
    put: Callable[[Any], Rules]


PARTS = {
    "rules": Part(Rules, ZENO, lambda part: part),
    "side": Part(SideRules, ZENO.gold, lambda part: replace(ZENO, gold=part)),
    "dice": Part(Dice, ZENO.dice, lambda part: replace(ZENO, dice=part)),
    "battle": Part(OpeningRollRules, ZENO.battle, lambda part: replace(ZENO, battle=part)),
    "board": Part(GameBoard, ZENO.board, lambda part: replace(ZENO, board=part)),
}

UNREAD = {"ending_texts", "piled", "lower", "sides", "name", "tables", "rows"}
"""Fields that make no difference to the games that a net is taught."""


@pytest.mark.parametrize("name", PARTS)
def test_the_kernel_knows_the_fields_there_are(name: str) -> None:
    assert KNOWN_FIELDS[name] == {each.name for each in fields(PARTS[name].kind)}, (
        "a field that is new: have lab/training read or refuse it, and name it in KNOWN_FIELDS"
    )


@pytest.mark.parametrize("name", PARTS)
def test_a_field_that_is_new_is_refused_unless_it_is_at_its_default(name: str) -> None:
    kind, one, put = PARTS[name]
    more: Any = make_dataclass(
        "More", [("novel", int, field(default=0))], bases=(kind,), frozen=True
    )
    usual = more(**{each.name: getattr(one, each.name) for each in fields(kind)})
    assert np.array_equal(build_tables(put(usual)), build_tables(ZENO))
    with pytest.raises(UnknownRuleError, match="does not know the field novel of More"):
        build_tables(put(replace(usual, novel=1)))


def iter_changes(name: str, of: str) -> Iterator[tuple[Rules, Rules]]:
    """Yield rules in which a field is not at its default, and the same with its default."""
    every = [GAMES[slug].resolve_rules(dict(options)) for slug, options in EVERY]
    every += [
        game.resolve_rules({option.name: value.name})
        for game in EDITIONS.values()
        for option in game.options
        for value in option.values
    ]
    for rules in every:
        part: Any = rules if of == "rules" else getattr(rules, _FIELDS[of])
        (known,) = (each for each in fields(part) if each.name == name)
        if getattr(part, name) == known.default:
            continue
        usual: Any = replace(part, **{name: known.default})
        yield rules, usual if of == "rules" else replace(rules, **{_FIELDS[of]: usual})


_FIELDS = {"side": "gold", "dice": "dice", "battle": "battle", "board": "board"}

OPTIONAL = [
    (of, each.name)
    for of in ("rules", "side", "dice", "battle")
    for each in fields(PARTS[of].kind)
    if each.name not in UNREAD | {"gold", "black", "board", "start", "apart", "course", "ban"}
]
"""Every field that has a default and is read into the tables, by what has it.

`start` and `apart` are in the row with which games begin.
"""


@pytest.mark.parametrize(("of", "name"), OPTIONAL)
def test_a_known_field_is_read_or_refused(of: str, name: str) -> None:
    for rules, usual in iter_changes(name, of):
        try:
            if not np.array_equal(build_tables(rules), build_tables(usual)):
                return
        except UnknownRuleError:
            return
    pytest.fail(f"no game's {name} makes a difference to the tables")


def test_a_ban_of_a_game_s_own_is_refused_until_the_kernel_knows_it() -> None:
    with pytest.raises(UnknownRuleError, match="does not know the ban"):
        build_tables(replace(ZENO, ban=Ban("zeno", lambda _rules, _position, _move: None)))


@pytest.mark.parametrize("slug", sorted({path.name.split(".")[0] for path in WEIGHTS.iterdir()}))
def test_the_kernel_knows_every_game_that_has_a_net(slug: str) -> None:
    if slug in GAMES:
        assert build_tables(GAMES[slug].resolve_rules({})).any()
