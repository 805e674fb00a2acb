"""Which matches somebody plays or has played, and where a match is shown."""

from bot.features.matches.loading import load_session
from bot.features.matches.session import MatchSession
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.jobs.kinds import ShowMatch


async def load_running_sessions(app: App, person: int) -> list[MatchSession]:
    """Return all that somebody plays, in every server."""
    rows = await app.store.matches.load_running_by_person(person)
    return [await load_session(app, row.id) for row in rows]


async def load_own_sessions(app: App, guild: int, channel: int, person: int) -> list[MatchSession]:
    """Return somebody's running matches in a channel.

    Where there are none, return those of the server that can't be shown anywhere.
    """
    rows = await app.store.matches.load_running_in_channel(channel)
    own = [row.id for row in rows if person in (seat.person for seat in row.seats)]
    return [
        await load_session(app, match) for match in own or await _find_stopped(app, guild, person)
    ]


async def _find_stopped(app: App, guild: int, person: int) -> list[int]:
    rows = await app.store.matches.load_running_by_person(person)
    here = [row.id for row in rows if row.guild == guild]
    return sorted(await app.store.pauses.load_stopped_matches(here)) if here else []


async def find_finished_match(app: App, person: int) -> int:
    """Return the number of somebody's latest finished match.

    Raises DeclinedError if there is none.
    """
    ended = await app.store.matches.load_ended_by_person(person, 1)
    if not ended:
        raise DeclinedError(DeclineReason.NONE_FINISHED)
    return ended[0].id


async def find_match_channel(app: App, match: int) -> int | None:
    """Return the channel in which a match is shown now; None if there is no such match."""
    row = await app.store.matches.get(match)
    return row.channel if row else None


async def bring_match(app: App, session: MatchSession, channel: int) -> None:
    """Have a match shown again in a channel of its server, where it goes on."""
    # By `past` a job that is renewed while it is done sees that the message is there already.
    renewed = ShowMatch(session.id, fresh=channel, past=session.row.message or 0)
    await app.enqueue(session.row.guild, [renewed.make_job(app.clock())])


async def refresh_match(app: App, session: MatchSession) -> None:
    """Have a match shown once more as it stands."""
    shown = ShowMatch(session.id).make_job(app.clock())
    await app.enqueue(session.row.guild, [shown])
