"""What the engine protocol says."""

from bot.platform.i18n.endings import format_ending
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.reasons import explain_refusal
from engine.outcome import GameOutcome
from engine.protocol import SentenceFormatter
from engine.refusal import Refusal
from engine.rules import Game


def create_sentence_formatter(say: Reader) -> SentenceFormatter:
    """Return what makes the protocol's sentences for one reader."""

    def refused(refusal: Refusal) -> str:
        return explain_refusal(say, refusal)

    def ended(game: Game, outcome: GameOutcome | None) -> str:
        return format_ending(say, game, outcome) if outcome else say("the game isn't over")

    return SentenceFormatter(refused, ended)
