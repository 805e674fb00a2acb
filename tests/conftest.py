"""Which tests are left to `make test-all`, beside those that are marked as sweeps themselves."""

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave what needs a database server, or the bot as a process of its own, but for a few."""
    for item in items:
        started = item.get_closest_marker("wire") or "server" in getattr(item, "fixturenames", ())
        if started and not item.get_closest_marker("core"):
            item.add_marker(pytest.mark.sweep)
