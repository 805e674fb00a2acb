"""Train the computer players' nets, measure their strength and find puzzles.

Run it as `python -m lab.training`.
"""

import argparse
import os
import sys
import time
from datetime import date
from pathlib import Path

os.environ.setdefault(
    "NUMBA_NUM_THREADS", "1"
)  # before numba is imported: each process is to keep to one core

from engine.games import GAMES, find_game
from engine.players.files import WEIGHTS, file_name
from engine.players.known import Options, parse_option
from engine.players.net import DamagedNetError
from engine.players.puzzles import FILE, load_puzzle_file
from engine.refusal import Refusal
from engine.rules import Game
from lab.studies.study import STUDIES

EXIT_INTERRUPTED = 130
"""What a program ends with that was interrupted at the keyboard."""


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(prog="python -m lab.training", description=__doc__)
    tasks = parser.add_subparsers(required=True)
    _add_train(tasks.add_parser("train", help="train one game's net, or all of them"))
    _add_sharpen(
        tasks.add_parser("sharpen", help="let a trained net learn what it sees one throw further")
    )
    _add_strength(
        tasks.add_parser("strength", help="measure the players and write docs/players.md")
    )
    _add_puzzles(
        tasks.add_parser("puzzles", help="have the players find positions with one best play")
    )
    _add_studies(
        tasks.add_parser("studies", help="play the games of which docs/studies.md is made")
    )
    given = parser.parse_args()
    try:
        given.task(given)
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    except DamagedNetError as error:
        sys.exit(f"{error}; put the file back, or delete it to start over")
    except Refusal as refusal:
        known = refusal.legal or refusal.parts.get("known", ())
        meant = f"; there is: {', '.join(known)}" if known else ""
        sys.exit(f"There is no {refusal.reason} called {refusal.parts['name']!r}{meant}")


