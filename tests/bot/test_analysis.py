"""Analysing any position: set up from a text, evaluated, shared and discussed."""

import pytest
import simcord
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.features.analysis.setup import build_setup_match, parse_setup
from bot.features.analysis.store import KEPT_MS
from bot.features.matches import loading
from bot.platform.errors import DeclinedError
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.refusals import format_decline, format_refusal
from engine.games import GAMES
from engine.match import Match, Phase
from engine.position_ids import format_position_id, format_xgid
from engine.position_text import format_position, parse_position
from engine.refusal import Refusal
from tests.bot.conftest import SimulatedClub
from tests.bot.driver import (
    extract_text,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    list_button_labels,
    list_menus,
    list_pictures,
    list_public_messages,
    start_match,
)
from tests.bot.test_hints import list_ranked_plays

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
"""The opening position with gold to play a 3-1."""
START = "a2,m5,r3,t5 f5,h3,n5,z2"


async def analyse(
    club: SimulatedClub, person: simcord.MemberActor | None = None, **typed: str
) -> simcord.ResponseMessage:
    """What somebody is shown who analyses a position."""
    told = get_response(await (person or club.ana).slash(club.channel, "analyse", **typed))
    assert told.ephemeral
    return told


@pytest.mark.asyncio
async def test_the_best_plays_of_a_pasted_position(club: SimulatedClub) -> None:
    told = await analyse(club, position=XGID)
    lines = extract_text(told.message).splitlines()
    assert lines[:2] == ["### Analysis: Backgammon", "**Gold** has 3-1 to play."]
    # Every book plays 8/5 6/5, and makes the five point.
    assert lines[2].startswith("**1.** `r-u t-u`: best. Win chance ")
    assert "**Play 1**: makes u" in "\n".join(lines)
    assert f"-# Position: `{START} gold 3-1`" in lines
    assert f"-# `{XGID}`" in lines
    (picture,) = list_pictures(told.message)
    assert picture.description is not None
    assert "Arrows 1: r to u, t to u." in picture.description
    assert list_button_labels(told.message) == ["1", "2", "3", "Share"]
    plays = list_ranked_plays(told.message)
    await club.ana.click(told.message, label="3")
    assert "**Play 3**" in extract_text(told.message)
    assert list_ranked_plays(told.message) == plays
    assert not list_public_messages(club)


@pytest.mark.asyncio
async def test_without_a_throw_a_position_is_evaluated(club: SimulatedClub) -> None:
    told = await analyse(club, position="y1,z2,off12 a1,b2,off12 gold -", game="backgammon")
    lines = extract_text(told.message).splitlines()
    assert lines[1] == "**Gold** is to roll."
    assert lines[2].startswith("Gold: Win chance ")
    assert list_button_labels(told.message) == []


@pytest.mark.asyncio
async def test_a_throw_takes_the_place_of_the_dice_in_the_position(club: SimulatedClub) -> None:
    told = await analyse(club, position=XGID, throw="42")
    lines = extract_text(told.message).splitlines()
    assert lines[1] == "**Gold** has 4-2 to play."
    assert lines[2].startswith("**1.** `r-w t-w`: best.")


@pytest.mark.asyncio
async def test_the_same_by_the_ids_of_gnu_backgammon(club: SimulatedClub) -> None:
    told = await analyse(club, position="4HPwATDgc/ABMA:QYkqASAAIAAA", game="backgammon")
    assert "**Gold** has 5-2 to play." in extract_text(told.message)


@pytest.mark.asyncio
async def test_another_game_with_house_rules_and_a_choice(club: SimulatedClub) -> None:
    told = await analyse(club, position="a15 z15 gold -", game="ludus-anglicorum", throw="4 2 1")
    text = extract_text(told.message)
    assert "**Gold** has 4-2-1 and a choice to make." in text
    assert "turn the " in text
    assert list_button_labels(told.message) == ["1", "2", "3"]
    told = await analyse(
        club,
        position="a15 z15 gold -",
        game="Ludus Anglicorum",
        throw="21",
        options="dice: two-and-six",
    )
    assert "House rules: " in extract_text(told.message)
    assert "**Gold** has 6-2-1 to play." in extract_text(told.message)
    told = await analyse(club, position="hand15 hand15 gold -", game="tabula", throw="652")
    assert "**1.** `" in extract_text(told.message)


@pytest.mark.asyncio
async def test_where_nothing_can_be_played_that_is_said(club: SimulatedClub) -> None:
    told = await analyse(
        club, position="a14,bar1 b2,c2,d2,e2,f2,z5 gold -", game="zeno", throw="6-5-4"
    )
    assert "Nothing of this throw can be played. Gold: Win chance " in extract_text(told.message)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (
            {"position": "a15 z15 gold -"},
            (
                "Choose the game with the option `game`; only an XGID or a GNU Backgammon ID does "
                "without."
            ),
        ),
        (
            {"position": "a15 z15 gold -", "game": "zenno"},
            "There's no game called zenno; did you mean Zeno?",
        ),
        (
            {"position": "a14 z15 gold -", "game": "zeno"},
            "Gold has 14 men, but this game is played with 15 a side.",
        ),
        (
            {"position": "a15 z15 gold -", "game": "zeno", "throw": "65"},
            "A throw in this game is 3 numbers from 1 to 6, such as `6-5-2`, not `65`.",
        ),
        (
            {"position": "a15 z15 gold 6-5-2-1", "game": "zeno"},
            "A throw in this game can't be 6-5-2-1.",
        ),
        (
            {"position": "t15 z15 gold -", "game": "zeno"},
            "The game is over in this position.",
        ),
        (
            {"position": "4HPwATDgc/ABM"},
            "A position ID of GNU Backgammon has 14 characters, but this one has 13.",
        ),
        (
            {"position": XGID.replace("E-C", "E-D")},
            "Gold has 16 men, but this game is played with 15 a side.",
        ),
        (
            {"position": XGID, "options": "dice"},
            "Backgammon has no option dice; its only option is `unusable`.",
        ),
    ],
)
async def test_what_is_no_position_is_refused_in_a_sentence(
    club: SimulatedClub, typed: dict[str, str], sentence: str
) -> None:
    told = get_ephemeral_text(await club.ana.slash(club.channel, "analyse", **typed))
    assert told == sentence


