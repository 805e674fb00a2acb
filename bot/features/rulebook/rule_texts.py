"""The rules of a game in sentences, made from the same data by which the engine plays."""

from collections.abc import Iterator

from bot.platform.i18n.common import capitalise_first, format_side, format_side_title, join_clauses
from bot.platform.i18n.reader import Reader
from engine.board import GameBoard
from engine.position import Side, format_men
from engine.rules import (
    BearingRule,
    Dice,
    DoublesRule,
    Ending,
    OpeningRollRules,
    PairRule,
    PlacingRule,
    ReentryRule,
    Rules,
    SideAssignment,
    SideRules,
    ThirdDie,
    UnusableRule,
)


def describe_set_up(say: Reader, rules: Rules) -> str:
    """Say where the men begin, and how many there are."""
    sides = join_clauses(
        say,
        (
            # Translators: a side, then its men at the beginning: "gold: a2,m5".
            say(
                "{side}: {men}",
                side=format_side(say, side),
                men=_describe_men(say, rules.start_position.men(side), rules.board),
            )
            for side in Side
        ),
    )
    told = [
        say.plural(
            "Each side has {n} man. {sides}.",
            "Each side has {n} men. {sides}.",
            rules.men,
            sides=capitalise_first(sides),
        )
    ]
    if rules.players > 1:
        told.append(
            say.plural(
                "Each side has {n} player: all of one side play in turn, then all of the other.",
                "Each side has {n} players: all of one side play in turn, then all of the other.",
                rules.players,
            )
        )
    if rules.piled:
        told.append(
            say("Men in hand lie on top of the men on the points where they will come down.")
        )
    return " ".join(told)


def _describe_men(say: Reader, men: bytes, board: GameBoard) -> str:
    # If the men in hand are as many as all men, none is on the board.
    return say("all in hand") if men[board.hand] == sum(men) else format_men(men, board)


def describe_beginning(say: Reader, rules: Rules) -> str:
    """Say who begins, and who plays which side."""
    battle = rules.battle
    play = say("The first turn starts with a fresh throw.")
    if battle.played:
        play = say("The first turn plays these numbers.")
    return " ".join(
        (
            say.plural(
                "Each side throws one die.",
                "Each side throws {n} dice.",
                battle.dice or rules.dice.count,
            ),
            _describe_roll_winner(say, battle),
            play,
            say("If the throws are equal, both sides throw again."),
        )
    )


def _describe_roll_winner(say: Reader, battle: OpeningRollRules) -> str:
    if battle.begins:
        return _describe_sides(say, battle, format_side_title(say, battle.begins))
    match battle.sides, battle.lower:
        case SideAssignment.KEPT, False:
            return say("The higher throw begins.")
        case SideAssignment.KEPT, True:
            return say("The lower throw begins.")
        case SideAssignment.GOLD, False:
            return say("The higher throw plays gold and begins.")
        case SideAssignment.GOLD, True:
            return say("The lower throw plays gold and begins.")
        case _, True:
            return say("The lower throw chooses a side and begins.")
    return say("The higher throw chooses a side and begins.")


def _describe_sides(say: Reader, battle: OpeningRollRules, first: str) -> str:
    match battle.sides, battle.lower:
        case SideAssignment.GOLD, False:
            return say("The higher throw plays gold. {side} begins.", side=first)
        case SideAssignment.GOLD, True:
            return say("The lower throw plays gold. {side} begins.", side=first)
        case SideAssignment.CHOSEN, False:
            return say("The higher throw chooses a side. {side} begins.", side=first)
        case SideAssignment.CHOSEN, True:
            return say("The lower throw chooses a side. {side} begins.", side=first)
    return say("{side} begins.", side=first)


def describe_dice(say: Reader, rules: Rules) -> str:
    """Say which dice are thrown, and what doubles give."""
    dice = rules.dice
    told = [say.plural("You throw {n} die.", "You throw {n} dice.", dice.count)]
    if dice.fixed:
        numbers = say.format_list([str(number) for number in dice.fixed])
        told.append(say("Every throw also counts {numbers}.", numbers=numbers))
    if dice.third is ThirdDie.MAJORET:
        told.append(say("The higher number of a throw is played once more."))
    if dice.third is ThirdDie.MINORET:
        told.append(say("The lower number of a throw is played once more."))
    if dice.named:
        told.append(
            say(
                "You always name one die as a {number}, even if another shows one.",
                number=dice.presumed,
            )
        )
    elif dice.presumed is not None:
        told.append(
            say(
                "If no die shows a {number}, you turn one die of your choice to a {number}.",
                number=dice.presumed,
            )
        )
    if rules.moving:
        told.append(say("Each number is a separate move, and one man may make several."))
    else:
        told.append(say("Each number is used separately."))
    if rules.sums:
        told.append(
            say(
                "You may also add several numbers and use them as one; then only the landing point "
                "counts."
            )
        )
    told += _describe_doubles(say, dice)
    told.append(
        say("You must use as many numbers as possible, and the higher if you have a choice.")
    )
    return " ".join(told)


