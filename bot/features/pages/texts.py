"""What is said of public pages, on Discord."""

from bot.platform.i18n.reader import Reader


def format_server_pages(say: Reader, *, are_on: bool, is_written: bool) -> str:
    """Tell whether a server has public pages; `is_written` is whether there is a place for any."""
    if not are_on:
        return say(
            "This server has no public pages. `/server pages` turns them on: leaderboards, "
            "leagues, tournaments, ladders and finished matches, with the members' names, for "
            "everyone who reads the website of this bot."
        )
    told = say(
        "This server has public pages: its leaderboards, leagues, tournaments, ladders and "
        "finished matches can be read outside Discord. Members who don't want to be named there "
        "use `/me pages`."
    )
    return told if is_written else f"{told} {_say_unwritten(say)}"


def format_own_pages(say: Reader, *, is_named: bool, is_written: bool) -> str:
    """Tell somebody whether public pages name them."""
    if is_named:
        told = say("Where a server has public pages, they name you.")
        return told if is_written else f"{told} {_say_unwritten(say)}"
    return say(
        "Public pages don't name you: you're “a player” there, and records with a word that you "
        "gave to the dice are left out. Pages that named you are replaced within minutes; copies "
        "that others made of them are out of my reach."
    )


def _say_unwritten(say: Reader) -> str:
    return say(
        "At present this bot writes no pages: the person who runs it hasn't set a place for them."
    )
