"""The pages of leagues and tournaments: tables, the bracket and every result."""

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, TypeAlias

from bot.features.contests.bracket_texts import (
    build_drawn_bracket,
    choose_drawn_rounds,
    describe_bracket,
    format_bracket,
)
from bot.features.contests.results import (
    compute_knock_out,
    compute_swiss,
    list_champions,
    list_tables,
)
from bot.features.contests.rows import ContestFormat, ContestState, ContestView, Pairing
from bot.features.contests.standings import Standing
from bot.features.contests.swiss_standings import SwissStanding
from bot.features.contests.texts import (
    format_champions,
    format_contest_name,
    format_division,
    format_number,
)
from bot.features.contests.tournament_texts import format_game_line
from bot.features.history.contest_export import describe_contest
from bot.features.matches.name_texts import mention_person
from bot.features.matches.scene import picture_names
from bot.features.pages import page_texts as words
from bot.features.pages.markup import (
    Markup,
    convert_message,
    element,
    join,
    write_link,
    write_list,
    write_name,
    write_page,
    write_table,
)
from bot.features.pages.site import ServerSite
from bot.features.pages.ways import encode_json, list_server_trail
from bot.store import PersonNames
from render.bracket import DrawnBracket, draw_bracket

FindPicture: TypeAlias = Callable[[str], bytes | None]
"""Returns a picture that was drawn before, by the path of its file; None where it wasn't."""
_DIGEST_LENGTH = 12
"""Characters that tell one state of a bracket from another in the name of its picture."""


def make_contest_name(number: int) -> str:
    """Return the name of a contest's files, without their ending."""
    return f"contests/{number}"


def write_contest_files(
    site: ServerSite, matches: Collection[int], drawn: FindPicture
) -> Iterator[tuple[str, bytes]]:
    """Yield the files of all contests, given the matches that have a page.

    What `drawn` finds need not be drawn again.
    """
    for view in site.contests:
        name = make_contest_name(view.contest.id)
        picture = _build_bracket(site, view)
        yield f"{name}.html", _write_contest_page(site, view, matches, picture)
        yield f"{name}.json", encode_json(_describe_contest(site, view))
        if picture is not None:
            file = _make_picture_name(view, picture)
            yield file, drawn(file) or draw_bracket(picture, site.server.view)


def _write_contest_page(
    site: ServerSite,
    view: ContestView,
    matches: Collection[int],
    picture: DrawnBracket | None,
) -> bytes:
    say, contest = site.server.say, view.contest
    told = [format_game_line(say, contest), words.format_contest_progress(say, view)]
    if contest.state is ContestState.OVER:
        told.insert(0, format_champions(say, list_champions(view)))
    return write_page(
        say,
        format_contest_name(say, contest),
        *(element("p", convert_message(line, site.names)) for line in told),
        *_write_standings(site, view, picture),
        *_write_pairings(site, view, matches),
        root="../../../",
        trail=list_server_trail(site),
    )


def _write_standings(
    site: ServerSite, view: ContestView, picture: DrawnBracket | None
) -> Iterator[str]:
    say = site.server.say
    if not view.contest.began:
        if view.present:
            # Translators: heading: those who take part.
            heading = say("Players")
            yield element("h2", heading)
            yield write_list([write_name(site.names[each.person]) for each in view.present])
        return
    match view.contest.format:
        case ContestFormat.KNOCK_OUT:
            # Translators: heading: the picture of who meets whom in a knock-out.
            heading = say("Bracket")
            yield element("h2", heading)
            yield from _write_bracket(site, view, picture)
        case ContestFormat.SWISS:
            # Translators: heading: the table of points.
            heading = say("Standings")
            yield element("h2", heading)
            yield _write_standing_table(site, compute_swiss(view))
        case _:
            # Translators: heading: the table of points.
            heading = say("Standings")
            yield element("h2", heading)
            tables = list_tables(view)
            for number, standings in enumerate(tables):
                caption = format_division(say, number) if len(tables) > 1 else ""
                yield _write_standing_table(site, standings, caption)


def _write_standing_table(
    site: ServerSite, standings: Sequence[Standing | SwissStanding], caption: str = ""
) -> Markup:
    say = site.server.say
    columns = (
        # Translators: heading of a column of numbers: the place in a table.
        say("Rank"),
        # Translators: heading of a column of names.
        say("Player"),
        # Translators: heading of a column of numbers: how many matches somebody has won.
        say("Won"),
        # Translators: heading of a column of numbers: how many matches somebody has drawn.
        say.in_context("heading of a column of numbers", "Drawn"),
        # Translators: heading of a column of numbers: how many matches somebody has lost.
        say("Lost"),
        # Translators: heading of a column of numbers: points for wins and draws.
        say("Points"),
    )
    rows = (
        (
            str(each.rank),
            write_name(site.names[each.person]),
            str(each.won),
            str(each.drawn),
            str(each.lost),
            format_number(each.points),
        )
        for each in standings
    )
    return write_table(columns, rows, caption)


