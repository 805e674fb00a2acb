"""Every lesson by the real rules: what it asks for can be done, and what it says is so."""

import re
from collections.abc import Callable, Iterator, Mapping

import pytest

from bot.features.matches.controls import count_button_room, list_button_plays
from engine.board import ROMAN, TABLES
from engine.events import Chosen, Passed, Played, Thrown
from engine.games import GAMES
from engine.games.lessons import LESSONS, find_lesson
from engine.games.suggested import FIRST_GAME
from engine.lesson import Goal, Lesson, LessonStep
from engine.match import SIX, Match, Phase, find_forced_event
from engine.notation import format_play, parse_play
from engine.plays import make_move
from engine.position_text import format_position
from engine.rules import Ending, Rules
from engine.teaching import begin_step, finish_step, is_step_over, is_wanted, parse_press
from tests.conformance import rulebook

EVERY_STEP = [(slug, number) for slug, each in LESSONS.items() for number in range(len(each.steps))]
THROWS = re.compile(r"threw (\d(?:-\d)+)")

every_step = pytest.mark.parametrize(
    ("slug", "number"), EVERY_STEP, ids=[f"{slug} {number + 1}" for slug, number in EVERY_STEP]
)
every_lesson = pytest.mark.parametrize("lesson", LESSONS.values(), ids=lambda each: each.game)


def turn_die(slug: str, number: int) -> Match:
    """Where the numbers of a step are to be played, its die turned if one is to be."""
    match = begin_step(slug, number).match
    if match.phase is Phase.CHOOSE:
        return match.apply(Chosen(SIX, LESSONS[slug].steps[number].six))
    return match


def list_rulebook_ends(match: Match) -> set[rulebook.EndKey]:
    """The ends of a throw that the rulebook allows."""
    text = format_position(match.position, match.rules)
    return rulebook.list_ends(text, match.game.slug, match.options)


def find_key(match: Match, text: str) -> rulebook.EndKey:
    """Where a play leads, as the rulebook's own reading writes it."""
    end = match.position
    for move in parse_play(text, match.rules, match.position):
        end = make_move(match.rules, end, move)
    return rulebook.build_key(format_position(end, match.rules))


def walk_presses(slug: str, number: int) -> Iterator[tuple[Match, str, Match, bool]]:
    """Everything that can be pressed in a step, as long as it is what the step asks for."""
    waiting, seen = [begin_step(slug, number).match], set[str]()
    while waiting:
        match = waiting.pop()
        for text in list_presses(match):
            after = match.apply(parse_press(match, text))
            wanted = is_wanted(slug, number, after)
            yield match, text, after, wanted
            key = format_position(after.position, after.rules)
            if wanted and not is_step_over(slug, after) and key not in seen:
                seen.add(key)
                waiting.append(after)


def list_presses(match: Match) -> list[str]:
    """What the buttons of a moment say."""
    if match.phase is Phase.CHOOSE:
        return sorted({str(number) for number in match.thrown})
    return [format_play(play, match.rules, match.position) for play in list_button_plays(match)]


def list_results(slug: str, number: int) -> list[Match]:
    """All the ways in which a step can be done."""
    found = walk_presses(slug, number)
    return [after for _, _, after, wanted in found if wanted and is_step_over(slug, after)]


def get_steps(slug: str, number: int) -> tuple[LessonStep, LessonStep | None]:
    """A step and the one after it."""
    steps = LESSONS[slug].steps
    return steps[number], steps[number + 1] if number + 1 < len(steps) else None


@every_step
def test_the_throw_is_possible_and_waits_for_the_learner(slug: str, number: int) -> None:
    match = begin_step(slug, number).match
    assert match.turn is LESSONS[slug].side
    assert match.phase in (Phase.CHOOSE, Phase.PLAY)
    assert len(match.thrown) == match.rules.dice.count
    assert set(match.thrown) <= set(range(1, 7))
    if match.phase is Phase.CHOOSE:
        assert LESSONS[slug].steps[number].six


