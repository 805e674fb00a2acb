"""What is said of a match: what is to be done, how it ended, what its dice prove, where it goes on.

Also how people, sides and the computer are named, and time: paces, time left, who is away.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bot.features.matches import clock as clocks
from bot.features.matches.rows import DELETED_CONTRIBUTION, Seat
from bot.features.matches.session import BY_NUMBER, MatchSession
from bot.platform.db.rows import PersonNames
from bot.platform.i18n import common
from bot.platform.i18n.common import format_title
from bot.platform.i18n.reader import Reader, option_context
from bot.platform.people import (
    COMPUTERS,
    NAME,
    distinguish_names,
    get_computer_level,
    has_net,
)
from engine import dice
from engine.clock import DAY, HOUR, MINUTE, SECOND, Pace, parse_pace
from engine.games import GAMES
from engine.match import SIDE, Match, Phase
from engine.outcome import ANNULLED, FORFEITED, GameOutcome
from engine.players.level import Level
from engine.position import Side
from render.characters import shorten_text

MAX_THREAD_NAME = 100
"""Characters that Discord shows of a thread's name."""


def format_heading(say: Reader, session: MatchSession) -> str:
    """Say the game, and in small which match of it this is, and who plays against whom."""
    gold, black = (mention_with_levels(say, session.list_players(side)) for side in Side)
    return say(
        "### {game}\n-# Match {number}: {gold} against {black}",
        game=format_title(say, session.match.game),
        number=session.id,
        gold=gold,
        black=black,
    )


def format_thread_name(say: Reader, session: MatchSession) -> str:
    """Name a match's thread after its game and its players; Discord takes no mentions there."""
    gold, black = (format_names(say, session, side) for side in Side)
    named = say(
        "{game}: {gold} and {black}",
        game=format_title(say, session.match.game),
        gold=gold,
        black=black,
    )
    return shorten_text(named, MAX_THREAD_NAME)


def format_thread_opening(say: Reader, session: MatchSession) -> str:
    """Say over a thread which match is played there."""
    gold, black = (mention_with_levels(say, session.list_players(side)) for side in Side)
    game = format_title(say, session.match.game)
    return say(
        "Match {number}, {game}: {gold} against {black}.",
        number=session.id,
        game=game,
        gold=gold,
        black=black,
    )


def explain_missing_thread(say: Reader, lacking: Sequence[str]) -> str:
    """Say why a match is played in its channel though the server uses threads."""
    if not lacking:
        return say("I couldn't open a thread for this match, so it's played here.")
    named = common.format_permissions(say, lacking)
    return say(
        "I can't open a thread for this match without {permissions}, so it's played here.",
        permissions=named,
    )


def format_restore_notice(say: Reader, at: int) -> str:
    """Say that a backup was restored, and what that means for a match."""
    return say(
        "I was restored from a backup made {when}. Anything played after that is lost, "
        "and the same dice may come up again.",
        when=f"<t:{at // SECOND}:R>",
    )


def format_draw_offer(say: Reader, session: MatchSession) -> str:
    """Describe a draw that is offered and may be accepted; nothing where none is."""
    side = session.match.drawing
    if side is None:
        return ""
    return say(
        "{who} offered a draw. {whom} can accept or decline it, or let it expire by rolling or "
        "playing.",
        who=mention_people(say, session.list_players(side)),
        whom=mention_people(say, session.list_players(side.other)),
    )


