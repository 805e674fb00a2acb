"""Moderation: end a match, for a side or as a draw, or annul it, with a public reason on record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.features.matches.loading import load_session
from bot.features.matches.service import Action, ActionResult, apply_action
from bot.features.matches.session import MatchSession, require_running
from bot.features.ratings import service as ratings
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.store import DRAW, MatchRow, Ruling
from engine.clock import MINUTE
from engine.events import Adjudicated, Annulled, Event
from engine.folding import fold_text
from engine.outcome import ANNULLED
from engine.position import Side

ANNUL, SUBSTITUTE = "annul", "substitute"
WAYS = (*(side.value for side in Side), DRAW, ANNUL)
"""How a moderator may end a match."""
PAGE = 5
"""Rulings on a page of the log: they fit one message even if their escaped reasons are long."""
LONGEST_REASON = 200
"""Characters of a reason."""
STORED_AFTER = MINUTE
"""Milliseconds after which an end is surely stored: more than the database is ever waited for."""


@dataclass(frozen=True, slots=True)
class RulingPage:
    """One page of a server's log, the newest rulings first, with the matches that they concern."""

    rulings: Sequence[Ruling]
    matches: Mapping[int, MatchRow]
    number: int
    pages: int


async def end_match(app: App, action: Action, guild: int, how: str, reason: str) -> ActionResult:
    """End a running match of a server in one of the WAYS, or annul one that is over.

    Raises DeclinedError if there is no such match, or the reason is missing.
    """
    given = await build_ruling(app, action, guild, how, reason)

    def decide(session: MatchSession) -> Event:
        # Checked in the lock, with the match as it is then: two moderators may act at once.
        require_same_server(session, guild)
        if how == ANNUL:
            _require_not_annulled(session)
            return Annulled()
        require_running(session)
        return Adjudicated(None if how == DRAW else Side(how))

    return await apply_action(app, action, decide, given)


def require_reason(typed: str) -> str:
    """Return a reason on one line, as it is quoted; raises DeclinedError if it says nothing."""
    reason = " ".join(typed.split())
    if not fold_text(reason):
        raise DeclinedError(DeclineReason.NO_REASON)
    return reason


async def build_ruling(
    app: App, action: Action, guild: int, how: str, reason: str, people: tuple[int, ...] = ()
) -> Ruling:
    """Return what a server's log is to keep; raises DeclinedError without a reason."""
    told = require_reason(reason)
    # Before the ruling, which refers to them: a moderator may never have played.
    await app.save_people(action.person)
    return Ruling(guild, app.clock(), action.person.id, how, action.match, told, people)


async def rerate_matches(app: App, match: int) -> None:
    """Rate all matches again that ended after an annulled one, as if it had not been played."""
    now = app.clock()
    boards = ratings.list_boards_to_rerate((await load_session(app, match)).row, now)
    # A match that ended just now may not be stored yet by another process.
    await app.store.ratings.rerate_after(
        match, boards, ratings.compute_strengths, now - STORED_AFTER
    )


def require_same_server(session: MatchSession, guild: int) -> None:
    """Raise DeclinedError unless the match is of that server."""
    if session.row.guild != guild:
        raise DeclinedError(DeclineReason.ELSEWHERE, match=session.id)


def _require_not_annulled(session: MatchSession) -> None:
    outcome = session.match.outcome
    if outcome and outcome.how == ANNULLED:
        raise DeclinedError(DeclineReason.ANNULLED_BEFORE, match=session.id)


async def find_latest_ruling(app: App, session: MatchSession) -> Ruling | None:
    """Return a moderator's last ruling on how a match ended; None if there is none."""
    outcome = session.match.outcome
    if outcome is None or outcome.how not in (ANNULLED, "adjudicated"):
        return None
    rulings = await app.store.audit.load_by_match(session.id)
    # Other rulings, such as a substitution, do not say why the match ended.
    return next((each for each in rulings if each.action in WAYS), None)


async def load_log_page(app: App, guild: int, number: int) -> RulingPage:
    """Return a page of what the moderators of a server did; pages count from 0."""
    # Negated twice, the floor division rounds up. An empty log still has a page.
    pages = max(1, -(-await app.store.audit.count_rulings(guild) // PAGE))
    number = min(max(number, 0), pages - 1)
    rulings = await app.store.audit.load_page(guild, number * PAGE, PAGE)
    rows = await app.store.matches.load_rows([*{each.match for each in rulings}])
    return RulingPage(rulings, {row.id: row for row in rows}, number, pages)
