"""Drives the playground's page the way a person does. Every step waits until the page is idle.

Use: ``page = open_page(browser, url, "ana")``, then slash, click, choose; each returns when the bot
has answered.
"""

import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Browser, Error, Locator, Page, expect, sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

READY = "() => window.simcordPreview?.ready && !window.simcordPreview.pendingAction"
SETTLED = """(request) => { const now = window.simcordPreview;
    return now.ready && !now.pendingAction && now.lastAction && now.lastAction.requestId !== request
        && now.publishedRevision >= (now.lastAction?.revision ?? 0) }"""
NON_BREAKING_HYPHEN = "\u2011"
"""What people read in plays, where a plain hyphen is typed."""
TRIES = 10
SCROLLED_MS = 250
OPENED_MS = 1500
SETTLED_MS = 15_000
PATIENCE_MS = 30_000

expect.set_options(timeout=PATIENCE_MS)  # its own five seconds are too few for a busy machine


class PageActionError(AssertionError):
    """The page did not carry an action out."""


@contextlib.contextmanager
def launch_browser() -> Iterator[Browser]:
    """Start the system's Chromium without a screen."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@contextlib.contextmanager
def serve_playground(folder: Path, port: int, people: Sequence[str] = ()) -> Iterator[str]:
    """Start `tabula play` in a folder as a newcomer does; yield the address that it prints."""
    options = ("--people", ",".join(people).lower()) if people else ()
    command = (sys.executable, "-m", "bot", "play", "--port", str(port), "--no-browser", "--fresh")
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd()), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        (*command, *options), cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


def open_page(browser: Browser, url: str, viewer: str) -> Page:
    """A tab of its own in which ``viewer`` (the name shown) looks at the channel."""
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    page.set_default_timeout(SETTLED_MS)
    page.goto(url)
    wait_ready(page)
    switch_viewer(page, viewer)
    return page


def switch_viewer(page: Page, viewer: str) -> None:
    """Look at the channel as someone else."""
    wait_ready(page)
    picker = page.locator("#viewer-picker")
    value = picker.locator(
        "option", has_text=re.compile(viewer, re.IGNORECASE)
    ).first.get_attribute("value")
    if picker.input_value() != value:
        picker.select_option(value)
        page.wait_for_function(
            "(id) => window.simcordPreview.viewerId === id && window.simcordPreview.ready",
            arg=value,
        )


def wait_ready(page: Page) -> None:
    """Wait until the page is idle."""
    page.wait_for_function(READY)


def _perform_step(page: Page, step: Callable[[int], None]) -> None:
    """Do a step, which is told how often it was tried before, until it is carried out.

    The page refuses it when the channel changed since it last looked, and now and then a click
    meets a control that the page is just replacing, or its menu has closed; in all these cases
    nothing has happened.
    """
    for tried in range(TRIES):
        wait_ready(page)
        before = page.evaluate("() => window.simcordPreview.lastAction?.requestId ?? null")
        try:
            step(tried)
            page.wait_for_function(SETTLED, arg=before, timeout=SETTLED_MS)
        except Error:
            if not _has_new_action(page, before):
                continue
        last = page.evaluate("() => window.simcordPreview.lastAction")
        if not last["rejected"]:
            return
        codes = {one["code"] for one in last["diagnostics"]}
        if not codes & {"stale-revision", "busy"}:
            raise PageActionError(str(codes))
        page.wait_for_timeout(600)
    raise PageActionError("the page was never up to date")


def _has_new_action(page: Page, before: str | None) -> bool:
    """Whether an action after that one was answered, however late the page shows it."""
    wait_ready(page)
    done: bool = page.evaluate(
        "(request) => (window.simcordPreview.lastAction?.requestId ?? null) !== request", before
    )
    return done


def send_command(page: Page, command: str, **options: str) -> None:
    """Type a command and its options, choosing the first suggestion if there is one; send it."""
    wait_ready(page)
    box = page.locator("#channel-composer-input")
    box.click()
    box.press_sequentially(f"/{command}")
    page.locator(
        ".command-entry",
        has=page.locator("strong", has_text=re.compile(rf"^/{re.escape(command)}$")),
    ).click()
    for name, value in options.items():
        _fill_option(page, name, value)
    _perform_step(page, lambda _: page.locator("#send-message").click())


def _fill_option(page: Page, name: str, value: str) -> None:
    field = page.locator(f'.command-option-input[data-option="{name}"]')
    if not field.count():
        page.locator(".command-chip").click()
        page.locator(".command-suggestion", has=page.get_by_text(name, exact=True)).click()
    field.click()
    text = value.removeprefix("@")
    field.fill("")
    field.press_sequentially(text)
    if field.get_attribute("role") == "combobox":
        wait_ready(page)
        page.locator(
            ".command-suggestion", has_text=re.compile(re.escape(text), re.IGNORECASE)
        ).first.click()


def find_messages(page: Page) -> Locator:
    """The messages the viewer sees, oldest first."""
    return page.locator("#channel-message-list article.channel-message")


def click_button(page: Page, label: str) -> None:
    """Press the newest button of that label."""
    button = (
        page.locator("#channel-message-list").get_by_role("button", name=label, exact=True).last
    )
    _perform_step(page, lambda _: button.click())


def submit_form(page: Page, **typed: str) -> None:
    """Type into fields of the open form, which are named as their ids, and submit it."""

    def submit(_: int) -> None:
        for name, text in typed.items():
            page.locator(f".modal-input[name={name}]").fill(text)
        page.get_by_role("button", name="Submit", exact=True).click()

    _perform_step(page, submit)


def press_move(page: Page, label: str) -> None:
    """Press the newest card's button of a move, whose number stands before its label."""
    shown = re.escape(label.replace("-", NON_BREAKING_HYPHEN))
    named = re.compile(rf"(^|\s|\u20e3){shown}$")
    button = find_newest_card(page).get_by_role("button", name=named).last
    _perform_step(page, lambda _: button.click())