def format_prompt(say: Reader, session: MatchSession, *, has_controls: bool = False) -> str:
    """Say who is to do what now; only a message that `has_controls` speaks of them."""
    match = session.match
    if session.is_computer_acting:
        return say("{who} is thinking.", who=mention_person(say, session.person_to_act))
    who = mention_person(say, session.person_to_act)
    side = common.format_side(say, match.turn)
    left = common.format_dice(match.position.dice)
    match match.phase:
        case Phase.THROW | Phase.BREAK_ROLL if session.is_throw_coming:
            return say("{who} ({side}), I'll roll for you in a moment.", who=who, side=side)
        case Phase.BATTLE | Phase.BREAK_ROLL:
            return _format_roll_prompt(say, match.phase, has_controls=has_controls)
        case Phase.OPENING:
            return _format_opening_prompt(say, match, who)
        case Phase.BREAK:
            return say("{who} rolled higher: which point do you break?", who=who)
        case Phase.THROW:
            return say("{who} ({side}), your turn to roll.", who=who, side=side)
        case Phase.CHOOSE:
            return _format_six_prompt(say, match, who, side)
        case Phase.PLAY:
            return _format_play_prompt(say, who, side, left, has_controls=has_controls)
        case Phase.OFFER:
            return say("{who} ({side}), use {dice} or leave it.", who=who, side=side, dice=left)
        case Phase.OVER:
            return format_result(say, session)


def _format_roll_prompt(say: Reader, phase: Phase, *, has_controls: bool) -> str:
    """Say that both sides are to roll."""
    if phase is Phase.BREAK_ROLL:
        if has_controls:
            return say("The tables are bound, so both sides roll: press Roll or type `/roll`.")
        return say("The tables are bound, so both sides roll: type `/roll`.")
    if has_controls:
        return say("Opening roll: press Roll or type `/roll`.")
    return say("Opening roll: both sides type `/roll`.")


def _format_play_prompt(say: Reader, who: str, side: str, dice: str, *, has_controls: bool) -> str:
    """Say that somebody is to play a throw."""
    fields = {"who": who, "side": side, "dice": dice}
    if has_controls:
        return say("{who} ({side}), play {dice}: choose below or type `/move`.", **fields)
    return say("{who} ({side}), play {dice}: type `/move`.", **fields)


def _format_six_prompt(say: Reader, match: Match, who: str, side: str) -> str:
    if match.rules.dice.named:
        return say("{who} ({side}), which die do you name as your six?", who=who, side=side)
    return say(
        "{who} ({side}), you rolled no six: which die do you turn into a six?",
        who=who,
        side=side,
    )


def _format_opening_prompt(say: Reader, match: Match, who: str) -> str:
    if match.choice is SIDE:
        return say("{who} rolled higher: which side do you take?", who=who)
    assert match.choice is not None
    question = say.in_context(option_context(match.choice.name), match.choice.asks)
    return say("{who} goes first. {question}", who=who, question=question)


def format_result(say: Reader, session: MatchSession) -> str:
    """Say how a match ended; nothing while it goes on."""
    outcome = session.match.outcome
    if outcome is None:
        return ""
    if outcome.how == ANNULLED and not session.row.secret:
        return say("**Annulled**: the key to its dice was lost. The match doesn't count.")
    if outcome.how == ANNULLED:
        return say("**Annulled**: the match doesn't count.")
    people = {side: mention_people(say, session.list_players(side)) for side in Side}
    text = format_outcome(say, session.match, outcome, people)
    if outcome.how == FORFEITED and session.row.rated:
        # Said wherever the result is, since a win in a rated match otherwise changes ratings.
        unrated = say("The match isn't rated.")
        return common.join_sentences(say, text, unrated)
    return text


def format_outcome(
    say: Reader, match: Match, outcome: GameOutcome, people: Mapping[Side, str]
) -> str:
    """Say who won, if anybody did, and how the match came to its end."""
    how = common.format_ending(say, match.game, outcome, people)
    if outcome.is_void:
        return say("**Closed**: {how}. The match doesn't count.", how=how)
    if outcome.winner:
        return say(
            "**{who} ({side}) won**: {how}.",
            who=people[outcome.winner],
            side=common.format_side(say, outcome.winner),
            how=how,
        )
    if outcome.how == FORFEITED:
        return say("**Closed**: {how}.", how=how)
    return say("**Drawn**: {how}.", how=how)