def _add_train(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(task=_handle_train)
    parser.add_argument("game", help="the game to train, or `all`")
    parser.add_argument(
        "--parts", type=int, default=1, help="of how many such stretches this is one (default 1)"
    )
    _add_learning(parser)
    _add_common(parser)


def _add_sharpen(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(task=_handle_sharpen)
    parser.add_argument("game", help="the game whose net is to learn")
    parser.add_argument(
        "--hidden", type=int, default=0, help="how many hidden units it is to have at least"
    )
    _add_learning(parser)
    _add_common(parser)


def _add_learning(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--option", type=parse_option, default={}, help="a net for a value of an option: goal=off"
    )
    parser.add_argument(
        "--minutes", type=float, default=10, help="how long, compiling included (default 10)"
    )
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="where the nets are written")
    parser.add_argument(
        "--from",
        type=Path,
        dest="source",
        help="where to go on from (default: where they are written)",
    )


def _add_strength(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(task=_handle_strength)
    parser.add_argument(
        "--games", type=int, default=4000, help="of each match, at most (default 4000)"
    )
    parser.add_argument(
        "--seconds", type=float, default=30, help="for each game, at most (default 30)"
    )
    parser.add_argument(
        "--peers",
        type=float,
        default=180,
        help="seconds for backgammon against others, at most; 0 leaves them out (default 180)",
    )
    parser.add_argument("--nets", type=Path, default=WEIGHTS, help="where the nets lie")
    parser.add_argument(
        "--note", action="store_true", help="keep the figures beside the nets' weights too"
    )
    parser.add_argument("--page", type=Path, help="the page to write (default: docs/players.md)")
    _add_common(parser)


def _add_puzzles(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(task=_handle_puzzles)
    parser.add_argument("--each", type=int, default=12, help="of each game, at most (default 12)")
    parser.add_argument(
        "--games", type=int, default=400, help="of each game looked through, at most (default 400)"
    )
    parser.add_argument(
        "--seconds", type=float, default=120, help="for each game's new ones, about (default 120)"
    )
    parser.add_argument(
        "--file", type=Path, default=FILE, help="where the puzzles are, and are written"
    )
    _add_common(parser)


def _add_studies(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(task=_handle_studies)
    parser.add_argument(
        "--games",
        type=int,
        default=10_000,
        help="of a game's player against itself, in all, by the usual rules and with every option "
        "(default 10,000)",
    )
    parser.add_argument(
        "--seconds", type=float, default=300, help="for a game's usual rules, at most (default 300)"
    )
    parser.add_argument(
        "--minutes", type=float, default=25, help="for everything together (default 25)"
    )
    parser.add_argument("--nets", type=Path, default=WEIGHTS, help="where the nets lie")
    parser.add_argument(
        "--kept", type=Path, default=STUDIES, help="where the figures lie, and are written"
    )
    _add_common(parser)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count() or 1, help="for all games: how many at once"
    )
    parser.add_argument("--only", nargs="*", default=list(GAMES), help="for all games: only these")
    parser.add_argument("--seed", type=int, default=1)


def _handle_train(given: argparse.Namespace) -> None:
    began = time.monotonic()
    games = [find_game(name) for name in (given.only if given.game == "all" else [given.game])]
    if given.option and given.game == "all":
        sys.exit("An option is chosen for one game, not for all")
    options = _drop_default_options(games[0], given.option)
    _print_line("Compiling the kernel, a minute or two where it is not yet")
    # Imported only here, for what they import is compiled at once; all processes forked afterwards
    # have it.
    from lab.training.practice import TrainingPlan, train_net
    from lab.training.together import JointTrainingPlan, train_all

    source = given.source or given.out
    seconds = given.minutes * 60 - (time.monotonic() - began)
    if given.game == "all":
        train_all(
            games,
            JointTrainingPlan(seconds, given.processes, source, given.out, given.parts, given.seed),
            _print_line,
        )
        return
    game = games[0]
    _print_line(f"Training {game.title}; it may be interrupted at any moment")
    train_net(
        game,
        TrainingPlan(seconds, seconds * given.parts, source, given.out, given.seed, options),
        _print_line,
    )


def _handle_sharpen(given: argparse.Namespace) -> None:
    began = time.monotonic()
    game = find_game(given.game)
    options = _drop_default_options(game, given.option)
    source = given.source or given.out
    if not (source / file_name(game, options)).exists():
        sys.exit(f"There is no net for this in {source} yet; `train` makes one")
    _print_line("Compiling the kernel, a minute or two where it is not yet")
    from lab.training.practice import TrainingPlan
    from lab.training.sharpening import sharpen_net

    seconds = given.minutes * 60 - (time.monotonic() - began)
    _print_line(f"Sharpening {game.title}'s net; interrupted, it stays as it was")
    plan = TrainingPlan(seconds, seconds, source, given.out, given.seed, options)
    sharpen_net(game, plan, given.hidden, given.processes, _print_line)


def _drop_default_options(game: Game, options: Options) -> Options:
    """Return the options that differ from their defaults.

    Raises Refusal for one that the game doesn't have.
    """
    known = {name: game.find_option(name) for name in options}
    return {
        name: value
        for name, value in options.items()
        if known[name].find_value(value) is not known[name].default_value
    }


def _handle_strength(given: argparse.Namespace) -> None:
    if given.page and not given.page.exists():
        sys.exit(f"There is no page {given.page} to write the figures in")
    games = [find_game(name) for name in given.only]
    _print_line("Compiling the kernel, a minute or two where it is not yet")
    from lab.training.matches import Bound
    from lab.training.report import PAGE, format_figures, format_strength, replace_figures
    from lab.training.strength import StrengthPlan, measure_all, measure_peers, store_strength

    plan = StrengthPlan(
        given.nets, Bound(given.games, given.seconds), Bound(10_000, given.peers), given.seed
    )
    strengths = []
    day = date.today()  # noqa: DTZ011 - the day of whoever measures
    for strength in measure_all(games, plan, given.processes):
        _print_line(format_strength(strength, day))
        if given.note:
            store_strength(strength, given.nets)
        strengths.append(strength)
    peers = measure_peers(plan, given.processes, _print_line) if given.peers > 0 else None
    page = given.page or PAGE
    # Read only now: somebody may have written on the page in the hour before.
    before = page.read_text()
    page.write_text(replace_figures(before, format_figures(strengths, peers, day, before)))
    _print_line(f"Written to {page}")


def _handle_puzzles(given: argparse.Namespace) -> None:
    # Nothing of this is compiled.
    from lab.training.puzzles import PuzzleSearch, rebuild_puzzles

    games = [find_game(name).slug for name in given.only]
    search = PuzzleSearch(given.each, given.games, given.seconds, given.seed)
    for game, found in rebuild_puzzles(given.file, search, games, given.processes):
        _print_line(f"{GAMES[game].title}: {len(found)} puzzles")
    _print_line(f"{len(load_puzzle_file(given.file))} puzzles in {given.file}")


def _handle_studies(given: argparse.Namespace) -> None:
    games = [find_game(name) for name in given.only]
    _print_line("Compiling the kernel, a minute or two where it is not yet")
    from lab.training.matches import Bound
    from lab.training.studies import StudyPlan, list_missing_tasks, play_studies

    plan = StudyPlan(
        given.nets, given.kept, Bound(given.games, given.seconds), given.seed, given.minutes * 60
    )
    for slug, name, kept in play_studies(games, plan, given.processes):
        _print_line(f"{slug} {name}: {kept.games:,} games by {kept.by}")
    _print_line(
        f"Written to {given.kept}; {len(list_missing_tasks(games, plan))} studies still lack "
        "games, which another run adds"
    )


def _print_line(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a command's output


if __name__ == "__main__":
    main()
