"""What the bot says: every sentence that people see in a match stands here.

People are written as mentions, so that Discord shows their names and no name can break the text.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.app.people import joined
from bot.app.play import Happening, Report
from bot.app.ratings import written
from bot.app.table import Table
from bot.store import RatingChange
from engine import throws
from engine.events import Battled, Chosen, Event, Left, Passed, Played, Resigned, TakenBack, Thrown
from engine.match import BREAK, SIDE, SIX, Match, Phase
from engine.notation import format_play
from engine.position import Side


def mention(person: int) -> str:
    """Write a person so that Discord shows their name."""
    return f"<@{person}>"


def mentions(people: Sequence[int]) -> str:
    """Write several people as a list in words."""
    return joined([mention(person) for person in people])


def dice(numbers: Iterable[int]) -> str:
    """Write dice as they are spoken of: `6-5-2`."""
    return "-".join(map(str, numbers))


def heading(table: Table) -> str:
    """Say which match this is."""
    sides = " against ".join(mentions(table.seated(side)) for side in Side)
    return f"**{table.match.game.title}**, match {table.id}: {sides}"


def story(report: Report) -> str:
    """Tell what happened, a sentence an event."""
    told = (_tell(report.table, happening) for happening in report.happenings)
    return "\n".join(sentence for sentence in told if sentence)


def _tell(table: Table, happening: Happening) -> str:
    # People may have changed sides since, so each moment's own seats are asked.
    then, since = replace(table, match=happening.before), replace(table, match=happening.after)
    return " ".join(filter(None, (_told(then, happening.event, since), _leftover(then, happening.event, since))))


def _told(then: Table, event: Event, since: Table) -> str:
    before, after, actor = then.match, since.match, mention(then.to_act)
    match event:
        case Battled(gold, black):
            return _battle(then, gold, black, since)
        case Thrown(thrown):
            fixed = "".join(f" with the {number} that is always there" for number in before.rules.dice.fixed)
            return f"{actor} threw {dice(thrown)}{fixed}."
        case Chosen(what, value, forced):
            return _choice(actor, what, value, after, forced=forced)
        case Played(moves, forced):
            text = format_play(moves, before.rules, before.position)
            return f"The only play there is: `{text}`." if forced else f"{actor} played `{text}`."
        case Passed():
            return _pass(actor, before)
        case Left():
            return f"{actor} leaves {dice(before.position.dice)}."
        case TakenBack(whole):
            return f"{mention(since.to_act)} took back {'everything since the throw' if whole else 'a move'}."
        case Resigned(side):
            return f"{mentions(then.seated(side))} resigned."


def _battle(then: Table, gold: tuple[int, ...], black: tuple[int, ...], since: Table) -> str:
    thrown = ", ".join(
        f"{mentions(then.seated(side))} threw {dice(numbers)}"
        for side, numbers in zip(Side, (gold, black), strict=True)
    )
    before, after = then.match, since.match
    name = "Roll battle" if before.phase is Phase.BATTLE else "The tables are bound"
    if after.phase is before.phase:
        return f"{name}: {thrown}; equal, so once more."
    if after.phase in (Phase.OPENING, Phase.BREAK):
        return f"{name}: {thrown}."
    throw = "with these numbers" if after.thrown else "with a fresh throw"
    return f"{name}: {thrown}. {mentions(since.seated(after.turn))} ({after.turn}) begins {throw}."


def _choice(actor: str, what: str, value: str, after: Match, *, forced: bool) -> str:
    if what == SIX:
        if forced:
            return f"A {value} becomes a six: {dice(after.thrown)}."
        return f"{actor} turned a {value} into a six: {dice(after.thrown)}."
    if what == BREAK:
        return f"{actor} broke {value}: one man goes from there to the bar."
    return f"{actor} chose the {what} {value}."


def _pass(actor: str, before: Match) -> str:
    if before.phase is Phase.PLAY:
        return "Nothing can be played."
    if plight := before.plight():
        return f"{actor} is {plight}, so the turn passes."
    return f"No throw could move {actor}'s men, so the turn passes."


def _leftover(then: Table, event: Event, since: Table) -> str:
    """Say what became of numbers that could not be played, where anybody should know."""
    before, after = then.match, since.match
    if after.phase is Phase.OFFER and before.phase is Phase.PLAY:
        return f"{dice(after.position.dice)} cannot be used; {mention(since.to_act)} may use it or leave it."
    wasted = []
    if isinstance(event, Played) and before.phase is Phase.PLAY and after.phase is Phase.THROW:
        wasted = list(before.position.dice)
        for number in (used for move in event.moves for used in move.numbers):
            wasted.remove(number)
    doubles = after.rules.dice.doubles.throws_again and throws.is_double(after.rules.dice, before.thrown)
    again = doubles and before.phase in (Phase.PLAY, Phase.OFFER) and after.phase is Phase.THROW
    told = (f"{dice(wasted)} cannot be used." if wasted else "", "Doubles give another throw." if again else "")
    return " ".join(filter(None, told))


def prompt(table: Table) -> str:
    """Say who is to do what now."""
    match = table.match
    who = mention(table.to_act)
    colour = match.turn
    match match.phase:
        case Phase.BATTLE:
            return "The roll battle comes first: press Roll or type `/roll`."
        case Phase.OPENING:
            if match.choice is SIDE:
                return f"{who} threw higher: which side do you take?"
            return f"{who} begins: {match.choice.asks if match.choice else ''}"
        case Phase.CONTEST:
            return "The tables are bound, so both sides throw: press Roll or type `/roll`."
        case Phase.BREAK:
            return f"{who} threw higher: which point is broken?"
        case Phase.THROW:
            return f"{who} ({colour}), your throw: press Roll or type `/roll`."
        case Phase.CHOOSE:
            return f"{who} ({colour}), no die shows a six: which one do you turn into a six?"
        case Phase.PLAY:
            return f"{who} ({colour}), play {dice(match.position.dice)}: choose below, or type `/move`."
        case Phase.OFFER:
            return f"{who} ({colour}), use {dice(match.position.dice)} or leave it."
        case Phase.OVER:
            return result(table)


def result(table: Table) -> str:
    """Say how a match ended."""
    outcome = table.match.outcome
    if outcome is None:
        return ""
    if outcome.winner is None:
        return f"**Drawn**: {outcome.by}."
    return f"**{mentions(table.seated(outcome.winner))} ({outcome.winner}) won**: {outcome.by}."


def status(table: Table) -> str:
    """Say in the picture's own line whose turn it is, in plain names."""
    match = table.match
    if match.outcome:
        return "Drawn" if match.outcome.winner is None else f"{table.side_names(match.outcome.winner)} won"
    name = table.names[table.to_act]
    waits = {
        Phase.BATTLE: "Roll battle",
        Phase.OPENING: f"{name} to choose",
        Phase.CONTEST: "Both to throw",
        Phase.BREAK: f"{name} to break a point",
        Phase.THROW: f"{name} to throw",
        Phase.CHOOSE: f"{name} to turn a die",
        Phase.PLAY: f"{name} to play",
        Phase.OFFER: f"{name} to use or leave",
    }
    return waits[match.phase]


def rating_news(changes: Sequence[RatingChange], scope: str, pool: str) -> str:
    """Tell the ratings before and after on one board; nothing where the match was not rated."""
    news = [
        f"{mention(change.key.person)} {written(change.before)} → {written(change.after)}"
        for change in changes
        if (change.key.scope, change.key.pool) == (scope, pool)
    ]
    return f"Ratings: {', '.join(news)}." if news else "Not rated."


def committed(commitment: str) -> str:
    """Tell the dice's commitment before they are thrown."""
    return f"The dice are settled: their secret's SHA-256 is `{commitment}`."


def revealed(table: Table) -> str:
    """Tell the dice's secret, so that every throw can be checked."""
    return f"The dice's secret was `{table.row.secret.hex()}`; `tabula verify` checks every throw of the record below."
