"""Deadlines: what a clock brings about, a calendar file of them, and vacation that stops them."""
