"""The order of these tests: setting by setting."""

from pathlib import Path

import pytest

from tests.conformance.matches import EVERY

FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Group the tests of one setting.

    Otherwise every process that shares the tests would play all its matches.
    """
    places = [place for place, item in enumerate(items) if item.path.parent == FOLDER]
    ordered = sorted((items[place] for place in places), key=_find_setting)
    for place, item in zip(places, ordered, strict=True):
        items[place] = item


def _find_setting(item: pytest.Item) -> int:
    """Return which setting a test is about; those about none come first."""
    case = getattr(item, "callspec", None)
    setting = case.params.get("setting") if case else None
    return EVERY.index(setting) if setting in EVERY else -1
