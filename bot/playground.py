"""The bot on a simulated Discord in the browser: how a newcomer tries it without a token.

The bot is the one that runs on Discord, unchanged. Around it is simcord, Discord's behaviour in
memory, with its preview page: one channel, a few people, and a switch for which of them you are.
The database stays on disk between runs, and the people keep their ids, so matches go on; the
channel's messages do not, and the boards of running matches are posted again.

Its page is made quick enough for a channel of a long evening. simcord's is made for tests with a
few messages. Here it reads pictures without a process of their own, sums up no more messages than
it lists, and begins with the newest ones.
"""

import asyncio
import contextlib
import io
import os
import webbrowser
import zlib
from base64 import b64decode
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import discord
import simcord
from PIL import Image
from simcord.backend.cdn import CDN_BASE
from simcord.enums import SELECT_TYPES
from simcord.http import router
from simcord.http.routes import application
from simcord.preview import (
    _action_plans,
    _assets,
    _component_projection,
    _markdown,
    _pages,
    _queries,
    _server,
    _snapshot,
)
from simcord.preview._media import MediaInfo, MediaWorker

from bot.client import Tabula
from bot.features.computer.pool import PlayerPool
from bot.features.matches.jobs import ShowMatch
from bot.features.matches.store import Matches
from bot.features.reports.idle_analysis import LeisureAnalysis
from bot.features.rulebook.cards import greeting_card
from bot.platform import outages
from bot.platform.context import HEARTBEAT_MS, App
from bot.platform.db.backups import delete_database
from bot.platform.db.store import Store
from bot.platform.ui.icons import IconSet
from bot.platform.ui.layout import build_layout

FOLDER = Path(".playground")
DATABASE = "tabula.sqlite3"
PUBLISH_S = 0.2
FOLLOWED_S = 2.0
"""How long the page waits for all that follows an action."""
WINDOW = 25
"""Messages that the page shows at first: simcord looks 24 back from one that is to be seen."""
STEP = 12
"""Messages that come with each press of its button for older ones."""
_PNG = b"\x89PNG\r\n\x1a\n"
_EMOJI_ROOM = ".custom-emoji { display: inline-block; overflow: hidden; }\n"


class _Env(simcord.Env):
    """A simulated Discord that goes on if the result of an action takes long.

    A match's report takes long. Otherwise simcord takes that for a fault, tells the page that
    nobody knows the result of the action, and shows it nothing more. Later results are shown when
    they come (see `_refresh_pages`).
    """

    async def _settle_internal(self, **options: Any) -> None:  # noqa: ANN401 - as there
        with contextlib.suppress(TimeoutError):
            await super()._settle_internal(**options)


async def serve_playground(people: Sequence[str], port: int, *, fresh: bool, browser: bool) -> None:
    """Run the playground until its page is closed or the program is interrupted.

    `fresh` forgets the matches kept. Raises ValueError for odd people, and StoreError if the
    matches cannot be opened or forgotten.
    """
    if len({name.casefold() for name in people}) < max(2, len(people)):
        raise ValueError("--people takes two or more different names, with commas between")
    file = _prepare_database()
    if fresh:
        await delete_database(file)
    async with open_playground(file, people, port) as preview:
        print(f"Tabula is playing at {preview.url}", flush=True)  # noqa: T201 - program output
        print("Press Ctrl-C to stop.", flush=True)  # noqa: T201
        if browser and _has_browser():
            webbrowser.open(preview.url)
        await preview.wait_closed()


def _prepare_database() -> Path:
    """Make the folder in which matches are kept from run to run, and return their file."""
    FOLDER.mkdir(exist_ok=True)
    return FOLDER / DATABASE


@contextlib.asynccontextmanager
async def open_playground(
    database: Path, people: Sequence[str], port: int
) -> AsyncIterator[simcord.Preview]:
    """Start the bot in a channel with these people, and serve the page on that loopback port."""
    _adapt_simcord()
    async with await Store.open(database) as store:
        bot = Tabula(store)
        env = _Env(bot, settle_timeout=FOLLOWED_S, check_errors=False)
        channel, members = _create_server(env, people)
        _advance_clock(env)
        await env.start()
        # The first to play it is not to wait for the computer.
        bot.app.get_part(PlayerPool).start_workers()
        bot.app.get_part(LeisureAnalysis).start()
        try:
            # This Discord starts without commands each time, while the file may say that it has
            # them.
            await bot.sync_commands(anew=True)
            if uploading := bot.app.get_part(IconSet).uploading:
                # Neither has it any emoji.
                await uploading
            with env.time_context():
                await bot.get_partial_messageable(channel.id).send(
                    view=build_layout(greeting_card(bot.get_reader("en")))
                )
                await _repost_matches(bot, channel.id)
                async with open_page(env, channel, members, port) as preview:
                    keepers = [
                        asyncio.create_task(each)
                        for each in (_refresh_pages(env, preview), _record_heartbeats(bot.app))
                    ]
                    try:
                        yield preview
                    finally:
                        for keeper in keepers:
                            keeper.cancel()
        finally:
            try:
                await bot.close()
            finally:
                await env.shutdown()


