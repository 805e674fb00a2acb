"""One person solves the puzzle of the day in the page: the emperor's throw, move by move.

Then they tell the channel.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.page import PATIENCE_MS, click, newest_card, open_page, pick, shoot, slash
from tests.e2e.test_playground import address as address
from tests.e2e.test_playground import browser as browser
from tests.e2e.test_playground import shots as shots

pytestmark = pytest.mark.e2e


def test_the_emperors_throw_by_its_menus(browser: Browser, address: str, shots: Path) -> None:
    page = open_page(browser, address, "Ana")
    expect(newest_card(page)).to_contain_text("Welcome to the tables", timeout=PATIENCE_MS)
    slash(page, "puzzle")
    expect(newest_card(page)).to_contain_text("The emperor's throw", timeout=PATIENCE_MS)
    shoot(page, shots / "puzzle.png")
    pick(page, "k-q")
    expect(newest_card(page)).to_contain_text("So far: k-q.", timeout=PATIENCE_MS)
    pick(page, "t-z")
    expect(newest_card(page)).to_contain_text("So far: k-q t-z.", timeout=PATIENCE_MS)
    pick(page, "u-x")
    expect(newest_card(page)).to_contain_text("the only legal play", timeout=PATIENCE_MS)
    shoot(page, shots / "puzzle-solved.png")
    click(page, "Share in the channel")
    expect(newest_card(page)).to_contain_text(
        "solved today's puzzle (Zeno): a streak of 1 day.", timeout=PATIENCE_MS
    )
    shoot(page, shots / "puzzle-told.png")
