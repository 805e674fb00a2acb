"""Train one game's net in a given time: self-play whose learning rate falls as time runs out."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from engine.players.files import file_name
from engine.players.known import Options, spelt, varied
from engine.players.net import Net, OtherInputsError, load, save
from engine.players.nets import fits
from engine.rules import Game
from engine.training import layout as at
from engine.training.workshop import Score, Workshop, widened

FIRST_RATE = 0.02
LAST_RATE = 0.0008
FIRST_TRACE = 0.7
"""How much of a target comes, at first, from what followed the next throw.

The rest is what the net thought there.
"""
TAKEN_UP = 0.37
"""The share of its planned time at which a net is trained again.

The rate there won't undo what the net knows.
"""
SAVED_EVERY = 45.0
"""Seconds between two times that the net is written down."""
WITH_OPTIONS = 0.25
"""The share of lessons that play another value of some option.

The net is to know those games too.
"""
TRIAL = 200
"""Games by which the strength is judged on the way."""

USUAL_HIDDEN, FEW_HIDDEN = 128, 48
"""The fewest hidden units of a net, and of one whose game has hardly anything to choose."""

LIGHT = frozenset({"twelve-dogs", "doblet", "paume-carie-one"})
HARD = frozenset({"zeno", "backgammon", "tabula", "ludus-anglicorum", "duodecim-scripta"})


def hidden_units(game: Game) -> int:
    """How many hidden units a net of a game's is to have at least."""
    return FEW_HIDDEN if game.slug in LIGHT else USUAL_HIDDEN


def difficulty(game: Game) -> float:
    """How much of the time for all games this one needs."""
    if game.slug in LIGHT:
        return 0.15
    if game.slug in HARD:
        return 5.0
    if game.rules.closed == 1:
        return 0.6
    return 2.0 if game.rules.dice.count + len(game.rules.dice.fixed) > 2 else 1.0


