"""One person solves the puzzle of the day in the page: the emperor's throw, move by move.

Then they tell the channel.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.page import (
    click_button,
    find_newest_card,
    open_page,
    pick_entry,
    send_command,
    take_screenshot,
)
from tests.e2e.test_playground import address as address
from tests.e2e.test_playground import browser as browser
from tests.e2e.test_playground import shots as shots

pytestmark = pytest.mark.e2e


def test_the_emperors_throw_by_its_menus(browser: Browser, address: str, shots: Path) -> None:
    page = open_page(browser, address, "Ana")
    expect(find_newest_card(page)).to_contain_text("Welcome to the tables")
    send_command(page, "puzzle")
    expect(find_newest_card(page)).to_contain_text("The emperor's throw")
    take_screenshot(page, shots / "puzzle.png")
    pick_entry(page, "k-q")
    expect(find_newest_card(page)).to_contain_text("So far: k\u2011q.")
    pick_entry(page, "t-z")
    expect(find_newest_card(page)).to_contain_text("So far: k\u2011q t\u2011z.")
    pick_entry(page, "u-x")
    expect(find_newest_card(page)).to_contain_text("the only legal play")
    take_screenshot(page, shots / "puzzle-solved.png")
    click_button(page, "Share in the channel")
    expect(find_newest_card(page)).to_contain_text(
        "solved today's puzzle (Zeno): a streak of 1 day."
    )
    take_screenshot(page, shots / "puzzle-told.png")
