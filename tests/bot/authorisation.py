"""Who may do and see what by every command, control, form and half-typed option.

Ana owns all that stands in the club: matches, notes, challenges, contests, analyses. Somebody else
asks for whatever is declared in every way that it declares, and changes nothing of hers and is
shown nothing, wherever they ask. A command or control that may change what others have, or add what
names nobody, needs a line here; others have one where more could be asked.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import product
from pathlib import Path
from typing import Any

import discord
from discord import AppCommandOptionType

from bot.features.contests.store import Contests
from bot.features.matches.store import Matches
from bot.platform.ui.declarations import Press
from lab.commands_page import Command
from tests.bot.test_access import hide_channel
from tests.support.club import SimulatedClub
from tests.support.contests import create_contest, press_ruling, press_standings
from tests.support.driver import (
    add_member,
    create_second_guild,
    get_newest_message,
    get_response,
    give_up,
    list_public_messages,
    start_match,
    take_next_action,
)
from tests.support.forging import Actor, Place
from tests.support.uses import list_uses

OPPONENT, BLOCKED, ENTRANT, STRANGER = "opponent", "blocked", "entrant", "stranger"
ELSEWHERE, DIRECT, GROUP, OUTSIDE = "manager elsewhere", "direct", "group", "outside"
HIDDEN = "member who can't see the channel"
ACTORS = (HIDDEN, OPPONENT, BLOCKED, ENTRANT, STRANGER, ELSEWHERE, DIRECT, GROUP, OUTSIDE)
MEMBERS = frozenset({OPPONENT, BLOCKED, ENTRANT, STRANGER})
"""Those who are members of Ana's server, and ask there."""
NOBODY: frozenset[str] = frozenset()

FINISHED, RUNNING, DIRECT_FINISHED, DIRECT_RUNNING, TEAMS = 1, 2, 3, 4, 5
"""The numbers of the matches: against Ben, against the computer in direct messages, of teams."""
SIGN_UP, SEASON = 1, 2
"""The numbers of the contests."""
POSITION = "y1,z2,off12 a1,b2,off12 gold 3-1"
"""What Ana analyses alone."""
SHARED_POSITION = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


@dataclass(frozen=True)
class ClubWorld:
    """What stands in the club, who comes, and what is nobody else's to see."""

    club: SimulatedClub
    file: Path
    actors: Mapping[str, Actor]
    messages: Mapping[str, tuple[int, int]]
    """Messages that everyone in the club sees, by what they are: their channels and numbers."""
    canaries: Mapping[str, frozenset[str]]
    """Texts, and which actors may see them."""


