"""Why the rules refuse something: every reason has a text.

What people typed stands in it unchanged. The texts are in `refusals.toml`.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.features.matches.session import NotYourTurnError
from bot.platform.i18n.reader import Reader, load_reader
from bot.platform.i18n.refusals import explain_refusal, format_refusal
from bot.platform.people import DiscordPerson, build_computer_person
from engine.match import Phase
from engine.players.level import Level
from engine.position import Side
from engine.refusal import Reason, Refusal
from engine.typed import COMMAND_WORDS
from tests.support.pseudo import LOCALE, compile_pseudo_folder, read_template
from tests.words.build import compile_texts

GOLD, BLACK = Side
TEAM = {BLACK: [DiscordPerson(1, "Ana"), DiscordPerson(2, "Ben")]}


def build_refusal(reason: str, legal: Sequence[str] = (), **parts: Any) -> Refusal:
    """Return the refusal of a line of `refusals.toml`."""
    for name, convert in PART_TYPES.items():
        if name in parts:
            parts[name] = convert(parts[name])
    return Refusal(Reason(reason), tuple(legal), **parts)


PART_TYPES: Mapping[str, Callable[[Any], object]] = {
    "side": Side,
    "phase": Phase,
    "dice": tuple,
    "known": tuple,
    "players": {"team": TEAM}.__getitem__,
}
"""What the parts are that TOML has no type for."""
SENTENCES = [
    (build_refusal(**parts), sentence)
    for sentence, parts in tomllib.loads(
        Path(__file__).with_name("refusals.toml").read_text(encoding="utf-8")
    ).items()
]


@pytest.mark.parametrize(("refusal", "sentence"), SENTENCES)
def test_each_reason_is_told_in_a_sentence(refusal: Refusal, sentence: str) -> None:
    assert explain_refusal(Reader.ENGLISH, refusal) == sentence


@pytest.mark.parametrize("part", ["typed", "name", "move"])
def test_of_a_long_line_only_the_beginning_is_repeated(part: str) -> None:
    line = "x" * 200
    parts: dict[str, Any] = {"typed": "x", "name": "x", part: line}
    why = Reason.UNREADABLE if part == "typed" else Reason.NO_POINT
    for text in (
        explain_refusal(Reader.ENGLISH, Refusal(why, **parts)),
        format_refusal(Reader.ENGLISH, Refusal(why, **parts)),
    ):
        assert "x" * 39 + "…" in text
        assert "x" * 40 not in text


def test_no_reason_is_without_words() -> None:
    assert {refusal.reason for refusal, _ in SENTENCES} == set(Reason)
    assert {
        refusal.parts["phase"] for refusal, _ in SENTENCES if refusal.reason is Reason.WAITS
    } == set(Phase) - {Phase.OVER}
    assert {
        refusal.parts["word"] for refusal, _ in SENTENCES if refusal.reason is Reason.COMMAND
    } == set(COMMAND_WORDS)


def test_nothing_of_them_stays_in_english(tmp_path: Path) -> None:
    foreign = load_reader(LOCALE, compile_pseudo_folder(tmp_path, read_template()))
    for refusal, _ in SENTENCES:
        text = explain_refusal(foreign, refusal)
        assert (text[0], text[-1]) == ("«", "»")
        side = str(refusal.parts.get("side", ""))
        assert f"«{side}" in text or side not in explain_refusal(Reader.ENGLISH, refusal)


@pytest.mark.parametrize(
    ("refusal", "text"),
    [
        (Refusal(Reason.OVER), "The match is over."),
        (
            Refusal(Reason.BLOCKED, ("k-q", "t-z"), move="k-p", side=BLACK, place="p", count=2),
            "`k-p`: p is blocked by 2 of black's men. Legal now: `k-q`, `t-z`.",
        ),
        (
            Refusal(Reason.GAME, ("Zeno",), name="zenno"),
            "There's no game called zenno; did you mean Zeno?",
        ),
        (
            Refusal(Reason.AMBIGUOUS, ("6:z-off", "1:z-off"), typed="z-off"),
            "`z-off` could mean `6:z-off` or `1:z-off`.",
        ),
    ],
)
def test_people_read_it_as_a_sentence_with_what_would_be_legal(refusal: Refusal, text: str) -> None:
    assert format_refusal(Reader.ENGLISH, refusal) == text


def test_what_somebody_typed_calls_nobody() -> None:
    assert "@everyone" not in format_refusal(
        Reader.ENGLISH, Refusal(Reason.UNREADABLE, typed="@everyone")
    )
    assert "{0}" in format_refusal(Reader.ENGLISH, Refusal(Reason.UNREADABLE, typed="{0}"))


def test_the_computer_is_named_as_in_the_language(tmp_path: Path) -> None:
    folder = compile_texts(tmp_path, "fr", {"Computer": "Ordi"}, "the name of a player")
    french = load_reader("fr", folder)
    players = {BLACK: [build_computer_person(Level.MASTER, 0)]}
    refusal = Refusal(Reason.THEIRS, side=BLACK, place="m", players=players)
    assert format_refusal(french, refusal) == "The men on m are Ordi's."
    assert NotYourTurnError(7, players[BLACK][0]).format(french) == "It's Ordi's turn in match 7."
