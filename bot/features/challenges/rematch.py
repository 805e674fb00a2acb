"""A match once more, with the same people and terms."""

from dataclasses import dataclass

from bot.features.challenges.terms import MatchTerms
from bot.features.matches import loading
from bot.features.matches.session import MatchSession, require_over, require_player
from bot.platform.context import App
from bot.platform.people import DiscordPerson
from engine.clock import parse_pace
from engine.games import find_game
from engine.players.level import Level
from engine.position import Side


@dataclass(frozen=True, slots=True)
class Rematch:
    """A finished match that is offered again: its terms, where it can be played, and against whom.

    The first of `channels` that takes messages is used. `opponent` is None if the match is open to
    anyone; `level` is the computer's if it alone is the opponent.
    """

    match: int
    guild: int
    channels: tuple[int, ...]
    terms: MatchTerms
    opponent: DiscordPerson | None
    level: Level | None


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
    begun_by = await app.store.challenges.get_by_match(match_id)
    # A match that had a thread of its own began beside it.
    channels = (begun_by.channel, row.channel) if begun_by else (row.channel,)
    level = session.computer_level if session.is_solo else None
    opponent = _find_sole_opponent(session, side.other) if level is None else None
    return Rematch(match_id, row.guild, channels, terms, opponent, level)


def _find_sole_opponent(session: MatchSession, side: Side) -> DiscordPerson | None:
    """Return the one who plays a side; None for a team, so that its match is open to all again."""
    people = session.list_players(side)
    if len(people) != 1:
        return None
    names = session.person_names[people[0]]
    return DiscordPerson(people[0], names.name, account=names.account)
