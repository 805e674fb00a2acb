"""What is to be played: the game, its options, pace and rating; also those of a rematch."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from bot.features.challenges.store import Challenges
from bot.features.matches import loading
from bot.features.matches.session import MatchSession, require_over, require_player
from bot.platform.context import App
from bot.platform.i18n.reader import UnknownControlError
from bot.platform.people import DiscordPerson
from engine.clock import UNLIMITED, Pace, parse_pace
from engine.folding import fold_text
from engine.games import find_game
from engine.players.level import Level
from engine.position import Side
from engine.refusal import Reason, Refusal
from engine.rules import Game
from render.characters import clip_text

MAX_WORD_LENGTH = 32
"""Characters of the word that somebody adds to the dice."""


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """Terms of a match: game, options, the challenger's side, whether it is rated, and the pace."""

    game: Game
    options: Mapping[str, str]
    side: Side = Side.GOLD
    rated: bool = True
    pace: Pace = UNLIMITED

    @property
    def players(self) -> int:
        """Players a side."""
        return self.game.resolve_rules(self.options).players


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """Who asks for a match, where, through which interaction, and the word they add to the dice.

    `parent` is the channel of a thread.
    """

    guild: int
    channel: int
    person: DiscordPerson
    cause: str
    word: str = ""
    parent: int | None = None

    @property
    def contribution(self) -> str:
        """What this person gives to the dice.

        It is the id of the interaction, which Discord chose, and the person's own word.
        """
        word = clip_text(" ".join(self.word.split()), MAX_WORD_LENGTH)
        return f"{self.cause} {word}".strip()


def normalise_options(text: str) -> str:
    """Return options in the form that is best typed, `dice=two-and-six`.

    They are printed as `dice: two-and-six`.
    """
    # Spaces around the equals sign go first, as they would otherwise split the option in two.
    return " ".join(re.split(r"[ ,;]+", re.sub(" ?[=:] ?", "=", fold_text(text)))).strip()


def parse_options(game: Game, text: str) -> dict[str, str]:
    """Read options as they are typed, `dice=two-and-six blockade=wins`.

    Raises Refusal for an option or a value that the game lacks, and where they make no game.
    """
    options: dict[str, str] = {}
    for word in normalise_options(text).split():
        name, equals, value = word.partition("=")
        option = game.find_option(name)
        # The players settle it in the match itself, so it is no house rule of the challenge.
        if option.starter_chooses:
            raise Refusal(Reason.STARTER_CHOOSES, option=name)
        if not equals:
            raise Refusal(Reason.OPTION_FORM, option=name, value=option.default_value.name)
        options[name] = option.find_value(value).name
    game.require_playable(options)
    return options


def parse_offered_pace(text: str) -> Pace:
    """Return a pace that a menu of ours offers; raises DeclinedError for anything else."""
    try:
        return parse_pace(text)
    except Refusal:
        raise UnknownControlError from None


async def choose_pace(app: App, guild: int, typed: str) -> Pace:
    """Read a pace as it is typed, or return the server's if nothing is typed; raises Refusal."""
    return parse_pace(typed or (await app.store.servers.load_settings(guild)).pace)


async def is_rated(app: App, guild: int, *, wished: bool | None) -> bool:
    """Return whether a match is rated; without a request its server decides."""
    return (await app.store.servers.load_settings(guild)).rated if wished is None else wished


@dataclass(frozen=True, slots=True)
class Rematch:
    """A finished match that is offered again: its terms, where it can be played, and against whom.

    The first of `channels` that takes messages is used. `opponent` is None if the match is open to
    anyone; `level` is the computer's if it alone is the opponent, and `easier` the one below where
    it has won.
    """

    match: int
    guild: int
    channels: tuple[int, ...]
    terms: MatchTerms
    opponent: DiscordPerson | None
    level: Level | None
    easier: Level | None


async def plan_rematch(app: App, match_id: int, guild: int, person: DiscordPerson) -> Rematch:
    """Return a match again with sides swapped.

    Raises DeclinedError unless the person played in it and it is over.
    """
    session = await loading.load_visible_session(app, match_id, guild, person.id)
    require_player(session, person.id)
    require_over(session)
    side = session.find_sides(person.id)[0]
    row = session.row
    # The newest edition, whichever one the old match was played by.
    terms = MatchTerms(
        find_game(row.game), row.options, side.other, row.rated, parse_pace(row.pace)
    )
    begun_by = await app.store.get(Challenges).load_by_match(match_id)
    # A match that had a thread of its own began beside it.
    channels = (begun_by.channel, row.channel) if begun_by else (row.channel,)
    level = session.computer_level if session.is_solo else None
    opponent = _find_sole_opponent(session, side.other) if level is None else None
    return Rematch(
        match_id, row.guild, channels, terms, opponent, level, find_easier_level(session)
    )


def find_easier_level(session: MatchSession) -> Level | None:
    """Return the level below the computer's, to which a person alone has lost; None otherwise."""
    outcome, level = session.match.outcome, session.computer_level
    if outcome is None or outcome.is_void or outcome.winner is None or level is None:
        return None
    has_lost = session.is_solo and session.human_players[0] not in session.list_players(
        outcome.winner
    )
    return level.easier if has_lost else None


def _find_sole_opponent(session: MatchSession, side: Side) -> DiscordPerson | None:
    """Return the one who plays a side; None for a team, so that its match is open to all again."""
    people = session.list_players(side)
    if len(people) != 1:
        return None
    names = session.person_names[people[0]]
    return DiscordPerson(people[0], names.name, account=names.account)
