"""Games picked out for those who do not know which to choose, by their slugs."""

FIRST_GAME = "zeno"
"""A race with something to decide in every turn, of which one needs to know little."""
QUICK_GAME = "fallas"
"""A short game with something to decide in every throw."""
VARIED_GAMES = (FIRST_GAME, "tabula", "backgammon", "laquet", QUICK_GAME)
"""A few games, each unlike the others."""
SHOWN_GAME = "ludus-anglicorum"
"""A game whose board can show all that a picture has: an assumed six, a hit, a special position."""
