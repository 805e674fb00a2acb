"""A playground whose channel has many messages: `python -m tests.e2e.long_channel COUNT PORT`."""

import asyncio
import sys
import tempfile
from dataclasses import replace
from itertools import islice, product
from pathlib import Path

import simcord

from bot.platform.ui.card import Card, Picture
from bot.platform.ui.layout import render_card
from bot.playground import open_playground
from render.scene import Die, View, sample_scene

PEOPLE = ("ana", "ben", "cyn", "dan")


async def serve_long_channel(count: int, port: int) -> None:
    """Serve the page of a channel in which so many turns were played, until it is stopped."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "long.sqlite3"
        async with open_playground(file, PEOPLE, port) as preview:
            await _post_turns(preview, count)
            print(preview.url, flush=True)  # noqa: T201 - for the test that started it
            await preview.wait_closed()


async def _post_turns(preview: simcord.Preview, count: int) -> None:
    """Post turns with a picture each, all different, as in matches."""
    env = preview.env
    ana, ben = (viewer.id for viewer in preview.viewers[:2])
    channel = env.bot.get_partial_messageable(preview.channel.id)
    for number, dice in enumerate(islice(product(range(1, 7), repeat=4), count), 1):
        scene = replace(sample_scene(), dice=tuple(Die(each) for each in dice))
        card = Card(
            texts=(
                f"### Ludus Anglicorum\n-# Match {number}: <@{ana}> against <@{ben}>",
                f"<@{ana}> rolled {'-'.join(map(str, dice))} and played `a-g-m`.",
            ),
            picture=Picture(scene, f"The board of turn {number}."),
        )
        packed = await render_card(card, View())
        with env.time_context():
            await channel.send(view=packed.layout, files=packed.open_files())


if __name__ == "__main__":
    asyncio.run(serve_long_channel(int(sys.argv[1]), int(sys.argv[2])))
