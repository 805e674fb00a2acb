"""A season: forty matches of all games among ten people in one channel.

It takes weeks of the bot's own clock. By hand, for as many days as you like, it counts the
messages: `.venv/bin/python -m tests.support.season 28`.
"""

import asyncio
import random
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path
from typing import Any

import discord
import simcord
from simcord.results import to_discord_message

from bot.features.matches import loading
from bot.features.matches.rows import MatchRow
from bot.features.matches.session import THROW_DELAY_MS, MatchSession
from bot.features.matches.store import Matches
from bot.platform import outages
from bot.platform.time_zones import find_quiet_end, parse_quiet_hours
from engine.clock import DAY, HOUR, MINUTE
from engine.games import GAMES
from engine.match import BOTH_THROW_PHASES, Phase
from tests.support.club import SimulatedClub, open_club
from tests.support.driver import (
    find_button,
    give_up,
    list_button_labels,
    list_control_ids,
    list_menus,
)
from tests.support.panels import change_server, change_settings
from tests.support.simulator import PATIENCE_S

MODES: Mapping[str, Mapping[str, bool]] = {
    "a message a turn": {"threads": False, "single": False},
    "a thread a match": {"threads": True, "single": False},
    "a message a match": {"threads": False, "single": True},
}
MATCHES = 40
NAMES = ("ana", "ben", "cyn", "dan", "eve", "fay", "gil", "hal", "ida", "jon")
PACES = ("day", "three-days", "three-days", "week", "week", "10d+12h", "none")
QUIET = "22-7"
HOURS = (3, 8, 14, 20)
"""When people look at the channel; the first is in the quiet hours."""
MONDAY = 1_772_409_600_000
"""2 March 2026, at midnight UTC."""
TURN = 6
"""More presses than a turn takes."""
OUTAGES = {4: 30 * HOUR, 8: 4 * DAY}
"""For how long the bot is down, by the day on which that begins."""


@dataclass(frozen=True)
class Post:
    """A message as it was posted: when, where, its text, and who is notified.

    It says as well whether somebody had just acted.
    """

    at: int
    channel: int
    text: str
    calls: tuple[int, ...]
    silent: bool
    pressed: bool


@dataclass
class DiscordSeason:
    """The channel, those who play in it, and all that was posted."""

    club: SimulatedClub
    mode: str
    matches: int
    people: dict[int, simcord.MemberActor]
    chance: random.Random
    posts: list[Post] = field(default_factory=list)
    removed: int = 0
    edits: int = 0
    pressing: bool = False

    def record_event(self, event: str, payload: Any) -> None:
        """Take down what is posted, changed or taken away for everyone to see."""
        if (
            event == "MESSAGE_CREATE"
            and not payload["flags"] & discord.MessageFlags(ephemeral=True).value
        ):
            # The simulator takes everybody named as notified; what counts is whom the bot notifies.
            allowed = (self.club.env.http_requests[-1].json or {}).get("allowed_mentions", {})
            calls = tuple(map(int, allowed.get("users", ())))
            silent = bool(
                payload["flags"] & discord.MessageFlags(suppress_notifications=True).value
            )
            text = "\n".join(_walk_texts(payload["components"]))
            self.posts.append(
                Post(
                    self.club.hands(),
                    int(payload["channel_id"]),
                    text,
                    calls,
                    silent,
                    pressed=self.pressing,
                )
            )
        self.removed += event == "MESSAGE_DELETE"
        self.edits += event == "MESSAGE_UPDATE"

    @contextmanager
    def mark_as_answer(self) -> Iterator[None]:
        """Know what is posted meanwhile as an answer."""
        self.pressing = True
        try:
            yield
        finally:
            self.pressing = False

    @property
    def day(self) -> int:
        """How many days have gone by."""
        return (self.club.hands() - MONDAY) // DAY

    def is_quiet(self, at: int) -> bool:
        """Whether an instant is in the quiet hours."""
        return find_quiet_end(parse_quiet_hours(QUIET)[0], UTC, at) is not None

    async def load_row(self, match: int) -> MatchRow:
        """A match as it is stored."""
        found = await self.club.store.get(Matches).load_row(match)
        assert found
        return found

    async def list_running(self) -> list[int]:
        """The matches that go on."""
        rows = [await self.load_row(match) for match in range(1, self.matches + 1)]
        return [row.id for row in rows if row.ended is None]

    def get_message(self, row: MatchRow) -> discord.Message:
        """The live message of a match."""
        return get_message_by_id(self.club, row.channel, row.message)

    async def wait_until_hour(self, hour: int) -> None:
        """Let time go by until an hour of the day, with the bot there all the time."""
        now = self.club.hands()
        wait = (hour * HOUR - now % DAY) % DAY
        self.club.hands.ahead += wait
        # The program records every twenty seconds that it runs; here almost no time has passed.
        await record_presence(self.club)
        await self.club.advance_clock(0)


