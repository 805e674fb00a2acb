"""What is said of matches against the computer that are played in direct messages."""

from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader
from engine.rules import Game


def format_direct_opening(say: Reader, game: Game) -> str:
    """Say in direct messages why a match is here."""
    return say(
        "Your match of {game} is here, since I can only show matches where I'm a member.",
        game=common.format_title(say, game),
    )


def format_direct_match(say: Reader, link: str) -> str:
    """Say where the bot is no member that a match is in direct messages."""
    return say("I'm not a member here, so your match is in our direct messages: {link}", link=link)
