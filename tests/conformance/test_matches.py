"""Whole matches at random: what holds after every event, under every option."""

import json
import operator
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from bot.platform.i18n.common import format_ending
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.refusals import explain_refusal
from engine.ending import find_outcome
from engine.events import (
    Abandoned,
    Aborted,
    Adjudicated,
    Annulled,
    Battled,
    Chosen,
    Concluded,
    DrawAgreed,
    DrawDeclined,
    DrawOffered,
    Event,
    Left,
    Passed,
    Played,
    Resigned,
    SetUp,
    TakenBack,
    Thrown,
    TimedOut,
    from_record,
    to_record,
)
from engine.games import GAMES
from engine.match import SIX, Match, Phase, find_forced_event, new_match, replay_events
from engine.move import Move
from engine.outcome import GameOutcome
from engine.playout import play_out
from engine.position import Side
from engine.position_text import format_position, parse_position
from engine.refusal import Refusal
from tests.conformance.matches import MatchHistory, Setting, every_setting, play_random_matches
from tests.support.sweeps import mark_sweeps

DUE: dict[Phase, tuple[type, ...]] = {
    Phase.BATTLE: (Battled,),
    Phase.OPENING: (Chosen,),
    Phase.BREAK_ROLL: (Battled,),
    Phase.BREAK: (Chosen,),
    Phase.THROW: (Thrown,),
    Phase.CHOOSE: (Chosen,),
    Phase.PLAY: (Played,),
    Phase.OFFER: (Played, Left),
    Phase.OVER: (),
}
"""What may come in each phase, besides passing, taking back and resigning."""


@every_setting
def test_men_are_conserved_and_never_share_a_point(setting: Setting) -> None:
    for history in play_random_matches(setting):
        for match in history.moments:
            gold, black = match.position.gold, match.position.black
            assert sum(gold) == sum(black) == match.rules.men
            points = range(match.rules.board.size)
            assert not any(gold[point] and black[point] for point in points)


@every_setting
def test_every_position_goes_to_text_and_back(setting: Setting) -> None:
    for history in play_random_matches(setting):
        for match in history.moments:
            text = format_position(match.position, match.rules)
            assert parse_position(text, match.rules) == match.position


@every_setting
def test_records_replay_to_the_very_same_match(setting: Setting) -> None:
    slug, options = setting
    for history in play_random_matches(setting):
        board = history.end.rules.board
        stored = json.dumps([to_record(event, board) for event in history.events])
        events = [from_record(record, board) for record in json.loads(stored)]
        assert replay_events(GAMES[slug], dict(options), events) == history.end


@every_setting
def test_a_match_ends_once_with_an_outcome(setting: Setting) -> None:
    for history in play_random_matches(setting):
        assert [match.phase is Phase.OVER for match in history.moments[:-1]] == [False] * len(
            history.events
        )
        assert all(match.outcome is None for match in history.moments[:-1])
        assert history.end.outcome is not None
        assert history.end.position.dice == ()


@every_setting
def test_every_ending_has_words_also_after_it_was_stored(setting: Setting) -> None:
    for history in play_random_matches(setting):
        outcome = history.end.outcome
        assert outcome is not None
        stored = replace(outcome, parts=json.loads(json.dumps(outcome.parts)))
        assert stored == outcome
        assert format_ending(Reader.ENGLISH, history.end.game, stored)


@every_setting
def test_while_a_match_goes_on_nobody_has_won(setting: Setting) -> None:
    for history in play_random_matches(setting):
        assert all(
            find_outcome(match.rules, match.position) is None for match in history.moments[:-1]
        )


@every_setting
def test_throws_are_counted(setting: Setting) -> None:
    for history in play_random_matches(setting):
        thrown = sum(
            2 * isinstance(event, Battled) + isinstance(event, Thrown) for event in history.events
        )
        assert (history.end.drawn, history.end.version) == (thrown, len(history.events))


@every_setting
def test_taking_back_restores_what_was_decided(setting: Setting) -> None:
    for history in play_random_matches(setting):
        for before, event, match in zip(
            history.moments, history.events, history.moments[1:], strict=False
        ):
            decided = isinstance(event, Played | Chosen | Left) and not getattr(
                event, "forced", False
            )
            if decided and match.phase is not Phase.OVER:
                back = match.apply(TakenBack())
                assert replace(back, version=before.version) == before
                assert back.version == match.version + 1
            elif isinstance(event, Thrown):
                assert not match.may_take_back()


