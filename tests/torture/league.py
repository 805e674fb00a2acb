"""A league that is played while the bot suffers, and what is known of it."""

import asyncio
import os
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import TypeAlias

from bot.features.computer.pool import PlayerPool
from bot.features.contests.results import list_tables
from bot.features.contests.standings import PairingResult, compute_standings
from bot.features.contests.store import Contests
from bot.features.contests.tables import ContestView
from bot.features.matches import loading
from bot.features.matches.session import MatchSession
from bot.platform.context import App
from bot.platform.db.store import Store
from bot.platform.db.tables import now_ms
from engine.match import Phase
from engine.notation import format_play
from tests.wire.contests import create_contest
from tests.wire.discord_server import MEMBER_PERMISSIONS, DiscordServer
from tests.wire.people import WirePerson
from tests.wire.replies import Reply
from tests.wire.tabula import filter_live_messages
from tests.wire.world import MANAGE_GUILD, Interaction, WorldChannel

from .database import Rows
from .table import TortureFailure

Query: TypeAlias = Callable[[str], Awaitable[Rows]]
Deed: TypeAlias = Callable[[], Awaitable[Interaction]]
"""What somebody is about to do in the league, at once and without waiting for an answer."""

GAME = "irish"
PLAYERS = 5
RESERVED = 3
"""The matches that nobody resigns: the deadline is to decide them."""
MAX_TRIES = 10
"""How often people join while the bot has just come up."""
LEAGUE_JOBS = (
    "show contest",
    "start contest",
    "end contest",
    "decide round",
    "throw opening",
    "forfeit matches",
    "annul matches",
)
"""The jobs that bring a league on."""
ANSWERED_S = 20.0
"""Seconds within which an answer comes while nothing is wrong."""
FIRST_ALONE, FIRST_TOGETHER = " won.**", " share the first place.**"
"""How the line ends by which a card tells who came first."""