def _describe_doubles(say: Reader, dice: Dice) -> Iterator[str]:
    match dice.doubles:
        case DoublesRule.PLAIN:
            return
        case DoublesRule.TWICE:
            yield say("Doubles are played twice.")
        case DoublesRule.AGAIN:
            yield say("Doubles give another throw.")
        case DoublesRule.TWICE_AGAIN:
            yield say("Doubles are played twice and give another throw.")
    if dice.count > 2 and dice.pairs is PairRule.ANY_PAIR:
        yield say("Any two equal dice count as doubles.")
    elif dice.count > 2:
        yield say("Only dice that are all alike count as doubles.")


def describe_moving(say: Reader, rules: Rules) -> str:
    """Say which way the men go, where they enter and what binds a throw."""
    entry = join_clauses(say, (_describe_entry(say, rules, side) for side in Side))
    if not rules.moving:
        return say(
            "Number n enters a man on the n-th point ({points}). Men do not move.", points=entry
        )
    told = [_describe_course(say, rules, side) for side in Side]
    if rules.closed > 1:
        told.append(say("Number n enters a man on the n-th point: {points}.", points=entry))
    told += [
        say(
            "{side} never enters on {points}.",
            side=format_side_title(say, side),
            points=_format_course(say, rules.side_rules(side).barred),
        )
        for side in Side
        if rules.side_rules(side).barred
    ]
    if placing := _describe_placing(say, rules.placing):
        told.append(placing)
    if rules.home_rests:
        told.append(say("A man in the last table of its course moves only to be borne off."))
    return " ".join(told)


def _describe_entry(say: Reader, rules: Rules, side: Side) -> str:
    """Say where the men of a side enter, and from which bar where it has several."""
    name = format_side(say, side)
    if not rules.side_rules(side).entries:
        points = _format_range(say, rules.entry_points(side), rules.board)
        return say("{side} on {points}", side=name, points=points)
    entries = ", ".join(
        say("from {place} on {points}", place=place, points=_format_course(say, points))
        for place, points in rules.side_rules(side).entries
    )
    # Translators: where a side enters: "gold from bar-af on a to f, from bar-gm on g to m".
    return say("{side} {entries}", side=name, entries=entries)


def _describe_course(say: Reader, rules: Rules, side: Side) -> str:
    return say(
        "{side} travels from {way}.",
        side=format_side_title(say, side),
        way=_format_course(say, rules.side_rules(side).course),
    )


def _describe_placing(say: Reader, placing: PlacingRule) -> str:
    match placing:
        case PlacingRule.ALL:
            return say("No man moves until all men of its side have entered.")
        case PlacingRule.HALF:
            return say(
                "Until all of a side's men have entered, none may go past the middle of the course."
            )
        case PlacingRule.STILL:
            return say(
                "Until all of a side's men have entered, only the man just placed may go on."
            )
    return ""


def _format_course(say: Reader, course: str) -> str:
    # A course is written like `a..m,x..n`: runs of points, each from the first to the last.
    runs = (part.split("..") for part in course.split(","))
    told = (
        say("{first} to {last}", first=run[0], last=run[1]) if len(run) == 2 else run[0]
        for run in runs
    )
    # Translators: between two parts of the way that men go: "m to a, then z to n".
    return say(", then ").join(told)


def _format_range(say: Reader, points: tuple[int, ...], board: GameBoard) -> str:
    names = board.place_names
    return say("{first} to {last}", first=names[points[0]], last=names[points[-1]])


