"""How a contest ends matches that its players have not: by forfeit, at a deadline, or annulled."""

from collections.abc import Collection
from contextlib import suppress

from bot.features.computer.pool import evaluate_match, pack_match
from bot.features.contests.formats import may_skip
from bot.features.contests.service import MatchBegunError, load_contest
from bot.features.contests.store import Contests
from bot.features.contests.tables import Contest, ContestView, Pairing, UnfinishedRule
from bot.features.matches import service as play
from bot.features.matches.loading import MatchUnknownError, load_session
from bot.features.matches.service import Action, apply_action
from bot.features.matches.session import MatchOverError, MatchSession, require_running
from bot.features.matches.store import Matches
from bot.platform.context import App
from bot.platform.i18n.reader import StaleMatchError, UnknownControlError
from bot.platform.lines import NOBODY
from bot.platform.people import CLOCK, DiscordPerson
from engine.events import Annulled, Concluded, Event
from engine.match import BOTH_THROW_PHASES, Phase

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


async def take_as_unplayed(app: App, match: int, person: DiscordPerson, cause: str) -> ContestView:
    """Let one of two between whom a block stands take their match as unplayed.

    Raises DeclinedError for anybody else, for other matches, and once both have played in it.
    """
    row = await app.store.get(Matches).load_row(match)
    view = await load_contest(app, row.contest) if row and row.contest else None
    pairing = view.find_pairing(match) if view else None
    if view is None or pairing is None or person.id not in pairing.pair:
        raise MatchUnknownError(match)
    session = await load_session(app, match)
    require_running(session)
    if not may_skip(view, pairing):
        raise UnknownControlError
    acted = await app.store.get(Contests).load_actors([match])
    if len(acted[match]) == 2:
        raise MatchBegunError(match)
    # If somebody plays meanwhile, it has begun.
    action = Action(match, person, cause, session.match.version)
    await apply_action(app, action, lambda _: Annulled())
    return view


async def decide_unfinished(app: App, number: int, last: int) -> None:
    """Decide the matches of a contest that go on in its rounds up to the `last` that is closed.

    Who was to act and never has forfeits; where nobody was kept waiting like that, the terms of the
    contest say what counts. Raises StaleMatchError where somebody plays meanwhile, and
    WorkerTimeoutError.
    """
    view = await load_contest(app, number)
    running = [each for each in view.list_running() if each.round <= last]
    # Before who has acted, so that nobody forfeits who acts between the two.
    sessions = [await load_session(app, each.match) for each in running]
    acted = await app.store.get(Contests).load_actors([each.match for each in running])
    for pairing, session in zip(running, sessions, strict=True):
        if session.match.phase is Phase.OVER:
            continue
        missing = _find_missing(session, pairing, acted[pairing.match])
        if missing:
            winner = _find_opponent_there(view, pairing, missing)
            await _conclude_pairing(
                app, pairing, winner, forfeited=True, version=session.match.version
            )
        else:
            await _decide_match(app, view.contest, pairing, session)


def _find_missing(
    session: MatchSession, pairing: Pairing, acted: Collection[int]
) -> Collection[int]:
    """Return who of a pairing was to act by now and never has.

    While both can throw, that may be both. Who only waited for the other has missed nothing.
    """
    to_act = {pairing.first, pairing.second}
    if session.match.phase not in BOTH_THROW_PHASES:
        to_act = {session.person_to_act}
    return to_act - set(acted)


def _find_opponent_there(
    view: ContestView, pairing: Pairing, missing: Collection[int]
) -> int | None:
    """Return who wins where the others of a pairing are missing; nobody who has withdrawn does."""
    there = {each.person for each in view.present} - set(missing)
    return next((each for each in (pairing.first, pairing.second) if each in there), None)


async def _decide_match(
    app: App, contest: Contest, pairing: Pairing, session: MatchSession
) -> None:
    winner = None
    if contest.unfinished is UnfinishedRule.CLOCK and session.match.phase not in BOTH_THROW_PHASES:
        side, _ = session.match.acting_player
        winner = session.list_players(side.other)[0]
    if contest.unfinished is UnfinishedRule.EVALUATION:
        evaluation = await app.costly.run(NOBODY, evaluate_match, pack_match(session.match))
        side, _ = session.match.acting_player
        if evaluation.win >= CLEAR_CHANCE:
            winner = session.list_players(side)[0]
        elif evaluation.win <= 1 - CLEAR_CHANCE:
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
        side = None if winner is None else session.find_sides(winner)[0]
        return Concluded(side, forfeited)

    await _end_once(app, action, decide)


async def _end_once(app: App, action: Action, decide: play.Decide) -> None:
    """End a match unless it is over by now."""
    with suppress(MatchOverError):
        try:
            await apply_action(app, action, decide)
        except StaleMatchError:
            # Its clock may have run out meanwhile.
            if (await load_session(app, action.match)).match.phase is not Phase.OVER:
                raise
