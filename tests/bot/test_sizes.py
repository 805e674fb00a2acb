"""Discord takes every message, however long its names, reasons, notes and translations are."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.app.moderation import LONGEST_REASON, PAGE
from bot.app.moderation import Page as Log
from bot.app.play import load
from bot.app.profile import Profile
from bot.app.ratings import ALL_GAMES, EVERYWHERE, pool
from bot.app.servers import Lack
from bot.app.standings import Page as Ranks
from bot.app.standings import Standing
from bot.delivery.layout import laid_out
from bot.store import RatingRow, Ruling, Server
from bot.translations import template
from bot.views.card import Card, Listing
from bot.views.controls import which_menus
from bot.views.draft import Draft, draft_card
from bot.views.fitting import fit
from bot.views.moderation import log_card
from bot.views.pages import choice_card, games_card, help_card, profile_card, standings_card
from bot.views.rules import origins_card, rules_card
from bot.views.server import choices_card, welcome_card
from bot.views.turn import board_card, closed_card, noted, text_card, turn_card
from bot.words.common import plain
from bot.words.permissions import PERMISSIONS
from bot.words.reader import Reader, reader_for
from engine.clock import read_pace
from engine.games import GAMES
from engine.players.level import Level
from engine.position import Side
from tests.bot.conftest import Club, furnished
from tests.bot.driver import begin, newest, said, texts
from tests.words.pseudo import doubled, pseudo_folder

LOCALE = "fr"
"""The language in whose place a wordy one is read."""
MARKUP = "*_~|`>[<@#"
REASON = (MARKUP * LONGEST_REASON)[:LONGEST_REASON]
NAME = (MARKUP * 4)[:32]
FACES = "\U0001f600" * 32
NUMBER = 2**63 - 1
LINK = f"https://discord.com/channels/{NUMBER}/{NUMBER}/{NUMBER}"


@pytest.fixture(scope="module")
def locales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a language whose words are twice as long."""
    return pseudo_folder(tmp_path_factory.mktemp("locales"), template(), LOCALE, doubled)


def units(text: str) -> int:
    """How long a text is at most, as Discord may count it."""
    return len(text.encode("utf-16-le")) // 2


