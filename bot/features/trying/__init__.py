"""Trying a play before making it: /try."""
