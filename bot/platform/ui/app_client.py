"""The client as the platform knows it, what goes wrong between it and Discord, and its pages."""

import asyncio
import logging
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from pathlib import Path
from types import SimpleNamespace
from typing import TypeAlias

import aiohttp
import discord
from cachetools import LRUCache

from bot.platform.context import App, Languages
from bot.platform.i18n.reader import NO_MENTIONS, CommandMentions, Reader, load_discord_reader
from bot.platform.jobs.runner import Runner
from bot.platform.lines import Asker
from bot.platform.people import DiscordPerson, clean_name, clean_text
from bot.platform.ui.card import Card
from engine.clock import HOUR

log = logging.getLogger(__name__)

FAILURES = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What is raised where Discord refuses, or cannot be reached."""
UNKNOWN_CHANNEL = 10003
UNREADABLE_ERRORS = (KeyError, TypeError)
"""What discord.py raises if a 429 to an answer comes from something in front of Discord."""
UNKNOWN_MESSAGE = 10008
UNKNOWN_INTERACTION = 10062
"""Discord's word for one that nobody answered in time, too."""
ALREADY_ACKNOWLEDGED = 40060
INVALID_FORM = 50035
THREAD_ARCHIVED = 50083
THREAD_LOCKED = 160005
UNKNOWN_MEMBER = 10007
UNKNOWN_ROLE = 10011
UNKNOWN_USER = 10013
UNKNOWN_EVENT = 10070
TOO_MANY_ROLES = 30005
"""A server can have 250."""
TOO_MANY_EVENTS = 30038
"""A server can have 100 that are not over."""
MESSAGE_TOO_OLD = 30046
"""Discord takes only so many changes of a message that is older than an hour."""


class UnansweredError(Exception):
    """Discord did not take an answer to an interaction; its user sees none. Nobody is at fault."""


class AnsweredElsewhereError(UnansweredError):
    """An interaction was answered by another program with the same token."""


@contextmanager
def wrap_failures() -> Iterator[None]:
    """Send a part of an answer.

    Raises UnansweredError where Discord refuses it or cannot be reached.
    """
    try:
        yield
    except FAILURES as error:
        raise UnansweredError(describe_error(error)) from error
    except UNREADABLE_ERRORS as error:
        raise UnansweredError("what came in answer is not Discord's own") from error


def require_error_code(error: discord.NotFound) -> None:
    """Raise the error again unless Discord says what is missing.

    A bare 404 is not Discord's own, and may be wrong.
    """
    if error.code == 0:
        raise error


def is_thread_closed(error: discord.HTTPException) -> bool:
    """Whether Discord says that a thread takes no message, or no change of one."""
    return error.code in (THREAD_ARCHIVED, THREAD_LOCKED)


def is_content_refused(error: BaseException) -> bool:
    """Whether Discord itself refuses what a request holds, and would do so again."""
    return (
        isinstance(error, discord.HTTPException)
        and error.code != 0
        and HTTPStatus.BAD_REQUEST <= error.status < HTTPStatus.INTERNAL_SERVER_ERROR
        and error.status != HTTPStatus.TOO_MANY_REQUESTS
    )


def is_emoji_refused(error: discord.HTTPException) -> bool:
    """Whether Discord says that an emoji of a message is none."""
    # discord.py names the part that is wrong, such as `components.0.components.1.emoji.id`.
    return error.code == INVALID_FORM and ".emoji." in error.text


def describe_error(error: BaseException) -> str:
    """Return an error's message, or the name of its type if it has none."""
    return str(error) or type(error).__name__