async def build_world(club: SimulatedClub, file: Path) -> ClubWorld:
    """Let everything happen that somebody could want to see or to change."""
    bea, eve, dan, fay = (add_member(club, name) for name in ("bea", "eve", "dan", "fay"))
    ana, channel = club.ana, club.channel
    await ana.slash(channel, "me block", person=bea)
    await start_match(club, "zeno")
    await give_up(club, club.ben, channel, 1)
    await start_match(club, "twelve-dogs")
    await _play_to_throw(club)
    running = get_newest_message(club)
    await ana.user.slash("play", game="zeno")
    await give_up_direct(club)
    await ana.user.slash("play", game="twelve-dogs")
    for number in (FINISHED, RUNNING, DIRECT_FINISHED, DIRECT_RUNNING):
        await ana.user.slash("match note", match=number, text=f"canarynote{number}")
    await ana.slash(channel, "challenge", game="pyf", options="players=2")
    for person, side in ((club.ben, "black"), (eve, "gold"), (dan, "black")):
        await person.click(get_newest_message(club), label=f"Join {side}")
    await eve.slash(channel, "match substitute", player=fay, match=TEAMS)
    seat = get_newest_message(club)
    await ana.slash(channel, "challenge", game="zeno")
    challenge = get_newest_message(club)
    await ana.slash(channel, "challenge", game="zeno", opponent=club.ben)
    for name in ("canaryleague", "canaryseason"):
        await create_contest(ana, channel, "league", name=name, game="fallas")
        number = (SIGN_UP, SEASON)[name == "canaryseason"]
        for person in (ana, club.ben, eve, dan):
            await press_standings(person, channel, "league", "join", league=str(number))
    await rule(club, SEASON, "start")
    await create_contest(ana, channel, "ladder", name="canaryladder", game="fallas")
    for person in (ana, club.ben):
        await press_standings(person, channel, "ladder", "join")
    await ana.slash(channel, "analyse", position=POSITION, game="backgammon")
    message = get_response(await ana.slash(channel, "analyse", position=SHARED_POSITION)).message
    await ana.click(message, label="Share")
    await ana.slash(channel, "notify", game="zeno")
    await ana.slash(
        channel, "server end", match=await _start_spare(club), how="annul", reason="canaryreason"
    )
    shared = _find_message(club, "### Analysis")
    other = create_second_guild(club, "Other")
    hall = other.create_text_channel("hall")
    may = discord.Permissions(manage_guild=True, manage_events=True)
    managers = other.create_role("managers", permissions=may)
    zed = other.add_member(club.env.create_user("zed", global_name="Zed"), roles=[managers])
    gus = add_member(club, "gus")
    lounge = club.guild.create_text_channel("lounge")
    await hide_channel(club, channel, gus)
    await club.env.settle()
    members = {OPPONENT: club.ben, BLOCKED: bea, ENTRANT: eve, STRANGER: club.cyn}
    actors = {
        **{
            name: Actor(name, person.id, club.guild.id, channel.id)
            for name, person in members.items()
        },
        HIDDEN: Actor(HIDDEN, gus.id, club.guild.id, lounge.id),
        ELSEWHERE: Actor(ELSEWHERE, zed.id, other.id, hall.id),
        DIRECT: Actor(DIRECT, club.cyn.id, 0, club.cyn.user.dm_channel.id, Place.DIRECT),
        GROUP: Actor(GROUP, club.cyn.id, 0, club.cyn.user.dm_channel.id, Place.GROUP),
        OUTSIDE: Actor(OUTSIDE, club.cyn.id, 0, club.cyn.user.dm_channel.id, Place.OUTSIDE),
    }
    messages = {
        "the live match": running,
        "the seat": seat,
        "the challenge": challenge,
        "sign-up": _find_message(club, "### canaryleague"),
        "the shared position": shared,
    }
    await club.cyn.user.slash("play", game="zeno")
    await zed.slash(hall, "play", game="zeno")
    own = [club.cyn.user.dm_channel.last_message, hall.last_message]
    messages |= {f"another's own {at}": each for at, each in enumerate(own) if each}
    return ClubWorld(
        club,
        file,
        actors,
        {name: (each.channel.id, each.id) for name, each in messages.items()},
        await _list_canaries(club),
    )


async def _play_to_throw(club: SimulatedClub) -> None:
    """Play until somebody has dice to play, of which others would like to know more."""
    while "rolled" not in str(get_newest_message(club).components):
        assert await take_next_action(club)


async def give_up_direct(club: SimulatedClub) -> None:
    """Ana leaves or resigns her match in direct messages, so that it has a record."""
    await give_up(club, _Direct(club.ana), None, DIRECT_FINISHED)  # type: ignore[arg-type]


class _Direct:
    """Somebody who types in direct messages what they would type in a channel."""

    def __init__(self, person: Any) -> None:
        self.id, self.name, self._user = person.id, person.name, person.user

    async def slash(self, _: object, name: str, **options: Any) -> Any:
        return await self._user.slash(name, **options)

    async def click(self, message: Any, **which: Any) -> Any:
        return await self._user.click(message, **which)


async def rule(club: SimulatedClub, contest: int, action: str) -> None:
    """Ana rules a league."""
    answer = await club.ana.slash(club.channel, "league manage", league=str(contest))
    panel = get_response(answer).message
    await press_ruling(club.ana, panel, contest, action, "canaryreason")
    await club.advance_clock(5_000)


async def _start_spare(club: SimulatedClub) -> int:
    """Start one more match against Ben, and return its number."""
    await start_match(club, "zeno")
    return max([each for each in range(1, 40) if await club.store.get(Matches).load_row(each)])


def _find_message(club: SimulatedClub, beginning: str) -> discord.Message:
    return next(
        each for each in list_public_messages(club) if beginning in str(_list_contents(each))
    )


def _list_contents(message: discord.Message) -> list[str]:
    parts = discord.ui.LayoutView.from_message(message).walk_children()
    return [part.content for part in parts if isinstance(part, discord.ui.TextDisplay)]


async def _list_canaries(club: SimulatedClub) -> dict[str, frozenset[str]]:
    found = {
        "canarynote": NOBODY,
        "canaryreason": NOBODY,
        "canaryleague": MEMBERS,
        "canaryseason": MEMBERS,
        "canaryladder": MEMBERS,
        POSITION.partition(" ")[0]: NOBODY,
    }
    matches = club.store.get(Matches)
    finished = await matches.load_row(FINISHED)
    assert finished is not None
    found[finished.secret.hex()] = MEMBERS
    for number in (RUNNING, DIRECT_FINISHED, DIRECT_RUNNING, TEAMS):
        row = await matches.load_row(number)
        assert row is not None
        found[row.secret.hex()] = NOBODY
    for number in (DIRECT_FINISHED, DIRECT_RUNNING):
        row = await matches.load_row(number)
        assert row is not None
        found[row.commitment] = NOBODY
    for number in (SIGN_UP, SEASON):
        view = await club.store.get(Contests).load_view(number)
        assert view is not None
        found[view.contest.secret.hex()] = NOBODY
    return found


