"""Every decline says itself, in every language, whatever its sentence names."""

import pickle
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import product
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from bot.client import CommandMovedError
from bot.features.analysis.delivery import AlreadySharedError
from bot.features.challenges.service import ChallengeClosedError
from bot.features.preferences.service import PersonBlockedError
from bot.features.ratings.service import Season
from bot.platform.features import load_modules
from bot.platform.i18n.common import PERMISSIONS
from bot.platform.i18n.reader import DeclinedError, Reader, list_languages, load_reader
from bot.platform.people import DiscordPerson, build_computer_person
from bot.platform.ui.channels import MissingPermissionsError
from engine.players.level import Level
from tests.support.pseudo import compile_pseudo_folder, read_template
from tests.support.sent_texts import SentText, find_untranslated

LOCALE = "de"
"""The language in whose place the made-up one is read."""
MENTION = f"<@{5:018}>"
"""What nobody's name, nor what was typed, may become in a sentence."""
SAMPLES: Mapping[Any, tuple[object, ...]] = {
    int: (2, 1),
    str: (f"_9_ {MENTION}",),
    bool: (False, True),
    NoneType: (None,),
    Season: (Season(2026, 4),),
    DiscordPerson: (DiscordPerson(1, f"_9_ {MENTION}"), build_computer_person(Level.MASTER, 1)),
}
"""What a field may be, by its type."""
SPECIAL: Mapping[type[DeclinedError], Mapping[str, tuple[object, ...]]] = {
    AlreadySharedError: {"link": ("https://discord.com/channels/1/2",)},
    CommandMovedError: {"command": ("rating",), "place": ("me settings",)},
    ChallengeClosedError: {
        "state": ("accepted", "declined", "withdrawn", "lapsed", "answered"),
    },
    MissingPermissionsError: {"permissions": (("view_channel",), tuple(PERMISSIONS))},
    PersonBlockedError: {"person": ("<@8>",)},
}
"""What a field is of which its type says too little."""


def list_kinds(of: type[DeclinedError] = DeclinedError) -> Iterator[type[DeclinedError]]:
    """Every kind of decline that the program has."""
    for kind in of.__subclasses__():
        yield kind
        yield from list_kinds(kind)


def list_samples(kind: object) -> list[object]:
    """What a field of that type may be; raises TypeError for one of which nothing is known."""
    if isinstance(kind, UnionType):
        return [each for part in get_args(kind) for each in list_samples(part)]
    if get_origin(kind) is tuple:
        things = list_samples(get_args(kind)[0])
        return [(), (things[0],), (*things, *things)]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return list(kind)
    if kind in SAMPLES:
        return list(SAMPLES[kind])
    if isinstance(kind, type) and is_dataclass(kind):
        return list(build_all(kind))
    raise TypeError(f"there is no sample of {kind}: add one to SAMPLES, or to SPECIAL")


def build_all(kind: Callable[..., Any], special: Mapping[str, Any] | None = None) -> Iterator[Any]:
    """Build a dataclass with all that its fields may be."""
    assert is_dataclass(kind)
    hints = get_type_hints(kind)
    known = special or {}
    names = [each.name for each in fields(kind)]
    for parts in product(*(known.get(name) or list_samples(hints[name]) for name in names)):
        yield kind(*parts)


load_modules()
KINDS = sorted(set(list_kinds()), key=lambda kind: kind.__name__)


def list_declines(kind: type[DeclinedError]) -> list[DeclinedError]:
    """Declines of a kind, with all that their fields may be."""
    return list(build_all(kind, SPECIAL.get(kind)))


@pytest.fixture(scope="module")
def pseudo_reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """Who reads the made-up language."""
    folder: Path = compile_pseudo_folder(
        tmp_path_factory.mktemp("locales"), read_template(), LOCALE
    )
    return load_reader(LOCALE, folder)


@pytest.mark.parametrize("kind", KINDS)
def test_a_decline_says_itself_in_every_language(kind: type[DeclinedError]) -> None:
    for declined in list_declines(kind):
        for language in list_languages():
            text = declined.format(load_reader(language))
            assert text
            assert MENTION not in text


@pytest.mark.parametrize("kind", KINDS)
def test_a_decline_is_translated_whole(
    kind: type[DeclinedError], pseudo_reader: Reader, pseudo_words: frozenset[str]
) -> None:
    for declined in list_declines(kind):
        text = declined.format(pseudo_reader)
        assert find_untranslated(SentText("content", text), pseudo_words) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_decline_comes_whole_from_another_process(kind: type[DeclinedError]) -> None:
    for declined in list_declines(kind):
        copy = pickle.loads(pickle.dumps(declined))
        assert type(copy) is kind
        assert vars(copy) == vars(declined)
        assert str(copy) == str(declined)


def test_declines_are_told_apart() -> None:
    one, other = (ChallengeClosedError("lapsed") for _ in range(2))
    assert one != other
    assert len({one, other}) == 2


def test_what_cannot_be_built_is_reported() -> None:
    with pytest.raises(TypeError, match="SAMPLES"):
        list_samples(bytes)
