"""Analysing any position: set up from a text, evaluated, shared and discussed."""

from pathlib import Path
from typing import Any

import discord
import pytest
import simcord
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from simcord.components import walk_components

from bot.features.analysis.service import build_setup_match, parse_setup
from bot.features.analysis.store import KEPT_MS, SHARED_KEPT_MS, Analyses, HintConsents
from bot.features.matches import loading
from bot.platform.db.store import Store
from bot.platform.i18n.reader import DeclinedError, Reader
from bot.platform.i18n.refusals import format_refusal
from engine.clock import DAY
from engine.events import SetUp
from engine.games import GAMES
from engine.match import Match, Phase
from engine.notation import format_play
from engine.position_ids import format_position_id, format_xgid
from engine.position_text import format_position, parse_position
from engine.refusal import Refusal
from tests.bot.test_hints import list_ranked_plays
from tests.support.club import SimulatedClub, open_club
from tests.support.driver import (
    begin_in_position,
    create_second_guild,
    extract_text,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    give_up,
    list_button_labels,
    list_menus,
    list_pictures,
    list_posts,
    list_public_messages,
    start_match,
)

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
"""The opening position with gold to play a 3-1."""
START = "a2,m5,r3,t5 f5,h3,n5,z2"
IN_PLAY = (
    "This is, or nearly is, a position of match 1, which is played without hints. Ask again when "
    "that match is over."
)
NOT_KEPT = "I don't keep that position any more. Set it up again with `/analyse`."
NO_BUTTON = "That button no longer works. Use `/match board` to get your match with new ones."


async def analyse(
    club: SimulatedClub, person: simcord.MemberActor | None = None, **typed: str
) -> simcord.ResponseMessage:
    """What somebody is shown who analyses a position."""
    answer = get_response(await (person or club.ana).slash(club.channel, "analyse", **typed))
    assert answer.ephemeral
    return answer


@pytest.mark.asyncio
async def test_the_best_plays_of_a_pasted_position(club: SimulatedClub) -> None:
    answer = await analyse(club, position=XGID)
    lines = extract_text(answer.message).splitlines()
    assert lines[:2] == ["### Analysis: Backgammon", "**Gold** has 3-1 to play."]
    # Every book plays 8/5 6/5, and makes the five point.
    assert lines[2] == "**1.** `r-u t-u`: best"
    at = next(at for at, line in enumerate(lines) if line.startswith("**Play 1:** Win chance 5"))
    assert lines[at + 1 : at + 3] == [
        "Makes u.",
        "Better than play 2: it holds the other side's men back more.",
    ]
    assert f"-# Position: `{START} gold 3-1`" in lines
    assert f"-# `{XGID}`" in lines
    (picture,) = list_pictures(answer.message)
    assert picture.description is not None
    assert "Arrows 1: r to u, t to u." in picture.description
    assert list_button_labels(answer.message) == ["1", "2", "3", "Share"]
    plays = list_ranked_plays(answer.message)
    await club.ana.click(answer.message, label="3")
    assert "**Play 3:** Win chance " in extract_text(answer.message)
    assert list_ranked_plays(answer.message) == plays
    assert not list_public_messages(club)


@pytest.mark.asyncio
async def test_without_a_throw_a_position_is_evaluated(club: SimulatedClub) -> None:
    answer = await analyse(club, position="y1,z2,off12 a1,b2,off12 gold -", game="backgammon")
    lines = extract_text(answer.message).splitlines()
    assert lines[1] == "**Gold** is to roll."
    assert lines[2].startswith("Gold: Win chance ")
    assert list_button_labels(answer.message) == []


@pytest.mark.asyncio
async def test_a_throw_takes_the_place_of_the_dice_in_the_position(club: SimulatedClub) -> None:
    answer = await analyse(club, position=XGID, throw="42")
    lines = extract_text(answer.message).splitlines()
    assert lines[1] == "**Gold** has 4-2 to play."
    assert lines[2] == "**1.** `r-w t-w`: best"


@pytest.mark.asyncio
async def test_the_same_by_the_ids_of_gnu_backgammon(club: SimulatedClub) -> None:
    answer = await analyse(club, position="4HPwATDgc/ABMA:QYkqASAAIAAA", game="backgammon")
    assert "**Gold** has 5-2 to play." in extract_text(answer.message)