@dataclass(frozen=True)
class CommandRule:
    """What is asked by a command, once for each of `options`, and what may come of it.

    `rightful` may change what is not theirs alone, as other tests show, and are left out. It `adds`
    rows to tables that do not name whoever asks, and `touches` rows of others that everybody may.
    Without `options` it is asked in every way that it declares.
    """

    options: tuple[Mapping[str, Any], ...] = ()
    rightful: frozenset[str] = NOBODY
    adds: frozenset[str] = NOBODY
    touches: frozenset[str] = NOBODY
    edits: bool = False


def _each_match(**options: Any) -> tuple[Mapping[str, Any], ...]:
    # First those that nobody else sees: of costly things only one is done at a time.
    numbers = (DIRECT_FINISHED, DIRECT_RUNNING, FINISHED, RUNNING, TEAMS)
    return tuple({**options, "match": number} for number in numbers)


STARTED = frozenset({"matches", "seats", "events", "challenge_seats"})
"""The tables of a match that begins: against the computer, or of somebody who joins late."""
OF_ANA = "{ana}"
"""Stands for Ana where an option names somebody."""
PLAYERS = frozenset({OPPONENT, ENTRANT})
"""Those who sit in one of the matches as well."""


CONTESTS = ("league", "tournament")
"""Options that name a contest."""


def _name_contest(kind: str) -> tuple[Mapping[str, Any], ...]:
    return ({}, *({kind: str(number)} for number in (SIGN_UP, SEASON)))


COMMANDS: Mapping[str, CommandRule] = {
    "analyse": CommandRule(({"position": SHARED_POSITION},), adds=frozenset({"analyses"})),
    "challenge": CommandRule(
        ({"game": "zeno", "opponent": OF_ANA}, {"game": "zeno"}), adds=frozenset({"challenges"})
    ),
    "history": CommandRule(
        ({}, {"player": OF_ANA}, {"contest": str(SEASON)}, {"ladder": "1"}, {"contest": "canary"})
    ),
    "ladder challenge": CommandRule(rightful=frozenset({OPPONENT})),
    "ladder standings": CommandRule(({}, {"ladder": "1"}, {"ladder": "1", "share": True})),
    "league standings": CommandRule(_name_contest("league")),
    "match board": CommandRule(
        (*_each_match(), *_each_match(show="moves"), *_each_match(share=True)), rightful=PLAYERS
    ),
    "match draw": CommandRule(_each_match(), rightful=PLAYERS),
    "match follow": CommandRule(_each_match(), touches=frozenset({"matches"})),
    "match hint": CommandRule(rightful=PLAYERS),
    "match note": CommandRule((*_each_match(), *_each_match(text="mine"))),
    "match replay": CommandRule(_each_match()),
    "match report": CommandRule(adds=frozenset({"reports"}), edits=True),
    "match resign": CommandRule(rightful=PLAYERS),
    "match substitute": CommandRule(rightful=PLAYERS),
    "match try": CommandRule(rightful=PLAYERS),
    "me block": CommandRule(({}, {"person": OF_ANA}, {"person": OF_ANA, "lift": True})),
    "me vacation": CommandRule(({}, {"days": 3}, {"days": 0}), rightful=PLAYERS),
    "move": CommandRule(rightful=PLAYERS),
    "play": CommandRule(({"game": "zeno"},), adds=STARTED),
    "print": CommandRule(({"game": "zeno"},)),
    "puzzle": CommandRule(adds=frozenset({"puzzles"})),
    "roll": CommandRule(rightful=PLAYERS),
    "server end": CommandRule(
        (*_each_match(how="annul", reason="mine"), *_each_match(how="gold", reason="mine"))
    ),
    "server substitute": CommandRule(_each_match(**{"from": OF_ANA, "to": OF_ANA}, reason="mine")),
    "tournament create": CommandRule(({"name": "mine", "game": "zeno"},)),
    "tournament standings": CommandRule(_name_contest("tournament")),
    "undo": CommandRule(_each_match(), rightful=PLAYERS),
}


