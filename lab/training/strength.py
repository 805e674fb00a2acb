"""How strong the players are: every game's net against others, measured side by side."""

import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine.games import GAMES
from engine.games.backgammon import BACKGAMMON
from engine.players.files import file_name
from engine.players.net import load_net, save_net
from engine.players.nets import find_net
from engine.rules import Game
from lab.training import layout as at
from lab.training.matches import (
    AdjustedScore,
    Bound,
    OnePlyPlayer,
    PolicyPlayer,
    WorkshopPlayer,
    play_fast_match,
    play_match,
)
from lab.training.peers import PeerPlayer, build_gnubg_player, build_pubeval_player, import_gnubg
from lab.training.practice import summarise_score
from lab.training.workshop import ChoiceCounts, Score, Workshop, build_workshop

# Together they are the whole time. Games at 1-ply are more than twenty times as slow, so the two
# matches with them have most of it.
BY_RANDOM = 0.05
BY_GREEDY = 0.15
BY_ITSELF = 0.15
BY_DEEPER = 0.25
BY_AHEAD = 0.4
"""Which share of a game's time each of its matches may take."""

ZERO_PLY = "the net (0-ply)"
ONE_PLY = "the net (1-ply)"
GREEDY = "greedy"
GNUBG = "gnubg 0-ply"
GNUBG_ONE_PLY = "gnubg 1-ply"
GNUBG_TWO_PLY = "gnubg 2-ply"
PUBEVAL = "pubeval"
PAIRS = (
    (ZERO_PLY, GNUBG),
    (ONE_PLY, GNUBG),
    (ONE_PLY, GNUBG_ONE_PLY),
    (ONE_PLY, GNUBG_TWO_PLY),
    (ZERO_PLY, PUBEVAL),
    (GREEDY, GNUBG),
    (GREEDY, PUBEVAL),
    (GNUBG, PUBEVAL),
)
"""Who meets whom in backgammon, beside what every game is measured by."""


@dataclass(frozen=True)
class StrengthPlan:
    """What to measure with: the nets in a folder, and how long each game may take."""

    nets: Path
    bound: Bound
    peers: Bound
    seed: int = 1

    def limit_match(self, share: float) -> Bound:
        """The bound of a match that may take such a share of a game's time."""
        return Bound(self.bound.games, self.bound.seconds * share)


@dataclass(frozen=True)
class StrengthMeasurement:
    """What one game's player is worth, and what its game is like when it plays itself.

    `net` is what the net says of its training, or None where greedy plays. `deeper` is the same net
    looking one throw further, against itself; `ahead` is that against greedy. `choices` were
    counted while it played itself.
    """

    slug: str
    net: Mapping[str, object] | None
    random: Score
    itself: Score
    choices: ChoiceCounts
    greedy: Score | None = None
    deeper: AdjustedScore | None = None
    ahead: AdjustedScore | None = None

    @property
    def is_chance(self) -> bool:
        """Whether no throw of the game left anybody anything to choose."""
        return self.choices.with_choice == self.choices.offers == 0


@dataclass(frozen=True)
class PeerResults:
    """How backgammon's net fared against other programs' players, by pair, or why it met none."""

    met: Mapping[tuple[str, str], AdjustedScore] = field(default_factory=dict)
    missing: str = ""
    seed: int = 1


def measure_game(game: Game, plan: StrengthPlan) -> StrengthMeasurement:
    """Let a game's player meet others."""
    rules = game.resolve_rules({})
    net = find_net(rules, plan.nets)
    shop = build_workshop(rules, net, plan.seed)
    if net is None:
        random = play_fast_match(shop, at.GREEDILY, at.AT_RANDOM, plan.limit_match(BY_RANDOM))
        return StrengthMeasurement(game.slug, None, random, *_play_itself(shop, at.GREEDILY, plan))
    ahead = OnePlyPlayer(rules)
    return StrengthMeasurement(
        game.slug,
        net.facts,
        play_fast_match(shop, at.BY_NET, at.AT_RANDOM, plan.limit_match(BY_RANDOM)),
        *_play_itself(shop, at.BY_NET, plan),
        play_fast_match(shop, at.BY_NET, at.GREEDILY, plan.limit_match(BY_GREEDY)),
        play_match(shop, ahead, PolicyPlayer(at.BY_NET), plan.limit_match(BY_DEEPER)),
        play_match(shop, ahead, PolicyPlayer(at.GREEDILY), plan.limit_match(BY_AHEAD)),
    )