async def stop_bot_for(club: SimulatedClub, milliseconds: int) -> None:
    """Let a club's bot be down for so long."""
    await outages.record_heartbeat(club.bot.app)
    # The simulator ends its connection, but knows nothing of what runs beside that.
    await club.bot.runner.stop(PATIENCE_S)
    club.hands.ahead += milliseconds
    bot = await club.restart_bot()
    club.bot = bot
    await outages.record_heartbeat(bot.app)
    await club.advance_clock(0)


def _walk_texts(components: Sequence[Any]) -> Iterator[str]:
    for part in components:
        if "content" in part:
            yield part["content"]
        yield from _walk_texts(part.get("components", ()))


def get_message_by_id(club: SimulatedClub, channel: int, message: int | None) -> discord.Message:
    """A message by its id."""
    assert message is not None
    return to_discord_message(club.env, club.env.backend.messages[channel][message])


async def record_presence(club: SimulatedClub) -> None:
    """Let the program have been there until now."""
    own = club.bot.app.shards
    await club.store.pauses.record_presence(own.numbers, own.count, club.hands())


@asynccontextmanager
async def open_season(
    path: Path, mode: str, matches: int = MATCHES, seed: int = 7, first_game: int = 0
) -> AsyncIterator[DiscordSeason]:
    """Open a club of ten, whose server wishes so many messages, and begin so many matches."""
    async with open_club(path) as club:
        club.hands.ahead += MONDAY + 7 * HOUR + HOUR // 2 - club.hands()
        await record_presence(club)
        members = [club.ana, club.ben, club.cyn]
        others = [
            club.env.create_user(name, global_name=name.title()) for name in NAMES[len(members) :]
        ]
        members += map(club.guild.add_member, others)
        season = DiscordSeason(
            club, mode, matches, {person.id: person for person in members}, random.Random(seed)
        )
        club.env.backend.subscribers.append(season.record_event)
        await change_server(club.ana, club.channel, **MODES[mode], quiet=QUIET)
        # One gets reminders by direct message, one gets none, and two throw by hand.
        await change_settings(members[3], club.channel, reminders="direct")
        await change_settings(members[4], club.channel, reminders="never")
        for person in members[5:7]:
            await change_settings(person, club.channel, throws=False)
        with season.mark_as_answer():
            await _start_matches(season, members, first_game)
        yield season


