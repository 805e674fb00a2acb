"""Who meets whom in backgammon, by the names of the players."""

ZERO_PLY = "the net (0-ply)"
ONE_PLY = "the net (1-ply)"
GREEDY = "greedy"
GNUBG = "gnubg 0-ply"
GNUBG_ONE_PLY = "gnubg 1-ply"
GNUBG_TWO_PLY = "gnubg 2-ply"
PUBEVAL = "pubeval"
PAIRS = (
    (ZERO_PLY, GNUBG),
    (ONE_PLY, GNUBG),
    (ONE_PLY, GNUBG_ONE_PLY),
    (ONE_PLY, GNUBG_TWO_PLY),
    (ZERO_PLY, PUBEVAL),
    (GREEDY, GNUBG),
    (GREEDY, PUBEVAL),
    (GNUBG, PUBEVAL),
)
"""Who meets whom in backgammon, beside what every game is measured by."""

PLAYERS = tuple(dict.fromkeys(player for pair in PAIRS for player in pair))
"""All who meet."""
