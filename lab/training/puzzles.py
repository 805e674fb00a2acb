"""Find puzzles: positions of played games, and of the sources, with one clearly best play.

A play is judged one throw ahead, as the strongest level does. Whether the best is so by more than
the judge errs is seen by looking at it and at the runner-up one throw farther: by as much as the
two judgements differ the judge errs. What a player without a net finds at once is no puzzle, nor is
a game that is as good as over.

Where a game is solved its table alone judges, and nothing errs. Good positions abound there, so
more is asked of them, and of all that are found the clearest are chosen, no two alike.
"""

import multiprocessing
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from engine.events import Played, Thrown
from engine.games import GAMES
from engine.match import Match, Phase, apply_unchecked, find_next_thrower, new_match
from engine.move import Move
from engine.notation import format_play, parse_play
from engine.players import beginner, greedy
from engine.players.boards import stack_ends
from engine.players.chances import list_throws
from engine.players.evaluation import EXACT_TIE, Evaluation, Prospect
from engine.players.evaluation_rows import (
    POINTS,
    EvaluationRows,
    flip_evaluations,
    unpack_evaluation,
)
from engine.players.exact import is_solved
from engine.players.nets import get_net
from engine.players.one_ply import evaluate_one_ply
from engine.players.prospects import (
    apply_decision,
    average_evaluations,
    evaluate_decisions,
    event_at,
    find_best,
)
from engine.players.puzzles import (
    Puzzle,
    PuzzlePlay,
    build_puzzle_match,
    find_end_position,
    load_puzzle_file,
    write_puzzle_file,
)
from engine.playout import choose_event
from engine.position import Side
from engine.position_text import format_position
from engine.refusal import Refusal
from engine.rules import Rules
from lab.command_line import lock_file

GAP = 0.1
"""How many points better than the next the best play is at least: felt in the chance to win."""

PROMISING = 0.06
"""How many points it must be worth more before looking ahead, to be worth a look."""

SURE = 2.0
"""How many times the error of the judge the gap is, at least."""

NEARLY = 0.02
"""How much worse than the best a play may be in a source's position.

It is to win at once, or nearly so.
"""

FEWEST, MOST = 3, 40
"""How many ends a throw may have for one to think them through."""

CLOSELY = 6
"""How many plays are judged one throw ahead; the others, which seem worse, as they end."""

OPEN = (0.08, 0.92)
"""Chances to win between which a game is worth thinking about."""

BEGINNERS, SOLVED_BEGINNERS = 3, 20
"""How many beginners try a position, and one of a solved game."""

MAX_EXTRA = 2
"""Points beyond one that a game may count: backgammon's. In slaps a gap means something else."""

SAMPLE_SHARE = 0.25
"""The share of positions in which a puzzle is looked for.

So they come from every part of the games.
"""

A_GAME = 2
"""Puzzles from one game, at most."""

MIN_MEN = 3
"""How many men each side still has, at least, where a game is solved."""


class PuzzleSetting(NamedTuple):
    """A game and the options that are played; none are the usual ones."""

    game: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def rules(self) -> Rules:
        """The rules that are played."""
        return GAMES[self.game].resolve_rules(dict(self.options))


USUAL_SETTINGS = tuple(PuzzleSetting(game) for game in GAMES)

SOLVED_SETTINGS = (PuzzleSetting("doblet", (("moving", "own-table"),)),)
"""The solved rules by which choices matter: elsewhere whoever uses every number plays perfectly."""


class SourcePosition(NamedTuple):
    """A position that a source describes, or the moment before it, and a comment."""

    game: str
    options: Mapping[str, str]
    position: str
    thrown: tuple[int, ...]
    source: str
    comment: str


SOURCE_POSITIONS = (
    SourcePosition(
        "zeno",
        {},
        "f7,i1,k2,t2,u2,y1 h2,l2,m2,n1,o2,p2,s2,w2 gold 6-5-2",
        (2, 6, 5),
        "Agathias, Greek Anthology 9.482 (c. 565)",
        "The emperor's throw. Zeno threw 2, 6 and 5, and one play was left to him, after which "
        "eight of his men stood alone. Which one?",
    ),
    SourcePosition(
        "ludus-anglicorum",
        {"blockade": "exact"},
        "c1,n2,o3,p3,q3,r3 a8,i1,t1,u1,w1,x1,y1,z1 gold 6-6-6",
        (6, 6, 6),
        "London, British Library, Royal MS 13 A XVIII (c. 1330), lympoldyng; "
        "gold's five other men are ours",
        "The last stroke of lympolding: black's seventh man wanders, and once he is caught black "
        "cannot enter him.",
    ),
    SourcePosition(
        "ludus-anglicorum",
        {"blockade": "shut-out"},
        "g1,s2,t2,u2,w2,x2,y2,z2 a14,m1 gold 6-5-1",
        (6, 1, 5),
        "The encyclopaedia's lurching: the whole entry table and s; the moment before it is ours",
        "The last stroke of lurching: gold holds black's entry table and the point after it, and "
        "one man of black's is still on its way.",
    ),
)
"""The positions of the sources, the emperor's first."""


