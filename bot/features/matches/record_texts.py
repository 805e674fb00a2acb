"""What a check of a match's record found."""

from collections.abc import Iterator
from datetime import UTC, datetime

from bot.features.matches.past_check import PastCheck
from bot.features.matches.record import RecordFault, VerificationResult
from bot.features.matches.secret_origin import SecretOrigin
from bot.features.matches.texts import explain_number_dice
from bot.platform.i18n.common import format_dice, format_side
from bot.platform.i18n.endings import format_ending
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.reasons import explain_refusal
from engine import dice
from engine.match import Match
from engine.outcome import FORFEITED

EARLIER_DIGITS = 20
"""Digits of a commitment that were posted before there was room for all of them."""


def format_record_check(say: Reader, found: VerificationResult) -> str:
    """Tell what was recomputed, and what is wrong if anything is."""
    if found.wrong is RecordFault.PAST_THROW and found.past:
        return say(
            "The throws can't be recomputed: a contribution to the dice was deleted on {date}, and "
            "they didn't match the secret even before that.",
            date=_format_date(found.past.at),
        )
    if found.wrong is None and found.past:
        told = _format_past_check(say, found, found.past)
        return " ".join((told, *_format_proof(say, found)))
    if found.wrong is None:
        checked = say.plural(
            "{n} throw was recomputed from the secret, and every event follows the rules",
            "{n} throws were recomputed from the secret, and every event follows the rules",
            found.throws,
        )
        # Translators: what was checked, then how the match ended: "9 throws were recomputed from
        # the secret, and every event follows the rules; unfinished."
        told = say("{checked}; {result}.", checked=checked, result=_format_result(say, found.end))
        return " ".join((told, *_format_proof(say, found)))
    right = say.plural("After {n} correct throw", "After {n} correct throws", found.throws)
    # Translators: how much was right, then what was wrong: "After 9 correct throws, ...".
    return say("{right}, {wrong}.", right=right, wrong=_explain_mismatch(say, found))


def _format_past_check(say: Reader, found: VerificationResult, past: PastCheck) -> str:
    """Tell what was checked before a contribution was deleted, and what can be checked still."""
    return say(
        "The secret matches its commitment, and every event follows the rules; {result}. The "
        "throws can't be recomputed any more, because a player's contribution to the dice was "
        "deleted at their request on {date}. {checked}",
        result=_format_result(say, found.end),
        date=_format_date(past.at),
        checked=say.plural(
            "Just before that the bot recomputed {n} throw and found it correct.",
            "Just before that the bot recomputed all {n} throws and found them correct.",
            past.throws or 0,
        ),
    )


def _format_date(at: int) -> str:
    """Write a day, in UTC and alike for every reader: a terminal shows it as well."""
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d}"


def _format_proof(say: Reader, found: VerificationResult) -> Iterator[str]:
    """Tell what the secret was committed to, and what that proves."""
    if found.origin:
        yield _format_origin(say, found.origin)
        posted = found.origin.posted_digits
    elif found.commitment:
        yield say("The commitment is `{digits}`.", digits=found.commitment.digits)
        posted = found.commitment.posted_digits
        if found.commitment.is_by_number:
            yield explain_number_dice(say)
            return
    else:
        return
    if posted == 0:
        yield say(
            "There's no record that it was posted beforehand, so the secret could have been chosen "
            "to suit."
        )
    elif posted is None or posted < dice.COMMITMENT_DIGITS:
        yield say(
            "At most {n} of its digits were posted beforehand. That rules out a secret found "
            "afterwards, but not one of two that were prepared and begin alike.",
            n=EARLIER_DIGITS if posted is None else posted,
        )
    elif found.origin:
        yield say(
            "According to the record, all its digits were posted before anybody joined: compare "
            "them with what was posted."
        )
    else:
        yield say(
            "According to the record, all its digits were posted before the last seat was taken: "
            "compare them with what was posted."
        )


def _format_origin(say: Reader, origin: SecretOrigin) -> str:
    """Tell what was checked of where a league's match has its secret from."""
    told = {"pairing": origin.pairing, "digits": origin.commitment}
    if origin.secret is None:
        return say(
            "Whether this is the secret of pairing {pairing} of the league with the commitment "
            "`{digits}` can be checked when the league is over.",
            **told,
        )
    return say(
        "This is the secret of pairing {pairing} of the league with the commitment `{digits}`.",
        **told,
    )


def _format_result(say: Reader, end: Match | None) -> str:
    if end is None or end.outcome is None:
        # Translators: of a match that has not ended, in place of its result (adjective).
        return say("unfinished")
    how = format_ending(say, end.game, end.outcome)
    if end.outcome.winner:
        # Translators: the side that won, then how: "gold: every man borne off".
        return say("{side}: {how}", side=format_side(say, end.outcome.winner), how=how)
    # Neither what counts for nothing nor what neither side played is a draw.
    if end.outcome.is_void or end.outcome.how == FORFEITED:
        return how
    return say("drawn: {how}", how=how)


def _explain_mismatch(say: Reader, found: VerificationResult) -> str:
    parts = found.parts or {}
    match found.wrong:
        case RecordFault.THROW:
            return say(
                "event {event} records {thrown}, but the secret gives {due}",
                event=parts["event"],
                thrown=format_dice(parts["thrown"]),
                due=format_dice(parts["due"]),
            )
        case RecordFault.EVENT:
            why = explain_refusal(say, parts["refusal"])
            return say("event {event} breaks the rules: {why}", event=parts["event"], why=why)
        case RecordFault.CLOCK:
            return say("event {event} was recorded before the time was up", event=parts["event"])
        case RecordFault.LEAGUE_SECRET:
            return say("the league's secret doesn't match the league's commitment")
        case RecordFault.PAIRING:
            return say(
                "the secret isn't the one that the league's secret gives to pairing {pairing}",
                pairing=parts["pairing"],
            )
    return say("the secret doesn't match the published commitment")
