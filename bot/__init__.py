"""The Discord bot: everything that touches the world."""

import os

# Read by numpy's libraries when the computer players import it. Their nets are small: threads that
# share such a product wait for one another four times as long as it takes one of them alone.
for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")
