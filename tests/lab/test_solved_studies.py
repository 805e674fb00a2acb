"""Games that are solved come out in the studies as they must."""

import math

import pytest

from lab.solving.figures import SOLVED_OPTIONS
from lab.studies.page import build_page
from lab.studies.solved import find_solved_share
from lab.studies.study import Study, load_game_studies

MAX_ERRORS = 4
"""Standard errors by which the furthest of all shares may be off."""
MAX_SUM = 41
"""What the squares of so many of them come to once in a thousand cases."""
COMPARED = 17


def list_errors() -> list[float]:
    """By how many standard errors each share of a solved reading is off."""
    errors = []
    for slug in SOLVED_OPTIONS:
        for name, study in load_game_studies(slug).items():
            # Greedy and random players are no best play.
            if not isinstance(study, Study) or not study.by.startswith("net "):
                continue
            solved = find_solved_share(slug, name)
            counted = study.starter_share
            if solved and counted.whole:
                error = math.sqrt(solved * (1 - solved) / counted.whole)
                errors.append((counted.value - solved) / error)
    return errors


def test_the_studies_of_solved_games_agree_with_what_is_solved() -> None:
    errors = list_errors()
    assert len(errors) == COMPARED
    assert max(map(abs, errors)) < MAX_ERRORS
    assert sum(error**2 for error in errors) < MAX_SUM


@pytest.mark.parametrize(
    ("slug", "study", "percent"),
    [
        ("doblet", "usual", "52.03"),
        ("paume-carie-one", "doubles=twice-again", "54.65"),
        ("twelve-dogs", "unusable=loses", "51.45"),
    ],
)
def test_what_is_solved_stands_beside_what_was_counted(slug: str, study: str, percent: str) -> None:
    solved = find_solved_share(slug, study)
    assert solved is not None
    assert f"{100 * solved:.2f}" == percent
    shown = f"it wins {percent}%" if study == "usual" else f"; solved: {percent} |"
    assert shown in build_page()


@pytest.mark.parametrize(
    ("slug", "study"),
    [
        ("zeno", "usual"),
        ("paume-carie-one", "players=3"),
        ("doblet", "greedy"),
    ],
)
def test_of_other_games_nothing_is_said_to_be_solved(slug: str, study: str) -> None:
    assert find_solved_share(slug, study) is None