def press_first_button(page: Page) -> None:
    """Press the first button among the newest card's controls, which must go on with the match.

    Whoever presses "Take back" again and again is never done.
    """
    first = find_newest_card(page).locator(".component-row").get_by_role("button").first

    def press(_: int) -> None:
        assert not first.inner_text().startswith("Take back"), get_card_text(page)
        first.click()

    _perform_step(page, press)


def choose_peaceful_entry(page: Page) -> None:
    """Choose from the newest message's first menu the first entry that hits nobody.

    That way the games end soon. If it was refused, the next entry is chosen: the page shows the
    refused one as chosen and does not let it be chosen again.
    """

    def one(tried: int) -> None:
        entries = open_menu(page)
        entries.nth((_find_peaceful_index(entries) + tried) % entries.count()).click()

    _perform_step(page, one)


def find_peaceful_entry(page: Page) -> str:
    """Return what to type for the first menu's entry that hits nobody.

    The menu is that of the newest message; it is closed again.
    """
    entries = open_menu(page)
    entry = entries.nth(_find_peaceful_index(entries)).inner_text().splitlines()[0]
    page.keyboard.press("Escape")
    return entry.replace(NON_BREAKING_HYPHEN, "-")


def _find_peaceful_index(entries: Locator) -> int:
    texts = entries.all_inner_texts()
    return next((at for at, text in enumerate(texts) if "*" not in text), 0)


def open_menu(page: Page, at: int = 0) -> Locator:
    """Open a menu of the newest message, the first or that of the number; return its entries.

    It tries again, for the page may put another menu in the place of the one just found, and late
    scrolling closes it.
    """
    menu = find_messages(page).last.get_by_role("combobox").nth(at)
    entries = page.get_by_role("listbox").get_by_role("option")
    for _ in range(TRIES):
        wait_ready(page)
        with contextlib.suppress(Error):
            _scroll_to(menu)
            page.wait_for_timeout(SCROLLED_MS)
            if not entries.first.is_visible():
                menu.click(timeout=OPENED_MS)
            entries.first.wait_for(state="visible", timeout=OPENED_MS)
            return entries
    raise PageActionError("the menu did not open")


def pick_entry(page: Page, text: str, menu: int = 0) -> None:
    """Choose the entry of one of the newest message's menus that says `text`, a play as typed."""
    caption = text.replace("-", NON_BREAKING_HYPHEN)

    def pick(_: int) -> None:
        open_menu(page, menu).filter(has_text=caption).first.click(timeout=OPENED_MS)

    _perform_step(page, pick)


def _scroll_to(part: Locator) -> None:
    """Bring a part of the page into view.

    Playwright's own way fails where the page replaces the part at that moment.
    """
    part.evaluate("part => part.scrollIntoViewIfNeeded()")


def take_screenshot(page: Page, path: Path) -> None:
    """Take a picture of the page with the newest message in view and the pointer out of the way."""
    newest = page.get_by_role("button", name="jump to latest")
    # It goes away by itself when the page has scrolled, even while it is looked for.
    with contextlib.suppress(Error):
        if newest.is_visible():
            newest.click(timeout=OPENED_MS)
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")
    _scroll_to(find_messages(page).last)
    page.wait_for_timeout(OPENED_MS)
    page.screenshot(path=path)


def get_card_text(page: Page) -> str:
    """What the newest message's card says, with the labels of its controls."""
    return find_newest_card(page).inner_text()


def wait_for_throw(page: Page) -> str:
    """Wait until the bot has thrown for whoever is to act; return the newest card's text."""
    while "I'll roll for you" in (text := get_card_text(page)):
        wait_for_change(page, text)
    return text


def find_newest_card(page: Page) -> Locator:
    """The card of the newest message."""
    return find_messages(page).last.locator(".component-container")


def has_button(page: Page, label: str) -> bool:
    """Whether the newest card has a button of that label."""
    return find_newest_card(page).get_by_role("button", name=label, exact=True).count() > 0


def has_menu(page: Page) -> bool:
    """Whether the newest card has a menu."""
    return find_newest_card(page).get_by_role("combobox").count() > 0


def find_mentioned_player(page: Page) -> str:
    """Who is named last in what the newest card says above its picture: the one to act."""
    above = find_newest_card(page).locator(".text-display:has(~ .component-gallery)")
    return above.locator(".mention").last.inner_text().removeprefix("@")


def list_card_parts(page: Page) -> list[str]:
    """The kinds of parts that the newest card has, from above, as the page names them."""
    found: list[str] = find_newest_card(page).evaluate(
        "card => [...card.children].map(part => part.classList[0])"
    )
    return found


def wait_for_change(page: Page, text: str) -> None:
    """Wait until the newest card says something other than `text`.

    The result of an answer comes a little after it.
    """
    expect(find_newest_card(page)).not_to_have_text(text, use_inner_text=True)


def wait_for_text(page: Page, text: str, timeout: float = PATIENCE_MS) -> None:
    """Wait until a message shows the text."""
    expect(page.locator("#channel-message-list").get_by_text(text).last).to_be_visible(
        timeout=timeout
    )


def expect_no_rendering_warnings(page: Page) -> None:
    """Check that the page's inspector complains of no picture.

    What it says of late answers depends on how busy the machine is.
    """
    page.get_by_role("button", name="Inspector").click()
    page.locator("button:has-text('Diagnostics')").first.click()
    expect(page.get_by_text("Severity").first).to_be_visible()
    expect(page.get_by_text("memory ceiling")).to_have_count(0)
