"""How strong the players are: every game's net against others, measured side by side."""

import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine.games import GAMES
from engine.games.backgammon import BACKGAMMON
from engine.players.files import file_name
from engine.players.net import load, save
from engine.players.nets import find_net
from engine.rules import Game
from engine.training import layout as at
from engine.training.matches import Ahead, Bound, Meeting, Player, Quick, meet, meet_quickly
from engine.training.peers import Visitor, find_gnubg, gnubg, pubeval
from engine.training.practice import figures
from engine.training.workshop import Choices, Score, Workshop, equipped

BY_RANDOM = 0.05
BY_GREEDY = 0.15
BY_ITSELF = 0.15
BY_DEEPER = 0.25
BY_AHEAD = 0.4
"""Which share of a game's time each of its matches may take."""

OURS = "the net (0-ply)"
OURS_AHEAD = "the net (1-ply)"
GREEDY = "greedy"
GNUBG = "gnubg 0-ply"
PUBEVAL = "pubeval"
PAIRS = (
    (OURS, GNUBG),
    (OURS_AHEAD, GNUBG),
    (OURS, PUBEVAL),
    (GREEDY, GNUBG),
    (GREEDY, PUBEVAL),
    (GNUBG, PUBEVAL),
)
"""Who meets whom in backgammon, beside what every game is measured by."""


@dataclass(frozen=True)
class Plan:
    """What to measure with: the nets in a folder, and how long each game may take."""

    nets: Path
    bound: Bound
    peers: Bound
    seed: int = 1

    def part(self, share: float) -> Bound:
        """The bound of a match that may take such a share of a game's time."""
        return Bound(self.bound.games, self.bound.seconds * share)


@dataclass(frozen=True)
class Strength:
    """What one game's player is worth, and what its game is like when it plays itself.

    `net` is what the net says of its training, or None where greedy plays. `deeper` is the same net
    looking one throw further, against itself; `ahead` is that against greedy. `choices` were
    counted while it played itself.
    """

    slug: str
    net: Mapping[str, object] | None
    random: Score
    itself: Score
    choices: Choices
    greedy: Score | None = None
    deeper: Meeting | None = None
    ahead: Meeting | None = None

    @property
    def is_chance(self) -> bool:
        """Whether no throw of the game left anybody anything to choose."""
        return self.choices.with_choice == self.choices.offers == 0


@dataclass(frozen=True)
class Peers:
    """How backgammon's net fared against other programs' players, by pair, or why it met none."""

    met: Mapping[tuple[str, str], Meeting] = field(default_factory=dict)
    missing: str = ""


def measure(game: Game, plan: Plan) -> Strength:
    """Let a game's player meet others."""
    rules = game.rules_with({})
    net = find_net(rules, plan.nets)
    shop = equipped(rules, net, plan.seed)
    if net is None:
        random = meet_quickly(shop, at.GREEDILY, at.AT_RANDOM, plan.part(BY_RANDOM))
        return Strength(game.slug, None, random, *_itself(shop, at.GREEDILY, plan))
    ahead = Ahead(rules)
    return Strength(
        game.slug,
        net.facts,
        meet_quickly(shop, at.BY_NET, at.AT_RANDOM, plan.part(BY_RANDOM)),
        *_itself(shop, at.BY_NET, plan),
        meet_quickly(shop, at.BY_NET, at.GREEDILY, plan.part(BY_GREEDY)),
        meet(shop, ahead, Quick(at.BY_NET), plan.part(BY_DEEPER)),
        meet(shop, ahead, Quick(at.GREEDILY), plan.part(BY_AHEAD)),
    )


def _itself(shop: Workshop, policy: int, plan: Plan) -> tuple[Score, Choices]:
    shop.forget_choices()
    score = meet_quickly(shop, policy, policy, plan.part(BY_ITSELF))
    return score, shop.choices()


def measure_all(games: Sequence[Game], plan: Plan, processes: int) -> Iterator[Strength]:
    """Measure games side by side, in their order."""
    context = multiprocessing.get_context("fork")
    with context.Pool(processes) as pool:
        yield from pool.imap(_Measure(plan), [game.slug for game in games])


@dataclass(frozen=True)
class _Measure:
    """`measure` with a plan, as other processes can be handed it."""

    plan: Plan

    def __call__(self, slug: str) -> Strength:
        return measure(GAMES[slug], self.plan)


def measure_peers(plan: Plan, processes: int, said: Callable[[str], None]) -> Peers:
    """Let backgammon's net meet GNU Backgammon and pubeval in parallel.

    It meets neither where GNU Backgammon cannot be imported.
    """
    try:
        find_gnubg()
    except ImportError as error:
        return Peers(missing=str(error))
    if find_net(BACKGAMMON.rules_with({}), plan.nets) is None:
        return Peers(missing="Backgammon has no net yet, so nobody of another make was met.")
    bound = Bound(plan.peers.games, plan.peers.seconds * processes / len(PAIRS))
    met = {}
    context = multiprocessing.get_context("fork")
    with context.Pool(processes) as pool:
        for pair, meeting in zip(PAIRS, pool.imap(_Meet(plan, bound), PAIRS), strict=True):
            met[pair] = meeting
            points = f"{meeting.points.mean:+.3f} luck-adjusted points a game"
            said(f"{' against '.join(pair)}: {meeting.score.games} games, {points}")
    return Peers(met)


@dataclass(frozen=True)
class _Meet:
    """A backgammon match with at least one player of another make, for another process to play."""

    plan: Plan
    bound: Bound

    def __call__(self, pair: tuple[str, str]) -> Meeting:
        rules = BACKGAMMON.rules_with({})
        shop = equipped(rules, find_net(rules, self.plan.nets), self.plan.seed)
        package = find_gnubg()
        players: dict[str, Player] = {
            OURS: Quick(at.BY_NET),
            OURS_AHEAD: Ahead(rules),
            GREEDY: Quick(at.GREEDILY),
            GNUBG: Visitor(gnubg(package)),
            PUBEVAL: Visitor(pubeval(package)),
        }
        first, second = pair
        return meet(shop, players[first], players[second], self.bound)


def note(strength: Strength, folder: Path) -> None:
    """Write a net's figures among the facts beside its weights.

    A game without a net has nowhere to keep them.
    """
    path = folder / file_name(GAMES[strength.slug], {})
    scores = {"greedy": strength.greedy, "random": strength.random}
    meetings = {"deeper": strength.deeper, "ahead": strength.ahead}
    known = {name: figures(score) for name, score in scores.items() if score}
    known |= {name: _even_figures(meeting) for name, meeting in meetings.items() if meeting}
    if strength.net is not None:
        net = load(path)
        save(replace(net, facts={**net.facts, "strength": known}), path)


def _even_figures(meeting: Meeting) -> dict[str, float]:
    """A match without the luck of its throws as facts."""
    return {
        "games": meeting.score.games,
        "share": round(meeting.share.mean, 4),
        "error": round(meeting.share.error, 4),
        "points": round(meeting.points.mean, 4),
        "points_error": round(meeting.points.error, 4),
    }
