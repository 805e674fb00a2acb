"""What happened in a match, in the words of a reader's language."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bot.features.matches.name_texts import mention_people, mention_person
from bot.features.matches.session import MatchSession, Transition
from bot.platform.i18n.common import format_dice, format_side, keep_together
from bot.platform.i18n.endings import format_game_text
from bot.platform.i18n.reader import Reader
from engine import throws
from engine.events import (
    Battled,
    Chosen,
    DrawAgreed,
    DrawDeclined,
    DrawOffered,
    Event,
    Granted,
    Left,
    Passed,
    Played,
    Seated,
    SetUp,
    TakenBack,
    Thrown,
    TurnTakenBack,
)
from engine.match import BREAK, SIDE, SIX, Match, Phase
from engine.notation import format_play
from engine.position import Side


def describe_transitions(
    say: Reader, session: MatchSession, transitions: Iterable[Transition]
) -> str:
    """Tell what happened, a line an event; a throw and what was played from it share theirs."""
    lines: list[str] = []
    last: Event | None = None
    for transition in transitions:
        told = _describe_transition(say, session, transition)
        if isinstance(last, Thrown):
            # The throw's line is the last by now: it is replaced by a sentence about both, or goes
            # on.
            lines[-1] = (
                _describe_throw_and_play(say, session, last, transition)
                or f"{lines[-1]} {told}".rstrip()
            )
        elif told:
            lines.append(told)
        last = transition.event
    return "\n".join(lines)


def _describe_throw_and_play(
    say: Reader, session: MatchSession, throw: Thrown, transition: Transition
) -> str:
    """Describe a throw and the play made of it in one sentence.

    It is empty where there is more to say of either.
    """
    before = transition.before
    event = transition.event
    if (
        not isinstance(event, Played)
        or event.forced
        or throws.list_added_numbers(before.rules.dice, throw.dice)
    ):
        return ""
    then = replace(session, match=before)
    text = format_play(event.moves, before.rules, before.position)
    told = say(
        "{who} rolled {dice} and played `{play}`.",
        who=mention_person(then.person_to_act),
        dice=format_dice(throw.dice),
        play=keep_together(text),
    )
    left_over = describe_unplayed_numbers(
        say, then, event, replace(session, match=transition.after)
    )
    return " ".join(filter(None, (told, left_over)))


def _describe_transition(say: Reader, session: MatchSession, transition: Transition) -> str:
    # People may have changed sides since, so each moment's own seats are asked.
    then = replace(session, match=transition.before)
    since = replace(session, match=transition.after)
    told = _describe_event(say, then, transition.event, since)
    left_over = describe_unplayed_numbers(say, then, transition.event, since)
    return " ".join(filter(None, (told, left_over)))


def _describe_event(say: Reader, then: MatchSession, event: Event, since: MatchSession) -> str:
    before = then.match
    actor = mention_person(then.person_to_act)
    match event:
        case SetUp(_, dice):
            return _describe_set_up(say, since, dice)
        case Battled(gold, black):
            return _describe_opening_roll(say, then, {Side.GOLD: gold, Side.BLACK: black}, since)
        case Thrown(thrown):
            return _describe_throw(
                say, actor, thrown, throws.list_added_numbers(before.rules.dice, thrown)
            )
        case Chosen(what, value, forced):
            return _describe_choice(say, actor, Chosen(what, value, forced), since.match)
        case Played(moves, forced):
            text = keep_together(format_play(moves, before.rules, before.position))
            if forced:
                return say("The only legal play: `{play}`.", play=text)
            return say("{who} played `{play}`.", who=actor, play=text)
        case Passed():
            return _describe_pass(say, actor, before)
        case Left():
            return say(
                "{who} left {dice} unused.", who=actor, dice=format_dice(before.position.dice)
            )
    return _describe_other_event(say, then, event, since)


def _describe_set_up(say: Reader, since: MatchSession, dice: tuple[int, ...]) -> str:
    who = mention_person(since.person_to_act)
    if not dice:
        return say("The match begins in this position, with {who} to roll.", who=who)
    return say(
        "The match begins in this position, with {dice} for {who} to play.",
        who=who,
        dice=format_dice(dice),
    )


def _describe_other_event(
    say: Reader, then: MatchSession, event: Event, since: MatchSession
) -> str:
    """Describe what was no move of the game.

    Only the result says that a side resigned or ran out of time, and who else ended the match.
    """
    match event:
        case TakenBack(whole):
            # After the take-back it is the turn of the person who took back.
            who = mention_person(since.person_to_act)
            if whole:
                return say("{who} took back everything since the throw.", who=who)
            return say("{who} took back a move.", who=who)
        case TurnTakenBack(side):
            who = mention_people(say, then.list_players(side))
            return say("{who} took back the last turn.", who=who)
        case DrawOffered(side):
            return say("{who} offered a draw.", who=mention_people(say, then.list_players(side)))
        case DrawDeclined(side):
            return say("{who} declined the draw.", who=mention_people(say, then.list_players(side)))
        case DrawAgreed(side):
            return say("{who} accepted the draw.", who=mention_people(say, then.list_players(side)))
        case Seated(side, player):
            who = mention_person(since.get_player(side, player))
            return say(
                "{who} took the seat of {whom}.",
                who=who,
                whom=mention_person(then.get_player(side, player)),
            )
        case Granted():
            return say("{who} was given fresh time.", who=mention_person(then.person_to_act))
    return ""


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
    both = ", ".join(
        f"{mention_people(say, then.list_players(side))} {format_dice(numbers)}"
        for side, numbers in thrown.items()
    )
    before = then.match
    after = since.match
    if before.phase is Phase.CONTEST:
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
    told = {"throws": both, "who": mention_people(say, those)}
    if after.thrown:
        return say.plural(
            "Opening roll: {throws}. {who} goes first with these numbers.",
            "Opening roll: {throws}. {who} go first with these numbers.",
            len(those),
            **told,
        )
    return say.plural(
        "Opening roll: {throws}. {who} goes first.",
        "Opening roll: {throws}. {who} go first.",
        len(those),
        **told,
    )


def _describe_choice(say: Reader, actor: str, chosen: Chosen, after: Match) -> str:
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
        return say("{who} chose {side}.", who=actor, side=format_side(say, chosen.value))
    return say("{who} chose {what} {value}.", who=actor, what=chosen.what, value=chosen.value)


def _describe_pass(say: Reader, actor: str, before: Match) -> str:
    if before.phase is Phase.PLAY:
        return say("There is no legal play.")
    if plight := before.find_plight():
        # Translators: {plight} is a clause such as "black is lympolded".
        return say(
            "{plight}, so the turn passes.",
            plight=format_game_text(say, before.game, plight, side=actor),
        )
    return say("No throw lets {who} move, so the turn passes.", who=actor)


def describe_unplayed_numbers(
    say: Reader, then: MatchSession, event: Event, since: MatchSession
) -> str:
    """Say what became of numbers that could not be played, where anybody should know."""
    before = then.match
    after = since.match
    if after.phase is Phase.OFFER and before.phase is Phase.PLAY:
        left = format_dice(after.position.dice)
        return say(
            "{dice} can't be played. {who} may use it or leave it.",
            dice=left,
            who=mention_person(since.person_to_act),
        )
    told = []
    if wasted := _list_unplayed_numbers(before, event, after):
        told.append(say("{dice} can't be played.", dice=format_dice(wasted)))
    doubles = after.rules.dice.doubles.has_extra_throw and throws.is_double(
        after.rules.dice, before.thrown
    )
    if doubles and before.phase in (Phase.PLAY, Phase.OFFER) and after.phase is Phase.THROW:
        told.append(say("Doubles give another throw."))
    return " ".join(told)


def _list_unplayed_numbers(before: Match, event: Event, after: Match) -> list[int]:
    """Return the numbers of a finished turn that nobody played."""
    if (
        not isinstance(event, Played)
        or before.phase is not Phase.PLAY
        or after.phase is not Phase.THROW
    ):
        return []
    # Removed one at a time: of a double only as many are gone as were played.
    left = list(before.position.dice)
    for number in (used for move in event.moves for used in move.numbers):
        left.remove(number)
    return left
