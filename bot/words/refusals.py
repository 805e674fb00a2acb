"""What people read when something is refused or goes wrong: one sentence, saying also what would be right."""

from collections.abc import Callable, Mapping

from bot.app.errors import Declined, Why
from bot.store import Saved
from bot.words.clock import day
from bot.words.common import capital, plain, typed
from bot.words.permissions import permissions
from bot.words.reader import Reader
from bot.words.reasons import OFFERING, clip, either, why
from engine.refusal import Refusal


def refused(say: Reader, refusal: Refusal) -> str:
    """Tell why the rules refuse something, and what would be legal."""
    told = why(say, refusal)
    sentence = capital(told)
    if "move" in refusal.parts:
        sentence = say("{move}: {why}", move=typed(clip(refusal.parts["move"])), why=told)
    if not sentence.endswith("?"):
        sentence = say("{sentence}.", sentence=sentence)
    if not refusal.legal or refusal.reason in OFFERING:
        return sentence
    moves = ", ".join(f"`{text}`" for text in refusal.legal)
    legal = say("Legal now: {moves}.", moves=moves)
    return f"{sentence} {legal}"


def declined(say: Reader, refusal: Declined) -> str:
    """Tell why something may not be done, or not now."""
    parts = refusal.parts
    if parts.get("person"):
        parts = {**parts, "person": plain(parts["person"])}
    return _DECLINED[refusal.why](say, parts)


def failed(say: Reader, reference: str) -> str:
    """Tell of an error of ours by which nothing was saved."""
    return say(
        "Something went wrong on my side, and nothing was changed. If it goes on, report the reference {reference}.",
        reference=reference,
    )


def interrupted(say: Reader, *, sure: bool) -> str:
    """Say that the bot was restarted before something was done: `sure` where it is certain that nothing was saved."""
    if sure:
        return say(
            "I was restarted before I could do that, and nothing was changed. Please try again."
        )
    return say(
        "I was restarted while I was doing that. See whether it took effect, and try again if it didn't."
    )


def not_stored(say: Reader, saved: Saved, reference: str) -> str:
    """Tell that the database did not take a change, or could not be read."""
    told = say("The database cannot be read as it should; try again in a minute.")
    if saved is Saved.NOTHING:
        told = say(
            "The database could not take this, so nothing was changed; try again in a minute."
        )
    if saved is Saved.UNKNOWN:
        told = say(
            "The database broke off, and I cannot tell whether this was saved; `/board` shows it."
        )
    cause = say(
        "Whoever runs the bot finds the cause in the log under {reference}.", reference=reference
    )
    return f"{told} {cause}"


def forbidden(say: Reader) -> str:
    """Tell that Discord does not let the bot do something in a channel."""
    return say(
        "Discord does not let me do that in this channel; a moderator can look at my permissions here."
    )


def old_message(say: Reader, match: int, link: str | None) -> str:
    """Tell on a message that is not the match's newest where the match goes on."""
    if link is None:
        return say(
            "This message is old. Match {match} can be shown nowhere at present; `/board` brings it to where you are.",
            match=match,
        )
    return say("This message is old: [match {match} goes on here]({link}).", match=match, link=link)


_Parts = Mapping[str, object]


def _answered(say: Reader, parts: _Parts) -> str:
    match parts["state"]:
        case "accepted":
            return say("That challenge was accepted before.")
        case "declined":
            return say("That challenge was declined before.")
        case "withdrawn":
            return say("That challenge was withdrawn before.")
        case "lapsed":
            return say("That challenge has lapsed.")
    return say("That challenge has been answered already.")


def _too_many_matches(say: Reader, parts: _Parts) -> str:
    if parts["person"]:
        return say(
            "{person} has {most} matches running, the most there may be; one must be finished first.",
            **parts,
        )
    return say(
        "Somebody here has {most} matches running, the most there may be; one must be finished first.",
        **parts,
    )


def _missing(say: Reader, parts: _Parts) -> str:
    missing = parts["permissions"]
    assert isinstance(missing, tuple)
    named = permissions(say, missing)
    if channel := parts.get("channel"):
        return say(
            "I lack the permission {permissions} in {channel}; a moderator can grant it in the channel's settings, "
            "under Permissions.",
            permissions=named,
            channel=f"<#{channel}>",
        )
    return say(
        "I lack the permission {permissions} in this channel; a moderator can grant it in the channel's settings, "
        "under Permissions.",
        permissions=named,
    )


def _away_already(say: Reader, parts: _Parts) -> str:
    until = parts["until"]
    assert isinstance(until, int)
    return say(
        "You are away already, until {until}; `/vacation days:0` brings you back.", until=day(until)
    )


