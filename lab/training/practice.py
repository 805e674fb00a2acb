"""Train one game's net in a given time: self-play whose learning rate falls as time runs out."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from engine.players.files import file_name
from engine.players.net import Net, OtherInputsError, load_net, save_net
from engine.players.nets import is_compatible
from engine.players.variants import Options, format_options, iter_variants
from engine.rules import Game
from lab.training import layout as at
from lab.training.workshop import Score, Workshop, widen_net

FIRST_RATE = 0.02
LAST_RATE = 0.0008
FIRST_TRACE = 0.7
"""How much of a target comes, at first, from what followed the next throw.

The rest is what the net thought there.
"""
RESUME_SHARE = 0.37
"""The share of its planned time at which a net is trained again.

The rate there won't undo what the net knows.
"""
SAVE_INTERVAL_S = 45.0
"""Seconds between two times that the net is written down."""
VARIANT_SHARE = 0.25
"""The share of lessons that play another value of some option.

The net is to know those games too.
"""
MAX_TRIAL_GAMES = 200
"""Games by which the strength is judged on the way."""

USUAL_HIDDEN, FEW_HIDDEN = 128, 48
"""The fewest hidden units of a net, and of one whose game has hardly anything to choose."""

# Hardly a throw of these leaves a choice; docs/generated/strength.md has the figures.
LIGHT = frozenset({"twelve-dogs", "doblet", "paume-carie-one"})
HARD = frozenset({"zeno", "backgammon", "tabula", "ludus-anglicorum", "duodecim-scripta"})


def min_hidden_units(game: Game) -> int:
    """How many hidden units a net of a game's is to have at least."""
    return FEW_HIDDEN if game.slug in LIGHT else USUAL_HIDDEN


def rate_difficulty(game: Game) -> float:
    """How much of the time for all games this one needs."""
    if game.slug in LIGHT:
        return 0.15
    if game.slug in HARD:
        return 5.0
    # Where one man holds a point there are no blots to learn about.
    if game.rules.ban_closed == 1:
        return 0.6
    return 2.0 if game.rules.dice.count + len(game.rules.dice.fixed) > 2 else 1.0


@dataclass(frozen=True)
class TrainingPlan:
    """How to train: `seconds` now of `planned` in all, from one folder and to another.

    With `options` it is a net made for the game played so; it begins as the game's own, where that
    fits.
    """

    seconds: float
    planned: float
    source: Path
    target: Path
    seed: int = 1
    options: Options = field(default_factory=dict)


