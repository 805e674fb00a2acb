"""Matches: what is played, how it is shown, and where."""
