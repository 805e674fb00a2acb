"""What people read when something is refused or goes wrong, and what to do instead."""

from collections.abc import Callable, Mapping

from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.i18n.analysis_declines import ANALYSIS_DECLINE_TEXTS
from bot.platform.i18n.common import capitalise_first, escape_text, format_code, format_date
from bot.platform.i18n.contest_declines import CONTEST_DECLINE_TEXTS
from bot.platform.i18n.ladder_declines import LADDER_DECLINE_TEXTS
from bot.platform.i18n.permissions import format_permissions
from bot.platform.i18n.preference_declines import PREFERENCE_DECLINE_TEXTS
from bot.platform.i18n.rating_declines import RATING_DECLINE_TEXTS
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.reason_parts import clip_typed
from bot.platform.i18n.reasons import REASONS_LISTING_LEGAL, explain_without_move
from bot.store import SaveOutcome
from engine.refusal import Refusal


def format_refusal(say: Reader, refusal: Refusal) -> str:
    """Tell why the rules refuse something, and what would be legal."""
    told = explain_without_move(say, refusal)
    sentence = capitalise_first(told)
    if "move" in refusal.parts:
        # Translators: a move that was typed, then why it isn't legal: "a-b: you have no man on a".
        sentence = say(
            "{move}: {why}", move=format_code(clip_typed(refusal.parts["move"])), why=told
        )
    if not sentence.endswith("?"):
        sentence = say("{sentence}.", sentence=sentence)
    if not refusal.legal or refusal.reason in REASONS_LISTING_LEGAL:
        return sentence
    moves = ", ".join(f"`{text}`" for text in refusal.legal)
    legal = say("Legal now: {moves}.", moves=moves)
    return f"{sentence} {legal}"


def format_decline(say: Reader, refusal: DeclinedError) -> str:
    """Tell why something may not be done, or not now."""
    parts = refusal.parts
    if parts.get("person"):
        parts = {**parts, "person": escape_text(parts["person"])}
    return _DECLINE_TEXTS[refusal.why](say, parts)


def format_failure(say: Reader, reference: str) -> str:
    """Tell of an error of ours by which nothing was saved."""
    return say(
        "Something went wrong on my side, and nothing has changed. If this keeps happening, please "
        "report the reference {reference}.",
        reference=reference,
    )


def format_interruption(say: Reader, *, sure: bool) -> str:
    """Say that the bot was restarted before something was done.

    `sure` means that it is certain that nothing was saved.
    """
    if sure:
        return say(
            "I was restarted before I could do that, so nothing has changed. Please try again."
        )
    return say(
        "I was restarted while doing that. Check whether it worked, and try again if it didn't."
    )


def format_store_failure(say: Reader, saved: SaveOutcome, reference: str) -> str:
    """Tell that the database did not take a change, or could not be read."""
    told = say("I can't read the database right now. Please try again in a minute.")
    if saved is SaveOutcome.NOTHING:
        told = say("I couldn't save that, so nothing has changed. Please try again in a minute.")
    if saved is SaveOutcome.UNKNOWN:
        told = say(
            "The database connection was lost, so I don't know whether that was saved. Check with "
            "`/match board`."
        )
    cause = say("The reference for the bot's operator is {reference}.", reference=reference)
    return f"{told} {cause}"


def explain_forbidden(say: Reader) -> str:
    """Tell that Discord does not let the bot do something in a channel."""
    return say(
        "Discord doesn't let me do that in this channel. Ask a moderator to check my permissions "
        "here."
    )


def format_outdated_message(say: Reader, match: int, link: str | None) -> str:
    """Tell on a message that is not the match's newest where the match goes on."""
    if link is None:
        return say(
            "This message is out of date. Match {match} can't be shown where it was played; use "
            "`/match board` to move it here.",
            match=match,
        )
    return say(
        "This message is out of date. [Match {match} continues here]({link}).",
        match=match,
        link=link,
    )


_Parts = Mapping[str, object]


