"""The computer players: what a net sees, the nets, what a position is worth, what to play, how a match was played."""