def describe_hitting(say: Reader, rules: Rules) -> str:
    """Say who may be hit, and how a man that was hit comes back."""
    limit = []
    if rules.limit:
        limit.append(
            say.plural(
                "A point holds at most {n} man.", "A point holds at most {n} men.", rules.limit
            )
        )
    if rules.closed == 1:
        return " ".join(
            (say("There is no hitting: a single man closes a point to the other side."), *limit)
        )
    # Courses without a common point leave nothing to hit, whatever the rules on hitting say.
    if set(rules.course(Side.GOLD)).isdisjoint(rules.course(Side.BLACK)):
        return " ".join((say("There is no hitting, since the sides never meet."), *limit))
    told = [say("Two opposing men close a point."), _describe_reentry(say, rules.reentry)]
    told += [
        _describe_hit_return(say, side, rules.side_rules(side))
        for side in Side
        if rules.side_rules(side).hit
    ]
    return " ".join((*told, *limit))


def _describe_reentry(say: Reader, reentry: ReentryRule) -> str:
    match reentry:
        case ReentryRule.FIRST:
            return say(
                "Landing on a single man hits it: it waits on the bar and must enter before its "
                "side makes any other move."
            )
        case ReentryRule.SOFT:
            return say(
                "Landing on a single man hits it: it waits on the bar and, if a number lets it, "
                "must enter before its side makes any other move."
            )
        case ReentryRule.FREE:
            return say(
                "Landing on a single man hits it: it waits on the bar and may enter whenever its "
                "side likes."
            )


def _describe_hit_return(say: Reader, side: Side, way: SideRules) -> str:
    sent = join_clauses(
        say,
        (
            say("to {place} from {points}", points=_format_course(say, points), place=place)
            for points, place in way.hit
        ),
    )
    return say("Hit men of {side} go {sent}.", side=format_side(say, side), sent=sent)


def describe_no_doubling(say: Reader, rules: Rules) -> str:
    """Say where no two men may stand together; nothing where they may."""
    banned = join_clauses(
        say,
        (
            say(
                "{side} on {points}",
                side=format_side(say, side),
                points=_format_course(say, rules.side_rules(side).single),
            )
            for side in Side
            if rules.side_rules(side).single
        ),
    )
    if not banned:
        return ""
    return say("A side may not bring a second man to these points: {points}.", points=banned)


def describe_unusable(say: Reader, rules: Rules) -> str:
    """Say what becomes of numbers that cannot be played."""
    match rules.unusable:
        case UnusableRule.LOST:
            return say("Numbers that cannot be played are lost.")
        case UnusableRule.OPPONENT:
            return say(
                "Numbers that cannot be played are offered to the other side, which may play "
                "any or none of them."
            )
    if rules.falls_whole:
        return say("A side that can play no number of its throw loses: ad fallum.")
    return say("A side that cannot play every number of its throw loses: ad fallum.")


def describe_goal(say: Reader, rules: Rules) -> str:
    """Say in one sentence what wins."""
    if rules.ending is Ending.FULL or rules.bearing is BearingRule.NONE:
        return describe_ending(say, rules)
    return say("The first side to bear off all its men wins.")


def describe_ending(say: Reader, rules: Rules) -> str:
    """Say how a game ends, and who wins."""
    if rules.ending is Ending.FULL:
        if rules.verdict:
            return say("The game ends when every point holds two men.")
        return say(
            "When every point holds two men, the side with more points wins; an equal number is a "
            "tie."
        )
    home = join_clauses(
        say,
        (
            say(
                "{side} in {points}",
                side=format_side(say, side),
                points=_format_range(say, rules.home(side), rules.board),
            )
            for side in Side
        ),
    )
    if rules.bearing is BearingRule.NONE:
        return say(
            "The first side with all its men in its last table wins ({tables}). "
            "No men are borne off.",
            tables=home,
        )
    return " ".join(
        (
            say("The first side to bear off all its men wins."),
            _describe_gate(say, rules, home),
            _describe_bearing(say, rules.bearing),
        )
    )


def _describe_gate(say: Reader, rules: Rules, tables: str) -> str:
    """Say how many men must be in the last table before any is borne off."""
    if rules.gate == 0:
        return say("You may bear off wherever your other men are.")
    if rules.gate:
        return say.plural(
            "You may bear off once {n} man or all that are left are in the last table ({tables}).",
            "You may bear off once {n} men or all that are left are in the last table ({tables}).",
            rules.gate,
            tables=tables,
        )
    return say(
        "You may bear off once all your men are in the last table ({tables}).", tables=tables
    )


def _describe_bearing(say: Reader, bearing: BearingRule) -> str:
    match bearing:
        case BearingRule.EXACT:
            return say("A man is borne off only by the exact number.")
        case BearingRule.PAST:
            return say("A man is borne off by any number that reaches or passes the edge.")
    return say(
        "A man is borne off by the exact number, or by a higher one if no man is farther back."
    )
