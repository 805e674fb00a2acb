"""Ratings, leaderboards and profiles."""
