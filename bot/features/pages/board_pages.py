"""The pages of leaderboards."""

import re
from collections.abc import Iterator
from typing import Any

from bot.features.pages.markup import element, write_name, write_page, write_table
from bot.features.pages.page_texts import format_pool
from bot.features.pages.site import BoardTable, PublicBoard, ServerSite
from bot.features.pages.ways import encode_json, list_server_trail
from bot.features.ratings.seasons import Season
from bot.features.ratings.service import ENOUGH_GAMES, get_display_rating, is_certain
from bot.features.ratings.texts import format_rating, format_season
from bot.platform.i18n.reader import Reader


def make_board_name(pool: str) -> str:
    """Return the name of a leaderboard's files, without their ending."""
    return f"boards/{re.sub('[^a-z0-9]+', '-', pool)}"


def write_board_files(site: ServerSite) -> Iterator[tuple[str, bytes]]:
    """Yield the files of all leaderboards."""
    for board in site.boards:
        name = make_board_name(board.pool)
        yield f"{name}.html", _write_board_page(site, board)
        yield f"{name}.json", encode_json(_describe_board(site, board))


def _write_board_page(site: ServerSite, board: PublicBoard) -> bytes:
    say = site.server.say
    title = say("Leaderboard: {game}", game=format_pool(say, board.pool))
    note = say(
        "A rank needs {n} rated matches. A question mark means that the rating is still uncertain.",
        n=ENOUGH_GAMES,
    )
    return write_page(
        say,
        title,
        *(part for table in board.tables for part in _write_table(site, table)),
        element("p", note, class_="small"),
        root="../../../",
        trail=list_server_trail(site),
    )


def _write_table(site: ServerSite, table: BoardTable) -> Iterator[str]:
    say = site.server.say
    yield element("h2", _format_span(say, table.season))
    rows = (
        (
            "–" if each.rank is None else str(each.rank),
            write_name(site.names.get(each.person, "?")),
            format_rating(say, each.row),
            str(each.row.won),
            str(each.row.drawn),
            str(each.row.lost),
        )
        for each in table.entries
    )
    columns = (
        # Translators: heading of a column of numbers: the place on a leaderboard.
        say("Rank"),
        # Translators: heading of a column of names.
        say("Player"),
        # Translators: heading of a column of numbers: how strong somebody is.
        say("Rating"),
        # Translators: heading of a column of numbers: how many matches somebody has won.
        say("Won"),
        # Translators: heading of a column of numbers: how many matches somebody has drawn.
        say.in_context("heading of a column of numbers", "Drawn"),
        # Translators: heading of a column of numbers: how many matches somebody has lost.
        say("Lost"),
    )
    yield write_table(columns, rows)


def _format_span(say: Reader, season: Season | None) -> str:
    if season is None:
        return say("All time")
    return say("Season {season}", season=format_season(say, season))


def _describe_board(site: ServerSite, board: PublicBoard) -> dict[str, Any]:
    return {
        "pool": board.pool,
        "tables": [
            {
                "season": None if table.season is None else str(table.season),
                "entries": [
                    {
                        "rank": each.rank,
                        "name": site.names.get(each.person, "?"),
                        "rating": get_display_rating(each.row),
                        "certain": is_certain(each.row),
                        "games": each.row.games,
                        "won": each.row.won,
                        "drawn": each.row.drawn,
                        "lost": each.row.lost,
                    }
                    for each in table.entries
                ],
            }
            for table in board.tables
        ],
    }
