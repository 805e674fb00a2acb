"""Moderation: end a match, for a side or as a draw, or annul it, with a public reason on record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.app import ratings
from bot.app.context import App
from bot.app.errors import Declined, Why
from bot.app.play import Action, Report, act, load
from bot.app.sitting import Sitting, require_running
from bot.store import MatchRow, Ruling
from engine.clock import MINUTE
from engine.events import Adjudicated, Annulled, Event
from engine.folding import fold
from engine.outcome import ANNULLED
from engine.position import Side

ANNUL, SUBSTITUTE = "annul", "substitute"
WAYS = (*(side.value for side in Side), ratings.DRAW, ANNUL)
"""How a moderator may end a match."""
PAGE = 5
"""Rulings on a page of the log: they fit one message even if their escaped reasons are long."""
LONGEST_REASON = 200
"""Characters of a reason."""
STORED_AFTER = MINUTE
"""Milliseconds after which an end is surely stored: more than the database is ever waited for."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a server's log, the newest rulings first, with the matches that they concern."""

    rulings: Sequence[Ruling]
    matches: Mapping[int, MatchRow]
    number: int
    pages: int


async def end(app: App, action: Action, guild: int, how: str, reason: str) -> Report:
    """End a running match of a server in one of the WAYS, or annul one that is over.

    Raises Declined if there is no such match, or the reason is missing.
    """
    given = await ruling(app, action, guild, how, reason)

    def decide(sitting: Sitting) -> Event:
        require_here(sitting, guild)
        if how == ANNUL:
            _require_counting(sitting)
            return Annulled()
        require_running(sitting)
        return Adjudicated(None if how == ratings.DRAW else Side(how))

    return await act(app, action, decide, given)


async def ruling(
    app: App, action: Action, guild: int, how: str, reason: str, people: tuple[int, ...] = ()
) -> Ruling:
    """Return what a server's log is to keep; raises Declined without a reason."""
    told = " ".join(reason.split())
    if not fold(told):
        raise Declined(Why.NO_REASON)
    await app.remember(action.person)
    return Ruling(guild, app.clock(), action.person.id, how, action.match, told, people)


async def rate_anew(app: App, match: int) -> None:
    """Rate all matches again that ended after an annulled one, as if it had not been played."""
    boards = ratings.boards((await load(app, match)).row)
    await app.store.ratings.rate_anew(match, boards, ratings.strengths, app.clock() - STORED_AFTER)


def require_here(sitting: Sitting, guild: int) -> None:
    """Raise Declined unless the match is of that server."""
    if sitting.row.guild != guild:
        raise Declined(Why.ELSEWHERE, match=sitting.id)


def _require_counting(sitting: Sitting) -> None:
    outcome = sitting.match.outcome
    if outcome and outcome.how == ANNULLED:
        raise Declined(Why.ANNULLED_BEFORE, match=sitting.id)


async def latest(app: App, sitting: Sitting) -> Ruling | None:
    """Return a moderator's last ruling on how a match ended; None if there is none."""
    outcome = sitting.match.outcome
    if outcome is None or outcome.how not in (ANNULLED, "adjudicated"):
        return None
    rulings = await app.store.audit.about(sitting.id)
    return next((each for each in rulings if each.action in WAYS), None)


async def log(app: App, guild: int, number: int) -> Page:
    """Return a page of what the moderators of a server did; pages count from 0."""
    pages = max(1, -(-await app.store.audit.count(guild) // PAGE))
    number = min(max(number, 0), pages - 1)
    rulings = await app.store.audit.page(guild, number * PAGE, PAGE)
    rows = [await app.store.matches.get(match) for match in {each.match for each in rulings}]
    return Page(rulings, {row.id: row for row in rows if row}, number, pages)
