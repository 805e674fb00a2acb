"""What is said to those who look for a game."""

from collections.abc import Collection, Mapping

from bot.features.challenges.texts import format_terms
from bot.features.looking.store import ANY_GAME
from bot.features.matches.clock_texts import format_relative_time
from bot.platform.i18n.common import escape_text, format_title, replace_mentions
from bot.platform.i18n.reader import Reader
from bot.store import Challenge
from engine.games import GAMES


def format_subject(say: Reader, subject: str) -> str:
    """Name what is subscribed to within a sentence."""
    return say("any game") if subject == ANY_GAME else format_title(say, GAMES[subject])


def format_subscribed(say: Reader, subject: str) -> str:
    """Tell somebody that they have subscribed, and what happens next."""
    return say(
        "You're subscribed to {game}: when somebody here challenges anyone to it, I send you a "
        "direct message. Use `/notify game:{typed}` again to stop.",
        game=format_subject(say, subject),
        typed=subject,
    )


def format_unsubscribed(say: Reader, subjects: Collection[str]) -> str:
    """Tell somebody which subscriptions have ended."""
    if not subjects:
        return say("You aren't subscribed to that.")
    games = say.format_list([format_subject(say, each) for each in subjects])
    return say("You're no longer subscribed to {games}.", games=games)


def format_subscriptions(say: Reader, subjects: Collection[str]) -> str:
    """List somebody's subscriptions in a server."""
    heading = say("### Looking for a game")
    if not subjects:
        none = say(
            "You have no subscriptions in this server. `/notify game:` subscribes you to the open "
            "challenges to a game."
        )
        return f"{heading}\n{none}"
    told = say("You hear of open challenges in this server to:")
    lines = "\n".join(f"- {format_subject(say, each)}" for each in subjects)
    return f"{heading}\n{told}\n{lines}"


def explain_notices(say: Reader) -> str:
    """Say when subscribers are notified."""
    return say(
        "At most one message an hour; none during your vacation, about people you've blocked or "
        "who blocked you, or in this server's quiet hours, after which you hear of challenges that "
        "are still open. You must accept direct messages from this server."
    )


def format_notice(
    say: Reader, challenge: Challenge, names: Mapping[int, str], server: str
) -> tuple[str, str]:
    """Tell a subscriber who is looking for a game, and on which terms."""
    heading = say(
        "### {game}\n{who} challenges anyone who wants to play in {server}.",
        game=format_title(say, GAMES[challenge.game]),
        who=escape_text(names[challenge.challenger]),
        server=escape_text(server),
    )
    # In a direct message Discord may not know the others, and would show their ids.
    return heading, replace_mentions(format_terms(say, challenge), names)


def format_notice_end(say: Reader, challenge: Challenge) -> str:
    """Say when a challenge expires and why somebody hears of it."""
    expires = say("Expires {when}.", when=format_relative_time(challenge.expires))
    why = say("You've subscribed with `/notify`.")
    return f"{expires} {why}"