SILENCE_TIMEOUT_S = 10.0
"""Seconds without a byte after which a request that Discord has in full is given up."""
SERVER_ERROR_STATUS = 500
"""The first status by which Discord says that the fault is its own."""
UNAUTHORIZED = 401
"""What Discord says of a token that was revoked."""
TOO_MANY_REQUESTS = 429
REFUSAL_STATUSES = (UNAUTHORIZED, 403, TOO_MANY_REQUESTS)
"""The statuses that Discord counts as invalid requests: source, docs.discord.com, "Rate Limits"."""
REFUSALS_WINDOW_S = 600.0
"""Discord bans an address for a while that makes 10,000 invalid requests within so many seconds."""
WARNING_THRESHOLD = 1_000
WARNING_INTERVAL_S = 60.0
MAX_UNSURE = 256
MAX_SKEW_S = 60.0
"""Seconds by which this machine's clock may differ from Discord's until nobody's time runs out."""

_CALLBACK = re.compile(r"/interactions/(\d+)/[^/]+/callback$")


class RequestTracker:
    """Listens to every request of a client, by the `trace` that its HTTP sessions are given."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = lambda: time.time() * 1000,
    ) -> None:
        self._clock = clock
        self._now = now
        self._skew_s: float | None = None
        self._refused: deque[float] = deque()
        self._failing_since: float | None = None
        self._warned = -WARNING_INTERVAL_S
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_start.append(self._on_request_start)
        self.trace.on_request_end.append(self._on_request_end)
        self.trace.on_request_exception.append(self._on_request_exception)
        self._unsure: LRUCache[int, None] = LRUCache(MAX_UNSURE)
        self._awaited: set[int] = set()

    def count_refusals(self) -> int:
        """Return how many requests Discord refused in the last ten minutes, by its count."""
        since = self._clock() - REFUSALS_WINDOW_S
        while self._refused and self._refused[0] <= since:
            self._refused.popleft()
        return len(self._refused)

    def get_failing_s(self) -> float:
        """Return for how many seconds every request has failed; 0 where the last one did not.

        What Discord refuses for a reason of its own has not failed, but for the token's sake.
        """
        return 0.0 if self._failing_since is None else self._clock() - self._failing_since

    def find_skew_s(self) -> float | None:
        """Return how far this machine's clock was ahead of Discord's, None if it isn't known."""
        return self._skew_s

    def is_clock_wrong(self) -> bool:
        """Return whether this machine's clock differs from Discord's by more than a way takes."""
        return self._skew_s is not None and abs(self._skew_s) > MAX_SKEW_S

    def _record_skew(self, date: str | None) -> None:
        try:
            theirs = parsedate_to_datetime(date or "").timestamp()
        except ValueError:
            # Something in front of Discord may send none, or a damaged one.
            return
        was_wrong = self.is_clock_wrong()
        # Half a second, since Discord leaves the fraction out.
        self._skew_s = self._now() / 1000 - theirs - 0.5
        if self.is_clock_wrong() and not was_wrong:
            log.warning(
                "%s; nobody's time runs out until it is set, by NTP for example",
                format_skew(self._skew_s),
            )
        elif was_wrong and not self.is_clock_wrong():
            log.info("the clock of this machine is right again")

    def is_awaiting(self, interaction: int) -> bool:
        """Whether an answer to an interaction is under way and Discord has not responded yet."""
        return interaction in self._awaited

    def may_have_arrived(self, interaction: int) -> bool:
        """Whether Discord did not confirm an answer to an interaction, but may have taken it."""
        return interaction in self._unsure

    def mark_unsure(self, interaction: int) -> None:
        """Note that Discord did not say what became of an answer to an interaction."""
        self._unsure[interaction] = None

    async def _on_request_start(
        self,
        session: aiohttp.ClientSession,
        _: SimpleNamespace,
        request: aiohttp.TraceRequestStartParams,
    ) -> None:
        if interaction := _find_interaction(request.url.path):
            self._awaited.add(interaction)
        # discord.py makes the session, with aiohttp's timeout of five minutes: a match would not be
        # shown for so long.
        silence = aiohttp.ClientTimeout(
            total=None, sock_connect=SILENCE_TIMEOUT_S, sock_read=SILENCE_TIMEOUT_S
        )
        session._timeout = silence  # noqa: SLF001

    async def _on_request_end(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, request: aiohttp.TraceRequestEndParams
    ) -> None:
        self._stop_awaiting(request.url.path)
        status = request.response.status
        self._record_skew(request.response.headers.get("Date"))
        self._note_outcome(failed=status >= SERVER_ERROR_STATUS or status == UNAUTHORIZED)
        if status >= SERVER_ERROR_STATUS:
            log.warning("Discord answers %d to %s %s", status, request.method, request.url.path)
        # Such an answer may come from something in front of Discord, which may have taken the
        # request.
        if status >= SERVER_ERROR_STATUS or status == TOO_MANY_REQUESTS:
            self._mark_path_unsure(request.url.path)
        # The limit of a resource that others use too is not counted against this program.
        shared = request.response.headers.get("X-RateLimit-Scope") == "shared"
        if status in REFUSAL_STATUSES and not shared:
            self._add_refusal()

    def _note_outcome(self, *, failed: bool) -> None:
        if not failed:
            self._failing_since = None
        elif self._failing_since is None:
            self._failing_since = self._clock()

    def _add_refusal(self) -> None:
        now = self._clock()
        self._refused.append(now)
        refused = self.count_refusals()
        if refused >= WARNING_THRESHOLD and now - self._warned >= WARNING_INTERVAL_S:
            self._warned = now
            log.warning(
                "Discord refused %d requests within ten minutes, and bans an address for 10,000; "
                "failed jobs are retried more slowly",
                refused,
            )

    async def _on_request_exception(
        self,
        _: aiohttp.ClientSession,
        __: SimpleNamespace,
        request: aiohttp.TraceRequestExceptionParams,
    ) -> None:
        self._stop_awaiting(request.url.path)
        # Who gives up waiting, or ends the program, says so.
        if isinstance(request.exception, asyncio.CancelledError):
            return
        self._note_outcome(failed=True)
        text = str(request.exception) or type(request.exception).__name__
        log.warning("Discord did not respond to %s %s: %s", request.method, request.url.path, text)
        self._mark_path_unsure(request.url.path)

    def _mark_path_unsure(self, path: str) -> None:
        if interaction := _find_interaction(path):
            self.mark_unsure(interaction)

    def _stop_awaiting(self, path: str) -> None:
        if interaction := _find_interaction(path):
            self._awaited.discard(interaction)


