"""Matches played by the rules on a store, without Discord."""

import secrets

from bot.features.challenges import service as challenge
from bot.features.challenges.terms import MatchRequest, MatchTerms
from bot.features.matches import loading
from bot.features.matches import service as play
from bot.features.matches.service import Action, list_plays_with_remarks
from bot.platform.context import App
from bot.platform.people import DiscordPerson
from engine.clock import UNLIMITED, Pace
from engine.games import GAMES
from engine.match import PLAY_PHASES, Phase

ANA, BEN = DiscordPerson(11, "Ana"), DiscordPerson(12, "Ben – “the second”")
GUILD = 1 << 22
"""A server of the second shard, of however many."""


async def play_match(app: App, turns: int, guild: int = GUILD, pace: Pace = UNLIMITED) -> int:
    """Have Ana and Ben take this many acts in a match of Zeno, or finish it.

    Returns its number.
    """
    asked = [
        MatchRequest(guild, 2, person, str(secrets.randbits(60)), "luck") for person in (ANA, BEN)
    ]
    made = await challenge.offer_match(app, asked[0], BEN, MatchTerms(GAMES["zeno"], {}, pace=pace))
    match = (await challenge.accept_challenge(app, made.id, asked[1], None)).match
    assert match is not None
    for number in range(turns):
        if not await take_act(app, match, f"{match} {number}"):
            break
    return match


async def take_act(app: App, match: int, cause: str) -> bool:
    """Have whoever is to act do so; False where the match is over."""
    session = await loading.load_session(app, match)
    if session.match.phase is Phase.OVER:
        return False
    person = ANA if session.person_to_act == ANA.id else BEN
    action = Action(match, person, cause, session.match.version)
    if session.match.phase in PLAY_PHASES:
        await play.play_moves(app, action, list_plays_with_remarks(session.match)[0][0])
    else:
        await play.roll(app, action)
    return True
