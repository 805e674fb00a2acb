"""The pages of ladders: the rungs, and what was played on them."""

from collections.abc import Collection, Iterator
from typing import Any

from bot.features.ladders.rows import LadderView
from bot.features.ladders.rungs import WITHDRAWN, LadderChallenge
from bot.features.ladders.texts import format_ladder_terms, format_result_line
from bot.features.matches.name_texts import mention_person
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
from bot.platform.i18n.reader import Reader
from bot.platform.people import clean_text

MOST_RESULTS = 50
"""Latest results on a page."""


def make_ladder_name(number: int) -> str:
    """Return the name of a ladder's files, without their ending."""
    return f"ladders/{number}"


def write_ladder_files(site: ServerSite, matches: Collection[int]) -> Iterator[tuple[str, bytes]]:
    """Yield the files of all ladders, given the matches that have a page."""
    for view in site.ladders:
        name = make_ladder_name(view.ladder.id)
        yield f"{name}.html", _write_ladder_page(site, view, matches)
        yield f"{name}.json", encode_json(_describe_ladder(site, view))


def _write_ladder_page(site: ServerSite, view: LadderView, matches: Collection[int]) -> bytes:
    say, ladder = site.server.say, view.ladder
    terms = [line.removeprefix("- ") for line in format_ladder_terms(say, ladder).split("\n")]
    if not ladder.is_open:
        terms.append(say("This ladder is closed."))
    rungs = (
        (str(rung), write_name(site.names[person]), *map(str, view.count_matches(person)))
        for rung, person in enumerate(view.rungs, 1)
    )
    return write_page(
        say,
        clean_text(ladder.name),
        *(element("p", convert_message(line, site.names)) for line in terms),
        write_table(_name_columns(say), rungs)
        if view.rungs
        else element("p", say("Nobody has joined yet.")),
        *_write_challenges(site, view, matches),
        root="../../../",
        trail=list_server_trail(site),
    )


def _name_columns(say: Reader) -> tuple[str, ...]:
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


def _write_challenges(
    site: ServerSite, view: LadderView, matches: Collection[int]
) -> Iterator[str]:
    say = site.server.say
    if view.running:
        yield element("h2", say("Challenges and matches"))
        yield write_list([_write_running(site, each) for each in view.running])
    over = [each for each in view.challenges if not each.is_running and each.how != WITHDRAWN]
    latest = sorted(over, key=lambda each: (each.settled or 0, each.id), reverse=True)
    if latest:
        yield element("h2", say("Latest results"))
        yield write_list([_write_result(site, each, matches) for each in latest[:MOST_RESULTS]])


def _write_running(site: ServerSite, challenge: LadderChallenge) -> Markup:
    say = site.server.say
    parts = {
        "who": mention_person(challenge.challenger),
        "whom": mention_person(challenge.challenged),
    }
    if challenge.match is None:
        return convert_message(say("{who} has challenged {whom}", **parts), site.names)
    told = say("{who} plays {whom}: match {n}", n=challenge.match, **parts)
    return convert_message(told, site.names)


def _write_result(site: ServerSite, over: LadderChallenge, matches: Collection[int]) -> Markup:
    say = site.server.say
    told = convert_message(format_result_line(say, over), site.names)
    if over.match not in matches:
        return told
    link = write_link(f"../matches/{over.match}.html", say("match {match}", match=over.match))
    return join((told, link), " · ")


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


def write_ladder_list(site: ServerSite) -> Markup:
    """Return the list of all ladders, those that are open first."""
    return write_list(
        [
            write_link(
                f"{make_ladder_name(view.ladder.id)}.html",
                write_name(clean_text(view.ladder.name)),
            )
            for view in site.ladders
        ]
    )
