"""Hints from the computer in the middle of a match."""
