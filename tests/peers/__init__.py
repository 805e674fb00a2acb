"""Backgammon held against engines of today; skipped where they are not installed."""
