"""What the games are like: the players' games against themselves, counted by compiled code."""

import hashlib
import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import reduce
from itertools import count
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.games import GAMES
from engine.players.net import Net
from engine.players.nets import find_net
from engine.players.variants import format_options, iter_variants, parse_option
from engine.position import Side
from engine.rules import Game, Rules
from lab.command_line import describe_checkout, open_pool, postpone_interrupt
from lab.studies import study as studied
from lab.studies.study import (
    BROKEN_OFF,
    GREEDY,
    NET,
    NOBODY,
    RANDOM,
    USUAL,
    AnyStudy,
    End,
    HeadToHead,
    Run,
    Study,
    Sum,
)
from lab.training import layout as at
from lab.training.layout import Ints
from lab.training.matches import Bound, iter_block_sizes, play_fast_match
from lab.training.practice import describe_training
from lab.training.records import (
    BEGAN,
    COUNTED,
    ENDED,
    ENDED_HOW,
    HAPPENED,
    RECORD,
    record_each_game,
)
from lab.training.workshop import MAX_TURNS, Workshop, build_workshop

SIDES = tuple(side.value for side in Side)
SLUGS = {
    at.BROKEN_OFF: BROKEN_OFF,
    at.BORNE_OFF: "off",
    at.AT_GOAL: "goal",
    at.FULL_TABLE: "full",
    at.EVENLY_FULL: "even",
    at.FALLEN: "ad-fallum",
    at.BOTH_STUCK: "stuck",
    at.TIED: "tie",
    at.BARATA: "barata",
    at.SIX_POINTS: "barata-at-once",
    at.JAN_WON: "jan",
    at.LYMPOLDED: "lympolded",
    at.LURCHED: "lurched",
    at.LYMPOLDED_FOR_EVER: "lympolded-for-ever",
    at.FIFTEEN: "fifteen",
    at.SEVEN_FIVE_THREE: "seven-five-three",
    at.THREE_FIVES: "three-fives",
    at.FIVE_THREES: "five-threes",
    at.BOTH_CAUGHT: "both-caught",
    at.NO_POINT_TO_ENTER: "barata-no-entry",
    at.HOLDS_ALL_SIX: "all-six",
    at.NOT_ALL_SIX: "not-all-six",
}
"""What an outcome's slug is for each of the kernel's codes."""

COUNTED_EACH = {
    "choices": (at.CHOICES,),
    "offers": (at.OFFERED,),
    "used": (at.USED,),
    "passed": (at.PASSED,),
    "idle": (at.IDLE,),
    "contests": (at.POINTS_BROKEN,),
    "walls": (at.WALLED,),
    "lympolded": (at.BEGUN_LYMPOLDED,),
    "lurched": (at.BEGUN_LURCHED,),
    "hits": (at.MEN_HIT, at.MEN_HIT + 1),
    "entered": (at.MEN_ENTERED, at.MEN_ENTERED + 1),
}
"""What is kept of each game, by the counters that are added up for it."""

DIRTY = "-dirty"
"""The end of a commit's name where files of the checkout have changed since."""
POLICIES = {GREEDY: at.GREEDILY, RANDOM: at.AT_RANDOM}
LESSER, SOONER = 10, 20
"""How many times fewer games, and how many times less time at once, other studies get.

The first is for studies of others than the game's player against itself, the second for every study
but that of the usual rules.
"""

Records = npt.NDArray[np.int32]
"""Records by game and field."""


@dataclass(frozen=True)
class StudyPlan:
    """What to study with: a folder of nets, the folder of the studies, and how many games.

    The games are those of the usual rules. When so many `seconds` are over, nothing more is begun,
    and what is being played comes to an end.
    """

    nets: Path
    kept: Path
    bound: Bound
    seed: int = 1
    seconds: float = math.inf


@dataclass(frozen=True)
class StudyPlayer:
    """A player of the compiled games: its policy, and a name by which it is known again."""

    policy: int
    name: str


@dataclass(frozen=True)
class StudyTask:
    """One study of a game by its name: so many games more, with the dice of a seed."""

    slug: str
    name: str
    bound: Bound
    seed: int


def iter_study_names(game: Game, nets: Path) -> Iterator[str]:
    """Yield the names of a game's studies with a folder's nets.

    The usual rules come first, each option's values last.
    """
    yield USUAL
    if find_net(game.resolve_rules({}), nets):
        yield from (GREEDY, f"{NET}:{GREEDY}", f"{NET}:{RANDOM}")
    yield from (RANDOM, f"{GREEDY}:{RANDOM}")
    for options in iter_variants(game):
        yield format_options(options)
        if find_net(game.resolve_rules(options), nets):
            yield f"{format_options(options)}:{GREEDY}"


def get_study_rules(game: Game, name: str) -> Rules:
    """Return the rules of a study: with an option's value, or the usual ones."""
    chosen, _, _ = name.partition(":")
    return game.resolve_rules(parse_option(chosen) if "=" in chosen else {})


