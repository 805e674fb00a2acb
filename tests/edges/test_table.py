"""Every feature says what happens there when somebody or something comes or goes."""

import pytest

from tests.edges import table

MIN_REASON = 15
"""A reason shorter than that says nothing about the feature."""


@pytest.mark.parametrize("feature", table.list_features())
def test_each_feature_fills_each_cell(feature: str) -> None:
    cells = table.load_cells(feature)
    assert [line for line in table.EdgeLine if line not in cells] == [], (
        f"say in {table.CELLS / feature}.toml which tests play each, or why it cannot occur"
    )
    assert set(cells) <= set(table.EdgeLine), "there is no such line"


@pytest.mark.parametrize("feature", table.list_features())
def test_each_cell_names_tests_or_a_reason(feature: str) -> None:
    for line, cell in table.load_cells(feature).items():
        match cell:
            case table.PlayedCell(tests):
                assert tests, line
                assert [node for node in tests if not table.is_test(node)] == [], line
            case table.ImpossibleCell(reason):
                assert len(reason) >= MIN_REASON, line
                assert reason.endswith("."), line


def test_no_file_tells_of_a_feature_that_has_gone() -> None:
    assert {path.stem for path in table.CELLS.iterdir()} == set(table.list_features())


def test_a_feature_without_a_file_has_empty_cells() -> None:
    assert table.load_cells("a feature of tomorrow") == {}


def test_a_test_that_does_not_exist_is_noticed() -> None:
    here = "tests/edges/test_table.py"
    assert table.is_test(f"{here}::test_a_test_that_does_not_exist_is_noticed")
    assert not table.is_test(f"{here}::test_of_tomorrow")
    assert not table.is_test("tests/edges/test_tomorrow.py::test_a_feature")
