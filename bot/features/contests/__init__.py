"""Leagues: round robins in divisions, by seasons."""
