"""A game's rules in sentences, and how to start.

The rules are made from the data that the engine plays by, so they cannot contradict it.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache

from bot.features.matches.scene import translate_board_words
from bot.platform.i18n import common
from bot.platform.i18n.reader import LABEL, Reader, game_context, option_context
from engine.board import GameBoard
from engine.games import GAMES
from engine.players.files import SHIPPED_TABLES, file_name
from engine.players.statistics import GameStatistics, LuckShare, load_statistics
from engine.position import Side
from engine.rules import (
    BearingRule,
    Dice,
    DoublesRule,
    Ending,
    Game,
    OpeningRollRules,
    Option,
    PairRule,
    PlacingRule,
    ProvenanceLabel,
    ReentryRule,
    Rules,
    SideAssignment,
    SideRules,
    ThirdDie,
    UnusableRule,
)
from render.describe import format_men_in_words


def describe_set_up(say: Reader, rules: Rules) -> str:
    """Say where the men begin, and how many there are."""
    sides = common.join_clauses(
        say,
        (
            common.format_labelled(
                say,
                common.format_side(say, side),
                _describe_men(say, rules.start_position.men(side), rules.board),
            )
            for side in Side
        ),
    )
    sentences = [
        say.plural(
            "Each side has {n} man. {sides}.",
            "Each side has {n} men. {sides}.",
            rules.men,
            sides=common.capitalise_first(sides),
        )
    ]
    if rules.players > 1:
        sentences.append(
            say.plural(
                "Each side has {n} player: all of one side play in turn, then all of the other.",
                "Each side has {n} players: all of one side play in turn, then all of the other.",
                rules.players,
            )
        )
    if rules.piled:
        sentences.append(
            say("Men in hand lie on top of the men on the points where they will come down.")
        )
    return common.join_sentences(say, *sentences)


def _describe_men(say: Reader, men: bytes, board: GameBoard) -> str:
    # If the men in hand are as many as all men, none is on the board.
    if men[board.hand] == sum(men):
        return say("all in hand")
    return format_men_in_words(translate_board_words(say), board, men)


def describe_beginning(say: Reader, rules: Rules) -> str:
    """Say who begins, and who plays which side."""
    battle = rules.battle
    play = say("The first turn starts with a fresh throw.")
    if battle.played:
        play = say("The first turn plays these numbers.")
    return common.join_sentences(
        say,
        say.plural(
            "Each side throws one die.",
            "Each side throws {n} dice.",
            battle.dice or rules.dice.count,
        ),
        _describe_roll_winner(say, battle),
        play,
        say("If the throws are equal, both sides throw again."),
    )


def _describe_roll_winner(say: Reader, battle: OpeningRollRules) -> str:
    if battle.begins:
        begins = say("{side} begins.", side=common.format_side(say, battle.begins))
        return common.join_sentences(
            say, _describe_sides(say, battle), common.capitalise_first(begins)
        )
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


def _describe_sides(say: Reader, battle: OpeningRollRules) -> str:
    """Say who gets which side, where it isn't the winner who begins."""
    match battle.sides, battle.lower:
        case SideAssignment.GOLD, False:
            return say("The higher throw plays gold.")
        case SideAssignment.GOLD, True:
            return say("The lower throw plays gold.")
        case SideAssignment.CHOSEN, False:
            return say("The higher throw chooses a side.")
        case SideAssignment.CHOSEN, True:
            return say("The lower throw chooses a side.")
    return ""


