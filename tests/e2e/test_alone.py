"""One person in one tab: a lesson, a whole game alone, its report, and the puzzle of the day."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.bot.test_lessons import WHOLE
from tests.e2e.page import (
    choose_peaceful_entry,
    click_button,
    find_newest_card,
    get_card_text,
    has_button,
    has_menu,
    open_page,
    press_first_button,
    press_move,
    send_command,
    take_screenshot,
    wait_for_change,
    wait_for_text,
    wait_for_throw,
)
from tests.e2e.test_playground import address as address
from tests.e2e.test_playground import browser as browser
from tests.e2e.test_playground import shots as shots

pytestmark = pytest.mark.e2e

JUDGED_MS = 120_000


def take_next_action(page: Page) -> None:
    """Do the next thing, and wait until the computer has answered."""
    text = wait_for_throw(page)
    if has_button(page, "Rematch, sides swapped"):
        return
    if has_button(page, "Roll"):
        click_button(page, "Roll")
    elif has_menu(page):
        choose_peaceful_entry(page)
    else:
        press_first_button(page)
    wait_for_change(page, text)


def test_a_newcomer_learns_plays_and_reads_what_they_did_wrong(
    browser: Browser, address: str, shots: Path
) -> None:
    page = open_page(browser, address, "Ana")
    expect(find_newest_card(page)).to_contain_text("Welcome to the tables")
    click_button(page, "Learn in three minutes")
    wait_for_text(page, "Step 1 of 5")
    take_screenshot(page, shots / "lesson.png")
    for label in WHOLE["zeno"]:
        text = get_card_text(page)
        press_move(page, label)
        wait_for_change(page, text)
    wait_for_text(page, "Finished")
    take_screenshot(page, shots / "lesson-end.png")
    # One press is enough: then it is for the person to throw or to play.
    click_button(page, "Play Zeno against the computer")
    wait_for_text(page, "Goal:")
    assert has_button(page, "More…")
    assert not has_button(page, "Roll")
    take_screenshot(page, shots / "alone.png")
    send_command(page, "match resign")
    click_button(page, "Leave the match")
    wait_for_text(page, "left within the first two turns")
    text = get_card_text(page)
    send_command(page, "play", game="Laquet")
    wait_for_change(page, text)
    while not has_button(page, "Rematch, sides swapped"):
        take_next_action(page)
    take_screenshot(page, shots / "alone-end.png")
    click_button(page, "What went wrong?")
    wait_for_text(page, "Report on match 2", JUDGED_MS)
    take_screenshot(page, shots / "alone-report.png")
    send_command(page, "puzzle")
    wait_for_text(page, "The emperor's throw")
