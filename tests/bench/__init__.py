"""How fast the hot paths are, always beside something known that is timed in the same run."""
