"""What the bot says: every sentence that people see in a match stands here.

People are written as mentions, so that Discord shows their names and no name can break the text.
"""

from collections.abc import Iterable, Sequence

from bot.app.people import joined
from bot.app.play import Happening, Report
from bot.app.ratings import certain, shown
from bot.app.table import Table
from bot.store import RatingChange
from engine.events import Battled, Chosen, Event, Left, Passed, Played, Resigned, TakenBack, Thrown
from engine.match import SIX, Match, Phase
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
    before, event, after = happening.before, happening.event, happening.after
    actor = mention(table.at(*before.acting))
    told = _told(table, actor, before, event, after)
    return " ".join(filter(None, (told, _leftover(table, actor, event, before, after))))


def _told(table: Table, actor: str, before: Match, event: Event, after: Match) -> str:
    match event:
        case Battled(gold, black):
            return _battle(table, gold, black, after)
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
            return (
                f"{mention(table.at(*after.acting))} took back {'everything since the throw' if whole else 'a move'}."
            )
        case Resigned(side):
            return f"{mentions(table.seated(side))} resigned."


def _battle(table: Table, gold: tuple[int, ...], black: tuple[int, ...], after: Match) -> str:
    thrown = ", ".join(
        f"{mentions(table.seated(side))} threw {dice(numbers)}"
        for side, numbers in ((Side.GOLD, gold), (Side.BLACK, black))
    )
    if after.phase is Phase.BATTLE:
        return f"Roll battle: {thrown}; equal, so once more."
    return f"Roll battle: {thrown}. {mentions(table.seated(after.turn))} ({after.turn}) begins with a fresh throw."


def _choice(actor: str, what: str, value: str, after: Match, *, forced: bool) -> str:
    if what == SIX:
        if forced:
            return f"A {value} becomes a six: {dice(after.thrown)}."
        return f"{actor} turned a {value} into a six: {dice(after.thrown)}."
    return f"{actor} chose the {what} {value}."


def _pass(actor: str, before: Match) -> str:
    if before.phase is Phase.PLAY:
        return "Nothing can be played."
    if plight := before.plight():
        return f"{actor} is {plight}, so the turn passes."
    return f"No throw could move {actor}'s men, so the turn passes."


def _leftover(table: Table, actor: str, event: Event, before: Match, after: Match) -> str:
    """Say what became of numbers that could not be played, where anybody should know."""
    if after.phase is Phase.OFFER and before.phase is Phase.PLAY:
        offered = mention(table.at(*after.acting))
        return f"{dice(after.position.dice)} cannot be used; {offered} may use it or leave it."
    if isinstance(event, Played) and before.phase is Phase.PLAY and after.phase is Phase.THROW:
        left = list(before.position.dice)
        for move in event.moves:
            left.remove(move.number)
        return f"{dice(left)} cannot be used." if left else ""
    return ""


def prompt(table: Table) -> str:
    """Say who is to do what now."""
    match = table.match
    who = mention(table.to_act)
    colour = match.turn
    match match.phase:
        case Phase.BATTLE:
            return "The roll battle comes first: press Roll or type `/roll`."
        case Phase.OPENING:
            choice = match.game.opening_choice()
            return f"{who} begins: {choice.asks if choice else ''}"
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
        Phase.THROW: f"{name} to throw",
        Phase.CHOOSE: f"{name} to turn a die",
        Phase.PLAY: f"{name} to play",
        Phase.OFFER: f"{name} to use or leave",
    }
    return waits[match.phase]


def rating_news(changes: Sequence[RatingChange], scope: str, pool: str) -> str:
    """Tell the ratings before and after on one board; nothing where the match was not rated."""
    news = [
        f"{mention(change.key.person)} {_before(change)} → {shown(change.after)}{'' if certain(change.after) else '?'}"
        for change in changes
        if (change.key.scope, change.key.pool) == (scope, pool)
    ]
    return f"Ratings: {', '.join(news)}." if news else "Not rated."


def _before(change: RatingChange) -> str:
    return "new" if change.before is None else f"{shown(change.before)}{'' if certain(change.before) else '?'}"


def committed(commitment: str) -> str:
    """Tell the dice's commitment before they are thrown."""
    return f"The dice are settled: their secret's SHA-256 is `{commitment}`."


def revealed(table: Table) -> str:
    """Tell the dice's secret, so that every throw can be checked."""
    return f"The dice's secret was `{table.row.secret.hex()}`; `tabula verify` checks every throw of the record below."
