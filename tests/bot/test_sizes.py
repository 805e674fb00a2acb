"""Discord takes every message, however long its names, reasons, notes and translations are."""

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.features.challenges.cards import Draft, add_note_to_card, draft_card, matches_card
from bot.features.contests.competitions import MAX_COMPETITION_NAME_LENGTH
from bot.features.contests.tables import Contest
from bot.features.history.commands import history_card
from bot.features.history.past_matches import Competitions, PastMatch
from bot.features.history.service import PAGE as HISTORY_PAGE
from bot.features.history.service import HistoryPage, HistoryView
from bot.features.ladders.cards import choices_card, ladder_card, ladder_manage_card
from bot.features.ladders.rungs import (
    ChallengeRules,
    LadderAction,
    LadderChallenge,
    LadderEvent,
    LadderPlayer,
)
from bot.features.ladders.service import MAX_RUNGS
from bot.features.ladders.tables import Ladder, LadderView
from bot.features.matches.cards import (
    board_card,
    choice_card,
    past_turn_card,
    text_board_card,
    turn_card,
)
from bot.features.matches.controls import match_choice_menus
from bot.features.matches.loading import load_session
from bot.features.matches.rows import RatingRow, Ruling, Seat
from bot.features.moderation.cards import log_card
from bot.features.moderation.service import MAX_REASON_LENGTH, PAGE
from bot.features.moderation.service import RulingPage as Log
from bot.features.ratings.cards import Ranking, leaderboard_card, profile_card
from bot.features.ratings.leaderboards import LeaderboardEntry, Profile
from bot.features.ratings.leaderboards import LeaderboardPage as Ranks
from bot.features.ratings.service import ALL_GAMES, EVERYWHERE, Season, build_pool_name
from bot.features.rulebook.cards import help_card, origins_card, rules_card
from bot.features.servers.cards import (
    MATCH_SETTINGS,
    SECTION_SETTINGS,
    section_card,
    welcome_card,
)
from bot.features.servers.service import MissingPermissions
from bot.platform.db.preferences import ServerSettings
from bot.platform.db.rows import PersonNames
from bot.platform.i18n.common import PERMISSIONS, Paging
from bot.platform.i18n.reader import Reader, escape_text, load_reader
from bot.platform.people import DiscordPerson
from bot.platform.ui.card import Card, Listing
from bot.platform.ui.layout import build_layout, fit_card
from engine.clock import parse_pace
from engine.games import GAMES
from engine.players.level import Level
from engine.position import Side
from tests.bot.test_past_results import build_row
from tests.support.club import SimulatedClub, open_club
from tests.support.driver import (
    get_ephemeral_text,
    get_newest_message,
    list_card_texts,
    start_match,
)
from tests.support.pseudo import compile_pseudo_folder, double_words, read_template

LOCALE = "fr"
"""The language in whose place a wordy one is read."""
MARKUP = "*_~|`>[<@#"
REASON = (MARKUP * MAX_REASON_LENGTH)[:MAX_REASON_LENGTH]
NAME = (MARKUP * 4)[:32]
FACES = "\U0001f600" * 32
NUMBER = 2**63 - 1
LINK = f"https://discord.com/channels/{NUMBER}/{NUMBER}/{NUMBER}"


@pytest.fixture(scope="module")
def locales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a language whose words are twice as long."""
    return compile_pseudo_folder(
        tmp_path_factory.mktemp("locales"), read_template(), LOCALE, double_words
    )


def count_utf16_units(text: str) -> int:
    """How long a text is at most, as Discord may count it."""
    return len(text.encode("utf-16-le")) // 2


def walk_components(component: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every component of one, itself included."""
    yield component
    for inner in component.get("components", ()):
        yield from walk_components(inner)


MOST = {"label": 80, "placeholder": 150, "custom_id": 100}
MAX_ENTRY_LENGTHS = {"label": 100, "description": 100, "value": 100}
MAX_PICTURE_LENGTHS = {"description": 1024}
TEXT_DISPLAY = 10