def _play_itself(shop: Workshop, policy: int, plan: StrengthPlan) -> tuple[Score, ChoiceCounts]:
    shop.reset_choices()
    score = play_fast_match(shop, policy, policy, plan.limit_match(BY_ITSELF))
    return score, shop.collect_choices()


def measure_all(
    games: Sequence[Game], plan: StrengthPlan, processes: int
) -> Iterator[StrengthMeasurement]:
    """Measure games side by side, in their order."""
    context = multiprocessing.get_context("fork")
    with context.Pool(processes) as pool:
        yield from pool.imap(_StrengthWorker(plan), [game.slug for game in games])


@dataclass(frozen=True)
class _StrengthWorker:
    """`measure_game` with a plan, as other processes can be handed it."""

    plan: StrengthPlan

    def __call__(self, slug: str) -> StrengthMeasurement:
        return measure_game(GAMES[slug], self.plan)


def measure_peers(
    plan: StrengthPlan,
    pairs: Sequence[tuple[str, str]],
    processes: int,
    said: Callable[[str], None],
) -> PeerResults:
    """Let some pairs of backgammon's net, GNU Backgammon and pubeval meet in parallel.

    Nobody meets where GNU Backgammon cannot be imported.
    """
    try:
        import_gnubg()
    except ImportError as error:
        return PeerResults(missing=str(error))
    if find_net(BACKGAMMON.resolve_rules({}), plan.nets) is None:
        return PeerResults(missing="Backgammon has no net yet, so nobody of another make was met.")
    # All pairs share the processes, and together take the time that the plan has for them.
    bound = Bound(plan.peers.games, plan.peers.seconds * processes / len(pairs))
    met = {}
    context = multiprocessing.get_context("fork")
    with context.Pool(processes) as pool:
        for pair, meeting in zip(pairs, pool.imap(_PeerWorker(plan, bound), pairs), strict=True):
            met[pair] = meeting
            points = f"{meeting.points.mean:+.3f} luck-adjusted points a game"
            said(f"{' against '.join(pair)}: {meeting.score.games} games, {points}")
    return PeerResults(met, seed=plan.seed)


@dataclass(frozen=True)
class _PeerWorker:
    """A backgammon match with at least one player of another make, for another process to play."""

    plan: StrengthPlan
    bound: Bound

    def __call__(self, pair: tuple[str, str]) -> AdjustedScore:
        rules = BACKGAMMON.resolve_rules({})
        shop = build_workshop(rules, find_net(rules, self.plan.nets), self.plan.seed)
        package = import_gnubg()
        players: dict[str, WorkshopPlayer] = {
            ZERO_PLY: PolicyPlayer(at.BY_NET),
            ONE_PLY: OnePlyPlayer(rules),
            GREEDY: PolicyPlayer(at.GREEDILY),
            GNUBG: PeerPlayer(build_gnubg_player(package)),
            GNUBG_ONE_PLY: PeerPlayer(build_gnubg_player(package, plies=1)),
            GNUBG_TWO_PLY: PeerPlayer(build_gnubg_player(package, plies=2)),
            PUBEVAL: PeerPlayer(build_pubeval_player(package)),
        }
        first, second = pair
        return play_match(shop, players[first], players[second], self.bound)


def store_strength(strength: StrengthMeasurement, folder: Path) -> None:
    """Write a net's figures among the facts beside its weights.

    A game without a net has nowhere to keep them.
    """
    path = folder / file_name(GAMES[strength.slug], {})
    scores = {"greedy": strength.greedy, "random": strength.random}
    meetings = {"deeper": strength.deeper, "ahead": strength.ahead}
    known = {name: summarise_score(score) for name, score in scores.items() if score}
    known |= {name: _summarise_adjusted(meeting) for name, meeting in meetings.items() if meeting}
    if strength.net is not None:
        net = load_net(path)
        save_net(replace(net, facts={**net.facts, "strength": known}), path)


def _summarise_adjusted(meeting: AdjustedScore) -> dict[str, float]:
    """A match without the luck of its throws as facts."""
    return {
        "games": meeting.score.games,
        "share": round(meeting.share.mean, 4),
        "error": round(meeting.share.error, 4),
        "points": round(meeting.points.mean, 4),
        "points_error": round(meeting.points.error, 4),
    }
