"""What the engine protocol says."""

from bot.words.endings import ending
from bot.words.reader import Reader
from bot.words.reasons import reason
from engine.outcome import Outcome
from engine.protocol import Speaker
from engine.refusal import Refusal
from engine.rules import Game


def speaker(say: Reader) -> Speaker:
    """Return what makes the protocol's sentences for one reader."""

    def refused(refusal: Refusal) -> str:
        return reason(say, refusal)

    def ended(game: Game, outcome: Outcome | None) -> str:
        return ending(say, game, outcome) if outcome else say("the game isn't over")

    return Speaker(refused, ended)
