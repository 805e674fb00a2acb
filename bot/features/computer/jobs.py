"""The computer's turn: it throws, chooses and plays through the same functions as a person does.

It goes on until a person is to act.
"""

import hashlib
import logging
from functools import partial

from bot.features.computer.pool import PlayerPool
from bot.features.matches import loading
from bot.features.matches import service as play
from bot.features.matches.jobs import COMPUTER_TURNS
from bot.features.matches.service import Action
from bot.features.matches.session import MatchSession
from bot.platform.context import App, JobsCallback
from bot.platform.db.jobs import JobPayload, Subject
from bot.platform.db.rows import QueuedJob
from bot.platform.i18n.reader import StaleMatchError
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult
from bot.platform.lines import Asker
from bot.platform.people import COMPUTERS, DiscordPerson, get_computer_level
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.channels import SHUTDOWNS
from bot.platform.workers import WorkerTimeoutError
from engine.events import DrawAgreed, DrawDeclined, Event, Thrown
from engine.match import BOTH_THROW_PHASES
from engine.players.level import Level
from engine.position import Side

log = logging.getLogger(__name__)

SEED_BYTES = 8


async def play_turn(app: App, match: int, begin_jobs: JobsCallback | None = None) -> None:
    """Let the computer do all that it has to do in a match, and begin what follows from it.

    Each step is saved by itself, for the version for which it was computed, so this may be broken
    off at any moment and begun again.
    """
    # Started before the match is read, so that they load the engine meanwhile.
    app.get_part(PlayerPool).start_workers()
    while (session := await loading.load_session(app, match)).is_computer_acting:
        try:
            await _act_once(app, session, begin_jobs)
        except StaleMatchError:
            # A person resigned, or threw for both: the match as it stands now is what counts.
            log.info(
                "match %d moved on from version %d while the computer thought",
                match,
                session.match.version,
            )


async def _act_once(app: App, session: MatchSession, begin_jobs: JobsCallback | None) -> None:
    version = session.match.version
    answering = session.computer_draw_side
    if answering is not None:
        await _respond_to_draw(app, session, answering)
        return
    cause = f"computer {version}"
    person = _find_acting_computer(session)
    action = Action(session.id, person, cause, version, begin_jobs=begin_jobs)
    if session.match.phase in BOTH_THROW_PHASES:
        await play.apply_action(app, action, play.build_opening_roll)
        return
    level = get_computer_level(action.person.id)
    assert level is not None
    event = await _choose_event(app, session, level)
    await play.apply_action(
        app, action, lambda session: Thrown(session.throw()) if event is None else event
    )


async def _choose_event(app: App, session: MatchSession, level: Level) -> Event | None:
    """Return what a level does, or None to throw.

    A level that cannot finish thinking in time plays on as a beginner.
    """
    seed, asker = _compute_seed(session), _find_asker(session)
    try:
        return await app.get_part(PlayerPool).decide(session.match, level, seed, asker)
    except WorkerTimeoutError as error:
        log.warning("the computer plays match %d on at beginner level: %s", session.id, error)
        return await app.get_part(PlayerPool).decide(session.match, Level.BEGINNER, seed, asker)


def _find_asker(session: MatchSession) -> Asker:
    """Return those who wait for the computer: a server's matches have their turns together."""
    person = next((each for each in session.human_players), 0)
    return Asker(session.row.guild, person)


async def _respond_to_draw(app: App, session: MatchSession, side: Side) -> None:
    """Accept or decline a draw."""
    version = session.match.version
    person = session.get_person(session.get_player(side, 0))
    action = Action(session.id, person, f"computer {version}", version)
    try:
        accepted = await app.get_part(PlayerPool).accepts_draw(
            session.match, side, _find_asker(session)
        )
    except WorkerTimeoutError:
        # Without the time to think nothing is given away.
        accepted = False
    await play.apply_action(
        app, action, lambda _: DrawAgreed(side) if accepted else DrawDeclined(side)
    )


def _find_acting_computer(session: MatchSession) -> DiscordPerson:
    """Return the computer that acts; where both sides throw, the first that sits there."""
    person = session.person_to_act
    if person not in COMPUTERS:
        person = next(seat.person for seat in session.row.seats if seat.person in COMPUTERS)
    return session.get_person(person)


def _compute_seed(session: MatchSession) -> int:
    """Return the seed of a weaker level's errors.

    It is the same if a turn is started over, and reveals nothing about the dice.
    """
    text = f"{session.row.commitment} {session.match.version}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=SEED_BYTES).digest())


class PlayComputerTurn(JobPayload, kind="computer", about=Subject.MATCH):
    """Let the computer act in a match."""

    match: int


@COMPUTER_TURNS.add()
def build_turn(match: int) -> PlayComputerTurn:
    """Let the computer act in a match."""
    return PlayComputerTurn(match)


@handles(PlayComputerTurn)
async def play_computer_turn(
    client: AppClient, job: PlayComputerTurn, _: QueuedJob, answer: InteractionAnswer | None = None
) -> JobResult:
    """Let the computer do all that it has to do in a match.

    Whoever has left it the turn is answered by what becomes of their message.
    """
    begin_jobs = partial(client.runner.schedule_jobs, answer=answer)
    await play_turn(client.app, job.match, begin_jobs)
    return Done()


@SHUTDOWNS.add(1)
async def close_pool(app: App) -> None:
    """End the workers, once nothing asks them any more."""
    app.get_part(PlayerPool).close()
