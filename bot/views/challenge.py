"""The message of a challenge, open or answered."""

from collections.abc import Mapping

from bot import words
from bot.store import Invitation
from bot.views.controls import invitation_controls
from bot.views.post import Post
from engine.games import GAMES
from engine.match import new_match
from engine.position import Side
from engine.rules import Game
from render.scene import Scene


def challenge_post(invitation: Invitation, names: Mapping[int, str]) -> Post:
    """Return an open challenge: every term of it, the start of the game as a picture, and the buttons to answer."""
    game = GAMES[invitation.game]
    text = "\n".join(
        filter(None, (_offer(invitation, game), game.tagline, *_terms(invitation, game), _until(invitation)))
    )
    return Post(text, _start(invitation, names), invitation_controls(invitation), ping=invitation.opponent)


def answered_post(invitation: Invitation, names: Mapping[int, str], answer: str) -> Post:
    """Return a challenge after its answer, without buttons."""
    game = GAMES[invitation.game]
    return Post("\n".join((_offer(invitation, game), *_terms(invitation, game), answer)), _start(invitation, names))


def _offer(invitation: Invitation, game: Game) -> str:
    whom = words.mention(invitation.opponent) if invitation.opponent else "anyone who will play"
    return f"{words.mention(invitation.challenger)} challenges {whom} to **{game.title}**."


def _terms(invitation: Invitation, game: Game) -> list[str]:
    options = ", ".join(f"{name}: {value}" for name, value in invitation.options.items()) or "the usual rules"
    rated = "rated" if invitation.rated else "not rated"
    seats = [
        f"{side}: {words.mentions([s.person for s in invitation.seats if s.side == side]) or 'free'}" for side in Side
    ]
    return [f"{'; '.join(seats)}. Terms: {options}; {rated}.", words.committed(invitation.commitment)]


def _until(invitation: Invitation) -> str:
    return f"The challenge lapses <t:{invitation.expires // 1000}:R>."


def _start(invitation: Invitation, names: Mapping[int, str]) -> Scene:
    match = new_match(GAMES[invitation.game], invitation.options)
    seated = {side: [names[s.person] for s in invitation.seats if s.side == side] for side in Side}
    gold, black = (", ".join(seated[side]) or "?" for side in Side)
    return Scene(
        rules=match.rules,
        position=match.position,
        names=(gold, black),
        title=match.game.title,
        status="A challenge",
        dice=(),
        last=(),
        turn=None,
        thrower=None,
    )
