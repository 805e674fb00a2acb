"""Where tests keep their files, what their programs inherit, and what is left to sweeps."""

import gc
import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from hatch_build import LOCALES, compile_catalogues
from tests.support.memory import find_memory_folder
from tests.support.pseudo import collect_words, read_template

# Examples are made slowly while something else keeps the machine busy, which is no fault of theirs.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")


def pytest_configure(config: pytest.Config) -> None:
    """Keep the files of the tests in memory, unless it is said where, and collect garbage rarely.

    As a rule Python looks through all that a test process holds again and again: all tests took 4%
    less without. It does not while tests are collected, and the clubs that tests leave behind are
    found soon enough. What translations have changed is compiled before any worker starts.
    """
    gc.set_threshold(10_000, 20, 50)
    gc.disable()
    # A shell lets what it runs in the background ignore them, and tests interrupt their programs.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if folder := find_memory_folder():
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(folder))
    if not hasattr(config, "workerinput"):
        compile_catalogues(LOCALES)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave what needs a database server, or the bot as a process of its own, but for a few.

    So are tests that are marked as sweeps themselves. Those with processes of their own come first:
    they wait for them, while other workers still have enough to do.
    """
    for item in items:
        started = item.get_closest_marker("wire") or "server" in getattr(item, "fixturenames", ())
        if started and not item.get_closest_marker("core"):
            item.add_marker(pytest.mark.sweep)
    items.sort(key=lambda item: item.get_closest_marker("wire") is None)


def pytest_collection_finish() -> None:
    """Look for garbage among what the tests make alone, and not among all tests and modules."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def pseudo_words() -> frozenset[str]:
    """The words of the made-up language."""
    return collect_words(read_template())
