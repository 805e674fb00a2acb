"""How strong the players are: every game's net against others, measured side by side."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine.games import GAMES
from engine.games.backgammon import BACKGAMMON
from engine.players.files import file_name
from engine.players.net import load_net, save_net
from engine.players.nets import find_net
from engine.rules import Game, Rules
from lab.command_line import open_pool
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
from lab.training.pairs import (
    GNUBG,
    GNUBG_ONE_PLY,
    GNUBG_TWO_PLY,
    GREEDY,
    ONE_PLY,
    PUBEVAL,
    ZERO_PLY,
)
from lab.training.peers import (
    GNUBG_PACKAGE,
    PeerPlayer,
    build_gnubg_player,
    build_pubeval_player,
    describe_package,
    import_gnubg,
)
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
    """How backgammon's net fared against other programs' players, by pair.

    `package` is where those come from, with its version; a pair took so many `seconds` at most.
    """

    met: Mapping[tuple[str, str], AdjustedScore]
    package: str
    seconds: float


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
    """Measure games side by side; yields each as soon as it is done."""
    with open_pool(processes) as pool:
        yield from pool.imap_unordered(_StrengthWorker(plan), [game.slug for game in games])


@dataclass(frozen=True)
class _StrengthWorker:
    """`measure_game` with a plan, as other processes can be handed it."""

    plan: StrengthPlan

    def __call__(self, slug: str) -> StrengthMeasurement:
        return measure_game(GAMES[slug], self.plan)


def measure_peers(
    plan: StrengthPlan, pairs: Sequence[tuple[str, str]], processes: int
) -> Iterator[PeerResults]:
    """Let some pairs of backgammon's net, GNU Backgammon and pubeval meet in parallel.

    Yields each as soon as it is done. Raises ImportError where GNU Backgammon cannot be imported.
    """
    import_gnubg()
    # All pairs share the processes, and together take the time that the plan has for them.
    bound = Bound(plan.peers.games, plan.peers.seconds * processes / len(pairs))
    package = describe_package(GNUBG_PACKAGE)
    with open_pool(processes) as pool:
        for pair, meeting in pool.imap_unordered(_PeerWorker(plan, bound), pairs):
            yield PeerResults({pair: meeting}, package, bound.seconds)


@dataclass(frozen=True)
class _PeerWorker:
    """A backgammon match with at least one player of another make, for another process to play."""

    plan: StrengthPlan
    bound: Bound

    def __call__(self, pair: tuple[str, str]) -> tuple[tuple[str, str], AdjustedScore]:
        rules = BACKGAMMON.resolve_rules({})
        shop = build_workshop(rules, find_net(rules, self.plan.nets), self.plan.seed)
        players = build_players(rules)
        first, second = pair
        return pair, play_match(shop, players[first], players[second], self.bound)


def build_players(rules: Rules) -> dict[str, WorkshopPlayer]:
    """Return backgammon's players by their names, ours and those of other makes."""
    package = import_gnubg()
    return {
        GREEDY: PolicyPlayer(at.GREEDILY),
        ZERO_PLY: PolicyPlayer(at.BY_NET),
        ONE_PLY: OnePlyPlayer(rules),
        GNUBG: PeerPlayer(build_gnubg_player(package)),
        GNUBG_ONE_PLY: PeerPlayer(build_gnubg_player(package, plies=1)),
        GNUBG_TWO_PLY: PeerPlayer(build_gnubg_player(package, plies=2)),
        PUBEVAL: PeerPlayer(build_pubeval_player(package)),
    }


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
