"""Sentences about time: paces, time left, people who are away, and expired time."""

from bot.app import clocks
from bot.app.habits import Vacation
from bot.app.sitting import Sitting
from bot.store import Habit, Reminder
from bot.words.common import mention, mentions, title
from bot.words.reader import Reader
from bot.words.zones import zone_name, zone_note
from engine.clock import DAY, HOUR, MINUTE, SECOND, Pace

TOLD_FROM = 2 * MINUTE
"""Milliseconds from which on an outage is told."""


def pace(say: Reader, chosen: Pace) -> str:
    """Tell how much time there is."""
    if chosen.turn:
        return say("{time} a turn", time=duration(say, chosen.turn))
    if not chosen.bank:
        return say("no time limit")
    bank = duration(say, chosen.bank)
    if not chosen.increment:
        return say("{bank} in total", bank=bank)
    more = duration(say, chosen.increment)
    return say("{bank} in total, plus {more} after each turn", bank=bank, more=more)


def duration(say: Reader, milliseconds: int) -> str:
    """Tell a time in the largest unit in which it is whole."""
    if milliseconds % DAY == 0:
        return say.many("{n} day", "{n} days", milliseconds // DAY)
    if milliseconds % HOUR == 0:
        return say.many("{n} hour", "{n} hours", milliseconds // HOUR)
    if milliseconds % MINUTE == 0:
        return say.many("{n} minute", "{n} minutes", milliseconds // MINUTE)
    return say.many("{n} second", "{n} seconds", milliseconds // SECOND)


def when(instant: int) -> str:
    """Format an instant for Discord, which shows it in the reader's own time, relative to now."""
    return f"<t:{instant // SECOND}:R>"


def day(instant: int) -> str:
    """Write an instant so that Discord tells its day in the reader's own time."""
    return f"<t:{instant // SECOND}:D>"


def left(say: Reader, sitting: Sitting) -> str:
    """Format until when the next player has time, or what may be done when it is over.

    It is empty where no time runs.
    """
    times = clocks.times(sitting)
    if times is None:
        return ""
    who = mention(sitting.to_act)
    if not sitting.late:
        told = say("{who}'s time runs out {when}.", who=who, when=when(times.out))
        return " ".join(filter(None, (told, _held_up(say, sitting))))
    others = mentions(say, sitting.waiting)
    return say(
        "{who}'s time has run out. {others} can claim the match or give fresh time. "
        "Otherwise it ends {when}.",
        who=who,
        others=others,
        when=when(times.ends),
    )


def _held_up(say: Reader, sitting: Sitting) -> str:
    """Tell why the time of the one to act stands, or stood, still."""
    turn = sitting.clock.turn
    held = [
        stop
        for stop in sitting.stops
        if turn and stop.holds(turn) and stop.ended > sitting.clock.since
    ]
    told = []
    for stop in held:
        if stop.side is not None and stop.ended <= sitting.now:
            # Who was away is back.
            continue
        if stop.side is not None:
            who = mention(sitting.at(stop.side, stop.player))
            told.append(say("{who} is away until {when}.", who=who, when=day(stop.ended)))
        elif stop.ended - stop.began >= TOLD_FROM:
            began, ended = (f"<t:{instant // SECOND}:f>" for instant in (stop.began, stop.ended))
            told.append(
                say(
                    "Nobody could play from {began} to {ended}, so the clock was stopped.",
                    began=began,
                    ended=ended,
                )
            )
    return " ".join(told[-1:])


def call(say: Reader, sitting: Sitting, link: str) -> str:
    """Call the one to act."""
    return say(
        "{who}, it's your turn in [match {match}, {game}]({link}).",
        who=mention(sitting.to_act),
        match=sitting.id,
        game=title(say, sitting.match.game),
        link=link,
    )


def remind(say: Reader, sitting: Sitting, link: str) -> str:
    """Remind the one to act."""
    times = clocks.times(sitting)
    assert times is not None
    return say(
        "{who}, your time in [match {match}, {game}]({link}) runs out {when}.",
        who=mention(sitting.to_act),
        match=sitting.id,
        game=title(say, sitting.match.game),
        link=link,
        when=when(times.out),
    )


def claimable(say: Reader, sitting: Sitting, link: str) -> str:
    """Tell those who wait that the other side is out of time."""
    times = clocks.times(sitting)
    assert times is not None
    return say(
        "{others}: {who}'s time in [match {match}, {game}]({link}) has run out. "
        "You can claim the match or give fresh time. Otherwise it ends {when}.",
        others=mentions(say, sitting.waiting),
        who=mention(sitting.to_act),
        match=sitting.id,
        game=title(say, sitting.match.game),
        link=link,
        when=when(times.ends),
    )


def of_match(say: Reader, sitting: Sitting) -> str:
    """Tell the pace of a match."""
    return pace(say, clocks.pace_of(sitting.row))


def habit(say: Reader, chosen: Habit) -> str:
    """Tell how somebody plays slow games."""
    reminded = {
        Reminder.CHANNEL: say(
            "You get a reminder in the match's channel when your time is running out."
        ),
        Reminder.DIRECT: say(
            "You get a reminder by direct message when your time is running out, "
            "if I can send you one."
        ),
        Reminder.NEVER: say("You get no reminders."),
    }[chosen.reminder]
    thrown = say("You roll your own dice.")
    if chosen.throws:
        thrown = say(
            "I roll for you half a minute after the other side's turn. "
            "Until then they can take it back."
        )
    asked = say("You confirm each turn before it ends.") if chosen.confirms else ""
    zone = _days_of(say, chosen.zone) if chosen.zone else ""
    return "\n".join(filter(None, (reminded, thrown, asked, zone)))


def _days_of(say: Reader, zone: str | None) -> str:
    """Tell by which time zone somebody's days are counted."""
    counted = say("Your vacation days are counted in {zone}.", zone=zone_name(zone))
    return f"{counted} {zone_note(say, zone)}".rstrip()


def vacation(say: Reader, found: Vacation) -> str:
    """Tell whether somebody is away, and what is left of their year."""
    left = say.many(
        "You have {n} vacation day left this year.",
        "You have {n} vacation days left this year.",
        found.left,
    )
    counted = _days_of(say, found.zone)
    if found.zone is None:
        counted = say(
            "Your vacation days are counted in UTC; `/settings zone` chooses your time zone."
        )
    if found.until is None:
        there = say("You're not on vacation. `/vacation days:7` stops your clocks for a week.")
        return f"{there} {left} {counted}"
    away = say(
        "You're on vacation until {day}: your clocks are stopped in matches that last for days.",
        day=f"<t:{found.until // SECOND}:f>",
    )
    back = say("`/vacation days:0` ends it.")
    return f"{away} {back} {left} {counted}"