@dataclass(frozen=True)
class Plan:
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
class Practice:
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

    def facts(self, plan: Plan) -> dict[str, Any]:
        """What is kept beside the weights."""
        return {
            "game": self.game.slug,
            "edition": self.game.edition,
            "options": {option.name: option.default.name for option in self.game.options}
            | dict(plan.options),
            "others": list(self.others),
            "hidden": self.shop.hidden,
            "seed": plan.seed,
            "games": self.games,
            **({"lessons": self.lessons} if self.lessons else {}),
            "seconds": round(self.seconds, 1),
            "planned": round(plan.planned, 1),
            "strength": self.strength,
        }

    def save(self, plan: Plan) -> Net:
        """Write the net and its facts down."""
        net = self.shop.net(self.facts(plan))
        plan.target.mkdir(parents=True, exist_ok=True)
        save(net, plan.target / file_name(self.game, plan.options))
        return net

    def lesson(self, games: int, share: float) -> None:
        """Learn from so many games, when such a share of the time planned is over."""
        rate = FIRST_RATE * (LAST_RATE / FIRST_RATE) ** min(share, 1.0)
        shop = self.shop
        if self.others and self.chance.random() < WITH_OPTIONS:
            shop = self.others[self.chance.choice(list(self.others))]
        shop.teach(games, rate, FIRST_TRACE * max(0.0, 1 - share))
        self.games += games

    def judge(self, games: int) -> None:
        """Find out how strong the net is now, and note it among the facts."""
        self.strength = {
            "greedy": figures(self.shop.meet(games, at.GREEDILY)),
            "random": figures(self.shop.meet(max(games // 4, 1), at.AT_RANDOM)),
        }


def trained_on(facts: Mapping[str, Any]) -> str:
    """Say what a net has learnt from, by its facts."""
    lessons = f", {facts['lessons']:,} lessons" if "lessons" in facts else ""
    return f"{facts['games']:,} games{lessons}"


def figures(score: Score) -> dict[str, float]:
    """A score as facts: the share won and the points a game, with their standard errors."""
    return {
        "games": score.games,
        "share": round(score.share, 4),
        "error": round(score.share_error, 4),
        "points": round(score.mean, 4),
        "points_error": round(score.mean_error, 4),
    }


def begun(game: Game, plan: Plan) -> Practice:
    """Take up a net's training where it stopped, or begin it.

    A net with too few hidden units gets more; one that no longer fits starts afresh.
    """
    net = _taken_up(game, plan)
    hidden = max(hidden_units(game), net.hidden if net else 0)
    shop = Workshop(game.rules_with(plan.options), hidden, plan.seed)
    known: dict[str, Any] = {}
    if net:
        shop.take(widened(net, shop.hidden, plan.seed))
        known = {
            name: net.facts[name]
            for name in ("games", "lessons", "seconds", "strength")
            if name in net.facts
        }
    else:
        shop.untrained(plan.seed)
    seed = plan.seed + known.get("games", 0)
    shop.shake(seed)
    return Practice(
        game,
        shop,
        **known,
        others=_others(game, plan, shop, seed),
        chance=np.random.default_rng(seed),
    )


def _taken_up(game: Game, plan: Plan) -> Net | None:
    """Return the net to start training from: its own, else the game's, where one exists and fits.

    Raises DamagedNetError: what was learnt is not to be written over unasked.
    """
    rules = game.rules_with(plan.options)
    for options in (plan.options, {}):
        try:
            net = load(plan.source / file_name(game, options))
        except (FileNotFoundError, OtherInputsError):
            continue
        if fits(net, game.rules_with(options), rules):
            return net
    return None


def _others(game: Game, plan: Plan, shop: Workshop, seed: int) -> dict[str, Workshop]:
    """Set up the game with the other option values that a workshop's net may play, to learn them.

    Those for which there is another net are left to that.
    """
    net = shop.net({})
    found = {}
    for more in varied(game):
        rules = game.rules_with({**plan.options, **more})
        of_its_own = (plan.source / file_name(game, more)).exists()
        if (
            more.keys() != plan.options.keys()
            and not of_its_own
            and fits(net, game.rules_with(plan.options), rules)
        ):
            other = Workshop(rules, shop.hidden, seed)
            other.known = other.known._replace(nets=shop.known.nets)
            found[spelt(more)] = other
    return found


def train(game: Game, plan: Plan, said: Callable[[str], None]) -> Practice:
    """Train a game's net for the time planned now, reporting progress; save it again and again.

    It may be interrupted at any moment: what was learnt until then is written down, and
    KeyboardInterrupt raised again.
    """
    practice = begun(game, plan)
    try:
        _practise(practice, plan, said)
    except KeyboardInterrupt:
        practice.save(plan)
        said(
            f"{game.slug}: stopped after {practice.games} games; "
            "the next time it goes on from there"
        )
        raise
    return practice


def _practise(practice: Practice, plan: Plan, said: Callable[[str], None]) -> None:
    began = time.monotonic()
    before = practice.seconds
    begins, rises = course_of(before, plan)
    trial = _affordable_trial(practice, plan)
    last = plan.seconds * 0.95
    saved = 0.0
    games = 1
    while (spent := time.monotonic() - began) < last:
        if spent - saved > min(SAVED_EVERY, plan.seconds / 5):
            practice.judge(trial)
            practice.save(plan)
            said(progress(practice, plan, spent))
            saved = spent
        started = time.monotonic()
        practice.lesson(games, begins + spent * rises)
        practice.seconds = before + time.monotonic() - began
        games = _next_games(games, time.monotonic() - started, last - spent)
    practice.judge(trial)
    practice.save(plan)
    said(progress(practice, plan, time.monotonic() - began))


def course_of(before: float, plan: Plan) -> tuple[float, float]:
    """Return the share of the planned time that a net starts at, and how much a second adds.

    It follows from how long the net has been trained before. One whose planned time is over is
    taken up again with a plan of its own.
    """
    if before < plan.planned:
        return before / plan.planned, 1 / plan.planned
    return TAKEN_UP, (1 - TAKEN_UP) / plan.planned


def _next_games(games: int, took: float, left: float) -> int:
    """Return how many games to learn from next, for a lesson of about a second and no overrun."""
    pace = games / max(took, 1e-4)
    return max(1, min(2 * games, int(pace * min(1.0, max(left, 0.0)))))


def _affordable_trial(practice: Practice, plan: Plan) -> int:
    """How many games a trial may take: some forty of all that is done in the time."""
    started = time.monotonic()
    practice.shop.meet(4, at.GREEDILY)
    each = max((time.monotonic() - started) / 4, 1e-4)
    return max(20, min(TRIAL, int(plan.seconds / 40 / each)))


def progress(practice: Practice, plan: Plan, spent: float) -> str:
    """One line: games, strength so far, time left."""
    greedy = practice.strength["greedy"]
    return (
        f"{practice.game.slug}: {practice.games} games, "
        f"{greedy['share']:.1%} (±{greedy['error']:.1%}) against greedy, "
        f"{practice.strength['random']['share']:.1%} against random, "
        f"{max(0, round(plan.seconds - spent))} s left"
    )
