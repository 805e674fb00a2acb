"""Who may do and see what: a line for every command, control, form and half-typed option.

Ana owns all that stands in the club: matches, notes, challenges, contests, analyses. The lines say
what somebody else asks of it, and whose right that is; everybody else changes nothing and is shown
nothing, wherever they ask. A declaration without a line fails `test_authorisation.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import discord

from tests.bot.conftest import SimulatedClub
from tests.bot.driver import (
    create_second_guild,
    get_newest_message,
    get_response,
    give_up,
    list_public_messages,
    start_match,
    take_next_action,
)
from tests.bot.forging import Actor, Place

OPPONENT, BLOCKED, ENTRANT, STRANGER = "opponent", "blocked", "entrant", "stranger"
ELSEWHERE, DIRECT, GROUP, OUTSIDE = "manager elsewhere", "direct", "group", "outside"
ACTORS = (OPPONENT, BLOCKED, ENTRANT, STRANGER, ELSEWHERE, DIRECT, GROUP, OUTSIDE)
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
    bea, eve, dan, fay = (
        club.guild.add_member(club.env.create_user(name, global_name=name.title()))
        for name in ("bea", "eve", "dan", "fay")
    )
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
        await ana.slash(channel, "league create", name=name, game="fallas")
        number = (SIGN_UP, SEASON)[name == "canaryseason"]
        for person in (ana, club.ben, eve, dan):
            await person.slash(channel, "league join", league=str(number))
    await rule(club, SEASON, "start")
    await ana.slash(channel, "ladder create", name="canaryladder", game="fallas")
    for person in (ana, club.ben):
        await person.slash(channel, "ladder join")
    await ana.slash(channel, "analyse", position=POSITION, game="backgammon")
    shown = get_response(await ana.slash(channel, "analyse", position=SHARED_POSITION)).message
    await ana.click(shown, label="Share")
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
    await club.env.settle()
    members = {OPPONENT: club.ben, BLOCKED: bea, ENTRANT: eve, STRANGER: club.cyn}
    actors = {
        **{
            name: Actor(name, person.id, club.guild.id, channel.id)
            for name, person in members.items()
        },
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
    asked = await club.ana.slash(club.channel, "league manage", league=str(contest))
    form = await club.ana.click(
        get_response(asked).message, custom_id=f"leaguerule:{contest}:{action}"
    )
    await club.ana.submit_modal(form, {"text": "canaryreason"})
    await club.advance_clock(5_000)


async def _start_spare(club: SimulatedClub) -> int:
    """Start one more match against Ben, and return its number."""
    await start_match(club, "zeno")
    return max([each for each in range(1, 40) if await club.store.matches.get(each)])


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
    finished = await club.store.matches.get(FINISHED)
    assert finished is not None
    found[finished.secret.hex()] = MEMBERS
    for number in (RUNNING, DIRECT_FINISHED, DIRECT_RUNNING, TEAMS):
        row = await club.store.matches.get(number)
        assert row is not None
        found[row.secret.hex()] = NOBODY
    for number in (DIRECT_FINISHED, DIRECT_RUNNING):
        row = await club.store.matches.get(number)
        assert row is not None
        found[row.commitment] = NOBODY
    for number in (SIGN_UP, SEASON):
        view = await club.store.contests.load_view(number)
        assert view is not None
        found[view.contest.secret.hex()] = NOBODY
    return found


@dataclass(frozen=True)
class CommandRule:
    """What is asked by a command, once for each of `options`, and what may come of it.

    `rightful` may change what is not theirs alone, as other tests show, and are left out. It `adds`
    rows to tables that do not name whoever asks, and `touches` rows of others that everybody may.
    Discord itself refuses what is for `managers`.
    """

    options: tuple[Mapping[str, Any], ...] = ({},)
    rightful: frozenset[str] = NOBODY
    adds: frozenset[str] = NOBODY
    touches: frozenset[str] = NOBODY
    edits: bool = False
    managers: bool = False


def _each_match(**options: Any) -> tuple[Mapping[str, Any], ...]:
    # First those that nobody else sees: of costly things only one is done at a time.
    numbers = (DIRECT_FINISHED, DIRECT_RUNNING, FINISHED, RUNNING, TEAMS)
    return tuple({**options, "match": number} for number in numbers)


ANYTHING = CommandRule()
STARTED = frozenset({"matches", "seats", "events", "challenge_seats"})
"""The tables of a match that begins: against the computer, or of somebody who joins late."""
OF_ANA = "{ana}"
"""Stands for Ana where an option names somebody."""
PLAYERS = frozenset({OPPONENT, ENTRANT})
"""Those who sit in one of the matches as well."""


def _name_contest(kind: str) -> tuple[Mapping[str, Any], ...]:
    return ({}, *({kind: str(number)} for number in (SIGN_UP, SEASON)))


COMMANDS: Mapping[str, CommandRule] = {
    "analyse": CommandRule(({"position": SHARED_POSITION},), adds=frozenset({"analyses"})),
    "calendar": ANYTHING,
    "challenge": CommandRule(
        ({"game": "zeno", "opponent": OF_ANA}, {"game": "zeno"}), adds=frozenset({"challenges"})
    ),
    "data delete": ANYTHING,
    "data export": ANYTHING,
    "games": ANYTHING,
    "help": ANYTHING,
    "history": CommandRule(
        ({}, {"player": OF_ANA}, {"league": str(SEASON)}, {"ladder": "1"}, {"league": "canary"})
    ),
    "ladder challenge": CommandRule(({"opponent": OF_ANA},), rightful=frozenset({OPPONENT})),
    "ladder create": CommandRule(
        ({"name": "mine", "game": "zeno"},), rightful=frozenset({ELSEWHERE})
    ),
    "ladder join": CommandRule(
        ({}, {"ladder": "1"}), adds=frozenset({"ladder_events"}), edits=True
    ),
    "ladder leave": CommandRule(({}, {"ladder": "1"}), rightful=frozenset({OPPONENT})),
    "ladder manage": CommandRule(({}, {"ladder": "1"})),
    "ladder next": CommandRule(({}, {"ladder": "1"})),
    "ladder standings": CommandRule(({}, {"ladder": "1"}, {"ladder": "1", "share": True})),
    "leaderboard": CommandRule(({}, {"game": "zeno"})),
    "league create": CommandRule(
        ({"name": "mine", "game": "zeno"}, {}), rightful=frozenset({ELSEWHERE})
    ),
    "league export": CommandRule(_name_contest("league")),
    "league join": CommandRule(_name_contest("league"), adds=STARTED, touches=STARTED, edits=True),
    "league leave": CommandRule(_name_contest("league"), rightful=PLAYERS),
    "league manage": CommandRule(_name_contest("league")),
    "league matches": CommandRule(_name_contest("league")),
    "league standings": CommandRule(_name_contest("league")),
    "learn": CommandRule(({}, {"lesson": "zeno"})),
    "match board": CommandRule(
        (*_each_match(), *_each_match(show="moves"), *_each_match(share=True)), rightful=PLAYERS
    ),
    "match draw": CommandRule(_each_match(), rightful=PLAYERS),
    "match follow": CommandRule(_each_match(), touches=frozenset({"matches"})),
    "match hint": CommandRule(_each_match(), rightful=PLAYERS),
    "match note": CommandRule((*_each_match(), *_each_match(text="mine"))),
    "match record": CommandRule(_each_match()),
    "match replay": CommandRule(_each_match()),
    "match report": CommandRule(_each_match(), adds=frozenset({"reports"}), edits=True),
    "match resign": CommandRule(_each_match(), rightful=PLAYERS),
    "match substitute": CommandRule(_each_match(player=OF_ANA), rightful=PLAYERS),
    "match try": CommandRule(_each_match(play="a-b"), rightful=PLAYERS),
    "matches": ANYTHING,
    "me block": CommandRule(({}, {"person": OF_ANA}, {"person": OF_ANA, "lift": True})),
    "me language": CommandRule(({"language": "de"}, {"language": "en"})),
    "me pages": ANYTHING,
    "me profile": CommandRule(({}, {"player": OF_ANA})),
    "me settings": ANYTHING,
    "me vacation": CommandRule(({}, {"days": 3}, {"days": 0}), rightful=PLAYERS),
    "move": CommandRule(_each_match(play="a-b"), rightful=PLAYERS),
    "notify": CommandRule(({}, {"game": "zeno"})),
    "play": CommandRule(({"game": "zeno"},), adds=STARTED),
    "print": CommandRule(({"game": "zeno"},)),
    "privacy": ANYTHING,
    "puzzle": CommandRule(({}, {"which": "mine"}), adds=frozenset({"puzzles"})),
    "rating": CommandRule(({}, {"player": OF_ANA})),
    "roll": CommandRule(_each_match(), rightful=PLAYERS),
    "rules": CommandRule(({"game": "zeno"},)),
    "server data": CommandRule(({"action": "export"}, {"action": "delete"}), managers=True),
    "server digest": CommandRule(({},), managers=True),
    "server end": CommandRule(
        (*_each_match(how="annul", reason="mine"), *_each_match(how="gold", reason="mine")),
        managers=True,
    ),
    "server language": CommandRule(({},), managers=True),
    "server log": CommandRule(managers=True),
    "server pages": CommandRule(managers=True),
    "server puzzle": CommandRule(managers=True),
    "server settings": CommandRule(managers=True),
    "server stats": CommandRule(managers=True),
    "server substitute": CommandRule(
        _each_match(**{"from": OF_ANA, "to": OF_ANA}, reason="mine"), managers=True
    ),
    "tournament create": CommandRule(
        ({"name": "mine", "game": "zeno"}, {}), rightful=frozenset({ELSEWHERE})
    ),
    "tournament export": CommandRule(_name_contest("tournament")),
    "tournament join": CommandRule(_name_contest("tournament"), adds=STARTED, edits=True),
    "tournament leave": CommandRule(_name_contest("tournament"), rightful=PLAYERS),
    "tournament manage": CommandRule(_name_contest("tournament")),
    "tournament matches": CommandRule(_name_contest("tournament")),
    "tournament standings": CommandRule(_name_contest("tournament")),
    "undo": CommandRule(_each_match(), rightful=PLAYERS),
}

MENUS = frozenset({"Challenge"})
"""The entries of a person's menu: each is chosen for Ana."""