@dataclass(frozen=True)
class PuzzleSearch:
    """The limits of a search for puzzles of a setting: how many, in how many games, in what time.

    The time is in seconds.
    """

    wanted: int
    games: int
    seconds: float
    seed: int


def is_worth_searching(setting: PuzzleSetting) -> bool:
    """Whether a setting's player is stronger than greedy, so that it knows what others overlook."""
    if setting in SOLVED_SETTINGS:
        return is_solved(setting.rules)
    net = get_net(setting.rules)
    if net is None or net.extra > MAX_EXTRA:
        return False
    met = net.facts.get("strength", {}).get("greedy")
    # Two standard errors above a half: hardly by luck.
    return met is not None and met["share"] - 2 * met["error"] > 1 / 2


def iter_source_puzzles(sources: Iterable[SourcePosition] = SOURCE_POSITIONS) -> Iterator[Puzzle]:
    """Judge the positions of the sources."""
    for each in sources:
        match = build_puzzle_match(each.game, each.options, each.position, each.thrown)
        yield _build_puzzle(
            match, _rank_plays(match), NEARLY, source=each.source, comment=each.comment
        )


def reevaluate_puzzle(before: Puzzle) -> Puzzle | None:
    """Return a puzzle as the players judge it now; None where it is none any more."""
    try:
        match = build_puzzle_match(before.game, before.options, before.position, before.thrown)
    except Refusal:
        return None
    return (
        _try_puzzle(match, before.throw)
        if _is_promising(match, evaluate_decisions(match))
        else None
    )


def find_puzzles(
    setting: PuzzleSetting, kept: Iterable[Puzzle], search: PuzzleSearch
) -> list[Puzzle]:
    """Return a setting's puzzles: those in the file that still hold, and new ones, up to `wanted`.

    None where the setting's player knows nothing that others overlook.
    """
    if not is_worth_searching(setting):
        return []
    found = {each.id: each for each in map(reevaluate_puzzle, kept) if each is not None}
    # Those already in the file come first, so new ones never push them out.
    lacking = search.wanted - len(found)
    if lacking > 0:
        new: Iterator[Puzzle] = (
            each for each in _iter_new_puzzles(setting, search) if each.id not in found
        )
        if setting in SOLVED_SETTINGS:
            new = _iter_varied({each.id: each for each in new}.values(), found.values())
        for puzzle in new:
            found[puzzle.id] = puzzle
            if len(found) == search.wanted:
                break
    return list(found.values())[: search.wanted]


def rebuild_puzzles(
    path: Path, search: PuzzleSearch, settings: Sequence[PuzzleSetting], processes: int
) -> Iterator[tuple[PuzzleSetting, list[Puzzle]]]:
    """Search settings for puzzles in parallel, keep the file up to date, and yield each setting's.

    Puzzles of other settings stay as they are.
    """
    before = _load_kept(path)
    first = list(iter_source_puzzles())
    wished = [(setting, before[setting], search) for setting in settings]
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for setting, found in pool.imap_unordered(_search_setting, wished):
            # Written after every setting, so that a long search may be interrupted and keeps what
            # it has found; another one may have found puzzles of other settings meanwhile.
            with lock_file(path):
                kept = _load_kept(path)
                kept[setting] = found
                write_puzzle_file(path, [*first, *chain.from_iterable(kept.values())])
            yield setting, found


def _load_kept(path: Path) -> dict[PuzzleSetting, list[Puzzle]]:
    """Load the puzzles of a file by their settings, without those that a source has."""
    # Those of solved settings stand last.
    kept: dict[PuzzleSetting, list[Puzzle]] = {
        each: [] for each in (*USUAL_SETTINGS, *SOLVED_SETTINGS)
    }
    before = {each.id: each for each in (load_puzzle_file(path) if path.exists() else ())}
    for puzzle in before.values():
        if not puzzle.source:
            setting = PuzzleSetting(puzzle.game, tuple(puzzle.options.items()))
            kept.setdefault(setting, []).append(puzzle)
    return kept


