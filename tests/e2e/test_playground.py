"""Two people in two tabs play a game of Twelve Dogs and one of Zeno to the end, and both stand on the leaderboard."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.e2e.page import choose, click, last_message_text, messages, open_page, slash, wait_for_text

pytestmark = pytest.mark.e2e

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MOST_ACTIONS = 900


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start `tabula play` as a newcomer does, and read the address that it prints."""
    folder = tmp_path_factory.mktemp("playground")
    command = (sys.executable, "-m", "bot", "play", "--port", "8790", "--no-browser", "--fresh")
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd()), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        line = process.stdout.readline()
        yield line.split()[-1]
        process.terminate()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start Debian's Chromium without a screen."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


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


def begin(tabs: dict[str, Page], game: str) -> None:
    """Ana challenges Ben, who accepts."""
    slash(tabs["Ana"], "challenge", game=game, opponent="@ben")
    wait_for_text(tabs["Ben"], "The challenge lapses")
    click(tabs["Ben"], "Accept")


def act(tabs: dict[str, Page], *, typed: bool) -> bool:
    """Do the next thing that somebody is asked for; False when the match is over."""
    page = tabs["Ana"]
    said = current(page)
    if "The dice's secret was" in said:
        return False
    who = re.findall(r"@(\w+) (?:\(\w+\), (?:your throw|play|no die|use)|begins: )", said)[-1]
    page = tabs[who]
    page.wait_for_function("(said) => document.body.innerText.includes(said)", arg=said.splitlines()[-1][:60])
    if ", play " in said:
        play(page, typed=typed)
    elif "begins: " in said:
        click(page, "gm")
    else:
        click(page, "Roll")
    tabs["Ana"].wait_for_function("(before) => true", arg=said)
    return True


def current(page: Page) -> str:
    """The newest message that everyone sees, once it asks for something."""
    page.wait_for_timeout(700)
    return last_message_text(page)


def play(page: Page, *, typed: bool) -> None:
    """Choose the first entry of the first menu, or type what it says."""
    menu = messages(page).last.get_by_role("combobox").first
    name = menu.get_attribute("aria-label") or ""
    menu.scroll_into_view_if_needed()
    page.wait_for_timeout(300)
    menu.click()
    entry = page.get_by_role("listbox").get_by_role("option").first.inner_text().splitlines()[0]
    page.keyboard.press("Escape")
    if typed:
        slash(page, "move", play=entry)
    else:
        choose(page, name, entry)


def test_twelve_dogs_to_the_end(tabs: dict[str, Page], shots: Path) -> None:
    begin(tabs, "Twelve Dogs")
    for _ in range(MOST_ACTIONS):
        if not act(tabs, typed=False):
            break
    tabs["Ana"].screenshot(path=shots / "twelve-dogs.png")
    assert re.search(r"won: \d points to \d|Drawn: three points each", last_message_text(tabs["Ana"]))


def test_zeno_to_the_end_with_typed_moves_and_a_take_back(tabs: dict[str, Page], shots: Path) -> None:
    begin(tabs, "Zeno")
    taken_back = False
    for number in range(MOST_ACTIONS):
        if not act(tabs, typed=number % 4 == 1):
            break
        if number == 9:
            tabs["Ana"].screenshot(path=shots / "zeno.png")
        if not taken_back:
            taken_back = take_back(tabs)
    assert taken_back
    assert "every man in the last table" in last_message_text(tabs["Ana"])


def take_back(tabs: dict[str, Page]) -> bool:
    """Take the last play back where that is offered, by whoever made it."""
    page = tabs["Ana"]
    said = current(page)
    if "your throw" not in said or not messages(page).last.get_by_role("button", name="Take back").count():
        return False
    waiting = re.findall(r"@(\w+) \(\w+\), your throw", said)[-1]
    mover = next(name for name in tabs if name != waiting)
    tabs[mover].wait_for_timeout(700)
    click(tabs[mover], "Take back")
    return "took back" in current(page)


def test_both_stand_on_the_leaderboard(tabs: dict[str, Page], shots: Path) -> None:
    slash(tabs["Ana"], "leaderboard")
    wait_for_text(tabs["Ana"], "Leaderboard: all games")
    said = last_message_text(tabs["Ana"])
    assert "@Ana" in said
    assert "@Ben" in said
    tabs["Ana"].screenshot(path=shots / "leaderboard.png")
