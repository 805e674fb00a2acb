"""The pages of servers: their first, matches, contests, leaderboards and ladders; and the list."""

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from bot.features.contests import texts
from bot.features.contests.bracket import Bracket
from bot.features.contests.formats import get_format, knock_out
from bot.features.contests.results import (
    compute_knock_out,
    list_champions,
    may_be_crowned,
)
from bot.features.contests.standings import Standing, SwissStanding
from bot.features.contests.tables import ContestState, ContestView, Pairing
from bot.features.history.export import describe_contest
from bot.features.ladders.cards import format_ladder_terms, format_result_line
from bot.features.ladders.rungs import WITHDRAWN, LadderChallenge
from bot.features.ladders.tables import LadderView
from bot.features.matches.scene import picture_names
from bot.features.matches.texts import mention_person
from bot.features.pages import page_texts as words
from bot.features.pages import rendering
from bot.features.pages.page_texts import format_pool, list_result_columns
from bot.features.pages.site import BoardTable, PublicBoard, ServerSite
from bot.features.ratings.service import ENOUGH_GAMES, Season, get_display_rating, is_certain
from bot.features.ratings.texts import explain_question_mark, format_rating, format_season
from bot.platform.db.rows import PersonNames
from bot.platform.i18n.common import join_sentences
from bot.platform.i18n.reader import Reader
from bot.platform.people import clean_text
from render.bracket import DrawnBracket, draw_bracket

FindPicture: TypeAlias = Callable[[str], bytes | None]
"""Returns a picture that was drawn before, by the path of its file; None where it wasn't."""
_DIGEST_LENGTH = 12
"""Characters that tell one state of a bracket from another in the name of its picture."""
MAX_RESULTS = 50
"""Latest results on a page."""
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
    return {
        **dict(write_board_files(site)),
        **dict(write_contest_files(site, written, drawn)),
        **dict(write_ladder_files(site, written)),
        "matches.html": rendering.render_site_page("matches.html", site, 0, written=written),
        DATA_FILE: rendering.encode_json(_describe_server(site, written)),
        "index.html": _write_server_page(site, written),
    }


def _write_server_page(site: ServerSite, written: frozenset[int]) -> bytes:
    say = site.server.say
    return rendering.render_page(
        "server.html",
        say,
        2,
        title=site.server.name,
        trail=rendering.list_root_trail(say, 2),
        site=site,
        boards=[
            (build_board_name(board.pool), words.format_pool(say, board.pool))
            for board in site.boards
        ],
        contests=[
            (
                build_contest_name(contest.id),
                texts.format_contest_name(say, contest),
                say.join_with_commas(
                    (
                        get_format(contest).format_name(say),
                        words.format_contest_state(say, contest),
                    )
                ),
            )
            for contest in site.contests_by_number.values()
        ],
        ladders=[
            (build_ladder_name(view.ladder.id), clean_text(view.ladder.name))
            for view in site.ladders
        ],
        written=written,
        latest=LATEST,
    )


