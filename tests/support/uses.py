"""Every command in every way that it declares, for the tests that walk through all commands.

A new command needs no line here, nor does an option that has choices, names somebody or something
of the server, or takes any text or number.
"""

from collections.abc import Awaitable, Iterator, Mapping
from typing import Any, TypeAlias

from discord import AppCommandOptionType
from discord.app_commands import Parameter

from bot.platform.context import Measures, RequestOutcome
from lab.commands_page import Command, list_commands
from tests.support.club import SimulatedClub
from tests.support.contests import create_contest, press_standings
from tests.support.driver import give_up, start_match, write_commands
from tests.support.sent_texts import list_sent_texts

Use: TypeAlias = dict[str, Any]
"""The options of a command that are filled in."""

SAMPLES: Mapping[str, Any] = {
    "contest": "1",
    "game": "zeno",
    "games": "pyf",
    "ladder": "1",
    "language": "",
    "league": "1",
    "match": 2,
    "name": "Ana",
    "options": "unusable=lost",
    "pace": "day",
    "play": "a-b",
    "position": "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
    "season": "now",
    "throw": "63",
    "tournament": "2",
}
"""What is filled in where an option of that name doesn't take any text or number.

The match, the league, the tournament and the ladder are those of `begin_everything`.
"""


LAST = ("create",)
"""Commands after which the others of their group are refused."""
SLOW = ("print",)
"""Commands that take seconds."""


class Outcomes(Measures):
    """Keeps what became of everything that was asked, in order."""

    def __init__(self) -> None:
        self.all: list[tuple[str, RequestOutcome]] = []

    def record_answer(self, command: str, outcome: RequestOutcome) -> None:
        """Note what became of a command or press."""
        self.all.append((command, outcome))

    @property
    def last(self) -> RequestOutcome:
        """What became of what was asked last."""
        return self.all[-1][1]


def list_values(option: Parameter, things: Mapping[AppCommandOptionType, Any]) -> list[Any]:
    """Return what an option is filled in with: each choice, or one sample of what it takes."""
    if option.choices:
        return [choice.value for choice in option.choices]
    if option.type in things:
        return [things[option.type]]
    if option.display_name in SAMPLES:
        return [SAMPLES[option.display_name]]
    match option.type:
        case AppCommandOptionType.boolean:
            return [True, False]
        case AppCommandOptionType.integer:
            return [option.min_value or 1]
        case AppCommandOptionType.string:
            return ["7"]
    return []


def list_uses(command: Command, things: Mapping[AppCommandOptionType, Any]) -> Iterator[Use]:
    """Yield the uses of a command: with what it requires alone, then with each option as well.

    `things` are the person, the channel and the role that options name; without one, options that
    name such a thing are left out.
    """
    values = {option: list_values(option, things) for option in command.parameters}
    required = {option.display_name: values[option][0] for option in values if option.required}
    yield required
    for option, each in values.items():
        for value in each:
            if required.get(option.display_name) != value:
                yield {**required, option.display_name: value}


def list_typed_uses(
    command: Command, things: Mapping[AppCommandOptionType, Any], text: str
) -> Iterator[Use]:
    """Yield the uses of a command in which one option is a text of somebody's own."""
    required = next(list_uses(command, things))
    for option in command.parameters:
        if option.type is AppCommandOptionType.string and not option.choices:
            longest = int(option.max_value or len(text))
            yield {**required, option.display_name: text[:longest]}


def list_groups() -> Mapping[str, list[Command]]:
    """Return all commands by their group; those outside groups are together, but for slow ones."""
    found: dict[str, list[Command]] = {}
    for command in sorted(list_commands(), key=lambda each: each.name in LAST):
        alone = command.name if command.name in SLOW else "alone"
        found.setdefault(command.parent.name if command.parent else alone, []).append(command)
    return found


async def begin_everything(club: SimulatedClub) -> Mapping[AppCommandOptionType, Any]:
    """Let there be what commands are about, and return what options name.

    Ana has lost the first match to Ben and plays the second against him. Both take part in a
    ladder, a league and a tournament, which Ana organises.
    """
    await start_match(club, "zeno", rated=True)
    await give_up(club, club.ana, club.channel, match=1)
    await start_match(club, "zeno", rated=False)
    for group, terms in (("ladder", {}), ("league", {}), ("tournament", {"format": "swiss"})):
        await create_contest(club.ana, club.channel, group, name="Ana", game="fallas", **terms)
        for person in (club.ben, club.ana):
            await press_standings(person, club.channel, group, "join")
    return {
        AppCommandOptionType.user: club.ben,
        AppCommandOptionType.channel: club.channel,
        AppCommandOptionType.role: club.guild.create_role("7"),
    }


async def collect_answer(club: SimulatedClub, asking: Awaitable[object]) -> str:
    """Let somebody ask for something, and return every text that is sent then."""
    before = len(club.env.http_requests)
    await asking
    sent = list_sent_texts(club.env.http_requests[before:])
    return write_commands("\n".join(each.text for each in sent))
