"""`python -m lab.training`: a sentence explains a mistyped command.

It does so before anything is compiled.
"""

import sys

import pytest

from lab.training import __main__ as command


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        (("train", "zenoo"), "There is no game called 'zenoo'; did you mean Zeno?"),
        (
            ("train", "zeno", "--option", "gaol=off"),
            "There is no option called 'gaol'; there is: goal",
        ),
        (("train", "zeno", "--option", "goal=of"), "There is no value called 'of'; there is: off"),
        (
            ("train", "zeno", "--option", "goal"),
            "There is no value called ''; there is: table, off",
        ),
        (("train", "all", "--option", "goal=off"), "An option is chosen for one game, not for all"),
    ],
)
def test_what_is_not_there_is_told(
    typed: tuple[str, ...], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["training", *typed])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert str(ended.value) == text