def format_status(say: Reader, session: MatchSession) -> str:
    """Say in plain names how a match stands, for pictures and for those who cannot see them."""
    match = session.match
    if match.outcome:
        return _format_final_status(say, session, match.outcome)
    name = say.name_person(session.person_to_act, session.names[session.person_to_act])
    match match.phase:
        case Phase.BATTLE:
            return say("Opening roll")
        case Phase.OPENING:
            return say("{who} to choose", who=name)
        case Phase.BREAK_ROLL:
            return say("Both to roll")
        case Phase.BREAK:
            return say("{who} to break a point", who=name)
        case Phase.THROW:
            return say("{who} to roll", who=name)
        case Phase.CHOOSE:
            return say("{who} to turn a die", who=name)
        case Phase.PLAY:
            return say("{who} to play", who=name)
        case Phase.OFFER:
            return say("{who} to use or leave the numbers", who=name)
        case Phase.OVER:
            raise ValueError("a match that is over has an outcome")


def _format_final_status(say: Reader, session: MatchSession, outcome: GameOutcome) -> str:
    """Say in a word or two how a match has ended."""
    if outcome.how == ANNULLED:
        # Translators: how a match ended, in its picture: it doesn't count (participle).
        return say("Annulled")
    if outcome.winner:
        return say("{who} won", who=format_names(say, session, outcome.winner))
    if outcome.is_void or outcome.how == FORFEITED:
        # Translators: how a match ended, in its picture: without a result (participle).
        return say("Closed")
    # Translators: how a match ended, in its picture: nobody won it (participle).
    return say("Drawn")


def format_commitment(say: Reader, commitment: str) -> str:
    """Tell the dice's commitment, all of it: two secrets can be found that begin alike."""
    return say("Dice commitment: `{digits}`", digits=commitment)


def describe_computer_play(say: Reader, session: MatchSession) -> Iterator[str]:
    """Say how the computer plays here; nothing where only people do."""
    if session.computer_level is None:
        return
    yield {
        Level.BEGINNER: say(
            "The computer plays by simple rules and sometimes overlooks hits and blots."
        ),
        Level.COMPANION: say("The computer evaluates the position after each legal play."),
        Level.MASTER: say("The computer looks one throw ahead (1-ply) after its best plays."),
    }[session.computer_level]
    if has_net(session.row.game):
        yield say("It uses a neural network trained by playing against itself.")
    else:
        yield say("It uses rules of thumb: this game has no neural network.")


def format_contributions(say: Reader, seats: Iterable[Seat]) -> Iterator[str]:
    """Say what each of those seated gave to the dice."""
    for seat in seats:
        if seat.contribution == DELETED_CONTRIBUTION:
            yield say("{who} had their contribution deleted", who=mention_person(say, seat.person))
            continue
        yield say(
            "{who} contributed {share}",
            who=mention_person(say, seat.person),
            share=common.format_code(seat.contribution),
        )


def format_dice_page(say: Reader, session: MatchSession) -> tuple[str, ...]:
    """Describe a match's dice.

    That is the commitment, what everyone contributed, and at the end the secret.
    """
    row = session.row
    lines = [
        say("### Dice of match {number}", number=session.id),
        say(
            "SHA-256 of the secret, fixed before the first roll:\n`{commitment}`",
            commitment=row.commitment,
        ),
        # Those who sat there at the start: a substitute adds nothing to the dice.
        *format_contributions(say, row.seats_at(0)),
    ]
    if not row.secret:
        lines.append(say("The secret is lost."))
    elif session.match.phase is Phase.OVER:
        lines.append(say("Secret: `{secret}`", secret=row.secret.hex()))
    else:
        lines.append(say("The secret is revealed when the match is over."))
    return tuple(lines)


