"""Analysis: the best plays of a position or a match, hints, and plays that are only tried."""
