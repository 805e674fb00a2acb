"""What the engine protocol says."""

from functools import partial

from bot.platform.i18n.endings import format_ending
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.reasons import explain_refusal
from engine.outcome import GameOutcome
from engine.protocol import SentenceFormatter
from engine.rules import Game


def create_sentence_formatter(say: Reader) -> SentenceFormatter:
    """Return what makes the protocol's sentences for one reader."""

    def describe_ending(game: Game, outcome: GameOutcome | None) -> str:
        return format_ending(say, game, outcome) if outcome else say("the game isn't over")

    return SentenceFormatter(partial(explain_refusal, say), describe_ending)