def explain_setup(**typed: str) -> str:
    """Why what is typed is no position, in a sentence; empty where it is one that reads back."""
    try:
        setup = parse_setup(**typed)
        match = build_setup_match(setup)
    except Refusal as refused:
        return format_refusal(Reader.ENGLISH, refused)
    except DeclinedError as declined:
        return format_decline(Reader.ENGLISH, declined)
    assert match.phase is not Phase.OVER
    written = format_position(setup.position, match.rules)
    assert parse_position(written, match.rules) == setup.position
    return ""


@settings(deadline=None, max_examples=60)
@given(
    position=st.text(max_size=60)
    | st.from_regex(
        r"[a-z][0-9]{1,2}(,[a-z][0-9]|,(hand|off|bar)[0-9])* [a-z][0-9]{1,2} (gold|black) [1-6-]*",
        fullmatch=True,
    )
    | st.sampled_from([XGID, "a15 z15 gold -", f"{START} black 6-6-6-6", "4HPwATDgc/ABMA"]),
    game=st.sampled_from(["", *GAMES]) | st.text(max_size=12),
    throw=st.sampled_from(["", "63", "6-5-2", "111", "7"]) | st.text(max_size=6),
    options=st.sampled_from(["", "dice=two-and-six", "unusable=opponent", "x"])
    | st.text(max_size=12),
)
def test_whatever_is_typed_is_set_up_or_refused_in_a_sentence(
    position: str, game: str, throw: str, options: str
) -> None:
    sentence = explain_setup(position=position, game=game, throw=throw, options=options)
    assert not sentence or sentence[-1] in ".?"


async def throw_in_match(club: SimulatedClub, **options: bool) -> Match:
    """Ana and Ben begin a match of backgammon, whose first throw is to be played."""
    await start_match(club, "backgammon", **options)
    while not list_menus(get_newest_message(club)):
        await club.ana.click(get_newest_message(club), label="Roll")
    return (await loading.load_session(club.bot.app, 1)).match


@pytest.mark.asyncio
async def test_a_position_of_ones_own_rated_match_is_not_analysed(club: SimulatedClub) -> None:
    match = await throw_in_match(club, rated=True)
    position, rules = match.position, match.rules
    after = match.plays[0].end
    refused = (
        "This is a position of match 1, in which you get no hints. Analyse it when the match is "
        "over."
    )
    for text in (
        format_position(position, rules),
        format_xgid(position),
        # Where the one on roll is taken for gold, whoever it is in the match.
        format_position_id(position),
        format_xgid(after._replace(dice=())),
    ):
        for person in (club.ana, club.ben):
            told = await person.slash(
                club.channel, "analyse", position=text, game="backgammon", throw="63"
            )
            assert get_ephemeral_text(told) == refused
    # Who only looks on is told, and so is anyone of another position.
    assert "### Analysis" in extract_text(
        (await analyse(club, club.cyn, position=format_xgid(position))).message
    )
    assert "### Analysis" in extract_text(
        (await analyse(club, position="y1,z2,off12 a1,b2,off12 gold -", game="backgammon")).message
    )


@pytest.mark.asyncio
async def test_where_hints_are_allowed_an_analysis_is_too(club: SimulatedClub) -> None:
    match = await throw_in_match(club, rated=False)
    text = format_xgid(match.position)
    told = await club.ana.slash(club.channel, "analyse", position=text)
    assert get_ephemeral_text(told).startswith("This is a position of match 1")
    for person in (club.ana, club.ben):
        await club.store.hints.allow(1, person.id)
    assert "### Analysis" in extract_text((await analyse(club, position=text)).message)


@pytest.mark.asyncio
async def test_an_analysis_that_is_no_longer_kept(club: SimulatedClub) -> None:
    told = await analyse(club, position=XGID)
    await club.advance_clock(KEPT_MS + 1)
    await analyse(club, club.ben, position=XGID)
    result = await club.ana.click(told.message, label="2")
    assert (
        get_ephemeral_text(result)
        == "I don't keep that position any more. Set it up again with `/analyse`."
    )


@pytest.mark.asyncio
async def test_in_direct_messages_nothing_is_shared(club: SimulatedClub) -> None:
    told = get_response(await club.ana.user.slash("analyse", position=XGID))
    assert "### Analysis: Backgammon" in extract_text(told.message)
    assert list_button_labels(told.message) == ["1", "2", "3"]
