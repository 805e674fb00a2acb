"""A page is opened again after a long evening: 300 messages stand in the channel."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from bot.playground import STEP, WINDOW
from tests.e2e.page import find_messages, wait_ready
from tests.e2e.test_playground import browser as browser

pytestmark = pytest.mark.e2e

MESSAGES = 300
MAX_READY_S = 15
"""Many times what it takes on a quiet machine; before, it took a minute."""


@pytest.fixture(scope="module")
def long_channel() -> Iterator[str]:
    """Start a playground whose channel has many turns, and return its address."""
    command = (sys.executable, "-m", "tests.e2e.long_channel", str(MESSAGES), "8791")
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd()), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield process.stdout.readline().strip()
        process.terminate()


def open_again(browser: Browser, address: str) -> tuple[Page, float, list[str]]:
    """Open the page in a new tab; return it, the seconds until it is ready, and its pictures."""
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    questions: list[str] = []
    page.on("request", lambda request: questions.append(request.url))
    start = time.monotonic()
    page.goto(address)
    expect(find_messages(page).first).to_be_attached()
    wait_ready(page)
    return page, time.monotonic() - start, [each for each in questions if "/api/assets/" in each]


def test_a_page_opened_again_begins_with_the_newest_messages(
    browser: Browser, long_channel: str
) -> None:
    open_again(browser, long_channel)[0].close()
    page, took, pictures = open_again(browser, long_channel)
    sys.stdout.write(f"ready after {took:.1f} s with {MESSAGES} messages in the channel\n")
    assert took < MAX_READY_S
    shown = find_messages(page)
    assert shown.count() == WINDOW
    expect(shown.last).to_contain_text(f"Match {MESSAGES}:")
    # A picture a message, and the people's.
    assert WINDOW <= len(pictures) <= WINDOW + 10
    wide: int = shown.last.get_by_role("img").last.evaluate(
        "image => image.decode().then(() => image.naturalWidth)"
    )
    assert wide == 1080


def test_older_messages_come_when_they_are_asked_for(browser: Browser, long_channel: str) -> None:
    page, _, _ = open_again(browser, long_channel)
    first = MESSAGES - WINDOW + 1
    expect(find_messages(page).first).to_contain_text(f"Match {first}:")
    page.locator("#history-older").click()
    expect(find_messages(page).first).not_to_contain_text(f"Match {first}:")
    wait_ready(page)
    numbers = [int(each) for each in re.findall(r"Match (\d+):", page.inner_text("main"))]
    assert min(numbers) in range(first - STEP - 1, first - STEP + 1)
    # Those that were shown first are still there, as far as there is room for them.
    assert first in numbers
    assert len(numbers) == WINDOW