@every_step
def test_what_is_asked_for_is_legal_by_the_rulebook(slug: str, number: int) -> None:
    step, _ = get_steps(slug, number)
    match = turn_die(slug, number)
    allowed = list_rulebook_ends(match)
    assert {
        rulebook.build_key(format_position(play.end, match.rules)) for play in match.plays
    } == allowed
    assert (step.goal is Goal.PLAY) == bool(step.plays)
    for play in step.plays:
        assert find_key(match, play) in allowed


@every_step
def test_there_is_a_way_to_do_it_by_pressing_and_every_wrong_press_is_explained(
    slug: str, number: int
) -> None:
    step, _ = get_steps(slug, number)
    explained = set[str]()
    for match, text, after, wanted in walk_presses(slug, number):
        assert len(list_presses(match)) <= count_button_room(match)
        # A wrong press is explained, and what is explained is wrong.
        if not wanted:
            assert step.hints.get(text) or step.hint, text
            explained.add(text)
        assert after.turn is match.turn or is_step_over(slug, after)
    assert list_results(slug, number)
    assert set(step.hints) <= explained
    assert bool(step.hint) == bool(explained), "a hint that nobody can ever see"


@every_step
def test_the_next_step_goes_on_from_here_or_begins_elsewhere(slug: str, number: int) -> None:
    step, onward = get_steps(slug, number)
    results = list_results(slug, number)
    if onward is None:
        assert not step.replies
    elif not onward.position:
        assert step.replies
    if step.replies:
        # Whichever way it was done, the opponent meets the same position.
        ends = {format_position(after.position, after.rules) for after in results}
        assert len(ends) == 1
        match = finish_step(slug, number)
        assert match.turn is LESSONS[slug].side
        assert match.phase is Phase.THROW
    for after in results:
        assert (after.phase is Phase.OVER) == (onward is None)
        if after.outcome is not None:
            assert after.outcome.winner is LESSONS[slug].side


@every_step
def test_the_opponent_throws_and_plays_as_is_told(slug: str, number: int) -> None:
    step, _ = get_steps(slug, number)
    throws = [tuple(map(int, text.split("-"))) for text in THROWS.findall(step.done)]
    assert throws == [reply.throw for reply in step.replies]
    match = turn_die(slug, number)
    if step.replies:
        match = list_results(slug, number)[0]
    for reply in step.replies:
        match = match.apply(Thrown(reply.throw))
        if reply.play:
            assert find_key(match, reply.play) in list_rulebook_ends(match)
            match = match.apply(Played(parse_play(reply.play, match.rules, match.position)))
        else:
            assert find_forced_event(match) == Passed()
            assert list_rulebook_ends(match) == set()
            match = match.apply(Passed())


@every_step
def test_what_is_said_of_hits_is_so(slug: str, number: int) -> None:
    step, _ = get_steps(slug, number)
    asked = re.search(r"\b[Hh]its?\b (?:black's man|it\b|on)|both your numbers hit", step.task)
    results = list_results(slug, number)
    if asked or step.goal is Goal.HIT:
        assert all(any(move.hit for move in after.moves) for after in results)
    hit_back = re.search(r"\bhit (?:yours|your man|it)\b", step.done)
    if step.replies and hit_back:
        assert any(move.hit for move in finish_step(slug, number).moves)


@every_lesson
def test_a_lesson_says_how_its_men_run(lesson: Lesson) -> None:
    rules = GAMES[lesson.game].resolve_rules(lesson.options)
    course = rules.course(lesson.side)
    names = [rules.board.place_names[point] for point in course]
    text = lesson.steps[0].task
    if rules.board is ROMAN:
        assert (names[:6], names[-1]) == (["1", "2", "3", "4", "5", "6"], "36")
        assert "1 to 6" in text
    elif rules.moving:
        assert (names[0], names[-1]) == ("a", "z")
        assert re.search(r"from a\b|on a to f", text)
    else:
        assert "".join(names) == "abcdef"
        assert "a 1 on a, a 6 on f" in text


