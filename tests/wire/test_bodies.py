"""Every body that the bot sends is one that Discord takes, by Discord's own description."""

from collections import Counter

import pytest

from bot.features.matches.places import ARCHIVE_DELAY_MS
from tests.bot.conftest import club as club
from tests.store.conftest import new_file as new_file
from tests.support.club import SimulatedClub, forget_sent
from tests.support.driver import (
    find_mentioned_player,
    get_newest_message,
    get_response,
    give_up,
    list_button_labels,
    press_more,
    start_match,
    take_next_action,
)
from tests.support.panels import change_server, change_settings

from .openapi import check_request, needs_description

pytestmark = [pytest.mark.asyncio, needs_description]

MESSAGE, THINKING, SILENT, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
"""Kinds of first answers.

They are a message, a command's placeholder, a press acknowledged, a message changed, an
autocomplete's choices, and a modal.
"""


async def exercise_commands(club: SimulatedClub) -> None:
    """Use every command, every kind of button and menu, and be refused a few times."""
    ana, ben, cyn, channel = club.ana, club.ben, club.cyn, club.channel
    for command in ("help", "rules", "games", "matches", "leaderboard", "learn"):
        await ana.slash(channel, command)
    taught = get_response(await ana.slash(channel, "learn", lesson="ludus-anglicorum")).message
    await ana.click(taught, label="Turn the 5 into a six")
    await ana.slash(channel, "rules", game="zeno")
    await ana.autocomplete(channel, "challenge", "game", "dog")
    await ana.autocomplete(channel, "challenge", "options", "un", game="zeno")
    await ana.slash(channel, "challenge", game="pyf", options="players=2")
    await ana.slash(channel, "challenge", game="zeno")
    await ben.click(get_newest_message(club), label="Rules")
    await cyn.slash(channel, "move", play="a-g")
    await ana.slash(channel, "challenge", game="zeno", opponent=ben)
    await ben.click(get_newest_message(club), label="Decline")
    drawn = await ana.slash(channel, "challenge", game="zeno", options="choose", word="a red hen")
    assert drawn.response is not None
    await ana.select(drawn.response.message, custom_id="draft:unusable", values=["opponent"])
    await ana.click(drawn.response.message, label="Challenge")
    form = await ben.click(get_newest_message(club), label="Accept with a secret word")
    await ben.submit_modal(form, {"text": "seven geese"})
    answer = await ana.slash(channel, "match resign")
    await ana.click(get_response(answer).message, label="Play on")
    await give_up(club, ana, channel)
    await start_match(club, "zeno", options="unusable=opponent")
    for _ in range(6):
        await take_next_action(club)
        if "Take back" in list_button_labels(get_newest_message(club)):
            await find_mentioned_player(club).click(get_newest_message(club), label="Take back")
    while "Roll" in list_button_labels(get_newest_message(club)):
        await take_next_action(club)
    mover = find_mentioned_player(club)
    await mover.autocomplete(channel, "move", "play", "")
    await mover.slash(channel, "move", play="nonsense")
    await mover.slash(channel, "match board")
    await mover.slash(channel, "match board", share=True)
    for show in ("text", "moves"):
        await mover.slash(channel, "match board", show=show)
    await change_settings(ana, channel, theme="plain", near="mine", numbers=True, zone="Rome")
    await change_server(ana, channel, theme="alfonso")
    await cyn.slash(channel, "match replay", match=2)
    await ana.slash(channel, "match replay", match=2, share=True)
    await start_match(club, "ludus-anglicorum")
    await ana.slash(channel, "match board")
    await give_up(club, ana, channel, match=3)
    await give_up(club, ana, channel, match=2)
    await start_match(club, "twelve-dogs")
    while await take_next_action(club):
        pass
    end = get_newest_message(club)
    await cyn.click(end, label="Watch again")
    for label in ("Verify", "Fair dice", "Record"):
        await press_more(cyn, end, label)
    await ben.click(end, label="Rematch, sides swapped")
    await ana.slash(channel, "match record")
    await ana.slash(channel, "leaderboard")
    await cyn.slash(channel, "me profile", player=ben)
    await cyn.slash(channel, "me profile")
    await change_server(ana, channel, threads=True, channels=[channel], pace="10m+5s")
    await start_match(club, "zeno")
    await give_up(club, ana, channel.threads[-1])
    await club.advance_clock(ARCHIVE_DELAY_MS)


@pytest.fixture
def first_start() -> None:
    """The bot of the test is the first here, and sends its commands."""
    forget_sent()


@pytest.mark.sweep
@pytest.mark.usefixtures("first_start")
async def test_every_body_is_one_that_discord_takes(club: SimulatedClub) -> None:
    await exercise_commands(club)
    sent = [one for one in club.env.http_requests if one.method in ("POST", "PUT", "PATCH")]
    wrong = [
        f"{one.method} {one.path}: {sentence}"
        for one in sent
        for sentence in check_request(one.method, one.path, one.json)
    ]
    assert wrong == []
    kinds = Counter(one.json["type"] for one in sent if one.json and one.path.endswith("/callback"))
    assert min(kinds[MESSAGE], kinds[UPDATE]) > 10
    assert (kinds[CHOICES], kinds[MODAL]) == (3, 3)
    assert set(kinds) == {MESSAGE, THINKING, SILENT, UPDATE, CHOICES, MODAL}
    paths = Counter((one.method, one.path.split("/")[1]) for one in sent)
    assert paths["PUT", "applications"]
    # Most changes are the answers to presses.
    assert min(paths["POST", "channels"], paths["PATCH", "channels"]) > 5
