"""A league is joined by six and played a while in the browser, and a knock-out to its end."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.page import (
    PATIENCE_MS,
    click_button,
    expect_no_rendering_warnings,
    find_mentioned_player,
    find_messages,
    find_newest_card,
    open_page,
    pick_entry,
    press_first_button,
    send_command,
    serve_playground,
    switch_viewer,
    take_screenshot,
    wait_for_change,
    wait_for_text,
    wait_for_throw,
)
from tests.e2e.test_playground import browser as browser
from tests.e2e.test_playground import shots as shots

pytestmark = pytest.mark.e2e
PEOPLE = ("Ana", "Ben", "Cyn", "Dan", "Eve", "Fay")
ACTS = 9
"""Three turns of each roll and what is played of it."""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Start the playground with six people."""
    with serve_playground(tmp_path, 8794, PEOPLE) as url:
        yield url


def test_a_league_is_joined_and_played(browser: Browser, address: str, shots: Path) -> None:
    page = open_page(browser, address, "Ana")
    send_command(page, "league create", name="Autumn league", game="Zeno")
    pick_entry(page, "8 weeks")
    menus = find_newest_card(page).get_by_role("combobox")
    expect(menus.first).to_have_text("8 weeks", timeout=PATIENCE_MS)
    # Each page shows what its own menus have as chosen, though they stand in the others' places.
    click_button(page, "More…")
    expect(menus.nth(2)).to_have_text("As many as there is room for", timeout=PATIENCE_MS)
    expect(menus.first).to_have_text("A clear lead wins, else a draw")
    take_screenshot(page, shots / "league-form.png")
    click_button(page, "Back")
    expect(menus.first).to_have_text("8 weeks", timeout=PATIENCE_MS)
    click_button(page, "Create")
    wait_for_text(page, "Nobody has joined yet")
    for person in PEOPLE:
        switch_viewer(page, person)
        click_button(page, "Join")
    wait_for_text(page, "6 players of 64")
    take_screenshot(page, shots / "league-sign-up.png")
    switch_viewer(page, "Ana")
    send_command(page, "league manage")
    click_button(page, "Start now")
    wait_for_text(page, "Finished matches: 0 of 15.")
    # The table, and the boards of all fifteen matches.
    pictures = find_messages(page).filter(has=page.locator(".component-gallery"))
    expect(pictures).to_have_count(16, timeout=2 * PATIENCE_MS)
    for _ in range(ACTS):
        text = wait_for_throw(page)
        switch_viewer(page, find_mentioned_player(page))
        press_first_button(page)
        wait_for_change(page, text)
    switch_viewer(page, "Ana")
    send_command(page, "league standings", share="True")
    expect(find_newest_card(page)).to_contain_text("Finished matches: 0 of 15.")
    page.set_viewport_size({"width": 420, "height": 1000})
    take_screenshot(page, shots / "league-table.png")
    click_button(page, "My matches")
    # Whose turn it is depends on the dice.
    wait_for_text(page, "time runs out")
    take_screenshot(page, shots / "league-matches.png")
    # Nor does any of its matches miss a thread, which the page could not show.
    expect(page.get_by_text("so it's played here")).to_have_count(0)
    expect_no_rendering_warnings(page)


def test_a_knock_out_is_played_to_its_end(browser: Browser, address: str, shots: Path) -> None:
    page = open_page(browser, address, "Ana")
    send_command(page, "tournament create", name="Spring cup", game="Fallas")
    click_button(page, "Create")
    wait_for_text(page, "Nobody has joined yet")
    for person in PEOPLE[:4]:
        switch_viewer(page, person)
        click_button(page, "Join")
    wait_for_text(page, "4 players of 64")
    switch_viewer(page, "Ana")
    send_command(page, "tournament manage")
    click_button(page, "Start now")
    wait_for_text(page, "Finished matches: 0 of 2.")
    # By their seeds, which are in the order of sign-up: Ana meets Dan, Ben meets Cyn.
    for match, loser, text in (
        (1, "Dan", "Finished matches: 1 of 2."),
        (2, "Cyn", "Finished matches: 2 of 3."),
        (3, "Ben", "Finished matches: 3 of 3."),
    ):
        switch_viewer(page, loser)
        send_command(page, "match resign", match=str(match))
        click_button(page, "Resign")
        wait_for_text(page, text)
    switch_viewer(page, "Ana")
    send_command(page, "tournament standings", share="True")
    expect(find_newest_card(page)).to_contain_text("Ana won.")
    page.set_viewport_size({"width": 420, "height": 1000})
    take_screenshot(page, shots / "knock-out.png")
    click_button(page, "All rounds")
    wait_for_text(page, "beat")
    take_screenshot(page, shots / "knock-out-rounds.png")
