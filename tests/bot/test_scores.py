"""A finished match as a score to read and as a file for other programs, both written by hand."""

import re
from collections.abc import Iterable
from random import Random

import pytest

from bot.features.matches.event_texts import describe_transitions
from bot.features.matches.replay import LINE_WIDTH, write_mat, write_score
from bot.features.matches.session import MatchSession, Transition
from bot.platform.db.rows import PersonNames
from bot.platform.i18n.reader import Reader, load_reader
from engine.clock import parse_pace, start_clock
from engine.events import (
    Battled,
    Event,
    Passed,
    Played,
    Resigned,
    SetUp,
    TakenBack,
    Thrown,
    TurnTakenBack,
)
from engine.games import GAMES
from engine.match import Phase, apply_unchecked, find_forced_event, new_match
from engine.notation import parse_play
from engine.playout import choose_event
from engine.position import Side
from engine.position_text import format_position
from tests.bot.test_past_results import ANA, BEN, build_row
from tests.support.club import SimulatedClub
from tests.support.driver import get_ephemeral_text, get_response, give_up, start_match
from tests.support.pseudo import LOCALE, compile_pseudo_folder, read_template
from tests.support.sent_texts import SentText, find_untranslated

BEGAN, ENDED = 1_795_809_600_000, 1_795_811_400_000
"""27 November 2026, 20:00 and 20:30 UTC."""

BEN_NAME = "Ben: the 2nd"

BACKGAMMON = (
    Battled((3,), (1,)),
    "r-u",
    TakenBack(),
    "r-u t-u",
    Thrown((4, 2)),
    "h-d f-d",
    Thrown((6, 4)),
    "a-g-l",
    Thrown((2, 6)),
    "z-s n-l",
    Thrown((6, 6)),
    Passed(),
    Thrown((1, 2)),
    Resigned(Side.GOLD),
)
"""Gold makes the five point, runs, is hit, and cannot enter; what it took back was not played."""

SCORE = """\
Backgammon, match 7
Gold: Ana
Black: Ben: the 2nd
2026-11-27 20:00 to 2026-11-27 20:30 (UTC)
no time limit, not rated, rules edition 1
Opening roll: Gold 3, Black 1.

     Gold                                  Black
  1. 3-1: r-u t-u                          4-2: h-d f-d
  2. 6-4: a-g-l                            6-2: z-s n-l*
  3. 6-6: –                                2-1:

Ben: the 2nd (black) won: Ana resigned.
"""
MAT = """\
; [Site "Tabula"]
; [EventDate "2026.11.27"]

 0 point match

 Game 1
 Ana : 0                        Ben. the 2nd : 0
  1) 31: 8/5 6/5                 42: 8/4 6/4
  2) 64: 24/18 18/14             62: 24/18 13/11*
  3) 66:
                                  Wins 1 point
"""


def play_match(
    game: str, steps: Iterable[Event | str], **options: object
) -> tuple[MatchSession, list[Transition]]:
    """A match of Ana's and Ben's in which that happens; a text is a play of the side to move."""
    match = new_match(GAMES[game], {})
    happened: list[Transition] = []
    for step in steps:
        event = (
            Played(parse_play(step, match.rules, match.position)) if isinstance(step, str) else step
        )
        after = match.apply(event)
        happened.append(Transition(match, event, after, BEGAN))
        match = after
    usual = {"id": 7, "pace": "none", "created": BEGAN, "ended": ENDED, "rated": False}
    row = build_row(game, **usual | options)
    names = {ANA: PersonNames("Ana"), BEN: PersonNames(BEN_NAME)}
    clock = start_clock(parse_pace("none"), new_match(GAMES[game], {}), BEGAN)
    return MatchSession(row, match, names, clock), happened


def list_rows(score: str) -> list[str]:
    """The turns of a score, without its head and its result."""
    return score.split("\n\n")[1].splitlines()[1:]


def test_a_match_is_a_score_to_read() -> None:
    session, happened = play_match("backgammon", BACKGAMMON)
    assert write_score(Reader.ENGLISH, session, happened) == SCORE


def test_a_match_of_backgammon_is_a_file_for_other_programs() -> None:
    assert write_mat(*play_match("backgammon", BACKGAMMON)) == MAT


def test_black_begins_in_the_right_column() -> None:
    steps = (Battled((2,), (5,)), "n-h n-l", Resigned(Side.BLACK))
    session, happened = play_match("backgammon", steps)
    mat = write_mat(session, happened)
    assert mat is not None
    assert mat.splitlines()[7:] == [
        "  1)                             52: 13/8 13/11",
        "      Wins 1 point",
    ]
    assert list_rows(write_score(Reader.ENGLISH, session, happened)) == [f"{'  1.':43}5-2: n-h n-l"]


