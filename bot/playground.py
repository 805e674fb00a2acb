"""The bot on a simulated Discord in the browser: how a newcomer tries it without a token.

The bot is the one that runs on Discord, unchanged. Around it is simcord, Discord's behaviour in
memory, with its preview page: one channel, a few people, and a switch for which of them you are.
The database stays on disk between runs, and the people keep their ids, so matches go on; the
channel's messages do not, and the boards of running matches are posted again.
"""

import asyncio
import contextlib
import os
import webbrowser
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import discord
import simcord
from simcord.builders import UserHandle

from bot.client import Tabula
from bot.features.computer.pool import PlayerPool
from bot.features.reports.leisure import LeisureAnalysis
from bot.features.rulebook.pages import greeting_card
from bot.platform import outages
from bot.platform.context import App
from bot.platform.db.backups import delete_database
from bot.platform.i18n.reader import Reader
from bot.platform.jobs.kinds import ShowMatch
from bot.platform.ui.layout import build_layout
from bot.playground_page import open_page
from bot.store import Store

FOLDER = Path(".playground")
DATABASE = "tabula.sqlite3"
PUBLISH_S = 0.2
FOLLOWED_S = 2.0
"""How long the page waits for all that follows an action."""


class _Env(simcord.Env):
    """A simulated Discord that goes on if the result of an action takes long.

    A match's report takes long. Otherwise simcord takes that for a fault, tells the page that
    nobody knows the result of the action, and shows it nothing more. Later results are shown when
    they come (see `_refresh_pages`).
    """

    async def _settle_internal(self, **given: Any) -> None:  # noqa: ANN401 - as there
        with contextlib.suppress(TimeoutError):
            await super()._settle_internal(**given)


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
            await bot.tree.sync()
            with env.time_context():
                await bot.get_partial_messageable(channel.id).send(
                    view=build_layout(greeting_card(Reader.ENGLISH))
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
            await bot.close()
            await env.shutdown()


async def _repost_matches(bot: Tabula, channel: int) -> None:
    """Show the matches of earlier days again: their channel has forgotten its messages."""
    app = bot.app
    running = await app.store.matches.load_running_in_channel(channel)
    for row in running:
        renewed = ShowMatch(row.id, fresh=channel, past=row.message or 0)
        await app.enqueue(row.guild, [renewed.make_job(app.clock())])


def _create_server(
    env: simcord.Env, people: Sequence[str]
) -> tuple[simcord.ChannelHandle, list[simcord.MemberActor]]:
    """Make the server before the clock is set, so that its ids are the same at every start."""
    env.backend.bot_user.name = "Tabula"
    users = [env.create_user(name.lower(), global_name=name.capitalize()) for name in people]
    guild = env.create_guild("The Tables Club", owner=users[0])
    members = [guild.add_member(user) for user in users]
    # The page shows one channel and none of its threads, so every match is played in the channel.
    bot = UserHandle(env, env.backend.bot_user)
    channel = guild.create_text_channel(
        "tables",
        topic="Type /challenge to begin, /help for more",
        overwrites={bot: discord.PermissionOverwrite(create_public_threads=False)},
    )
    return channel, members


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
        await asyncio.sleep(outages.HEARTBEAT_MS / 1000)
        await outages.record_heartbeat(app)


def _has_browser() -> bool:
    """Whether a browser could open here: there is a screen, or the system always has one."""
    if os.name == "posix" and os.uname().sysname == "Linux":
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True
