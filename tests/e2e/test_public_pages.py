"""Public pages as a browser shows them: at two widths, light and dark, without any script."""

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.bot.test_leagues import load_view
from tests.bot.test_tournaments import play_out, start_tournament
from tests.e2e.test_playground import browser as browser
from tests.e2e.test_playground import shots as shots
from tests.support.club import open_club
from tests.support.public_pages import finish_match, open_pages

pytestmark = pytest.mark.e2e

SIZES = (420, 1280)
BACKGROUND = "getComputedStyle(document.body).backgroundColor"
BROKEN = "[...document.images].filter(each => each.complete && !each.naturalWidth).length"


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the first page of a club that has played a tournament and a match."""
    folder = tmp_path_factory.mktemp("club")

    async def write() -> None:
        async with open_club(folder / "club.sqlite3") as club:
            writer = await open_pages(club, folder / "pages")
            await start_tournament(club, 4)
            people = [each.person for each in (await load_view(club)).entrants]
            await play_out(club, people)
            await finish_match(club)
            await writer.write_pages()

    with ThreadPoolExecutor(1) as pool:
        # The browser's own loop runs in this thread.
        pool.submit(asyncio.run, write()).result()
    return (folder / "pages" / "index.html").as_uri()


def walk_pages(page: Page, start: str) -> Iterator[str]:
    """Go through the pages as a reader does, by their links; yields the name of each."""
    page.goto(start)
    expect(page.get_by_role("heading", name="Games of tables")).to_be_visible()
    yield "first"
    page.get_by_role("link", name="Club").click()
    expect(page.get_by_role("heading", name="Latest matches")).to_be_visible()
    yield "server"
    page.get_by_role("link", name="All games").click()
    expect(page.get_by_role("cell", name="Ana")).to_have_count(0)
    expect(page.get_by_role("rowheader", name="Ana").first).to_be_visible()
    yield "board"
    page.get_by_role("link", name="Club").click()
    page.get_by_role("link", name="Spring cup").click()
    expect(page.get_by_role("img", name=re.compile("^Spring cup.*Final"))).to_be_visible()
    yield "contest"
    page.get_by_role("link", name="Club").click()
    page.get_by_role("link", name=re.compile("^Doblet, match 4")).click()
    page.get_by_role("link", name="Next").first.click()
    expect(page).to_have_url(re.compile("#turn-2$"))
    yield "match"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", SIZES)
def test_the_pages_are_read_without_scripts(
    browser: Browser, start: str, shots: Path, width: int, scheme: Literal["light", "dark"]
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme=scheme,
        java_script_enabled=False,
    )
    page, texts = context.new_page(), list[str]()
    page.on("console", lambda message: texts.append(message.text))
    for name in walk_pages(page, start):
        page.screenshot(path=shots / f"pages-{name}-{width}-{scheme}.png")
        assert page.evaluate("document.documentElement.scrollWidth") == width, name
        assert page.evaluate(BROKEN) == 0, name
        light, dark = "rgb(251, 249, 244)", "rgb(27, 26, 24)"
        assert page.evaluate(BACKGROUND) == (dark if scheme == "dark" else light), name
    assert texts == []
    context.close()
