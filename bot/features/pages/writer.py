"""Writing the pages every few minutes, beside everything else that the bot does."""

import asyncio
import logging
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from bot.features.history.past_matches import PastMatch
from bot.features.matches.loading import load_with_history
from bot.features.matches.proof import load_secret_origin
from bot.features.pages import folder, match_pages, server_pages
from bot.features.pages.service import PagePlan
from bot.features.pages.site import PublicServer, ServerSite, hide_name, load_site
from bot.platform.context import NO_SERVER
from bot.platform.db.errors import StoreError
from bot.platform.db.preferences import SERVER_STYLE
from bot.platform.i18n.reader import Reader
from bot.platform.lines import NOBODY
from bot.platform.people import clean_name
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.layout import load_view
from engine.strict_json import parse_json

log = logging.getLogger(__name__)

INTERVAL_S = 300
"""Seconds from one writing to the next."""
START_S = 10
"""Seconds until it is looked again whether Discord can be reached, after the start."""
REST_S = 2
"""Seconds that lie at least between two writings, however often they are asked for."""
MAX_DRAWN = 20
"""Matches of a server that get their pages in one writing: drawing all boards takes a second."""


class PageWriter:
    """Keeps the folder up to date while the bot runs; use as an async context manager."""

    def __init__(self, client: AppClient, path: Path) -> None:
        self._client = client
        self._folder = folder.PageFolder(path)
        self._plan = client.app.get_part(PagePlan)
        self._plan.folder = path
        self._problem = ""
        self._failed: set[str] = set()
        """The stamps of matches that can't be drawn as they are, so that none is tried for ever."""
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> None:
        self._task = asyncio.create_task(self._write_again_and_again())

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _write_again_and_again(self) -> None:
        while True:
            self._plan.due.clear()
            await self.write_pages()
            await asyncio.sleep(REST_S)
            pause = INTERVAL_S if self._client.app.reached else START_S
            with suppress(TimeoutError):
                await asyncio.wait_for(self._plan.due.wait(), pause)

    async def write_pages(self) -> None:
        """Write what has changed, for all servers that are served here; log what prevents it."""
        try:
            await asyncio.to_thread(self._folder.require_usable)
            await self._write_servers()
        except (OSError, StoreError) as error:
            self._report(
                str(error) if isinstance(error, folder.PageFolderError) else _explain(error)
            )
        else:
            self._report("")

    def _report(self, problem: str) -> None:
        """Log a problem once, however often it comes again, and its end."""
        if problem == self._problem:
            return
        self._problem = problem
        if problem:
            log.warning("%s; trying again every %d min", problem, INTERVAL_S // 60)
        else:
            log.info("pages are written again")

    async def _write_servers(self) -> None:
        app = self._client.app
        wanted = set(await app.store.servers.find_with_pages())
        for guild in await asyncio.to_thread(self._folder.list_servers):
            if app.shards.has_server(guild) and (guild not in wanted or self._has_left(guild)):
                await asyncio.to_thread(self._folder.remove_server, guild)
        for guild in sorted(wanted):
            if app.shards.has_server(guild) and (server := await self._find_server(guild)):
                await _guard(self._write_server(server), f"server {guild}")
        if app.shards.has_server(NO_SERVER):
            # One process of several lists the servers of all.
            await asyncio.to_thread(self._write_root, wanted)

    def _has_left(self, guild: int) -> bool:
        """Whether the bot is no member of a server, as far as Discord can be asked."""
        app = self._client.app
        is_reached = app.shards.get_shard(guild) in app.reached
        return is_reached and self._client.get_guild(guild) is None

    async def _find_server(self, guild: int) -> PublicServer | None:
        """Return a server as Discord knows it, or else as its pages do; None before it has any.

        Removing a name doesn't wait for a server that is out of reach.
        """
        known, pages = self._client.get_guild(guild), None
        if known is not None and not known.unavailable:
            listed = server_pages.ListedServer(guild, clean_name(known.name, None, guild))
            say = self._client.get_server_reader(guild)
        elif written := await asyncio.to_thread(self._load_listed, guild):
            listed, say = written, self._client.get_reader(written.locale)
            pages = await asyncio.to_thread(self._folder.list_pages, guild)
        else:
            return None
        view = await load_view(self._client.app, SERVER_STYLE, guild, {})
        return PublicServer(guild, listed.name, say.read_elsewhere(), view, pages)

    def _load_listed(self, guild: int) -> server_pages.ListedServer | None:
        """Return a server as its process has written it; None if it has no pages yet."""
        data = self._folder.read(f"{folder.SERVERS}/{guild}/{server_pages.DATA_FILE}")
        if data is None:
            return None
        said = parse_json(data.decode())
        return server_pages.ListedServer(guild, str(said["name"]), str(said["language"]))

    async def _write_server(self, server: PublicServer) -> None:
        site = await load_site(self._client.app, server)
        stamps = {each.row.id: match_pages.build_stamp(site, each) for each in site.matches}
        present = await asyncio.to_thread(self._tidy_matches, server.id, stamps)
        stale = [
            each
            for each in site.matches
            if present.get(each.row.id) != (due := stamps[each.row.id])
            and due.digest not in self._failed
        ]
        written = {*present}
        for match in stale[:MAX_DRAWN]:
            number = match.row.id
            if await _guard(self._write_match(site, match, stamps[number]), f"match {number}"):
                written.add(number)
            else:
                self._failed.add(stamps[number].digest)
        await asyncio.to_thread(self._write_site, site, frozenset(written))

    def _tidy_matches(
        self, guild: int, stamps: dict[int, match_pages.MatchStamp]
    ) -> dict[int, match_pages.MatchStamp]:
        """Remove matches that are shown no more, and return the stamps of those that have a page.

        A page that names somebody who is not to be named goes at once, even if drawing the new one
        has to wait.
        """
        present = {}
        for match in self._folder.list_matches(guild):
            page = f"{folder.SERVERS}/{guild}/{folder.MATCHES}/{match}.html"
            stamp = match_pages.parse_stamp(self._folder.read_start(page, match_pages.STAMP_SPACE))
            due = stamps.get(match)
            if stamp is None or due is None or not due.hidden <= stamp.hidden:
                self._folder.remove_match(guild, match)
            else:
                present[match] = stamp
        return present

    async def _write_match(
        self, site: ServerSite, match: PastMatch, stamp: match_pages.MatchStamp
    ) -> None:
        app, server = self._client.app, site.server
        session, happened = await load_with_history(app, match.row)
        people = {
            person: hide_name(server.say, person, names, site.hidden)
            for person, names in session.person_names.items()
        }
        shown = replace(session, person_names=people)
        origin = await load_secret_origin(app, session)
        played = match_pages.PlayedMatch(
            match, shown, happened, origin, _has_hidden_word(site, match)
        )
        # Drawing many boards keeps a core busy.
        async with app.costly.hold(NOBODY):
            await asyncio.to_thread(self._draw_match, site, played, stamp)

    def _draw_match(
        self, site: ServerSite, played: match_pages.PlayedMatch, stamp: match_pages.MatchStamp
    ) -> None:
        guild = site.server.id
        for name, content in match_pages.write_match_files(site, played, stamp):
            self._folder.write(f"{folder.SERVERS}/{guild}/{folder.MATCHES}/{name}", content)

    def _write_site(self, site: ServerSite, written: frozenset[int]) -> None:
        guild = site.server.id

        def find_picture(name: str) -> bytes | None:
            return self._folder.read(f"{folder.SERVERS}/{guild}/{name}")

        folder.write_server_files(
            self._folder, guild, server_pages.write_site_files(site, written, find_picture)
        )

    def _write_root(self, wanted: set[int]) -> None:
        found = [self._load_listed(guild) for guild in self._folder.list_servers()]
        servers = [each for each in found if each and each.id in wanted]
        for name, content in server_pages.write_root_files(Reader.ENGLISH, servers).items():
            self._folder.write(name, content)


def _has_hidden_word(site: ServerSite, match: PastMatch) -> bool:
    """Whether somebody who is not to be named gave the dice of a match a word of their own.

    What they gave is the number of an interaction, with the word after it.
    """
    return any(
        " " in seat.contribution and seat.person in site.hidden for seat in match.row.seats_at(0)
    )


async def _guard(writing: Awaitable[None], what: str) -> bool:
    """Let something be written, and return whether it was; an error of ours stops nothing else."""
    try:
        await writing
    except (OSError, StoreError):
        # Whatever prevents this prevents the rest as well.
        raise
    except Exception:
        log.exception("the pages of %s could not be made", what)
        return False
    return True


def _explain(error: Exception) -> str:
    """Say what prevents writing, in one line."""
    return f"the pages could not be written: {' '.join(str(error).split())}"