@every_setting
def test_whole_turns_are_taken_back_to_the_throw_or_what_it_forced(setting: Setting) -> None:
    for history in play_random_matches(setting):
        start = history.moments[0]
        for match in history.moments[:-1]:
            back = match
            while back.may_take_back():
                back = back.apply(TakenBack(whole=True))
            start = match if back is match else start
            assert replace(back, version=start.version) == start


@every_setting
def test_out_of_turn_every_event_is_refused(setting: Setting) -> None:
    seen = set()
    for history in play_random_matches(setting):
        for match in history.moments:
            if match.phase not in seen:
                seen.add(match.phase)
                for event in _list_untimely_events(match):
                    with pytest.raises(Refusal) as refusal:
                        match.apply(event)
                    assert explain_refusal(Reader.ENGLISH, refusal.value)
    assert Phase.OVER in seen


def _list_untimely_events(match: Match) -> list[Event]:
    """Events that may not come now."""
    count = match.rules.dice.count
    events: list[Event] = [
        Battled((6,) * count, (1,) * count),
        Thrown((1,) * count),
        Chosen(SIX, "1"),
        Chosen("table", "af"),
        Left(),
        Played((Move(0, 1, 1),)),
    ]
    wrong = [event for event in events if not isinstance(event, DUE[match.phase])]
    wrong += [] if find_forced_event(match) == Passed() else [Passed()]
    wrong += [] if match.may_take_back() else [TakenBack(), TakenBack(whole=True)]
    wrong += (
        [
            Resigned(Side.GOLD),
            Adjudicated(None),
            Concluded(None, forfeited=True),
            DrawOffered(Side.BLACK),
        ]
        if match.phase is Phase.OVER
        else []
    )
    wrong += [DrawAgreed(side) for side in Side] + [DrawDeclined(side) for side in Side]
    return wrong


@every_setting
def test_anyone_may_resign_until_the_end(setting: Setting) -> None:
    history = play_random_matches(setting)[0]
    for match in history.moments[:-1:7]:
        for side in Side:
            outcome = match.apply(Resigned(side)).outcome
            assert outcome is not None
            assert outcome.winner is side.other


@every_setting
def test_a_draw_is_offered_and_answered_at_any_time_after_the_first_throw(setting: Setting) -> None:
    history = play_random_matches(setting)[0]
    for match in history.moments[:-1:7]:
        for side in Side:
            if match.thrower is None:
                with pytest.raises(Refusal):
                    match.apply(DrawOffered(side))
                continue
            offered = match.apply(DrawOffered(side))
            assert offered.apply(DrawAgreed(side.other)).outcome == GameOutcome(None, "agreed")
            declined = offered.apply(DrawDeclined(side.other))
            assert find_forced_event(declined) == find_forced_event(match)
            assert declined.may_take_back() == match.may_take_back()
            assert replace(declined, offered=frozenset(), version=match.version) == match


@every_setting
@pytest.mark.sweep
def test_talk_of_a_draw_changes_nothing_that_is_played_or_taken_back(setting: Setting) -> None:
    history = play_random_matches(setting)[0]
    chance = Random(f"{setting}")
    match = history.moments[0]
    for event, expected in zip(history.events, history.moments[1:], strict=True):
        for said in (
            DrawOffered(chance.choice(list(Side))),
            DrawDeclined(chance.choice(list(Side))),
        ):
            try:
                match = match.apply(said)
            except Refusal:
                continue
        match = match.apply(event)
        assert _forget_draw_offers(match) == _forget_draw_offers(expected)
        if match.may_take_back():
            assert _forget_draw_offers(match.apply(TakenBack())) == _forget_draw_offers(
                expected.apply(TakenBack())
            )


def _forget_draw_offers(match: Match) -> Match:
    """A match without what was said of a draw, nor how it came to be."""
    return replace(match, drawing=None, offered=frozenset(), version=0, before=None)


