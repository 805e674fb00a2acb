"""What is said of the publication of matches."""

from bot.platform.i18n.common import format_date
from bot.platform.i18n.reader import Reader

LICENCE_ADDRESS = "https://creativecommons.org/publicdomain/zero/1.0/"


def format_question(say: Reader) -> tuple[str, ...]:
    """Ask whether somebody's matches may be published, and say what that means."""
    return (
        say("### May your finished matches be published?"),
        say(
            "The person who runs this bot could publish, for anyone to study, your finished "
            "matches, also those in private channels and direct messages: game, house rules, who "
            "sat where, moves, dice, result, day and whether hints were allowed; never names, "
            "servers, words or chat."
        ),
        # Translators: {address} is the web page of the licence.
        say(
            "- You appear under a random pseudonym, the same in all your matches.\n"
            "- A match is published only if everyone who played in it agrees.\n"
            "- Anyone may use it for anything, for good ([CC0]({address})). Somebody who knows "
            "your matches could recognise you.\n"
            "- You can change your answer in `/data` at any time. That counts from the next file "
            "on; what is published already can't be taken back.\n"
            "- Nothing else depends on your answer. Agree only if you're 16 or older.",
            address=LICENCE_ADDRESS,
        ),
    )


def format_agreed(say: Reader) -> str:
    """Say that somebody's matches may be published."""
    return say(
        "Your finished matches may be published under a pseudonym. You can change that in `/data`."
    )


def format_refused(say: Reader) -> str:
    """Say that nothing is published of somebody."""
    return say("Your matches won't be published. You can change that in `/data`.")


def format_choice(say: Reader, agreed: int | None) -> str:
    """Say what somebody has answered: when they agreed, or None if they did not."""
    if agreed is None:
        return say("-# You don't agree to your matches being published.")
    return say("-# You agreed to your matches being published, {date}.", date=format_date(agreed))
