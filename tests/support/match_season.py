"""A season of matches as people play them.

It goes by the use cases, without Discord, on a clock that only moves when the test moves it.
"""

from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from bot.features.challenges import computer_seats
from bot.features.challenges import service as challenge
from bot.features.challenges.terms import MatchRequest, MatchTerms
from bot.features.computer import jobs as computers_turn
from bot.features.matches import loading
from bot.features.matches import service as play
from bot.features.matches.rows import LiveMessage
from bot.features.matches.service import Action, accept_draw, claim_match, offer_draw, resign_match
from bot.features.matches.session import MatchSession
from bot.features.matches.store import Matches
from bot.features.moderation import service as moderation
from bot.platform.context import App
from bot.platform.db.store import Store
from bot.platform.people import DiscordPerson
from engine.clock import DAY, parse_pace
from engine.events import Event, Thrown
from engine.games import GAMES
from engine.match import BOTH_THROW_PHASES, Phase
from engine.players.level import Level
from engine.playout import choose_event
from tests.support.stored import connect_directly, load_due

BEGAN = 1_800_000_000_000
GUILD, CHANNEL = 1, 2
ANA, BEN, CYN, DAN = (
    DiscordPerson(1000 + number, name) for number, name in enumerate(("Ana", "Ben", "Cyn", "Dan"))
)
SOON = 60_000
"""Milliseconds within which a job is due that is due now or as soon as others are notified."""


@dataclass
class MatchSeason:
    """People who play on one store; whatever is drawn is the same in every run."""

    store: Store
    chance: Random = field(default_factory=lambda: Random("a season"))
    now: int = BEGAN
    causes: Any = field(default_factory=count)

    def __post_init__(self) -> None:
        self.app = App(self.store, self._tick, self.chance.randbytes)

    def _tick(self) -> int:
        self.now += 7
        return self.now

    def build_request(self, person: DiscordPerson) -> MatchRequest:
        """A wish of somebody's, in the channel."""
        return MatchRequest(GUILD, CHANNEL, person, f"asked {next(self.causes)}")

    async def start_match(
        self,
        game: str,
        gold: DiscordPerson = ANA,
        black: DiscordPerson = BEN,
        *others: DiscordPerson,
        pace: str = "none",
        **options: str,
    ) -> int:
        """Begin a rated match; the others join where there is room."""
        terms = MatchTerms(GAMES[game], options, rated=True, pace=parse_pace(pace))
        offered = await challenge.offer_match(self.app, self.build_request(gold), None, terms)
        match = None
        for person in (black, *others):
            match = (
                await challenge.accept_challenge(
                    self.app, offered.id, self.build_request(person), None
                )
            ).match
        assert match is not None
        await self.show_match(match)
        return match

    async def leave_challenge(self) -> int:
        """Leave a challenge open, which is shown."""
        offered = await challenge.offer_match(
            self.app, self.build_request(DAN), None, MatchTerms(GAMES["zeno"], {})
        )
        await self._finish_due_jobs()
        return offered.id

    async def start_computer_match(self, game: str, person: DiscordPerson = ANA) -> int:
        """Begin a rated match against the computer at its weakest."""
        result = await computer_seats.play_computer(
            self.app, self.build_request(person), MatchTerms(GAMES[game], {}), Level.BEGINNER
        )
        assert result.match is not None
        await computers_turn.play_turn(self.app, result.match)
        await self.show_match(result.match)
        return result.match

    async def play_match(self, match: int, most: int = 10_000) -> None:
        """Play at random, to the end or so many events on."""
        for _ in range(most):
            session = await loading.load_session(self.app, match)
            if session.match.phase is Phase.OVER:
                break
            if session.is_computer_acting:
                await computers_turn.play_turn(self.app, match)
                continue
            person = DiscordPerson(session.person_to_act, session.names[session.person_to_act])
            await play.apply_action(self.app, self.build_action(match, person), self._choose_event)
        await self.show_match(match)

    def build_action(self, match: int, person: DiscordPerson) -> Action:
        """Something that somebody does in a match."""
        return Action(match, person, f"did {next(self.causes)}")

    def _choose_event(self, session: MatchSession) -> Event:
        if session.match.phase in BOTH_THROW_PHASES:
            return play.build_opening_roll(session)
        if session.match.phase is Phase.THROW:
            return Thrown(session.throw())
        return choose_event(session.match, self.chance)

    async def show_match(self, match: int) -> None:
        """Do the due jobs as Discord would be asked to: show the match, and notify others."""
        row = await self.store.get(Matches).load_row(match)
        assert row is not None
        live = LiveMessage(row.message or 9000 + match, row.channel, row.version, row.version)
        await self.store.get(Matches).save_live_message(match, live, None)
        await self._finish_due_jobs()

    async def _finish_due_jobs(self) -> None:
        for job in await load_due(self.store.jobs, self.now + SOON, 1000):
            await self.store.jobs.finish(job)


async def play_every_kind(season: MatchSeason) -> None:
    """Play matches that end in every way, and leave one running."""
    backgammon = await season.start_match("backgammon")
    await season.play_match(backgammon)
    team = await season.start_match("pyf", ANA, BEN, CYN, DAN, players="2")
    await season.play_match(team, 30)
    await resign_match(season.app, season.build_action(team, CYN))
    drawn = await season.start_match("zeno", BEN, CYN, pace="day")
    await season.play_match(drawn, 25)
    await offer_draw(season.app, season.build_action(drawn, BEN))
    await accept_draw(season.app, season.build_action(drawn, CYN))
    lost = await season.start_match("backgammon", CYN, DAN, pace="day")
    await season.play_match(lost, 20)
    session = await loading.load_session(season.app, lost)
    season.now += 3 * DAY
    waiting = session.waiting_players[0]
    await claim_match(
        season.app, season.build_action(lost, DiscordPerson(waiting, session.names[waiting]))
    )
    annulled = await season.start_match("backgammon", ANA, DAN)
    await season.play_match(annulled, 15)
    await resign_match(season.app, season.build_action(annulled, DAN))
    later = await season.start_match("backgammon", DAN, BEN)
    await season.play_match(later, 15)
    await resign_match(season.app, season.build_action(later, BEN))
    await moderation.end_match(
        season.app, season.build_action(annulled, CYN), GUILD, moderation.ANNUL, "a slip"
    )
    await moderation.rerate_matches(season.app, annulled)
    alone = await season.start_computer_match("backgammon")
    await season.play_match(alone, 20)
    await resign_match(season.app, season.build_action(alone, ANA))
    await season.show_match(alone)
    running = await season.start_match("tabula", BEN, ANA)
    await season.play_match(running, 12)
    for match in (team, drawn, lost, annulled, later):
        await season.show_match(match)
    await season.leave_challenge()


def format_replay_report(file: Path) -> str:
    """Return the report on a file whose every match was replayed.

    The computer plays differently when it has learnt more.
    """
    with connect_directly(file) as connection:
        (matches,) = connection.execute("SELECT count(*) FROM matches").fetchone()
        (events,) = connection.execute("SELECT count(*) FROM events").fetchone()
    return f"{matches} matches with {events} events replayed"
