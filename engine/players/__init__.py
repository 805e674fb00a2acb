"""The computer players: what a net sees, the nets, what a position is worth, what to play, how a match was played."""

import os

# Read by numpy's libraries when it is imported, which only what lies here and in `engine.training` does. The nets are
# small: threads that share such a product wait for one another four times as long as it takes one of them alone.
for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")