def _no_zone(say: Reader, parts: _Parts) -> str:
    zone, near = typed(clip(str(parts["typed"]))), parts["near"]
    assert isinstance(near, tuple)
    if near:
        return say(
            "{zone} is no time zone; did you mean {near}?",
            zone=zone,
            near=either(say, map(typed, near)),
        )
    return say(
        "{zone} is no time zone; choose one from the list, such as `Europe/Berlin`, or an offset "
        "from UTC such as `+2`.",
        zone=zone,
    )


def _start_elsewhere(say: Reader, parts: _Parts) -> str:
    channels = parts["channels"]
    assert isinstance(channels, tuple)
    named = say.listed([f"<#{channel}>" for channel in channels])
    return say("No match starts in this channel; ask for it in {channels}.", channels=named)


_DECLINED: Mapping[Why, Callable[[Reader, _Parts], str]] = {
    Why.ABSENT: lambda say, parts: say(
        "{person} is not in this server; name somebody who is, or nobody to leave it open.", **parts
    ),
    Why.ALREADY_AT_THE_TABLE: lambda say, parts: say(
        "Whoever plays in match {match} already can take no other seat there.", **parts
    ),
    Why.ANNULLED_BEFORE: lambda say, parts: say("Match {match} was annulled before.", **parts),
    Why.ALREADY_SEATED: lambda say, _: say(
        "You are in this challenge already; nobody plays on both sides."
    ),
    Why.AWAY_ALREADY: _away_already,
    Why.BLOCKED: lambda say, parts: say(
        "You have blocked {person}; `/block` can lift that.", **parts
    ),
    Why.BLOCK_NOBODY: lambda say, _: say("Only other people can be blocked."),
    Why.BOT: lambda say, parts: say(
        "{person} is a bot and does not play; name a person, or nobody to leave it open.", **parts
    ),
    Why.BOT_ABSENT: lambda say, _: say(
        "I'm not a member of this server, so no match can be played here; somebody who manages it can invite me, and "
        "`/rules` and `/puzzle` work without that."
    ),
    Why.CHALLENGE_ANSWERED: _answered,
    Why.CHALLENGE_LAPSED: lambda say, _: say("That challenge has lapsed."),
    Why.CHALLENGE_UNKNOWN: lambda say, _: say(
        "That challenge is not known here; `/challenge` makes one."
    ),
    Why.DONE_ALREADY: lambda say, _: say("That has been done already."),
    Why.ELSEWHERE: lambda say, parts: say("Match {match} is played in another server.", **parts),
    Why.EVERYWHERE: lambda say, _: say(
        "Matches may start in every channel; first allow those in which they may."
    ),
    Why.FOLLOWS_TOO_MANY: lambda say, parts: say(
        "You follow {most} matches, the most there may be; `/follow` with the number of one of them stops that.",
        **parts,
    ),
    Why.FOR_SOMEBODY_ELSE: lambda say, _: say(
        "This challenge is for somebody else; `/challenge` makes one of your own."
    ),
    Why.LOST: lambda say, _: say(
        "This message is newer than the backup from which I was restored, so it no longer works; "
        "`/games` lists your matches."
    ),
    Why.MATCH_OVER: lambda say, parts: say("Match {match} is over.", **parts),
    Why.MATCH_RUNNING: lambda say, parts: say("Match {match} is not over yet.", **parts),
    Why.MATCH_UNKNOWN: lambda say, parts: say("There is no match {match}.", **parts),
    Why.MISSING_PERMISSIONS: _missing,
    Why.MOVED_ON: lambda say, _: say(
        "The match has moved on since then; its newest message shows how it stands, and `/board` does too."
    ),
    Why.NOTHING_TO_DECIDE: lambda say, _: say("There is nothing to decide now; throw first."),
    Why.NO_CLOCK: lambda say, _: say("Against me no clock runs; leave the pace out."),
    Why.NO_HINTS: lambda say, _: say("This match is rated, so nobody is helped in it."),
    Why.NO_MATCH_HERE: lambda say, _: say(
        "You have no match running in this channel; `/challenge` starts one, `/games` lists yours, `/puzzle` shows the "
        "puzzle of the day."
    ),
    Why.NO_REASON: lambda say, _: say(
        "A reason is needed: it is shown to those who play, and kept in the log."
    ),
    Why.NO_ZONE: _no_zone,
    Why.NO_TEAM: lambda say, _: say(
        "Only a team's seat can be handed over; against one opponent there are `/draw` and `/resign`."
    ),
    Why.NONE_FINISHED: lambda say, _: say("You have finished no match yet."),
    Why.NOT_AWAY: lambda say, _: say("You are not away; your clocks run."),
    Why.NOT_A_MEMBER: lambda say, parts: say(
        "Only members of {role} play each other here, and {person} is not one; with `/play` anyone plays me.",
        role=f"<@&{parts['role']}>",
        person=parts["person"],
    ),
    Why.NOT_A_PLAYER: lambda say, parts: say("You do not play in match {match}.", **parts),
    Why.NOT_CONCERNED: lambda say, _: say("Only those it concerns may decline a challenge."),
    Why.NOT_FOR_YOU: lambda say, _: say(
        "This challenge is not one that you can take; `/challenge` makes one of your own."
    ),
    Why.NOT_SEATED: lambda say, _: say(
        "Only those who sit in a challenge may fill it; `/play` begins a match of your own."
    ),
    Why.NOT_IN_A_SERVER: lambda say, _: say(
        "Matches are played in a server's channels; ask me there."
    ),
    Why.NOT_TAKEN: lambda say, parts: say(
        "{person} does not take this challenge; name somebody else, or nobody to leave it open.",
        **parts,
    ),
    Why.NOT_WAITING: lambda say, parts: say(
        "Only those who wait for the other side in match {match} may claim it, or give more time.",
        **parts,
    ),
    Why.NOT_YOUR_TURN: lambda say, parts: say("It is {person}'s turn in match {match}.", **parts),
    Why.NOT_YOURS_TO_TAKE_BACK: lambda say, parts: say(
        "You cannot take back now: {person} acted last.", **parts
    ),
    Why.ONLY_PLAYERS_SHARE: lambda say, parts: say(
        "Only those who play match {match} may show it to everyone.", **parts
    ),
    Why.OWN_CHALLENGE: lambda say, _: say(
        "You cannot challenge yourself; name somebody else, or nobody to leave it open."
    ),
    Why.PUZZLE_NOT_SOLVED: lambda say, _: say(
        "Only who solved today's puzzle at the first try can tell of it."
    ),
    Why.PUZZLE_PAST: lambda say, _: say(
        "That is not the puzzle of today here; `/puzzle` shows it."
    ),
    Why.QUICKER: lambda say, _: say("Somebody else was quicker: that seat is taken."),
    Why.QUIET_FORM: lambda say, _: say(
        "Quiet hours are typed as `22-7` or `22:30-7:15 Europe/Berlin`; `none` turns them off."
    ),
    Why.REMATCH_BEGUN: lambda say, _: say(
        "You are playing this rematch already; `/games` leads to it."
    ),
    Why.REMATCH_OFFERED: lambda say, _: say(
        "You have offered this rematch already, and it waits for an answer; you can withdraw it here or with `/games`."
    ),
    Why.REPORTS_BUSY: lambda say, _: say(
        "Many reports are being made just now; ask again in a minute."
    ),
    Why.SAY_WHICH: lambda say, _: say(
        "You have several matches here; say which with the option match."
    ),
    Why.SEAT_GONE: lambda say, parts: say(
        "There is no such seat to hand over in match {match}.", **parts
    ),
    Why.SEAT_NOT_FOR_YOU: lambda say, _: say("That seat is offered to somebody else."),
    Why.SIDE_FULL: lambda say, _: say("That side is full."),
    Why.START_ELSEWHERE: _start_elsewhere,
    Why.TEAMS_ARE_OPEN: lambda say, _: say(
        "A game between teams is open to all: leave the opponent out, and people join a side."
    ),
    Why.THREAD_LOCKED: lambda say, _: say(
        "This thread is locked, so I can't post here; ask a moderator to unlock it, or use another channel."
    ),
    Why.TIME_LEFT: lambda say, parts: say("There is time left in match {match}.", **parts),
    Why.TOO_FEW_DAYS: lambda say, parts: say(
        "Of {year} days a year you have {left} left.", **parts
    ),
    Why.TOO_MANY_BLOCKED: lambda say, parts: say(
        "You have blocked {most} people, the most there may be; lift one block first.", **parts
    ),
    Why.TOO_MANY_CHALLENGES: lambda say, parts: say(
        "You have {most} open challenges, the most allowed; withdraw one here or with `/games`, or wait for an answer.",
        **parts,
    ),
    Why.TOO_MANY_CHANNELS: lambda say, parts: say(
        "Of channels in which matches may start there may be {most}; forbid one first.", **parts
    ),
    Why.TOO_MANY_HERE: lambda say, parts: say(
        "{most} matches were asked for in this server within a minute; wait a little.", **parts
    ),
    Why.TOO_MANY_LATELY: lambda say, parts: say(
        "You have asked for {most} matches within a minute; wait a little.", **parts
    ),
    Why.TOO_MANY_MATCHES: _too_many_matches,
    Why.UNKNOWN_CONTROL: lambda say, _: say(
        "That button is not known any more; `/board` shows your match with new ones."
    ),
}