def find_message_errors(components: list[dict[str, Any]]) -> Iterator[str]:
    """Say what Discord would refuse of a message."""
    found = [part for component in components for part in walk_components(component)]
    text = sum(count_utf16_units(part.get("content") or "") for part in found)
    if text > 4000:
        yield f"{text} characters"
    if len(found) > 40:
        yield f"{len(found)} components"
    yield from (
        "no words" for part in found if part["type"] == TEXT_DISPLAY and not part["content"]
    )
    yield from find_long_texts(found, MOST)
    yield from find_long_texts(
        (entry for part in found for entry in part.get("options", ())), MAX_ENTRY_LENGTHS
    )
    yield from find_long_texts(
        (item for part in found for item in part.get("items", ())), MAX_PICTURE_LENGTHS
    )
    ids = [part["custom_id"] for part in found if part.get("custom_id")]
    if len(ids) > len(set(ids)):
        yield "an id twice"


def find_long_texts(things: Iterable[dict[str, Any]], most: dict[str, int]) -> Iterator[str]:
    """Name the texts of some things that are too long."""
    for thing in things:
        for key, longest in most.items():
            if count_utf16_units(thing.get(key) or "") > longest:
                yield f"{key}: {thing[key]!r}"


def find_card_errors(card: Card) -> list[str]:
    """Say what Discord would refuse of a card, and what a page would hide."""
    view = build_layout(card)
    components: list[dict[str, Any]] = view.to_components()  # type: ignore[no-untyped-call]
    shown = "\n".join(list_card_texts(card))
    hidden = [
        f"a page has no room for its line {line}"
        for part in (*card.texts, *card.below)
        if isinstance(part, Listing) and part.is_page
        for line in part.lines
        if line not in shown
    ]
    return [*find_message_errors(components), *hidden]


TEXTS = st.text(st.sampled_from("ab \n*😀"), max_size=3000)


@given(
    above=st.lists(TEXTS, max_size=3),
    lines=st.lists(st.text(st.sampled_from("ab*😀"), min_size=1, max_size=900), max_size=60),
    joined=st.booleans(),
    small=TEXTS,
)
@settings(deadline=None, max_examples=60)
def test_any_card_fits_and_says_how_much_is_left_out(
    above: list[str], lines: list[str], joined: bool, small: str
) -> None:
    listing = Listing(tuple(lines), lambda n: f"and {n} more", joined)
    card = Card(texts=(*above, listing), below=("below",), small=small)
    assert find_card_errors(card) == []
    text = "\n".join(list_card_texts(card))
    left = [int(line.split()[1]) for line in text.splitlines() if line.startswith("and ")]
    assert len(left) <= 1
    for line in lines[: len(lines) - sum(left)]:
        assert line in text


def test_a_card_that_fits_is_left_as_it_is() -> None:
    card = Card(texts=("heading", "", "story"), below=("below",), small="one\ntwo")
    assert fit_card(card) == card


@pytest.mark.asyncio
@pytest.mark.sweep
async def test_cards_of_matches_and_of_moderators_fit(tmp_path: Path, locales: Path) -> None:
    names = (NAME, FACES, NAME)
    async with open_club(
        tmp_path / "club.sqlite3", locales, server=LOCALE, people=LOCALE, names=names
    ) as club:
        say = club.bot.get_reader(LOCALE)
        for slug in ("zeno", "duodecim-scripta"):
            await start_match(club, slug)
        session = await load_session(club.bot.app, 2)
        note = REASON
        many = [replace(session, row=replace(session.row, id=NUMBER - at)) for at in range(60)]
        links = {each.id: LINK for each in many}
        notes = {each.id: note for each in many}
        happened = session.recent * 40
        ruling = Ruling(
            club.guild.id, 10**13, NUMBER, "substitute", 2, REASON, (NUMBER, NUMBER - 1)
        )
        page = Log([ruling] * PAGE, {2: session.row}, Paging(999, 9999 * PAGE, PAGE))
        log = log_card(say, page, {2: LINK})
        for card in (
            log,
            matches_card(say, many, club.ana.id, links, notes),
            choice_card(say, "which?", match_choice_menus(say, "substitute", "x" * 75, many)),
            turn_card(say, session, happened),
            past_turn_card(say, session, happened, session.match),
            text_board_card(say, session),
            add_note_to_card(say, board_card(say, session), note),
        ):
            assert find_card_errors(card) == []
            assert card.picture is None or count_utf16_units(card.picture.said) <= 1024
        # Nothing of a full page of the log is left out, whatever the reasons are made of.
        assert "\n".join(list_card_texts(log)).count(escape_text(REASON)) == PAGE


