"""Buttons for moves, the men whose moves are too many, and what the menu says of each play."""

import asyncio
import random
from dataclasses import replace

import discord
import pytest

from bot.features.matches.controls import build_play_emoji, count_button_room, list_button_plays
from bot.features.matches.event_texts import describe_play
from bot.features.matches.service import list_plays_with_remarks
from bot.platform.i18n.common import keep_together
from bot.platform.i18n.reader import Reader
from engine.events import Played, Thrown
from engine.games import GAMES
from engine.match import PLAY_PHASES, Match, Phase, new_match
from engine.notation import format_play, parse_play
from engine.playout import choose_event
from tests.bot.test_computer import load_session
from tests.engine.build import apply_automatic, build_match
from tests.support.club import SimulatedClub
from tests.support.driver import (
    find_button,
    find_mentioned_player,
    get_ephemeral_text,
    get_newest_message,
    list_button_labels,
    list_menus,
    list_public_messages,
    start_match,
    take_next_action,
)

MEETING = "k1,l1,off13 p1,a14 gold -"
"""Backgammon: by 4 the man on l hits the blot on p, and by both numbers k and l make o."""


def test_each_move_and_each_whole_play_has_a_button() -> None:
    match = build_match(MEETING, "backgammon").apply(Thrown((4, 3)))
    texts = [format_play(play, match.rules, match.position) for play in list_button_plays(match)]
    # k-n-r and k-o-r end alike and have one button; l-o-s hits nobody, so it differs from l-p-s.
    moves = ["k-n", "k-o", "l-o", "l-p*"]
    assert sorted(texts) == sorted([*moves, "k-o l-o", "k-o-r", "l-o-s", "l-p* k-n", "l-p*-s"])


@pytest.mark.parametrize(
    ("men", "icons"),
    [
        (
            MEETING,
            {
                "k-n": "gold_3",
                "k-o": "gold_4",
                "l-o": "gold_3",
                "l-p*": "gold_4_hit",
                "k-o l-o": "",
                "k-o-r": "",
                "l-o-s": "",
                "l-p* k-n": "black_hit",
                "l-p*-s": "black_hit",
            },
        ),
        (
            "bar1,k1,off13 a15 gold -",
            {"bar-c": "gold_3", "bar-d": "gold_4", "bar-d-g": "gold_bar"}
            | {"bar-c k-o": "gold_bar", "bar-d k-n": "gold_bar"},
        ),
    ],
)
def test_a_button_shows_the_die_of_a_move_and_whether_a_play_hits_or_enters(
    men: str, icons: dict[str, str]
) -> None:
    match = build_match(men, "backgammon").apply(Thrown((4, 3)))
    shown = {
        format_play(play, match.rules, match.position): build_play_emoji(match, play)
        for play in list_button_plays(match)
    }
    assert {text: emoji.icon for text, emoji in shown.items()} == icons
    # Without icons a move has the number of its die.
    assert {text for text, emoji in shown.items() if emoji.name} == {
        text for text, icon in icons.items() if icon[-1:].isdigit() or icon.endswith("4_hit")
    }


def test_where_buttons_are_few_only_one_mans_ways_stand_beside_the_moves() -> None:
    match = build_match(MEETING, "backgammon").apply(Thrown((4, 3)))
    texts = [format_play(play, match.rules, match.position) for play in list_button_plays(match, 7)]
    assert sorted(texts) == ["k-n", "k-o", "k-o-r", "l-o", "l-o-s", "l-p*", "l-p*-s"]
    assert [play for play in list_button_plays(match, 6) if len(play) > 1] == []


def test_the_menu_says_what_each_play_does_in_the_order_of_the_board() -> None:
    match = build_match(MEETING, "backgammon").apply(Thrown((4, 3)))
    texts = [
        (text, describe_play(Reader.ENGLISH, match, play, remark))
        for text, play, remark in list_plays_with_remarks(match)
    ]
    assert [text for text, _ in texts] == sorted(text for text, _ in texts)
    assert {frozenset(text.split()): words for text, words in texts} == {
        frozenset({"l-p*", "k-n"}): "hits on p; leaves blots on n and p",
        frozenset({"k-o", "l-o"}): "makes o",
        frozenset({"k-o-r"}): "leaves a blot on r",
        frozenset({"l-o-s"}): "leaves a blot on s",
        frozenset({"l-p*-s"}): "hits on p; leaves a blot on s",
    }


def test_men_borne_off_are_counted_and_nobody_is_open_where_nothing_is_hit() -> None:
    match = build_match("y2,z1,off12 a2,off13 gold -", "backgammon").apply(Thrown((2, 1)))
    effects = {describe_play(Reader.ENGLISH, match, play) for play in match.plays}
    # Or 1 brings the man on y to z, and 2 bears off the other.
    assert effects == {"bears off 2 men; leaves a blot on y", "bears off a man; makes z"}
    # In Laquet nothing is hit, and in Doblet each side has a table of its own.
    for slug, numbers in (("laquet", (2, 1)), ("doblet", (3, 2, 1))):
        peaceful = replace(new_match(GAMES[slug], {}), phase=Phase.THROW).apply(Thrown(numbers))
        assert {describe_play(Reader.ENGLISH, peaceful, play) for play in peaceful.plays} == {""}


