"""The page of a finished match: every turn with the board after it, and its record."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.features.history.results import PastMatch
from bot.features.matches.event_texts import describe_transitions
from bot.features.matches.record import build_record, encode_events
from bot.features.matches.scene import build_scene
from bot.features.matches.secret_origin import SecretOrigin
from bot.features.matches.session import MatchSession, Transition
from bot.features.pages import page_texts as words
from bot.features.pages.markup import (
    Markup,
    convert_message,
    element,
    join,
    write_day,
    write_link,
    write_list,
    write_minute,
    write_page,
)
from bot.features.pages.site import PublicServer, ServerSite
from bot.features.pages.ways import encode_json, list_server_trail
from bot.platform.people import distinguish_names, is_pseudonym
from engine.events import Battled, Thrown
from engine.match import Phase
from render.board import compose_board, encode_png
from render.describe import describe_scene
from render.scene import Scene

EDITION = 1
"""What the pages of matches look like; it rises when they are all to be written again."""
MOST_TURNS = 400
"""Turns with a picture on a page; of a longer match only the last board follows."""
SHRINK = 2
"""Boards are 540 pixels wide, half as much as on Discord."""
STAMP_SPACE = 1024
"""Bytes at the beginning of a page among which its stamp is."""


@dataclass(frozen=True, slots=True)
class MatchStamp:
    """Of what a match's page was made, and in which of its seats is somebody who is not named."""

    digest: str
    hidden: frozenset[int]

    def __str__(self) -> str:
        return " ".join([self.digest, *map(str, sorted(self.hidden))])


def make_stamp(site: ServerSite, match: PastMatch) -> MatchStamp:
    """Return the stamp of a match's page as it would be written now."""
    row, server = match.row, site.server
    people = [seat.person for seat in row.seats] + [former.person for former in row.former]
    names = [site.names.get(person, "") for person in people]
    state = (row.id, row.version, row.how, row.winner)
    said = (EDITION, server.say.language, server.view, state, names)
    digest = hashlib.sha256(repr(said).encode(errors="replace")).hexdigest()
    # A page with the name of somebody who has had their data deleted must not wait either.
    hidden = {
        number
        for number, person in enumerate(people)
        if person in site.hidden or is_pseudonym(person)
    }
    return MatchStamp(digest, frozenset(hidden))


def parse_stamp(page: str) -> MatchStamp | None:
    """Return the stamp at the beginning of a page; None where there is none."""
    _, found, rest = page.partition('<meta name="tabula-stamp" content="')
    digest, *hidden = rest.partition('"')[0].split() or [""]
    if not found or not all(each.isdecimal() for each in hidden):
        return None
    return MatchStamp(digest, frozenset(map(int, hidden)))


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A finished match with all that happened in it; its people are called as the pages do."""

    past: PastMatch
    session: MatchSession
    happened: Sequence[Transition]
    origin: SecretOrigin | None
    has_hidden_word: bool

    @property
    def names(self) -> Mapping[int, str]:
        """What to call those who ever sat there."""
        return distinguish_names(self.session.person_names)


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """What happened in a turn, and the board after it; `size` is that of its picture in pixels."""

    text: str
    scene: Scene
    size: tuple[int, int] = (0, 0)


def write_match_files(
    site: ServerSite, played: PlayedMatch, stamp: MatchStamp
) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a match, the page after all that it shows."""
    server, number = site.server, played.session.id
    turns = []
    for at, turn in enumerate(_iter_turns(server, played), 1):
        picture = compose_board(turn.scene, server.view, SHRINK)
        yield f"{number}/{at}.png", encode_png(picture)
        turns.append(replace(turn, size=picture.size))
    if not played.has_hidden_word:
        events = encode_events(played.session, played.happened)
        yield f"{number}.json", encode_json(build_record(played.session, events, played.origin))
    yield f"{number}.html", _write_match_page(site, played, turns, stamp)


