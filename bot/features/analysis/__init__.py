"""Analysing a position that somebody pastes, and a discussion of it in a channel."""