@pytest.mark.asyncio
async def test_a_story_that_is_cut_names_a_command_that_shows_the_rest(
    club: SimulatedClub,
) -> None:
    await start_match(club, "zeno")
    session = await load_session(club.bot.app, 1)
    lines = list_card_texts(turn_card(Reader.ENGLISH, session, session.recent * 400))
    assert "`/match replay match:1` shows what happened before." in "\n".join(lines)
    # The match is in progress, as it is wherever a turn is told.
    answer = await club.ana.slash(club.channel, "match replay", match=1)
    assert answer.response is not None
    assert [each.filename for each in answer.response.attachments] == ["match.gif"]


@pytest.mark.asyncio
@pytest.mark.sweep
async def test_a_log_of_reasons_full_of_markup_is_shown(club: SimulatedClub) -> None:
    for number in range(1, PAGE + 1):
        await start_match(club, "zeno")
        await club.ana.slash(club.channel, "server end", match=number, how="annul", reason=REASON)
    text = get_ephemeral_text(await club.ana.slash(club.channel, "server log"))
    assert text.count(escape_text(REASON)) == PAGE
    assert get_newest_message(club).content == ""


@pytest.mark.parametrize("slug", GAMES)
def test_pages_of_games_fit(slug: str, locales: Path) -> None:
    game = GAMES[slug]
    for say in (Reader.ENGLISH, load_reader(LOCALE, locales)):
        draft = Draft(game, NUMBER, Side.BLACK, True, parse_pace("720h+720h"), "w" * 32)
        chosen = {option.name: option.values[-1].name for option in game.options}
        for card in (
            rules_card(say, slug),
            origins_card(say, slug),
            draft_card(say, draft, chosen),
        ):
            assert find_card_errors(card) == []
            assert card.picture is None or count_utf16_units(card.picture.said) <= 1024


def build_long_history(league: Contest, ladder: Ladder) -> tuple[HistoryView, HistoryPage]:
    """A full page of the longest matches: two teams of three, each in that league or ladder."""
    seats = tuple(
        Seat(side.value, number, NUMBER - 3 * at - number, "")
        for at, side in enumerate(Side)
        for number in range(3)
    )
    rows = [
        build_row(
            "pyf",
            # A row of the database for each second of thirty years.
            id=10**9 + at,
            ended=10**13,
            winner="draw",
            how="aborted",
            parts={"side": "gold"},
            contest=league.id if at % 2 else None,
            ladder=None if at % 2 else ladder.id,
            seats=seats,
        )
        for at in range(HISTORY_PAGE)
    ]
    found = [PastMatch(row) for row in rows]
    view = HistoryView(reader=1, guild=1, person=NUMBER, game="ludus-lumbardorum")
    competitions = Competitions({league.id: league}, {ladder.id: ladder})
    return view, HistoryPage(found, competitions, Paging(998, 9999, HISTORY_PAGE))


