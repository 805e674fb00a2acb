"""The first pages: of all servers, and of one; and the list of its matches."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from bot.features.pages.board_pages import make_board_name, write_board_files
from bot.features.pages.contest_pages import (
    FindPicture,
    write_contest_files,
    write_contest_list,
)
from bot.features.pages.ladder_pages import write_ladder_files, write_ladder_list
from bot.features.pages.markup import element, write_link, write_list, write_name, write_page
from bot.features.pages.match_pages import write_match_list
from bot.features.pages.page_texts import format_pool
from bot.features.pages.site import ServerSite
from bot.features.pages.style import STYLE
from bot.features.pages.ways import encode_json, list_root_trail, list_server_trail
from bot.platform.i18n.reader import Reader

LATEST = 10
"""Matches on a server's first page."""
DATA_FILE = "server.json"
"""What a server's files of data are found by, and its name in the list of all servers."""
PAGES_FORMAT = 1
"""The format of the files of data; it rises when what a field means changes."""


@dataclass(frozen=True, slots=True)
class ListedServer:
    """A server in the list of all, and the language of its pages as Discord writes it."""

    id: int
    name: str
    locale: str = ""


def write_site_files(
    site: ServerSite, written: frozenset[int], drawn: FindPicture
) -> dict[str, bytes]:
    """Return a server's files by their path in its folder, but for those of its matches.

    Those matches that are `written` have a page; `drawn` finds pictures that are there already.
    """
    say = site.server.say
    matches = write_page(
        say,
        say("Finished matches"),
        write_match_list(site, site.matches, written, "matches/"),
        root="../../",
        trail=list_server_trail(site, 0),
    )
    return {
        **dict(write_board_files(site)),
        **dict(write_contest_files(site, written, drawn)),
        **dict(write_ladder_files(site, written)),
        "matches.html": matches,
        DATA_FILE: encode_json(_describe_server(site, written)),
        "index.html": _write_server_page(site, written),
    }


def _write_server_page(site: ServerSite, written: frozenset[int]) -> bytes:
    say = site.server.say
    return write_page(
        say,
        site.server.name,
        *_list_sections(site, written),
        root="../../",
        trail=list_root_trail(say, 2),
    )


def _list_sections(site: ServerSite, written: frozenset[int]) -> Iterator[str]:
    say = site.server.say
    if site.boards:
        # Translators: heading: a list of links to leaderboards.
        heading = say("Leaderboards")
        yield element("h2", heading)
        yield write_list(
            [
                write_link(f"{make_board_name(board.pool)}.html", format_pool(say, board.pool))
                for board in site.boards
            ]
        )
    if site.contests:
        yield element("h2", say("Leagues and tournaments"))
        yield write_contest_list(site)
    if site.ladders:
        # Translators: heading: a list of links to ladders (rankings that players climb).
        heading = say("Ladders")
        yield element("h2", heading)
        yield write_ladder_list(site)
    yield element("h2", say("Latest matches"))
    if not site.matches:
        yield element("p", say("No match has been finished yet."))
        return
    yield write_match_list(site, site.matches[:LATEST], written, "matches/")
    if len(site.matches) > LATEST:
        yield element("p", write_link("matches.html", say("All matches")))


def _describe_server(site: ServerSite, written: frozenset[int]) -> dict[str, Any]:
    return {
        "format": PAGES_FORMAT,
        "server": str(site.server.id),
        "name": site.server.name,
        "language": site.server.say.language.replace("_", "-"),
        "boards": [f"{make_board_name(board.pool)}.json" for board in site.boards],
        "contests": [f"contests/{number}.json" for number in site.contests_by_number],
        "ladders": [f"ladders/{view.ladder.id}.json" for view in site.ladders],
        "matches": [
            {
                "number": match.row.id,
                "game": match.row.game,
                "ended": match.row.ended,
                "winner": match.row.winner,
                "how": match.row.how,
                "page": f"matches/{match.row.id}.html" if match.row.id in written else None,
            }
            for match in site.matches
        ],
    }


def write_root_files(say: Reader, servers: Iterable[ListedServer]) -> dict[str, bytes]:
    """Return the files of the list of all servers, and the style of all pages."""
    listed = sorted(servers, key=lambda each: (each.name.casefold(), each.id))
    content = element("p", say("No server has public pages yet."))
    if listed:
        content = write_list(
            [write_link(f"servers/{each.id}/index.html", write_name(each.name)) for each in listed]
        )
    found = [
        {"server": str(each.id), "name": each.name, "data": f"servers/{each.id}/{DATA_FILE}"}
        for each in listed
    ]
    return {
        "style.css": STYLE.encode(),
        "index.json": encode_json({"format": PAGES_FORMAT, "servers": found}),
        "index.html": write_page(say, say("Games of tables"), content, root=""),
    }
