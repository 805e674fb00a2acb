"""Self-play: a compiled kernel that plays every game by tables made from its rules, and what trains the nets with it.

Nothing here is needed to play; it is the one place that uses numba, which the extra `train` brings.
"""
