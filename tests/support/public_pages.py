"""Clubs whose pages are written, and what is in the folder then."""

from pathlib import Path

from PIL import Image

from bot.features.pages.writer import PageWriter
from tests.support.club import SimulatedClub
from tests.support.driver import give_up, start_match, take_next_action
from tests.support.html_pages import read_page
from tests.support.panels import change_server


async def open_pages(club: SimulatedClub, folder: Path) -> PageWriter:
    """Turn the pages of the club on, to be written in a folder."""
    folder.mkdir(exist_ok=True)
    await change_server(club.ana, club.channel, pages=True)
    return PageWriter(club.bot, folder)


async def finish_match(club: SimulatedClub, acts: int = 8) -> None:
    """Let Ana and Ben play for so many acts, and Ben resign."""
    # A match of Fallas could be over by then.
    await start_match(club, "doblet", word="Ana's own word")
    for _ in range(acts):
        assert await take_next_action(club)
    await give_up(club, club.ben, club.channel)


def list_files(folder: Path) -> dict[str, bytes]:
    """Every file in a folder, by its path."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def measure_width(picture: Path) -> int:
    """How wide a picture is, which must be a PNG."""
    with Image.open(picture) as image:
        assert image.format == "PNG"
        return image.width


def check_pages(folder: Path) -> int:
    """Read every page, and return how many there are."""
    pages = sorted(folder.rglob("*.html"))
    for page in pages:
        read_page(page)
    return len(pages)
