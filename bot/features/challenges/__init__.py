"""Challenges, from the terms to the start of a match."""
