"""The tests, laid out as the tree they test."""
