"""A season of matches as people play them.

It goes by the use cases, without Discord, on a clock that only moves when the test moves it.
"""

from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from bot.app import challenge, computers_turn, moderation, play
from bot.app.challenge import Asked, Wish
from bot.app.context import App
from bot.app.people import Person
from bot.app.play import Action
from bot.app.sitting import Sitting
from bot.store import Posted, Store
from engine.clock import DAY, read_pace
from engine.events import Event, Thrown
from engine.games import GAMES
from engine.match import BOTH_THROW, Phase
from engine.players.level import Level
from engine.playout import next_event
from tests.store.build import plainly

BEGAN = 1_800_000_000_000
GUILD, CHANNEL = 1, 2
ANA, BEN, CYN, DAN = (
    Person(1000 + number, name) for number, name in enumerate(("Ana", "Ben", "Cyn", "Dan"))
)
SOON = 60_000
"""Milliseconds within which a job is due that is due now or as soon as others are notified."""


@dataclass
class Season:
    """People who play on one store; whatever is drawn is the same in every run."""

    store: Store
    chance: Random = field(default_factory=lambda: Random("a season"))
    now: int = BEGAN
    causes: Any = field(default_factory=count)

    def __post_init__(self) -> None:
        self.app = App(self.store, self._clock, self.chance.randbytes)

    def _clock(self) -> int:
        self.now += 7
        return self.now

    def asked(self, person: Person) -> Asked:
        """A wish of somebody's, in the channel."""
        return Asked(GUILD, CHANNEL, person, f"asked {next(self.causes)}")

    async def begin(
        self,
        game: str,
        gold: Person = ANA,
        black: Person = BEN,
        *others: Person,
        pace: str = "none",
        **options: str,
    ) -> int:
        """Begin a rated match; the others join where there is room."""
        wish = Wish(GAMES[game], options, rated=True, pace=read_pace(pace))
        offered = await challenge.offer(self.app, self.asked(gold), None, wish)
        match = None
        for person in (black, *others):
            match = (await challenge.accept(self.app, offered.id, self.asked(person), None)).match
        assert match is not None
        await self.shown(match)
        return match

    async def offer(self) -> int:
        """Leave a challenge open, which is shown."""
        offered = await challenge.offer(self.app, self.asked(DAN), None, Wish(GAMES["zeno"], {}))
        await self._do_what_is_due()
        return offered.id

    async def against_computer(self, game: str, person: Person = ANA) -> int:
        """Begin a rated match against the computer at its weakest."""
        joined = await challenge.play_computer(
            self.app, self.asked(person), Wish(GAMES[game], {}), Level.BEGINNER
        )
        assert joined.match is not None
        await computers_turn.play_on(self.app, joined.match)
        await self.shown(joined.match)
        return joined.match

    async def play(self, match: int, most: int = 10_000) -> None:
        """Play at random, to the end or so many events on."""
        for _ in range(most):
            sitting = await play.load(self.app, match)
            if sitting.match.phase is Phase.OVER:
                break
            if sitting.computer_acts:
                await computers_turn.play_on(self.app, match)
                continue
            person = Person(sitting.to_act, sitting.names[sitting.to_act])
            await play.act(self.app, self.action(match, person), self._decide)
        await self.shown(match)

    def action(self, match: int, person: Person) -> Action:
        """Something that somebody does in a match."""
        return Action(match, person, f"did {next(self.causes)}")

    def _decide(self, sitting: Sitting) -> Event:
        if sitting.match.phase in BOTH_THROW:
            return play.battled(sitting)
        if sitting.match.phase is Phase.THROW:
            return Thrown(sitting.throw())
        return next_event(sitting.match, self.chance)

    async def shown(self, match: int) -> None:
        """Do the due jobs as Discord would be asked to: show the match, and notify others."""
        row = await self.store.matches.get(match)
        assert row is not None
        live = Posted(row.message or 9000 + match, row.channel, row.version, row.version)
        await self.store.matches.posted(match, live, None)
        await self._do_what_is_due()

    async def _do_what_is_due(self) -> None:
        for job in await self.store.jobs.due(self.now + SOON, 1000):
            await self.store.jobs.done(job)


async def every_kind(season: Season) -> None:
    """Play matches that end in every way, and leave one running."""
    backgammon = await season.begin("backgammon")
    await season.play(backgammon)
    team = await season.begin("pyf", ANA, BEN, CYN, DAN, players="2")
    await season.play(team, 30)
    await play.resign(season.app, season.action(team, CYN))
    drawn = await season.begin("zeno", BEN, CYN, pace="day")
    await season.play(drawn, 25)
    await play.draw(season.app, season.action(drawn, BEN))
    await play.accept_draw(season.app, season.action(drawn, CYN))
    lost = await season.begin("backgammon", CYN, DAN, pace="day")
    await season.play(lost, 20)
    sitting = await play.load(season.app, lost)
    season.now += 3 * DAY
    waiting = sitting.waiting[0]
    await play.claim(season.app, season.action(lost, Person(waiting, sitting.names[waiting])))
    annulled = await season.begin("backgammon", ANA, DAN)
    await season.play(annulled)
    later = await season.begin("backgammon", DAN, BEN)
    await season.play(later)
    await moderation.end(
        season.app, season.action(annulled, CYN), GUILD, moderation.ANNUL, "a slip"
    )
    await moderation.rate_anew(season.app, annulled)
    alone = await season.against_computer("backgammon")
    await season.play(alone)
    running = await season.begin("tabula", BEN, ANA)
    await season.play(running, 12)
    for match in (team, drawn, lost, annulled):
        await season.shown(match)
    await season.offer()


def gone_through(file: Path) -> str:
    """Return the report on a file whose every match was replayed.

    The computer plays differently when it has learnt more.
    """
    with plainly(file) as connection:
        (matches,) = connection.execute("SELECT count(*) FROM matches").fetchone()
        (events,) = connection.execute("SELECT count(*) FROM events").fetchone()
    return f"{matches} matches with {events} events replayed"
