"""What happened in a match, and what a play does, in the words of a reader's language."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from bot.features.matches.session import MatchSession, Transition
from bot.features.matches.texts import mention_people, mention_person
from bot.platform.i18n import common
from bot.platform.i18n.common import format_dice
from bot.platform.i18n.reader import Reader
from engine import events, throws
from engine.match import BREAK, SIDE, SIX, Match, Phase, drop_undone
from engine.notation import format_play
from engine.plays import Play
from engine.position import Side
from engine.rules import Remark

MIN_BLOCK_POINTS = 3
"""Points in a row that make a block worth a word."""


def describe_transitions(
    say: Reader, session: MatchSession, transitions: Iterable[Transition]
) -> str:
    """Say what happened, a line an event; a throw and what was played from it share theirs.

    Nothing is said of what was taken back.
    """
    lines: list[str] = []
    last: events.Event | None = None
    for transition in drop_undone(transitions):
        text = _describe_transition(say, session, transition)
        if isinstance(last, events.Thrown):
            # The throw's line is the last by now: it is replaced by a sentence about both, or goes
            # on.
            lines[-1] = _describe_throw_and_play(
                say, session, last, transition
            ) or common.join_sentences(say, lines[-1], text)
        elif text:
            lines.append(text)
        last = transition.event
    return "\n".join(lines)


def _describe_throw_and_play(
    say: Reader, session: MatchSession, throw: events.Thrown, transition: Transition
) -> str:
    """Describe a throw and the play made of it in one sentence.

    It is empty where there is more to say of either. A take-back says the throw again.
    """
    before = transition.before
    event = transition.event
    if isinstance(event, events.TakenBack | events.TurnTakenBack):
        return _describe_transition(say, session, transition)
    if (
        not isinstance(event, events.Played)
        or event.forced
        or throws.list_added_numbers(before.rules.dice, throw.dice)
    ):
        return ""
    then = replace(session, match=before)
    text = format_play(event.moves, before.rules, before.position)
    sentence = say(
        "{who} rolled {dice} and played `{play}`.",
        who=mention_person(say, then.person_to_act),
        dice=format_dice(throw.dice),
        play=common.keep_together(text),
    )
    left_over = describe_unplayed_numbers(
        say, then, event, replace(session, match=transition.after)
    )
    return common.join_sentences(say, sentence, left_over)


def _describe_transition(say: Reader, session: MatchSession, transition: Transition) -> str:
    # People may have changed sides since, so each moment's own seats are asked.
    then = replace(session, match=transition.before)
    since = replace(session, match=transition.after)
    text = _describe_event(say, then, transition.event, since)
    left_over = describe_unplayed_numbers(say, then, transition.event, since)
    return common.join_sentences(say, text, left_over)


def _describe_event(
    say: Reader, then: MatchSession, event: events.Event, since: MatchSession
) -> str:
    before = then.match
    actor = mention_person(say, then.person_to_act)
    match event:
        case events.SetUp(_, dice):
            return _describe_set_up(say, since, dice)
        case events.Battled(gold, black):
            return _describe_opening_roll(say, then, {Side.GOLD: gold, Side.BLACK: black}, since)
        case events.Thrown(thrown):
            return _describe_throw(
                say, actor, thrown, throws.list_added_numbers(before.rules.dice, thrown)
            )
        case events.Chosen(what, value, forced):
            return _describe_choice(say, actor, events.Chosen(what, value, forced), since.match)
        case events.Played(moves, forced):
            text = common.keep_together(format_play(moves, before.rules, before.position))
            if forced:
                return say("The only legal play: `{play}`.", play=text)
            return say("{who} played `{play}`.", who=actor, play=text)
        case events.Passed():
            return _describe_pass(say, actor, before)
        case events.Left():
            return say(
                "{who} left {dice} unused.", who=actor, dice=format_dice(before.position.dice)
            )
    return _describe_other_event(say, then, event, since)


def _describe_set_up(say: Reader, since: MatchSession, dice: tuple[int, ...]) -> str:
    who = mention_person(say, since.person_to_act)
    if not dice:
        return say("The match begins in this position, with {who} to roll.", who=who)
    return say(
        "The match begins in this position, with {dice} for {who} to play.",
        who=who,
        dice=format_dice(dice),
    )


def _describe_other_event(
    say: Reader, then: MatchSession, event: events.Event, since: MatchSession
) -> str:
    """Describe what was no move of the game.

    Only the result says that a side resigned or ran out of time, and who else ended the match.
    """
    match event:
        case events.TakenBack(whole):
            # After the take-back it is the turn of the person who took back.
            who = mention_person(say, since.person_to_act)
            text = say("{who} took back a move.", who=who)
            if whole or len(then.match.moves) > len(since.match.moves) + 1:
                text = say("{who} took back the play.", who=who)
            return common.join_sentences(say, text, _describe_throw_again(say, since.match))
        case events.TurnTakenBack(side):
            who = mention_people(say, then.list_players(side))
            text = say("{who} took back the last turn.", who=who)
            return common.join_sentences(say, text, _describe_throw_again(say, since.match))
        case events.DrawOffered(side):
            return say("{who} offered a draw.", who=mention_people(say, then.list_players(side)))
        case events.DrawDeclined(side):
            return say("{who} declined the draw.", who=mention_people(say, then.list_players(side)))
        case events.DrawAgreed(side):
            return say("{who} accepted the draw.", who=mention_people(say, then.list_players(side)))
        case events.Seated(side, player):
            who = mention_person(say, since.get_player(side, player))
            return say(
                "{who} took the seat of {whom}.",
                who=who,
                whom=mention_person(say, then.get_player(side, player)),
            )
        case events.Granted():
            return say("{who} was given more time.", who=mention_person(say, then.person_to_act))
    return ""


def _describe_throw_again(say: Reader, match: Match) -> str:
    """Say which throw is to be played once more, if all of one is."""
    if match.moves or match.phase not in (Phase.PLAY, Phase.CHOOSE):
        return ""
    return say("The throw is again {dice}.", dice=format_dice(match.thrown))


def _describe_throw(say: Reader, actor: str, thrown: Sequence[int], added: Sequence[int]) -> str:
    if not added:
        return say("{who} rolled {dice}.", who=actor, dice=format_dice(thrown))
    # Translators: {dice} are the dice as rolled (6-5), {added} the number a rule adds to them.
    return say(
        "{who} rolled {dice}; {added} is added.",
        who=actor,
        dice=format_dice(thrown),
        added=format_dice(added),
    )


def _describe_opening_roll(
    say: Reader, then: MatchSession, thrown: Mapping[Side, Sequence[int]], since: MatchSession
) -> str:
    both = join_throws(
        say,
        ((mention_people(say, then.list_players(side)), dice) for side, dice in thrown.items()),
    )
    before = then.match
    after = since.match
    if before.phase is Phase.BREAK_ROLL:
        if after.phase is before.phase:
            return say(
                "The tables are bound: {throws}. It's a tie, so both roll again.", throws=both
            )
        return say("The tables are bound: {throws}.", throws=both)
    if after.phase is before.phase:
        return say("Opening roll: {throws}. It's a tie, so both roll again.", throws=both)
    if after.phase is Phase.OPENING:
        return say("Opening roll: {throws}.", throws=both)
    those = since.list_players(after.turn)
    fields = {"throws": both, "who": mention_people(say, those)}
    if after.thrown:
        return say.plural(
            "Opening roll: {throws}. {who} goes first with these numbers.",
            "Opening roll: {throws}. {who} go first with these numbers.",
            len(those),
            **fields,
        )
    return say.plural(
        "Opening roll: {throws}. {who} goes first.",
        "Opening roll: {throws}. {who} go first.",
        len(those),
        **fields,
    )


def join_throws(say: Reader, thrown: Iterable[tuple[str, Sequence[int]]]) -> str:
    """Write what each of several has thrown: `Ana 6-5, Ben 4-2`."""
    return say.join_with_commas(
        say.in_context("what somebody threw", "{who} {dice}", who=who, dice=format_dice(numbers))
        for who, numbers in thrown
    )


def _describe_choice(say: Reader, actor: str, chosen: events.Chosen, after: Match) -> str:
    if chosen.what == SIX and chosen.forced:
        return say(
            "A {number} becomes a six: {dice}.", number=chosen.value, dice=format_dice(after.thrown)
        )
    if chosen.what == SIX:
        return say(
            "{who} turned a {number} into a six: {dice}.",
            who=actor,
            number=chosen.value,
            dice=format_dice(after.thrown),
        )
    if chosen.what == BREAK:
        return say(
            "{who} broke {point}: one of the men there goes to the bar.",
            who=actor,
            point=chosen.value,
        )
    if chosen.what == SIDE.name:
        return say("{who} chose {side}.", who=actor, side=common.format_side(say, chosen.value))
    # Of all games only Twelve Dogs has another choice.
    return say("{who} chose the table {table}.", who=actor, table=chosen.value)


def _describe_pass(say: Reader, actor: str, before: Match) -> str:
    if before.phase is Phase.PLAY:
        return say("There is no legal play.")
    if plight := before.find_plight():
        # Translators: {plight} is a clause such as "black is lympolded".
        return say(
            "{plight}, so the turn passes.",
            plight=common.format_game_text(say, before.game, plight, side=actor),
        )
    return say("No throw lets {who} move, so the turn passes.", who=actor)


def describe_unplayed_numbers(
    say: Reader, then: MatchSession, event: events.Event, since: MatchSession
) -> str:
    """Say what became of numbers that could not be played, where anybody should know."""
    before = then.match
    after = since.match
    if after.phase is Phase.OFFER and before.phase is Phase.PLAY:
        left = format_dice(after.position.dice)
        # Translators: {player} threw the dice; {who} is the opponent.
        return say(
            "{player} can't play {dice}, so {who} may play it or pass it up.",
            player=mention_person(say, then.person_to_act),
            dice=left,
            who=mention_person(say, since.person_to_act),
        )
    sentences = []
    match _list_unplayed_numbers(before, event, after):
        case [number] if throws.list_numbers(before.rules.dice, before.thrown).count(number) == 2:
            # It would be said of both, one of which was played.
            sentences.append(say("The second {number} can't be played.", number=number))
        case [_, *_] as wasted:
            sentences.append(say("{dice} can't be played.", dice=format_dice(wasted)))
    doubles = after.rules.dice.doubles.has_extra_throw and throws.is_double(
        after.rules.dice, before.thrown
    )
    if doubles and before.phase in (Phase.PLAY, Phase.OFFER) and after.phase is Phase.THROW:
        sentences.append(say("Doubles give another throw."))
    return common.join_sentences(say, *sentences)


def _list_unplayed_numbers(before: Match, event: events.Event, after: Match) -> list[int]:
    """Return the numbers of a finished turn that nobody played."""
    if (
        not isinstance(event, events.Played)
        or before.phase is not Phase.PLAY
        or after.phase is not Phase.THROW
    ):
        return []
    # Removed one at a time: of a double only as many are gone as were played.
    left = list(before.position.dice)
    for number in (used for move in event.moves for used in move.numbers):
        left.remove(number)
    return left


def describe_play(say: Reader, match: Match, play: Play, remark: Remark | None = None) -> str:
    """Say what a play does, and what the game remembers of it; nothing for a plain move."""
    texts = (*_list_effects(say, match, play), common.format_remark(say, match.game, remark))
    return common.join_clauses(say, filter(None, texts))


def describe_play_fully(say: Reader, match: Match, play: Play) -> str:
    """Say all that a play does, also what the board shows: who enters, who runs, what blocks."""
    texts = (*_list_entries(say, match, play), *_list_effects(say, match, play))
    return common.join_clauses(say, (*texts, *_list_wider_effects(say, match, play)))


def list_gains(say: Reader, match: Match, play: Play, other: Play) -> Iterator[str]:
    """Yield what can be seen on the board that a play does for its side and another doesn't."""
    good, elsewhere = (
        [
            *_list_entries(say, match, each),
            *_list_good_effects(say, match, each),
            *_list_wider_effects(say, match, each),
        ]
        for each in (play, other)
    )
    yield from (each for each in good if each not in elsewhere)
    was, own, others = (
        position.men(match.turn) for position in (match.position, play.end, other.end)
    )
    points = _list_open_points(match)
    if kept := [at for at in points if was[at] >= 2 and own[at] >= 2 > others[at]]:
        yield say("keeps {points}", points=_format_points(say, match, kept))
    # A point that is made has been named.
    if safe := [at for at in points if others[at] == 1 and (own[at] == 0 or own[at] > 1 < was[at])]:
        yield say("leaves no blot on {points}", points=_format_points(say, match, safe))