def list_players(name: str, net: Net | None) -> list[StudyPlayer]:
    """Return who plays in a study: two who meet, or one against itself.

    They play with the net for the study's rules, if any.
    """
    return [_build_player(part, net) for part in name.split(":")]


def _build_player(part: str, net: Net | None) -> StudyPlayer:
    if part in POLICIES:
        return StudyPlayer(POLICIES[part], part)
    if net is None:
        return StudyPlayer(at.GREEDILY, GREEDY)
    return StudyPlayer(
        at.BY_NET, f"net {hash_weights(net)} (trained on {describe_training(net.facts)})"
    )


def hash_weights(net: Net) -> str:
    """Return by what a net's weights are known again, whatever facts are noted beside them.

    Inputs that it makes nothing of do not count: a net that is given such ones plays as before.
    """
    parts = (net.first[net.first.any(axis=1)], net.bias, net.second, net.offset)
    return hashlib.sha256(
        b"".join(part.astype(np.float16).tobytes() for part in parts)
    ).hexdigest()[:12]


def play_task(task: StudyTask, nets: Path) -> AnyStudy:
    """Play the games of a task."""
    game = GAMES[task.slug]
    rules = get_study_rules(game, task.name)
    net = find_net(rules, nets)
    players = list_players(task.name, net)
    shop = build_workshop(rules, net, task.seed)
    by = " against ".join(player.name for player in players)
    if len(players) > 1:
        first, second = players
        score = play_fast_match(shop, first.policy, second.policy, task.bound)
        runs = (Run(task.seed, score.games),)
        return HeadToHead(
            by, game.edition, runs, score.won, score.lost, score.drawn, score.unfinished
        )
    shop.desk.book[at.POLICY : at.POLICY + at.SIDES] = players[0].policy
    records = [record_games(shop, games) for games in iter_block_sizes(task.bound)]
    return summarise_records(np.concatenate(records), by, game.edition, task.seed)


def record_games(shop: Workshop, games: int) -> Records:
    """Play so many games by the policies in the workshop's book; returns their records."""
    flat: Ints = np.zeros(games * RECORD, np.int32)
    record_each_game(shop.known, shop.desk, shop.start, games, MAX_TURNS, flat)
    return flat.reshape(games, RECORD)


def summarise_records(records: Records, by: str, edition: int, seed: int) -> Study:
    """Count what is recorded of games played with the dice of a seed."""
    return Study(
        by,
        edition,
        (Run(seed, len(records)),),
        Counter(map(decode_end, records)),
        Counter(map(int, records[:, HAPPENED])),
        {name: _sum_counters(records, counters) for name, counters in COUNTED_EACH.items()},
    )


def decode_end(line: Records) -> End:
    """Return how a recorded game has ended."""
    winners = {at.GOLD_WON: SIDES[0], at.BLACK_WON: SIDES[1]}
    winner = winners.get(int(line[ENDED]), NOBODY)
    return End(SLUGS[int(line[ENDED_HOW])], int(line[COUNTED]), SIDES[line[BEGAN]], winner)


def _sum_counters(records: Records, counters: Sequence[int]) -> Sum:
    columns = [HAPPENED + counter - at.THROWS for counter in counters]
    each = records[:, columns].astype(np.int64).sum(axis=1)
    return Sum(int(each.sum()), int((each**2).sum()), int((each > 0).sum()))


def play_studies(
    games: Sequence[Game], plan: StudyPlan, processes: int
) -> Iterator[tuple[str, str, AnyStudy]]:
    """Play the games still missing, and save each study when it is done.

    Yields slug, name and study. Studies of other nets or editions start over; to others so many
    games are added as they lack.
    """
    until = time.monotonic() + plan.seconds
    order = {game.slug: list(iter_study_names(game, plan.nets)) for game in games}
    tasks = list_missing_tasks(games, plan)
    # Those that take long first, so that no process is left alone with one of them.
    tasks.sort(key=lambda task: -task.bound.seconds)
    day, commit = date.today().isoformat(), describe_commit()  # noqa: DTZ011 - this machine's day
    with open_pool(processes) as pool:
        for task, more in pool.imap_unordered(_StudyWorker(plan.nets, until), tasks):
            if more is None:
                continue
            # Whoever gets it may still say so before an interruption counts.
            with postpone_interrupt():
                with studied.change_game_studies(task.slug, plan.kept) as kept:
                    added = _add_games(kept.get(task.name), _stamp_runs(more, day, commit))
                    known = {**kept, task.name: added}
                    kept.clear()
                    # What there is no longer is left out.
                    kept.update((name, known[name]) for name in order[task.slug] if name in known)
                yield task.slug, task.name, added


def _add_games(known: AnyStudy | None, more: AnyStudy) -> AnyStudy:
    """Add games to a study, unless another run has meanwhile stored those of the same seed."""
    # The same dice would be counted twice.
    if known and not _list_seeds(known, more.by, more.edition).isdisjoint(
        run.seed for run in more.runs
    ):
        return known
    return studied.merge_studies(known, more)


