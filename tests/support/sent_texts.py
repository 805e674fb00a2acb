"""What was sent to people, as Discord received it: every text in it.

It says as well what in a text did not go through a reader.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import simcord

from engine.games import GAMES
from tests.support.pseudo import VERBATIM, WORD

TEXT_FIELDS = ("content", "label", "placeholder", "description", "title")
"""The fields that people read."""

NON_BREAKING_HYPHEN = "\u2011"
"""What people read in plays, where a plain hyphen is typed."""

MAN_BUTTON = re.compile(r"(?:[a-z]|[0-9]+|hand|bar(?:-[a-z]{2})?)-…")
"""What a button says that chooses a man: the place where a typed play would begin."""

NAMED = ("/threads", "/scheduled-events", "/roles")
"""The ends of the paths at which something with a name is created."""

ENTRY = "entry"
"""Where the line below an entry of a menu stands."""

NAMES = (
    "Ana",
    "Ben",
    "Cyn",
    "Dan",
    "Alfonso",
    "Ferdinand",
    "dan",
    "eve",
    "Club",
    "UTC",
    "Europe/Berlin",
    "English",
)
"""What people, servers, those at the sample of a board, zones and languages are called."""

PICTURE = "picture"
"""Where words stand that are drawn."""
TEAM = re.compile(rf"«(?:{'|'.join(NAMES)})(?: a|…)")
CUT_IN_PICTURES = ("«Comp", "««Com", "«anyon", "«Blackk", "«Wo", "«Draw", "«Los", "«Poi")
"""How texts begin that are cut in pictures: names beside a board, and headings of columns."""


@dataclass(frozen=True, slots=True)
class SentText:
    """A text that people read, and where it stood."""

    where: str
    text: str

    @property
    def may_be_cut(self) -> bool:
        """Whether an ellipsis may end the text.

        Such a text explains an entry of a menu, or is one of those in a picture whose longer words
        in this language have no room there.
        """
        if self.where == PICTURE:
            return TEAM.match(self.text) is not None or self.text.startswith(CUT_IN_PICTURES)
        return self.where == ENTRY


def list_sent_texts(requests: Iterable[simcord.HttpLogEntry]) -> Iterator[SentText]:
    """Yield every text that a bot has told Discord, but for what it says of its commands."""
    for request in requests:
        if "/commands" not in request.path:
            yield from list_body_texts(request.json)
        if request.path.endswith(NAMED) and isinstance(request.json, dict):
            yield SentText("name", request.json.get("name", ""))


def list_body_texts(body: Any) -> Iterator[SentText]:
    """Yield every text in a body that Discord is sent."""
    if isinstance(body, list):
        for part in body:
            yield from list_body_texts(part)
    if not isinstance(body, dict):
        return
    if "value" in body and _goes_on(body.get("label") or ""):
        body = {"description": f"{body['label']} {body['description']}", "value": body["value"]}
    for field, value in body.items():
        if field in TEXT_FIELDS and isinstance(value, str) and not _is_typed_label(body, field):
            yield SentText(ENTRY if field == "description" and "value" in body else field, value)
        elif field == "choices":
            yield from (
                SentText("choice", choice["name"])
                for choice in value
                if choice["name"] != choice["value"]
            )
        else:
            yield from list_body_texts(value)


def _goes_on(label: str) -> bool:
    """Whether the label of an entry goes on in the line below it."""
    return label.count("«") > label.count("»") and not label.endswith("…")


def _is_typed_label(part: dict[str, Any], field: str) -> bool:
    """Return whether a label is what somebody would type instead.

    That is a play, a point or a house rule; the label is that of an entry or button.
    """
    if field != "label":
        return False
    label = part["label"].replace(NON_BREAKING_HYPHEN, "-")
    return label in (part.get("value"), part.get("custom_id", "").rpartition(":")[2])


TYPED_WORDS = ("xq", "what", "roll", "Zeno, Irish")
"""What somebody types on the tour and reads again in a refusal."""


def _list_house_rules() -> Iterator[str]:
    """Yield house rules as typed, one or all of them, and as shown in the terms of a match."""
    for game in GAMES.values():
        if len(game.options) > 1:
            yield ", ".join(option.name for option in game.options)
        for option in game.options:
            yield ", ".join(value.name for value in option.values)
            pairs = product(
                (option.name,), (": ", " ", "="), (value.name for value in option.values)
            )
            yield from map("".join, pairs)


HOUSE_RULES = sorted(map(re.escape, _list_house_rules()), key=len, reverse=True)
UNTRANSLATED_TEXT = re.compile(
    "|".join(
        (
            VERBATIM.pattern,
            rf"\b(?:{'|'.join(NAMES)})\b",
            # The computer's second and third seats.
            r"\bI{2,3}\b",
            # What libraries know a source by.
            r"\bDLP\.\w+\.\d+",
            # Points and tables, with how many men are there.
            r"\b(?:[a-z]|af|gm|ns|tz)\d*\b",
            # Plays on buttons, which are typed so: bar-c, w-off.
            r"\b(?:hand|bar(?:-[a-z]{2})?)(?=-[a-z]\b)|(?<=[a-z]-)off\b",
            # The divisions of a league have letters.
            r"(?<=Divisionnnn )[A-H]\b",
            # Commands as they are typed, and what else was typed.
            r"(?<= )/[a-z]+\b",
            rf"\b(?:{'|'.join(TYPED_WORDS)})\b",
            r"\b[a-z]+(?= cannottt bee xq)",
        )
    )
)
"""What is the same in every language: names of people, and what is typed."""


def find_untranslated(sent: SentText, made_up: frozenset[str]) -> list[str]:
    """List a text's words outside the made-up language, and `cut` for each unclosed bracket."""
    text = sent.text.replace(NON_BREAKING_HYPHEN, "-")
    if MAN_BUTTON.fullmatch(text):
        return []
    if sent.may_be_cut and text.endswith("…"):
        text = re.sub(r" *\w*…$", "»" * (text.count("«") - text.count("»")), text)
    rest = UNTRANSLATED_TEXT.sub(" ", text.replace("```", ""))
    # A sentence may begin with what another text says.
    told = ((word, word[0].lower() + word[1:]) for word in WORD.findall(rest))
    wrong = [word for word, small in told if made_up.isdisjoint((word, small))]
    outside = rest
    while outside != (inner := re.sub(r"«[^«»]*»", " ", outside)):
        outside = inner
    wrong += [f"outside: {word}" for word in WORD.findall(outside) if word in made_up]
    if "«" in outside or "»" in outside or text.endswith("…"):
        wrong.append("cut")
    return wrong