def list_asked(command: Command) -> tuple[Mapping[str, Any], ...]:
    """Return what is asked by a command: as its line says, or else in every way that it declares.

    A match, league or tournament that it names is each of those that Ana owns.
    """
    if (rule := COMMANDS.get(command.qualified_name)) and rule.options:
        return rule.options
    uses = list(list_uses(command, {AppCommandOptionType.user: OF_ANA}))
    named = {option.display_name for option in command.parameters}
    if "match" in named:
        # Without a number it is one that whoever asks plays in.
        uses = [{**use, **one} for one in _each_match() for use in uses]
    for name in CONTESTS:
        if name in named:
            uses = [
                *(use for use in uses if name not in use),
                *({**use, **one} for one in _name_contest(name)[1:] for use in uses),
            ]
    return tuple(use for at, use in enumerate(uses) if use not in uses[:at])


@dataclass(frozen=True)
class ControlRule:
    """The ids of a verb by which somebody could reach for what is Ana's, and a menu's entries."""

    ids: tuple[str, ...]
    picked: tuple[str, ...] = ()


def _list_ids(pattern: str) -> tuple[str, ...]:
    return tuple(pattern.format(match=number) for number in (RUNNING, DIRECT_FINISHED))


MAX_IDS = 8
"""Ids that are tried of a verb without a line."""

CONTROLS: Mapping[str, ControlRule] = {
    "advice": ControlRule(_list_ids("advice:{match}:9:1")),
    "against": ControlRule(("against:zeno:master",)),
    "analysis": ControlRule(
        tuple(
            f"analysis:{number}:{act}"
            for number in (1, 2, 3)
            for act in ("show:1", "share", "propose", "play:0", "reveal")
        ),
        picked=("r-u t-u",),
    ),
    "ask": ControlRule(
        tuple(
            each
            for what in ("record", "dice", "replay", "verify", "more", "text", "resign", "stay")
            for each in _list_ids(f"ask:{{match}}:{what}")
        )
    ),
    "begin": ControlRule(("begin:zeno", "begin:rules")),
    "challenge": ControlRule(
        tuple(
            f"challenge:{number}:{act}"
            for number in (1, 4, 5)
            for act in ("accept", "decline", "fill", "gold", "word", "rules")
        )
    ),
    "challengedice": ControlRule(("challengedice:1", "challengedice:5")),
    "data": ControlRule(("data:export", "data:delete")),
    "delete-data": ControlRule(("delete-data:confirm", "delete-data:decline")),
    "delete-server": ControlRule(("delete-server:confirm",)),
    "draft": ControlRule(("draft:dice",), picked=("two-and-six",)),
    "draftgame": ControlRule(("draftgame:{ana}:tables",), picked=("zeno",)),
    "draftterm": ControlRule(("draftterm:rated:1", "draftterm:side"), picked=("gold",)),
    "games": ControlRule(("games:",), picked=("tables",)),
    "guide": ControlRule(("guide:zeno",)),
    "hint": ControlRule((*_list_ids("hint:{match}:ask"), *_list_ids("hint:{match}:allow"))),
    "history": ControlRule(
        ("history:{ana}:::0", "history:{ana}:zeno::0", "history:{ana}::league2:0")
    ),
    "historyfile": ControlRule(("historyfile:{ana}:::csv", "historyfile:{ana}:::json")),
    "howto": ControlRule(("howto:zeno",)),
    "ladderchallenge": ControlRule(("ladderchallenge:1",), picked=("{ana}",)),
    "ladderform": ControlRule(("ladderform:create:[]",)),
    "ladderout": ControlRule(("ladderout:1:{ana}",)),
    "ladderreadmit": ControlRule(("ladderreadmit:1:0",), picked=("{ana}",)),
    "ladderremove": ControlRule(("ladderremove:1:0",), picked=("{ana}",)),
    "leagueagain": ControlRule(("leagueagain:1", "leagueagain:2")),
    "leagueform": ControlRule(("leagueform:league:7:7:0:0:0:draw",)),
    "leagueout": ControlRule(("leagueout:1:remove:{ana}", "leagueout:2:replace:{ana}")),
    "leagueremove": ControlRule(("leagueremove:1:remove:0",), picked=("{ana}",)),
    "leaguerule": ControlRule(
        tuple(f"leaguerule:{each}:{act}" for each in (1, 2) for act in ("start", "cancel"))
    ),
    "leaguetable": ControlRule(("leaguetable:1", "leaguetable:2"), picked=("0",)),
    "learn": ControlRule(
        ("learn:list", "learn:open:zeno", "learn:restart:zeno", "learn:begin:zeno")
    ),
    "lesson": ControlRule(("lesson:zeno:0:0:a-g",)),
    "log": ControlRule(("log:0",)),
    "man": ControlRule(_list_ids("man:{match}:9:a")),
    "match": ControlRule(
        tuple(
            each
            for act in ("roll", "resign", "abort", "offer", "claim", "agree", "leave", "back")
            for each in _list_ids(f"match:{{match}}:9:{act}")
        )
    ),
    "notify": ControlRule(("notify:",)),
    "notifyall": ControlRule(("notifyall:",)),
    "notifyend": ControlRule(("notifyend:",), picked=("zeno",)),
    "notifystop": ControlRule(("notifystop:1:zeno",)),
    "notyet": ControlRule(("notyet:a-b`\n# [canary](https://example.org)",)),
    "origins": ControlRule(("origins:zeno",)),
    "pick": ControlRule(("pick:",), picked=("zeno",)),
    "plays": ControlRule(_list_ids("plays:{match}:9:0"), picked=("a-b",)),
    "language": ControlRule(("language:",), picked=("de",)),
    "ownpages": ControlRule(("ownpages:0",)),
    "postchannel": ControlRule(("postchannel:puzzle", "postchannel:digest")),
    "posthour": ControlRule(("posthour:puzzle", "posthour:digest"), picked=("7",)),
    "preference": ControlRule(("preference:throws:1", "preference:reset", "preference:zone")),
    "puzzle": ControlRule(("puzzle:open", "puzzle:mine", "puzzle:share:1")),
    "ranks": ControlRule(("ranks:server:all:0", "ranks:everywhere:all:0")),
    "review": ControlRule(
        (*_list_ids("review:{match}:1:open"), *_list_ids("review:{match}:1:next"))
    ),
    "rounds": ControlRule(("rounds:next:0", "rounds:back:99")),
    "rules": ControlRule(("rules:game",), picked=("zeno",)),
    "seat": ControlRule(
        ("seat:take:5:{eve}:{cyn}:{eve}", "seat:take:2:{ana}:{cyn}:{ana}", "seat:leave:5:{eve}:1:1")
    ),
    "send": ControlRule(("send:",)),
    "serverdata": ControlRule(("serverdata:export", "serverdata:delete")),
    "serverlanguage": ControlRule(("serverlanguage:",), picked=("de",)),
    "serverpages": ControlRule(("serverpages:1", "serverpages:0")),
    "serverset": ControlRule(("serverset:rated:0", "serverset:reset_matches", "serverset:zone")),
    "tried": ControlRule(_list_ids("tried:{match}:9:a-b")),
    "which": ControlRule(("which:1:record:", "which:1:note:mine"), picked=("2", "3", "4")),
    "withdraw": ControlRule(("withdraw:",), picked=("1", "2", "3", "4")),
}


