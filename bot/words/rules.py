"""A game's rules in sentences, made from the same data that the engine plays by, so that they cannot say otherwise."""

from collections.abc import Iterator

from bot.words.common import capital, side_name
from bot.words.reader import Reader
from bot.words.texts import LABEL, of_game, of_option
from engine.board import Board
from engine.players.studied import Share, Study, usual
from engine.position import Side, format_men
from engine.rules import (
    Battle,
    Bearing,
    Dice,
    Doubles,
    Ending,
    Game,
    Label,
    Option,
    Pairs,
    Placing,
    Reentry,
    Rules,
    Sides,
    Third,
    Unusable,
    Way,
)


def paragraphs(say: Reader, game: Game) -> Iterator[tuple[str, str]]:
    """Yield a game's rules, each paragraph with its heading."""
    rules = game.rules_with({})
    yield say("Set-up"), _set_up(say, rules)
    yield say("Who begins"), _beginning(say, rules)
    yield say("Dice"), _dice(say, rules)
    yield say("Moving"), _moving(say, rules)
    yield say("Hitting"), _hitting(say, rules)
    if banned := _single(say, rules):
        yield say("No doubling"), banned
    yield say("Unusable numbers"), _unusable(say, rules)
    yield say("The end"), _ending(say, rules)
    if game.special:
        yield (
            say("What is special"),
            "\n".join(f"- {_own(say, game, line)}" for line in game.special),
        )
    if study := usual(game.slug, game.edition):
        yield (
            say("In figures"),
            _figures(
                say, study, chosen=rules.battle.sides is Sides.CHOSEN and not rules.battle.first
            ),
        )


def _figures(say: Reader, study: Study, *, chosen: bool) -> str:
    """Tell what the computer's games were like; of sides that are `chosen`, how much the choice matters."""
    shortest, middle, longest = (study.length(share).value for share in (0.05, 0.5, 0.95))
    told = [
        say(
            "A game takes some {middle} throws of both sides, and nine in ten take {shortest} to {longest}.",
            middle=middle,
            shortest=shortest,
            longest=longest,
        ),
        say(
            "The side that begins wins {share} of 100 games that are not drawn.",
            share=_of_hundred(study.began),
        ),
    ]
    if chosen:
        gold, black = (_of_hundred(study.won_beginning(side)) for side in Side)
        told.append(say("As gold it wins {gold}, as black {black}.", gold=gold, black=black))
    told.append(say("(The computer against itself, {games} games.)", games=f"{study.games:,}"))
    return " ".join(told)


def _of_hundred(share: Share) -> int:
    return round(100 * share.value)


def options(say: Reader, game: Game) -> Iterator[tuple[str, str]]:
    """Yield a game's house rules: each one's name, and what it asks, its values and its source."""
    for option in game.options:
        yield say("Option `{name}`", name=option.name), _option(say, option)


def origins(say: Reader, game: Game) -> Iterator[tuple[str, str]]:
    """Yield where a game comes from: its history, what we decided, and the sources."""
    yield say("History"), _own(say, game, game.provenance.history)
    if game.provenance.decisions:
        decided = "\n".join(
            f"- {_own(say, game, decision)}" for decision in game.provenance.decisions
        )
        yield say("What we decided"), decided
    yield (
        _label(say, game.provenance.label),
        "; ".join(_own(say, game, source) for source in game.provenance.sources),
    )


def tagline(say: Reader, game: Game) -> str:
    """Say a game in one line, with its other names."""
    line = _own(say, game, game.tagline)
    if not game.aliases:
        return line
    return say(
        "{tagline} Also called {names}.",
        tagline=line,
        names=", ".join(_own(say, game, name) for name in game.aliases),
    )


def _own(say: Reader, game: Game, text: str) -> str:
    return say.of(of_game(game.slug), text)


def _label(say: Reader, label: Label) -> str:
    return say("Sources ({label})", label=say.of(LABEL, label.value))


def _set_up(say: Reader, rules: Rules) -> str:
    sides = "; ".join(
        say(
            "{side}: {men}",
            side=side_name(say, side),
            men=_men(say, rules.start.men(side), rules.board),
        )
        for side in Side
    )
    told = [
        say.many(
            "{n} man a side. {sides}.", "{n} men a side. {sides}.", rules.men, sides=capital(sides)
        )
    ]
    if rules.players > 1:
        told.append(say("{n} play on each side, one after another.", n=rules.players))
    if rules.piled:
        told.append(
            say("Men in hand lie on top of those on the points where they are to come down.")
        )
    return " ".join(told)


def _men(say: Reader, men: bytes, board: Board) -> str:
    return say("all in hand") if men[board.hand] == sum(men) else format_men(men, board)