def explain_dice_proof(say: Reader, session: MatchSession) -> str:
    """Say what the dice of a match prove, and what not, that its players have begun."""
    if session.is_solo:
        return say(
            "-# Nobody has to accept a match against the computer, so the secret was drawn when "
            "your number was already known. The person who runs the bot could have chosen it to "
            "suit. Note the digits above: from then on no throw can be changed unnoticed. The "
            "computer sees the position and the current throw, never the secret."
        )
    if session.row.dice == BY_NUMBER:
        return f"-# {explain_number_dice(say)}"
    posted = session.row.posted_digits
    if posted < dice.COMMITMENT_DIGITS:
        return explain_weak_commitment(say, posted)
    return say(
        "-# The secret was fixed before anybody accepted, if this SHA-256 is the one that the "
        "challenge showed. Every throw also depends on the numbers that Discord gave the challenge "
        "and its acceptance. The person who runs the bot could not choose the throws without help "
        "from the player who accepted. Add a word of your own, and the dice don't rest on "
        "Discord's numbers alone."
    )


def explain_number_dice(say: Reader) -> str:
    """Say what dice of the first format prove, which are drawn under the match's number."""
    return say(
        "The throws of this old match also follow from its number, which the bot assigned when it "
        "knew what everybody had contributed. Nothing proves that it didn't try several numbers."
    )


def explain_weak_commitment(say: Reader, posted: int) -> str:
    """Say what dice prove whose commitment was not posted beforehand in full."""
    if posted == 0:
        return say(
            "-# There's no record that this SHA-256 was posted beforehand, so the person who runs "
            "the bot could have chosen the secret to suit."
        )
    return say(
        "-# Only the first {n} digits of this SHA-256 were posted beforehand. To find another "
        "secret for them afterwards is out of reach, but the person who runs the bot could have "
        "prepared two secrets whose SHA-256 begin alike, and chosen between them when everybody's "
        "numbers were known.",
        n=posted,
    )


def mention_person(say: Reader, person: int) -> str:
    """Format a person so that Discord shows their name, and no name can break the text.

    The computer is written by its own name.
    """
    return say.name_person(person, NAME) if person in COMPUTERS else f"<@{person}>"


def mention_people(say: Reader, people: Sequence[int]) -> str:
    """Write several people as a list in words."""
    return say.format_list([mention_person(say, person) for person in people])


def mention_sides(say: Reader, session: MatchSession) -> str:
    """Write who plays against whom in a match."""
    gold, black = (mention_people(say, session.list_players(side)) for side in Side)
    return say("{gold} against {black}", gold=gold, black=black)


def mention_with_levels(say: Reader, people: Sequence[int]) -> str:
    """Write several people as a list in words, with the level at which the computer plays."""
    return say.format_list([_mention_with_level(say, person) for person in people])


def format_level(say: Reader, level: Level) -> str:
    """Write a level of the computer's."""
    return {
        # Translators: a level of the computer player: the weakest (noun).
        Level.BEGINNER: say("beginner"),
        # Translators: a level of the computer player: the middle one (noun).
        Level.COMPANION: say("companion"),
        # Translators: a level of the computer player: the strongest (noun).
        Level.MASTER: say("master"),
    }[level]


def _mention_with_level(say: Reader, person: int) -> str:
    level = get_computer_level(person)
    name = mention_person(say, person)
    if not level:
        return name
    # Translators: the computer player, then the level at which it plays: "@Tabula (master)".
    return say("{name} ({level})", name=name, level=format_level(say, level))


def format_names(say: Reader, session: MatchSession, side: Side) -> str:
    """Write the plain names of one side's people, for pictures."""
    people = session.list_players(side)
    return say.format_list([say.name_person(person, session.names[person]) for person in people])


def name_people(say: Reader, people: Mapping[int, PersonNames]) -> dict[int, str]:
    """Return what to call some people where they are not mentioned, no two alike."""
    return {
        person: say.name_person(person, name) for person, name in distinguish_names(people).items()
    }