@every_setting
def test_a_match_is_adjudicated_concluded_or_annulled_at_any_time(setting: Setting) -> None:
    history = play_random_matches(setting)[0]
    for match in history.moments[:-1:7]:
        for winner in (None, *Side):
            outcome = match.apply(Adjudicated(winner)).outcome
            assert outcome is not None
            assert (outcome.winner, outcome.how) == (winner, "adjudicated")
        for event in list_conclusions():
            outcome = match.apply(event).outcome
            assert outcome is not None
            how = "forfeited" if event.forfeited else "deadline"
            assert (outcome.winner, outcome.how) == (event.winner, how)
            assert from_record(to_record(event, match.rules.board), match.rules.board) == event
    for match in (*history.moments[::7], history.end):
        annulled = match.apply(Annulled())
        assert annulled.outcome == GameOutcome(None, "annulled")
        board = match.rules.board
        assert from_record(to_record(Annulled(), board), board) == Annulled()


@every_setting
@pytest.mark.sweep
def test_however_a_match_ends_its_position_is_read_back(setting: Setting) -> None:
    history = play_random_matches(setting)[0]
    for match in (*history.moments[:-1:11], *islice(list_mid_throw_matches(history), 0, None, 5)):
        for last in list_endings(match):
            over = match.apply(last)
            assert over.phase is Phase.OVER
            text = format_position(over.position, over.rules)
            assert parse_position(text, over.rules) == over.position, last
            if match.position.dice:
                assert over.position.memory == 0


@every_setting
@pytest.mark.sweep
def test_a_match_that_is_set_up_with_a_throw_goes_on_as_the_one_before(setting: Setting) -> None:
    history = play_random_matches(setting)[0]
    for match, event, after in zip(
        history.moments, history.events, history.moments[1:], strict=False
    ):
        if isinstance(event, Thrown) and match.rules.players == 1:
            text = format_position(match.position, match.rules)
            begun = new_match(match.game, match.options).apply(SetUp(text, event.dice))
            assert (begun.position, begun.phase) == (after.position, after.phase)
            assert (begun.thrown, begun.thrower) == (after.thrown, after.thrower)


def list_mid_throw_matches(history: MatchHistory) -> Iterator[Match]:
    """The match after each first move of a throw that has others, where it was played in one go."""
    for match, event in zip(history.moments, history.events, strict=False):
        if isinstance(event, Played):
            for moves in range(1, len(event.moves)):
                after = match.apply(Played(event.moves[:moves]))
                if after.phase is not Phase.OVER:
                    yield after


def list_endings(match: Match) -> Iterator[Event]:
    """Everything that can end a match that is not played to its end."""
    for side in Side:
        yield from (Resigned(side), TimedOut(side))
        if match.drawing is side.other:
            yield DrawAgreed(side)
        if match.may_abort():
            yield Aborted(side)
    yield from (Adjudicated(winner) for winner in (None, *Side))
    yield from list_conclusions()
    yield from (Abandoned(), Annulled())


def list_conclusions() -> Iterator[Concluded]:
    """Everything by which a contest can end a match."""
    for forfeited in (True, False):
        yield from (Concluded(winner, forfeited) for winner in (None, *Side))


def test_a_match_that_ends_while_a_man_is_being_placed_forgets_him() -> None:
    match = new_match(GAMES["tabula"], {"placing": "still"})
    for event in (Battled((6, 5, 4), (1, 1, 1)), Thrown((6, 2, 1))):
        match = match.apply(event)
    match = match.apply(
        Played((next(move for move in match.list_next_moves() if move.number == 1),))
    )
    assert format_position(match.position, match.rules).endswith(" placed=a")
    for last in (*list_endings(match), DrawOffered(Side.BLACK)):
        over = match.apply(last)
        if last == DrawOffered(Side.BLACK):
            over = over.apply(DrawAgreed(Side.GOLD))
        assert format_position(over.position, over.rules) == "a1,hand14 hand15 gold -"


MATCH_COUNTS = {
    "twelve-dogs": 2500,
    "doblet": 500,
    "fallas": 100,
    "ludus-anglicorum": 20,
    "backgammon": 20,
}
"""How many random matches are played to the end, where it is more than a few."""


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("all_of_them", mark_sweeps([False, True], operator.not_))
def test_thousands_of_random_matches_come_to_an_end(slug: str, all_of_them: bool) -> None:
    chance = Random(slug)
    for _ in range(MATCH_COUNTS.get(slug, 4) if all_of_them else 1):
        match = play_out(new_match(GAMES[slug], {}), chance, 20_000)
        assert match.phase is Phase.OVER
        assert match.outcome is not None
