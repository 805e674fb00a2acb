"""How a contest ends matches that its players have not: by forfeit, at a deadline, or annulled."""

from bot.features.computer.worker import evaluate_match, pack_match
from bot.features.contests.rows import Contest, Pairing, UnfinishedRule
from bot.features.contests.service import load_contest
from bot.features.matches import service as play
from bot.features.matches.loading import load_session
from bot.features.matches.service import Action, apply_action
from bot.features.matches.session import MatchSession, require_running
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.lines import NOBODY
from bot.platform.people import CLOCK
from engine.events import Annulled, Concluded, Event
from engine.match import BOTH_THROW_PHASES, Phase
from engine.position import Side

CLEAR_CHANCE = 0.8
"""The chance to win from which on a match that goes on at the deadline is given to a side."""


async def throw_opening(app: App, match: int) -> None:
    """Throw for who begins a match of a contest, unless that is done."""
    session = await load_session(app, match)
    if session.match.version == 0:
        await play.throw_opening_roll(app, Action(match, CLOCK, "opening", version=0))


async def forfeit_matches(app: App, number: int, person: int) -> None:
    """Let somebody who has left a contest forfeit the matches that go on."""
    view = await load_contest(app, number)
    for pairing in view.list_running(person):
        winner = pairing.result.get_opponent(person)
        other = view.find_entrant(winner)
        # Nobody wins against somebody who has left by leaving later.
        gains = other is not None and other.left is None
        await _conclude_pairing(app, pairing, winner if gains else None, forfeited=True)


async def annul_matches(app: App, number: int, person: int | None = None) -> None:
    """Annul the matches that go on in a contest, of one person or of all."""
    view = await load_contest(app, number)
    for pairing in view.list_running(person):
        action = Action(pairing.match, CLOCK, f"contest {number} annuls {pairing.number}")
        await _end_once(app, action, lambda _: Annulled())


async def decide_unfinished(app: App, number: int, last: int) -> None:
    """Decide the matches of a contest that go on in its rounds up to the `last` that is closed.

    Nobody gets anything where nobody has played, who has played wins against who has not, and where
    both have the terms of the contest say what counts. Raises StaleMatchError where somebody plays
    meanwhile, and WorkerTimeoutError.
    """
    view = await load_contest(app, number)
    running = [each for each in view.list_running() if each.round <= last]
    acted = await app.store.contests.load_actors([each.match for each in running])
    for pairing in running:
        played = acted[pairing.match]
        if len(played) == 2:
            await _decide_match(app, view.contest, pairing)
        else:
            await _conclude_pairing(app, pairing, next(iter(played), None), forfeited=True)


async def _decide_match(app: App, contest: Contest, pairing: Pairing) -> None:
    session = await load_session(app, pairing.match)
    if session.match.phase is Phase.OVER:
        return
    winner = None
    if contest.unfinished is UnfinishedRule.CLOCK and session.match.phase not in BOTH_THROW_PHASES:
        side, _ = session.match.acting_player
        winner = session.list_players(side.other)[0]
    if contest.unfinished is UnfinishedRule.EVALUATION:
        worth = await app.costly.run(NOBODY, evaluate_match, pack_match(session.match))
        side, _ = session.match.acting_player
        if worth.win >= CLEAR_CHANCE:
            winner = session.list_players(side)[0]
        elif worth.win <= 1 - CLEAR_CHANCE:
            winner = session.list_players(side.other)[0]
    await _conclude_pairing(app, pairing, winner, forfeited=False, version=session.match.version)


async def _conclude_pairing(
    app: App, pairing: Pairing, winner: int | None, *, forfeited: bool, version: int | None = None
) -> None:
    action = Action(pairing.match, CLOCK, f"contest concludes {pairing.number}", version)
    await conclude_match(app, action, winner, forfeited=forfeited)


async def conclude_match(app: App, action: Action, winner: int | None, *, forfeited: bool) -> None:
    """End a match for somebody, or for nobody, unless it is over by now."""

    def decide(session: MatchSession) -> Event:
        require_running(session)
        return Concluded(_find_side(session, winner), forfeited)

    await _end_once(app, action, decide)


def _find_side(session: MatchSession, person: int | None) -> Side | None:
    return None if person is None else session.find_sides(person)[0]


async def _end_once(app: App, action: Action, decide: play.Decide) -> None:
    """End a match unless it is over by now."""
    try:
        await apply_action(app, action, decide)
    except DeclinedError as error:
        if error.why is not DeclineReason.MATCH_OVER:
            raise