def _explain_closed_challenge(say: Reader, parts: _Parts) -> str:
    match parts["state"]:
        case "accepted":
            return say("That challenge has already been accepted.")
        case "declined":
            return say("That challenge has already been declined.")
        case "withdrawn":
            return say("That challenge has already been withdrawn.")
        case "lapsed":
            return say("That challenge has expired.")
    return say("That challenge has already been answered.")


def _explain_match_limit(say: Reader, parts: _Parts) -> str:
    if parts["person"]:
        return say(
            "{person} has {most} matches in progress, the most allowed. One has to end first.",
            **parts,
        )
    return say(
        "One of the players has {most} matches in progress, the most allowed. One has to end "
        "first.",
        **parts,
    )


def _explain_missing_permissions(say: Reader, parts: _Parts) -> str:
    missing = parts["permissions"]
    assert isinstance(missing, tuple)
    count = len(missing)
    named = format_permissions(say, missing)
    if channel := parts.get("channel"):
        return say.plural(
            "I'm missing the permission {permissions} in {channel}. A moderator can grant it in "
            "the channel's settings, under Permissions.",
            "I'm missing the permissions {permissions} in {channel}. A moderator can grant them in "
            "the channel's settings, under Permissions.",
            count,
            permissions=named,
            channel=f"<#{channel}>",
        )
    return say.plural(
        "I'm missing the permission {permissions} in this channel. A moderator can grant it in the "
        "channel's settings, under Permissions.",
        "I'm missing the permissions {permissions} in this channel. A moderator can grant them in "
        "the channel's settings, under Permissions.",
        count,
        permissions=named,
    )


def _explain_current_vacation(say: Reader, parts: _Parts) -> str:
    until = parts["until"]
    assert isinstance(until, int)
    return say(
        "You're already away until {until}. To come back, use `/me vacation days:0`.",
        until=format_date(until),
    )


def _explain_start_channels(say: Reader, parts: _Parts) -> str:
    channels = parts["channels"]
    assert isinstance(channels, tuple)
    named = say.format_list([f"<#{channel}>" for channel in channels])
    return say(
        "Matches can't be started in this channel. Start yours in {channels}.", channels=named
    )


