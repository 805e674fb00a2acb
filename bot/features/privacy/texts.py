"""What is said of people's data."""

from collections.abc import Iterator

from bot.platform.i18n.reader import Reader


def format_privacy(say: Reader) -> str:
    """Say what is stored, why, for how long, who sees it, and what its buttons do."""
    return "\n".join([say("### Your data"), *(f"- {line}" for line in _format_lines(say))])


def _format_lines(say: Reader) -> Iterator[str]:
    yield say("**Who you are:** your Discord id, names and language, and when you were last seen.")
    yield say(
        "**What you do:** matches with every move and its time, challenges, leagues, tournaments, "
        "ladders, ratings, lessons and puzzles."
    )
    yield say(
        "**What you choose and write:** settings, vacations, blocks, follows, notes, words for the "
        "dice, reasons as a moderator."
    )
    yield say(
        "**Why:** the games need it. No ads, profiling or sale; only published matches may train "
        "models."
    )
    yield say(
        "**Who sees it:** members of a server see its ratings, who solved its daily puzzle, and "
        "matches in channels that they can see. Elsewhere your results are shown only as you "
        "choose in `/me settings`. The rest is for you and the person who runs this bot."
    )
    yield say(
        "**How long:** until you delete it; positions that you analyse stay for a month, or a year "
        "if shared; a server's data until 30 days after it removes the bot."
    )
    yield say(
        "**Export** sends you everything, at most once a day. **Delete** asks first; messages on "
        "Discord stay. PRIVACY.md and TERMS.md say more."
    )


def format_deletion_question(say: Reader) -> tuple[str, ...]:
    """Ask whether somebody wants their data deleted, and say what that means."""
    return (
        say("### Delete all your data?"),
        say(
            "- Your name, settings, notes, blocks, follows, puzzle streaks and everything else of "
            "yours alone is deleted.\n"
            "- Matches in progress are resigned, challenges withdrawn, and you leave leagues, "
            "tournaments and ladders.\n"
            "- Finished matches stay, so that nobody loses a result or a rating. They show "
            "“deleted player” in your place.\n"
            "- Secret words that you gave to the dice are deleted. All throws of those matches are "
            "checked for the last time before.\n"
            "- Messages and thread titles on Discord stay, and what others wrote, such as the name "
            "of a league, may still name you.\n"
            "- Blocks by others, and removals by organisers, still hold if you come back.\n"
            "- It can't be undone. *Export* gives you a copy first."
        ),
    )


def format_deletion_begun(say: Reader) -> str:
    """Say that somebody's data is being deleted."""
    return say("Your data is being deleted. That takes a minute at most; thanks for playing.")


def format_deletion_declined(say: Reader) -> str:
    """Say that somebody's data stays."""
    return say("Nothing was deleted.")


def format_export_begun(say: Reader) -> str:
    """Say that somebody gets their data."""
    return say("Your data is being collected. You get it by direct message in a few minutes.")


def format_export_notice(say: Reader) -> str:
    """Say, in direct messages, that somebody gets their data there."""
    return say("You asked for your data. It follows here as soon as it's collected.")


def explain_closed_messages(say: Reader) -> str:
    """Say why somebody does not get their data."""
    return say(
        "I can't send you direct messages, and your data goes nowhere else. Allow direct messages "
        "from this server's members in its privacy settings, and try again."
    )


def explain_export_pause(say: Reader) -> str:
    """Say that somebody has to wait."""
    return say("You can get your data once a day, and you've asked for it in the last 24 hours.")


def format_export(say: Reader) -> str:
    """Say what a message contains: somebody's data."""
    return say(
        "Here is everything that I have stored about you, as JSON, with the records of your "
        "finished matches. `docs/record.md` of the project describes each field."
    )


def format_part(say: Reader, text: str, number: int, count: int) -> str:
    """Say what a message contains, and which of several files it is."""
    if count == 1:
        return text
    return say("{told} (file {number} of {count})", told=text, number=number, count=count)


def explain_owner_only(say: Reader) -> str:
    """Say who gets and deletes a server's data."""
    return say("Only the owner of this server can get or delete its data.")


def format_server_deletion_question(say: Reader, server: str) -> tuple[str, ...]:
    """Ask whether a server's data is to be deleted, and say what that means."""
    return (
        say("### Delete the data of {server}?", server=server),
        say(
            "- Settings, board style, leaderboards, the moderation log and the names of leagues, "
            "tournaments and ladders are deleted.\n"
            "- Matches in progress are annulled, leagues and tournaments called off, ladders "
            "closed and challenges withdrawn.\n"
            "- Finished matches and their ratings stay in the histories of those who played them, "
            "without this server.\n"
            "- It can't be undone. If I'm removed from a server, the same happens after 30 days."
        ),
    )


def format_server_deletion_begun(say: Reader) -> str:
    """Say that a server's data is being deleted."""
    return say("This server's data is being deleted. That takes some minutes.")


def format_server_export(say: Reader, server: str) -> str:
    """Say what a message contains: a server's data."""
    return say(
        "Here is what I have stored about the server {server}, as JSON. `docs/record.md` of the "
        "project describes each field.",
        server=server,
    )


def format_server_export_begun(say: Reader) -> str:
    """Say that the owner of a server gets its data."""
    return say("This server's data is being collected. You get it by direct message.")