@dataclass
class TrainingRun:
    """A net in training: the workshops it learns in, and the facts of its training so far.

    `others` have the rules of other options, by what is chosen; the same net learns in all of them.
    """

    game: Game
    shop: Workshop
    games: int = 0
    lessons: int = 0
    seconds: float = 0.0
    strength: dict[str, Any] = field(default_factory=dict)
    others: Mapping[str, Workshop] = field(default_factory=dict)
    chance: np.random.Generator = field(default_factory=np.random.default_rng)

    def collect_facts(self, plan: TrainingPlan) -> dict[str, Any]:
        """What is kept beside the weights."""
        return {
            "game": self.game.slug,
            "edition": self.game.edition,
            "options": {option.name: option.default_value.name for option in self.game.options}
            | dict(plan.options),
            "others": list(self.others),
            "hidden": self.shop.hidden,
            "seed": plan.seed,
            "games": self.games,
            # Nets that were never sharpened have no such fact.
            **({"lessons": self.lessons} if self.lessons else {}),
            "seconds": round(self.seconds, 1),
            "planned": round(plan.planned, 1),
            "strength": self.strength,
        }

    def save(self, plan: TrainingPlan) -> Net:
        """Write the net and its facts down."""
        net = self.shop.export_net(self.collect_facts(plan))
        plan.target.mkdir(parents=True, exist_ok=True)
        save_net(net, plan.target / file_name(self.game, plan.options))
        return net

    def teach_lesson(self, games: int, share: float) -> None:
        """Learn from so many games, when such a share of the time planned is over."""
        rate = FIRST_RATE * (LAST_RATE / FIRST_RATE) ** min(share, 1.0)
        shop = self.shop
        if self.others and self.chance.random() < VARIANT_SHARE:
            shop = self.others[self.chance.choice(list(self.others))]
        # At first a net's own opinion is worth little, so more comes from what happened. Later it
        # is the better teacher, since it has no luck of the dice in it.
        shop.learn_from_games(games, rate, FIRST_TRACE * max(0.0, 1 - share))
        self.games += games

    def measure_strength(self, games: int) -> None:
        """Find out how strong the net is now, and note it among the facts."""
        self.strength = {
            "greedy": summarise_score(self.shop.match_policies(games, at.GREEDILY)),
            "random": summarise_score(self.shop.match_policies(max(games // 4, 1), at.AT_RANDOM)),
        }


def describe_training(facts: Mapping[str, Any]) -> str:
    """Say what a net has learnt from, by its facts."""
    lessons = f", {facts['lessons']:,} lessons" if "lessons" in facts else ""
    return f"{facts['games']:,} games{lessons}"


def summarise_score(score: Score) -> dict[str, float]:
    """A score as facts: the share won and the points a game, with their standard errors."""
    return {
        "games": score.games,
        "share": round(score.share, 4),
        "error": round(score.share_error, 4),
        "points": round(score.mean, 4),
        "points_error": round(score.mean_error, 4),
    }


def resume_training(game: Game, plan: TrainingPlan) -> TrainingRun:
    """Take up a net's training where it stopped, or begin it.

    A net with too few hidden units gets more; one that no longer fits starts afresh.
    """
    net = _find_starting_net(game, plan)
    hidden = max(min_hidden_units(game), net.unit_count if net else 0)
    shop = Workshop(game.resolve_rules(plan.options), hidden, plan.seed)
    known: dict[str, Any] = {}
    if net:
        shop.install_net(widen_net(net, shop.hidden, plan.seed))
        known = {
            name: net.facts[name]
            for name in ("games", "lessons", "seconds", "strength")
            if name in net.facts
        }
    else:
        shop.initialise_net(plan.seed)
    # Resumed training must not meet the dice that it has had already.
    seed = plan.seed + known.get("games", 0)
    shop.seed_dice(seed)
    return TrainingRun(
        game,
        shop,
        **known,
        others=_build_variants(game, plan, shop, seed),
        chance=np.random.default_rng(seed),
    )


def _find_starting_net(game: Game, plan: TrainingPlan) -> Net | None:
    """Return the net to start training from: its own, else the game's, where one exists and fits.

    Raises DamagedNetError: what was learnt is not to be written over unasked.
    """
    rules = game.resolve_rules(plan.options)
    for options in (plan.options, {}):
        try:
            net = load_net(plan.source / file_name(game, options))
        except (FileNotFoundError, OtherInputsError):
            continue
        if is_compatible(net, game.resolve_rules(options), rules):
            return net
    return None


def _build_variants(
    game: Game, plan: TrainingPlan, shop: Workshop, seed: int
) -> dict[str, Workshop]:
    """Set up the game with the other option values that a workshop's net may play, to learn them.

    Those for which there is another net are left to that.
    """
    net = shop.export_net({})
    found = {}
    for more in iter_variants(game):
        rules = game.resolve_rules({**plan.options, **more})
        of_its_own = (plan.source / file_name(game, more)).exists()
        if (
            more.keys() != plan.options.keys()
            and not of_its_own
            and is_compatible(net, game.resolve_rules(plan.options), rules)
        ):
            other = Workshop(rules, shop.hidden, seed)
            # The same array in every workshop: what is learnt in one is known in all.
            other.known = other.known._replace(nets=shop.known.nets)
            found[format_options(more)] = other
    return found


def train_net(game: Game, plan: TrainingPlan, said: Callable[[str], None]) -> TrainingRun:
    """Train a game's net for the time planned now, reporting progress; save it again and again.

    It may be interrupted at any moment: what was learnt until then is written down, and
    KeyboardInterrupt raised again.
    """
    practice = resume_training(game, plan)
    try:
        _train_in_lessons(practice, plan, said)
    except KeyboardInterrupt:
        practice.save(plan)
        said(
            f"{game.slug}: stopped after {practice.games} games; "
            "the next time it goes on from there"
        )
        raise
    return practice


def _train_in_lessons(
    practice: TrainingRun, plan: TrainingPlan, said: Callable[[str], None]
) -> None:
    began = time.monotonic()
    before = practice.seconds
    begins, rises = compute_schedule(before, plan)
    trial = _choose_trial_size(practice, plan)
    # The rest of the time is for the last trial and for writing the net down.
    last = plan.seconds * 0.95
    saved = 0.0
    games = 1
    while (spent := time.monotonic() - began) < last:
        # A short training is saved a few times, too.
        if spent - saved > min(SAVE_INTERVAL_S, plan.seconds / 5):
            practice.measure_strength(trial)
            practice.save(plan)
            said(format_progress(practice, plan, spent))
            saved = spent
        started = time.monotonic()
        practice.teach_lesson(games, begins + spent * rises)
        practice.seconds = before + time.monotonic() - began
        games = _choose_game_count(games, time.monotonic() - started, last - spent)
    practice.measure_strength(trial)
    practice.save(plan)
    said(format_progress(practice, plan, time.monotonic() - began))


def compute_schedule(before: float, plan: TrainingPlan) -> tuple[float, float]:
    """Return the share of the planned time that a net starts at, and how much a second adds.

    It follows from how long the net has been trained before. One whose planned time is over is
    taken up again with a plan of its own.
    """
    if before < plan.planned:
        return before / plan.planned, 1 / plan.planned
    return RESUME_SHARE, (1 - RESUME_SHARE) / plan.planned


def _choose_game_count(games: int, took: float, left: float) -> int:
    """Return how many games to learn from next, for a lesson of about a second and no overrun."""
    pace = games / max(took, 1e-4)
    # At most twice as many as before: one quick lesson says little about the next.
    return max(1, min(2 * games, int(pace * min(1.0, max(left, 0.0)))))


def _choose_trial_size(practice: TrainingRun, plan: TrainingPlan) -> int:
    """How many games a trial may take: some forty of all that is done in the time."""
    started = time.monotonic()
    practice.shop.match_policies(4, at.GREEDILY)
    each = max((time.monotonic() - started) / 4, 1e-4)
    return max(20, min(MAX_TRIAL_GAMES, int(plan.seconds / 40 / each)))


def format_progress(practice: TrainingRun, plan: TrainingPlan, spent: float) -> str:
    """One line: games, strength so far, time left."""
    greedy = practice.strength["greedy"]
    return (
        f"{practice.game.slug}: {practice.games} games, "
        f"{greedy['share']:.1%} (±{greedy['error']:.1%}) against greedy, "
        f"{practice.strength['random']['share']:.1%} against random, "
        f"{max(0, round(plan.seconds - spent))} s left"
    )