def _iter_turns(server: PublicServer, played: PlayedMatch) -> Iterator[ShownTurn]:
    say, session = server.say, played.session
    grouped = list(_group_turns(played.happened))
    for group in grouped[:MOST_TURNS]:
        text = describe_transitions(say, session, group)
        then = replace(session, match=group[-1].after, recent=tuple(group))
        is_last = group is grouped[-1]
        yield ShownTurn(text, build_scene(say, session if is_last else then))
    if len(grouped) > MOST_TURNS:
        yield ShownTurn("", build_scene(say, session))


def _group_turns(happened: Sequence[Transition]) -> Iterator[list[Transition]]:
    """Yield what happened, turn by turn: each begins with a throw, the first with the opening."""
    group: list[Transition] = []
    for each in happened:
        is_throw = isinstance(each.event, Thrown)
        # An opening roll that is a tie is rolled again, and belongs to the same turn.
        is_contest = isinstance(each.event, Battled) and each.before.phase is Phase.CONTEST
        if group and (is_throw or is_contest):
            yield group
            group = []
        group.append(each)
    if group:
        yield group


def _write_match_page(
    site: ServerSite, played: PlayedMatch, turns: Sequence[ShownTurn], stamp: MatchStamp
) -> bytes:
    say, past, names = site.server.say, played.past, played.names
    number = past.row.id
    if played.has_hidden_word:
        record: str = say("The record isn't public, since a player who isn't named is in it.")
    else:
        verify = convert_message(say("Verify it with `tabula verify`."), {})
        record = join((write_link(f"{number}.json", say("The record of this match")), verify), " ")
    return write_page(
        say,
        words.format_match_title(say, past),
        element("p", convert_message(words.format_match_sides(say, past), names)),
        element("p", convert_message(words.format_match_result(say, past), names)),
        element("p", write_minute(past.row.ended or past.row.touched), class_="small"),
        element("h2", say("Turn by turn")),
        element(
            "ol",
            *(
                _write_turn(site, number, at, turn, len(turns), names)
                for at, turn in enumerate(turns, 1)
            ),
            class_="turns",
        ),
        element("h2", say("Fair dice")),
        element("p", record),
        root="../../../",
        trail=list_server_trail(site),
        stamp=str(stamp),
    )


def _write_turn(
    site: ServerSite, match: int, at: int, turn: ShownTurn, count: int, names: Mapping[int, str]
) -> Markup:
    say = site.server.say
    lines = [element("p", convert_message(line, names)) for line in turn.text.split("\n") if line]
    width, height = map(str, turn.size)
    image = element(
        "img",
        src=f"{match}/{at}.png",
        alt=describe_scene(turn.scene),
        width=width,
        height=height,
        loading="lazy",
    )
    steps = []
    if at > 1:
        # Translators: link: to the previous turn of a match.
        back = say("Previous")
        steps.append(write_link(f"#turn-{at - 1}", back))
    if at < count:
        # Translators: link: to the next turn of a match.
        onward = say("Next")
        steps.append(write_link(f"#turn-{at + 1}", onward))
    return element("li", *lines, image, element("p", *steps, class_="steps"), id=f"turn-{at}")


def list_match_line(site: ServerSite, match: PastMatch, *, has_page: bool, way: str) -> Markup:
    """Return a match in one line of a list; `way` leads to the folder of matches."""
    say = site.server.say
    title: str = words.format_match_title(say, match)
    if has_page:
        title = write_link(f"{way}{match.row.id}.html", title)
    at = write_day(match.row.ended or match.row.touched)
    sides = convert_message(words.format_match_sides(say, match), site.names)
    result = convert_message(words.format_match_result(say, match), site.names)
    return join((title, " · ", at, element("br"), sides, ". ", result))


def write_match_list(
    site: ServerSite, matches: Sequence[PastMatch], written: frozenset[int], way: str
) -> Markup:
    """Return a list of matches, those that are `written` with a link to their page."""
    return write_list(
        [list_match_line(site, each, has_page=each.row.id in written, way=way) for each in matches],
        "matches",
    )