def _list_seeds(known: AnyStudy | None, by: str, edition: int) -> set[int]:
    """Return the seeds of a study's runs, if they are of such a player and edition."""
    if known is None or (known.by, known.edition) != (by, edition):
        return set()
    return {run.seed for run in known.runs}


def describe_commit() -> str:
    """Return the commit of the checkout, marked where files have changed since; or nothing."""
    return describe_checkout(12, DIRTY)


def _stamp_runs(study: AnyStudy, day: str, commit: str) -> AnyStudy:
    return replace(study, runs=tuple(run._replace(day=day, commit=commit) for run in study.runs))


def repeat_studies(
    games: Sequence[Game], names: Sequence[str], plan: StudyPlan, processes: int, *, renew: bool
) -> Iterator[tuple[str, str, bool]]:
    """Play stored games again with the same seeds, and compare the counts.

    Yields slug, name and whether they are the same. Only studies with these names are repeated, or
    all. Where counts are the same, this commit is stored with them, unless files have changed
    since, or nobody knows which it is. Where they differ, `renew` stores the new ones, with this
    day and commit.
    """
    before = {game.slug: studied.load_game_studies(game.slug, plan.kept) for game in games}
    chosen = [
        (slug, name, known.runs)
        for slug, studies in before.items()
        for name, known in studies.items()
        if not names or name in names
    ]
    day, commit = date.today().isoformat(), describe_commit()  # noqa: DTZ011 - this machine's day
    is_named = bool(commit) and not commit.endswith(DIRTY)
    with open_pool(processes) as pool:
        for slug, name, again in pool.imap_unordered(_RepeatWorker(plan.nets), chosen):
            with postpone_interrupt():
                with studied.change_game_studies(slug, plan.kept) as kept:
                    known = kept.get(name)
                    # Where another run has added games meanwhile, these aren't all of them.
                    if known is None or _list_dice(known) != _list_dice(again):
                        is_same = studied.has_same_counts(before[slug][name], again)
                    elif is_same := studied.has_same_counts(known, again):
                        if is_named:
                            runs = tuple(run._replace(repeated=commit) for run in known.runs)
                            kept[name] = replace(known, runs=runs)
                    elif renew:
                        kept[name] = _stamp_runs(again, day, commit)
                yield slug, name, is_same


def _list_dice(study: AnyStudy) -> list[tuple[int, int]]:
    """Return the seeds of a study's runs, and how many games each has."""
    return [(run.seed, run.games) for run in study.runs]


@dataclass(frozen=True)
class _RepeatWorker:
    """Plays a study's runs again with a folder's nets, for other processes."""

    nets: Path

    def __call__(self, study: tuple[str, str, tuple[Run, ...]]) -> tuple[str, str, AnyStudy]:
        slug, name, runs = study
        again = (
            play_task(StudyTask(slug, name, Bound(run.games, math.inf), run.seed), self.nets)
            for run in runs
        )
        return slug, name, reduce(studied.merge_studies, again)


def list_missing_tasks(games: Iterable[Game], plan: StudyPlan) -> list[StudyTask]:
    """List what is still to be played."""
    return [
        task
        for game in games
        for task in _iter_tasks(game, plan, studied.load_game_studies(game.slug, plan.kept))
    ]


def _iter_tasks(game: Game, plan: StudyPlan, kept: Mapping[str, AnyStudy]) -> Iterator[StudyTask]:
    for name in iter_study_names(game, plan.nets):
        net = find_net(get_study_rules(game, name), plan.nets)
        by = " against ".join(player.name for player in list_players(name, net))
        known = kept.get(name)
        # Games of another player or edition do not count towards the number that is wanted.
        done = known.games if known and (known.by, known.edition) == (by, game.edition) else 0
        wanted = _limit_study(name, plan)
        if done < wanted.games:
            # The seed moves on with the games, or the same ones would be played and counted twice.
            # It may have been chosen so that it comes upon one of before.
            seeds = _list_seeds(known, by, game.edition)
            seed = next(seed for seed in count(plan.seed + done) if seed not in seeds)
            yield StudyTask(game.slug, name, Bound(wanted.games - done, wanted.seconds), seed)


def _limit_study(name: str, plan: StudyPlan) -> Bound:
    """How much there is to be of a study, and how long it may take at once."""
    if name == USUAL:
        return plan.bound
    between_others = ":" in name or name in POLICIES
    return Bound(plan.bound.games // (LESSER if between_others else 1), plan.bound.seconds / SOONER)


@dataclass(frozen=True)
class _StudyWorker:
    """`play_task` with a folder's nets until some moment, for other processes.

    It returns the task too.
    """

    nets: Path
    until: float

    def __call__(self, task: StudyTask) -> tuple[StudyTask, AnyStudy | None]:
        left = self.until - time.monotonic()
        if left <= 0:
            return task, None
        bound = Bound(task.bound.games, min(task.bound.seconds, left))
        return task, play_task(replace(task, bound=bound), self.nets)