def _search_setting(
    wished: tuple[PuzzleSetting, list[Puzzle], PuzzleSearch],
) -> tuple[PuzzleSetting, list[Puzzle]]:
    return wished[0], find_puzzles(*wished)


def _iter_new_puzzles(setting: PuzzleSetting, search: PuzzleSearch) -> Iterator[Puzzle]:
    """Play games as long as the search may last, and yield what puzzles they have."""
    until = time.monotonic() + search.seconds
    for number in range(search.games):
        if time.monotonic() > until:
            break
        # Seeded by the game's number, so that every search goes through the same games in the same
        # order.
        chance = Random(f"{search.seed} {setting.game} {number}")  # noqa: S311 - no secret
        yield from _iter_game_puzzles(setting, chance, until)


def _iter_varied(new: Iterable[Puzzle], before: Iterable[Puzzle]) -> Iterator[Puzzle]:
    """Yield the clearest puzzles first, no two alike in the throw or in the men that are left."""
    seen = {trait for each in before for trait in _list_traits(each)}
    for puzzle in sorted(new, key=_measure_gap, reverse=True):
        if seen.isdisjoint(_list_traits(puzzle)):
            seen.update(_list_traits(puzzle))
            yield puzzle


def _list_traits(puzzle: Puzzle) -> tuple[tuple[int, ...], ...]:
    """Return the throw and how many men each side has left, which is of another length."""
    match = puzzle.match
    left = _count_left(match, match.turn), _count_left(match, match.turn.other)
    return tuple(sorted(puzzle.thrown)), left


def _measure_gap(puzzle: Puzzle) -> float:
    return puzzle.answers[0].points - puzzle.answers[1].points


def _iter_game_puzzles(setting: PuzzleSetting, chance: Random, until: float) -> Iterator[Puzzle]:
    """Play a game, and yield what puzzles it has."""
    match = new_match(GAMES[setting.game], dict(setting.options))
    share = 1 if setting in SOLVED_SETTINGS else SAMPLE_SHARE
    found = 0
    while match.phase is not Phase.OVER and found < A_GAME and time.monotonic() < until:
        if match.phase is not Phase.PLAY or not match.plays:
            match = apply_unchecked(
                match,
                find_best(match).event
                if match.phase in (Phase.CHOOSE, Phase.OFFER)
                else choose_event(match, chance),
            )
            continue
        every = evaluate_decisions(match)
        # A puzzle asks for a whole throw, so none of it may be played yet.
        if not match.moves and chance.random() < share:
            puzzle = _find_puzzle(match, every)
            if puzzle is not None:
                yield puzzle
                found += 1
        # The game itself is played at 0-ply, which is quick; only what may be a puzzle is searched
        # deeper.
        match = apply_unchecked(match, event_at(match, int(every[:, POINTS].argmax())))


def _find_puzzle(match: Match, every: EvaluationRows) -> Puzzle | None:
    """Return the puzzle that a match has come to, if it is one."""
    # Of a puzzle nothing is known but the position and the throw.
    position = format_position(match.position, match.rules)
    alone = build_puzzle_match(match.game.slug, match.options, position, match.thrown)
    return _try_puzzle(alone, match.drawn) if _is_promising(alone, every) else None


def _is_promising(match: Match, every: EvaluationRows) -> bool:
    """Return at a glance whether a position may be a puzzle.

    One play stands out, and others overlook it.
    """
    points = every[:, POINTS]
    if not FEWEST <= len(points) <= MOST:
        return False
    first, second = np.argsort(points)[::-1][:2]
    is_open = every[first, 0] > OPEN[0] and every[second, 0] < OPEN[1]
    return bool(
        is_open and points[first] - points[second] >= PROMISING and _is_overlooked(match, every)
    )


def _is_overlooked(match: Match, every: EvaluationRows) -> bool:
    """Whether greedy, or most beginners, would play something else than the best.

    In a solved game both must do so, and nor may the best play be found by bearing off as many men
    as can be.
    """
    first = int(every[:, POINTS].argmax())
    if is_solved(match.rules):
        return (
            min(_count_left(match, side) for side in Side) >= MIN_MEN
            and _choose_greedily(match) != first
            and not _bears_off_most(match, first)
            and _is_missed_by_most(match, first, SOLVED_BEGINNERS)
        )
    return _choose_greedily(match) != first or _is_missed_by_most(match, first, BEGINNERS)


def _is_missed_by_most(match: Match, play: int, beginners: int) -> bool:
    """Whether most of some beginners play something else."""
    tried = [beginner.choose_prospect(match, seed).event for seed in range(beginners)]
    return 2 * sum(each != event_at(match, play) for each in tried) > beginners


