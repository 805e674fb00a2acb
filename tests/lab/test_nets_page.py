"""The table of the nets, and the page that says how to load one."""

import re

import pytest

from engine.games import GAMES
from engine.players.files import WEIGHTS
from engine.players.net import load_net
from engine.players.nets import get_net
from engine.players.requests import evaluate_position
from lab.docs import DOCS
from lab.nets_page import COLUMNS, build_page


def list_rows() -> list[dict[str, str]]:
    lines = [line.strip("| ") for line in build_page().splitlines() if line.startswith("| ")]
    return [dict(zip(COLUMNS, line.split(" | "), strict=True)) for line in lines[2:]]


def test_every_net_has_a_row() -> None:
    files = [row["file"].strip("`") for row in list_rows()]
    assert sorted(files) == sorted(path.name for path in WEIGHTS.glob("*.npz"))
    assert {row["game"] for row in list_rows()} >= {game.title for game in GAMES.values()}


def test_a_row_says_what_its_net_is() -> None:
    (row,) = (row for row in list_rows() if row["file"] == "`backgammon.npz`")
    net = get_net(GAMES["backgammon"].resolve_rules({}))
    assert net is not None
    assert (int(row["inputs"]), int(row["hidden"])) == net.first.shape
    assert row["SHA-256"] == f"`{net.digest}`"
    assert row["games"] == f"{net.facts['games']:,}"
    assert row["against greedy, %"] == f"{100 * net.facts['strength']['greedy']['share']:.1f}"


def test_a_net_that_learnt_by_an_earlier_edition_is_marked() -> None:
    marked = {row["file"].strip("`") for row in list_rows() if "now" in row["edition"]}
    newest = {game.slug: game.edition for game in GAMES.values()}
    assert marked == {
        path.name
        for path in WEIGHTS.glob("*.npz")
        if load_net(path).facts["edition"] < newest[path.name.partition(".")[0]]
    }
    assert "tabula.npz" in marked


def test_what_1_ply_wins_is_as_on_the_page_of_strength() -> None:
    page = (DOCS / "generated" / "strength.md").read_text("utf-8")
    # The first such cell of a row is of the games against greedy.
    cells = r"^\| ([^|]+) \|.*?\| ([0-9.]+) ± [0-9.]+ \(([0-9]+)\) \|"
    measured = {
        title: (float(share), games)
        for title, share, games in re.findall(cells, page, re.MULTILINE)
    }
    rows = {
        row["game"]: row["1-ply against greedy, luck-adjusted, % (games)"] for row in list_rows()
    }
    titles = [game.title for game in GAMES.values() if rows[game.title] != "-"]
    assert titles
    for title in titles:
        share, _, games = rows[title].partition(" ")
        assert float(share) == pytest.approx(measured[title][0], abs=0.6)
        assert games == f"({measured[title][1]})"


def test_shares_are_those_of_the_page_of_strength() -> None:
    page = (DOCS / "generated" / "strength.md").read_text("utf-8")
    cells = r"^\| ([^|]+) \| [^|]+ \| ([0-9.]+) ± [^|]+ \| ([0-9.]+) ± "
    measured = re.findall(cells, page, re.MULTILINE)
    shares = [
        (row["game"], row["against random, %"], row["against greedy, %"])
        for row in list_rows()
        if ", `" not in row["game"]
    ]
    assert shares == [
        each for each in measured if each[0] in {game.title for game in GAMES.values()}
    ]


def test_the_example_loads_a_net_and_evaluates(capsys: pytest.CaptureFixture[str]) -> None:
    text = (DOCS / "players.md").read_text("utf-8")
    example, _ = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(example.strip().splitlines()) <= 6
    exec(example, {})
    rules = GAMES["backgammon"].resolve_rules({})
    net = get_net(rules)
    assert net is not None
    value = evaluate_position(rules, rules.start_position)
    assert capsys.readouterr().out == f"{net.facts['games']} {value}\n"
    assert 0.5 < value.win < 0.6
