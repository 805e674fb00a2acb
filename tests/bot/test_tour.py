"""A tour of everything in a made-up language: nothing is said in English, and nothing is cut."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio

from bot.features.challenges.cards import matches_card
from bot.features.challenges.service import (
    LIMITS,
    LapseChallenge,
    ShowChallenge,
    TooManyHereError,
    TooManyLatelyError,
)
from bot.features.contests.service import ContestExcludedError
from bot.features.contests.store import Contests
from bot.features.history import service as history
from bot.features.history.export import ExportFormat
from bot.features.ladders.service import LadderExcludedError
from bot.features.lessons.progress import LessonProgress
from bot.features.lessons.store import BegunLessons
from bot.features.matches.cards import turn_card
from bot.features.matches.loading import load_session
from bot.features.matches.rows import LiveMessage
from bot.features.matches.store import Matches
from bot.features.matches.texts import (
    explain_hidden_match,
    explain_lost_thread,
    format_continuation,
)
from bot.features.notifications import service as notifications
from bot.features.notifications.jobs import NOTIFY_DELAY_MS, SETTLE_MS
from bot.features.pages.service import PagePlan
from bot.features.pages.writer import PageWriter
from bot.features.preferences.service import TooManyBlockedError
from bot.features.puzzles.cards import puzzle_card
from bot.features.puzzles.service import SERVER, DailyPuzzle, PuzzlePlace, load_daily_puzzle
from bot.features.reports.commands import report_failure_card, report_progress_card
from bot.features.reports.store import Reports
from bot.features.rulebook import texts as rules
from bot.features.rulebook.cards import greeting_card, origins_card, rules_card
from bot.features.servers.cards import section_card
from bot.features.servers.service import MissingPermissions
from bot.platform import outages
from bot.platform.context import RequestOutcome
from bot.platform.db.errors import SaveOutcome
from bot.platform.db.preferences import Reminder
from bot.platform.i18n.common import PERMISSIONS
from bot.platform.i18n.reader import Reader, load_reader
from bot.platform.ui.channels import build_link
from bot.platform.ui.declarations import collect_commands, collect_menus
from bot.platform.ui.dispatch import explain_forbidden, format_failure, format_store_failure
from bot.platform.ui.layout import build_layout
from engine.clock import DAY, HOUR
from engine.games import GAMES
from engine.games.lessons import LESSONS
from engine.games.unplayed import UNPLAYED
from engine.notation import format_play
from engine.players.puzzles import load_puzzles
from engine.rules import Family
from render import ground
from render.theme import load_themes
from tests.bot.test_access import hide_channel
from tests.bot.test_closed_threads import (
    FORBIDDEN,
    archive,
    get_metadata,
    open_challenge,
    open_corner,
)
from tests.bot.test_league_server import change_permissions, forbid
from tests.bot.test_leagues import play_turn
from tests.bot.test_lessons import reload_message
from tests.bot.test_membership import leave_guild
from tests.bot.test_sizes import find_message_errors
from tests.bot.test_titles import store_league
from tests.support import panels
from tests.support.club import SimulatedClub, open_club
from tests.support.contests import create_contest, press_standings
from tests.support.drawn_texts import note_drawn_texts
from tests.support.driver import (
    add_member,
    create_second_guild,
    extract_text,
    find_button,
    find_mentioned_player,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    give_up,
    list_button_ids,
    list_card_texts,
    list_control_ids,
    list_live_messages,
    list_menus,
    list_public_messages,
    press_button,
    start_match,
    take_next_action,
    use_first_control,
    walk_parts,
)
from tests.support.finished import store_matches
from tests.support.html_pages import read_page
from tests.support.pseudo import compile_pseudo_folder, read_template
from tests.support.sent_texts import (
    PICTURE,
    SentText,
    find_untranslated,
    list_body_texts,
    list_sent_texts,
)
from tests.support.sweeps import mark_sweeps
from tests.support.uses import (
    SLOW,
    Outcomes,
    begin_everything,
    collect_answer,
    list_groups,
    list_uses,
)

pytestmark = pytest.mark.asyncio

LOCALE = "de"
"""The language in whose place the made-up one is read; Discord knows it."""


SAMPLES = ("Amg", *"".join(chain(*ground.INSCRIPTIONS.values())))
"""Letters that are drawn to find the colours of a theme, and never shown; and the Romans' own."""


@pytest.fixture(scope="module")
def locales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the made-up language."""
    return compile_pseudo_folder(tmp_path_factory.mktemp("locales"), read_template(), LOCALE)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is written into pictures from now on."""
    return note_drawn_texts(monkeypatch)


@pytest_asyncio.fixture
async def club(
    tmp_path: Path, locales: Path, pseudo_words: frozenset[str], drawn: list[str]
) -> AsyncIterator[SimulatedClub]:
    """Open a club that reads the made-up language; check everything said and drawn there."""
    async with open_club(
        tmp_path / "club.sqlite3", locales, server=LOCALE, people=LOCALE
    ) as opened:
        yield opened
        told = [*list_sent_texts(opened.env.http_requests)]
        bodies = [each.json for each in opened.env.http_requests if isinstance(each.json, dict)]
    assert told
    messages = [each for body in bodies if "title" not in (each := body.get("data") or body)]
    refused = [
        each for body in messages for each in find_message_errors(body.get("components", []))
    ]
    assert not refused, f"Discord would refuse it: {refused}"
    texts = {*told, *(SentText(PICTURE, words) for words in drawn if words not in SAMPLES)}
    wrong = [
        f"{each.where}: {each.text!r}: {found}"
        for each in texts
        if (found := find_untranslated(each, pseudo_words))
    ]
    assert not wrong, "\n".join(wrong)


async def test_a_whole_match_and_what_can_be_asked_of_it(club: SimulatedClub) -> None:
    await club.cyn.slash(club.channel, "leaderboard")
    await club.cyn.slash(club.channel, "match record")
    await start_match(club, "twelve-dogs")
    while await take_next_action(club):
        pass
    end = get_newest_message(club)
    for ending in (":replay", ":verify", ":dice", ":record"):
        await press_button(club.cyn, end, ending)
    await club.ben.slash(club.channel, "match replay", match=1, share=True)
    await club.ben.slash(club.channel, "match record")
    await club.ben.slash(club.channel, "match board", match=1)
    await club.ben.slash(club.channel, "roll", match=1)
    for scope in ("server", "everywhere"):
        await club.ana.slash(club.channel, "leaderboard", scope=scope)
        await club.ana.slash(club.channel, "leaderboard", scope=scope, game="zeno")
        await club.ana.autocomplete(club.channel, "leaderboard", "season", "")
        for season in ("now", "2026-Q1", "7"):
            await club.ana.slash(club.channel, "leaderboard", scope=scope, season=season)
        await club.cyn.slash(club.channel, "me profile", player=club.ben, scope=scope)
        await club.cyn.slash(club.channel, "me profile", scope=scope)
    await panels.ask_last_change(club.ana, club.channel)
    await panels.ask_last_change(club.ana, club.channel, club.ben)
    profile = get_newest_message(club)
    menu = panels.find_control(profile, "ratingcurve:")
    await club.ana.select(profile, custom_id=menu, values=[panels.list_values(profile, menu)[-1]])
    await club.ben.slash(club.channel, "me profile", game="twelve-dogs")
    await club.ana.click(end, custom_id="rematch:1")
    await club.ana.click(end, custom_id="rematch:1")
    await club.cyn.click(end, custom_id="rematch:1")
    await press_button(club.ben, get_newest_message(club), ":decline")


async def test_finished_matches(club: SimulatedClub, monkeypatch: pytest.MonkeyPatch) -> None:
    ana, channel = club.ana, club.channel
    await ana.slash(channel, "history")
    await ana.slash(channel, "history", player=club.ben)
    await ana.slash(channel, "history", game="zeno")
    await ana.user.slash("history", player=club.ben.user)
    monkeypatch.setattr(history, "PAGE", 2)
    monkeypatch.setattr(history, "MAX_EXPORTED", 3)
    for number, how in enumerate(("gold", "draw", "annul", "black"), 1):
        await start_match(club, "zeno")
        await ana.slash(channel, "server end", match=number, how=how, reason="7")
    page = get_response(await ana.slash(channel, "history")).message
    await press_button(ana, page, "0:1")
    await press_button(ana, reload_message(club, ana, page), "0:0")
    for kind in ExportFormat:
        await press_button(ana, reload_message(club, ana, page), f":{kind}")
    monkeypatch.setattr(history, "MAX_EXPORTED", 99)
    await press_button(ana, reload_message(club, ana, page), ":csv")
    await ana.autocomplete(channel, "history", "game", "e")
    await ana.slash(channel, "history", player=club.ben, game="zeno")


async def test_the_catalogue(club: SimulatedClub) -> None:
    page = get_response(await club.ana.slash(club.channel, "games")).message
    families = list_menus(page)[2]
    for family in families.options:
        await club.ana.select(page, custom_id=families.custom_id, values=[family.value])