def _bears_off_most(match: Match, play: int) -> bool:
    """Whether a play bears off more men than any other."""
    borne_off = stack_ends(match).men(match.turn)[:, match.rules.board.off]
    return bool(np.delete(borne_off, play).max() < borne_off[play])


def _count_left(match: Match, side: Side) -> int:
    """Return how many men of a side aren't borne off."""
    return match.rules.men - match.position.men(side)[match.rules.board.off]


def _choose_greedily(match: Match) -> int:
    """Return which play a player without a net makes."""
    thrower, _ = find_next_thrower(match)
    ends = stack_ends(match)
    rows = greedy.evaluate_positions(
        match.rules, thrower, ends.men(thrower), ends.men(thrower.other)
    )
    if thrower is not match.turn:
        rows = flip_evaluations(rows)
    return int(rows[:, POINTS].argmax())


def _rank_plays(match: Match) -> list[Prospect]:
    """Return every play, best first: the most promising by 1-ply, the others as they end.

    Of plays that are worth the same the shortest comes first.
    """
    every = evaluate_decisions(match)
    order = np.argsort(every[:, POINTS], kind="stable")[::-1].tolist()
    plays = [Prospect(event_at(match, at), unpack_evaluation(every[at])) for at in order]
    closely = [
        Prospect(each.event, evaluate_one_ply(apply_decision(match, each.event), match.turn))
        for each in plays[:CLOSELY]
    ]
    return sorted(
        [*closely, *plays[CLOSELY:]],
        key=lambda each: (-each.evaluation.points, len(_get_moves(each))),
    )


def _try_puzzle(match: Match, throw: int) -> Puzzle | None:
    """Return a position's puzzle, with the throw in which it was found; None where it is none."""
    judged = _rank_plays(match)
    first, second = judged[:2]
    gap = first.evaluation.points - second.evaluation.points
    # The cheap questions come first: looking two throws ahead takes far longer.
    if gap < GAP or not _can_parse_back(match, judged):
        return None
    if first.evaluation.exact and second.evaluation.exact:
        return _build_puzzle(match, judged, EXACT_TIE, throw=throw)
    farther = [
        _evaluate_two_ply(apply_decision(match, each.event), match.turn).points
        for each in (first, second)
    ]
    error = abs(gap - (farther[0] - farther[1]))
    return _build_puzzle(match, judged, error, throw=throw) if gap >= SURE * error else None


def _can_parse_back(match: Match, judged: Sequence[Prospect]) -> bool:
    """Whether every play, typed as it is written, ends where it does."""
    try:
        typed = [
            parse_play(_format_prospect(match, each), match.rules, match.position)
            for each in judged
        ]
    except Refusal:
        return False
    return [find_end_position(match, moves) for moves in typed] == [
        find_end_position(match, _get_moves(each)) for each in judged
    ]


def _get_moves(play: Prospect) -> tuple[Move, ...]:
    assert isinstance(play.event, Played)
    return play.event.moves


def _format_prospect(match: Match, play: Prospect) -> str:
    return format_play(_get_moves(play), match.rules, match.position)


def _evaluate_two_ply(match: Match, side: Side) -> Evaluation:
    """Return a match's mean evaluation for a side over the next two throws, each answered best."""
    if match.phase is not Phase.THROW:
        return evaluate_one_ply(match, side)
    every = list_throws(match.rules.dice)
    return average_evaluations(
        (evaluate_one_ply(_play_out_throw(apply_unchecked(match, Thrown(thrown))), side), count)
        for thrown, count in every
    )


def _play_out_throw(match: Match) -> Match:
    """Return the match after a throw is played as seems best."""
    while match.phase in (Phase.CHOOSE, Phase.PLAY, Phase.OFFER):
        match = apply_decision(match, find_best(match).event)
    return match


def _build_puzzle(
    match: Match,
    judged: Sequence[Prospect],
    error: float,
    *,
    source: str = "",
    comment: str = "",
    throw: int = 0,
) -> Puzzle:
    answers = tuple(
        PuzzlePlay(_format_prospect(match, each), each.evaluation.win, each.evaluation.points)
        for each in judged
    )
    position = format_position(match.position, match.rules)
    return Puzzle(
        game=match.game.slug,
        position=position,
        thrown=match.thrown,
        answers=answers,
        error=error,
        options=match.options,
        source=source,
        comment=comment,
        throw=throw,
        exact=all(each.evaluation.exact for each in judged),
    )
