"""Self-play: a kernel compiled from each game's rules, and what trains the nets with it.

Nothing here is needed to play; it uses numba, which the extra `train` brings.
"""