async def _repost_matches(bot: Tabula, channel: int) -> None:
    """Show the matches of earlier days again: their channel has forgotten its messages.

    Earlier versions had a channel where the thread's parent is now.
    """
    app = bot.app
    thread = bot.get_channel(channel)
    assert isinstance(thread, discord.Thread)
    for earlier in (thread.parent_id, channel):
        for row in await app.store.get(Matches).load_running_in_channel(earlier):
            renewed = ShowMatch(row.id, fresh=channel, past=row.message or 0)
            await app.enqueue(row.guild, [renewed.build_job(app.clock())])


def _create_server(
    env: simcord.Env, people: Sequence[str]
) -> tuple[simcord.ChannelHandle, list[simcord.MemberActor]]:
    """Make the server before the clock is set, so that its ids are the same at every start."""
    env.backend.bot_user.name = "Tabula"
    users = [env.create_user(name.lower(), global_name=name.capitalize()) for name in people]
    guild = env.create_guild("The Tables Club", owner=users[0])
    members = [guild.add_member(user) for user in users]
    # The page shows one channel and none of its threads. A match that begins in a thread stays
    # there, and the bot lacks no permission, as it would where it may not open one.
    parent = guild.create_text_channel("games")
    thread = env.backend.create_thread(parent.id, "tables", users[0].id, broadcast=False)
    return simcord.ChannelHandle(env, guild, thread), members


def _advance_clock(env: simcord.Env) -> None:
    """Move simcord's stopped clock to now: message ids come from it and must not repeat."""
    env.backend.advance_clock(max(0.0, (datetime.now(UTC) - env.now()).total_seconds()))


async def _refresh_pages(env: simcord.Env, preview: simcord.Preview) -> None:
    """Show on every page what happened since it was last shown.

    By itself a page shows only what its viewer did.
    """
    happened = env.backend.transcript
    seen = len(happened)
    changed = False
    while True:
        await asyncio.sleep(PUBLISH_S)
        _advance_clock(env)
        changed = changed or any(_is_visible_change(name) for _, name, _ in happened[seen:])
        seen = len(happened)
        if changed and preview._active_action is None:  # noqa: SLF001 - refresh() breaks clicks
            changed = False
            preview._publish_message_pages(reason="refresh")  # noqa: SLF001


def _is_visible_change(transition: str) -> bool:
    """Whether an event or a request changes what a page shows.

    Suggestions don't: showing the page again would close them. No event reports a change of what
    one person alone sees, only the request does.
    """
    return transition.startswith("MESSAGE_") or "/webhooks/" in transition


async def _record_heartbeats(app: App) -> None:
    """Note that people can act, as the bot does by itself while the clock runs."""
    while True:
        await asyncio.sleep(HEARTBEAT_MS / 1000)
        await outages.record_heartbeat(app)


def _has_browser() -> bool:
    """Whether a browser could open here: there is a screen, or the system always has one."""
    if os.name == "posix" and os.uname().sysname == "Linux":
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


class _PictureReader(MediaWorker):
    """Hands on pictures as they are.

    simcord starts a process for each file and writes its picture anew, since a test may show
    anything. Here all pictures are the bot's own, and need no limit of memory, of whose lack the
    page would warn.
    """

    async def _decode(self, key: str, blob: bytes, media_time: float | None) -> MediaInfo:
        if (dimensions := _find_dimensions(blob)) is None:
            info = await super()._decode(key, blob, media_time)
            return replace(info, memory_limited=True)
        width, height = dimensions
        size = width * height * 4
        return MediaInfo("PNG", width, height, 1, size, blob, "image/png", memory_limited=True)


def _find_dimensions(blob: bytes) -> tuple[int, int] | None:
    """Return the width and the height of a PNG file, None for another."""
    if not blob.startswith(_PNG):
        return None
    with Image.open(io.BytesIO(blob)) as image:
        return image.size


@asynccontextmanager
async def open_page(
    env: simcord.Env,
    channel: simcord.ChannelHandle,
    viewers: Sequence[simcord.MemberActor],
    port: int,
) -> AsyncIterator[simcord.Preview]:
    """Serve the page of a channel, as the one or the other of its people, on a loopback port."""
    _adapt_simcord()
    preview = env.preview(channel, viewers=viewers, layout="channel", port=port)
    preview._media_worker = _PictureReader()  # noqa: SLF001 - it has no setting for it
    async with preview:
        yield preview


@cache
def _adapt_simcord() -> None:
    """Change what simcord has no settings for, once for the process."""
    _shorten_history()
    _limit_summaries()
    _cache_parsers()
    _renew_menus()
    _keep_emoji()
    _measure_pictures()
    _hold_emoji_room()


