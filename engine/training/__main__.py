"""`python -m engine.training`: train one game's net, or all of them."""

import argparse
import os
from pathlib import Path

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(threads, "1")  # before numpy is imported: each process is to keep to one core

from engine.games import GAMES, find_game  # noqa: E402
from engine.players.net import WEIGHTS  # noqa: E402
from engine.training.practice import Plan, train  # noqa: E402
from engine.training.together import Whole, train_all  # noqa: E402


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(prog="python -m engine.training", description="Train the computer players.")
    parser.add_argument("game", help="the game to train, or `all`")
    parser.add_argument("--minutes", type=float, default=10, help="how long (default 10)")
    parser.add_argument("--parts", type=int, default=1, help="of how many such stretches this is one (default 1)")
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="where the nets are written")
    parser.add_argument("--from", type=Path, dest="source", help="where to go on from (default: where they are written)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="for all games: how many at once")
    parser.add_argument("--only", nargs="*", default=list(GAMES), help="for all games: only these")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    source = given.source or given.out
    seconds = given.minutes * 60
    if given.game == "all":
        games = [find_game(name) for name in given.only]
        train_all(games, Whole(seconds, given.processes, source, given.out, given.parts, given.seed))
        return
    game = find_game(given.game)
    names = (folder / f"{game.slug}.npz" for folder in (source, given.out))
    print(f"Training {game.title}; it may be interrupted at any moment", flush=True)
    try:
        train(game, Plan(seconds, seconds * given.parts, *names, given.seed), lambda line: print(line, flush=True))
    except KeyboardInterrupt:
        print("Stopped; the net last written goes on from there.")


if __name__ == "__main__":
    main()
