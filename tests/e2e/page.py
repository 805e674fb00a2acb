"""Drives the playground's page the way a person does. Every step waits until the page is idle.

Use: ``page = open_page(browser, url, "ana")``, then slash, click, choose; each returns when the bot has answered.
"""

import re
from collections.abc import Callable

from playwright.sync_api import Browser, Locator, Page, expect

READY = "() => window.simcordPreview?.ready && !window.simcordPreview.pendingAction"
SETTLED = """(request) => { const now = window.simcordPreview;
    return now.ready && !now.pendingAction && now.lastAction && now.lastAction.requestId !== request
        && now.publishedRevision >= (now.lastAction?.revision ?? 0) }"""
TRIES = 4


class NotDone(AssertionError):
    """The page did not carry an action out."""


def open_page(browser: Browser, url: str, viewer: str) -> Page:
    """A tab of its own in which ``viewer`` (the name shown) looks at the channel."""
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    page.goto(url)
    wait_ready(page)
    become(page, viewer)
    return page


def become(page: Page, viewer: str) -> None:
    """Look at the channel as someone else."""
    wait_ready(page)
    picker = page.locator("#viewer-picker")
    value = picker.locator("option", has_text=re.compile(viewer, re.IGNORECASE)).first.get_attribute("value")
    if picker.input_value() != value:
        picker.select_option(value)
        page.wait_for_function(
            "(id) => window.simcordPreview.viewerId === id && window.simcordPreview.ready", arg=value
        )


def wait_ready(page: Page) -> None:
    """Wait until the page is idle."""
    page.wait_for_function(READY)


def _act(page: Page, step: Callable[[], None]) -> None:
    """Do a step until it is carried out; it is refused when the channel changed since the page last looked."""
    for _ in range(TRIES):
        wait_ready(page)
        before = page.evaluate("() => window.simcordPreview.lastAction?.requestId ?? null")
        step()
        page.wait_for_function(SETTLED, arg=before)
        last = page.evaluate("() => window.simcordPreview.lastAction")
        if not last["rejected"]:
            return
        codes = {one["code"] for one in last["diagnostics"]}
        if not codes & {"stale-revision", "busy"}:
            raise NotDone(str(codes))
        page.wait_for_timeout(600)
    raise NotDone("the page was never up to date")


def slash(page: Page, command: str, **options: str) -> None:
    """Type a command and its options, choosing the first suggestion where there are some; then send it."""
    wait_ready(page)
    box = page.locator("#channel-composer-input")
    box.click()
    box.press_sequentially(f"/{command}")
    page.locator(".command-entry", has=page.locator("strong", has_text=re.compile(rf"^/{re.escape(command)}$"))).click()
    for name, value in options.items():
        _fill(page, name, value)
    _act(page, lambda: page.locator("#send-message").click())


def _fill(page: Page, name: str, value: str) -> None:
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
        page.locator(".command-suggestion", has_text=re.compile(re.escape(text), re.IGNORECASE)).first.click()


def messages(page: Page) -> Locator:
    """The messages the viewer sees, oldest first."""
    return page.locator("#channel-message-list article.channel-message")


def click(page: Page, label: str) -> None:
    """Press the newest button of that label."""
    _act(page, lambda: page.locator("#channel-message-list").get_by_role("button", name=label, exact=True).last.click())


def choose(page: Page, placeholder: str, label: str) -> None:
    """Choose an option in the newest menu of that placeholder."""

    def step() -> None:
        menu = page.locator("#channel-message-list").get_by_role("combobox", name=placeholder, exact=True).last
        menu.scroll_into_view_if_needed()
        page.wait_for_timeout(300)  # scrolling closes an open menu, and the page tells of it late
        menu.click()
        page.get_by_role("option", name=label, exact=True).click()

    _act(page, step)


def last_message_text(page: Page) -> str:
    """What the newest message says, with its header."""
    return messages(page).last.inner_text()


def wait_for_text(page: Page, text: str, timeout: float = 10_000) -> None:
    """Wait until a message shows the text."""
    expect(page.locator("#channel-message-list").get_by_text(text).last).to_be_visible(timeout=timeout)
