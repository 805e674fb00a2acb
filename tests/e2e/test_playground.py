"""Two people in two tabs play Twelve Dogs to the end and some of Zeno.

Then they appear on the leaderboard, and look back.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.page import (
    PATIENCE_MS,
    choose_peaceful_entry,
    click_button,
    expect_no_rendering_warnings,
    find_mentioned_player,
    find_newest_card,
    find_peaceful_entry,
    get_card_text,
    has_button,
    has_menu,
    launch_browser,
    list_card_parts,
    open_page,
    pick_entry,
    press_first_button,
    send_command,
    serve_playground,
    take_screenshot,
    wait_for_change,
    wait_for_text,
    wait_for_throw,
    wait_ready,
)

pytestmark = pytest.mark.e2e

TEXT, PICTURE, CONTROLS, LINE = (
    "text-display",
    "component-gallery",
    "component-row",
    "component-separator",
)
"""The parts of a card as the page calls them."""

ZENO_ACTS = 14
"""Acts of a match that isn't played to its end: each waits for the throw that follows it."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start the playground, and read its address."""
    with serve_playground(tmp_path_factory.mktemp("playground"), 8790) as url:
        yield url


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start the system's Chromium without a screen."""
    with launch_browser() as started:
        yield started


@pytest.fixture(scope="module")
def tabs(browser: Browser, address: str) -> dict[str, Page]:
    """A tab for each of two people."""
    return {name: open_page(browser, address, name) for name in ("Ana", "Ben")}


@pytest.fixture(scope="module")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots go: a folder named by TABULA_SHOTS, or one that is forgotten."""
    folder = Path(os.environ.get("TABULA_SHOTS", str(tmp_path_factory.mktemp("shots"))))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def start_match(tabs: dict[str, Page], game: str) -> None:
    """Ana challenges Ben, who accepts."""
    send_command(tabs["Ana"], "challenge", game=game, opponent="@ben")
    expect(find_newest_card(tabs["Ben"])).to_contain_text("challenges @Ben")
    assert list_card_parts(tabs["Ben"]) == [TEXT, TEXT, TEXT, PICTURE, CONTROLS, LINE, TEXT]
    text = get_card_text(tabs["Ben"])
    click_button(tabs["Ben"], "Accept")
    wait_for_change(tabs["Ben"], text)


def take_next_action(tabs: dict[str, Page], latest: str, *, typed: bool) -> str | None:
    """Do the next requested act; return whose tab did it, or None when the match is over.

    `latest` is whose tab did something last: it is the one that shows at once what came of it.
    """
    text = wait_for_throw(tabs[latest])
    if has_button(tabs[latest], "Rematch, sides swapped"):
        return None
    who = find_mentioned_player(tabs[latest])
    page = tabs[who]
    expect(find_newest_card(page)).to_have_text(text, use_inner_text=True)
    if has_button(page, "Roll"):
        click_button(page, "Roll")
    elif has_menu(page):
        choose_or_type_play(page, typed=typed)
    else:
        press_first_button(page)
    wait_for_change(page, text)
    return who


def choose_or_type_play(page: Page, *, typed: bool) -> None:
    """Choose from the first menu, or type what one of its entries says."""
    if typed:
        send_command(page, "move", play=find_peaceful_entry(page))
    else:
        choose_peaceful_entry(page)


def test_four_people_can_be_switched_between(tabs: dict[str, Page]) -> None:
    people = tabs["Ana"].locator("#viewer-picker option").all_inner_texts()
    assert [each.split()[0] for each in people] == ["Ana", "Ben", "Cyn", "Dan"]


def test_twelve_dogs_to_the_end(tabs: dict[str, Page], shots: Path) -> None:
    start_match(tabs, "Twelve Dogs")
    at = "Ben"
    latest: str | None = at
    while latest:
        at, latest = latest, take_next_action(tabs, latest, typed=False)
    take_screenshot(tabs[at], shots / "twelve-dogs.png")
    assert re.search(r"won: \d points to \d|Drawn: three points each", get_card_text(tabs[at]))


def test_zeno_with_typed_moves_a_take_back_and_a_resignation(
    tabs: dict[str, Page], shots: Path
) -> None:
    start_match(tabs, "Zeno")
    latest = "Ben"
    taken_back = False
    for done in range(1, ZENO_ACTS + 1):
        acted = take_next_action(tabs, latest, typed=done % 10 == 2)
        assert acted
        latest = acted
        if done == 9:
            take_screenshot(tabs[latest], shots / "zeno.png")
        taken_back = taken_back or take_back(tabs, latest)
    assert taken_back
    send_command(tabs[latest], "match resign")
    click_button(tabs[latest], "Resign")
    wait_for_text(tabs[latest], " resigned.")


def take_back(tabs: dict[str, Page], mover: str) -> bool:
    """Take the play just made back, where the turn is over and the other side has not thrown."""
    page = tabs[mover]
    if not has_button(page, "Take back"):
        return False
    text = get_card_text(page)
    click_button(page, "Take back")
    wait_for_change(page, text)
    return "took back" in get_card_text(page)


def test_both_stand_on_the_leaderboard(tabs: dict[str, Page], shots: Path) -> None:
    send_command(tabs["Ana"], "leaderboard")
    wait_for_text(tabs["Ana"], "Leaderboard: all games")
    text = get_card_text(tabs["Ana"])
    assert "– Ana" in text
    assert "– Ben" in text
    take_screenshot(tabs["Ana"], shots / "leaderboard.png")


def test_a_match_is_seen_again_as_a_moving_picture(tabs: dict[str, Page], shots: Path) -> None:
    send_command(tabs["Ana"], "match replay", match="1")
    # A worker of low priority draws it, which a busy machine keeps waiting.
    expect(find_newest_card(tabs["Ana"])).to_contain_text("Match 1", timeout=3 * PATIENCE_MS)
    film = find_newest_card(tabs["Ana"]).get_by_role("img").last
    expect(film).to_be_visible()
    # Looked at again and again: the page may draw its card anew meanwhile.
    expect(film).to_have_js_property("naturalWidth", 540)
    expect(film).to_have_js_property("naturalHeight", 348)
    take_screenshot(tabs["Ana"], shots / "replay.png")


def test_each_chooses_how_boards_look(tabs: dict[str, Page], shots: Path) -> None:
    send_command(tabs["Ben"], "me settings")
    pick_entry(tabs["Ben"], "After the miniatures of the Libro de los Juegos")
    wait_for_text(tabs["Ben"], "Saved. Your boards: Alfonso.")
    take_screenshot(tabs["Ben"], shots / "settings.png")


def test_the_page_warns_of_no_picture(tabs: dict[str, Page]) -> None:
    for page in tabs.values():
        expect_no_rendering_warnings(page)


def test_controls_keep_their_room_while_the_page_draws_anew(tabs: dict[str, Page]) -> None:
    start_match(tabs, "Zeno")
    text = wait_for_throw(tabs["Ben"])
    page = tabs[find_mentioned_player(tabs["Ben"])]
    card = find_newest_card(page)
    expect(card).to_have_text(text, use_inner_text=True)
    wait_ready(page)
    assert card.locator(".custom-emoji").count()
    before = card.bounding_box()
    card.evaluate(
        "card => card.querySelectorAll('img').forEach(each => each.removeAttribute('src'))"
    )
    assert card.bounding_box() == before
