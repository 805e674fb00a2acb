"""What the games are like, as a documentation page with pictures; `make studies` writes them.

Every figure comes from the studies kept beside the players' nets, so that none is written by hand.
"""