def _list_entries(say: Reader, match: Match, play: Play) -> Iterator[str]:
    board = match.rules.board
    entered = sum(move.source in (board.hand, *board.bars) for move in play.moves)
    if entered and match.rules.moving:
        yield say.plural("enters a man", "enters {n} men", entered)


def _list_wider_effects(say: Reader, match: Match, play: Play) -> Iterator[str]:
    """Yield which block is made, and from where the last men run past the other side."""
    rules, side, names = match.rules, match.turn, match.rules.board.place_names
    if not rules.moving:
        return
    before, after, theirs = match.position.men(side), play.end.men(side), play.end.men(side.other)
    course = rules.course(side)
    for block in _list_blocks(after, rules.course(side.other), max(2, rules.ban_closed)):
        if any(before[point] < 2 for point in block):
            yield say(
                "blocks {n} points in a row, {first} to {last}",
                n=len(block),
                first=names[min(block)],
                last=names[max(block)],
            )
    last = next((at for at, point in enumerate(course) if before[point]), None)
    if last is None or rules.board.count_waiting(before) or before[rules.board.hand]:
        return
    # Only past men of the other side is it running.
    if not after[course[last]] and any(theirs[point] for point in course[last + 1 :]):
        yield say("runs from {point}", point=names[course[last]])