def _write_bracket(
    site: ServerSite, view: ContestView, picture: DrawnBracket | None
) -> Iterator[str]:
    say, bracket = site.server.say, compute_knock_out(view)
    if picture is not None:
        title = format_contest_name(say, view.contest)
        said = describe_bracket(say, title, bracket, site.names, choose_drawn_rounds(bracket))
        source = _make_picture_name(view, picture).rpartition("/")[2]
        yield element("img", src=source, alt=said)
    mentions = {person: mention_person(person) for person in site.people}
    items: list[str] = []
    # A heading is followed by its ties, each of which begins with a dash.
    for line in format_bracket(say, bracket, mentions):
        if line.startswith("- "):
            items.append(convert_message(line.removeprefix("- "), site.names))
            continue
        if items:
            yield write_list(items)
            items = []
        yield element("h3", convert_message(line.strip("*"), site.names))
    if items:
        yield write_list(items)


def _build_bracket(site: ServerSite, view: ContestView) -> DrawnBracket | None:
    """Return a knock-out's bracket as it is drawn; None where it can't be, or there is none."""
    if view.contest.format is not ContestFormat.KNOCK_OUT or not view.contest.began:
        return None
    say, bracket = site.server.say, compute_knock_out(view)
    rounds = choose_drawn_rounds(bracket)
    if not rounds:
        return None
    names = picture_names(say, _list_names(site, view), {})
    title = format_contest_name(say, view.contest)
    return build_drawn_bracket(say, title, bracket, names, rounds)


def _make_picture_name(view: ContestView, picture: DrawnBracket) -> str:
    """Return a name that changes with the picture, so that no browser shows an old one."""
    digest = hashlib.sha256(repr(picture).encode(errors="replace")).hexdigest()
    return f"{make_contest_name(view.contest.id)}-{digest[:_DIGEST_LENGTH]}.png"


def _list_names(site: ServerSite, view: ContestView) -> dict[int, PersonNames]:
    return {each.person: site.people[each.person] for each in view.entrants}


def _write_pairings(site: ServerSite, view: ContestView, matches: Collection[int]) -> Iterator[str]:
    if not view.pairings:
        return
    say = site.server.say
    is_knock_out = view.contest.format is ContestFormat.KNOCK_OUT
    bracket = compute_knock_out(view) if is_knock_out else None
    # Translators: heading: who has won each match.
    heading = say("Results")
    yield element("h2", heading)
    for number in range(1, view.round + 1):
        items = [
            _write_pairing(site, each, matches) for each in view.pairings if each.round == number
        ]
        if view.round > 1:
            yield element("h3", words.format_round_title(say, number, bracket))
        yield write_list(items, "matches")


def _write_pairing(site: ServerSite, pairing: Pairing, matches: Collection[int]) -> Markup:
    say = site.server.say
    sides = say(
        "{gold} against {black}",
        gold=mention_person(pairing.first),
        black=mention_person(pairing.second),
    )
    match: str = say("match {match}", match=pairing.match)
    if pairing.match in matches:
        match = write_link(f"../matches/{pairing.match}.html", match)
    result = words.format_pairing_result(say, pairing)
    return join(
        (convert_message(sides, site.names), convert_message(result, site.names), match), " · "
    )


def _describe_contest(site: ServerSite, view: ContestView) -> dict[str, Any]:
    """Return a contest as its export has it, but without anybody's id, and the same every time."""
    said = describe_contest(view, _list_names(site, view), 0)
    del said["exported"]
    numbers = {each["id"]: number for number, each in enumerate(said["entrants"], 1)}
    for each in (*said["entrants"], *said["byes"]):
        each["entrant"] = numbers[each.pop("id")]
    for each in said["pairings"]:
        each.update(first=numbers[each["first"]], second=numbers[each["second"]])
    return said


def write_contest_list(site: ServerSite) -> Markup:
    """Return the list of all contests, the latest first."""
    say = site.server.say
    return write_list(
        [
            join(
                (
                    write_link(
                        f"{make_contest_name(contest.id)}.html", format_contest_name(say, contest)
                    ),
                    element(
                        "span",
                        f"{words.format_kind(say, contest)}, "
                        f"{words.format_contest_state(say, contest)}",
                        class_="small",
                    ),
                ),
                " ",
            )
            for contest in site.contests_by_number.values()
        ]
    )
