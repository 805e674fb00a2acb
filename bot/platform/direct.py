"""Direct messages with the bot, in which somebody plays the computer: a place without a server."""

from collections import OrderedDict
from dataclasses import dataclass, field

NO_SERVER = 0
"""What stands for the server of direct messages; the first shard gets them."""
MOST_KNOWN = 4096


@dataclass(frozen=True, slots=True)
class DirectReader:
    """Who reads some direct messages, and in which language Discord shows itself to them."""

    person: int
    locale: str


@dataclass
class DirectReaders:
    """Who reads which direct messages, as far as they have asked for something in this run."""

    _known: "OrderedDict[int, DirectReader]" = field(default_factory=OrderedDict)

    def note(self, channel: int, reader: DirectReader) -> None:
        """Remember who reads the direct messages of a channel."""
        self._known[channel] = reader
        self._known.move_to_end(channel)
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    def find(self, guild: int, channel: int) -> DirectReader | None:
        """Return who reads a channel; None for one of a server, and where nobody knows."""
        return self._known.get(channel) if guild == NO_SERVER else None