def _shorten_history() -> None:
    """Let the page begin with fewer messages; its button loads older ones."""
    for module in (_pages, _snapshot, _action_plans):
        vars(module)["HISTORY_WINDOW_SIZE"] = WINDOW
    for module in (_pages, _action_plans):
        vars(module)["HISTORY_STEP"] = STEP


def _limit_summaries() -> None:
    """Let the page sum up the messages that its list has room for, and not all of the channel."""
    summarise = _queries._message_navigation  # noqa: SLF001

    def summarise_first(preview: Any, page: Any, visible: list[Any]) -> Any:  # noqa: ANN401
        # Without a search the list begins with the oldest messages, and one more says that there
        # are others.
        if not page.navigation_query and page.navigation_cursor is None:
            visible = visible[: _queries.QUERY_PAGE_SIZE + 1]
        return summarise(preview, page, visible)

    vars(_snapshot)["_message_navigation"] = summarise_first


def _cache_parsers() -> None:
    """Let the page keep its parsers of Markdown.

    It makes a new one for each text of each message whenever it shows the channel, which by the end
    of a long match takes all the time of the machine.
    """
    make = _markdown._markdown_parser  # noqa: SLF001
    made: dict[str, Any] = {}

    def make_once(policy: Mapping[str, bool | str], context: Mapping[str, Any]) -> Any:  # noqa: ANN401
        # Who may be named in a text is in its context, and the same few people are named in all.
        key = repr((policy, context))
        if key not in made:
            made[key] = make(policy, context)
        return made[key]

    _markdown._markdown_parser = make_once  # noqa: SLF001


def _renew_menus() -> None:
    """Let the page show what a menu has as chosen once another stands in its place.

    It remembers what was picked in a menu by its place in the message alone.
    """
    project = _component_projection._control_key  # noqa: SLF001
    find = _action_plans._component_key  # noqa: SLF001

    def project_anew(scope: str, component: Mapping[str, Any], path: str) -> str | None:
        return _add_content(project(scope, component, path), component)

    def find_anew(component: Mapping[str, Any], path: str, message_id: int) -> str | None:
        return _add_content(find(component, path, message_id), component)

    vars(_component_projection)["_control_key"] = project_anew
    vars(_action_plans)["_component_key"] = find_anew


def _add_content(key: str | None, component: Mapping[str, Any]) -> str | None:
    """Return the key of a control of the page with what it is for, and has as chosen."""
    if key is None or component.get("type") not in SELECT_TYPES:
        return key
    chosen = [each["value"] for each in component.get("options", ()) if each.get("default")]
    content = repr((component.get("custom_id"), chosen, component.get("default_values")))
    return f"{key}:{zlib.crc32(content.encode()):x}"


def _keep_emoji() -> None:
    """Let the page show the application's emoji, of which simcord drops the pictures."""
    template, create = "/applications/{application_id}/emojis", application.create_application_emoji

    def create_with_picture(context: router.RequestContext) -> Any:  # noqa: ANN401
        created = create(context)
        url = f"{CDN_BASE}/emojis/{created['id']}.png"
        _, _, content = context.body()["image"].partition(",")
        context.backend.cdn._blobs[url] = b64decode(content)  # noqa: SLF001 - only files go in
        return created

    # The first of those that fit a path is taken.
    router._ROUTES["POST"].insert(0, (template.strip("/").split("/"), create_with_picture))  # noqa: SLF001


def _measure_pictures() -> None:
    """Let the page know how large a picture is before it has shown it.

    It draws all messages anew for a menu that opens. What takes no room until it is there moves
    the menu out of sight then, and the menu closes.
    """
    find_picture = _pages._Page._resolve_blob  # noqa: SLF001
    describe = _assets._Asset.to_wire  # noqa: SLF001

    def find_and_measure(page: Any, asset: Any, *where: Any) -> None:  # noqa: ANN401
        find_picture(page, asset, *where)
        if asset.available and not asset.validated:
            content = page.preview._blobs[asset.digest].data  # noqa: SLF001
            asset.width, asset.height = _find_dimensions(content) or (None, None)

    def describe_with_size(asset: Any) -> dict[str, Any]:  # noqa: ANN401
        described: dict[str, Any] = describe(asset)
        if asset.available and asset.width:
            described |= {"displayWidth": asset.width, "displayHeight": asset.height}
        return described

    vars(_pages)["_Page"]._resolve_blob = find_and_measure  # noqa: SLF001
    vars(_assets)["_Asset"].to_wire = describe_with_size


def _hold_emoji_room() -> None:
    """Let an emoji take its room before it is there, where the page would show its name instead."""
    serve = _server.PreviewServer._static  # noqa: SLF001

    async def serve_with_room(server: Any, request: Any) -> Any:  # noqa: ANN401
        response = await serve(server, request)
        if request.path == "/preview.css":
            response.text = f"{response.text}{_EMOJI_ROOM}"
        return response

    vars(_server)["PreviewServer"]._static = serve_with_room  # noqa: SLF001