def test_a_turn_that_was_taken_back_is_in_neither() -> None:
    played = (Battled((3,), (1,)), "a-b a-d", Thrown((6, 4)), "z-s z-u", TurnTakenBack(Side.GOLD))
    again = ("r-u t-u", Thrown((2, 1)), "n-l f-e", Resigned(Side.GOLD))
    session, happened = play_match("backgammon", (*played, *again))
    assert list_rows(write_score(Reader.ENGLISH, session, happened)) == [
        f"{'  1. 3-1: r-u t-u':43}2-1: n-l f-e"
    ]
    mat = write_mat(session, happened)
    assert mat is not None
    assert "  1) 31: 8/5 6/5                 21: 13/11 6/5" in mat.splitlines()


def test_other_games_rules_and_positions_have_no_file_for_other_programs() -> None:
    roll = Battled((3,), (1,))
    assert write_mat(*play_match("irish", (roll, Resigned(Side.GOLD)))) is None
    rules = GAMES["backgammon"].rules
    placed = SetUp(format_position(rules.start_position, rules))
    session, happened = play_match("backgammon", (placed, Resigned(Side.GOLD)))
    assert write_mat(session, happened) is None


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """A reader of the made-up language."""
    return load_reader(LOCALE, compile_pseudo_folder(tmp_path_factory.mktemp("l"), read_template()))


def play_at_random(slug: str) -> tuple[MatchSession, list[Transition], list[Event]]:
    """A match of a game, and what happened in it."""
    chance = Random(7)
    match = new_match(GAMES[slug], {})
    events: list[Event] = []
    while match.phase is not Phase.OVER and len(events) < 400:
        event = find_forced_event(match) or choose_event(match, chance)
        events.append(event)
        match = apply_unchecked(match, event)
    if match.phase is not Phase.OVER:
        events.append(Resigned(Side.GOLD))
    return *play_match(slug, events), events


@pytest.mark.parametrize("slug", GAMES)
def test_nothing_in_a_score_but_plays_stays_in_english(
    slug: str, foreign: Reader, pseudo_words: frozenset[str]
) -> None:
    session, happened, _ = play_at_random(slug)
    score = write_score(foreign, session, happened)
    score = score.replace(BEN_NAME, "Ben")
    told = re.sub(r"[a-z0-9:]+(?:-[a-z0-9]+)+\*?(?:\([0-9]\))?", " ", score)
    wrong = find_untranslated(SentText("file", told), pseudo_words)
    # A line may break within a bracket.
    assert [word for word in wrong if word != "cut" and not word.startswith("outside")] == []


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_has_a_score_with_all_its_throws(slug: str) -> None:
    session, happened, events = play_at_random(slug)
    score = write_score(Reader.ENGLISH, session, happened)
    assert max(map(len, score.splitlines())) <= LINE_WIDTH
    turns = " ".join(" ".join(list_rows(score)).split())
    for event in events:
        if isinstance(event, Thrown):
            assert "-".join(map(str, sorted(event.dice, reverse=True))) in turns
    # Nothing was taken back, so as many throws are told as were thrown.
    assert turns.count(": ") + turns.endswith(":") >= sum(isinstance(e, Thrown) for e in events)


def test_of_two_numbers_alike_only_the_one_that_is_left_cant_be_played() -> None:
    # After a four and the one, or two fours, a black point is in the way.
    throw = SetUp("f1,z14 a11,o2,p2 gold -", (4, 4, 1))
    session, happened = play_match("zeno", (throw, "f-l"))
    text = describe_transitions(Reader.ENGLISH, session, happened)
    assert text.endswith("played `f\u2011k\u2011l`. The second 4 can't be played.")


@pytest.mark.asyncio
async def test_the_record_comes_with_a_score(club: SimulatedClub) -> None:
    await start_match(club, "backgammon")
    await give_up(club, club.ana, club.channel, 1)
    answer = await club.ana.slash(club.channel, "match record", match=1)
    names = [file.filename for file in get_response(answer).attachments]
    assert names == ["match-1.json", "match-1.txt", "match-1.mat"]
    assert get_ephemeral_text(answer) == (
        "The record of match 1, with the secret of its dice. Verify it with `tabula verify`. The "
        "text file is the same record, as a score to read. Other backgammon programs read the "
        "`.mat` file."
    )
    score = (await get_response(answer).attachments[1].read()).decode()
    assert score.startswith("Backgammon, match 1\nGold: ")
    assert "@" not in score
    assert max(map(len, score.splitlines())) <= LINE_WIDTH
