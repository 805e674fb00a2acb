"""Analyses: a position that somebody sets up, and what is best in it."""

import asyncio
from collections.abc import Hashable
from dataclasses import dataclass

from bot.features.analysis.setup import PositionSetup, build_setup_match, parse_setup
from bot.features.analysis.store import AnalysisRow, NewAnalysis
from bot.features.hints.advice import Advice
from bot.features.hints.guard import require_free_position
from bot.features.hints.service import Rankings
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.lines import Asker
from engine.games import find_game
from engine.match import Match
from engine.players.worth import Evaluation
from engine.position_text import format_position, parse_position


@dataclass(frozen=True, slots=True)
class Analysis:
    """A position that is kept: its row, and the match that has reached it."""

    row: AnalysisRow
    match: Match

    @property
    def is_question(self) -> bool:
        """Whether there are several plays, so that people can propose one."""
        return len(self.match.plays) > 1


@dataclass(frozen=True, slots=True)
class Findings:
    """What is best in a position, and what it is worth to the side that acts."""

    analysis: Analysis
    advice: Advice | None
    worth: Evaluation


async def create_analysis(
    app: App, asker: Asker, game: str, position: str, throw: str, options: str
) -> Analysis:
    """Keep the position that somebody types once it is analysed, and return it.

    Raises Refusal for what is no position or throw of the game, and DeclinedError where it is one
    of a match in which they would get no hint, or where they ask for too much.
    """
    # Off the event loop, since it can take a while to find all plays of a throw.
    setup = await asyncio.to_thread(parse_setup, game, position, throw, options)
    match = await asyncio.to_thread(build_setup_match, setup)
    await require_free_position(app, asker.person, match)
    rankings, key = app.get_part(Rankings), _make_key(match)
    if rankings.is_known(key):
        # What costs no time is still kept, and so counted.
        app.costly.count_request(asker)
    else:
        await rankings.load(app, key, match, asker)
    number = await app.store.analyses.create(
        NewAnalysis(
            game=setup.game.slug,
            edition=setup.game.edition,
            options=setup.options,
            position=format_position(setup.position, match.rules),
            thrown=setup.thrown,
            created=app.clock(),
        )
    )
    return await load_analysis(app, number)


async def load_analysis(app: App, number: int) -> Analysis:
    """Return a position that is kept; raises DeclinedError for one that is not."""
    row = await app.store.analyses.get(number)
    if row is None:
        raise DeclinedError(DeclineReason.ANALYSIS_UNKNOWN)
    return Analysis(row, await asyncio.to_thread(_build_kept_match, row))


def _build_kept_match(row: AnalysisRow) -> Match:
    game = find_game(row.game, row.edition)
    rules = game.resolve_rules(row.options)
    position = parse_position(row.position, rules)
    match = build_setup_match(PositionSetup(game, row.options, position, row.thrown))
    # The plays are found here, off the event loop.
    assert match.plays is not None
    return match


async def find_best(app: App, analysis: Analysis, asker: Asker, number: int = 1) -> Findings:
    """Return what is best in a position, where the play of that number in the ranking is shown."""
    match = analysis.match
    found = await app.get_part(Rankings).load(app, _make_key(match), match, asker)
    if not found.best:
        # Nothing is to be decided, or nothing of the throw can be played.
        return Findings(analysis, None, found.worth)
    if not 1 <= number <= len(found.best):
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    return Findings(analysis, Advice(match, found.best, number - 1), found.worth)


def _make_key(match: Match) -> Hashable:
    """Return what stands for a position with its throw, whoever asks about it."""
    options = frozenset(match.options.items())
    return "position", match.game.slug, match.game.edition, options, match.position, match.thrown
