"""Computer players: what a position is worth, what to play, and how well a match was played."""
