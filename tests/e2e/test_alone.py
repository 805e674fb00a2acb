"""One person in one tab: one press starts, and a whole game is played alone, and evaluated."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.page import (
    PATIENCE_MS,
    card_text,
    choose,
    click,
    has_button,
    has_menu,
    newest_card,
    open_page,
    shoot,
    slash,
    wait_for_change,
    wait_for_text,
)
from tests.e2e.test_playground import address as address
from tests.e2e.test_playground import browser as browser
from tests.e2e.test_playground import shots as shots

pytestmark = pytest.mark.e2e

JUDGED_MS = 120_000


def act(page: Page) -> None:
    """Do the next thing, and wait until the computer has answered."""
    said = card_text(page)
    if has_button(page, "Roll"):
        click(page, "Roll")
    elif has_menu(page):
        choose(page)
    else:
        click(page, "gold")
    wait_for_change(page, said)


def test_alone_from_the_first_press_to_the_report(
    browser: Browser, address: str, shots: Path
) -> None:
    page = open_page(browser, address, "Ana")
    expect(newest_card(page)).to_contain_text("Welcome to the tables", timeout=PATIENCE_MS)
    said = card_text(page)
    click(page, "Play me now")
    wait_for_change(page, said)
    # One press was enough: now it is for the person to throw or to play.
    assert has_button(page, "Roll") or has_menu(page)
    shoot(page, shots / "alone.png")
    said = card_text(page)
    slash(page, "resign")
    wait_for_change(page, said)
    said = card_text(page)
    slash(page, "play", game="Laquet")
    wait_for_change(page, said)
    while not has_button(page, "Rematch"):
        act(page)
    shoot(page, shots / "alone-end.png")
    click(page, "Report")
    wait_for_text(page, "How match 2 was played", JUDGED_MS)
    shoot(page, shots / "alone-report.png")
