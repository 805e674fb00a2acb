"""What is said of people's data."""

from collections.abc import Iterator

from bot.platform.i18n.reader import Reader


def format_privacy(say: Reader) -> str:
    """Say what is stored, why, for how long, who sees it, and how to get and delete it."""
    return "\n".join([say("### Your data"), *(f"- {line}" for line in _format_lines(say))])


def _format_lines(say: Reader) -> Iterator[str]:
    yield say(
        "**Who you are:** your Discord id, your display name, your account's name and language."
    )
    yield say(
        "**What you play:** matches with every move and its time, challenges, leagues, "
        "tournaments, ladders and ratings."
    )
    yield say(
        "**What you choose:** settings, board style, vacations, blocks, followed matches and games "
        "that you look for."
    )
    yield say(
        "**What you write:** notes, secret words for the dice, and reasons that you give as a "
        "moderator."
    )
    yield say(
        "**What you practise:** lessons, puzzle streaks, blunders from your matches and plays that "
        "you propose."
    )
    yield say("**Why:** the games need it. There are no ads, and nobody is profiled.")
    yield say(
        "**Who sees it:** members of a server see its matches, results and ratings. People of "
        "other servers see your results only if you choose that in `/me settings`. The rest is for "
        "you and for the person who runs this bot. Nothing is sold, passed on or used to train "
        "models."
    )
    yield say(
        "**How long:** until you delete it. Positions that you analyse go after a month, or a year "
        "if you share them, and a server's data 30 days after it removes the bot."
    )
    yield say("**Get it:** `/data export` sends you everything by direct message, once a day.")
    yield say(
        "**Delete it:** `/data delete`. The files PRIVACY.md and TERMS.md of the project say more."
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
            "- It can't be undone. For a copy of your data use `/data export` first."
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


def format_export_part(say: Reader, number: int, count: int) -> str:
    """Say what a message contains: a part of somebody's data."""
    told = say(
        "Here is everything that I have stored of you, as JSON, with the records of your finished "
        "matches. `docs/data.md` of the project describes each field."
    )
    if count == 1:
        return told
    return say("{told} (file {number} of {count})", told=told, number=number, count=count)


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
        "Here is what I have stored of the server {server}, as JSON. `docs/data.md` of the project "
        "describes each field.",
        server=server,
    )


def format_server_export_begun(say: Reader) -> str:
    """Say that the owner of a server gets its data."""
    return say("This server's data is being collected. You get it by direct message.")
