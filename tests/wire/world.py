"""State of the stand-in: accounts, channels, messages, interactions, and the bot's requests."""

import itertools
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .faults import FaultInjector
from .replies import MessageFile, Reply
from .sessions import ChangeSignal, GatewaySessions, Json

EPOCH_MS = 1_420_070_400_000
"""Discord's epoch (1 January 2015); ids hold the milliseconds since it above their low 22 bits."""
EPHEMERAL, LOADING, COMPONENTS_V2 = 1 << 6, 1 << 7, 1 << 15
"""Message flags: seen by one person alone; "is thinking ..."; laid out by components."""
TEXT, DM, THREAD = 0, 1, 11
"""Channel types."""
COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5
"""Interaction types."""
MESSAGE, THINKING, SILENT, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
"""Callback types."""
VIEW, SEND, EMBED, ATTACH, COMMANDS = 1 << 10, 1 << 11, 1 << 14, 1 << 15, 1 << 31
SEND_IN_THREADS, MANAGE_GUILD = 1 << 38, 1 << 5
MANAGE_THREADS = 1 << 34
"""Permissions."""
DEADLINE_S = 3.0
"""Seconds that Discord waits for the first answer to an interaction."""


class ApiError(Exception):
    """A refusing answer: HTTP status, Discord's error code, a sentence, and errors by path.

    The paths are those in the body.
    """

    def __init__(
        self, status: int, code: int, message: str, errors: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(f"{status} {code}: {message} {dict(errors or {})}")
        self.status = status
        self.body: Json = {"message": message, "code": code}
        if errors:
            self.body["errors"] = {
                path: {"_errors": [{"code": "INVALID", "message": text}]}
                for path, text in errors.items()
            }


def make_form_error(errors: Mapping[str, str]) -> ApiError:
    """Return the refusal of a body that breaks Discord's limits."""
    return ApiError(400, 50035, "Invalid Form Body", errors)


@dataclass(frozen=True, slots=True)
class Account:
    """A user; `permissions` is the bit field that interactions carry for them."""

    id: int
    name: str
    permissions: int
    locale: str = "en-GB"
    bot: bool = False


@dataclass(slots=True)
class Emoji:
    """An emoji of the application."""

    id: int
    name: str


@dataclass(slots=True)
class WorldChannel:
    """A text channel, a thread (with `parent_id`) or a direct message.

    A direct message has a `recipient_id` and no guild. `denied` are the permissions that the bot
    has elsewhere, but not here.
    """

    id: int
    type: int
    name: str
    guild_id: int | None = None
    parent_id: int | None = None
    recipient_id: int | None = None
    archived: bool = False
    locked: bool = False
    denied: int = 0


@dataclass(frozen=True, slots=True)
class PushNotification:
    """Somebody's telephone buzzed: a message notified them, at a moment of the monotonic clock."""

    user_id: int
    message_id: int
    at: float


@dataclass(frozen=True, slots=True)
class Nonce:
    """Which message was posted under a nonce, at a moment of the monotonic clock."""

    message_id: int
    at: float


@dataclass(slots=True)
class Message:
    """A message of the bot.

    Embeds and components are kept as sent, with their `attachment://` addresses. `pings` are those
    whom it notified when it appeared: no edit notifies anybody.
    """

    id: int
    channel_id: int
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    files: list[MessageFile] = field(default_factory=list)
    flags: int = 0
    viewer_id: int | None = None
    interaction: "Interaction | None" = None
    pings: tuple[int, ...] = ()
    nonce: str | None = None
    edited_at: float | None = None


@dataclass(slots=True, eq=False)
class Interaction:
    """One act of a person and what the bot has answered so far.

    `callback` is the type of the first answer; `original_id` the message that `@original` names;
    `reply` what the person saw when the answer was complete; `trigger` what opened the modal that
    is handed in. `born` and `answered` are moments of the event loop's clock.
    """

    id: int
    token: str
    type: int
    channel_id: int
    user_id: int
    message_id: int | None
    born: float
    callback: int | None = None
    original_id: int | None = None
    choices: list[Json] | None = None
    reply: Reply | None = None
    trigger: "Interaction | None" = None
    answered: float | None = None

    @property
    def answer_delay(self) -> float | None:
        """Seconds from the event sent to the first answer taken, if there was one."""
        return None if self.answered is None else self.answered - self.born


@dataclass(frozen=True, slots=True)
class Request:
    """One request of the bot.

    `path` is without `/api/v10`, `body` is the JSON (or `payload_json`), `files` are by index.
    `status` is `faults.CUT` where the bot was not answered.
    """

    method: str
    path: str
    query: Mapping[str, str]
    body: Any
    files: Mapping[int, MessageFile]
    status: int
    answer: Any
    at: float

    @property
    def is_success(self) -> bool:
        """Whether the bot was told that this was done."""
        return 200 <= self.status < 300

    @property
    def message(self) -> Json | None:
        """The message that the bot was given back, if it was given one."""
        if not self.is_success or not isinstance(self.answer, dict):
            return None
        shown: Json = self.answer.get("resource", {}).get("message", self.answer)
        return shown if "components" in shown else None


@dataclass(slots=True)
class World:
    """All state of one stand-in; it outlives the bot's process, as Discord does.

    `deadline_s` is how long an interaction waits for its first answer, `token_life_s` how long its
    token works; `permissions` are the bot's own, as interactions report them; `nonce_life_s` is how
    long a nonce is remembered; `guilds` are names by id, and every person is a member of all;
    `unavailable` are those in an outage of Discord's, `left` those in which the bot is no member;
    `shards` is how many the bot is advised to begin; a request is on its way for `way_s`, and its
    answer as long again.
    """

    token: str
    deadline_s: float
    token_life_s: float
    heartbeat_s: float
    permissions: int
    shards: int = 1
    api: str = ""
    guilds: dict[int, str] = field(default_factory=dict)
    unavailable: set[int] = field(default_factory=set)
    left: set[int] = field(default_factory=set)
    bot: Account = field(init=False)
    accounts: dict[int, Account] = field(default_factory=dict)
    channels: dict[int, WorldChannel] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    commands: dict[int, list[Json]] = field(default_factory=dict)
    emoji: dict[int, Emoji] = field(default_factory=dict)
    interactions: dict[str, Interaction] = field(default_factory=dict)
    way_s: float = 0.0
    nonce_life_s: float = 300.0
    nonces: dict[tuple[int, str], Nonce] = field(default_factory=dict)
    notices: list[PushNotification] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    faults: FaultInjector = field(default_factory=FaultInjector)
    changes: ChangeSignal = field(default_factory=ChangeSignal)
    sessions: GatewaySessions = field(init=False)
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    def __post_init__(self) -> None:
        self.sessions = GatewaySessions(self.changes)
        self.add_guild("The Tables Club")
        self.bot = self.add_account("Tabula", self.permissions, bot=True)

    @property
    def first_guild_id(self) -> int:
        """The first guild."""
        return next(iter(self.guilds))

    def add_guild(self, name: str) -> int:
        """Add a guild and return its id; consecutive guilds are on consecutive shards."""
        guild_id = self.build_id()
        if self.guilds:
            guild_id = max(self.guilds) + (1 << 22)
        self.guilds[guild_id] = name
        return guild_id

    def build_id(self) -> int:
        """Return a fresh id that carries the present time, rising from call to call."""
        return (int(time.time() * 1000) - EPOCH_MS << 22) + next(self._numbers)

    def add_account(
        self, name: str, permissions: int, locale: str = "en-GB", bot: bool = False
    ) -> Account:
        """Add an account to every guild."""
        account = Account(self.build_id(), name, permissions, locale, bot)
        self.accounts[account.id] = account
        return account

    def add_channel(
        self,
        kind: int,
        name: str,
        *,
        guild_id: int | None = None,
        parent_id: int | None = None,
        recipient_id: int | None = None,
    ) -> WorldChannel:
        """Add a channel.

        A direct message has a recipient, a thread a parent, and all others are of a guild. The
        guild is the first if none is named.
        """
        if recipient_id is None:
            guild_id = (
                self.channels[parent_id].guild_id if parent_id else guild_id or self.first_guild_id
            )
        channel = WorldChannel(self.build_id(), kind, name, guild_id, parent_id, recipient_id)
        self.channels[channel.id] = channel
        return channel

    def get_dm_channel(self, user_id: int) -> WorldChannel:
        """Return the direct-message channel with someone, opened at the first call."""
        found = (channel for channel in self.channels.values() if channel.recipient_id == user_id)
        return next(found, None) or self.add_channel(DM, "", recipient_id=user_id)

    def get_channel(self, channel_id: int) -> WorldChannel:
        """Return a channel; raises ApiError 10003 when there is none."""
        if channel_id not in self.channels:
            raise ApiError(404, 10003, "Unknown Channel")
        return self.channels[channel_id]

    def list_channels(self, guild_id: int) -> list[WorldChannel]:
        """Return the channels and threads of a guild."""
        return [channel for channel in self.channels.values() if channel.guild_id == guild_id]

    def delete_channel(self, channel: WorldChannel) -> None:
        """Delete a channel or thread with its messages, and a channel with its threads."""
        threads = [each for each in self.channels.values() if each.parent_id == channel.id]
        for gone in (channel, *threads):
            del self.channels[gone.id]
            here = [each.id for each in self.messages.values() if each.channel_id == gone.id]
            for message in here:
                del self.messages[message]

    def get_permissions(self, channel: WorldChannel) -> int:
        """Return the permissions that the bot has in a channel."""
        return self.permissions & ~channel.denied

    def get_message(self, channel_id: int, message_id: int) -> Message:
        """Return a message; raises ApiError 10008 when there is none in that channel."""
        message = self.messages.get(message_id)
        if message is None or message.channel_id != channel_id:
            raise ApiError(404, 10008, "Unknown Message")
        return message