async def _start_matches(
    season: DiscordSeason, members: Sequence[simcord.MemberActor], first_game: int
) -> None:
    games = list(GAMES)
    for number in range(season.matches):
        one = members[number % len(members)]
        other = members[(number + 1 + number // len(members)) % len(members)]
        game = games[(first_game + number) % len(games)]
        await start_match(season, one, other, game, PACES[number % len(PACES)])


async def start_match(
    season: DiscordSeason,
    one: simcord.MemberActor,
    other: simcord.MemberActor,
    game: str,
    pace: str,
) -> None:
    """Let one challenge the other, who accepts."""
    club = season.club
    await one.slash(club.channel, "challenge", game=game, opponent=other, pace=pace)
    message = to_discord_message(
        club.env, list(club.env.backend.messages[club.channel.id].values())[-1]
    )
    await other.click(message, custom_id=find_button(message, ":accept"))
    # Nobody makes many challenges a minute.
    club.hands.ahead += MINUTE // 4


async def play_turn(season: DiscordSeason, match: int) -> None:
    """Let the one to act in a match do all of their turn, by its buttons and menus."""
    with season.mark_as_answer():
        first = await loading.load_session(season.club.bot.app, match)
        for _ in range(TURN):
            session = await loading.load_session(season.club.bot.app, match)
            over = session.match.phase is Phase.OVER
            if over or (
                session.match.phase not in BOTH_THROW_PHASES
                and session.person_to_act != first.person_to_act
            ):
                return
            await press_control(season, session)


async def press_control(season: DiscordSeason, session: MatchSession) -> None:
    """Press the first button of a match, or choose anything from its menu."""
    message = season.get_message(session.row)
    person = season.people[session.person_to_act]
    if list_menus(message):
        menu = list_menus(message)[0]
        await person.select(
            message, custom_id=menu.custom_id, values=[season.chance.choice(menu.options).value]
        )
        return
    acts = [
        each
        for each in list_control_ids(message)
        if each.split(":")[-1] not in ("back", "agree", "decline", "claim")
    ]
    if acts:
        await person.click(message, custom_id=acts[0])
    else:
        # The bot throws for whoever lets it, once the turn before can't be taken back.
        await season.club.advance_clock(THROW_DELAY_MS)


async def simulate_day(season: DiscordSeason, turns: int) -> None:
    """Let a day go by in which so many turns are played, and what else people do in a day."""
    club, chance = season.club, season.chance
    if season.day in OUTAGES:
        await stop_bot_for(club, OUTAGES[season.day])
    for hour in (*HOURS[1:], HOURS[0]):
        await season.wait_until_hour(hour)
        running = await season.list_running()
        awake = 1 if season.is_quiet(club.hands()) else (turns - 1) // 3
        for match in chance.sample(running, min(awake, len(running))):
            await play_turn(season, match)
        if not season.is_quiet(club.hands()):
            await _do_side_actions(season)
    await club.advance_clock(0)


async def _do_side_actions(season: DiscordSeason) -> None:
    """Let something happen that is no play.

    That is a claim, more time, a vacation, a draw, a resignation, or a moderator's act.
    """
    club, chance = season.club, season.chance
    sessions = [
        await loading.load_session(club.bot.app, match) for match in await season.list_running()
    ]
    with season.mark_as_answer():
        late = [
            each
            for each in sessions
            if each.late and "Claim the win" in list_button_labels(season.get_message(each.row))
        ]
        for session in late[:2]:
            other = season.people[session.waiting_players[0]]
            what = chance.choice(("claim", "grant", "wait"))
            if what != "wait":
                message = season.get_message(session.row)
                await other.click(message, custom_id=find_button(message, f":{what}"))
        going_on = await season.list_running()
        if not going_on:
            return
        session = await loading.load_session(club.bot.app, chance.choice(going_on))
        person = season.people[session.person_to_act]
        match chance.randrange(12):
            case 0:
                await person.slash(club.channel, "me vacation", days=chance.randint(1, 5))
            case 1:
                await give_up(club, person, club.channel, match=session.id)
            case 2:
                await person.slash(club.channel, "match draw", match=session.id)
                other = season.people[session.waiting_players[0]]
                if session.match.phase not in BOTH_THROW_PHASES:
                    await other.slash(club.channel, "match draw", match=session.id)
            case 3:
                how = chance.choice(("gold", "black", "draw", "annul"))
                await club.ana.slash(
                    club.channel, "server end", match=session.id, how=how, reason="they agreed so"
                )
            case _:
                return


async def wait_out_clocks(season: DiscordSeason) -> None:
    """Let nobody do anything any more until every match is over by the clock."""
    for _ in range(100):
        if not await season.list_running():
            return
        season.club.hands.ahead += DAY
        await season.wait_until_hour(HOURS[2])
    raise AssertionError(await season.list_running())


def format_counts(season: DiscordSeason, days: int) -> str:
    """Tell how many messages a day were posted, changed, taken away and stayed."""
    club = season.club
    main = [post for post in season.posts if post.channel == club.channel.id]
    calling = [post for post in season.posts if post.calls]
    left = len(club.env.backend.messages[club.channel.id])
    kinds = Counter(_classify_post(post) for post in season.posts)
    return (
        f"{season.mode}: {len(season.posts) / days:.1f} posts a day, "
        f"{len(main) / days:.1f} of them in the channel, "
        f"{len(calling) / days:.1f} notify somebody; "
        f"{season.edits / days:.1f} edits, {season.removed / days:.1f} "
        f"taken away; {left} messages stand in the channel at the end; {dict(kinds)}"
    )


def _classify_post(post: Post) -> str:
    for words, kind in (
        ("your time in", "reminder"),
        ("it's your turn in", "call"),
        ("has run out. You can claim", "late"),
        ("challenges", "challenge"),
        ("###", "board"),
    ):
        if words in post.text:
            return kind
    return "other"


async def main(days: int) -> None:
    """Live a season in each mode and count its messages."""
    for mode in MODES:
        with tempfile.TemporaryDirectory() as folder:
            async with open_season(Path(folder) / "season.sqlite3", mode) as season:
                season.posts.clear()
                season.edits = season.removed = 0
                began = season.club.hands()
                for _ in range(days):
                    await simulate_day(season, 22)
                sys.stdout.write(f"{format_counts(season, (season.club.hands() - began) // DAY)}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