def _describe_server(site: ServerSite, written: frozenset[int]) -> dict[str, Any]:
    return {
        "format": PAGES_FORMAT,
        "server": str(site.server.id),
        "name": site.server.name,
        "language": site.server.say.language.replace("_", "-"),
        "boards": [f"{build_board_name(board.pool)}.json" for board in site.boards],
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
    found = [
        {"server": str(each.id), "name": each.name, "data": f"servers/{each.id}/{DATA_FILE}"}
        for each in listed
    ]
    return {
        "style.css": STYLE.encode(),
        "index.json": rendering.encode_json({"format": PAGES_FORMAT, "servers": found}),
        "index.html": rendering.render_page("servers.html", say, 0, servers=listed),
    }


def build_board_name(pool: str) -> str:
    """Return the name of a leaderboard's files, without their ending."""
    return f"boards/{re.sub('[^a-z0-9]+', '-', pool)}"


def write_board_files(site: ServerSite) -> Iterator[tuple[str, bytes]]:
    """Yield the files of all leaderboards."""
    for board in site.boards:
        name = build_board_name(board.pool)
        yield f"{name}.html", _write_board_page(site, board)
        yield f"{name}.json", rendering.encode_json(_describe_board(site, board))


def _write_board_page(site: ServerSite, board: PublicBoard) -> bytes:
    say = site.server.say
    title = say("Leaderboard: {game}", game=format_pool(say, board.pool))
    rows = [each.row for table in board.tables for each in table.entries]
    note = join_sentences(
        say,
        say("A rank needs {n} rated matches.", n=ENOUGH_GAMES),
        explain_question_mark(say, rows),
    )
    rank, player, *results = list_result_columns(say)
    # Translators: heading of a column of numbers: how strong somebody is.
    columns = (rank, player, say("Rating"), *results)
    tables = [
        (_format_span(say, table.season), [*_list_rows(site, table)]) for table in board.tables
    ]
    return rendering.render_site_page(
        "board.html", site, title=title, tables=tables, columns=columns, note=note
    )


def _list_rows(site: ServerSite, table: BoardTable) -> Iterator[tuple[object, ...]]:
    for each in table.entries:
        row = each.row
        rank = "–" if each.rank is None else each.rank
        rating = format_rating(site.server.say, row)
        yield rank, site.names.get(each.person, "?"), rating, row.won, row.drawn, row.lost


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


def build_ladder_name(number: int) -> str:
    """Return the name of a ladder's files, without their ending."""
    return f"ladders/{number}"


def write_ladder_files(site: ServerSite, matches: Collection[int]) -> Iterator[tuple[str, bytes]]:
    """Yield the files of all ladders, given the matches that have a page."""
    for view in site.ladders:
        name = build_ladder_name(view.ladder.id)
        yield f"{name}.html", _write_ladder_page(site, view, matches)
        yield f"{name}.json", rendering.encode_json(_describe_ladder(site, view))


def _write_ladder_page(site: ServerSite, view: LadderView, matches: Collection[int]) -> bytes:
    say, ladder = site.server.say, view.ladder
    over = [each for each in view.challenges if not each.is_running and each.how != WITHDRAWN]
    latest = sorted(over, key=lambda each: (each.settled or 0, each.id), reverse=True)
    return rendering.render_site_page(
        "ladder.html",
        site,
        title=clean_text(ladder.name),
        view=view,
        terms=[line.removeprefix("- ") for line in format_ladder_terms(say, ladder).split("\n")],
        columns=_list_columns(say),
        rungs=[
            (rung, site.names[person], *view.count_matches(person))
            for rung, person in enumerate(view.rungs, 1)
        ],
        running=[_format_running(say, each) for each in view.running],
        results=[(format_result_line(say, each), each.match) for each in latest[:MAX_RESULTS]],
        written=matches,
    )


def _list_columns(say: Reader) -> tuple[str, ...]:
    return (
        # Translators: heading of a column of numbers: the place on a ladder, from above.
        say("Rung"),
        # Translators: heading of a column of names.
        say("Player"),
        # Translators: heading of a column of numbers: how many matches somebody has played.
        say("Played"),
        # Translators: heading of a column of numbers: how many matches somebody has won.
        say("Won"),
    )


def _format_running(say: Reader, challenge: LadderChallenge) -> str:
    parts = {
        "who": mention_person(say, challenge.challenger),
        "whom": mention_person(say, challenge.challenged),
    }
    if challenge.match is None:
        return say("{who} has challenged {whom}", **parts)
    return say("{who} plays {whom}: match {n}", n=challenge.match, **parts)


def _describe_ladder(site: ServerSite, view: LadderView) -> dict[str, Any]:
    ladder, rungs = view.ladder, []
    for rung, person in enumerate(view.rungs, 1):
        played, won = view.count_matches(person)
        rungs.append({"rung": rung, "name": site.names[person], "played": played, "won": won})
    return {
        "number": ladder.id,
        "name": clean_text(ladder.name),
        "game": ladder.game,
        "options": dict(ladder.options),
        "rated": ladder.rated,
        "pace": ladder.pace,
        "open": ladder.is_open,
        "rungs": rungs,
    }


STYLE = """\
:root {
  color-scheme: light dark;
  --paper: #fbf9f4;
  --ink: #22201c;
  --pale: #6a6357;
  --line: #ddd6c8;
  --link: #8a3b12;
  --card: #ffffff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #1b1a18;
    --ink: #ece7dd;
    --pale: #a79f90;
    --line: #3b3832;
    --link: #f0a878;
    --card: #252320;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  padding: 1rem;
  max-width: 50rem;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0.5rem 0 1rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 0.5rem; }
a { color: var(--link); text-underline-offset: 0.15em; }
nav ol { display: flex; flex-wrap: wrap; gap: 0.25rem; list-style: none; margin: 0; padding: 0; }
nav li + li::before { content: "/"; color: var(--pale); padding-right: 0.25rem; }
ul { padding-left: 1.25rem; }
ul.matches { list-style: none; padding: 0; }
ul.matches li { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
.small, footer, caption { color: var(--pale); font-size: 0.875rem; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: 0.25rem 0; }
th, td { padding: 0.35rem 0.5rem; border-bottom: 1px solid var(--line); text-align: right; }
th, td { overflow-wrap: break-word; }
th { font-weight: 600; }
thead th { color: var(--pale); font-size: 0.875rem; overflow-wrap: normal; }
th:nth-child(-n+2), td:first-child { text-align: left; }
tbody th { font-weight: 400; width: 100%; min-width: 6rem; }
@media (max-width: 30rem) {
  th, td { padding: 0.35rem 0.25rem; }
  thead th { font-size: 0.75rem; }
}
img { display: block; max-width: 100%; height: auto; border-radius: 0.5rem; }
ol.turns { list-style: none; padding: 0; }
ol.turns > li {
  margin: 0 0 1rem;
  padding: 0.75rem;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 0.75rem;
  scroll-margin-top: 0.5rem;
}
ol.turns p { margin: 0 0 0.5rem; }
ol.turns img { margin: 0 auto; }
ol.turns .steps { display: flex; justify-content: space-between; margin: 0.25rem 0 0; }
.steps a { padding: 0.5rem; }
"""


def build_contest_name(number: int) -> str:
    """Return the name of a contest's files, without their ending."""
    return f"contests/{number}"


def write_contest_files(
    site: ServerSite, matches: Collection[int], drawn: FindPicture
) -> Iterator[tuple[str, bytes]]:
    """Yield the files of all contests, given the matches that have a page.

    What `drawn` finds need not be drawn again.
    """
    for view in site.contests:
        name = build_contest_name(view.contest.id)
        picture = _build_bracket(site, view)
        yield f"{name}.html", _write_contest_page(site, view, matches, picture)
        yield f"{name}.json", rendering.encode_json(_describe_contest(site, view))
        if picture is not None:
            file = _build_picture_name(view, picture)
            yield file, drawn(file) or draw_bracket(picture, site.server.view)


def _write_contest_page(
    site: ServerSite,
    view: ContestView,
    matches: Collection[int],
    picture: DrawnBracket | None,
) -> bytes:
    say, contest = site.server.say, view.contest
    lines = [texts.format_game_line(say, contest), words.format_contest_progress(say, view)]
    if contest.state is ContestState.OVER:
        lines.insert(0, texts.format_champions(say, list_champions(view)))
    bracket = get_format(contest).find_bracket(view)
    return rendering.render_site_page(
        "contest.html",
        site,
        title=texts.format_contest_name(say, contest),
        lines=lines,
        players=() if contest.began else view.present,
        bracket=[*_list_rounds(site, bracket)] if bracket else (),
        picture=picture and _describe_picture(site, view, picture),
        # Translators: heading of a column of numbers: points for wins and draws.
        columns=(*words.list_result_columns(say), say("Points")),
        tables=[*_list_standings(site, view)] if contest.began else (),
        rounds=[*_list_results(site, view, bracket)] if view.pairings else (),
        written=matches,
    )


def _list_standings(
    site: ServerSite, view: ContestView
) -> Iterator[tuple[str, list[tuple[object, ...]]]]:
    """Yield what is above each table of points, and its rows."""
    tables = get_format(view.contest).list_point_tables(view)
    for number, standings in enumerate(tables):
        caption = texts.format_division(site.server.say, number) if len(tables) > 1 else ""
        yield caption, [_build_row(site, each) for each in standings]


def _build_row(site: ServerSite, each: Standing | SwissStanding) -> tuple[object, ...]:
    name, points = site.names[each.person], texts.format_number(each.points)
    return each.rank, name, each.won, each.drawn, each.lost, points


def _list_rounds(site: ServerSite, bracket: Bracket) -> Iterator[list[str]]:
    """Yield the name of each round of a knock-out, followed by its ties."""
    mentions = {person: mention_person(site.server.say, person) for person in site.people}
    lines: list[str] = []
    for line in knock_out.format_bracket(site.server.say, bracket, mentions):
        if lines and not line.startswith("- "):
            yield lines
            lines = []
        lines.append(line.removeprefix("- ") if lines else line.strip("*"))
    yield lines


def _describe_picture(
    site: ServerSite, view: ContestView, picture: DrawnBracket
) -> tuple[str, str]:
    """Return the file of a bracket's picture beside the page, and what it says in words."""
    say, bracket = site.server.say, compute_knock_out(view)
    title = texts.format_contest_name(say, view.contest)
    text = knock_out.describe_bracket(
        say, title, bracket, site.names, knock_out.choose_drawn_rounds(bracket)
    )
    return _build_picture_name(view, picture).rpartition("/")[2], text


def _list_results(
    site: ServerSite, view: ContestView, bracket: Bracket | None
) -> Iterator[tuple[str, list[tuple[str, str, int]]]]:
    """Yield the name of each round, and the sides, result and number of each of its matches."""
    say = site.server.say
    for number in range(1, view.round + 1):
        pairings = [each for each in view.pairings if each.round == number]
        yield (
            words.format_round_title(say, number, bracket),
            [
                (_format_sides(say, each), texts.format_pairing_result(say, each), each.match)
                for each in pairings
            ],
        )


def _format_sides(say: Reader, pairing: Pairing) -> str:
    return say(
        "{gold} against {black}",
        gold=mention_person(say, pairing.first),
        black=mention_person(say, pairing.second),
    )


def _build_bracket(site: ServerSite, view: ContestView) -> DrawnBracket | None:
    """Return a knock-out's bracket as it is drawn; None where it can't be, or there is none."""
    say, bracket = site.server.say, get_format(view.contest).find_bracket(view)
    rounds = knock_out.choose_drawn_rounds(bracket) if bracket else ()
    if bracket is None or not rounds:
        return None
    names = picture_names(say, _list_names(site, view), {})
    title = texts.format_contest_name(say, view.contest)
    is_crowned = may_be_crowned(view)
    return knock_out.build_drawn_bracket(say, title, bracket, names, rounds, is_crowned=is_crowned)


def _build_picture_name(view: ContestView, picture: DrawnBracket) -> str:
    """Return a name that changes with the picture, so that no browser shows an old one."""
    digest = hashlib.sha256(repr(picture).encode(errors="replace")).hexdigest()
    return f"{build_contest_name(view.contest.id)}-{digest[:_DIGEST_LENGTH]}.png"


def _list_names(site: ServerSite, view: ContestView) -> dict[int, PersonNames]:
    return {each.person: site.people[each.person] for each in view.entrants}


def _describe_contest(site: ServerSite, view: ContestView) -> dict[str, Any]:
    """Return a contest as its export has it, but without anybody's id, and the same every time."""
    payload = describe_contest(view, _list_names(site, view), 0)
    del payload["exported"]
    numbers = {each["id"]: number for number, each in enumerate(payload["entrants"], 1)}
    for each in (*payload["entrants"], *payload["byes"]):
        each["entrant"] = numbers[each.pop("id")]
    for each in payload["pairings"]:
        each.update(first=numbers[each["first"]], second=numbers[each["second"]])
    return payload
