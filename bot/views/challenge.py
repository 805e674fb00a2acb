"""The message of a challenge, open or answered."""

from collections.abc import Mapping

from bot import words
from bot.store import Challenge
from bot.views.controls import invitation_controls
from bot.views.post import Post
from engine.games import GAMES
from engine.match import new_match
from engine.position import Side
from engine.rules import Game
from render.scene import Scene


def challenge_post(invitation: Challenge, names: Mapping[int, str]) -> Post:
    """Return an open challenge: every term of it, the start of the game as a picture, and the buttons to answer."""
    game = GAMES[invitation.game]
    text = "\n".join(filter(None, (_offer(invitation, game), game.tagline, *_terms(invitation), _until(invitation))))
    return Post(text, _start(invitation, names), items=invitation_controls(invitation), ping=invitation.opponent)


def answered_post(invitation: Challenge, names: Mapping[int, str], answer: str) -> Post:
    """Return a challenge after its answer, without buttons."""
    game = GAMES[invitation.game]
    text = "\n".join((_offer(invitation, game), *_terms(invitation), answer))
    return Post(text, _start(invitation, names))


def _offer(invitation: Challenge, game: Game) -> str:
    whom = words.mention(invitation.opponent) if invitation.opponent else "anyone who will play"
    return f"{words.mention(invitation.challenger)} challenges {whom} to **{game.title}**."


def _terms(invitation: Challenge) -> list[str]:
    seats = [
        f"{side}: {words.mentions([s.person for s in invitation.seats if s.side == side]) or 'free'}" for side in Side
    ]
    terms = f"{'; '.join(seats)}. Terms: {_options(invitation)}; {_rated(invitation)}."
    return [terms, words.committed(invitation.commitment)]


def _options(invitation: Challenge) -> str:
    return ", ".join(f"{name}: {value}" for name, value in invitation.options.items()) or "the usual rules"


def _rated(invitation: Challenge) -> str:
    return "rated" if invitation.rated else "not rated"


def _until(invitation: Challenge) -> str:
    return f"The challenge lapses <t:{invitation.expires // 1000}:R>."


def _start(invitation: Challenge, names: Mapping[int, str]) -> Scene:
    match = new_match(GAMES[invitation.game], invitation.options)
    free = names.get(invitation.opponent, "the one who is asked") if invitation.opponent else "anyone"
    seated = {side: [names[s.person] for s in invitation.seats if s.side == side] for side in Side}
    gold, black = (", ".join(seated[side]) or free for side in Side)
    return Scene(match.rules, match.position, (gold, black), match.game.title, "a challenge", ways=True)