@dataclass(frozen=True)
class ControlRule:
    """The ids of a verb by which somebody could reach for what is Ana's, and a menu's entries."""

    ids: tuple[str, ...]
    picked: tuple[str, ...] = ()


def _list_ids(pattern: str) -> tuple[str, ...]:
    return tuple(pattern.format(match=number) for number in (RUNNING, DIRECT_FINISHED))


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
    "bring": ControlRule(_list_ids("bring:{match}:1")),
    "challenge": ControlRule(
        tuple(
            f"challenge:{number}:{act}"
            for number in (1, 4, 5)
            for act in ("accept", "decline", "fill", "gold", "word", "rules")
        )
    ),
    "challengedice": ControlRule(("challengedice:1", "challengedice:5")),
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
    "ladderclose": ControlRule(("ladderclose:1",)),
    "ladderjoin": ControlRule(("ladderjoin:1",)),
    "ladderleave": ControlRule(("ladderleave:1",)),
    "laddermanage": ControlRule(("laddermanage:1",)),
    "laddernext": ControlRule(("laddernext:1",)),
    "ladderout": ControlRule(("ladderout:1:{ana}",)),
    "ladderremove": ControlRule(("ladderremove:1:0",), picked=("{ana}",)),
    "leagueform": ControlRule(("leagueform:league:7:7:0:0:0:draw",)),
    "leaguejoin": ControlRule(("leaguejoin:1", "leaguejoin:2")),
    "leagueleave": ControlRule(("leagueleave:1", "leagueleave:2")),
    "leaguemine": ControlRule(("leaguemine:1", "leaguemine:2")),
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
    "playon": ControlRule(_list_ids("playon:{match}:1")),
    "plays": ControlRule(_list_ids("plays:{match}:9:0"), picked=("a-b",)),
    "preference": ControlRule(("preference:throws:1", "preference:reset", "preference:zone")),
    "puzzle": ControlRule(("puzzle:open", "puzzle:mine", "puzzle:share:1")),
    "ranks": ControlRule(("ranks:server:all:0", "ranks:everywhere:all:0")),
    "rematch": ControlRule(_list_ids("rematch:{match}")),
    "report": ControlRule(_list_ids("report:{match}")),
    "review": ControlRule(
        (*_list_ids("review:{match}:1:open"), *_list_ids("review:{match}:1:next"))
    ),
    "rounds": ControlRule(("rounds:next:0", "rounds:back:99")),
    "rules": ControlRule(("rules:game",), picked=("zeno",)),
    "seat": ControlRule(
        ("seat:take:5:{eve}:{cyn}:{eve}", "seat:take:2:{ana}:{cyn}:{ana}", "seat:leave:5:{eve}:1:1")
    ),
    "send": ControlRule(("send:",)),
    "serverpanel": ControlRule(("serverpanel:boards", "serverpanel:matches")),
    "serverset": ControlRule(("serverset:rated:0", "serverset:reset_matches", "serverset:zone")),
    "tried": ControlRule(_list_ids("tried:{match}:9:a-b")),
    "which": ControlRule(("which:1:record:", "which:1:note:mine"), picked=("2", "3", "4")),
    "withdraw": ControlRule(("withdraw:",), picked=("1", "2", "3", "4")),
}

RIGHTFUL: Mapping[str, frozenset[str]] = {
    r"(match|plays|man):.*": PLAYERS,
    r"hint:.*": PLAYERS,
    r"rematch:.*": PLAYERS,
    r"challenge:\d+:(accept|word|fill|gold|black)": MEMBERS - {BLOCKED},
    r"challenge:\d+:decline": frozenset({OPPONENT}),
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
