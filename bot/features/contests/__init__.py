"""Leagues and tournaments: their formats, sign-up, matches, standings and seasons."""
