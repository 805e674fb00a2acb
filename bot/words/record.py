"""What a check of a match's record found."""

from bot.app.record import Verdict, Wrong
from bot.words.common import dice, side_name
from bot.words.endings import ending
from bot.words.reader import Reader
from bot.words.reasons import reason
from engine.match import Match


def verdict(say: Reader, found: Verdict) -> str:
    """Tell what was recomputed, and what is wrong if anything is."""
    if found.wrong is None:
        checked = say.many(
            "{n} throw was recomputed from the secret, and every event follows the rules",
            "{n} throws were recomputed from the secret, and every event follows the rules",
            found.throws,
        )
        return say("{checked}; {result}.", checked=checked, result=_result(say, found.end))
    right = say.many("After {n} correct throw", "After {n} correct throws", found.throws)
    return say("{right}, {wrong}.", right=right, wrong=_wrong(say, found))


def _result(say: Reader, end: Match | None) -> str:
    if end is None or end.outcome is None:
        return say("unfinished")
    how = ending(say, end.game, end.outcome)
    if end.outcome.void:
        return how
    if end.outcome.winner is None:
        return say("drawn: {how}", how=how)
    return say("{side}: {how}", side=side_name(say, end.outcome.winner), how=how)


def _wrong(say: Reader, found: Verdict) -> str:
    parts = found.parts or {}
    match found.wrong:
        case Wrong.THROW:
            return say(
                "event {event} records {thrown}, but the secret gives {due}",
                event=parts["event"],
                thrown=dice(parts["thrown"]),
                due=dice(parts["due"]),
            )
        case Wrong.EVENT:
            why = reason(say, parts["refusal"])
            return say("event {event} breaks the rules: {why}", event=parts["event"], why=why)
        case Wrong.CLOCK:
            return say("event {event} was recorded before the time was up", event=parts["event"])
    return say("the secret doesn't match the published commitment")
