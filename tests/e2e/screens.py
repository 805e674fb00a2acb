"""Pictures of texts in their places, for translators: `make screens`, or with ARGS="de fr".

In the playground's page each language gets ten cards, from a lesson to a person's settings, as
wide as a phone; `index.html` shows the languages side by side.
"""

import argparse
import html
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, ViewportSize, expect

from bot.platform.i18n.reader import Reader, list_languages, load_reader
from tests.e2e.page import (
    TRIES,
    PageActionError,
    click_button,
    find_messages,
    launch_browser,
    open_page,
    pick_entry,
    send_command,
    serve_playground,
    switch_viewer,
)

PEOPLE = ("Ana", "Ben", "Cyn", "Dan")
"""As many as a league needs to start."""
DESK: ViewportSize = {"width": 1280, "height": 1000}
PHONE: ViewportSize = {"width": 390, "height": 3000}
PORT = 8797
SETTLING_MS = 800
COMMANDS = {
    "refusal": ("roll", {}),
    "rules": ("rules", {"game": "Zeno"}),
    "lesson": ("learn", {"lesson": "Zeno"}),
    "puzzle": ("puzzle", {}),
    "help": ("help", {}),
    "data": ("data", {}),
    "settings": ("me settings", {}),
}
"""The screens that one command shows to a person who has played nothing yet."""
SCREENS = (*COMMANDS, "form", "table", "turn")


def main(folder: Path, languages: Sequence[str]) -> None:
    """Write the pictures of languages into a folder, and the page that shows them."""
    with launch_browser() as browser:
        for language in languages:
            (folder / language).mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory() as own, serve_playground(Path(own), PORT, PEOPLE) as address:
                _take_screens(browser, address, load_reader(language), folder / language)
    (folder / "index.html").write_text(_build_index(folder), "utf-8")


def _take_screens(browser: Browser, address: str, say: Reader, folder: Path) -> None:
    page = open_page(browser, address, PEOPLE[0])
    if say is not Reader.ENGLISH:
        _choose_language(page, say)
    for name, (command, options) in COMMANDS.items():
        send_command(page, command, **options)
        _take_picture(page, folder / f"{name}.png")
    send_command(page, "league create", name="Tabula", game="Zeno")
    _take_picture(page, folder / "form.png")
    click_button(page, say("Create"))
    join = page.locator("#channel-message-list").get_by_role("button", name=say("Join"), exact=True)
    expect(join.last).to_be_visible()
    for person in PEOPLE:
        switch_viewer(page, person)
        click_button(page, say("Join"))
    switch_viewer(page, PEOPLE[0])
    send_command(page, "league manage")
    click_button(page, say("Start now"))
    send_command(page, "league standings")
    _take_picture(page, folder / "table.png")
    send_command(page, "play", game="Zeno")
    _take_picture(page, folder / "turn.png")
    page.close()


def _choose_language(page: Page, say: Reader) -> None:
    """Let the reader and the server read a language, in their settings."""
    name = say.in_context("language", "English")
    send_command(page, "me settings")
    pick_entry(page, "Language and privacy", -1)
    pick_entry(page, name)
    send_command(page, "server settings")
    pick_entry(page, say("Language and data"), -1)
    pick_entry(page, name)


def _take_picture(page: Page, file: Path) -> None:
    """Take a picture of the newest message, as a phone shows it."""
    newest = find_messages(page).last
    for _ in range(TRIES):
        page.set_viewport_size(PHONE)
        page.mouse.move(0, 0)
        page.wait_for_timeout(SETTLING_MS)
        if newest.evaluate("part => part.getBoundingClientRect().width <= innerWidth"):
            break
        # Now and then the page keeps its width, when it changes while something new is shown.
        page.set_viewport_size(DESK)
        page.wait_for_timeout(SETTLING_MS)
    else:
        raise PageActionError("the page did not become narrow")
    newest.evaluate("part => part.scrollIntoView({block: 'center'})")
    page.wait_for_timeout(SETTLING_MS)
    newest.screenshot(path=file)
    page.set_viewport_size(DESK)


def _build_index(folder: Path) -> str:
    """Return the page: a row for each screen, with the languages that have one side by side."""
    languages = sorted(each.name for each in folder.iterdir() if each.is_dir())
    rows = (
        f"<h2>{name}</h2><div>"
        + "".join(
            f'<figure><figcaption>{language}</figcaption><img src="{language}/{name}.png" alt="">'
            "</figure>"
            for language in map(html.escape, languages)
        )
        + "</div>"
        for name in SCREENS
    )
    style = "body{font-family:sans-serif}div{display:flex;align-items:start}img{width:390px}"
    return f'<!doctype html><meta charset="utf-8"><title>Tabula</title><style>{style}</style>' + (
        "".join(rows)
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.screens")
    parser.add_argument("language", nargs="*", help="a language, such as de (default: all)")
    chosen, known = parser.parse_args().language, [*list_languages()]
    if unknown := set(chosen) - set(known):
        parser.error(f"no language: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    main(Path(".screens"), chosen or known)