_DECLINE_TEXTS: Mapping[DeclineReason, Callable[[Reader, _Parts], str]] = {
    DeclineReason.ABSENT: lambda say, parts: say(
        "{person} isn't in this server. Choose somebody who is, or leave the opponent out so that "
        "anyone can accept.",
        **parts,
    ),
    DeclineReason.ALREADY_AT_THE_TABLE: lambda say, parts: say(
        "Players in match {match} can't take a second seat in it.", **parts
    ),
    DeclineReason.ANNULLED_BEFORE: lambda say, parts: say(
        "Match {match} has already been annulled.", **parts
    ),
    DeclineReason.ALREADY_SEATED: lambda say, _: say(
        "You've already joined this challenge, and nobody can play on both sides."
    ),
    DeclineReason.AWAY_ALREADY: _explain_current_vacation,
    DeclineReason.BLOCKED: lambda say, parts: say(
        "You've blocked {person}. You can unblock them with `/me block`.", **parts
    ),
    DeclineReason.BLOCK_NOBODY: lambda say, _: say("You can only block other people."),
    DeclineReason.BOT: lambda say, parts: say(
        "{person} is a bot and doesn't play. Choose a person, or leave the opponent out so that "
        "anyone can accept.",
        **parts,
    ),
    DeclineReason.BOT_ABSENT: lambda say, _: say(
        "I'm not a member of this server, so that doesn't work here. A server manager can invite "
        "me; `/play` against the computer, in our direct messages, `/rules` and `/puzzle` work "
        "anyway."
    ),
    DeclineReason.CHALLENGE_ANSWERED: _explain_closed_challenge,
    DeclineReason.CHALLENGE_LAPSED: lambda say, _: say("That challenge has expired."),
    DeclineReason.CHALLENGE_UNKNOWN: lambda say, _: say(
        "I don't know that challenge. You can create a new one with `/challenge`."
    ),
    DeclineReason.COSTLY_TOO_LONG: lambda say, _: say(
        "That took too long to work out, so I stopped. Please try again later."
    ),
    DeclineReason.COSTLY_TOO_MANY: lambda say, parts: say(
        "You've asked for {most} analyses, hints, replays or files within a minute. Please wait a "
        "little.",
        **parts,
    ),
    DeclineReason.COSTLY_TOO_MANY_HERE: lambda say, _: say(
        "Many people in this server are asking for analyses, hints, replays or files. Please ask "
        "again in a minute."
    ),
    DeclineReason.COSTLY_UNDER_WAY: lambda say, _: say(
        "I'm still working on your last analysis, hint, replay, report or file. Ask again when "
        "it's there."
    ),
    DeclineReason.DIRECT_CLOSED: lambda say, _: say(
        "I can't show matches here, and you don't take direct messages from me. Allow them in "
        "Discord's privacy settings, or use `/play` in a server that has invited me."
    ),
    DeclineReason.DONE_ALREADY: lambda say, _: say("That's already been done."),
    DeclineReason.ELSEWHERE: lambda say, parts: say(
        "Match {match} was started elsewhere, and that only works there.", **parts
    ),
    DeclineReason.FOLLOWS_TOO_MANY: lambda say, parts: say(
        "You're following {most} matches, the most allowed. To stop following one, use "
        "`/match follow` with its number.",
        **parts,
    ),
    DeclineReason.FOR_SOMEBODY_ELSE: lambda say, _: say(
        "This challenge is for somebody else. You can create your own with `/challenge`."
    ),
    DeclineReason.HIDDEN_FROM: lambda say, parts: say(
        "{person} can't see {channel}. Use a channel that all the players can see.",
        person=parts["person"],
        channel=f"<#{parts['channel']}>",
    ),
    DeclineReason.HIDDEN_FROM_YOU: lambda say, parts: say(
        "You can't see {channel}, where the matches are played. Ask a moderator to let you in.",
        channel=f"<#{parts['channel']}>",
    ),
    DeclineReason.LESSON_NOT_BEGUN: lambda say, _: say(
        "You haven't begun this lesson. `/learn` begins it."
    ),
    DeclineReason.LOST: lambda say, _: say(
        "This message no longer works because I was restored from an older backup. `/matches` "
        "lists your matches."
    ),
    DeclineReason.MATCH_OVER: lambda say, parts: say("Match {match} is over.", **parts),
    DeclineReason.MATCH_RUNNING: lambda say, parts: say("Match {match} is not over yet.", **parts),
    DeclineReason.MATCH_UNKNOWN: lambda say, parts: say("There is no match {match}.", **parts),
    DeclineReason.MAY_NOT_WRITE: lambda say, parts: say(
        "You aren't allowed to write in {channel}, so I won't post there for you. Use a channel "
        "where you can write.",
        channel=f"<#{parts['channel']}>",
    ),
    DeclineReason.MISSING_PERMISSIONS: _explain_missing_permissions,
    DeclineReason.MOVED_ON: lambda say, _: say(
        "The match has moved on. See its latest message, or use `/match board`."
    ),
    DeclineReason.NOTHING_TO_DECIDE: lambda say, _: say(
        "There's nothing to decide yet. Roll first."
    ),
    DeclineReason.NO_CLOCK: lambda say, _: say(
        "Matches against the computer have no clock, so leave the pace out."
    ),
    DeclineReason.HINTS_NOT_ASKED: lambda say, parts: say(
        "Hints aren't available in match {match}, since not everybody in it can be asked.", **parts
    ),
    DeclineReason.NO_HINTS: lambda say, _: say("Hints aren't available in rated matches."),
    DeclineReason.NO_MATCH_HERE: lambda say, _: say(
        "You have no match in this channel. Start one with `/play` or `/challenge`, list yours "
        "with `/matches`, or try the `/puzzle` of the day."
    ),
    DeclineReason.NO_REASON: lambda say, _: say(
        "Please give a reason. The players will see it, and it's kept in the log."
    ),
    DeclineReason.NO_TEAM: lambda say, _: say(
        "Only a seat in a team can be handed over. In a match for two you can use `/match draw` or "
        "`/match resign`."
    ),
    DeclineReason.NONE_FINISHED: lambda say, _: say("You haven't finished a match yet."),
    DeclineReason.NOT_AWAY: lambda say, _: say("You're not away, and your clocks are running."),
    DeclineReason.NOT_A_MANAGER: lambda say, _: say(
        "Only members who may manage this server can change its settings."
    ),
    DeclineReason.NOT_A_MODERATOR: lambda say, _: say(
        "Only people with the permission Manage Server can do that."
    ),
    DeclineReason.NOT_A_MEMBER: lambda say, parts: say(
        "Only members of {role} can challenge each other here, and {person} isn't one. Anyone can "
        "play the computer with `/play`.",
        role=f"<@&{parts['role']}>",
        person=parts["person"],
    ),
    DeclineReason.NOT_A_PLAYER: lambda say, parts: say(
        "You're not playing in match {match}.", **parts
    ),
    DeclineReason.NOT_CONCERNED: lambda say, _: say(
        "Only the people in a challenge can decline it."
    ),
    DeclineReason.NOT_EVERYWHERE: lambda say, parts: say(
        "{person} doesn't show their results in all servers. Leave out `scope` for those in this "
        "server.",
        **parts,
    ),
    DeclineReason.NOT_FOR_YOU: lambda say, _: say(
        "You can't accept this challenge. You can create your own with `/challenge`."
    ),
    DeclineReason.NOT_SEATED: lambda say, _: say(
        "Only people who have joined this challenge can fill its empty seats. You can start your "
        "own match with `/play`."
    ),
    DeclineReason.NOT_IN_A_SERVER: lambda say, _: say(
        "That works in the channels of a server that has invited me. Against the computer you can "
        "also play in our direct messages, with `/play`."
    ),
    DeclineReason.NOT_TAKEN: lambda say, parts: say(
        "{person} can't be challenged. Choose somebody else, or leave the opponent out so that "
        "anyone can accept.",
        **parts,
    ),
    DeclineReason.NOT_WAITING: lambda say, parts: say(
        "Only the players waiting for the other side in match {match} can claim the win or give "
        "more time.",
        **parts,
    ),
    DeclineReason.NOT_YOUR_TURN: lambda say, parts: say(
        "It's {person}'s turn in match {match}.", **parts
    ),
    DeclineReason.NOT_YOURS_TO_TAKE_BACK: lambda say, parts: say(
        "You can't take back now, because {person} moved last.", **parts
    ),
    DeclineReason.ONLY_PLAYERS_SHARE: lambda say, parts: say(
        "Only the players in match {match} can show it to everyone.", **parts
    ),
    DeclineReason.OWN_CHALLENGE: lambda say, _: say(
        "You can't challenge yourself. Choose somebody else, or leave the opponent out so that "
        "anyone can accept."
    ),
    DeclineReason.OWN_PUZZLES_NONE: lambda say, _: say(
        "You have no puzzles of your own yet. They come from plays that cost you a lot in matches "
        "with a `/match report`."
    ),
    DeclineReason.OWN_PUZZLES_PRIVATE: lambda say, _: say(
        "Your own puzzles are only for you. Leave out `share`, or share today's puzzle."
    ),
    DeclineReason.PUZZLE_NOT_SOLVED: lambda say, _: say(
        "You can share today's puzzle only if you solved it at the first try."
    ),
    DeclineReason.PUZZLE_PAST: lambda say, _: say("That isn't today's puzzle. `/puzzle` shows it."),
    DeclineReason.QUICKER: lambda say, _: say("Somebody else was quicker. That seat is taken."),
    DeclineReason.REMATCH_BEGUN: lambda say, _: say(
        "You're already playing this rematch. Find it with `/matches`."
    ),
    DeclineReason.REMATCH_OFFERED: lambda say, _: say(
        "You've already offered this rematch. Wait for an answer, or withdraw it here or with "
        "`/matches`."
    ),
    DeclineReason.REPORTS_BUSY: lambda say, _: say(
        "I'm working on many reports right now. Please ask again in a minute."
    ),
    DeclineReason.SAY_WHICH: lambda say, _: say(
        "You have several matches here. Choose one with the option `match`."
    ),
    DeclineReason.SEAT_GONE: lambda say, parts: say(
        "That seat in match {match} can't be handed over.", **parts
    ),
    DeclineReason.SEAT_NOT_FOR_YOU: lambda say, _: say("That seat is offered to somebody else."),
    DeclineReason.SEAT_NOT_TAKEN: lambda say, parts: say(
        "{person} can't be asked to take this seat. Choose somebody else.", **parts
    ),
    DeclineReason.SEAT_OFFERED: lambda say, parts: say(
        "This seat is already offered to {person}. It can be offered again once somebody presses "
        "**Leave it** there, or after a day.",
        **parts,
    ),
    DeclineReason.SIDE_FULL: lambda say, _: say("That side is full."),
    DeclineReason.START_ELSEWHERE: _explain_start_channels,
    DeclineReason.SUBSCRIPTIONS_TOO_MANY: lambda say, parts: say(
        "You have {most} subscriptions, the most allowed. End one with `/notify` in its server.",
        **parts,
    ),
    DeclineReason.TEAMS_ARE_OPEN: lambda say, _: say(
        "Anyone can join a team game. Leave the opponent out, and people choose a side."
    ),
    DeclineReason.THREAD_LOCKED: lambda say, _: say(
        "This thread is locked, so I can't post here. Ask a moderator to unlock it, or use another "
        "channel."
    ),
    DeclineReason.TIME_LEFT: lambda say, parts: say(
        "There's still time left in match {match}.", **parts
    ),
    DeclineReason.TOO_FEW_DAYS: lambda say, parts: say(
        "You have {left} of your {year} days away left this year.", **parts
    ),
    DeclineReason.TOO_MANY_BLOCKED: lambda say, parts: say(
        "You've blocked {most} people, the most allowed. Unblock somebody first.", **parts
    ),
    DeclineReason.TOO_MANY_CHALLENGES: lambda say, parts: say(
        "You have {most} open challenges, the most allowed. Withdraw one here or with `/matches`, "
        "or wait for an answer.",
        **parts,
    ),
    DeclineReason.TOO_MANY_HERE: lambda say, parts: say(
        "{most} matches have been requested in this server within a minute. Please wait a little.",
        **parts,
    ),
    DeclineReason.TOO_MANY_LATELY: lambda say, parts: say(
        "You've requested {most} matches within a minute. Please wait a little.", **parts
    ),
    DeclineReason.TOO_MANY_MATCHES: _explain_match_limit,
    DeclineReason.TOO_MANY_OFFERS: lambda say, parts: say(
        "You've offered {most} seats within a minute. Please wait a little.", **parts
    ),
    DeclineReason.TOO_MANY_TO_ONE: lambda say, parts: say(
        "You've challenged {person} {most} times within an hour without a match. Please wait for "
        "an answer, or an hour.",
        **parts,
    ),
    DeclineReason.UNKNOWN_CONTROL: lambda say, _: say(
        "That button no longer works. Use `/match board` to get your match with new ones."
    ),
    **ANALYSIS_DECLINE_TEXTS,
    **CONTEST_DECLINE_TEXTS,
    **LADDER_DECLINE_TEXTS,
    **PREFERENCE_DECLINE_TEXTS,
    **RATING_DECLINE_TEXTS,
}
