"""What a check of a match's record found."""

from bot.app.record import Verdict, Wrong
from bot.words.common import dice, side_name
from bot.words.reader import Reader
from bot.words.refusals import refused


def verdict(say: Reader, found: Verdict) -> str:
    """Tell what was recomputed, and what is wrong if anything is."""
    if found.wrong is None:
        checked = say.many(
            "{n} throw recomputed from the secret, and every event is by the rules",
            "{n} throws recomputed from the secret, and every event is by the rules",
            found.throws,
        )
        return say("{checked}; {result}.", checked=checked, result=_result(say, found))
    right = say.many("After {n} throw that is right", "After {n} throws that are right", found.throws)
    return say("{right}, {wrong}.", right=right, wrong=_wrong(say, found))


def _result(say: Reader, found: Verdict) -> str:
    if found.outcome is None:
        return say("unfinished")
    winner = side_name(say, found.outcome.winner) if found.outcome.winner else say("drawn")
    return f"{winner}: {found.outcome.by}"


def _wrong(say: Reader, found: Verdict) -> str:
    parts = found.parts or {}
    match found.wrong:
        case Wrong.THROW:
            return say(
                "event {event} shows {thrown}, but the secret gives {due}",
                event=parts["event"],
                thrown=dice(parts["thrown"]),
                due=dice(parts["due"]),
            )
        case Wrong.EVENT:
            why = refused(say, parts["refusal"]).rstrip(".")
            return say("event {event} is against the rules: {why}", event=parts["event"], why=why)
    return say("the secret is not the one that was committed to")
