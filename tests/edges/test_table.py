"""Every feature says what happens there when somebody or something comes or goes."""

import pytest

from tests.edges.table import (
    CELLS,
    EdgeLine,
    ImpossibleCell,
    PlayedCell,
    is_test,
    list_features,
    load_cells,
)

MIN_REASON = 15
"""A reason shorter than that says nothing about the feature."""


@pytest.mark.parametrize("feature", list_features())
def test_each_feature_fills_each_cell(feature: str) -> None:
    cells = load_cells(feature)
    assert [line for line in EdgeLine if line not in cells] == [], (
        f"say in {CELLS / feature}.toml which tests play each of these, or why it cannot occur"
    )
    assert set(cells) <= set(EdgeLine), "there is no such line"


@pytest.mark.parametrize("feature", list_features())
def test_each_cell_names_tests_or_a_reason(feature: str) -> None:
    for line, cell in load_cells(feature).items():
        match cell:
            case PlayedCell(tests):
                assert tests, line
                assert [node for node in tests if not is_test(node)] == [], line
            case ImpossibleCell(reason):
                assert len(reason) >= MIN_REASON, line
                assert reason.endswith("."), line


def test_no_file_tells_of_a_feature_that_has_gone() -> None:
    assert {path.stem for path in CELLS.iterdir()} == set(list_features())


def test_a_feature_without_a_file_has_empty_cells() -> None:
    assert load_cells("a feature of tomorrow") == {}


def test_a_test_that_does_not_exist_is_noticed() -> None:
    here = "tests/edges/test_table.py"
    assert is_test(f"{here}::test_a_test_that_does_not_exist_is_noticed")
    assert not is_test(f"{here}::test_of_tomorrow")
    assert not is_test("tests/edges/test_tomorrow.py::test_a_feature")