def explain_hidden_match(
    say: Reader, session: MatchSession, missing: Sequence[str], *, gone: bool = False
) -> str:
    """Say why a match can't be shown, that its clock is stopped, and how to continue elsewhere."""
    parts = {
        "match": session.id,
        "game": format_title(say, session.match.game),
        "channel": f"<#{session.row.channel}>",
    }
    why = say(
        "I can't show match {match} ({game}): Discord doesn't let me post in {channel}.", **parts
    )
    if gone:
        why = say(
            "I can't show match {match} ({game}): its channel or thread is deleted, locked or "
            "hidden from me.",
            **parts,
        )
    elif missing:
        named = common.format_permissions(say, missing)
        why = say.plural(
            "I can't show match {match} ({game}): I'm missing the permission {permissions} in "
            "{channel}. A moderator can grant it in the channel's settings, under Permissions.",
            "I can't show match {match} ({game}): I'm missing the permissions {permissions} in "
            "{channel}. A moderator can grant them in the channel's settings, under Permissions.",
            len(missing),
            permissions=named,
            **parts,
        )
    time = say("Its clock is stopped until I can show it again.")
    return common.join_sentences(say, why, time, explain_how_to_continue(say, session))


def explain_hidden_action(say: Reader, session: MatchSession, missing: Sequence[str]) -> str:
    """Tell somebody who has acted in a match's channel why nothing shows there."""
    named = common.format_permissions(say, missing)
    return say.plural(
        "Done in match {match}, but I can't show it here: I'm missing the permission {permissions} "
        "in this channel. A moderator can grant it in the channel's settings, under Permissions.",
        "Done in match {match}, but I can't show it here: I'm missing the permissions "
        "{permissions} in this channel. A moderator can grant them in the channel's settings, "
        "under Permissions.",
        len(missing),
        match=session.id,
        permissions=named,
    )


def explain_how_to_continue(say: Reader, session: MatchSession) -> str:
    """Say by which command a match is brought to another channel."""
    return say(
        "To continue elsewhere, type `/match board match:{match} share:True` in another channel of "
        "this server.",
        match=session.id,
    )


def format_continuation(say: Reader, session: MatchSession, channel: int) -> str:
    """Say where a match goes on."""
    return say("Match {match} continues in {channel}.", match=session.id, channel=f"<#{channel}>")


def explain_lost_thread(say: Reader, *, is_locked: bool) -> str:
    """Say why a match goes on in the channel of its thread."""
    if is_locked:
        return say("This match's thread is locked, so the match continues here.")
    return say("I can no longer post in this match's thread, so the match continues here.")


MIN_OUTAGE_MS = 2 * MINUTE
"""Milliseconds from which on an outage is mentioned."""


def format_pace(say: Reader, chosen: Pace) -> str:
    """Say how much time there is."""
    if chosen.turn:
        return say("{time} a turn", time=format_duration(say, chosen.turn))
    if not chosen.bank:
        return say("no time limit")
    bank = format_duration(say, chosen.bank)
    if not chosen.increment:
        return say("{bank} in total", bank=bank)
    more = format_duration(say, chosen.increment)
    return say("{bank} in total, plus {more} after each turn", bank=bank, more=more)


def format_terms_line(say: Reader, game: str, pace: str, *, rated: bool) -> str:
    """Say what is played where many matches have the same terms, in one line."""
    # Translators: the terms of a ladder's matches: "Backgammon; 1 day a turn; rated."
    return say(
        "{game}; {pace}; {rated}.",
        game=format_title(say, GAMES[game]),
        pace=format_pace(say, parse_pace(pace)),
        rated=common.format_matches_rated(say, rated=rated),
    )


