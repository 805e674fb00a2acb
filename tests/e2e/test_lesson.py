"""A newcomer's first minutes: from the greeting through a lesson to a match with the computer."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.bot.test_lessons import WHOLE
from tests.e2e.page import (
    PATIENCE_MS,
    click_button,
    find_newest_card,
    get_card_text,
    open_page,
    press_move,
    take_screenshot,
    wait_for_change,
)
from tests.e2e.test_playground import address as address
from tests.e2e.test_playground import browser as browser
from tests.e2e.test_playground import shots as shots

pytestmark = pytest.mark.e2e


def test_from_the_greeting_through_a_lesson_to_a_first_match(
    browser: Browser, address: str, shots: Path
) -> None:
    page = open_page(browser, address, "Ana")
    expect(find_newest_card(page)).to_contain_text("Welcome to the tables", timeout=PATIENCE_MS)
    click_button(page, "Learn in three minutes")
    expect(find_newest_card(page)).to_contain_text("Step 1 of 5", timeout=PATIENCE_MS)
    take_screenshot(page, shots / "lesson.png")
    for label in WHOLE["zeno"]:
        said = get_card_text(page)
        press_move(page, label)
        wait_for_change(page, said)
    expect(find_newest_card(page)).to_contain_text("Finished", timeout=PATIENCE_MS)
    take_screenshot(page, shots / "lesson-end.png")
    click_button(page, "Play Zeno against the computer")
    expect(find_newest_card(page)).to_contain_text("Goal:", timeout=PATIENCE_MS)
