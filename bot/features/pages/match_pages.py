"""The page of a finished match: every turn with the board after it, and its record."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.features.history.past_matches import PastMatch
from bot.features.matches.event_texts import describe_transitions
from bot.features.matches.proof import SecretOrigin
from bot.features.matches.record import build_record, encode_events
from bot.features.matches.scene import build_scene
from bot.features.matches.session import MatchSession, Transition
from bot.features.pages import page_texts as words
from bot.features.pages.rendering import encode_json, render_site_page
from bot.features.pages.site import PublicServer, ServerSite
from bot.platform.people import distinguish_names, is_pseudonym
from engine.events import Battled, Thrown
from engine.match import Phase, drop_undone
from render.board import compose_board
from render.describe import describe_scene
from render.png import encode_png
from render.scene import Scene

EDITION = 1
"""What the pages of matches look like; it rises when they are all to be written again."""
MAX_TURNS = 400
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


def build_stamp(site: ServerSite, match: PastMatch) -> MatchStamp:
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

    @property
    def lines(self) -> list[str]:
        """What happened, a sentence or more in each."""
        return [line for line in self.text.split("\n") if line]

    @property
    def description(self) -> str:
        """The board in words."""
        return describe_scene(self.scene)


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
    page = render_site_page(
        "match.html",
        site,
        title=words.format_match_title(server.say, played.past),
        past=played.past,
        names=played.names,
        turns=turns,
        is_private=played.has_hidden_word,
        stamp=stamp,
    )
    yield f"{number}.html", page


def _iter_turns(server: PublicServer, played: PlayedMatch) -> Iterator[ShownTurn]:
    say, session = server.say, played.session
    grouped = list(_group_turns(drop_undone(played.happened)))
    for group in grouped[:MAX_TURNS]:
        text = describe_transitions(say, session, group)
        then = replace(session, match=group[-1].after, recent=tuple(group))
        is_last = group is grouped[-1]
        yield ShownTurn(text, build_scene(say, session if is_last else then))
    if len(grouped) > MAX_TURNS:
        yield ShownTurn("", build_scene(say, session))


def _group_turns(happened: Sequence[Transition]) -> Iterator[list[Transition]]:
    """Yield what happened, turn by turn: each begins with a throw, the first with the opening."""
    group: list[Transition] = []
    for each in happened:
        is_throw = isinstance(each.event, Thrown)
        # An opening roll that is a tie is rolled again, and belongs to the same turn.
        is_contest = isinstance(each.event, Battled) and each.before.phase is Phase.BREAK_ROLL
        if group and (is_throw or is_contest):
            yield group
            group = []
        group.append(each)
    if group:
        yield group