def format_skew(skew_s: float) -> str:
    """Say how far this machine's clock is from Discord's."""
    way = "ahead of" if skew_s > 0 else "behind"
    return f"the clock of this machine is {abs(skew_s):.0f} s {way} Discord's"


def _find_interaction(path: str) -> int | None:
    """Return the interaction that a request is the first answer to, if it is one."""
    found = _CALLBACK.search(path)
    return int(found[1]) if found else None


MAX_PAGES = 1000
"""Pages that are remembered, so that of each somebody has one copy that can be turned."""


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page that somebody opened: its message, what it shows, and how it is changed."""

    message: int
    card: Card
    change: Callable[[Card], Awaitable[None]]


class Pages:
    """The pages that people can turn: of each kind everyone has one, the newest."""

    def __init__(self) -> None:
        self._live: LRUCache[tuple[int, str], OpenPage] = LRUCache(MAX_PAGES)

    async def add(self, person: int, name: str, page: OpenPage) -> None:
        """Remember a page, and take the controls from the copy that the person opened before."""
        before = self._live.pop((person, name), None)
        self._live[person, name] = page
        if before is None or before.message == page.message:
            return
        # The message keeps its picture; it would be drawn again only to be the same.
        picture = before.card.picture and replace(before.card.picture, shows=None)
        try:
            await before.change(replace(before.card, controls=(), picture=picture))
        except (*FAILURES, UnansweredError) as error:
            # After a quarter of an hour only a press could still change a message for one alone.
            log.info(
                "could not remove the controls of an earlier copy of a page: %s",
                describe_error(error),
            )


MAX_REPOSTS = 5
"""How often a match's message is posted again within an hour while others delete it.

That is while nobody acts in the match.
"""
MAX_REMEMBERED = 1000
"""Deleted messages that are remembered, for one deleted before it is stored that it was posted.