@dataclass
class TortureLeague:
    """A league of five people, all in one channel, and the results that there have been."""

    server: DiscordServer
    channel: WorldChannel
    query: Query
    count: int = 0
    number: int = 0
    state: str = ""
    message: int = 0
    """The message that shows it."""
    matches: dict[int, int] = field(default_factory=dict)
    """The match of each pairing."""
    results: dict[int, tuple[int | None, str]] = field(default_factory=dict)
    replayed: dict[int, PairingResult] = field(default_factory=dict)
    stale: set[int] = field(default_factory=set)
    """Boards of a future that was lost as a copy was restored."""
    busy: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def organiser(self) -> WirePerson:
        """Who creates and starts it."""
        return self.server.get_person("organiser", permissions=MEMBER_PERMISSIONS | MANAGE_GUILD)

    @property
    def people(self) -> dict[int, WirePerson]:
        """Those who play in it, by their ids."""
        them = [self.server.get_person(f"league-{at}") for at in range(PLAYERS)]
        return {person.id: person for person in them}

    @property
    def name(self) -> str:
        """What it is called."""
        return f"League {self.count}"

    async def ensure_open(self) -> None:
        """Open a league and let everybody join, unless one goes on."""
        if self.state in ("open", "running"):
            return
        self.count += 1
        self.matches.clear()
        self.results.clear()
        self.replayed.clear()
        given = {"name": self.name, "game": GAME}
        terms = {"pace": ["none"]}
        await create_contest(self.organiser, "league", given, terms, self.channel, ANSWERED_S)
        ((self.number,),) = await self.query("SELECT max(id) FROM contests")
        self.state = "open"
        card = await self.server.wait_for_message(
            lambda reply: self._is_card(reply) and bool(reply.find_controls()),
            self.channel,
            timeout=ANSWERED_S,
        )
        missing = set(self.people)
        for _ in range(MAX_TRIES):
            rows = await self.query(f"SELECT person FROM entrants WHERE contest = {self.number}")
            missing = self.people.keys() - {person for (person,) in rows}
            if not missing:
                return
            for person in missing:
                with suppress(TimeoutError):
                    await self.people[person].press(card, card.find_custom_id("Join"))
        raise TortureFailure(f"{len(missing)} cannot join the league")

    def _is_card(self, reply: Reply) -> bool:
        return reply.text.startswith(f"### {self.name}\n")

    def has_request_path(self, path: str) -> bool:
        """Whether a request's path belongs to the league's channel, or to a thread of it."""
        return any(f"/{place.id}/" in path for place in self._list_places())

    def _list_places(self) -> list[WorldChannel]:
        known = self.server.world.channels.values()
        return [self.channel, *(each for each in known if each.parent_id == self.channel.id)]

    def _list_boards(self, match: int) -> set[int]:
        """Return the messages by which a match of it can be played."""
        return {
            reply.message_id or 0
            for place in self._list_places()
            for reply in filter_live_messages(self.server.list_messages(place), match)
        } - self.stale

    def list_left(self) -> list[int]:
        """Return the pairings whose matches go on."""
        return sorted(self.matches.keys() - self.results.keys())

    async def plan_deed(self, store: Store, chance: Random) -> Deed | None:
        """Prepare what somebody does next: start it, resign a match, or roll or play in one.

        None if the bot does not answer.
        """
        with suppress(TimeoutError):
            if self.state == "open":
                return await self._plan_start()
            resignable = self.list_left()[RESERVED:]
            if resignable and chance.random() < 0.6:
                return await self._plan_resignation(store, chance, chance.choice(resignable))
            return await self.plan_turn(store, chance.choice(self.list_left()[:RESERVED]))
        return None

    async def _plan_start(self) -> Deed:
        chosen = {"league": str(self.number)}
        panel = await self.organiser.slash("league manage", chosen, self.channel)
        return lambda: self.organiser.begin_press(panel, panel.find_custom_id("Start now"))

    async def _plan_resignation(self, store: Store, chance: Random, pairing: int) -> Deed:
        match = self.matches[pairing]
        session = await _load_session(store, match)
        person = self.people[chance.choice([seat.person for seat in session.row.seats])]
        reply = await person.slash("match resign", {"match": match}, self.channel)
        return lambda: person.begin_press(reply, reply.find_custom_id("Resign"))

    async def plan_turn(self, store: Store, pairing: int) -> Deed:
        """Prepare what the one whose turn it is in a match does, by a command."""
        session = await _load_session(store, self.matches[pairing])
        assert session.person_to_act is not None
        person = self.people[session.person_to_act]
        place = self.server.world.channels[session.row.thread or session.row.channel]
        match = session.match
        if match.phase is Phase.THROW:
            return lambda: person.begin_slash("roll", None, place)
        play = format_play(match.plays[0].moves, match.rules, match.position)
        return lambda: person.begin_slash("move", {"play": play}, place)

    def describe_unrest(self, jobs: Sequence[tuple[str, str, str | None]]) -> str | None:
        """Return what is still to be done in the league, or None."""
        own = {str(match) for match in self.matches.values()}
        for kind, key, error in jobs:
            if kind in LEAGUE_JOBS or (kind in ("show match", "close turn") and key in own):
                return f"{kind} {key} of the league is not done: {error}"
        return None

    async def rewind(self) -> None:
        """Take what is saved now for all there ever was."""
        self.matches.clear()
        self.results.clear()
        self.replayed.clear()
        ((self.state,),) = await self.query(f"SELECT state FROM contests WHERE id = {self.number}")
        kept = await self.query(f"SELECT message FROM matches WHERE contest = {self.number}")
        boards = {
            reply.message_id or 0
            for place in self._list_places()[1:]
            for reply in self.server.list_messages(place)
        }
        self.stale |= boards - {message for (message,) in kept}

    async def verify(self) -> bool:
        """Hold what is saved against what is known; raises TortureFailure if they differ.

        Return whether there are new results.
        """
        ((state, self.message),) = await self.query(
            f"SELECT state, message FROM contests WHERE id = {self.number}"
        )
        if self.state != "open" and state == "open":
            raise TortureFailure(f"{self.name} was {self.state}, and is open again")
        self.state = state
        pairings = await self.query(
            "SELECT number, first, second, match, winner, how FROM pairings "
            f"WHERE contest = {self.number} ORDER BY number"
        )
        if state != "open":
            await self._verify_pairings(pairings)
        over = {number: (winner, how) for number, *_, winner, how in pairings if how is not None}
        for number, result in self.results.items():
            if over.get(number) != result:
                raise TortureFailure(
                    f"{self.name}: pairing {number} ended with {result}, now {over.get(number)}"
                )
        is_new = len(over) > len(self.results)
        self.results = over
        return is_new

    async def _verify_pairings(self, pairings: Rows) -> None:
        """Check that everybody meets everybody, once, and in the same match as ever."""
        meeting = sorted(tuple(sorted(pair)) for _, *pair, _, _, _ in pairings)
        if meeting != sorted(combinations(sorted(self.people), 2)):
            raise TortureFailure(f"{self.name} is paired so: {meeting}")
        matches = {number: match for number, _, _, match, _, _ in pairings}
        own = f"SELECT count(*) FROM matches WHERE contest = {self.number}"
        if await self.query(own) != [(len(matches),)]:
            raise TortureFailure(f"{self.name} has matches that belong to no pairing")
        if self.matches not in ({}, matches):
            raise TortureFailure(f"{self.name} was played as {self.matches}, now {matches}")
        self.matches = matches

    def describe_display(self) -> str | None:
        """Return what is wrong with what is shown, or None.

        One message shows the league, and one board each match that goes on.
        """
        cards = [each for each in self.server.list_messages(self.channel) if self._is_card(each)]
        if [each.message_id for each in cards] != [self.message]:
            return f"{self.name} is shown by {len(cards)} messages"
        progress = f"Finished matches: {len(self.results)} of {len(self.matches)}."
        if self.matches and progress not in cards[0].text:
            return f"{self.name} does not say that {progress}: {cards[0].text}"
        for number in self.list_left():
            if (boards := len(self._list_boards(self.matches[number]))) != 1:
                return f"{self.name}: pairing {number} has {boards} boards"
        return None

    async def examine(self, store: Store) -> None:
        """Check that results and table are those to which a replay of the matches comes."""
        view = await store.get(Contests).load_view(self.number)
        assert view is not None
        for pairing in view.pairings:
            if pairing.is_over and pairing.number not in self.replayed:
                session = await _load_session(store, pairing.match)
                outcome = session.match.outcome
                assert outcome is not None
                winner = session.list_players(outcome.winner)[0] if outcome.winner else None
                self.replayed[pairing.number] = PairingResult(
                    pairing.first, pairing.second, winner, outcome.how
                )
        self._verify_standings(view)

    def _verify_standings(self, view: ContestView) -> None:
        (division,) = view.list_divisions()
        played = [
            self.replayed.get(each.number, PairingResult(each.first, each.second))
            for each in view.pairings
        ]
        replayed = compute_standings([each.person for each in division], played)
        if (stored := list_tables(view)) != [replayed]:
            raise TortureFailure(f"{self.name} stands at {stored}, a replay comes to {replayed}")

    def verify_announcement(self) -> None:
        """Check that its message says who has won, by the table of the replay."""
        (card,) = (each for each in self.server.list_messages(self.channel) if self._is_card(each))
        standings = compute_standings(sorted(self.people), [*self.replayed.values()])
        first = [f"<@{each.person}>" for each in standings if each.rank == 1]
        ending = FIRST_ALONE if len(first) == 1 else FIRST_TOGETHER
        texts = [line for line in card.text.splitlines() if line.endswith(ending)]
        if len(texts) != 1 or set(re.findall(r"<@\d+>", texts[0])) != set(first):
            raise TortureFailure(f"{self.name} was won by {first}, and says: {card.text}")

    def list_ends(self, decided: Mapping[int, set[int]]) -> dict[int, str]:
        """Return how the matches end that the deadline decides, by who has decided anything."""
        return {
            number: "deadline" if len(decided[self.matches[number]]) == 2 else "forfeited"
            for number in self.list_left()
        }


async def _load_session(store: Store, match: int) -> MatchSession:
    app = App(store, now_ms, os.urandom)
    try:
        return await loading.load_session(app, match)
    finally:
        app.get_part(PlayerPool).close()
