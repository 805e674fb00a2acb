"""What is said of a match: what happened, what is to be done, how it ended, what its dice prove."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bot.features.matches.name_texts import (
    format_names,
    mention_people,
    mention_person,
    mention_with_levels,
)
from bot.features.matches.session import BY_NUMBER, MatchSession
from bot.platform.computers import NAME, has_net
from bot.platform.i18n.catalogue_texts import option_context
from bot.platform.i18n.common import (
    format_code,
    format_dice,
    format_side,
    format_title,
)
from bot.platform.i18n.endings import format_ending
from bot.platform.i18n.permissions import format_permissions
from bot.platform.i18n.reader import Reader
from bot.store import DELETED_CONTRIBUTION, Seat
from engine import dice
from engine.clock import SECOND
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
    gold, black = (
        say.format_list([session.names[person] for person in session.list_players(side)])
        for side in Side
    )
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
    named = format_permissions(say, lacking)
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
    """Tell of a draw that is offered and may be accepted; nothing where none is."""
    side = session.match.drawing
    if side is None:
        return ""
    return say(
        "{who} offered a draw. {whom} can accept or decline it; it expires when they roll or play.",
        who=mention_people(say, session.list_players(side)),
        whom=mention_people(say, session.list_players(side.other)),
    )


def format_prompt(say: Reader, session: MatchSession, *, has_controls: bool = False) -> str:
    """Say who is to do what now; only a message that `has_controls` speaks of them."""
    match = session.match
    if session.is_computer_acting:
        return say("{who} is thinking.", who=NAME)
    who = mention_person(session.person_to_act)
    side = format_side(say, match.turn)
    left = format_dice(match.position.dice)
    match match.phase:
        case Phase.BATTLE | Phase.CONTEST:
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
    if phase is Phase.CONTEST:
        if has_controls:
            return say("The tables are bound, so both sides roll: press Roll or type `/roll`.")
        return say("The tables are bound, so both sides roll: type `/roll`.")
    if has_controls:
        return say("Opening roll: press Roll or type `/roll`.")
    return say("Opening roll: both sides type `/roll`.")


def _format_play_prompt(say: Reader, who: str, side: str, dice: str, *, has_controls: bool) -> str:
    """Say that somebody is to play a throw."""
    told = {"who": who, "side": side, "dice": dice}
    if has_controls:
        return say("{who} ({side}), play {dice}: choose below or type `/move`.", **told)
    return say("{who} ({side}), play {dice}: type `/move`.", **told)


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
    asked = say.in_context(option_context(match.choice.name), match.choice.asks)
    return say("{who} goes first. {question}", who=who, question=asked)


def format_result(say: Reader, session: MatchSession) -> str:
    """Say how a match ended; nothing while it goes on."""
    outcome = session.match.outcome
    if outcome is None:
        return ""
    if outcome.how == ANNULLED:
        return say("**Annulled** by a moderator: the match doesn't count.")
    people = {side: mention_people(say, session.list_players(side)) for side in Side}
    told = format_outcome(say, session.match, outcome, people)
    if outcome.how == FORFEITED and session.row.rated:
        # Said wherever the result is, since a win in a rated match otherwise changes ratings.
        unrated = say("The match isn't rated.")
        return f"{told} {unrated}"
    return told


def format_outcome(
    say: Reader, match: Match, outcome: GameOutcome, people: Mapping[Side, str]
) -> str:
    """Say who won, if anybody did, and how the match came to its end."""
    how = format_ending(say, match.game, outcome, people)
    if outcome.is_void:
        return say("**Closed**: {how}. The match doesn't count.", how=how)
    if outcome.winner:
        return say(
            "**{who} ({side}) won**: {how}.",
            who=people[outcome.winner],
            side=format_side(say, outcome.winner),
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
    name = session.names[session.person_to_act]
    waits = {
        Phase.BATTLE: say("Opening roll"),
        Phase.OPENING: say("{who} to choose", who=name),
        Phase.CONTEST: say("Both to roll"),
        Phase.BREAK: say("{who} to break a point", who=name),
        Phase.THROW: say("{who} to roll", who=name),
        Phase.CHOOSE: say("{who} to turn a die", who=name),
        Phase.PLAY: say("{who} to play", who=name),
        Phase.OFFER: say("{who} to use or leave", who=name),
    }
    return waits[match.phase]


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
    """Tell how the computer plays here; nothing where only people do."""
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
    """Tell what each of those seated gave to the dice."""
    for seat in seats:
        if seat.contribution == DELETED_CONTRIBUTION:
            yield say("{who} had their contribution deleted", who=mention_person(seat.person))
            continue
        yield say(
            "{who} contributed {share}",
            who=mention_person(seat.person),
            share=format_code(seat.contribution),
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
    if session.match.phase is Phase.OVER:
        lines.append(say("Secret: `{secret}`", secret=row.secret.hex()))
    else:
        lines.append(say("The secret is revealed when the match is over."))
    return tuple(lines)


def explain_dice_proof(say: Reader, session: MatchSession) -> str:
    """Tell what the dice of a match prove, and what not, that its players have begun."""
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
        "-# The secret was fixed before anybody accepted, if these are the digits that the "
        "challenge showed. Every throw also depends on the numbers that Discord gave the challenge "
        "and its acceptance. The person who runs the bot could not choose the throws without help "
        "from the player who accepted. Add a word of your own, and the dice don't rest on "
        "Discord's numbers alone."
    )


def explain_number_dice(say: Reader) -> str:
    """Tell what dice of the first format prove, which are drawn under the match's number."""
    return say(
        "The throws of this old match also follow from its number, which the bot assigned when it "
        "knew what everybody had contributed. Nothing proves that it didn't try several numbers."
    )


def explain_weak_commitment(say: Reader, posted: int) -> str:
    """Tell what dice prove whose commitment was not posted beforehand in full."""
    if posted == 0:
        return say(
            "-# There's no record that this SHA-256 was posted beforehand, so the person who runs "
            "the bot could have chosen the secret to suit."
        )
    return say(
        "-# Only the first {n} digits of this SHA-256 were posted beforehand. To find another "
        "secret for them afterwards is out of reach, but the person who runs the bot could have "
        "prepared two secrets whose digits begin alike, and chosen between them when everybody's "
        "numbers were known.",
        n=posted,
    )