def describe_dice(say: Reader, rules: Rules) -> str:
    """Say which dice are thrown, and what doubles give."""
    dice = rules.dice
    sentences = [say.plural("You throw {n} die.", "You throw {n} dice.", dice.count)]
    if dice.fixed:
        numbers = say.format_list([str(number) for number in dice.fixed])
        sentences.append(say("Every throw has one more number: {numbers}.", numbers=numbers))
    if dice.third is ThirdDie.MAJORET:
        sentences.append(say("The higher number of a throw is played once more."))
    if dice.third is ThirdDie.MINORET:
        sentences.append(say("The lower number of a throw is played once more."))
    if dice.named:
        sentences.append(
            say(
                "You always name one die as a {number}, even if another shows one.",
                number=dice.presumed,
            )
        )
    elif dice.presumed is not None:
        sentences.append(
            say(
                "If no die shows a {number}, you turn one die of your choice to a {number}.",
                number=dice.presumed,
            )
        )
    if rules.moving:
        sentences.append(say("Each number is a separate move, and one man may make several."))
    else:
        sentences.append(say("Each number is used separately."))
    if rules.sums:
        sentences.append(
            say(
                "You may also add several numbers and use them as one; then only the landing point "
                "counts."
            )
        )
    sentences += _describe_doubles(say, dice)
    # A side that leaves a number there has lost, so there is nothing to choose.
    if rules.unusable is not UnusableRule.LOSES or rules.falls_whole:
        sentences.append(
            say("You must use as many numbers as possible, and the higher if you have a choice.")
        )
    return common.join_sentences(say, *sentences)


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
    entry = common.join_clauses(say, (_describe_entry(say, rules, side) for side in Side))
    if not rules.moving:
        return _describe_entering_alone(say, rules, entry)
    sentences = [_describe_course(say, rules, side) for side in Side]
    if rules.piled:
        sentences.append(_describe_taking_down(say, entry))
    elif rules.ban_closed > 1 and rules.gold.hit and rules.gold.entries:
        sentences.append(
            say(
                "A 1 enters on the first point of the table where a man re-enters, a 2 on the "
                "second, and so on."
            )
        )
    elif rules.ban_closed > 1:
        sentences.append(
            say(
                "A 1 enters on the first of these points, a 2 on the second, and so on: {points}.",
                points=entry,
            )
        )
    sentences += [
        common.capitalise_first(
            say(
                "{side} never enters on {points}.",
                side=common.format_side(say, side),
                points=_format_runs(say, rules.side_rules(side).ban_entry),
            )
        )
        for side in Side
        if rules.side_rules(side).ban_entry
    ]
    if rules.piled:
        sentences.append(say("No man moves until all men of its side are down."))
    elif placing := _describe_placing(say, rules.placing):
        sentences.append(placing)
    if rules.home_rests:
        sentences.append(say("A man in the last table of its course moves only to be borne off."))
    return common.join_sentences(say, *sentences)


def _describe_entering_alone(say: Reader, rules: Rules, entry: str) -> str:
    """Say how men come in that do not move afterwards."""
    if rules.piled:
        resting = say("Men do not move.")
        return common.join_sentences(say, _describe_taking_down(say, entry), resting)
    return say(
        "A 1 enters on the first of these points, a 2 on the second, and so on: {points}. Men do "
        "not move.",
        points=entry,
    )


def _describe_taking_down(say: Reader, entry: str) -> str:
    return say(
        "A 1 takes down the upper man of the first of these points, a 2 that of the second, and so "
        "on: {points}.",
        points=entry,
    )


def _describe_entry(say: Reader, rules: Rules, side: Side) -> str:
    """Say on which points the men of a side enter, in the order of the numbers."""
    name = common.format_side(say, side)
    entries = rules.side_rules(side).entries
    points = (
        _format_runs(say, entries[0][1])
        if entries
        else _format_range(say, rules.entry_points(side), rules.board)
    )
    return say("{side} on {points}", side=name, points=points)


def _describe_course(say: Reader, rules: Rules, side: Side) -> str:
    # Translators: the way has one part or several: "from a to m, then from x to n".
    travels = say(
        "{side} travels {way}.",
        side=common.format_side(say, side),
        way=_join_runs(say, rules.side_rules(side).course, common.format_stretch),
    )
    return common.capitalise_first(travels)


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


def _format_runs(say: Reader, runs: str) -> str:
    return _join_runs(say, runs, common.format_range)


def _join_runs(say: Reader, runs: str, write: Callable[[Reader, str, str], str]) -> str:
    # They are written like `a..m,x..n`: runs of points, each from the first to the last.
    parts = (part.split("..") for part in runs.split(","))
    texts = (write(say, run[0], run[1]) if len(run) == 2 else run[0] for run in parts)
    # Translators: between two parts of a way, or points that follow: "z, then n to t".
    return say(", then ").join(texts)


def _format_range(say: Reader, points: tuple[int, ...], board: GameBoard) -> str:
    names = board.place_names
    return common.format_range(say, names[points[0]], names[points[-1]])