def format_duration(say: Reader, milliseconds: int) -> str:
    """Tell a time in the largest unit in which it is whole."""
    if milliseconds % DAY == 0:
        return say.plural("{n} day", "{n} days", milliseconds // DAY)
    if milliseconds % HOUR == 0:
        return say.plural("{n} hour", "{n} hours", milliseconds // HOUR)
    if milliseconds % MINUTE == 0:
        return say.plural("{n} minute", "{n} minutes", milliseconds // MINUTE)
    return say.plural("{n} second", "{n} seconds", milliseconds // SECOND)


def format_relative_time(instant: int) -> str:
    """Format an instant for Discord, which shows it in the reader's own time, relative to now."""
    return f"<t:{instant // SECOND}:R>"


def format_turn_end(say: Reader, session: MatchSession) -> str:
    """Say in a list when a turn runs out of time, or did; empty where no time runs."""
    times = clocks.compute_deadlines(session)
    if times is None:
        return ""
    when = format_relative_time(times.out)
    if session.late:
        return say("ran out of time {when}", when=when)
    return say("time runs out {when}", when=when)


def format_time_left(say: Reader, session: MatchSession) -> str:
    """Format until when the next player has time, or what may be done when it is over.

    It is empty where no time runs.
    """
    times = clocks.compute_deadlines(session)
    if times is None:
        return ""
    who = mention_person(say, session.person_to_act)
    if not session.late:
        text = say("{who}'s time runs out {when}.", who=who, when=format_relative_time(times.out))
        return common.join_sentences(say, text, _explain_stopped_clock(say, session))
    others = mention_people(say, session.waiting_players)
    return say(
        "{who}'s time has run out. {others} can claim the match or give more time. "
        "Otherwise it ends {when}.",
        who=who,
        others=others,
        when=format_relative_time(times.ends),
    )


def _explain_stopped_clock(say: Reader, session: MatchSession) -> str:
    """Say why the time of the one to act stands, or stood, still."""
    turn = session.clock.turn
    held = [
        stop
        for stop in session.stops
        if turn and stop.is_for_turn(turn) and stop.ended > session.clock.since
    ]
    sentences = []
    for stop in held:
        if stop.side is not None and stop.ended <= session.now:
            # The player is back.
            continue
        if stop.side is not None:
            who = mention_person(say, session.get_player(stop.side, stop.player))
            sentences.append(
                say(
                    "{who} is on vacation until {when}.",
                    who=who,
                    when=common.format_date(stop.ended),
                )
            )
        elif stop.ended - stop.began >= MIN_OUTAGE_MS:
            began, ended = (f"<t:{instant // SECOND}:f>" for instant in (stop.began, stop.ended))
            sentences.append(
                say(
                    "Nobody could play from {began} to {ended}, so the clock was stopped.",
                    began=began,
                    ended=ended,
                )
            )
    return sentences[-1] if sentences else ""


def format_turn_notice(say: Reader, session: MatchSession, link: str) -> str:
    """Call the one for whom the match waits."""
    parts = {
        "who": mention_person(say, session.person_to_call),
        "match": session.id,
        "game": format_title(say, session.match.game),
        "link": link,
    }
    if session.match.drawing is not None:
        return say("{who}, you're offered a draw in [match {match}, {game}]({link}).", **parts)
    return say("{who}, it's your turn in [match {match}, {game}]({link}).", **parts)


def format_reminder(say: Reader, session: MatchSession, link: str) -> str:
    """Remind the one to act."""
    times = clocks.compute_deadlines(session)
    assert times is not None
    return say(
        "{who}, your time in [match {match}, {game}]({link}) runs out {when}.",
        who=mention_person(say, session.person_to_act),
        match=session.id,
        game=format_title(say, session.match.game),
        link=link,
        when=format_relative_time(times.out),
    )


def format_claim_notice(say: Reader, session: MatchSession, link: str) -> str:
    """Tell those who wait that the other side is out of time."""
    times = clocks.compute_deadlines(session)
    assert times is not None
    return say(
        "{others}: {who}'s time in [match {match}, {game}]({link}) has run out. "
        "You can claim the match or give more time. Otherwise it ends {when}.",
        others=mention_people(say, session.waiting_players),
        who=mention_person(say, session.person_to_act),
        match=session.id,
        game=format_title(say, session.match.game),
        link=link,
        when=format_relative_time(times.ends),
    )