@pytest.mark.parametrize("slug", LESSONS)
async def test_a_lesson(club: SimulatedClub, slug: str) -> None:
    steps = LESSONS[slug].steps
    message = get_response(await club.ana.slash(club.channel, "learn", lesson=slug)).message
    for number, step in enumerate(steps):
        # What is to be done, the way to do it, and what is wrong in a way of its own.
        for text in ("", *step.hints):
            await press_button(
                club.ana, reload_message(club, club.ana, message), f":{number}:0:{text}"
            )
        here = LessonProgress(slug, number)
        onward = replace(here, step=number + 1)
        assert await club.store.get(BegunLessons).advance(club.ana.id, here, onward, number)
        if onward.step < len(steps):
            message = get_response(await club.ana.slash(club.channel, "learn")).message
            await press_button(club.ana, message, f"resume:{slug}")
    # The button of the last step is from another moment by now.
    await press_button(club.ana, reload_message(club, club.ana, message), f":{number}:0:")
    await press_button(club.ana, reload_message(club, club.ana, message), "list:")
    await press_button(club.ana, reload_message(club, club.ana, message), f"open:{slug}")
    await club.ana.user.slash("learn", lesson=slug)


async def test_what_else_can_be_seen_and_done_in_a_match(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    for ending in (":text", ":flip", ":dice", "howto:zeno"):
        more = await press_button(club.ana, get_newest_message(club), ":more")
        await press_button(club.ana, get_response(more).message, ending)
    for entry in ("plain", "numbers", "letters"):
        more = await press_button(club.ana, get_newest_message(club), ":more")
        message = get_response(more).message
        await club.ana.select(message, custom_id="boardstyle:1", values=[entry])
    asked = await club.ana.slash(club.channel, "match resign")
    await press_button(club.ana, get_response(asked).message, ":stay")
    asked = await club.ana.slash(club.channel, "match resign")
    await press_button(club.ana, get_response(asked).message, ":abort")
    await start_match(club, "zeno")
    while (await load_session(club.bot.app, 2)).match.may_abort():
        assert await take_next_action(club)
    more = await press_button(club.ana, get_newest_message(club), ":more")
    await press_button(club.ana, get_response(more).message, ":offer")
    asked = await club.ana.slash(club.channel, "match resign")
    await press_button(club.ana, get_response(asked).message, ":resign")


UNLIKE = (
    "backgammon",
    "baralie",
    "cab-e-quinal",
    "emperador",
    "laquet",
    "ludus-anglicorum",
    "paume-carie-one",
    "swedish-tables",
    "verquere",
)
"""Games whose turns tell different things."""


@pytest.mark.sweep
@pytest.mark.parametrize("slug", UNLIKE)
async def test_turns_of_games_that_are_unlike_each_other(club: SimulatedClub, slug: str) -> None:
    await start_match(club, slug)
    for _ in range(16):
        if not await take_next_action(club):
            break
    for show in ("text", "moves", "picture"):
        await find_mentioned_player(club).slash(club.channel, "match board", match=1, show=show)
    await give_up(club, club.ana, club.channel, match=1)
    await club.ana.slash(club.channel, "match replay", match=1)


@pytest.mark.sweep
async def test_numbers_that_are_offered_to_the_other_side(club: SimulatedClub) -> None:
    await start_match(club, "doblet", rated=False)
    while not any(
        custom_id.endswith(":leave") for custom_id in list_control_ids(get_newest_message(club))
    ):
        assert await take_next_action(club)
    await press_button(find_mentioned_player(club), get_newest_message(club), ":leave")


@pytest.mark.sweep
async def test_teams(club: SimulatedClub) -> None:
    dan = add_member(club, "dan")
    await club.ana.slash(club.channel, "challenge", game="pyf", options="players=2")
    await press_button(club.ben, get_newest_message(club), ":black")
    await press_button(club.cyn, get_newest_message(club), ":gold")
    await press_button(dan, get_newest_message(club), ":gold")
    await press_button(dan, get_newest_message(club), ":black")
    await club.ana.slash(club.channel, "match board", match=1)
    await club.ana.slash(
        club.channel, "challenge", game="pyf", options="players=2", opponent=club.ben
    )
    await give_up(club, club.ana, club.channel, match=1)


@pytest.mark.sweep
@pytest.mark.usefixtures("own_throws")
async def test_moves_that_are_typed_taken_back_and_refused(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    mover = find_mentioned_player(club)
    waiting = club.ben if mover is club.ana else club.ana
    await mover.slash(club.channel, "move", play="a-b")
    await waiting.slash(club.channel, "roll")
    await press_button(waiting, get_newest_message(club), ":roll")
    await club.cyn.slash(club.channel, "roll")
    await club.cyn.slash(club.channel, "match resign", match=1)
    await club.cyn.slash(club.channel, "match board", match=1, share=True)
    await mover.slash(club.channel, "roll", match=99)
    await mover.slash(club.channel, "match record", match=1)
    await mover.slash(club.channel, "roll")
    for typed in ("what?", "a-j", "n-o", " ", "roll", "a/7", "a-b x99", "30/1", "a-b a-b a-b a-b"):
        await mover.slash(club.channel, "move", play=typed)
    await mover.slash(club.channel, "undo")
    start = list_menus(get_newest_message(club))[0].options[0].value.partition("-")[0]
    offered = await mover.autocomplete(club.channel, "move", "play", f"{start}-")
    single = next(choice["value"] for choice in offered if " " not in choice["value"])
    await mover.slash(club.channel, "move", play=single)
    await waiting.slash(club.channel, "undo")
    await mover.slash(club.channel, "undo", what="turn")
    hall = club.guild.create_text_channel("hall")
    await mover.slash(hall, "move", play=single, match=1)


@pytest.mark.sweep
@pytest.mark.usefixtures("own_throws")
async def test_plays_that_are_tried(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    mover = find_mentioned_player(club)
    await mover.slash(club.channel, "match try", play="a-b")
    await press_button(mover, get_newest_message(club), ":roll")
    whole = list_menus(get_newest_message(club))[0].options[0].value
    await mover.autocomplete(club.channel, "match try", "play", "")
    now = (await load_session(club.bot.app, 1)).match
    move = format_play((now.list_next_moves()[0],), now.rules, now.position)
    for confirm in (True, False, True):
        await panels.change_settings(mover, club.channel, confirms=confirm)
    menu = list_menus(get_newest_message(club))[0]
    asked = get_response(
        await mover.select(get_newest_message(club), custom_id=menu.custom_id, values=[whole])
    )
    await mover.click(asked.message, custom_id=f"notyet:{whole}")
    part = get_response(await mover.slash(club.channel, "match try", play=move))
    told = get_response(await mover.slash(club.channel, "match try", play=whole))
    hall = club.guild.create_text_channel("hall")
    other = get_response(await mover.slash(hall, "match try", play=move, match=1))
    for card in (other, told, part):
        await mover.click(card.message, custom_id=list_button_ids(card.message)[0])
    now = (await load_session(club.bot.app, 1)).match
    move = format_play((now.list_next_moves()[0],), now.rules, now.position)
    again = get_response(await mover.slash(club.channel, "match try", play=move))
    await mover.click(again.message, custom_id=list_button_ids(again.message)[0])


@pytest.mark.sweep
async def test_the_computer(club: SimulatedClub) -> None:
    channel = club.channel
    await club.ana.autocomplete(channel, "play", "game", "e")
    offered = (await club.ana.slash(channel, "play")).response
    assert offered is not None
    await press_button(club.ana, offered.message, "zeno:companion")
    for _ in range(4):
        message = get_newest_message(club)
        await use_first_control(club.ana, message)
    await press_button(club.ana, get_newest_message(club), ":more")
    await club.ana.slash(channel, "undo")
    await club.ana.slash(channel, "matches")
    await give_up(club, club.ana, channel)
    end = get_newest_message(club)
    await club.ana.click(end, custom_id="rematch:1")
    await club.ana.click(end, custom_id="rematch:1")
    await give_up(club, club.ana, channel, match=2)
    await club.ana.slash(
        channel, "play", game="laquet", level="master", side="black", word="a red hen"
    )
    await club.ana.slash(channel, "challenge", game="pyf", options="players=2")
    await press_button(club.cyn, get_newest_message(club), ":fill")
    await press_button(club.ana, get_newest_message(club), ":fill")
    hall = club.guild.create_text_channel("hall")
    await club.ana.slash(hall, "challenge", game="zeno")
    await club.ben.slash(channel, "play")


@pytest.mark.sweep
async def test_ones_own_data(club: SimulatedClub) -> None:
    channel = club.channel
    await club.cyn.slash(channel, "data")
    await start_match(club, "twelve-dogs", word="a red hen")
    while await take_next_action(club):
        pass
    club.env.inject_error("POST", "/channels/*/messages", status=403, code=50007)
    for _ in range(3):
        await panels.export_data(club.ana, channel)
        await club.advance_clock(0)
    for label in ("no", "yes"):
        asked = await panels.ask_deletion(club.ana, channel)
        await club.ana.click(asked, custom_id=f"delete-data:{label}")
        await club.advance_clock(0)
    guild = club.bot.get_guild(club.guild.id)
    assert guild is not None
    panel = get_response(await panels.open_server_section(club.ana, channel, "public")).message
    for owner, label in ((club.ben, "export"), (club.ana, "export"), (club.ana, "delete")):
        guild.owner_id = owner.id
        await club.ana.click(panel, custom_id=f"serverdata:{label}")
    await club.advance_clock(0)
    for label in ("no", "yes"):
        asked = get_response(await panels.ask_server_data(club.ana, channel, "delete")).message
        await club.ana.click(asked, custom_id=f"delete-server:{label}")
    await club.ben.slash(channel, "history")
    ended = get_newest_message(club)
    for ending in (":verify", ":dice"):
        await press_button(club.ben, ended, ending)


@pytest.mark.sweep
async def test_watching(club: SimulatedClub) -> None:
    hall = club.guild.create_text_channel("hall")
    channel = club.channel
    await panels.change_server(club.ana, channel, news=hall)
    await start_match(club, "twelve-dogs")
    await club.ana.slash(channel, "match follow", match=1, how="end")
    for how in ("turn", "end", "turn"):
        await club.cyn.slash(channel, "match follow", match=1, how=how)
    await club.advance_clock(NOTIFY_DELAY_MS)
    while await take_next_action(club):
        await club.advance_clock(NOTIFY_DELAY_MS)
    await panels.change_server(club.ana, channel, news=[])
    await start_match(club, "zeno")
    await club.cyn.slash(channel, "match follow", match=2)
    await club.cyn.slash(channel, "match follow", match=2)
    club.env.inject_error("POST", "/channels/*/messages", status=403, code=50007)
    await club.cyn.slash(channel, "match follow", match=2)
    locked = club.guild.create_text_channel(
        "locked",
        overwrites={club.guild.default_role: discord.PermissionOverwrite(send_messages=False)},
    )
    await panels.change_server(club.ana, channel, news=locked)


async def test_looking_for_a_game(club: SimulatedClub, monkeypatch: pytest.MonkeyPatch) -> None:
    channel = club.channel
    await club.cyn.autocomplete(channel, "notify", "game", "")
    panel = get_response(await club.cyn.slash(channel, "notify")).message
    await club.cyn.click(panel, custom_id="notify:")
    for _ in range(2):
        await club.cyn.slash(channel, "notify", game="zeno")
    for game in ("tabula", "fallas"):
        await club.cyn.slash(channel, "notify", game=game)
    await club.ana.slash(channel, "challenge", game="zeno", options="goal=off")
    await club.advance_clock(SETTLE_MS)
    notice = club.cyn.user.dm_channel.last_message
    for _ in range(2):
        await club.cyn.user.click(notice, custom_id=find_button(notice, ":zeno"))
    monkeypatch.setattr(notifications, "MAX_SUBSCRIPTIONS", 1)
    await club.cyn.slash(channel, "notify", game="zeno")
    panel = get_response(await club.cyn.slash(channel, "notify")).message
    await club.cyn.select(panel, custom_id="notifyend:", values=["tabula"])
    await club.cyn.click(panel, custom_id="notifyall:")


@pytest.mark.sweep
async def test_notes_to_oneself(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    for typed in ("", "77", ""):
        await club.ana.slash(club.channel, "match note", match=1, text=typed)
    await club.ben.slash(club.channel, "match note", match=1, text="7")
    await club.ben.slash(club.channel, "match board")
    await club.ben.slash(club.channel, "matches")
    await club.ben.slash(club.channel, "match note", match=9, text="77")


@pytest.mark.sweep
async def test_what_counts_against_the_computer(club: SimulatedClub) -> None:
    channel = club.channel
    await club.ana.slash(channel, "play", game="laquet", level="beginner", rated=True)
    await press_button(club.ana, get_newest_message(club), ":more")
    await give_up(club, club.ana, channel)
    for scope in ("server", "everywhere"):
        await club.ana.slash(channel, "leaderboard", against="beginner", scope=scope)
        await club.ana.slash(channel, "leaderboard", against="beginner", scope=scope, game="laquet")
        await club.ana.slash(channel, "me profile", against="beginner", scope=scope)


@pytest.mark.sweep
async def test_hints(club: SimulatedClub) -> None:
    channel = club.channel
    for slug in ("backgammon", "twelve-dogs", "emperador", "laquet"):
        await club.ana.slash(channel, "play", game=slug)
        number = len(await club.store.get(Matches).load_running_by_person(club.ana.id))
        for _ in range(3):
            await club.ana.slash(channel, "match hint", match=number)
            message = get_newest_message(club)
            await use_first_control(club.ana, message)
    await club.ana.slash(channel, "match hint")
    await start_match(club, "backgammon", rated=False)
    await club.ana.slash(channel, "match hint", match=5)
    await press_button(club.ben, get_newest_message(club), ":allow")
    await start_match(club, "zeno")
    await club.ben.slash(channel, "match hint", match=6)


async def test_analyses(club: SimulatedClub) -> None:
    channel = club.channel
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
    await club.ana.slash(channel, "analyse", position=xgid)
    told = get_response(await club.ana.slash(channel, "analyse", position=xgid, throw="63"))
    for number in "23":
        await press_button(club.ana, told.message, f":show:{number}")
    for position, game, throw, options in (
        ("a15 z15 gold -", "ludus-anglicorum", "421", ""),
        ("a15 z15 gold -", "ludus-anglicorum", "21", "dice=two-and-six"),
        ("a14,bar1 b2,c2,d2,e2,f2,z5 gold -", "zeno", "654", ""),
        ("e2,t5,u4,w4 k1,a3,b3,c3,d2,f3 gold 5-1", "backgammon", "", ""),
        ("a15 z15 gold -", "", "", ""),
        ("4HPwATDgc/ABM", "", "", ""),
    ):
        await club.ana.slash(
            channel, "analyse", position=position, game=game, throw=throw, options=options
        )
    await club.ana.autocomplete(channel, "analyse", "game", "")
    await press_button(club.ana, told.message, ":share")
    await press_button(club.ana, told.message, ":share")
    shared = next(
        message
        for message in list_public_messages(club)
        if any(each.endswith(":reveal") for each in list_button_ids(message))
    )
    own = [
        get_response(await press_button(person, shared, ":propose"))
        for person in (club.ben, club.cyn)
    ]
    for person, card, at in zip((club.ben, club.cyn), own, (0, -1), strict=True):
        menu = list_menus(card.message)[0]
        await person.select(card.message, custom_id=menu.custom_id, values=[menu.options[at].value])
    await press_button(club.ben, shared, ":reveal")
    await press_button(club.ana, shared, ":reveal")
    await press_button(club.ana, told.message, ":share")
    await press_button(club.cyn, own[1].message, ":propose")


@pytest.mark.sweep
async def test_puzzles(club: SimulatedClub) -> None:
    channel = club.channel
    begun = club.bot.app.clock()
    for day, plays in enumerate((("f-m", "t-z", "k-q t-z u-x"), (), ())):
        club.bot.app.clock = partial(int, begun + day * DAY)
        found = (
            await load_daily_puzzle(club.bot.app, PuzzlePlace(SERVER, club.guild.id), club.ana.id)
        ).puzzle
        for play in plays or (found.answers[-day % 2].play, found.answers[day - 2].play):
            await club.ana.slash(channel, "puzzle")
            await club.ana.autocomplete(channel, "move", "play", "")
            await club.ana.slash(channel, "move", play=play)
    await club.ben.slash(channel, "puzzle")
    found = (
        await load_daily_puzzle(club.bot.app, PuzzlePlace(SERVER, club.guild.id), club.ana.id)
    ).puzzle
    solved = get_response(await club.ben.slash(channel, "move", play=found.answers[0].play))
    await press_button(club.ben, solved.message, f"share:{found.id}")
    await press_button(club.cyn, get_newest_message(club), found.id)
    await club.cyn.slash(channel, "puzzle", share=True)
    await club.ana.user.slash("puzzle")


async def test_every_puzzle_of_a_source_and_exact_one(
    locales: Path, pseudo_words: frozenset[str]
) -> None:
    say = load_reader(LOCALE, locales)
    for puzzle in load_puzzles().values():
        if puzzle.source or puzzle.exact:
            card = puzzle_card(say, DailyPuzzle(puzzle, 1, answered=False), 1)
            told = (*list_card_texts(card), card.small)
            assert [
                each for each in told if find_untranslated(SentText("content", each), pseudo_words)
            ] == []


@pytest.mark.sweep
@pytest.mark.usefixtures("own_throws")
async def test_a_match_before_a_puzzle(club: SimulatedClub) -> None:
    await start_match(club, "zeno", rated=False)
    while not list_menus(get_newest_message(club)):
        await press_button(find_mentioned_player(club), get_newest_message(club), ":roll")
    mover = find_mentioned_player(club)
    await mover.slash(club.channel, "puzzle")
    await mover.slash(
        club.channel, "move", play=list_menus(get_newest_message(club))[0].options[0].value
    )


@pytest.mark.sweep
async def test_a_report(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "match report")
    await club.ana.slash(club.channel, "play", game="laquet", level="beginner")
    await club.ana.slash(club.channel, "match report", match=1)
    session = await load_session(club.bot.app, 1)
    say = club.bot.get_reader(LOCALE)
    assert "47%" in list_card_texts(report_progress_card(say, session, 0.47))[0]
    assert "isnn'tt readyyy" in list_card_texts(report_failure_card(say, session))[0]
    while list_control_ids(get_newest_message(club)):
        message = get_newest_message(club)
        if list_menus(message):
            menu = list_menus(message)[0]
            await club.ana.select(
                message, custom_id=menu.custom_id, values=[menu.options[-1].value]
            )
        else:
            await club.ana.click(message, custom_id=list_control_ids(message)[0])
    told = get_response(await press_button(club.ana, get_newest_message(club), "report:1"))
    async with asyncio.timeout(60):
        while await club.store.get(Reports).load_report(1) is None:  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.05)
    await club.env.settle()
    for ending in [
        custom_id for custom_id in list_button_ids(told.message) if custom_id.startswith("report:")
    ]:
        await press_button(club.ana, told.message, ending)
    await club.ben.slash(club.channel, "match board", match=1)


@pytest.mark.sweep
async def test_a_computer_that_thinks(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "play", game="zeno")
    session = await load_session(club.bot.app, 1)
    thinking = next(
        each.before
        for each in session.recent
        if replace(session, match=each.before).is_computer_acting
    )
    waiting = turn_card(club.bot.get_reader(LOCALE), replace(session, match=thinking), ())
    assert "thinkinggg" in list_card_texts(waiting)[-1]
    assert waiting.ping is None


@pytest.mark.sweep
async def test_challenges_of_every_kind(club: SimulatedClub) -> None:
    channel = club.channel
    await club.ana.autocomplete(channel, "challenge", "game", "e")
    await club.ana.autocomplete(channel, "challenge", "options", "", game="zeno")
    await club.ana.slash(channel, "challenge", game="zeno", word="a red hen", side="black")
    await press_button(club.ben, get_newest_message(club), ":rules")
    await press_button(club.ana, get_newest_message(club), ":accept")
    await press_button(club.ben, get_newest_message(club), ":decline")
    opened = await press_button(club.ben, get_newest_message(club), ":word")
    await club.ben.submit_modal(opened, {"text": "seven geese"})
    await club.ana.slash(
        channel, "challenge", game="zeno", options="unusable=lost", opponent=club.ben
    )
    await press_button(club.cyn, get_newest_message(club), ":accept")
    await press_button(club.ben, get_newest_message(club), ":decline")
    await club.ana.slash(channel, "challenge", game="zeno", rated=False)
    await press_button(club.ana, get_newest_message(club), ":decline")
    drawn_up = (
        await club.ana.slash(channel, "challenge", game="tabula", options="choose")
    ).response
    assert drawn_up is not None
    menu = list_menus(drawn_up.message)[-1]
    await club.ana.select(
        drawn_up.message, custom_id=menu.custom_id, values=[menu.options[1].value]
    )
    await club.ana.click(drawn_up.message, label="«Challengeeee»")
    club.bot.app.take(
        await club.store.jobs.enqueue(0, [LapseChallenge(4).build_job(club.bot.app.clock())])
    )
    await club.env.settle()
    await club.ana.slash(channel, "challenge", game="zeno")
    house = club.bot.app
    now = house.clock()
    house.clock = lambda: now + 25 * 60 * 60 * 1000
    await press_button(club.ben, get_newest_message(club), ":accept")


@pytest.mark.sweep
async def test_challenges_from_the_menu_of_a_person(club: SimulatedClub) -> None:
    card = get_response(await club.ana.context_menu(club.channel, "Challenge", club.ben)).message
    menu = list_menus(card)[-1]
    await club.ana.select(card, custom_id=menu.custom_id, values=[menu.options[0].value])
    await club.ana.select(card, custom_id="draftterm:side", values=["black"])
    await club.ana.select(card, custom_id="draftterm:pace", values=["30m+1m"])
    for rated in "01":
        await club.ana.click(card, custom_id=f"draftterm:rated:{rated}")
    await club.ana.context_menu(club.channel, "Challenge", club.ana)


@pytest.mark.sweep
async def test_direct_messages(club: SimulatedClub) -> None:
    person = club.ana.user
    await person.slash("help")
    await person.slash("play", game="zeno")
    await club.advance_clock(0)
    for _ in range(4):
        board = person.dm_channel.last_message
        await person.click(board, custom_id=list_control_ids(board)[0])
        await club.advance_clock(0)
    await person.slash("match follow", match=1)
    await person.slash("match board")
    await leave_guild(club)
    await club.ana.slash(club.channel, "play")
    await club.ana.slash(club.channel, "play", game="zeno")
    await club.ana.slash(club.channel, "roll")
    club.env.inject_error("POST", "/channels/*/messages", status=403, code=50007)
    await club.ana.slash(club.channel, "play", game="zeno")


@pytest.mark.sweep
async def test_challenges_that_cannot_be(club: SimulatedClub) -> None:
    channel = club.channel
    gone = add_member(club, "dan")
    robot = club.guild.add_member(club.env.create_user("robot", global_name="Cyn", bot=True))
    await club.ana.slash(channel, "challenge", game="zeno", opponent=club.ana)
    await club.ana.slash(channel, "challenge", game="zeno", opponent=robot)
    club.guild.remove_member(gone)
    await club.ana.slash(channel, "challenge", game="zeno", opponent=gone.user)
    back = club.guild.add_member(gone.user)
    await back.slash(channel, "challenge", game="zeno", opponent=club.ana)
    asked = get_newest_message(club)
    club.guild.remove_member(back)
    await press_button(club.ana, asked, ":accept")
    for game, options in (
        ("xq", ""),
        ("zeno", "xq=9"),
        ("zeno", "unusable=xq"),
        ("zeno", "unusable"),
    ):
        await club.ana.slash(channel, "challenge", game=game, options=options)
    for _ in range(LIMITS.open + 1):
        await club.ana.slash(channel, "challenge", game="zeno")
    denied = discord.PermissionOverwrite(attach_files=False, send_messages=False)
    hall = club.guild.create_text_channel("hall", overwrites={club.guild.default_role: denied})
    await club.ana.slash(hall, "challenge", game="zeno")
    told = await club.ana.user.slash("help")
    await club.ana.user.click(told.response.message, custom_id="help:commands")


@pytest.mark.sweep
async def test_several_matches(club: SimulatedClub) -> None:
    for _ in range(3):
        await start_match(club, "zeno", pace="day")
    for person in (club.ana, club.ben):
        listed = get_response(await person.slash(club.channel, "matches"))
        for ending in ("next:0", "next:"):
            pressed = [each for each in list_button_ids(listed.message) if ending in each]
            if pressed:
                await person.click(listed.message, custom_id=pressed[0])
    await club.ana.slash(club.channel, "match board")
    await club.ana.slash(club.channel, "move", play=" ".join(["a-b"] * 40))


@pytest.mark.sweep
async def test_draws(club: SimulatedClub) -> None:
    channel = club.channel
    await start_match(club, "zeno")
    await club.ana.slash(channel, "match draw")
    await find_mentioned_player(club).slash(channel, "roll")
    await club.ana.slash(channel, "match draw")
    await club.ana.slash(channel, "match draw")
    await club.ben.slash(channel, "match board")
    await club.ben.slash(channel, "match board", show="text")
    await press_button(club.ana, get_newest_message(club), ":agree")
    await press_button(club.ben, get_newest_message(club), ":decline")
    await club.ben.slash(channel, "match draw", what="decline")
    await club.ben.slash(channel, "match draw")
    await press_button(club.ana, get_newest_message(club), ":agree")
    await club.ana.slash(channel, "match record", match=1)
    await press_button(club.ana, get_newest_message(club), ":verify")


@pytest.mark.sweep
async def test_what_a_moderator_does(club: SimulatedClub) -> None:
    channel = club.channel
    await club.ana.slash(channel, "server log")
    for number, how in enumerate(("gold", "black", "draw", "annul"), 1):
        await start_match(club, "paume-carie-one" if how == "gold" else "zeno")
        await club.ana.slash(channel, "server end", match=number, how=how, reason="*7* <#7>")
        await press_button(club.ben, get_newest_message(club), ":verify")
        await club.ben.slash(channel, "match board", match=number)
        await club.ben.slash(channel, "match replay", match=number)
    for how, reason in (("gold", "7"), ("annul", "7"), ("annul", " ")):
        await club.ana.slash(channel, "server end", match=4, how=how, reason=reason)
    for number in range(1, 4):
        await club.ana.slash(channel, "server end", match=number, how="annul", reason="7")
    await start_match(club, "zeno")
    await club.ana.slash(channel, "server end", match=5, how="draw", reason="7")
    await club.ana.slash(channel, "server end", match=5, how="annul", reason="7")
    told = get_response(await club.ana.slash(channel, "server log"))
    await club.ana.click(told.message, custom_id="log:1")


@pytest.mark.sweep
async def test_seats_that_change_hands(club: SimulatedClub) -> None:
    channel = club.channel
    dan, eve = (
        club.guild.add_member(club.env.create_user(name, global_name="Dan"))
        for name in ("dan", "eve")
    )
    await club.ana.slash(channel, "challenge", game="pyf", options="players=2")
    for person, side in ((club.ben, ":black"), (club.cyn, ":gold"), (dan, ":black")):
        await press_button(person, get_newest_message(club), side)
    await club.cyn.slash(channel, "match substitute", player=dan)
    for person in (club.cyn, eve):
        await club.cyn.slash(channel, "match substitute", player=eve)
        await person.click(
            get_newest_message(club), custom_id=list_button_ids(get_newest_message(club))[1]
        )
    await club.cyn.slash(channel, "match substitute", player=eve)
    asked = get_newest_message(club)
    await club.advance_clock(DAY)
    await club.ana.slash(
        channel, "server substitute", match=1, **{"from": club.cyn, "to": eve}, reason="7"
    )
    await eve.click(
        get_newest_message(club), custom_id=list_button_ids(get_newest_message(club))[0]
    )
    for person in (dan, eve):
        await person.click(asked, custom_id=list_button_ids(asked)[0])
    await club.ana.slash(
        channel, "server substitute", match=1, **{"from": club.cyn, "to": eve}, reason="7"
    )
    await club.ana.slash(
        channel, "server substitute", match=1, **{"from": eve, "to": club.cyn}, reason="7"
    )
    await club.ana.click(
        get_newest_message(club), custom_id=list_button_ids(get_newest_message(club))[1]
    )
    await press_button(club.ana, list_public_messages(club)[1], ":more")
    await club.ana.slash(channel, "server log")
    await start_match(club, "zeno", rated=False)
    await club.ana.slash(channel, "match substitute", player=eve, match=2)


async def test_what_a_server_plays(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "server stats")
    ana, ben = club.ana.id, club.ben.id
    now = club.hands()
    await store_matches(
        club.store,
        [(now - at * DAY, ana, ben, "gold") for at in range(10)],
        guild=club.guild.id,
        channel=club.channel.id,
        turns=(61,),
    )
    await club.ana.slash(club.channel, "server stats")
    await club.ana.slash(club.channel, "server stats", share=True)


async def test_public_pages(
    club: SimulatedClub, tmp_path: Path, pseudo_words: frozenset[str]
) -> None:
    for is_on in (True, False):
        await panels.change_server(club.ana, club.channel, pages=is_on)
        await panels.change_settings(club.ana, club.channel, pages=is_on)
    club.bot.app.get_part(PagePlan).folder = tmp_path
    await panels.change_server(club.ana, club.channel, pages=True)
    await panels.change_settings(club.ana, club.channel, pages=True)
    await panels.change_settings(club.ben, club.channel, pages=False)
    await start_match(club, "zeno")
    for _ in range(8):
        await take_next_action(club)
    await give_up(club, club.ben, club.channel)
    await store_league(club, "Ana", club.ana.id, season=2)
    await create_contest(club.ana, club.channel, "ladder", name="Ana", game="fallas")
    folder = tmp_path / "pages"
    folder.mkdir()
    await PageWriter(club.bot, folder).write_pages()
    pages = [read_page(file) for file in folder.glob("servers/**/*.html")]
    assert len(pages) > 5
    told = {SentText("content", text) for page in pages for text in (*page.alts, *page.blocks)}
    assert [each for each in told if find_untranslated(each, pseudo_words)] == []


async def test_what_is_posted_every_day(club: SimulatedClub) -> None:
    channel = club.channel
    await panels.open_server_section(club.ana, channel, "posts")
    await panels.change_server(club.ana, channel, puzzle=channel, puzzle_hour=7)
    await club.advance_clock(DAY)
    for right in (False, True):
        # Zeno's puzzle has one answer, and Ana alone gives it.
        await club.ana.slash(channel, "puzzle")
        if right:
            await club.ana.slash(channel, "move", play="k-q t-z u-x")
        await club.advance_clock(DAY)
    denied = discord.PermissionOverwrite(send_messages=False)
    locked = club.guild.create_text_channel("locked", overwrites={club.guild.default_role: denied})
    await panels.change_server(club.ana, channel, puzzle=locked)
    await panels.change_server(club.ana, channel, puzzle=[])


async def test_what_is_posted_every_week(club: SimulatedClub) -> None:
    channel = club.channel
    await panels.open_server_section(club.ana, channel, "posts")
    await panels.change_server(club.ana, channel, digest=channel, digest_hour=7)
    await create_contest(club.ana, channel, "league", name="7", game="zeno")
    ana, ben = club.ana.id, club.ben.id
    await create_contest(club.ana, channel, "ladder", name="7", game="fallas")
    for person in (club.ana, club.ben, club.cyn):
        await person.click(_find_message(club, "ladderjoin:1"), custom_id="ladderjoin:1")
    now = club.hands()
    played = [(now + at * HOUR, ana, ben, "gold") for at in (1, 2)]
    await store_matches(
        club.store, played, guild=club.guild.id, channel=club.channel.id, turns=(61,)
    )
    await club.advance_clock(8 * DAY)
    await panels.change_server(club.ana, channel, digest=[])


async def test_leagues_that_were_won(club: SimulatedClub) -> None:
    for winner in (*[club.ana.id] * 5, None):
        await store_league(club, "Ana", winner, season=2)
    await club.ana.slash(club.channel, "me profile")


async def test_a_league(club: SimulatedClub) -> None:
    ana, channel = club.ana, club.channel
    terms = {"game": "fallas", "weeks": 1, "unfinished": "draw", "seasons": True}
    await ana.autocomplete(channel, "league create", "game", "")
    await create_contest(ana, channel, "league", name="Ana", rated=False, **terms)
    card = _find_message(club, "leaguejoin:1")
    people = [
        club.guild.add_member(club.env.create_user(f"player{at}", global_name=str(at)))
        for at in range(7)
    ]
    for person in (club.ben, club.cyn, *people):
        await person.click(card, custom_id="leaguejoin:1")
    await panels.download_calendar(club.ben, channel)
    await press_standings(club.ben, channel, "league", "leave")
    await press_standings(club.ben, channel, "league", "join", league="Ana")
    await ana.autocomplete(channel, "league standings", "league", "a")
    for wrong in ("nothing", "99"):
        await press_standings(ana, channel, "league", "join", league=wrong)
    await press_standings(ana, channel, "league", "mine")
    panel = get_response(await ana.slash(channel, "league manage")).message
    for action in ("extend", "start"):
        await ana.click(panel, custom_id=f"leaguerule:1:{action}")
    await club.advance_clock(60_000)
    await ana.slash(channel, "league standings", share=True)
    table = _find_message(club, "leaguetable:1")
    await club.ben.click(table, custom_id="leaguetable:1")
    await club.ben.click(table, custom_id="leaguemine:1")
    await ana.click(table, custom_id="leaguejoin:1")
    asked = get_response(await press_standings(club.cyn, channel, "league", "leave")).message
    await club.cyn.click(asked, custom_id="leagueleave:1:sure")
    panel = get_response(await ana.slash(channel, "league manage")).message
    form = await ana.select(panel, custom_id="leagueremove:1:remove:0", values=[str(people[0].id)])
    await ana.submit_modal(form, {"text": "2"})
    await club.advance_clock(5_000)
    # Those who have left have forfeited, while the league goes on.
    over = await _find_end(club)
    await _ask_about_dice(club, over)
    await club.advance_clock(22 * DAY)
    await _ask_about_dice(club, over)
    await press_standings(club.ben, channel, "league", "mine", league="1")
    listed = get_response(await ana.slash(channel, "history", contest="1")).message
    await ana.click(listed, custom_id="standingsfile:1:json")
    for person in (ana, club.ben, club.cyn):
        await panels.download_calendar(person, channel)
    await ana.autocomplete(channel, "history", "contest", "a")
    for given in ({"contest": "1"}, {"contest": "1", "player": club.ben}, {"player": club.ben}):
        await ana.slash(channel, "history", **given)
    await ana.slash(channel, "league standings", league="1")
    panel = get_response(await ana.slash(channel, "league manage")).message
    form = await ana.click(panel, custom_id="leaguerule:2:cancel")
    await ana.submit_modal(form, {"text": "3"})
    await create_contest(ana, channel, "league", name="Ben", signup=1, **terms)
    await club.advance_clock(2 * DAY)


async def test_tournaments(club: SimulatedClub) -> None:
    ana, channel = club.ana, club.channel
    formats: tuple[dict[str, Any], ...] = (
        {"format": "knock-out", "best": 3, "third": True, "games": "rumwoldstow"},
        {"format": "knock-out", "best": 1, "unfinished": "draw"},
        {"format": "swiss", "rounds": 3, "days": 2, "games": "pyf"},
        {"format": "swiss", "days": 1, "rated": True},
        {"format": "round-robin", "games": "pyf"},
        {"format": "round-robin", "signup": 1},
    )
    people = [
        club.guild.add_member(club.env.create_user(f"player{at}", global_name=str(at)))
        for at in range(9)
    ]
    await press_standings(ana, channel, "tournament", "join")
    await ana.autocomplete(channel, "tournament create", "game", "")
    await create_contest(
        ana, channel, "tournament", name="Ana", game="zeno", games=",".join(list(GAMES)[:9])
    )
    refused = {"game": "zeno", "games": "pyf", "options": "goal=off"}
    await create_contest(ana, channel, "tournament", name="Ana", **refused)
    for number, terms in enumerate(formats, 1):
        await create_contest(ana, channel, "tournament", name="Ana", game="fallas", **terms)
        card = _find_message(club, f"leaguejoin:{number}")
        for person in people:
            await person.click(card, custom_id=f"leaguejoin:{number}")
    await press_standings(ana, channel, "tournament", "join")
    await ana.autocomplete(channel, "tournament standings", "tournament", "a")
    await press_standings(people[0], channel, "tournament", "leave", tournament="6")
    await press_standings(people[0], channel, "tournament", "join", tournament="6")
    await club.advance_clock(3 * DAY + 1)
    for number in range(1, len(formats) + 1):
        await ana.slash(channel, "tournament standings", tournament=str(number), share=True)
        table = _find_message(club, f"leaguetable:{number}")
        await people[0].click(table, custom_id=f"leaguetable:{number}")
        await press_standings(people[0], channel, "tournament", "mine", tournament=str(number))
        panel = get_response(
            await ana.slash(channel, "tournament manage", tournament=str(number))
        ).message
        await ana.click(panel, custom_id=f"leaguerule:{number}:extend")
    await press_standings(club.ben, channel, "tournament", "join", tournament="3")
    await press_standings(club.ben, channel, "tournament", "mine", tournament="3")
    asked = await press_standings(people[1], channel, "tournament", "leave", tournament="1")
    await people[1].click(get_response(asked).message, custom_id="leagueleave:1:sure")
    await club.advance_clock(60 * DAY)
    for number in range(1, len(formats) + 1):
        table = _find_message(club, f"leaguetable:{number}")
        await people[0].click(table, custom_id=f"leaguetable:{number}")
        await press_standings(people[0], channel, "tournament", "mine", tournament=str(number))
    listed = get_response(await ana.slash(channel, "history", contest="1")).message
    await ana.click(listed, custom_id="standingsfile:1:csv")


async def test_contests_whose_people_come_and_go(club: SimulatedClub) -> None:
    ana, channel, env = club.ana, club.channel, club.env
    role = club.guild.create_role("Ana")
    people = [
        club.guild.add_member(env.create_user(f"player{at}", global_name=str(at)))
        for at in range(11)
    ]
    terms = {"name": "Ana", "game": "fallas", "pace": "none", "role": role, "signup": 1}
    await create_contest(ana, channel, "tournament", format="swiss", days=1, rounds=3, **terms)
    await create_contest(ana, channel, "league", weeks=1, seasons=True, **terms)
    for number in (1, 2):
        card = _find_message(club, f"leaguejoin:{number}")
        for person in people:
            env.backend.add_member_role(club.guild.id, person.id, role.id)
            await person.click(card, custom_id=f"leaguejoin:{number}")
    env.backend.remove_member_role(club.guild.id, people[9].id, role.id)
    club.guild.remove_member(people[10])
    await hide_channel(club, channel, people[8])
    await club.advance_clock(DAY + 1)
    env.backend.delete_role(club.guild.id, role.id)
    await club.advance_clock(DAY)
    await club.advance_clock(5_000)
    spare = {name: each for name, each in terms.items() if name != "role"}
    # The one shows who is gone, and the other who doesn't come.
    await create_contest(ana, channel, "league", weeks=1, seasons=True, **spare)
    table = _find_message(club, "leagueback:1")
    for person in people[:4]:
        await press_standings(person, channel, "tournament", "mine", tournament="1")
        await person.click(table, custom_id="leagueback:1")
    await club.advance_clock(8 * DAY)
    await club.advance_clock(5_000)
    # The next season waits, as does one that nobody has joined.
    for _ in range(3):
        await club.advance_clock(7 * DAY)
        await club.advance_clock(5_000)
    for league in ("2", "3", "4"):
        await press_standings(club.ben, channel, "league", "join", league=league)
        await ana.slash(channel, "league manage", league=league)


async def test_a_pairing_in_spite_of_a_block(club: SimulatedClub) -> None:
    ana, ben, channel = club.ana, club.ben, club.channel
    await ana.slash(channel, "me block", person=ben)
    for number, terms in enumerate(({"format": "round-robin"}, {"format": "knock-out"}), 1):
        await create_contest(ana, channel, "tournament", name="Ana", game="fallas", **terms)
        card = _find_message(club, f"leaguejoin:{number}")
        others = [
            club.guild.add_member(club.env.create_user(f"player{number}{at}", global_name=str(at)))
            for at in range(2)
        ]
        for person in (ana, others[0], others[1], ben):
            await person.click(card, custom_id=f"leaguejoin:{number}")
    await club.advance_clock(3 * DAY + 1)
    view = await club.store.get(Contests).load_view(1)
    assert view is not None
    (match,) = [each.match for each in view.pairings if each.optional]
    card = _find_message(club, "leaguemine:1")
    shown = get_response(await ana.click(card, custom_id="leaguemine:1")).message
    acted: set[int] = set()
    while len(acted) < 2:
        acted.add(await play_turn(club, match))
    await ana.click(shown, custom_id=f"leagueskip:{match}")


async def test_a_ladder(club: SimulatedClub) -> None:
    ana, ben, cyn, channel = club.ana, club.ben, club.cyn, club.channel
    terms = {"options": "dice=majoret", "pace": "none", "rated": False}
    await create_contest(ana, channel, "ladder", name="Ana", game="fallas", **terms)
    card = _find_message(club, "ladderjoin:1")
    people = [
        club.guild.add_member(club.env.create_user(f"player{at}", global_name=str(at)))
        for at in range(4)
    ]
    for person in (ana, ben, cyn, *people):
        await person.click(card, custom_id="ladderjoin:1")
    await press_standings(people[3], channel, "ladder", "leave")
    await press_standings(people[3], channel, "ladder", "join", ladder="Ana")
    await ana.autocomplete(channel, "ladder standings", "ladder", "a")
    await press_standings(ana, channel, "ladder", "join", ladder="nothing")
    await ben.slash(channel, "ladder challenge", opponent=ana)
    await press_button(ana, get_newest_message(club), ":accept")
    await cyn.slash(channel, "ladder challenge", opponent=ben)
    await press_standings(people[0], channel, "ladder", "next")
    await ana.slash(channel, "ladder standings", share=True)
    await ana.slash(channel, "matches")
    await give_up(club, ben, channel, 1)
    await press_button(ben, _find_message(club, "challenge:2:decline"), ":decline")
    for challenger, opponent, loser in ((people[1], people[0], 0), (people[0], cyn, None)):
        await challenger.slash(channel, "ladder challenge", opponent=opponent)
        await press_button(opponent, get_newest_message(club), ":accept")
        if loser is not None:
            await give_up(club, people[loser], channel, 2)
    asked = get_response(await people[0].click(card, custom_id="ladderleave:1")).message
    await people[0].click(asked, custom_id="ladderleave:1:sure")
    await panels.change_settings(people[1], channel, reminders="direct")
    await people[2].slash(channel, "ladder challenge", opponent=people[1])
    await club.advance_clock(6 * DAY)
    await club.advance_clock(2 * DAY)
    await people[3].click(card, custom_id="laddernext:1")
    await people[3].slash(channel, "me block", person=people[2])
    club.guild.remove_member(people[1])
    await people[3].slash(channel, "ladder challenge", opponent=people[1].user)
    await people[3].click(card, custom_id="laddernext:1")
    panel = get_response(await ana.slash(channel, "ladder manage")).message
    form = await ana.select(panel, custom_id="ladderremove:1:0", values=[str(people[3].id)])
    await ana.submit_modal(form, {"text": "1"})
    panel = get_response(await ana.click(card, custom_id="laddermanage:1")).message
    await ana.select(panel, custom_id="ladderreadmit:1:0", values=[str(people[3].id)])
    await club.advance_clock(0)
    await club.advance_clock(30 * DAY)
    panel = get_response(await ana.click(card, custom_id="laddermanage:1")).message
    form = await ana.click(panel, custom_id="ladderclose:1")
    await ana.submit_modal(form, {"text": "2"})
    await ana.slash(channel, "ladder manage")
    hall = club.guild.create_text_channel("hall")
    await create_contest(ana, hall, "ladder", name="7", game="fallas")
    for person in (ana, ben):
        await press_standings(person, hall, "ladder", "join", ladder="7")
    club.env.backend.delete_channel(hall.id)
    await ben.slash(channel, "ladder challenge", opponent=ana, ladder="7")
    await ana.autocomplete(channel, "history", "ladder", "a")
    for given in ({"ladder": "1"}, {"ladder": "1", "player": ben}, {"ladder": "1", "contest": "1"}):
        await ana.slash(channel, "history", **given)
    await ben.slash(channel, "history")


async def test_what_leagues_lack_in_their_server(club: SimulatedClub) -> None:
    ana, channel, env = club.ana, club.channel, club.env
    terms = {"game": "fallas", "weeks": 1, "event": True, "roles": True}
    people = [
        club.guild.add_member(env.create_user(f"player{at}", global_name=str(at)))
        for at in range(5)
    ]
    env.inject_error("POST", "/guilds/*/scheduled-events", status=400, code=30038)
    env.inject_error("POST", "/guilds/*/roles", status=400, code=30005)
    for name in ("Ana", "Ben"):
        await create_contest(ana, channel, "league", name=name, **terms)
        number = 1 if name == "Ana" else 2
        card = _find_message(club, f"leaguejoin:{number}")
        for person in people[:4]:
            await person.click(card, custom_id=f"leaguejoin:{number}")
        panel = get_response(await ana.slash(channel, "league manage", league=name)).message
        await ana.click(panel, custom_id=f"leaguerule:{number}:start")
        await club.advance_clock(5_000)
        # The second has neither permission, and the first is refused a role.
        forbid(club, "create_events", "manage_roles")
    change_permissions(club, {"create_events": True, "manage_roles": True})
    env.inject_error("PUT", "/guilds/*/members/*/roles/*", status=403, code=50013)
    await press_standings(people[4], channel, "league", "join", league="1")
    await club.advance_clock(5_000)


async def _find_end(club: SimulatedClub) -> discord.Message:
    """The last message of a league's match that is over."""
    view = await club.store.get(Contests).load_view(1)
    assert view is not None
    match = next(pairing.match for pairing in view.pairings if pairing.is_over)
    row = await club.store.get(Matches).load_row(match)
    assert row is not None
    (thread,) = (each for each in club.channel.threads if each.id == row.thread)
    return list(thread.history())[-1]


async def _ask_about_dice(club: SimulatedClub, over: discord.Message) -> None:
    """Ask what the dice of a match that is over prove."""
    for ending in (":dice", ":verify", ":record"):
        await press_button(club.ana, over, ending)


def _find_message(club: SimulatedClub, custom_id: str) -> discord.Message:
    """The first message that shows a control."""
    return next(
        message
        for message in list_public_messages(club)
        if custom_id in [getattr(part, "custom_id", "") for part in walk_parts(message)]
    )


@pytest.mark.sweep
async def test_a_list_of_matches_ends_with_how_many_more_there_are(
    club: SimulatedClub, pseudo_words: frozenset[str]
) -> None:
    await start_match(club, "zeno")
    session = await load_session(club.bot.app, 1)
    links = {1: build_link(club.guild.id, club.channel.id, get_newest_message(club).id)}
    card = matches_card(
        club.bot.get_reader(LOCALE), [session] * (LIMITS.running + 9), club.ana.id, links, {}
    )
    _, *lines, last = list_card_texts(card)
    assert len("\n".join(list_card_texts(card))) < 4000
    assert last == f"«{LIMITS.running + 9 - len(lines)} moreee matchessss aree inn progresssss.»"
    assert [
        each
        for each in list_card_texts(card)
        if find_untranslated(SentText("content", each), pseudo_words)
    ] == []


async def test_what_a_server_chooses(club: SimulatedClub) -> None:
    channel = club.channel
    hall = club.guild.create_text_channel("hall")
    role = club.guild.create_role("7")
    denied = discord.PermissionOverwrite(attach_files=False, send_messages=False)
    club.guild.create_text_channel("attic", overwrites={club.guild.default_role: denied})
    await club.ana.slash(channel, "server settings")
    await panels.change_server(club.ana, channel, channels=[])
    await panels.change_server(
        club.ana, channel, channels=hall, rated=False, pace="day", quiet="22-7 +2"
    )
    await panels.change_server(club.ana, channel, quiet="7")
    await panels.change_server(
        club.ana, channel, pace="2h+1m", zone="Berlin", single=True, news=hall
    )
    await club.ana.slash(channel, "challenge", game="zeno")
    await panels.change_server(club.ana, channel, channels=channel, role=role)
    await club.ana.slash(channel, "challenge", game="zeno")


@pytest.mark.sweep
async def test_matches_in_threads(club: SimulatedClub) -> None:
    channel = club.channel
    await panels.change_server(club.ana, channel, threads=True)
    await start_match(club, "zeno")
    await give_up(club, club.ana, channel.threads[-1])
    await club.ana.slash(channel, "play", game="zeno")
    denied = discord.PermissionOverwrite(
        create_public_threads=False, send_messages_in_threads=False
    )
    hall = club.guild.create_text_channel("hall", overwrites={club.guild.default_role: denied})
    await panels.change_server(club.ana, hall)
    await club.ana.slash(hall, "play", game="zeno")
    club.env.inject_error("POST", "/channels/*/messages/*/threads", status=403, code=50013)
    await club.ana.slash(channel, "play", game="laquet")


@pytest.mark.sweep
async def test_matches_of_one_message(club: SimulatedClub) -> None:
    await panels.change_server(club.ana, club.channel, single=True)
    await start_match(club, "zeno")
    while len(list_public_messages(club)) < 3:
        (match,) = list_live_messages(club)
        person = (
            club.ana
            if (await load_session(club.bot.app, 1)).person_to_act == club.ana.id
            else club.ben
        )
        await use_first_control(person, match)


@pytest.mark.sweep
async def test_a_server_that_invites_the_bot(club: SimulatedClub) -> None:
    inn = create_second_guild(club, "7", preferred_locale=LOCALE)
    bare = discord.PermissionOverwrite(attach_files=False)
    parlour = inn.create_text_channel("parlour", overwrites={inn.default_role: bare})
    await club.env.settle()
    await club.advance_clock(0)
    assert len(parlour.history()) == 1
    lacks = [MissingPermissions(channel, tuple(PERMISSIONS)) for channel in range(100)]
    say = club.bot.get_reader(LOCALE)
    card = section_card(say, (), lacks=lacks)
    assert len("\n".join(list_card_texts(card))) < 4000
    assert "moreee" in list_card_texts(card)[-2]


@pytest.mark.sweep
async def test_blocks(club: SimulatedClub) -> None:
    channel = club.channel
    await club.ana.slash(channel, "me block")
    await club.ana.slash(channel, "me block", person=club.ana)
    await club.ana.slash(channel, "me block", person=club.ben)
    for person, opponent in ((club.ana, club.ben), (club.ben, club.ana)):
        await person.slash(channel, "challenge", game="zeno", opponent=opponent)
    await club.ana.slash(channel, "challenge", game="zeno")
    await press_button(club.ben, get_newest_message(club), ":accept")
    asked = await panels.ask_deletion(club.ben, channel)
    await club.ben.click(asked, custom_id="delete-data:yes")
    await club.advance_clock(0)
    shown = get_response(await club.ana.slash(channel, "me block")).message
    await club.ana.select(shown, custom_id="unblock:", values=["deleted"])
    declined = [
        ContestExcludedError("Cup"),
        LadderExcludedError("Cup"),
        TooManyLatelyError(7),
        TooManyHereError(7),
        TooManyBlockedError(7),
    ]
    say = club.bot.get_reader(LOCALE)
    assert all("«" in each.format(say) for each in declined)


@pytest.mark.sweep
@pytest.mark.usefixtures("own_throws")
async def test_an_old_message(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    stray = get_newest_message(club)
    await club.store.get(Matches).save_live_message(1, LiveMessage(1, club.channel.id, 1, 1), None)
    await find_mentioned_player(club).slash(club.channel, "roll")
    await press_button(find_mentioned_player(club), stray, ":roll")


@pytest.mark.sweep
@pytest.mark.parametrize("family", Family)
async def test_rules_of_games(club: SimulatedClub, family: Family) -> None:
    for slug in (game.slug for game in GAMES.values() if game.family is family):
        page = (await club.ana.slash(club.channel, "rules", game=slug)).response
        assert page is not None
        await press_button(club.ana, page.message, f"origins:{slug}")
        await press_button(club.ana, page.message, f"howto:{slug}")


async def test_a_game_to_print(club: SimulatedClub) -> None:
    await club.ana.autocomplete(club.channel, "print", "game", "ze")
    await club.ana.slash(club.channel, "print", game="twelve-dogs", plain=True)


async def test_rules_of_games_that_cannot_be_played(club: SimulatedClub) -> None:
    for page in UNPLAYED:
        await club.ana.slash(club.channel, "rules", game=page.slug)


@pytest.mark.sweep
async def test_pages_to_read(club: SimulatedClub) -> None:
    channel = club.channel
    for typed in ("", "tac", "e"):
        for command in ("rules", "leaderboard", "me profile"):
            await club.ana.autocomplete(channel, command, "game", typed)
    helped = (await club.ana.slash(channel, "help")).response
    assert helped is not None
    for ending in ("join", "latest:", "matches", "help:contests"):
        await press_button(club.ana, helped.message, ending)
    listed = get_response(await press_button(club.ana, helped.message, "help:commands")).message
    (menu,) = list_menus(listed)
    for option in menu.options:
        await club.ana.select(listed, custom_id=menu.custom_id, values=[option.value])
    offered = get_response(await club.ana.slash(channel, "play")).message
    await press_button(club.ana, offered, "begin:zeno")
    await club.ana.slash(channel, "matches")
    await club.ana.slash(channel, "rules", game="xq")
    page = (await club.ana.slash(channel, "rules")).response
    assert page is not None
    for menu in list_menus(page.message):
        await club.ana.select(
            page.message, custom_id=menu.custom_id, values=[menu.options[-1].value]
        )


@pytest.mark.sweep
async def test_slow_matches(club: SimulatedClub) -> None:
    channel = club.channel
    for pace in ("none", "live", "day", "2h+0s", "5d+12h", "45s+1m", "soon"):
        await panels.change_server(club.ana, channel, pace=pace)
    for reminders in Reminder:
        await panels.change_settings(club.ben, channel, reminders=reminders.value, throws=True)
    await panels.change_settings(club.ben, channel, reminders="channel", throws=False)
    for shares in (True, False):
        await panels.change_settings(club.ben, channel, shares=shares, everywhere=shares)
    await start_match(club, "zeno", pace="day", side="black")
    await start_match(club, "zeno", pace="day")
    await club.ana.slash(channel, "matches")
    for days in (7, 2, 0, 0, 30):
        await club.ana.slash(channel, "me vacation", days=days)
    await club.cyn.slash(channel, "me vacation")
    await outages.record_heartbeat(club.bot.app)
    await club.advance_clock(2 * HOUR)
    await outages.record_heartbeat(club.bot.app)
    await club.advance_clock(20 * HOUR)
    await club.advance_clock(5 * HOUR)
    late = [
        message
        for message in list_public_messages(club)
        if any(each.endswith(":grant") for each in list_control_ids(message))
    ]
    await press_button(club.cyn, late[-1], ":claim")
    await press_button(find_mentioned_player(club), late[-1], ":grant")
    await start_match(club, "zeno", pace="none")
    await club.advance_clock(61 * DAY)


@pytest.mark.parametrize(
    "theme", mark_sweeps(load_themes(), {next(iter(load_themes()))}.__contains__)
)
@pytest.mark.sweep
async def test_looks(club: SimulatedClub, theme: str) -> None:
    for near in ("gold", "black", "mine"):
        await panels.change_settings(club.cyn, club.channel, theme=theme, near=near, numbers=True)
    await panels.change_server(club.ana, club.channel, theme=theme, near="black")
    await panels.change_settings(club.cyn, club.channel, theme="natural", numbers=False)
    panel = get_response(await club.cyn.slash(club.channel, "me settings")).message
    await club.cyn.click(panel, custom_id="preference:reset")
    await panels.change_settings(
        club.cyn, club.channel, reminders="never", throws=False, confirms=True, zone="Berlin"
    )
    boards = get_response(await panels.change_server(club.ana, club.channel, numbers=True)).message
    await club.ana.click(boards, custom_id="serverset:reset_boards")
    await panels.open_section(club.ana, boards, panels.SERVER_SECTION, "matches")
    await club.ana.click(boards, custom_id="serverset:reset_matches")


async def test_languages(club: SimulatedClub) -> None:
    for language in ("discord", LOCALE):
        await panels.change_settings(club.ana, club.channel, language=language)
        await panels.change_server(club.ana, club.channel, language=language)


async def test_everyone_reads_what_is_public_in_the_language_of_the_server(
    tmp_path: Path, locales: Path
) -> None:
    async with open_club(tmp_path / "club.sqlite3", locales, server=LOCALE) as club:
        await start_match(club, "zeno")
        assert extract_text(get_newest_message(club)).startswith("### «")
        assert get_ephemeral_text(await club.ana.slash(club.channel, "matches")).startswith(
            "### Your matches"
        )
        await club.ana.slash(club.channel, "leaderboard")
        assert extract_text(get_newest_message(club)).startswith("### «Leaderboard")


async def test_everyone_reads_what_is_private_in_their_own_language(
    tmp_path: Path, locales: Path
) -> None:
    async with open_club(tmp_path / "club.sqlite3", locales, people=LOCALE) as club:
        await start_match(club, "zeno")
        assert extract_text(get_newest_message(club)).startswith("### Zeno")
        assert get_ephemeral_text(await club.ana.slash(club.channel, "matches")).startswith(
            "### «Yourrr matchessss»"
        )
        offered = await club.ana.autocomplete(club.channel, "rules", "game", "zen")
        assert [choice["name"] for choice in offered] == ["«Zenooo»"]


async def test_commands_describe_themselves_and_their_choices(
    club: SimulatedClub, pseudo_words: frozenset[str]
) -> None:
    told = list(club.env.backend.commands[None].values())
    listed = (*collect_commands(), *collect_menus())
    assert {command["name"] for command in told} == {command.name for command in listed}
    typed = discord.AppCommandType.chat_input.value
    entries = [command for command in told if command["type"] != typed]
    assert "«Challengeeee»" in [each["name_localizations"][LOCALE] for each in entries]
    described = list(_walk_descriptions([each for each in told if each not in entries]))
    choices = [choice for option in described for choice in option.get("choices", ())]
    texts = [each["description_localizations"][LOCALE] for each in described]
    texts += [each["name_localizations"][LOCALE] for each in choices]
    assert [
        each for each in texts if find_untranslated(SentText("description", each), pseudo_words)
    ] == []
    assert [each for each in texts if len(each) > 100] == []
    await club.ana.slash(club.channel, "help")


def _walk_descriptions(told: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield all that describes itself: commands, those in a group, and their options."""
    for each in told:
        yield each
        yield from _walk_descriptions(each.get("options", ()))


@pytest.mark.sweep
async def test_a_match_that_cannot_be_shown_is_told_of(
    club: SimulatedClub, locales: Path, pseudo_words: frozenset[str]
) -> None:
    await start_match(club, "zeno")
    session = await load_session(club.bot.app, 1)
    say = load_reader(LOCALE, locales)
    told = [explain_hidden_match(say, session, missing) for missing in ((), tuple(PERMISSIONS))]
    told += [
        explain_hidden_match(say, session, (), gone=True),
        format_continuation(say, session, 1),
        *(explain_lost_thread(say, is_locked=is_locked) for is_locked in (False, True)),
    ]
    assert [
        each for each in told if find_untranslated(SentText("content", each), pseudo_words)
    ] == []


async def test_what_goes_wrong_on_our_side_is_said(
    locales: Path, pseudo_words: frozenset[str]
) -> None:
    say = load_reader(LOCALE, locales)
    told = [format_store_failure(say, saved, "0") for saved in SaveOutcome]
    told += [format_failure(say, "0"), explain_forbidden(say)]
    assert [
        each for each in told if find_untranslated(SentText("content", each), pseudo_words)
    ] == []


async def test_the_playground_greets_in_the_language_of_the_one_who_reads(
    locales: Path, pseudo_words: frozenset[str]
) -> None:
    card = greeting_card(load_reader(LOCALE, locales))
    body: Any = build_layout(card).to_components()  # type: ignore[no-untyped-call]
    told = list(list_body_texts(body))
    assert len(told) > 3
    assert [each for each in told if find_untranslated(each, pseudo_words)] == []


@pytest.mark.parametrize("slug", GAMES)
async def test_a_rules_page_has_room_for_all_of_it(slug: str, locales: Path) -> None:
    for say in (Reader.ENGLISH, load_reader(LOCALE, locales)):
        for card, told in (
            (rules_card(say, slug), rules.format_paragraphs(say, GAMES[slug])),
            (
                origins_card(say, slug),
                (*rules.format_options(say, GAMES[slug]), *rules.format_origins(say, GAMES[slug])),
            ),
        ):
            shown = "\n".join(list_card_texts(card))
            assert [name for name, paragraph in told if paragraph not in shown] == []


REFUSED = {
    "match draw",
    "match substitute",
    "match try",
    "move",
    "undo",
    "server substitute",
}
"""Commands that Ana may be refused as `begin_everything` leaves the club."""


@pytest.mark.parametrize("group", mark_sweeps(list_groups(), lambda group: group not in SLOW))
async def test_every_command_answers_in_every_way_that_it_declares(
    club: SimulatedClub, group: str
) -> None:
    """A command that is new is walked through here without a line of its own."""
    things = await begin_everything(club)
    club.bot.app.measures = outcomes = Outcomes()
    for command in list_groups()[group]:
        name = command.qualified_name
        for number, use in enumerate(list_uses(command, things)):
            asking = club.ana.slash(club.channel, name, **use)
            assert await collect_answer(club, asking), f"/{name} {use} is not answered"
            assert outcomes.last is not RequestOutcome.FAILED, f"/{name} {use} fails"
            assert number or name in REFUSED or outcomes.last is RequestOutcome.DONE, (
                f"/{name} {use}: if it is right to refuse it, name it in REFUSED of {__file__}"
            )
        for option in command.parameters:
            for typed in ("", "a") if option.autocomplete else ():
                await club.ana.autocomplete(club.channel, name, option.display_name, typed)


async def test_every_entry_of_a_menu_answers(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    await give_up(club, club.ana, club.channel)
    ended = get_newest_message(club)
    club.bot.app.measures = outcomes = Outcomes()
    for menu in collect_menus():
        of_person = menu.type is discord.AppCommandType.user
        await club.ana.context_menu(club.channel, menu.name, club.ben if of_person else ended)
        assert outcomes.last is RequestOutcome.DONE, menu.name


@pytest.mark.sweep
async def test_what_stands_in_a_locked_thread(club: SimulatedClub) -> None:
    corner = await open_corner(club)
    await open_challenge(club, corner)
    await club.advance_clock(0)
    get_metadata(club, corner).locked = True
    await archive(club, corner)
    club.env.inject_error("PATCH", f"/channels/{corner.id}", **FORBIDDEN)
    await club.bot.app.enqueue(club.guild.id, [ShowChallenge(1).build_job(club.hands())])
    async with asyncio.timeout(60):
        while not await club.store.jobs.load_failed(club.guild.id):  # noqa: ASYNC110 - a job fails
            await asyncio.sleep(0.05)
    assert "«" in extract_text(club.ana.user.dm_channel.last_message)