def describe_hitting(say: Reader, rules: Rules) -> str:
    """Say who may be hit, and how a man that was hit comes back."""
    limit = []
    if rules.ban_full:
        limit.append(
            say.plural(
                "A point holds at most {n} man.", "A point holds at most {n} men.", rules.ban_full
            )
        )
    if rules.ban_closed == 1:
        return common.join_sentences(
            say, say("There is no hitting: a single man closes a point to the other side."), *limit
        )
    # Courses without a common point leave nothing to hit, whatever the rules on hitting say.
    if set(rules.course(Side.GOLD)).isdisjoint(rules.course(Side.BLACK)):
        return common.join_sentences(
            say, say("There is no hitting, since the sides never meet."), *limit
        )
    sentences = [say("Two opposing men close a point.")]
    # Where all men that are hit go straight to a point, none waits.
    if all(_find_start(rules, side) for side in Side):
        sentences.append(say("Landing on a single man hits it."))
    else:
        sentences.append(_describe_reentry(say, rules))
    if rules.gold.hit == rules.black.hit and rules.gold.entries:
        sentences.append(_describe_reentry_tables(say, rules.gold))
    else:
        sentences += [
            _describe_hit_return(say, side, start)
            for side in Side
            if (start := _find_start(rules, side))
        ]
    return common.join_sentences(say, *sentences, *limit)


def _find_start(rules: Rules, side: Side) -> str:
    """Return the point to which all men of a side go that are hit, or nothing."""
    hit = rules.side_rules(side).hit
    return hit[0][1] if len(hit) == 1 and hit[0][1] in rules.board.points else ""


def _describe_reentry(say: Reader, rules: Rules) -> str:
    match rules.reentry:
        case ReentryRule.FIRST if rules.memory and rules.memory.going_on(1):
            return say(
                "Landing on a single man hits it: it waits on the bar and must enter before any "
                "other man of its side moves, except the one that has just entered."
            )
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


def _describe_hit_return(say: Reader, side: Side, start: str) -> str:
    return say("Hit men of {side} go to {place}.", side=common.format_side(say, side), place=start)


def _describe_reentry_tables(say: Reader, way: SideRules) -> str:
    """Say for each table where the men re-enter that are hit there."""
    entries = dict(way.entries)
    tables = (
        say(
            "hit on {points}, it re-enters on {others}",
            points=_format_runs(say, points),
            others=_format_runs(say, entries[bar]),
        )
        for points, bar in way.hit
    )
    return common.end_sentence(say, common.capitalise_first(common.join_clauses(say, tables)))


def describe_no_doubling(say: Reader, rules: Rules) -> str:
    """Say where no two men may stand together; nothing where they may."""
    banned = common.join_clauses(
        say,
        (
            say(
                "{side} on {points}",
                side=common.format_side(say, side),
                points=_format_runs(say, rules.side_rules(side).ban_second),
            )
            for side in Side
            if rules.side_rules(side).ban_second
        ),
    )
    if not banned:
        return ""
    return say("A side may not bring a second man to these points: {points}.", points=banned)


def describe_unusable(say: Reader, rules: Rules) -> str:
    """Say what becomes of numbers that cannot be played."""
    match rules.unusable:
        case UnusableRule.LOSES:
            return _describe_fall(say, rules)
        case UnusableRule.OPPONENT:
            text = say(
                "Numbers that cannot be played are offered to the other side, which may play "
                "any or none of them."
            )
        case _:
            text = say("Numbers that cannot be played are lost.")
    if not rules.moving:
        return text
    return common.join_sentences(
        say, text, say("If no throw could ever move either side again, the game is a draw.")
    )


def _describe_fall(say: Reader, rules: Rules) -> str:
    if rules.falls_whole:
        return say("A side that can play no number of its throw loses: ad fallum.")
    return say("A side that cannot play every number of its throw loses: ad fallum.")


def describe_goal(say: Reader, game: Game, rules: Rules) -> str:
    """Say what wins, and how else the game may be over at once."""
    sentences = [say("The first side to bear off all its men wins.")]
    if rules.ending is Ending.FULL or rules.bearing is BearingRule.NONE:
        sentences = [describe_ending(say, rules)]
    sentences += [say.in_context(game_context(game.slug), feat) for feat in rules.ending_texts]
    if rules.unusable is UnusableRule.LOSES:
        sentences.append(_describe_fall(say, rules))
    return common.join_sentences(say, *sentences)