def get_control_rule(verb: str, control: Press) -> ControlRule:
    """Return the line of a verb, or else ids with numbers and words wherever they have parts."""
    if verb in CONTROLS:
        return CONTROLS[verb]
    parts: list[Iterable[str]] = []
    for part in control.parts:
        if part.name == "match":
            parts.append((str(RUNNING), str(DIRECT_FINISHED)))
        elif part.annotation is int:
            parts.append("12")
        else:
            is_choice = issubclass(part.annotation, Enum)
            parts.append([str(each) for each in part.annotation] if is_choice else ("a",))
    ids = tuple(":".join((verb, *each)) for each in product(*parts))
    return ControlRule(ids[:MAX_IDS], picked=("1",))


RIGHTFUL: Mapping[str, frozenset[str]] = {
    r"(match|plays|man):.*": PLAYERS,
    r"hint:.*": PLAYERS,
    r"(rematch|easier):.*": PLAYERS,
    r"challenge:\d+:(accept|word|fill|gold|black)": MEMBERS - {BLOCKED},
    r"challenge:\d+:decline": frozenset({OPPONENT}),
    r"leagueback:.*": PLAYERS,
    r"leaguejoin:.*": MEMBERS,
    r"leagueleave:.*": PLAYERS,
    r"ladderjoin:.*": MEMBERS,
    r"ladderleave:.*": PLAYERS,
    r"seat:.*": PLAYERS,
    r"analysis:\d+:(propose|play:.*)": MEMBERS,
    r"report:.*": MEMBERS,
    r"(begin|against|playon|bring|puzzle):.*": MEMBERS,
}
"""Whose right it is to change others' things by controls that everyone sees."""

CHOICES: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    name: (*_each_match(), {}) for name in ("move", "match try")
}
"""What is filled in beside an option that is half typed."""
