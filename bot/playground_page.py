"""The playground's page, made quick enough for a channel of a long evening.

simcord's page is made for tests with a few messages. Here it reads pictures without a process of
their own, sums up no more messages than it lists, and begins with the newest ones.
"""

import io
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

import simcord
from PIL import Image
from simcord.preview import _action_plans, _markdown, _pages, _queries, _snapshot
from simcord.preview._media import MediaInfo, MediaWorker

WINDOW = 25
"""Messages that the page shows at first: simcord looks 24 back from one that is to be seen."""
STEP = 12
"""Messages that come with each press of its button for older ones."""
_PNG = b"\x89PNG\r\n\x1a\n"


class _PictureReader(MediaWorker):
    """Hands on pictures as they are.

    simcord starts a process for each file and writes its picture anew, since a test may show
    anything. Here all pictures are the bot's own.
    """

    async def _decode(self, key: str, blob: bytes, media_time: float | None) -> MediaInfo:
        if not blob.startswith(_PNG):
            return await super()._decode(key, blob, media_time)
        with Image.open(io.BytesIO(blob)) as image:
            width, height = image.size
        return MediaInfo("PNG", width, height, 1, width * height * 4, blob, "image/png")


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
