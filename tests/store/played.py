"""Matches played by the rules on a store, without Discord."""

import secrets

from bot.app import challenge, play
from bot.app.challenge import Asked, Wish
from bot.app.context import App
from bot.app.people import Person
from bot.app.play import Action
from bot.app.suggest import whole_plays
from engine.clock import NONE, Pace
from engine.games import GAMES
from engine.match import PLAYING, Phase

ANA, BEN = Person(11, "Ana"), Person(12, "Ben – “the second”")
GUILD = 1 << 22
"""A server of the second shard, of however many."""


async def played(app: App, turns: int, guild: int = GUILD, pace: Pace = NONE) -> int:
    """Have Ana and Ben take this many acts in a match of Zeno, or finish it.

    Returns its number.
    """
    asked = [Asked(guild, 2, person, str(secrets.randbits(60)), "luck") for person in (ANA, BEN)]
    made = await challenge.offer(app, asked[0], BEN, Wish(GAMES["zeno"], {}, pace=pace))
    match = (await challenge.accept(app, made.id, asked[1], None)).match
    assert match is not None
    for number in range(turns):
        sitting = await play.load(app, match)
        if sitting.match.phase is Phase.OVER:
            break
        person = ANA if sitting.to_act == ANA.id else BEN
        action = Action(match, person, f"{match} {number}", sitting.match.version)
        if sitting.match.phase in PLAYING:
            await play.move(app, action, whole_plays(sitting.match)[0])
        else:
            await play.roll(app, action)
    return match