@pytest.mark.asyncio
async def test_another_game_with_house_rules_and_a_choice(club: SimulatedClub) -> None:
    answer = await analyse(club, position="a15 z15 gold -", game="ludus-anglicorum", throw="4 2 1")
    text = extract_text(answer.message)
    assert "**Gold** has 4-2-1 and a choice to make." in text
    assert "turn the " in text
    assert list_button_labels(answer.message) == ["1", "2", "3"]
    answer = await analyse(
        club,
        position="a15 z15 gold -",
        game="Ludus Anglicorum",
        throw="21",
        options="dice: two-and-six",
    )
    assert "House rules: " in extract_text(answer.message)
    assert "**Gold** has 6-2-1 to play." in extract_text(answer.message)
    answer = await analyse(club, position="hand15 hand15 gold -", game="tabula", throw="652")
    assert "**1.** `" in extract_text(answer.message)


@pytest.mark.asyncio
async def test_where_nothing_can_be_played_that_is_said(club: SimulatedClub) -> None:
    answer = await analyse(
        club, position="a14,bar1 b2,c2,d2,e2,f2,z5 gold -", game="zeno", throw="6-5-4"
    )
    assert "None of this throw can be played. Gold: Win chance " in extract_text(answer.message)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (
            {"position": "a15 z15 gold -"},
            (
                "Choose the game with the option `game`; only an XGID or a GNU Backgammon ID needs "
                "none."
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
            "A throw in this game can't be `6-5-2-1`.",
        ),
        (
            {"position": "t15 z15 gold -", "game": "zeno"},
            "The game is over in this position.",
        ),
        (
            {"position": "4HPwATDgc/ABM"},
            (
                "A position ID of GNU Backgammon has 14 characters, but this one has 13; an XGID "
                "and a position as `/analyse` writes it are understood too."
            ),
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
    text = get_ephemeral_text(await club.ana.slash(club.channel, "analyse", **typed))
    assert text == sentence


def explain_setup(**typed: str) -> str:
    """Why what is typed is no position, in a sentence; empty where it is one that reads back."""
    try:
        setup = parse_setup(**typed)
        match = build_setup_match(setup)
    except Refusal as refused:
        return format_refusal(Reader.ENGLISH, refused)
    except DeclinedError as declined:
        return declined.format(Reader.ENGLISH)
    assert match.phase is not Phase.OVER
    written = format_position(setup.position, match.rules)
    assert parse_position(written, match.rules) == setup.position
    return ""


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
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
    for text in (
        format_position(position, rules),
        format_xgid(position),
        # Where the one on roll is taken for gold, whoever it is in the match.
        format_position_id(position),
        format_xgid(after._replace(dice=())),
    ):
        for person in (club.ana, club.ben):
            answer = await person.slash(
                club.channel, "analyse", position=text, game="backgammon", throw="63"
            )
            assert get_ephemeral_text(answer) == IN_PLAY
    # Who only looks on is told, and so is anyone of another position.
    assert "### Analysis" in extract_text(
        (await analyse(club, club.cyn, position=format_xgid(position))).message
    )
    assert "### Analysis" in extract_text(
        (await analyse(club, position="y1,z2,off12 a1,b2,off12 gold -", game="backgammon")).message
    )


async def analyse_position(
    club: SimulatedClub, person: simcord.MemberActor, match: Match, game: str = "backgammon"
) -> str:
    """What somebody is told who analyses the board of a match before a throw."""
    text = format_position(match.position._replace(dice=()), match.rules)
    return get_ephemeral_text(
        await person.slash(club.channel, "analyse", position=text, game=game, throw="63")
    )


@pytest.mark.asyncio
@pytest.mark.usefixtures("own_throws")
async def test_nor_are_the_other_positions_since_the_throw(club: SimulatedClub) -> None:
    before = await throw_in_match(club, rated=True)
    mover, other = club.ana, club.ben
    if (await loading.load_session(club.bot.app, 1)).person_to_act == club.ben.id:
        mover, other = other, mover
    first = next(play.moves for play in before.plays if len(play.moves) == 2)[0]
    await mover.slash(
        club.channel, "move", play=format_play((first,), before.rules, before.position)
    )
    between = (await loading.load_session(club.bot.app, 1)).match
    assert between.position != before.position
    for person in (mover, other):
        assert await analyse_position(club, person, before) == IN_PLAY
    await mover.slash(club.channel, "undo")
    assert (await loading.load_session(club.bot.app, 1)).match.position == before.position
    for person in (mover, other):
        assert await analyse_position(club, person, between) == IN_PLAY
        # The board is the same, whatever game is said to be played on it.
        assert await analyse_position(club, person, between, "irish") == IN_PLAY
    # Once the turn is played it can still be taken back, until the next throw.
    text = format_play(before.plays[0].moves, before.rules, before.position)
    await mover.slash(club.channel, "move", play=text)
    assert (await loading.load_session(club.bot.app, 1)).match.phase is Phase.THROW
    assert await analyse_position(club, mover, before) == IN_PLAY


@pytest.mark.asyncio
async def test_a_hint_elsewhere_is_none_for_the_same_position(club: SimulatedClub) -> None:
    """In a match of their own against the computer they would be told what is best in the other."""
    opening = SetUp(f"{START} gold -", (3, 1))
    assert await begin_in_position(club, club.channel, "backgammon", opening, rated=True) == 1
    hall = club.guild.create_text_channel("hall")
    await begin_in_position(club, hall, "backgammon", opening)
    answer = await club.ana.slash(hall, "match hint", match=2)
    assert get_ephemeral_text(answer) == IN_PLAY
    # Another throw is another question.
    await begin_in_position(club, hall, "backgammon", SetUp(f"{START} gold -", (6, 5)))
    answer = await club.ana.slash(hall, "match hint", match=3)
    assert get_ephemeral_text(answer).startswith("### Hint for match 3")
    await give_up(club, club.ana, club.channel, 1)
    answer = await club.ana.slash(hall, "match hint", match=2)
    assert get_ephemeral_text(answer).startswith("### Hint for match 2")


@pytest.mark.asyncio
async def test_alone_with_the_computer_where_hints_are_free_an_analysis_is_too(
    club: SimulatedClub,
) -> None:
    await club.ana.slash(club.channel, "play", game="backgammon")
    match = (await loading.load_session(club.bot.app, 1)).match
    assert (await analyse_position(club, club.ana, match)).startswith("### Analysis")


@pytest.mark.asyncio
async def test_an_analysis_made_before_says_nothing_once_a_match_has_come_to_it(
    club: SimulatedClub,
) -> None:
    answer, shared = await share_position(club)
    other = await analyse(club, club.cyn, position=XGID)
    opening = SetUp(f"{START} gold -", (3, 1))
    await begin_in_position(club, club.channel, "backgammon", opening, rated=True)
    assert get_ephemeral_text(await club.ana.click(answer.message, label="2")) == IN_PLAY
    assert "**Play 2:**" not in extract_text(answer.message)
    # What is shown to everyone is shown to those who play.
    response = await club.ana.click(shared, label="Show the answer")
    assert get_ephemeral_text(response) == IN_PLAY
    assert get_ephemeral_text(await club.cyn.click(other.message, label="Share")) == IN_PLAY
    assert "best" not in extract_text(get_shared_message(club))
    row = await club.store.get(Analyses).load_analysis(1)
    assert row is not None
    assert row.revealed is None
    # To look on is no reason to be told less.
    await club.cyn.click(other.message, label="2")
    assert "**Play 2:**" in extract_text(other.message)
    await give_up(club, club.ana, club.channel, 1)
    await club.ana.click(get_shared_message(club), label="Show the answer")
    assert "**1.** `r-u t-u`: best" in extract_text(get_shared_message(club))


@pytest.mark.asyncio
async def test_where_hints_are_allowed_an_analysis_is_too(club: SimulatedClub) -> None:
    match = await throw_in_match(club, rated=False)
    text = format_xgid(match.position)
    answer = await club.ana.slash(club.channel, "analyse", position=text)
    assert get_ephemeral_text(answer) == IN_PLAY
    for person in (club.ana, club.ben):
        await club.store.get(HintConsents).allow(1, person.id)
    assert "### Analysis" in extract_text((await analyse(club, position=text)).message)


@pytest.mark.asyncio
async def test_an_analysis_that_is_no_longer_kept(club: SimulatedClub) -> None:
    answer = await analyse(club, position=XGID)
    await club.advance_clock(KEPT_MS + 1)
    await analyse(club, club.ben, position=XGID)
    result = await club.ana.click(answer.message, label="2")
    assert get_ephemeral_text(result) == NOT_KEPT


async def list_kept(club: SimulatedClub) -> list[tuple[int, int | None]]:
    """The number of each position that is kept, and who has shared it."""
    kept = [await club.store.get(Analyses).load_analysis(number) for number in range(1, 9)]
    return [(each.id, each.person) for each in kept if each]


@pytest.mark.asyncio
async def test_old_positions_go_though_nobody_analyses_another(club: SimulatedClub) -> None:
    (await analyse(club, position=XGID), await analyse(club, position=XGID))
    shared = await analyse(club, position=XGID)
    await club.ana.click(shared.message, label="Share")
    assert await list_kept(club) == [(1, None), (2, None), (3, club.ana.id)]
    # A night after their month is over at the latest.
    await club.advance_clock(KEPT_MS + DAY)
    assert await list_kept(club) == [(3, club.ana.id)]
    await club.advance_clock(SHARED_KEPT_MS - KEPT_MS)
    # Nobody is given its number once more, and nothing tells whose it was.
    assert await list_kept(club) == [(3, None)]
    await analyse(club, position=XGID)
    assert [number for number, _ in await list_kept(club)] == [4]


@pytest.mark.asyncio
async def test_in_direct_messages_nothing_is_shared(club: SimulatedClub) -> None:
    answer = get_response(await club.ana.user.slash("analyse", position=XGID))
    assert "### Analysis: Backgammon" in extract_text(answer.message)
    assert list_button_labels(answer.message) == ["1", "2", "3"]


def get_shared_message(club: SimulatedClub) -> discord.Message:
    """The newest message that shows a position; threads have messages of Discord's own beside."""
    return list_posts(club, "### Analysis")[-1]


async def share_position(
    club: SimulatedClub, position: str = XGID, throw: str = ""
) -> tuple[simcord.ResponseMessage, discord.Message]:
    """Ana's analysis, and the message by which she shares it."""
    answer = await analyse(club, position=position, throw=throw)
    await club.ana.click(answer.message, label="Share")
    return answer, get_shared_message(club)


async def propose_play(
    club: SimulatedClub, person: simcord.MemberActor, play: str
) -> simcord.ResponseMessage:
    """Somebody proposes a whole play by the menu, which they alone see."""
    answer = get_response(await person.click(get_shared_message(club), label="Propose a play"))
    assert answer.ephemeral
    (menu,) = list_menus(answer.message)
    await person.select(answer.message, custom_id=menu.custom_id, values=[play])
    return answer


@pytest.mark.asyncio
async def test_a_shared_position_is_discussed_and_answered(club: SimulatedClub) -> None:
    answer, message = await share_position(club)
    link = f"https://discord.com/channels/{club.guild.id}/{club.channel.id}/{message.id}"
    assert f"Shared: [see it in the channel]({link})." in extract_text(answer.message)
    text = extract_text(message)
    assert f"<@{club.ana.id}> asks: what would you play?" in text
    assert "Nobody has proposed a play yet" in text
    # Nothing that is shown gives the answer away.
    assert "best" not in text
    (picture,) = list_pictures(message)
    assert "Arrows" not in (picture.description or "")
    (thread,) = club.channel.threads
    assert (thread.id, thread.name) == (message.id, "Analysis: Backgammon")
    own = await propose_play(club, club.ben, "m-p-q")
    assert "You propose `m-p-q`." in extract_text(own.message)
    assert "1 person has proposed a play" in extract_text(get_shared_message(club))
    assert "m-p-q" not in extract_text(get_shared_message(club))
    # It can be changed, and counts once.
    await club.ben.click(own.message, label="Choose another")
    (menu,) = list_menus(own.message)
    await club.ben.select(own.message, custom_id=menu.custom_id, values=["m-p a-b"])
    assert "1 person has proposed a play" in extract_text(get_shared_message(club))
    await propose_play(club, club.cyn, "r-u t-u")
    response = await club.ben.click(get_shared_message(club), label="Show the answer")
    assert (
        get_ephemeral_text(response)
        == f"Only <@{club.ana.id}>, who shared this position, and moderators can show the answer."
    )
    await club.ana.click(get_shared_message(club), label="Show the answer")
    shown = get_shared_message(club)
    assert shown.id == message.id
    lines = extract_text(shown).splitlines()
    assert "**1.** `r-u t-u`: best" in lines
    assert f"`r-u t-u` (the best play): <@{club.cyn.id}>" in lines
    (other,) = [line for line in lines if line.endswith(f"<@{club.ben.id}>")]
    assert other.startswith("`m-p a-b` (worse, −0.1")
    assert "**What was proposed**" in lines
    assert lines.index(other) == lines.index(f"`r-u t-u` (the best play): <@{club.cyn.id}>") + 1
    assert list_button_labels(shown) == []
    assert "Arrows 1: r to u, t to u." in (list_pictures(shown)[0].description or "")
    assert extract_text(thread.history()[-1]) == extract_text(shown)
    # A menu that was open when the answer came is too late.
    late = await club.ben.click(own.message, label="Choose another")
    assert (
        get_ephemeral_text(late)
        == "The answer has already been shown, so plays can't be proposed any more."
    )

    # Nor is the position shared once more.
    again = await club.ana.click(answer.message, label="Share")
    assert get_ephemeral_text(again) == get_ephemeral_text(late)
    assert extract_text(get_shared_message(club)) == extract_text(shown)


@pytest.mark.asyncio
async def test_a_throw_with_many_plays_is_proposed_move_by_move(club: SimulatedClub) -> None:
    await share_position(club, position="4HPwATDgc/ABMA", throw="22")
    answer = get_response(await club.ben.click(get_shared_message(club), label="Propose a play"))
    moves = 0
    while menus := list_menus(answer.message):
        assert len(menus[0].options) <= 25
        await club.ben.select(
            answer.message, custom_id=menus[0].custom_id, values=[menus[0].options[0].value]
        )
        moves += 1
    assert moves > 1
    assert "You propose `" in extract_text(answer.message)
    (play,) = (await club.store.get(Analyses).load_proposals(1)).values()
    assert play in extract_text(answer.message)


@pytest.mark.asyncio
async def test_shared_once_and_again_when_its_message_is_gone(club: SimulatedClub) -> None:
    answer, message = await share_position(club)
    await propose_play(club, club.ben, "r-u t-u")
    again = get_ephemeral_text(await club.ana.click(answer.message, label="Share"))
    assert again.startswith("You've shared this position already: [see it in the channel](")
    assert get_shared_message(club).id == message.id
    club.env.backend.delete_message(club.channel.id, message.id)
    await club.ana.click(answer.message, label="Share")
    posted = get_shared_message(club)
    assert posted.id != message.id
    assert "1 person has proposed a play" in extract_text(posted)
    await club.ana.click(posted, label="Show the answer")
    assert f"<@{club.ben.id}>" in extract_text(get_shared_message(club))


@pytest.mark.asyncio
async def test_without_leave_for_threads_it_is_plainly_posted(club: SimulatedClub) -> None:
    club.env.inject_error("POST", "/channels/*/messages/*/threads", status=403, code=50013)
    _, message = await share_position(club)
    assert "asks: what would you play?" in extract_text(message)
    assert not club.channel.threads
    await club.ana.click(message, label="Show the answer")
    assert "Nobody proposed a play." in extract_text(get_shared_message(club))


@pytest.mark.asyncio
async def test_where_the_bot_may_not_post_nothing_is_shared(club: SimulatedClub) -> None:
    answer = await analyse(club, position=XGID)
    club.env.inject_error("POST", "/channels/*/messages", status=403, code=50013)
    refusal = get_ephemeral_text(await club.ana.click(answer.message, label="Share"))
    assert refusal.startswith("Discord doesn't let me do that in this channel.")
    row = await club.store.get(Analyses).load_analysis(1)
    assert row is not None
    assert (row.person, row.message) == (None, None)


@pytest.mark.asyncio
async def test_an_answer_is_shown_again_where_it_did_not_arrive(club: SimulatedClub) -> None:
    _, message = await share_position(club)
    await club.store.get(Analyses).reveal(1, club.hands())
    await club.ana.click(message, label="Show the answer")
    assert "**1.** `r-u t-u`: best" in extract_text(get_shared_message(club))


@pytest.mark.asyncio
async def test_a_shared_position_outlives_a_restart(tmp_path: Path) -> None:
    async with open_club(tmp_path / "club.sqlite3") as club:
        await share_position(club)
        await propose_play(club, club.ben, "r-u t-u")
        shared, people = await club.store.get(Analyses).load_analysis(1), (club.ana.id, club.ben.id)
    async with await Store.open(tmp_path / "club.sqlite3") as store:
        assert shared is not None
        assert await store.get(Analyses).load_analysis(1) == shared
        assert (shared.person, shared.thrown) == (people[0], ())
        assert shared.position == f"{START} gold 3-1"
        assert await store.get(Analyses).load_proposals(1) == {people[1]: "r-u t-u"}


async def press_made_up(
    club: SimulatedClub,
    person: simcord.MemberActor,
    message: discord.Message,
    custom_id: str,
    text: str = "2",
) -> str:
    """Send what a modified client may send instead of a button that is shown; the answer to it."""

    def forge(event: str, payload: Any) -> None:
        if event == "INTERACTION_CREATE":
            payload["data"] = {"custom_id": custom_id, "component_type": 2}

    club.env.backend.subscribers.insert(0, forge)
    try:
        return get_ephemeral_text(await person.click(message, label=text))
    finally:
        club.env.backend.subscribers.remove(forge)


@pytest.mark.asyncio
async def test_the_number_of_an_analysis_grants_nothing(club: SimulatedClub) -> None:
    _, question = await share_position(club)
    private = await analyse(club, position=XGID, throw="42")
    own = await analyse(club, club.cyn, position=XGID, throw="66")
    rows = [await club.store.get(Analyses).load_analysis(number) for number in (1, 2, 3)]
    before = extract_text(own.message), extract_text(question), len(list_public_messages(club))
    for message, caption in ((own.message, "2"), (question, "Propose a play")):
        for number in (1, 2):
            for act in ("show:1", "show:2", "share", "reveal", "propose", "play:0:"):
                if (message, number, act) in (
                    (question, 1, "reveal"),
                    (question, 1, "propose"),
                ):
                    continue
                text = await press_made_up(
                    club, club.cyn, message, f"analysis:{number}:{act}", caption
                )
                assert text == NO_BUTTON, (number, act)
    assert [await club.store.get(Analyses).load_analysis(number) for number in (1, 2, 3)] == rows
    assert before == (
        extract_text(own.message),
        extract_text(get_shared_message(club)),
        len(list_public_messages(club)),
    )
    assert "**1.**" in extract_text(private.message)


@pytest.mark.asyncio
async def test_nobody_shares_from_another_server_what_was_analysed_here(
    club: SimulatedClub,
) -> None:
    await analyse(club, position=XGID)
    other = create_second_guild(club, "Inn")
    hall = other.create_text_channel("hall")
    cyn = other.add_member(club.cyn.user)
    await club.env.settle()
    own = get_response(await cyn.slash(hall, "analyse", position=XGID, throw="42"))
    before, posted = await club.store.get(Analyses).load_analysis(1), len(hall.history())
    assert await press_made_up(club, cyn, own.message, "analysis:1:share") == NO_BUTTON
    assert await club.store.get(Analyses).load_analysis(1) == before
    assert len(hall.history()) == posted


@pytest.mark.asyncio
async def test_what_somebody_has_shared_stays_theirs(club: SimulatedClub) -> None:
    """Even where a message of Cyn's own shows the button: as if they had analysed it as well."""
    answer, question = await share_position(club)
    own = await analyse(club, club.cyn, position=XGID, throw="42")
    club.env.backend.delete_message(club.channel.id, question.id)
    stored = club.env.backend.get_message(club.channel.id, own.message.id)
    for part in walk_components(stored.components):
        if part.get("label") in ("2", "Share"):
            part["custom_id"] = part["custom_id"].replace("analysis:2:", "analysis:1:")
    for label in ("2", "Share"):
        assert get_ephemeral_text(await club.cyn.click(own.message, label=label)) == NOT_KEPT
    row = await club.store.get(Analyses).load_analysis(1)
    assert row is not None
    assert row.person == club.ana.id
    await club.ana.click(answer.message, label="Share")
    assert f"<@{club.ana.id}> asks" in extract_text(get_shared_message(club))


@pytest.mark.asyncio
async def test_a_question_is_answered_by_its_own_message_alone(club: SimulatedClub) -> None:
    """Also where another message shows its buttons, such as one in a channel beside."""
    _, question = await share_position(club)
    hall = club.guild.create_text_channel("hall")
    await club.ana.slash(hall, "challenge", game="backgammon")
    (challenge,) = [each for each in hall.history() if not each.flags.ephemeral]
    stored = club.env.backend.get_message(hall.id, challenge.id)
    shown = club.env.backend.get_message(club.channel.id, question.id)
    stored.components = shown.components
    for label in ("Show the answer", "Propose a play"):
        assert get_ephemeral_text(await club.ana.click(challenge, label=label)) == NOT_KEPT
    row = await club.store.get(Analyses).load_analysis(1)
    assert row is not None
    assert row.revealed is None