def _beginning(say: Reader, rules: Rules) -> str:
    battle = rules.battle
    count = battle.dice or rules.dice.count
    thrown = say.many("Each side throws one die", "Each side throws {n} dice", count)
    play = say("playing these numbers") if battle.played else say("with a fresh throw")
    return say(
        "{thrown}; {winner}, {play}. Equal throws are thrown again.",
        thrown=thrown,
        winner=_winner(say, battle),
        play=play,
    )


def _winner(say: Reader, battle: Battle) -> str:
    if battle.begins:
        return _seats(say, battle, side_name(say, battle.begins))
    match battle.sides, battle.lower:
        case Sides.KEPT, False:
            return say("the higher begins")
        case Sides.KEPT, True:
            return say("the lower begins")
        case Sides.GOLD, False:
            return say("the higher plays gold and begins")
        case Sides.GOLD, True:
            return say("the lower plays gold and begins")
        case _, True:
            return say("the lower chooses a side and begins")
    return say("the higher chooses a side and begins")


def _seats(say: Reader, battle: Battle, first: str) -> str:
    match battle.sides, battle.lower:
        case Sides.GOLD, False:
            return say("the higher plays gold, and {side} begins", side=first)
        case Sides.GOLD, True:
            return say("the lower plays gold, and {side} begins", side=first)
        case Sides.CHOSEN, False:
            return say("the higher chooses a side, and {side} begins", side=first)
        case Sides.CHOSEN, True:
            return say("the lower chooses a side, and {side} begins", side=first)
    return say("{side} begins", side=first)


def _dice(say: Reader, rules: Rules) -> str:
    dice = rules.dice
    told = [say.many("{n} die is thrown.", "{n} dice are thrown.", dice.count)]
    if dice.fixed:
        numbers = say.listed([str(number) for number in dice.fixed])
        told.append(say("To every throw {numbers} is added.", numbers=numbers))
    if dice.third is Third.MAJORET:
        told.append(say("The higher number of a throw is played once more."))
    if dice.third is Third.MINORET:
        told.append(say("The lower number of a throw is played once more."))
    if dice.named:
        told.append(
            say(
                "The thrower always names one die to be a {number}, even where another shows one.",
                number=dice.presumed,
            )
        )
    elif dice.presumed is not None:
        told.append(
            say(
                "Where no die shows a {number}, the thrower turns one die of their choice to it.",
                number=dice.presumed,
            )
        )
    if rules.moving:
        told.append(say("Each number is a move of its own, and one man may make several."))
    else:
        told.append(say("Each number is used by itself."))
    if rules.sums:
        told.append(
            say(
                "Several numbers may also be added and used as one, where only the landing point counts."
            )
        )
    if doubled := _doubles(say, dice):
        told.append(doubled)
    told.append(
        say("As many numbers as possible must be used, and the higher where there is a choice.")
    )
    return " ".join(told)


def _doubles(say: Reader, dice: Dice) -> str:
    kind = say("Doubles")
    if dice.count > 2 and dice.pairs is Pairs.ANY_PAIR:
        kind = say("Any two equal dice")
    elif dice.count > 2:
        kind = say("Dice all alike")
    match dice.doubles:
        case Doubles.TWICE:
            return say("{doubles} are played twice.", doubles=kind)
        case Doubles.AGAIN:
            return say("{doubles} give another throw.", doubles=kind)
        case Doubles.TWICE_AGAIN:
            return say("{doubles} are played twice and give another throw.", doubles=kind)
    return ""


def _moving(say: Reader, rules: Rules) -> str:
    entry = "; ".join(_enters(say, rules, side) for side in Side)
    if not rules.moving:
        return say(
            "Men enter, number n on the n-th point ({points}), and do not move.", points=entry
        )
    courses = "; ".join(_travels(say, rules, side) for side in Side)
    told = [f"{capital(courses)}."]
    if rules.closed > 1:
        told.append(say("Men enter by number n on the n-th point: {points}.", points=entry))
    told += [
        say(
            "{side} never enters on {points}.",
            side=capital(side_name(say, side)),
            points=_ways(say, rules.way(side).barred),
        )
        for side in Side
        if rules.way(side).barred
    ]
    if placing := _placing(say, rules.placing):
        told.append(placing)
    if rules.home_rests:
        told.append(say("A man in the last table of his course rests until he is borne off."))
    return " ".join(told)


def _enters(say: Reader, rules: Rules, side: Side) -> str:
    """Say where the men of a side enter, and from which bar where it has several."""
    name = side_name(say, side)
    if not rules.way(side).entries:
        points = _run(say, rules.entry(side), rules.board)
        return say("{side} on {points}", side=name, points=points)
    entries = ", ".join(
        say("from {place} on {points}", place=place, points=_ways(say, points))
        for place, points in rules.way(side).entries
    )
    return say("{side} {entries}", side=name, entries=entries)


def _travels(say: Reader, rules: Rules, side: Side) -> str:
    return say(
        "{side} travels {way}", side=side_name(say, side), way=_ways(say, rules.way(side).course)
    )


