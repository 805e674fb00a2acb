"""Puzzles: a position and a throw, and what to play."""