def describe_ending(say: Reader, rules: Rules) -> str:
    """Say how a game ends, and who wins."""
    if rules.ending is Ending.FULL:
        if rules.ending_after_move:
            return say("The game ends when every point holds two men.")
        return say(
            "When every point holds two men, the side with more points wins; an equal number is a "
            "draw."
        )
    home = common.join_clauses(
        say,
        (
            say(
                "{side} in {points}",
                side=common.format_side(say, side),
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
    return common.join_sentences(
        say,
        say("The first side to bear off all its men wins."),
        _describe_gate(say, rules, home),
        _describe_bearing(say, rules.bearing),
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
    if rules.piled:
        return say("You may bear off once all your men are down.")
    if not rules.moving:
        return say("You may bear off once all your men have entered.")
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


def format_paragraphs(say: Reader, game: Game) -> Iterator[tuple[str, str]]:
    """Yield a game's rules, each paragraph with its heading, and what its figures are."""
    yield from _list_rules(say, game)
    yield from _list_solved(say, game)
    if statistics := load_statistics(game.slug, game.edition):
        rules = game.resolve_rules({})
        yield (
            # Translators: heading in a game's rules: how long it is, and how much of it is luck.
            say("Statistics"),
            _format_statistics(
                say,
                game,
                statistics,
                # The figures of each side matter only where the side that begins may choose.
                chosen=rules.battle.sides is SideAssignment.CHOSEN and not rules.battle.first_side,
            ),
        )


def _list_solved(say: Reader, game: Game) -> Iterator[tuple[str, str]]:
    """Yield what is known of a game that is solved, with its heading."""
    if game.solved:
        yield _head_solved(say), _format_list(say, game, game.solved)


def _head_solved(say: Reader) -> str:
    # Translators: heading in a game's rules: it is known what best play wins, as of a puzzle.
    return say("Solved")


def format_printed_rules(say: Reader, game: Game) -> Iterator[tuple[str, str]]:
    """Yield a game's rules as they are read on paper, where no option is typed."""
    yield from _list_rules(say, game)
    for option in game.options:
        # Translators: heading on a printed sheet of rules: another way to play (noun).
        yield say("House rule"), _format_option(say, option)
    yield from _list_solved(say, game)
    for heading, text in format_origins(say, game):
        if heading != say("Our decisions"):
            yield heading, text


def _list_rules(say: Reader, game: Game) -> Iterator[tuple[str, str]]:
    """Yield a game's rules, each paragraph with its heading: first what one plays for."""
    # The text follows from the rules as data, so it can't differ from what is played.
    rules = game.resolve_rules({})
    goal, ending = describe_goal(say, game, rules), describe_ending(say, rules)
    # Translators: heading in a game's rules: what a player tries to do (noun).
    yield say("Goal"), goal
    # Translators: heading in a game's rules: how men move.
    yield say("Moving"), describe_moving(say, rules)
    # Translators: heading in a game's rules: how men hit others.
    yield say("Hitting"), describe_hitting(say, rules)
    if banned := describe_no_doubling(say, rules):
        yield say("No doubling"), banned
    if not goal.startswith(ending):
        # Translators: heading in a game's rules: how a game is won.
        yield say("Winning"), ending
    # Translators: heading in a game's rules: which dice are thrown (noun).
    yield say("Dice"), describe_dice(say, rules)
    yield say("Unusable numbers"), describe_unusable(say, rules)
    # Translators: heading in a game's rules: where the men stand at the beginning (noun).
    yield say("Set-up"), describe_set_up(say, rules)
    yield say("Who begins"), describe_beginning(say, rules)
    if game.special:
        yield say("Special rules"), _format_list(say, game, game.special)


FEW_WORDS, MANY_WORDS = 220, 260
"""English words of a game's rules below which it has few, and above which it has many.

Of the thirty games seven are below and six above; the shortest rules have some 160 words, the
longest 350.
"""


@cache
def count_rule_words(slug: str) -> int:
    """Return how many English words a game's rules take, without what the computer's games show."""
    game = GAMES[slug]
    texts = (text for _, text in _list_rules(Reader.ENGLISH, game))
    return sum(len(text.split()) for text in texts)


def format_learning(say: Reader, game: Game) -> str:
    """Say how hard a game is to learn, by the length of its rules."""
    words = count_rule_words(game.slug)
    if words < FEW_WORDS:
        return say("few rules")
    return say("some rules") if words <= MANY_WORDS else say("many rules")


def format_luck(say: Reader, luck: LuckShare) -> str:
    """Say how much of a game is luck."""
    fields = {
        LuckShare.ALL: say("pure luck"),
        LuckShare.MOST: say("mostly luck"),
        LuckShare.HALF: say("luck and skill"),
        LuckShare.LITTLE: say("mostly skill"),
    }
    return fields[luck]


def _format_statistics(say: Reader, game: Game, figures: GameStatistics, *, chosen: bool) -> str:
    """Summarise the computer's games; if sides are `chosen`, add how much the choice matters."""
    shortest, middle, longest = figures.throws
    starter = say(
        "The side that begins wins {percent}% of games that are not drawn.",
        percent=figures.starter_wins,
    )
    if game.solved:
        # Translators: {heading} is the heading "Solved", which stands above.
        starter = say(
            "The side that begins wins {percent}% of games that are not drawn; exact values are "
            "under **{heading}**.",
            percent=figures.starter_wins,
            heading=_head_solved(say),
        )
    sentences = [
        say(
            "A game takes about {middle} throws in all; nine in ten take {shortest} to {longest}.",
            middle=middle,
            shortest=shortest,
            longest=longest,
        ),
        starter,
    ]
    if chosen:
        gold, black = (figures.starter_wins_as[side] for side in Side)
        # Translators: “it” is the side that begins.
        wins = say("It wins {gold}% as gold, {black}% as black.", gold=gold, black=black)
        sentences.append(wins)
    sentences.append(
        say(
            "(From {games} games of the computer against itself.)",
            games=common.format_count(say, figures.games),
        )
    )
    if figures.luck is not LuckShare.ALL:
        sentences += _describe_master(say, game)
    return common.join_sentences(say, *sentences)


def _describe_master(say: Reader, game: Game) -> Iterator[str]:
    """Say whether the master's play is perfect: there is a table of the values then."""
    if file_name(game, {}) not in SHIPPED_TABLES:
        return
    others = [
        f"`{option.name}={value.name}`"
        for option in game.options
        for value in option.values
        if file_name(game, {option.name: value.name}) in SHIPPED_TABLES
    ]
    if not others:
        yield say("The computer's master plays it perfectly.")
        return
    yield say(
        # Translators: {options} are house rules as they are typed.
        "The computer's master plays it perfectly, with {options} too.",
        options=say.format_list(others),
    )


def format_options(say: Reader, game: Game) -> Iterator[tuple[str, str]]:
    """Yield a game's house rules: each one's name, and what it asks, its values and its source."""
    for option in game.options:
        yield say("Option `{name}`", name=option.name), _format_option(say, option)


def format_origins(say: Reader, game: Game) -> Iterator[tuple[str, str]]:
    """Yield where a game comes from: its history, what we decided, and the sources."""
    # Translators: heading: where a game comes from, in past centuries (noun).
    yield say("History"), _translate_text(say, game, game.provenance.history)
    if game.provenance.decisions:
        yield say("Our decisions"), _format_list(say, game, game.provenance.decisions)
    cited = (_translate_text(say, game, source) for source in game.provenance.sources)
    label = _format_label(say, game.provenance.label)
    yield label, "\n".join((common.join_clauses(say, cited), *_list_identifiers(say, game)))


def _list_identifiers(say: Reader, game: Game) -> Iterator[str]:
    if entry := game.provenance.ludeme:
        identified, first, *others = entry.identifiers
        # Several rulesets of a game have keys in a row, and the page little room.
        last = f"-{entry.rulesets[-1]}" if others else ""
        yield say.join_with_commas((identified, first + last))


def format_tagline(say: Reader, game: Game) -> str:
    """Say a game in one line, with its other names."""
    line = _translate_text(say, game, game.tagline)
    if not game.aliases:
        return line
    return say(
        "{tagline} Also called {names}.",
        tagline=line,
        names=say.join_with_commas(_translate_text(say, game, name) for name in game.aliases),
    )


def _format_list(say: Reader, game: Game, texts: Iterable[str]) -> str:
    return "\n".join(f"- {_translate_text(say, game, text)}" for text in texts)


def _translate_text(say: Reader, game: Game, text: str) -> str:
    return say.in_context(game_context(game.slug), text)


def _format_label(say: Reader, label: ProvenanceLabel) -> str:
    return say("Sources ({label})", label=say.in_context(LABEL, label.value))


def _format_option(say: Reader, option: Option) -> str:
    context = option_context(option.name)
    lines = (
        common.format_labelled(say, f"`{value.name}`", say.in_context(context, value.meaning))
        for value in option.values
    )
    values = "\n".join(f"- {line}" for line in lines)
    settled = say("default: `{value}`", value=option.default_value.name)
    if option.starter_chooses:
        settled = say("chosen by the side that begins")
    asks = say.in_context(context, option.asks)
    question = say.in_context(
        "a question about a house rule, then its usual answer",
        "{question} ({answer})",
        question=asks,
        answer=settled,
    )
    return f"{question}\n-# {say.in_context(context, option.source)}\n{values}"


def format_help_page(say: Reader, *, in_server: bool) -> tuple[str, ...]:
    """Say on one screen of a phone what there is, and how a turn is played."""
    clubs = say("- `/league create`, `/tournament create`, `/ladder create`: for a club")
    if not in_server:
        clubs = say("You can challenge people and run leagues in a server that has invited me.")
    commands = (
        say("- `/play`: play the computer at any game; `/challenge`: play somebody else"),
        say("- `/learn`: a three-minute lesson"),
        say("- `/games`: every game, with Play; `/rules`: the rules and sources of each"),
        say(
            "- `/puzzle`: find the best play in a new position every day; `/analyse`: any position "
            "you like"
        ),
        say("- `/matches`: your matches and challenges; `/me profile`: your results and ratings"),
        clubs,
    )
    turn = say(
        "On your turn, press a button for each move, or type `/move a-g b-f`. **Take back** undoes "
        "a move until the next throw. In unrated matches against the computer, **Take back my "
        "turn** undoes your last turn as long as you haven't played on."
    )
    return say("### Where to start"), "\n".join(commands), turn


def format_contest_help(say: Reader) -> tuple[str, ...]:
    """Say how a club gets a league, a tournament or a ladder."""
    kinds = (
        say(
            "- `/league create`: everyone plays everyone else over some weeks, and the next season "
            "can follow automatically"
        ),
        say("- `/tournament create`: a knock-out with a bracket, a Swiss or a round robin"),
        say(
            "- `/ladder create`: it never ends; players challenge those above them and take their "
            "places"
        ),
    )
    return (
        say("### Run a league, tournament or ladder"),
        "\n".join(kinds),
        say(
            "Members join with a button on the message that appears. I pair them, start their "
            "matches, remind them and keep the table. `/league manage`, `/tournament manage` and "
            "`/ladder manage` are for what you decide."
        ),
    )


def format_organisers(say: Reader) -> str:
    """Say who may run contests."""
    return say("Only people with the permission Manage Events or Manage Server can do that.")


def format_help_footer(say: Reader) -> str:
    """Say why the dice can be trusted."""
    return say(
        "The dice are fixed before a match and can be verified after it. **Fair dice** "
        "explains how."
    )


def format_playground_greeting(say: Reader) -> tuple[str, ...]:
    """Say where one is in the playground, and how to begin."""
    return (
        say("### Welcome to the tables"),
        say("I'm Tabula, and this is a simulated Discord. Nothing leaves your machine."),
        say(
            "**Press** *Learn in three minutes* for a first lesson, or *Play the computer* for a "
            "match of Zeno at once. With `/play` you can choose any other game."
        ),
        say(
            'Or offer a game, **become somebody else** with the switch "Viewing as" at the top, '
            "and press **Accept**. Two people can also use two tabs. `/puzzle` shows the puzzle of "
            "the day, and `/help` explains the rest."
        ),
    )


def format_no_opponents(say: Reader, *, in_server: bool) -> tuple[str, ...]:
    """Tell somebody who would play that nobody waits, and what there is instead."""
    others = say("You can challenge people and run leagues in a server that has invited me.")
    if in_server:
        others = say("Or challenge anyone who wants to play: press a button, or use `/challenge`.")
    return (
        say(
            "Nobody here is waiting for an opponent. Play the computer instead: press a game, or "
            "use `/play` with any other."
        ),
        others,
    )
