"""Train the computer players' nets, measure their strength and find puzzles.

Run it as `python -m lab.training`.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

os.environ.setdefault(
    "NUMBA_NUM_THREADS", "1"
)  # before numba is imported: each process is to keep to one core

from engine.games import GAMES, find_game
from engine.players.files import WEIGHTS, file_name
from engine.players.net import DamagedNetError
from engine.players.nets import find_net
from engine.players.puzzles import FILE, load_puzzle_file
from engine.players.variants import Options, format_options, parse_option
from engine.refusal import Reason, Refusal
from engine.rules import Game
from lab.command_line import (
    EXIT_INTERRUPTED,
    SentenceParser,
    describe_missing_package,
    join_names,
    parse_duration,
    postpone_interrupt,
    whole_number,
)
from lab.studies.errors import ERRORS, load_errors, store_error
from lab.studies.study import STUDIES, load_game_studies
from lab.training.pairs import PAIRS, PLAYERS

if TYPE_CHECKING:
    from lab.training.report import RunStamp
    from lab.training.strength import StrengthPlan


def main() -> None:
    """Read the command line and do what it says."""
    parser = SentenceParser(prog="python -m lab.training", description=__doc__)
    tasks = parser.add_subparsers(required=True, metavar="TASK")
    _add_train(tasks.add_parser("train", help="train one game's net, or all of them"))
    _add_sharpen(
        tasks.add_parser("sharpen", help="let a trained net learn what it sees one throw further")
    )
    _add_strength(tasks.add_parser("strength", help="measure the players and write their page"))
    _add_errors(tasks.add_parser("errors", help="measure how far the nets' evaluations err"))
    _add_puzzles(
        tasks.add_parser("puzzles", help="have the players find positions with one best play")
    )
    _add_studies(
        tasks.add_parser(
            "studies", help="play the games whose figures docs/generated/studies.md has"
        )
    )
    # What has been stored, so that an interrupted run can say so.
    arguments = parser.parse_args(namespace=argparse.Namespace(done=[], keeps=""))
    try:
        arguments.task(arguments)
    except KeyboardInterrupt:
        _print_line(_describe_interruption(arguments))
        sys.exit(EXIT_INTERRUPTED)
    except ModuleNotFoundError as error:
        sys.exit(describe_missing_package(error))
    except DamagedNetError as error:
        sys.exit(f"{error}; put the file back, or delete it to start over")
    except Refusal as refusal:
        sys.exit(_describe_refusal(refusal))


def _describe_interruption(arguments: argparse.Namespace) -> str:
    """Return a sentence on what an interrupted run keeps."""
    if not arguments.keeps:
        return "Interrupted"
    if not arguments.done:
        return "Interrupted before anything was done; nothing was changed"
    return f"Interrupted; kept {arguments.keeps}: {join_names(arguments.done)}"


def _describe_refusal(refusal: Refusal) -> str:
    name = f"There is no {refusal.reason} called {refusal.parts['name']!r}"
    if refusal.reason is Reason.GAME:
        # They are only those of nearly that name.
        return f"{name}; did you mean {' or '.join(refusal.legal)}?" if refusal.legal else name
    known = refusal.legal or refusal.parts.get("known", ())
    return f"{name}; there is: {', '.join(known)}" if known else name


def _add_train(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(task=_handle_train)
    parser.add_argument("game", help="the game to train, or `all`")
    parser.add_argument(
        "--parts",
        type=whole_number(1),
        default=1,
        help="of how many such stretches this is one (default 1)",
    )
    _add_learning(parser)
    _add_common(parser)


def _add_sharpen(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(task=_handle_sharpen)
    parser.add_argument("game", help="the game whose net is to learn")
    parser.add_argument(
        "--hidden",
        type=whole_number(0),
        default=0,
        help="how many hidden units it is to have at least",
    )
    _add_learning(parser)
    _add_common(parser)


def _add_learning(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--option", type=parse_option, default={}, help="a net for a value of an option: goal=off"
    )
    parser.add_argument(
        "--minutes",
        type=parse_duration,
        default=10,
        help="how long, compiling included (default 10)",
    )
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="where the nets are written")
    parser.add_argument(
        "--from",
        type=Path,
        dest="source",
        help="where to go on from (default: where they are written)",
    )


def _add_strength(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(task=_handle_strength, keeps="on the page, and beside the nets with --note")
    parser.add_argument(
        "--games", type=whole_number(1), default=4000, help="of each match, at most (default 4000)"
    )
    parser.add_argument(
        "--seconds",
        type=parse_duration,
        default=30,
        help="for each game, at most; 0 leaves its matches out (default 30)",
    )
    parser.add_argument(
        "--peers",
        type=parse_duration,
        default=180,
        help="seconds for backgammon against others, at most; 0 leaves them out (default 180)",
    )
    parser.add_argument(
        "--decisions",
        type=whole_number(0),
        default=3000,
        help="of backgammon that a referee judges; 0 leaves them out (default 3000)",
    )
    parser.add_argument(
        "--against",
        nargs="+",
        default=[],
        choices=PLAYERS,
        metavar="PLAYER",
        help=f"only backgammon's matches with these: {', '.join(PLAYERS)}",
    )
    _add_nets(parser)
    parser.add_argument(
        "--note", action="store_true", help="keep the figures beside the nets' weights too"
    )
    parser.add_argument("--page", type=Path, help="the page to write (default: strength.md)")
    _add_common(parser)


def _add_errors(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(
        task=_handle_errors,
        keeps="(`python -m lab.studies` and `make docs` write the other pages that say so)",
    )
    # Of fewer than two nothing says how much they vary.
    parser.add_argument(
        "--positions", type=whole_number(2), default=400, help="of each game, at most (default 400)"
    )
    parser.add_argument(
        "--rollouts", type=whole_number(2), default=100, help="of each position (default 100)"
    )
    parser.add_argument(
        "--turns",
        type=whole_number(1),
        default=12,
        help="after which a rollout is stopped (default 12)",
    )
    parser.add_argument("--adjusted", action="store_true", help="take the luck of the throws away")
    parser.add_argument(
        "--seconds",
        type=parse_duration,
        default=60,
        help="of a processor for each game (default 60)",
    )
    _add_nets(parser)
    parser.add_argument(
        "--kept", type=Path, default=ERRORS, help="where the figures lie, and are written"
    )
    parser.add_argument("--page", type=Path, help="the page to write (default: strength.md)")
    _add_common(parser)


def _add_puzzles(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(task=_handle_puzzles)
    parser.add_argument(
        "--each", type=whole_number(1), default=12, help="of each game, at most (default 12)"
    )
    parser.add_argument(
        "--games",
        type=whole_number(1),
        default=400,
        help="of each game looked through, at most (default 400)",
    )
    parser.add_argument(
        "--seconds",
        type=parse_duration,
        default=120,
        help="for each game's new ones, about (default 120)",
    )
    parser.add_argument(
        "--file", type=Path, default=FILE, help="where the puzzles are, and are written"
    )
    _add_common(parser)


def _add_studies(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(
        task=_handle_studies,
        keeps="(`python -m lab.studies` and `make docs` write the pages of them)",
    )
    parser.add_argument(
        "--games",
        type=whole_number(1),
        default=10_000,
        help="of a game's player against itself, in all, by the usual rules and with every option "
        "(default 10,000)",
    )
    parser.add_argument(
        "--seconds",
        type=parse_duration,
        default=300,
        help="for a game's usual rules, at most (default 300)",
    )
    parser.add_argument(
        "--minutes", type=parse_duration, default=25, help="for everything together (default 25)"
    )
    _add_nets(parser)
    parser.add_argument(
        "--kept", type=Path, default=STUDIES, help="where the figures lie, and are written"
    )
    parser.add_argument(
        "--repeat",
        action="store_true",
        help="play the stored games again with their seeds, and say whether the counts are the "
        "same; writes nothing",
    )
    parser.add_argument(
        "--study", nargs="+", default=[], help="with --repeat: only these, as usual or goal=off"
    )
    parser.add_argument(
        "--renew", action="store_true", help="with --repeat: store the counts that differ"
    )
    _add_common(parser)


def _add_nets(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--nets", type=_parse_nets, default=WEIGHTS, help="the folder in which the nets lie"
    )


def _parse_nets(text: str) -> Path:
    """Read the name of a folder; without nets in it, greedy would be measured instead."""
    if not any(Path(text).glob("*.npz")):
        raise argparse.ArgumentTypeError(f"there are no nets in {text}")
    return Path(text)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--processes",
        type=whole_number(1),
        default=os.cpu_count() or 1,
        help="for all games: how many at once",
    )
    parser.add_argument("--only", nargs="+", default=list(GAMES), help="for all games: only these")
    parser.add_argument("--seed", type=whole_number(0), default=1)


def _handle_train(arguments: argparse.Namespace) -> None:
    began = time.monotonic()
    games = [
        find_game(name)
        for name in (arguments.only if arguments.game == "all" else [arguments.game])
    ]
    if arguments.option and arguments.game == "all":
        sys.exit("An option is chosen for one game, not for all")
    options = _drop_default_options(games[0], arguments.option)
    _print_line("Compiling the kernel, a minute or two where it is not yet")
    # Imported only here, for what they import is compiled at once; all processes forked afterwards
    # have it.
    from lab.training.practice import TrainingPlan, train_net
    from lab.training.train_all import JointTrainingPlan, train_all

    source = arguments.source or arguments.out
    seconds = arguments.minutes * 60 - (time.monotonic() - began)
    if arguments.game == "all":
        train_all(
            games,
            JointTrainingPlan(
                seconds, arguments.processes, source, arguments.out, arguments.parts, arguments.seed
            ),
            _print_line,
        )
        return
    game = games[0]
    _print_line(f"Training {game.title}; it may be interrupted at any moment")
    train_net(
        game,
        TrainingPlan(
            seconds, seconds * arguments.parts, source, arguments.out, arguments.seed, options
        ),
        _print_line,
    )


def _handle_sharpen(arguments: argparse.Namespace) -> None:
    began = time.monotonic()
    game = find_game(arguments.game)
    options = _drop_default_options(game, arguments.option)
    source = arguments.source or arguments.out
    if not (source / file_name(game, options)).exists():
        sys.exit(f"There is no net for this in {source} yet; `train` makes one")
    _print_line("Compiling the kernel, a minute or two where it is not yet")
    from lab.training.practice import TrainingPlan
    from lab.training.sharpening import sharpen_net

    seconds = arguments.minutes * 60 - (time.monotonic() - began)
    _print_line(f"Sharpening {game.title}'s net; interrupted, it stays as it was")
    plan = TrainingPlan(seconds, seconds, source, arguments.out, arguments.seed, options)
    sharpen_net(game, plan, arguments.hidden, arguments.processes, _print_line)


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


def _handle_strength(arguments: argparse.Namespace) -> None:
    games = [find_game(name) for name in arguments.only]
    is_backgammon = any(game is GAMES["backgammon"] for game in games)
    if arguments.against and not (is_backgammon and arguments.peers):
        sys.exit("--against is about backgammon's matches, which these arguments leave out")
    if arguments.decisions == 1:
        sys.exit("One decision has no standard error: --decisions takes 0, or 2 and more")
    _print_line("Compiling the kernel, a minute or two where it is not yet")
    from lab.training.matches import Bound
    from lab.training.report import PAGE, RunStamp, format_strength, rewrite_page
    from lab.training.strength import StrengthPlan, measure_all, store_strength
    from lab.training.studies import describe_commit

    plan = StrengthPlan(
        arguments.nets,
        Bound(arguments.games, arguments.seconds),
        Bound(10_000, arguments.peers),
        arguments.seed,
    )
    page = arguments.page or PAGE
    day = date.today()  # noqa: DTZ011 - the measuring machine's day
    # Before anything is written: that would make it a commit with changes.
    stamp = RunStamp(day, describe_commit(), arguments.seed, arguments.seconds)
    for strength in measure_all(games if arguments.seconds else [], plan, arguments.processes):
        # At once, so that page and nets agree, and an interruption loses nothing.
        with postpone_interrupt():
            rewrite_page(page, stamp, [strength])
            if arguments.note:
                store_strength(strength, arguments.nets)
            arguments.done.append(GAMES[strength.slug].title)
        _print_line(format_strength(strength, stamp))
    if is_backgammon:
        _meet_others(arguments, plan, page, stamp)
    _print_line(f"Written to {page}")


def _meet_others(
    arguments: argparse.Namespace, plan: "StrengthPlan", page: Path, stamp: "RunStamp"
) -> None:
    """Let backgammon's players meet other programs, and a referee judge their decisions.

    Where a package is missing, the page keeps what it has.
    """
    from lab.training.referee import referee_decisions
    from lab.training.report import rewrite_page
    from lab.training.strength import measure_peers

    if find_net(GAMES["backgammon"].resolve_rules({}), arguments.nets) is None:
        _print_line(f"Backgammon has no net in {arguments.nets}, so it meets no other program")
        return
    pairs = [pair for pair in PAIRS if not arguments.against or {*pair} & {*arguments.against}]
    try:
        for peers in measure_peers(plan, pairs, arguments.processes) if arguments.peers else ():
            ((pair, meeting),) = peers.met.items()
            match = " against ".join(pair)
            with postpone_interrupt():
                rewrite_page(page, stamp, peers=peers)
                arguments.done.append(match)
            points = f"{meeting.points.mean:+.3f} luck-adjusted points a game"
            _print_line(f"{match}: {meeting.score.games} games, {points}")
    except ImportError as error:
        _print_line(f"{error}. Matches with other programs stay on the page as they are")
    try:
        if arguments.decisions:
            decisions = referee_decisions(plan, arguments.decisions, _print_line)
            rewrite_page(page, stamp, decisions=decisions)
    except ImportError as error:
        _print_line(f"{error}. Refereed decisions stay on the page as they are")


def _handle_errors(arguments: argparse.Namespace) -> None:
    games = [find_game(name) for name in arguments.only]
    _print_line("Compiling the kernel, a minute or two where it is not yet")
    from lab.training.errors import ErrorPlan, measure_all_errors
    from lab.training.matches import Bound
    from lab.training.report import PAGE, RunStamp, rewrite_page
    from lab.training.studies import describe_commit

    plan = ErrorPlan(
        arguments.nets,
        Bound(arguments.positions, arguments.seconds),
        arguments.rollouts,
        arguments.turns,
        arguments.adjusted,
        arguments.seed,
    )
    page = arguments.page or PAGE
    day = date.today()  # noqa: DTZ011 - the measuring machine's day
    stamp = RunStamp(day, describe_commit(), arguments.seed, arguments.seconds)
    for slug, found in measure_all_errors(games, plan, arguments.processes):
        with postpone_interrupt():
            # At once, so that an interruption loses nothing.
            store_error(slug, found, arguments.kept)
            rewrite_page(page, stamp, errors=load_errors(arguments.kept))
            arguments.done.append(GAMES[slug].title)
        _print_line(
            f"{GAMES[slug].title}: {found.positions} positions, deviation "
            f"{found.zero_ply.deviation:.3f} at 0-ply, {found.one_ply.deviation:.3f} at 1-ply"
        )
    _print_line(f"Written to {arguments.kept} and {page}")


def _handle_puzzles(arguments: argparse.Namespace) -> None:
    # Nothing of this is compiled.
    from lab.training.puzzles import (
        SOLVED_SETTINGS,
        USUAL_SETTINGS,
        PuzzleSearch,
        rebuild_puzzles,
    )

    games = {find_game(name).slug for name in arguments.only}
    settings = [each for each in (*USUAL_SETTINGS, *SOLVED_SETTINGS) if each.game in games]
    search = PuzzleSearch(arguments.each, arguments.games, arguments.seconds, arguments.seed)
    for setting, found in rebuild_puzzles(arguments.file, search, settings, arguments.processes):
        name = " ".join((GAMES[setting.game].title, format_options(dict(setting.options)))).strip()
        _print_line(f"{name}: {len(found)} puzzles")
    _print_line(f"{len(load_puzzle_file(arguments.file))} puzzles in {arguments.file}")


def _handle_studies(arguments: argparse.Namespace) -> None:
    games = [find_game(name) for name in arguments.only]
    _check_repetition(arguments, games)
    _print_line("Compiling the kernel, a minute or two where it is not yet")
    from lab.training.matches import Bound
    from lab.training.studies import StudyPlan, list_missing_tasks, play_studies, repeat_studies

    plan = StudyPlan(
        arguments.nets,
        arguments.kept,
        Bound(arguments.games, arguments.seconds),
        arguments.seed,
        arguments.minutes * 60,
    )
    if arguments.repeat:
        repeated = repeat_studies(
            games, arguments.study, plan, arguments.processes, renew=arguments.renew
        )
        differing = 0
        for slug, name, is_same in repeated:
            _print_line(f"{slug} {name}: {'the same counts' if is_same else 'other counts'}")
            if arguments.renew and not is_same:
                arguments.done.append(f"{slug} {name}")
            differing += not is_same
        sys.exit(f"{differing} studies have other counts" if differing else 0)
    for slug, name, kept in play_studies(games, plan, arguments.processes):
        arguments.done.append(f"{slug} {name}")
        _print_line(f"{slug} {name}: {kept.games:,} games by {kept.by}")
    _print_line(
        f"Written to {arguments.kept}; {len(list_missing_tasks(games, plan))} studies still lack "
        "games, which another run adds"
    )


def _check_repetition(arguments: argparse.Namespace, games: Sequence[Game]) -> None:
    """Refuse what would repeat nothing."""
    if not arguments.repeat:
        if arguments.renew or arguments.study:
            sys.exit("--study and --renew are for stored studies: they need --repeat")
        return
    stored = {name for game in games for name in load_game_studies(game.slug, arguments.kept)}
    if not stored:
        sys.exit(f"There are no studies of these games in {arguments.kept}")
    if unknown := [name for name in arguments.study if name not in stored]:
        near = " or ".join(get_close_matches(unknown[0], sorted(stored)))
        meant = f"; did you mean {near}?" if near else ", but usual is one"
        sys.exit(f"There is no study called {unknown[0]!r} of these games{meant}")


def _print_line(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a command's output


if __name__ == "__main__":
    main()
