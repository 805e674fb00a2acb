"""A club that really played: five people, twenty finished matches and some that go on.

People gave up half of the finished matches.
"""

from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from bot.features.challenges.terms import MatchRequest
from bot.features.matches import loading
from bot.features.matches import service as play
from bot.features.matches.service import resign_match
from bot.features.matches.session import MatchSession
from bot.platform.db.store import Store
from bot.platform.db.tables import load_metadata, now_ms
from bot.platform.people import DiscordPerson
from engine.clock import DAY, HOUR
from engine.events import Event, Thrown
from engine.match import BOTH_THROW_PHASES, Phase
from engine.players.decide import decide_event
from engine.players.level import Level
from tests.support.match_season import MatchSeason

GUILD = 1_000_000_000_000_000_000
CHANNEL = 1_100_000_000_000_000_000
FIRST_PERSON = 1_200_000_000_000_000_000
FIRST_CAUSE = 1_300_000_000_000_000_000
"""Ids are as long as Discord's."""
PEOPLE = tuple(DiscordPerson(FIRST_PERSON + number, f"Person {number}") for number in range(5))
ENDED = 20
GAMES = ("backgammon", "twelve-dogs", "backgammon", "backgammon", "zeno")
GOING_ON = ("backgammon", "todas-tablas", "tabula", "zeno")
"""The games of the matches that go on, of the first two people."""
BETWEEN = 8 * HOUR
"""Milliseconds between the beginnings of two matches."""
ACTS = 16
"""How far matches have come that go on."""
ENOUGH = 26
"""How far they have come when somebody gives up."""
LONGEST = 10_000
"""More than is done in any match."""

Rows = Mapping[str, list[dict[str, Any]]]
"""What a database holds, by table."""


class BenchClub(MatchSeason):
    """People who play as well as they can, at their own pace."""

    def build_request(self, person: DiscordPerson) -> MatchRequest:
        """A wish of somebody's, in the club's channel."""
        return MatchRequest(GUILD, CHANNEL, person, f"asked {next(self.causes)}")

    async def finish_match(self, match: int, most: int) -> None:
        """Play to the end; after so much somebody gives up."""
        await self.play_match(match, most)
        session = await loading.load_session(self.app, match)
        if session.match.phase is not Phase.OVER:
            person = DiscordPerson(session.person_to_act, session.names[session.person_to_act])
            await resign_match(self.app, self.build_action(match, person))
            await self.show_match(match)

    def _choose_event(self, session: MatchSession) -> Event:
        if session.match.phase in BOTH_THROW_PHASES:
            return play.build_opening_roll(session)
        event = decide_event(session.match, Level.COMPANION, seed=1)
        return event or Thrown(session.throw())


async def play_club_season(file: Path, longest: int = LONGEST) -> Rows:
    """Let a club play in a file that is not there yet, and return all that it then holds.

    Those matches that are over have the first numbers. In none of them is more done than `longest`
    says: then somebody gives up.
    """
    began = now_ms() - ENDED * BETWEEN - DAY
    async with await Store.open(file) as store:
        season = BenchClub(store, now=began, causes=count(FIRST_CAUSE))
        for number in range(ENDED):
            season.now = began + number * BETWEEN
            gold = number % len(PEOPLE)
            black = (gold + 1 + number // len(PEOPLE) % 4) % len(PEOPLE)
            given_up = number % 2 == 1
            game = "backgammon" if given_up else GAMES[number // 2 % len(GAMES)]
            match = await season.start_match(game, PEOPLE[gold], PEOPLE[black])
            await season.finish_match(match, min(ENOUGH, longest) if given_up else longest)
        season.now = now_ms()
        for game in GOING_ON:
            match = await season.start_match(game, *PEOPLE[:2], pace="day")
            await season.play_match(match, ACTS)
        return await store._database.read(_load_rows)  # noqa: SLF001 - what is copied is copied whole


def _load_rows(connection: Connection) -> Rows:
    return {
        table.name: [dict(row) for row in connection.execute(select(table)).mappings()]
        for table in load_metadata().sorted_tables
    }