def parts(component: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every component of one, itself included."""
    yield component
    for inner in component.get("components", ()):
        yield from parts(inner)


MOST = {"label": 80, "placeholder": 150, "custom_id": 100}
MOST_OF_ENTRY = {"label": 100, "description": 100, "value": 100}
MOST_OF_PICTURE = {"description": 1024}
TEXT_DISPLAY = 10


def wrong(components: list[dict[str, Any]]) -> Iterator[str]:
    """Say what Discord would refuse of a message."""
    found = [part for component in components for part in parts(component)]
    text = sum(units(part.get("content") or "") for part in found)
    if text > 4000:
        yield f"{text} characters"
    if len(found) > 40:
        yield f"{len(found)} components"
    yield from (
        "no words" for part in found if part["type"] == TEXT_DISPLAY and not part["content"]
    )
    yield from too_long(found, MOST)
    yield from too_long(
        (entry for part in found for entry in part.get("options", ())), MOST_OF_ENTRY
    )
    yield from too_long((item for part in found for item in part.get("items", ())), MOST_OF_PICTURE)
    ids = [part["custom_id"] for part in found if part.get("custom_id")]
    if len(ids) > len(set(ids)):
        yield "an id twice"


def too_long(things: Iterable[dict[str, Any]], most: dict[str, int]) -> Iterator[str]:
    """Name the texts of some things that are too long."""
    for thing in things:
        for key, longest in most.items():
            if units(thing.get(key) or "") > longest:
                yield f"{key}: {thing[key]!r}"


def refused(card: Card) -> list[str]:
    """Say what Discord would refuse of a card."""
    view = laid_out(card)
    components: list[dict[str, Any]] = view.to_components()  # type: ignore[no-untyped-call]
    return list(wrong(components))


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
    assert refused(card) == []
    shown = "\n".join(texts(card))
    left = [int(line.split()[1]) for line in shown.splitlines() if line.startswith("and ")]
    assert len(left) <= 1
    for line in lines[: len(lines) - sum(left)]:
        assert line in shown


def test_a_card_that_fits_is_left_as_it_is() -> None:
    card = Card(texts=("heading", "", "story"), below=("below",), small="one\ntwo")
    assert fit(card) == card


@pytest.mark.asyncio
async def test_cards_of_matches_and_of_moderators_fit(tmp_path: Path, locales: Path) -> None:
    names = (NAME, FACES, NAME)
    async with furnished(
        tmp_path / "club.sqlite3", locales, server=LOCALE, people=LOCALE, names=names
    ) as club:
        say = club.bot.reader(LOCALE)
        for slug in ("zeno", "duodecim-scripta"):
            await begin(club, slug)
        sitting = await load(club.bot.app, 2)
        memo = REASON
        many = [replace(sitting, row=replace(sitting.row, id=NUMBER - at)) for at in range(60)]
        links = {each.id: LINK for each in many}
        memos = {each.id: memo for each in many}
        happened = sitting.recent * 40
        ruling = Ruling(
            club.guild.id, 10**13, NUMBER, "substitute", 2, REASON, (NUMBER, NUMBER - 1)
        )
        page = Log([ruling] * PAGE, {2: sitting.row}, 999, 9999)
        log = log_card(say, page, {2: LINK})
        for card in (
            log,
            games_card(say, many, club.ana.id, links, memos),
            choice_card(say, "which?", which_menus(say, "substitute", "x" * 75, many)),
            turn_card(say, sitting, happened),
            closed_card(say, sitting, happened, sitting.match),
            text_card(say, sitting),
            noted(say, board_card(say, sitting), memo),
        ):
            assert refused(card) == []
            assert card.picture is None or units(card.picture.said) <= 1024
        # Nothing of a full page of the log is left out, whatever the reasons are made of.
        assert "\n".join(texts(log)).count(plain(REASON)) == PAGE


@pytest.mark.asyncio
async def test_a_log_of_reasons_full_of_markup_is_shown(club: Club) -> None:
    for number in range(1, PAGE + 1):
        await begin(club, "zeno")
        await club.ana.slash(club.channel, "server end", match=number, how="annul", reason=REASON)
    shown = said(await club.ana.slash(club.channel, "server log"))
    assert shown.count(plain(REASON)) == PAGE
    assert newest(club).content == ""


@pytest.mark.parametrize("slug", GAMES)
def test_pages_of_games_fit(slug: str, locales: Path) -> None:
    game = GAMES[slug]
    for say in (Reader.ENGLISH, reader_for(LOCALE, locales)):
        draft = Draft(game, NUMBER, Side.BLACK, True, read_pace("720h+720h"), "w" * 32)
        chosen = {option.name: option.values[-1].name for option in game.options}
        for card in (
            rules_card(say, slug),
            origins_card(say, slug),
            draft_card(say, draft, chosen),
        ):
            assert refused(card) == []
            assert card.picture is None or units(card.picture.said) <= 1024


def test_pages_of_lists_fit(locales: Path) -> None:
    say = reader_for(LOCALE, locales)
    row = RatingRow(-99.0, 99.0, 99999, 33333, 33333, 33333, 0)
    pools = [pool(name, level) for name in (ALL_GAMES, *GAMES) for level in (None, *Level)]
    profile = Profile(EVERYWHERE, pools[0], [(each, row) for each in pools], [1000] * 200)
    lines = [Standing(at, NUMBER - at, row) for at in range(1, 11)]
    ranks = Ranks(lines, Standing(None, 7, row), 999, 9999)
    lacks = [Lack(NUMBER - at, tuple(PERMISSIONS)) for at in range(300)]
    server = Server(channels=tuple(NUMBER - at for at in range(20)), role=NUMBER, news=NUMBER)
    called = {line.person: f"{NAME} ({'a' * 32})" for line in lines}
    for card in (
        profile_card(say, profile, NAME),
        standings_card(say, ranks, called, "server", pools[-1]),
        choices_card(say, server, lacks),
        welcome_card(say, lacks),
        help_card(say, in_server=True),
    ):
        assert refused(card) == []