def _placing(say: Reader, placing: Placing) -> str:
    match placing:
        case Placing.ALL:
            return say("No man moves before all of his side's have entered.")
        case Placing.HALF:
            return say(
                "Until all of a side's men have entered, none goes past the middle of the course."
            )
        case Placing.STILL:
            return say("Until all of a side's men have entered, only the man being placed goes on.")
    return ""


def _ways(say: Reader, course: str) -> str:
    runs = (part.split("..") for part in course.split(","))
    told = (
        say("{first} to {last}", first=run[0], last=run[1]) if len(run) == 2 else run[0]
        for run in runs
    )
    return say(", then ").join(told)


def _run(say: Reader, points: tuple[int, ...], board: Board) -> str:
    return say("{first} to {last}", first=board.names[points[0]], last=board.names[points[-1]])


def _hitting(say: Reader, rules: Rules) -> str:
    limit = []
    if rules.limit:
        limit.append(say("A point holds at most {n} men.", n=rules.limit))
    if rules.closed == 1:
        return " ".join(
            (say("Nothing is hit: a single man closes a point to the other side."), *limit)
        )
    if set(rules.course(Side.GOLD)).isdisjoint(rules.course(Side.BLACK)):
        return " ".join((say("Nothing is hit, since the sides never meet."), *limit))
    told = [
        say(
            "Two opposing men close a point. A single man is hit by landing on him; he waits on the bar and {bound}.",
            bound=_bound(say, rules.reentry),
        )
    ]
    told += [_sent(say, side, rules.way(side)) for side in Side if rules.way(side).hit]
    return " ".join((*told, *limit))


def _bound(say: Reader, reentry: Reentry) -> str:
    match reentry:
        case Reentry.FIRST:
            return say("must enter before his side moves anything else")
        case Reentry.SOFT:
            return say(
                "must enter before his side moves anything else, where a number can enter him"
            )
        case Reentry.FREE:
            return say("may enter when his side likes")


def _sent(say: Reader, side: Side, way: Way) -> str:
    sent = "; ".join(
        say("from {points} to {place}", points=_ways(say, points), place=place)
        for points, place in way.hit
    )
    return say("Men of {side} that are hit go {sent}.", side=side_name(say, side), sent=sent)


def _single(say: Reader, rules: Rules) -> str:
    banned = "; ".join(
        say(
            "{side} on {points}",
            side=side_name(say, side),
            points=_ways(say, rules.way(side).single),
        )
        for side in Side
        if rules.way(side).single
    )
    return (
        say("A side may not bring a second man to these points: {points}.", points=banned)
        if banned
        else ""
    )


def _unusable(say: Reader, rules: Rules) -> str:
    match rules.unusable:
        case Unusable.LOST:
            return say("Numbers that cannot be played are lost.")
        case Unusable.OPPONENT:
            return say(
                "Numbers that cannot be played are offered to the other side, which may play any of them or none."
            )
    if rules.falls_whole:
        return say("Who cannot play any number of a throw has lost: ad fallum.")
    return say("Who cannot play every number of a throw has lost: ad fallum.")


def _ending(say: Reader, rules: Rules) -> str:
    if rules.ending is Ending.FULL:
        if rules.verdict:
            return say("The game is over when every point holds two men.")
        return say(
            "When every point holds two men, the side with more points has won; equal is a tie."
        )
    home = "; ".join(
        say(
            "{side} in {points}",
            side=side_name(say, side),
            points=_run(say, rules.home(side), rules.board),
        )
        for side in Side
    )
    if rules.bearing is Bearing.NONE:
        return say(
            "The first side with all its men in its last table has won ({tables}). Nothing is borne off.",
            tables=home,
        )
    gate = say("when all stand in the last table ({tables})", tables=home)
    if rules.gate:
        gate = say(
            "when {n}, or all that are left, stand in the last table ({tables})",
            n=rules.gate,
            tables=home,
        )
    if rules.gate == 0:
        gate = say("wherever the side's other men stand")
    return say(
        "The first side to bear off all its men has won. Men are borne off {gate}, {numbers}.",
        gate=gate,
        numbers=_borne(say, rules.bearing),
    )


def _borne(say: Reader, bearing: Bearing) -> str:
    match bearing:
        case Bearing.EXACT:
            return say("by the exact number only")
        case Bearing.PAST:
            return say("by any number that reaches the edge or passes it")
    return say("by the exact number, or by a higher one if no man stands farther back")


def _option(say: Reader, option: Option) -> str:
    context = of_option(option.name)
    values = "\n".join(
        f"- `{value.name}`: {say.of(context, value.meaning)}" for value in option.values
    )
    settled = say("usually `{value}`", value=option.default.name)
    if option.starter_chooses:
        settled = say("chosen by the side that begins")
    asked = say.of(context, option.asks)
    return f"{asked} ({settled})\n-# {say.of(context, option.source)}\n{values}"
