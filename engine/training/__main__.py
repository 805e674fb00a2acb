"""`python -m engine.training`: train one game's net, or all of them."""

import argparse
import os
import time
from pathlib import Path

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(threads, "1")  # before numpy is imported: each process is to keep to one core

from engine.games import GAMES, find_game  # noqa: E402
from engine.players.net import WEIGHTS  # noqa: E402


def main() -> None:
    """Read the command line and train."""
    began = time.monotonic()
    parser = argparse.ArgumentParser(prog="python -m engine.training", description="Train the computer players.")
    parser.add_argument("game", help="the game to train, or `all`")
    parser.add_argument("--minutes", type=float, default=10, help="how long, compiling included (default 10)")
    parser.add_argument("--parts", type=int, default=1, help="of how many such stretches this is one (default 1)")
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="where the nets are written")
    parser.add_argument(
        "--from", type=Path, dest="source", help="where to go on from (default: where they are written)"
    )
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="for all games: how many at once")
    parser.add_argument("--only", nargs="*", default=list(GAMES), help="for all games: only these")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    games = [find_game(name) for name in (given.only if given.game == "all" else [given.game])]
    _say("Compiling the kernel, a minute or two where it is not yet")
    # Imported only here, for what they import is compiled at once; all processes forked afterwards have it.
    from engine.training.practice import Plan, train
    from engine.training.together import Whole, train_all

    source = given.source or given.out
    seconds = given.minutes * 60 - (time.monotonic() - began)
    if given.game == "all":
        train_all(games, Whole(seconds, given.processes, source, given.out, given.parts, given.seed), _say)
        return
    game = games[0]
    name = f"{game.slug}.npz"
    _say(f"Training {game.title}; it may be interrupted at any moment")
    try:
        train(game, Plan(seconds, seconds * given.parts, source / name, given.out / name, given.seed), _say)
    except KeyboardInterrupt:
        _say("Stopped; the next time it goes on from the net last written")


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a command's output


if __name__ == "__main__":
    main()
