"""Matches as they were last seen here, kept in memory; the store may have moved on since."""

from collections import OrderedDict
from collections.abc import Iterator

from bot.features.matches.session import MatchSession
from bot.platform.context import MOST_CACHED, App


class SessionCache:
    """Sessions by the ids of their matches, the one unused for longest first."""

    def __init__(self) -> None:
        self._sessions: OrderedDict[int, MatchSession] = OrderedDict()

    def __iter__(self) -> Iterator[int]:
        return iter(self._sessions)

    def get(self, match_id: int) -> MatchSession | None:
        """Return a match as it was last seen here."""
        return self._sessions.get(match_id)

    def put(self, session: MatchSession) -> None:
        """Remember a match unless a newer state of it is known.

        Above the limit, the match that was unused for longest is forgotten. The plays of past
        positions are forgotten, unless a take-back has brought the match back to one.
        """
        for each in session.recent:
            if each.before is not session.match:
                each.before.forget_plays()
        known = self._sessions.get(session.id)
        if known is None or known.match.version <= session.match.version:
            self._sessions[session.id] = session
        self._sessions.move_to_end(session.id)
        while len(self._sessions) > MOST_CACHED:
            self._sessions.popitem(last=False)

    def clear(self) -> None:
        """Forget every match, as a restart does."""
        self._sessions.clear()


def get_cached_session(app: App, match_id: int) -> MatchSession | None:
    """Return a match as it was last seen here; the store may have moved on since."""
    return app.get_part(SessionCache).get(match_id)


def cache_session(app: App, session: MatchSession) -> None:
    """Remember a match unless a newer state of it is known."""
    app.get_part(SessionCache).put(session)