def _list_blocks(men: bytes, course: Sequence[int], closed: int) -> Iterator[Sequence[int]]:
    """Yield the runs of points in a row, at least so many, on which a course is blocked."""
    run: list[int] = []
    for point in (*course, None):
        if point is not None and men[point] >= closed:
            run.append(point)
            continue
        if len(run) >= MIN_BLOCK_POINTS:
            yield run
        run = []


def _list_good_effects(say: Reader, match: Match, play: Play) -> Iterator[str]:
    board = match.rules.board
    if hits := [move.target for move in play.moves if move.hit]:
        yield say("hits on {points}", points=_format_points(say, match, hits))
    if borne := sum(move.target == board.off for move in play.moves):
        yield say.plural("bears off a man", "bears off {n} men", borne)
    before, after = match.position.men(match.turn), play.end.men(match.turn)
    if made := [point for point in _list_open_points(match) if before[point] < 2 <= after[point]]:
        yield say("makes {points}", points=_format_points(say, match, made))


def _list_effects(say: Reader, match: Match, play: Play) -> Iterator[str]:
    yield from _list_good_effects(say, match, play)
    before, after = match.position.men(match.turn), play.end.men(match.turn)
    if left := [point for point in _list_open_points(match) if before[point] != after[point] == 1]:
        points = _format_points(say, match, left)
        yield say.plural(
            "leaves a blot on {points}", "leaves blots on {points}", len(left), points=points
        )


def _list_open_points(match: Match) -> tuple[int, ...]:
    """Return the points on which the other side could hit a man who stands alone."""
    rules, other = match.rules, match.turn.other
    if rules.ban_closed == 1:
        return ()
    return rules.course(other) if rules.moving else rules.entry_points(other)


def _format_points(say: Reader, match: Match, points: Sequence[int]) -> str:
    names = match.rules.board.place_names
    *before, last = [names[point] for point in sorted(set(points))]
    if not before:
        return last
    # Translators: points, which are letters. Where a word for “and” is a letter too, write
    # “{before}, {last}”.
    return say.in_context(
        "list of points", "{before} and {last}", before=say.join_with_commas(before), last=last
    )
