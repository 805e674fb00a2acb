"""A week's digest of a club: what was played, who won what, and what comes next."""