As many matches with deleted messages are remembered; those longest left in peace go first.
"""


class Deletions:
    """The messages that others have deleted lately, and how often those of each match."""

    def __init__(self) -> None:
        self._messages: deque[int] = deque(maxlen=MAX_REMEMBERED)
        self._reposts: LRUCache[int, tuple[int, deque[int]]] = LRUCache(MAX_REMEMBERED)

    def add(self, messages: Iterable[int]) -> None:
        """Remember that messages were deleted."""
        self._messages.extend(messages)

    def has_message(self, message: int) -> bool:
        """Whether a message was deleted lately."""
        return message in self._messages

    def may_repost(self, match: int, version: int, now: int) -> bool:
        """Whether the message of a match is posted again.

        It is not if it is deleted each time before anybody acts.
        """
        before, lately = self._reposts.get(match, (None, deque[int]()))
        if before != version:
            lately = deque(maxlen=MAX_REPOSTS)
        self._reposts[match] = version, lately
        # A full deque holds the latest times alone, and the first of them is the oldest.
        if len(lately) == MAX_REPOSTS and lately[0] > now - HOUR:
            return False
        lately.append(now)
        return True


class AppClient(discord.AutoShardedClient):
    """A client that carries the program it serves."""

    app: App
    exchanges: RequestTracker
    """What became of its requests."""
    locales: Path
    """The folder of the catalogues."""
    under_way: set[asyncio.Task[None]]
    """The answers that are being given, so that the program can wait for them before it ends."""
    deletions: Deletions
    """The messages that others have deleted lately."""
    received: LRUCache[int, None]
    """The latest interactions: after a broken connection Discord sends some of them again."""
    pages: Pages
    """The pages that people can turn."""
    runner: Runner
    """What does the jobs of this process."""
    answering: set[int]
    """Those that are being answered."""
    ending: bool = False
    """Whether the program is about to end, and so begins nothing more."""
    mentions: CommandMentions = NO_MENTIONS
    """How texts mention the commands, once Discord has given them ids."""

    def get_reader(self, locale: object, client: object = None) -> Reader:
        """Return the reader of a locale as Discord names it, whose client may be in another."""
        text = str(locale)
        return load_discord_reader(text, str(client or text), self.mentions, self.locales)

    def get_locale(self, interaction: "Interaction") -> str:
        """Return the language of whoever asks: the one they have chosen, or as Discord says."""
        return self.app.get_part(Languages).people.get(interaction.user.id, str(interaction.locale))

    def get_asker_reader(self, interaction: "Interaction") -> Reader:
        """Return the reader of whoever asks for something."""
        return self.get_reader(self.get_locale(interaction), interaction.locale)

    def get_server_reader(self, guild: int, locale: object = "") -> Reader:
        """Return who reads what everyone in a server sees.

        Unless the server has chosen a language, it is as Discord names it, which is `locale` where
        the server is not known.
        """
        known = self.get_guild(guild)
        said = known.preferred_locale if known else locale
        return self.get_reader(self.app.get_part(Languages).servers.get(guild, said))

    async def load_direct_reader(self, person: int, guild: int) -> Reader:
        """Return who reads a direct message that comes by itself, about something in a server."""
        chosen = self.app.get_part(Languages).people.get(person)
        client = await self.app.store.people.load_locale(person)
        said = chosen or client
        return self.get_reader(said, client) if said else self.get_server_reader(guild)


Interaction: TypeAlias = discord.Interaction[AppClient]


def build_asker(interaction: "Interaction") -> Asker:
    """Return who asks for something, and where, to take their turn."""
    return Asker(interaction.guild_id or 0, interaction.user.id)


def build_person(user: discord.User | discord.Member) -> DiscordPerson:
    """Return a person as Discord knows them.

    Their roles are included where they are a member of the server.
    """
    roles = frozenset(role.id for role in user.roles) if isinstance(user, discord.Member) else None
    name = clean_name(user.display_name, user.name, user.id)
    return DiscordPerson(user.id, name, user.bot, roles, clean_text(user.name))