@every_lesson
def test_a_lesson_is_short_and_of_the_newest_edition(lesson: Lesson) -> None:
    assert 4 <= len(lesson.steps) <= 5
    assert lesson.game in GAMES
    assert GAMES[lesson.game].resolve_rules(lesson.options).men >= 12
    for step in lesson.steps:
        for text in (step.task, step.done, step.hint, *step.hints.values()):
            assert len(text) <= 180, text
            assert "{" not in text


def is_race(rules: Rules) -> bool:
    """Whether both sides race to a table, against each other."""
    return rules.ending is Ending.GOAL


def is_run_together(rules: Rules) -> bool:
    """Whether both sides enter on the tables board from the hand, and run the same way."""
    gold, black = rules.gold, rules.black
    return (
        rules.board is TABLES
        and rules.moving
        and gold.course == black.course
        and gold.start.startswith("hand")
        and black.start.startswith("hand")
    )


def has_no_doubling(rules: Rules) -> bool:
    """Whether neither side doubles on its own half, from opposite corners."""
    return (rules.gold.ban_second, rules.black.ban_second) == ("a..m", "n..z")


FAMILIES: Mapping[str, Callable[[Rules], bool]] = {
    "zeno": is_race,
    "tabula": is_run_together,
    "duodecim-scripta": lambda rules: rules.board is ROMAN,
    "ludus-anglicorum": has_no_doubling,
    "twelve-dogs": lambda rules: not rules.moving,
}


def test_there_is_a_lesson_for_each_way_of_playing() -> None:
    assert list(LESSONS) == list(FAMILIES)
    assert FIRST_GAME in LESSONS
    for slug, lesson in LESSONS.items():
        for game in (slug, *lesson.games):
            assert FAMILIES[slug](GAMES[game].resolve_rules({})), game
            assert find_lesson(game) is lesson


def test_only_a_throw_of_fifteen_hits_the_man_left_behind_in_zeno() -> None:
    # What the third step says of black's chances, by trying all 216 throws.
    after = list_results("zeno", 2)[0]
    throws = [(a, b, c) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)]
    hitting = {
        throw
        for throw in throws
        if any(move.hit for play in after.apply(Thrown(throw)).plays for move in play.moves)
    }
    assert hitting == {throw for throw in throws if sum(throw) == 15}


def test_the_blockade_of_the_english_game_is_what_the_manuscript_calls_it() -> None:
    for after in list_results("ludus-anglicorum", 2):
        assert after.find_plight() == "lympolded"
        assert find_forced_event(after) == Passed()


def test_nothing_leads_past_m_before_all_men_are_in_in_tabula() -> None:
    match = turn_die("tabula", 3)
    middle = match.rules.board.find_place("m")
    assert all(move.target <= middle for move in match.list_next_moves())
    for after in list_results("tabula", 3):
        assert not after.position.gold[match.rules.board.hand]


def test_what_a_lesson_says_of_hits_is_so_after_every_play() -> None:
    # After `hand-c m-q m-r` two men of gold's stand alone before black's on o and p.
    step = LESSONS["tabula"].steps[3]
    match = begin_step("tabula", 3).match
    after = match.apply(Played(parse_play("hand-c m-q m-r", match.rules, match.position)))
    reply = after.apply(Thrown((1, 2, 6)))
    assert any(move.hit for play in reply.plays for move in play.moves)
    assert "can still be hit" in step.done
    for play in match.plays:
        assert not play.end.gold[match.rules.board.hand], "the step says that all men are in"


def test_a_lesson_claims_of_kindred_games_only_what_their_rules_say() -> None:
    assert [slug for slug, game in GAMES.items() if not game.rules.moving] == [
        "twelve-dogs",
        "doblet",
        "paume-carie-one",
    ]
    assert "Doblet and in Paume carie on one table" in LESSONS["twelve-dogs"].summary
    assert "Lewins' reading" in LESSONS["ludus-anglicorum"].steps[2].done