def test_a_page_of_finished_matches_is_shown_whole(locales: Path) -> None:
    values: dict[str, Any] = dict.fromkeys((field.name for field in fields(Contest)), None)
    values |= {"id": 3, "season": 99, "name": (MARKUP * 9)[:MAX_COMPETITION_NAME_LENGTH]}
    league = Contest(**values)
    view, page = build_long_history(league, build_longest_ladder().ladder)
    links = {each.row.id: LINK for each in page.matches}
    for say in (Reader.ENGLISH, load_reader(LOCALE, locales)):
        card = history_card(say, view, page, links)
        assert find_card_errors(card) == []
        text = "\n".join(list_card_texts(card))
        assert text.count("<t:") == HISTORY_PAGE


def build_longest_ladder() -> LadderView:
    """A full ladder with the longest name, on which everyone plays and much was ruled."""
    values: dict[str, Any] = dict.fromkeys((field.name for field in fields(Ladder)), None)
    values |= {
        "id": 3,
        "name": (MARKUP * 9)[:MAX_COMPETITION_NAME_LENGTH],
        "game": "ludus-lumbardorum",
    }
    values |= {"options": {}, "pace": "720h+720h", "rated": True}
    people = [NUMBER - at for at in range(MAX_RUNGS)]
    players = [LadderPlayer(person, rung) for rung, person in enumerate(people, 1)]
    pairs = list(zip(people[1:], people, strict=False))
    running = [LadderChallenge(10**9 + at, *pair, made=0) for at, pair in enumerate(pairs)]
    over = [
        replace(each, settled=10**13, winner=each.challenger, how="declined") for each in running
    ]
    return LadderView(Ladder(**values), tuple(players), (*running, *over))


def test_the_cards_of_the_longest_ladder_fit(locales: Path) -> None:
    view = build_longest_ladder()
    removed = range(7, 106)
    names = {person: PersonNames((MARKUP * 9)[:32], "a" * 32) for person in (*view.rungs, *removed)}
    rules = ChallengeRules(view.rungs, view.challenges, 0, {})
    reason = (MARKUP * 99)[:MAX_REASON_LENGTH]
    rulings = [LadderEvent(1, LadderAction.REMOVE, each, NUMBER, reason) for each in removed]
    # All but the first and the last have left the server.
    gone = [replace(each, gone=1) for each in view.players[1:-1]]
    left = replace(view, players=(view.players[0], *gone, view.players[-1]))
    for say in (Reader.ENGLISH, load_reader(LOCALE, locales)):
        for card in (
            ladder_card(say, view, names),
            choices_card(say, view, rules, view.rungs[9], names),
            ladder_manage_card(say, view, rulings, names),
            ladder_card(say, left, names),
            choices_card(say, left, replace(rules, gone=left.gone), left.rungs[1], names),
        ):
            assert find_card_errors(card) == []


def test_pages_of_lists_fit(locales: Path) -> None:
    say = load_reader(LOCALE, locales)
    row = RatingRow(-99.0, 99.0, 99999, 33333, 33333, 33333, 0)
    pools = [
        build_pool_name(name, level) for name in (ALL_GAMES, *GAMES) for level in (None, *Level)
    ]
    profile = Profile(EVERYWHERE, pools[0], [(each, row) for each in pools], [1000] * 200)
    lines = [LeaderboardEntry(at, NUMBER - at, row) for at in range(1, 11)]
    ranks = Ranks(lines, LeaderboardEntry(None, 7, row), Paging(999, 99990, 10))
    lacks = [MissingPermissions(NUMBER - at, tuple(PERMISSIONS)) for at in range(300)]
    server = ServerSettings(
        channels=tuple(NUMBER - at for at in range(20)), role=NUMBER, news=NUMBER
    )
    called = {line.person: f"{NAME} ({'a' * 32})" for line in lines}
    for card in (
        profile_card(say, profile, DiscordPerson(NUMBER, NAME)),
        leaderboard_card(say, ranks, called, Ranking("server", pools[-1], Season(9999, 4), True)),
        *(
            section_card(say, MATCH_SETTINGS.build_rows(say, server, *names), lacks=lacks)
            for names in SECTION_SETTINGS.values()
        ),
        welcome_card(say, lacks),
        help_card(say, in_server=True),
    ):
        assert find_card_errors(card) == []