@pytest.mark.parametrize("slug", GAMES)
def test_every_move_of_every_game_can_be_pressed_and_means_what_it_shows(slug: str) -> None:
    rng = random.Random(slug)
    match = apply_automatic(new_match(GAMES[slug], {}))
    for _ in range(150):
        if match.phase is Phase.OVER:
            break
        if match.phase in PLAY_PHASES:
            check_buttons(match)
        event = choose_event(match, rng)
        if match.phase in PLAY_PHASES:
            event = Played(rng.choice(list_button_plays(match)))
        match = apply_automatic(match.apply(event))


def check_buttons(match: Match) -> None:
    """Make sure of the buttons of a throw."""
    plays = list_button_plays(match)
    texts = [format_play(play, match.rules, match.position) for play in plays]
    assert len(set(texts)) == len(plays)
    assert {play[0] for play in plays if len(play) == 1} == set(match.list_next_moves())
    men = {play[0].source for play in plays}
    room = count_button_room(match)
    assert len(plays) <= room or len(men) <= room
    for text, play in zip(texts, plays, strict=True):
        read = parse_play(text, match.rules, match.position, match.duty)
        assert match.apply(Played(read)).position == match.apply(Played(play)).position


@pytest.mark.asyncio
async def test_a_button_plays_its_move(club: SimulatedClub) -> None:
    await start_match(club, "backgammon")
    while not list_menus(get_newest_message(club)):
        await take_next_action(club)
    message = get_newest_message(club)
    match = (await load_session(club)).match
    (play, *_) = list_button_plays(match)
    text = format_play(play, match.rules, match.position)
    # A move reads the same on its button as where it is typed.
    assert keep_together(text) in list_button_labels(message)
    await find_mentioned_player(club).click(message, custom_id=find_button(message, f":{text}"))
    after = (await load_session(club)).match
    assert after.moves[:1] == play
    assert after.version == match.version + 1


@pytest.mark.asyncio
async def test_where_moves_are_many_one_says_first_which_man_moves(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    while not any(
        label.endswith("\u2011…") for label in list_button_labels(get_newest_message(club))
    ):
        await take_next_action(club)
    message = get_newest_message(club)
    before = (await load_session(club)).match
    mover = find_mentioned_player(club)
    waiter = club.ben if mover is club.ana else club.ana
    labels = list_button_labels(message)
    man = next(label for label in labels if label.endswith("\u2011…"))
    answer = await waiter.click(message, label=man)
    assert get_ephemeral_text(answer).startswith("It's ")
    assert list_button_labels(get_newest_message(club)) == labels
    posted = len(list_public_messages(club))
    await mover.click(message, label=man)
    offered = list_button_labels(get_newest_message(club))
    assert len(list_public_messages(club)) == posted
    ways = offered[: offered.index("Another man")]
    assert ways
    assert all(label.startswith(man.removesuffix("…")) for label in ways)
    # Nothing is played yet, and one may think again.
    assert (await load_session(club)).match == before
    await mover.click(get_newest_message(club), label="Another man")
    assert list_button_labels(get_newest_message(club)) == labels
    await mover.click(get_newest_message(club), label=man)
    await mover.click(get_newest_message(club), label=ways[0])
    assert len((await load_session(club)).match.moves) == 1


@pytest.mark.asyncio
async def test_a_man_is_chosen_also_while_the_match_is_busy(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    while not any(
        label.endswith("\u2011…") for label in list_button_labels(get_newest_message(club))
    ):
        await take_next_action(club)
    message, mover = get_newest_message(club), find_mentioned_player(club)
    man = next(each for each in list_button_labels(message) if each.endswith("\u2011…"))
    # The press is acknowledged while something else is done in the match.
    async with club.bot.app.get_match_lock(1):
        pressing = asyncio.create_task(mover.click(message, label=man))
        await asyncio.sleep(1.5)
    await pressing
    assert "Another man" in list_button_labels(get_newest_message(club))


@pytest.mark.asyncio
@pytest.mark.parametrize("name", ["man:1:{old}:a", "man:1:{now}:a", "man:1:{now}:nowhere"])
async def test_a_man_chosen_on_another_message_changes_nothing(
    club: SimulatedClub, name: str
) -> None:
    await start_match(club, "zeno")
    await take_next_action(club)
    live, mover = get_newest_message(club), find_mentioned_player(club)
    before = (await load_session(club)).match
    control = name.format(old=before.version - 1, now=before.version)
    layout = discord.ui.LayoutView(timeout=None)
    layout.add_item(discord.ui.ActionRow(discord.ui.Button(label="a-…", custom_id=control)))
    layout.stop()
    other = await club.bot.get_partial_messageable(club.channel.id).send(view=layout)
    labels = list_button_labels(live)
    await mover.click(get_newest_message(club), custom_id=control)
    assert (await load_session(club)).match == before
    (message,) = [each for each in list_public_messages(club) if each.id == live.id]
    assert list_button_labels(message) == labels
    (asked,) = [each for each in list_public_messages(club) if each.id == other.id]
    assert "Another man" not in list_button_labels(asked)
