"""A table: two people and a match in a channel of their own, and what is known of that match."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import TypeVar

from bot.platform.ui.controls import strip_mark
from tests.wire.people import Argument, WirePerson
from tests.wire.replies import ComponentKind, Reply
from tests.wire.tabula import (
    CONTROL,
    MAN,
    WireHarness,
    filter_live_messages,
    find_first_control,
    find_match_version,
)
from tests.wire.world import EPHEMERAL, LOADING, THREAD, Interaction, WorldChannel

from .database import Rows

Found = TypeVar("Found")

GAMES = ("zeno", "twelve-dogs", "tabula", "todas-tablas", "irish")


COMPUTERS_GAMES = ("zeno", "twelve-dogs")
ANSWERED_S = 60.0
"""Seconds within which an answer has come to its end, however Discord hinders it."""
DEADLINE_S = 3.2
"""Seconds after which nobody is answered any more."""
BEGUN_S = 45.0
LOOK_S = 0.03
MAX_KEPT = 8
"""Messages of a channel that are kept: nobody scrolls up to the others."""
MAX_REQUESTS = 3000
"""Requests, the last ones, among which the answer to an act is looked for."""
BY_CLOCK = ("timedout", "abandoned")
"""The events by which a clock ends a match: in no run has anybody had the time for that."""
MAN_TRIES = 20
"""How often a man is chosen again while the bot suffers, so that his move can be made."""
MAN_S = 1.0
MAX_TRIES = 6
"""How often somebody asks again for a match to begin while the bot suffers."""


class TortureFailure(AssertionError):
    """The bot broke its promise."""


@dataclass
class MatchKnowledge:
    """What is known of a match: its events, and the highest version ever shown.

    Of each event the cause and the text are kept, in the order of the versions.
    """

    events: list[tuple[str | None, str]] = field(default_factory=list)
    shown: int = 0

    def add_events(self, match: int, rows: Rows) -> None:
        """Take in the events after those that are known.

        Raises TortureFailure where one is missing, was done twice, or ends the match by the clock.
        """
        for version, cause, record in rows:
            if version != len(self.events) + 1:
                raise TortureFailure(f"match {match} has event {version} after {len(self.events)}")
            if found := [each for each in BY_CLOCK if each in str(record)]:
                raise TortureFailure(
                    f"match {match} is ended by the clock at {version}: {found[0]}"
                )
            if cause is not None and cause in {known for known, _ in self.events}:
                raise TortureFailure(
                    f"match {match} has done {cause} twice, the second time at {version}"
                )
            self.events.append((cause, record))


@dataclass
class TortureTable:
    """Where two people play one match after the other. One of `alone` plays against the computer.

    Matches begin in `home`; each is played in `channel`, which is that channel or a thread of it.
    """

    number: int
    wire: WireHarness
    home: WorldChannel
    alone: bool
    slow: bool
    channel: WorldChannel = field(init=False)
    match: int = 0
    known: dict[int, MatchKnowledge] = field(default_factory=dict)
    acts: list[Interaction] = field(default_factory=list)
    """What was done in the fault that is going on."""
    seen: dict[int, int] = field(default_factory=dict)
    """The version of the match that was shown when each of these was done, by its id."""
    choices: list[Interaction] = field(default_factory=list)
    """The men that were chosen in it, by which nothing is saved."""
    busy: asyncio.Lock = field(default_factory=asyncio.Lock)
    _past: deque[Interaction] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self.move_to(self.home)

    @property
    def people(self) -> tuple[WirePerson, WirePerson]:
        """Both of them."""
        return self.wire.ana, self.wire.ben

    @property
    def is_in_thread(self) -> bool:
        """Whether the match is played in a thread of the table's channel."""
        return self.channel.type == THREAD

    def move_to(self, place: WorldChannel) -> None:
        """Go on in another channel or thread."""
        self.channel = place
        self.wire = replace(self.wire, place=place)

    def leave_thread(self) -> None:
        """Go on in the table's channel if the match is played there.

        A thread that begins is not yet left.
        """
        if self.is_in_thread and any(
            map(self.has_match_control, self.wire.server.list_messages(self.home))
        ):
            self.move_to(self.home)

    @property
    def current_knowledge(self) -> MatchKnowledge:
        """What is known of the match that is played."""
        return self.known.setdefault(self.match, MatchKnowledge())

    def list_messages(self) -> list[Reply]:
        """What stands in the channel."""
        return self.wire.server.list_messages(self.channel)

    def list_live_messages(self) -> list[Reply]:
        """The messages by which the match can be played."""
        return filter_live_messages(self.list_messages(), self.match)

    def find_newest_message(self) -> Reply | None:
        """The newest message of the match that can be pressed, None between two of them.

        Others may stand above and below it: the end of an earlier match, which offers a rematch,
        and a bot that is invited again greets, and offers a match of its own.
        """
        return next(filter(self.has_match_control, reversed(self.list_messages())), None)

    def is_over(self) -> bool:
        """Whether the newest message of the match that can be pressed is its last."""
        reply = self.find_newest_message()
        return reply is not None and self._has_rematch_button(reply)

    def has_match_control(self, reply: Reply) -> bool:
        """Whether a message has a control that plays the match, or starts a rematch after it.

        To take something back is all that can be done until the bot has thrown for somebody.
        """
        return self._has_rematch_button(reply) or any(
            int(found["match"]) == self.match
            for each in reply.find_controls()
            if (found := CONTROL.match(each)) and not each.endswith(":back")
        )

    def _has_rematch_button(self, reply: Reply) -> bool:
        return any(strip_mark(each) == f"rematch:{self.match}" for each in reply.find_controls())

    def find_highest_version(self) -> int:
        """The highest version that anything in the channel plays, 0 without anything."""
        return max(
            (find_match_version(each, self.match) or 0 for each in self.list_messages()), default=0
        )

    def has_request_path(self, path: str) -> bool:
        """Whether a request's path belongs to this table.

        It is then the path of one of its channels, or of an answer to one of its people.
        """
        if any(f"/{place.id}/" in path for place in (self.channel, self.home)):
            return True
        return any(each.token in path for each in self.acts)

    def collect_log_marks(self) -> set[str]:
        """What a line of the log may call this table by."""
        messages = {str(each.message_id) for each in self.list_messages()}
        return (
            messages
            | {str(self.channel.id), f"match {self.match}"}
            | {str(each.id) for each in (*self.acts, *self.choices)}
        )

    async def start_match(self, chance: Random) -> None:
        """Begin a match, and return when it can be played.

        Asks again where the bot does not respond.
        """
        self.move_to(self.home)
        if self.match == 0 and self.number % 2:
            await self._choose_own_throws()
        for _ in range(MAX_TRIES):
            game = chance.choice(COMPUTERS_GAMES if self.alone else GAMES)
            if self.alone:
                values: dict[str, Argument] = {"game": game, "level": "beginner"}
                await self._do_and_wait(self.wire.ana.begin_slash("play", values, self.channel))
            else:
                values = {
                    "game": game,
                    "opponent": self.wire.ben,
                    **({"pace": "day"} if self.slow else {}),
                }
                await self._do_and_wait(
                    self.wire.ana.begin_slash("challenge", values, self.channel)
                )
                await self._accept_offer()
            if await self._wait_until(self._find_new_match, BEGUN_S):
                self.acts.clear()
                return
        texts = [each.text for each in self.list_messages()][-3:]
        raise TortureFailure(f"no match begins at table {self.number}: {texts}")

    async def _choose_own_throws(self) -> None:
        """Have both throw their own dice, unless the bot is too busy to answer."""
        with suppress(TimeoutError):
            for person in (self.wire.ana, self.wire.ben):
                panel = await person.slash("me settings", channel=self.home)
                await person.choose(panel, "preferences:", ["play"])
                # The section may be shown a while after the choice was answered.
                shown = await self._wait_until(partial(self._find_throws, person, panel), BEGUN_S)
                if shown and "preference:throws:0" in shown.find_controls():
                    await person.press(shown, "preference:throws:0")

    def _find_throws(self, person: WirePerson, panel: Reply) -> Reply | None:
        """Return somebody's settings once they show who throws."""
        return next(
            (
                each
                for each in person.list_messages(self.home)
                if each.message_id == panel.message_id
                and any(one.startswith("preference:throws:") for one in each.find_controls())
            ),
            None,
        )

    async def _accept_offer(self) -> None:
        def offer() -> Reply | None:
            offers = (
                each
                for each in reversed(self.wire.server.list_messages(self.home))
                if any(":accept" in one for one in each.find_controls())
            )
            return next(offers, None)

        if found := await self._wait_until(offer, BEGUN_S):
            await self._do_and_wait(
                self.wire.ben.begin_press(found, found.find_custom_id("Accept"))
            )

    def _find_new_match(self) -> bool:
        for place in self._list_places():
            newest = self.wire.server.list_messages(place)[-1:]
            found = [
                CONTROL.match(custom_id) for each in newest for custom_id in each.find_controls()
            ]
            numbers = {int(each["match"]) for each in found if each}
            if numbers and max(numbers) != self.match:
                self.match = max(numbers)
                self.move_to(place)
                return True
        return False

    def _list_places(self) -> list[WorldChannel]:
        """Return where a match may be shown: the channel's newest thread, then the channel."""
        channels = self.wire.server.world.channels.values()
        threads = [each for each in channels if each.parent_id == self.home.id]
        return [*threads[-1:], self.home]

    async def act_and_wait(self, *, typed: bool = False) -> Interaction:
        """Do what the newest message asks for, and wait until it is acknowledged.

        The wait also ends when Discord waits no longer.
        """
        return await self._do_and_wait(self.type_command() if typed else self.press_control())

    async def use_command(self, command: str, values: dict[str, Argument]) -> Interaction:
        """Let the first person use a command, and wait as `act` does.

        The command does not count among what is done in the match.
        """
        act = await self.wire.ana.begin_slash(command, values, self.channel)
        await self._wait_until(lambda: act.answered is not None, DEADLINE_S)
        return act

    async def press_control(self) -> Interaction:
        """Press the newest message's first button, or choose from its first menu.

        Does not wait for an answer, but that to a man who is to be chosen before his move: nothing
        is saved by that, so it does not count among what is done.
        """
        for _ in range(MAN_TRIES):
            reply = await self.wait_for_controls()
            if not MAN.match(self._find_control(reply)):
                break
            self.choices.append(await self._use_control(reply))
            await self._wait_until(self._has_moves, MAN_S)
        return await self._use_control(await self.wait_for_controls())

    async def wait_for_controls(self) -> Reply:
        """Wait for a message of the match that can be pressed: a turn's ends before the next."""
        reply = await self._wait_until(self.find_newest_message, BEGUN_S)
        if reply is None:
            texts = [each.text for each in self.list_messages()][-3:]
            raise TortureFailure(f"match {self.match} shows nothing to press: {texts}")
        return reply

    def _has_moves(self) -> bool:
        """Whether the newest message's first control does something in the match."""
        reply = self.find_newest_message()
        return reply is not None and not MAN.match(self._find_control(reply))

    def _find_control(self, reply: Reply) -> str:
        """Return the first control of the match itself, or what its last message has first."""
        own = [
            each
            for each in reply.find_controls()
            if (found := CONTROL.match(each))
            and int(found["match"]) == self.match
            and not each.endswith(":back")
        ]
        first = find_first_control(reply)
        return own[0] if own and first not in own else first

    async def _use_control(self, reply: Reply) -> Interaction:
        person = self.wire.get_next_player(reply)
        return await person.begin_use(reply, self._find_control(reply))

    async def type_command(self) -> Interaction:
        """Do by a command what the newest message asks for, without waiting.

        What no command does is pressed.
        """
        reply = await self.wait_for_controls()
        person = self.wire.get_next_player(reply)
        custom_id = self._find_control(reply)
        control = reply.find_controls()[custom_id]
        if control["type"] == ComponentKind.STRING_SELECT and custom_id.startswith("plays"):
            return await person.begin_slash(
                "move", {"play": control["options"][0]["value"]}, self.channel
            )
        if control.get("label") == "Roll":
            return await person.begin_slash("roll", None, self.channel)
        return await self.press_control()

    async def begin_action(self, *, typed: bool = False) -> None:
        """Act without waiting for an answer, unless the match is over."""
        await self.wait_for_controls()
        # Asked only now: what was done just before may have ended it, and a rematch is not meant.
        if not self.is_over():
            await self._begin(self.type_command() if typed else self.press_control())

    async def wait_for_answers(self) -> None:
        """Wait until all that was done is acknowledged, or is waited for no more."""
        await self._wait_until(
            lambda: all(act.answered is not None for act in self.acts), DEADLINE_S
        )

    async def _do_and_wait(self, deed: Awaitable[Interaction]) -> Interaction:
        act = await self._begin(deed)
        await self._wait_until(lambda: act.answered is not None, DEADLINE_S)
        return act

    async def _begin(self, deed: Awaitable[Interaction]) -> Interaction:
        """Let somebody act, and keep what was shown when they did."""
        seen = self.find_highest_version()
        act = await deed
        self.acts.append(act)
        self.seen[act.id] = seen
        return act

    async def _wait_until(self, look: Callable[[], Found], timeout: float) -> Found:
        ends = time.monotonic() + timeout
        while not (found := look()) and time.monotonic() < ends:  # noqa: ASYNC110 - it polls
            await asyncio.sleep(LOOK_S)
        return found

    def is_overtaken(self, act: Interaction) -> bool:
        """Whether something else has happened in the state that was shown when this was done.

        If it is what was asked for, as by a second press or the bot's own roll, nothing is said.
        """
        seen = self.seen.get(act.id)
        return seen is not None and len(self.current_knowledge.events) > seen

    def has_private_answer(self, act: Interaction) -> bool:
        """Whether the one who acted was told something alone."""
        world = self.wire.server.world
        alone = (
            each
            for each in world.messages.values()
            if each.interaction is act and each.flags & EPHEMERAL
        )
        if any(not each.flags & LOADING for each in alone):
            return True
        # Or the message that was pressed says now that it is old; or the channel that had the
        # answer is deleted.
        latest = reversed(self.wire.server.requests[-MAX_REQUESTS:])
        return any(
            one.method in ("PATCH", "POST")
            and "/webhooks/" in one.path
            and act.token in one.path
            and one.is_success
            for one in latest
        )

    def forget_past(self) -> None:
        """Drop what nobody looks at any more.

        That is what was done in the fault, and all but the newest messages.
        """
        world = self.wire.server.world
        now = asyncio.get_running_loop().time()
        self._past.extend((*self.acts, *self.choices))
        self.acts.clear()
        self.seen.clear()
        self.choices.clear()
        # The bot may still be at the end of an answer.
        while self._past and now - self._past[0].born > ANSWERED_S:
            world.interactions.pop(self._past.popleft().token, None)
        for place in {self.channel.id, self.home.id}:
            here = [each.id for each in world.messages.values() if each.channel_id == place]
            for old in here[:-MAX_KEPT]:
                del world.messages[old]
        threads = [each for each in world.channels.values() if each.parent_id == self.home.id]
        for past in threads[:-1]:
            if past is not self.channel:
                world.delete_channel(past)
