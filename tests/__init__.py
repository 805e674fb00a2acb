"""The tests, laid out as the tree they test."""

import bot  # noqa: F401 - it says how many threads numpy may use, before anything imports numpy
