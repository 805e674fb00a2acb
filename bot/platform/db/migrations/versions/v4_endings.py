"""How a match ended, as a slug and what its words name; it was kept as an English sentence."""

import re
from collections.abc import Mapping
from typing import Any

from alembic import op
from sqlalchemy import bindparam, column, select, table, update

from bot.platform.db.migrations.operations import add_json_column
from bot.platform.db.tables import BIG, DOCUMENT

revision = "4"
down_revision = "3"

OTHER = "other"
"""The slug of an ending whose sentence is none of these; the part `text` is the sentence itself."""

_SIDE = "(?P<side>gold|black)"
_ENDING_PATTERNS: Mapping[str, str] = {
    "every man borne off": "off",
    "every man in the last table": "goal",
    "(?P<most>[0-9]) points to (?P<least>[0-9])": "full",
    "three points each": "even",
    f"{_SIDE} resigned": "resigned",
    f"ad fallum, {_SIDE} could not play the whole throw": "ad-fallum",
    "no throw could ever move either side": "stuck",
    "barata: four men hit from behind six points in a row": "barata",
    "barata: six points in a row": "barata-at-once",
    "a tie: neither side can enter its men": "tie",
    f"jan: {_SIDE} has more men to enter than its table has room for": "jan",
    "all fifteen on the last point": "fifteen",
    "seven, five and three": "seven-five-three",
    "three fives": "three-fives",
    "five threes": "five-threes",
    f"{_SIDE} is lympolded": "lympolded",
    f"{_SIDE} is lympolded for ever": "lympolded-for-ever",
    f"{_SIDE} is lurched": "lurched",
}
_VALUE_PATTERNS: Mapping[str, str] = {
    "(?P<ending>.+): a gammon": "gammon",
    "(?P<ending>.+): a backgammon": "backgammon",
    "(?P<ending>.+), and the losers' palms are owed (?P<n>[0-9]+) slaps?": "slaps",
}


def upgrade() -> None:
    """Keep the slug where the sentence was, and beside it what the sentence named."""
    # Alembic would copy the table on SQLite to rename a column; both databases know this sentence.
    op.execute('ALTER TABLE matches RENAME COLUMN "by" TO how')
    add_json_column("matches", "parts", default="{}")
    _convert_endings()


def _convert_endings() -> None:
    matches = table("matches", column("id", BIG), column("how"), column("parts", DOCUMENT))
    connection = op.get_bind()
    ended = connection.execute(
        select(matches.c.id, matches.c.how).where(matches.c.how.is_not(None))
    ).all()
    found = [(number, parse_ending(sentence)) for number, sentence in ended]
    change = (
        update(matches)
        .where(matches.c.id == bindparam("match"))
        .values(how=bindparam("slug"), parts=bindparam("named"))
    )
    values = [{"match": number, "slug": how, "named": parts} for number, (how, parts) in found]
    if values:
        connection.execute(change, values)


def parse_ending(sentence: str) -> tuple[str, dict[str, Any]]:
    """Return the slug of an ending, and its parts, from the sentence of earlier versions."""
    for pattern, worth in _VALUE_PATTERNS.items():
        if told := re.fullmatch(pattern, sentence):
            named = told.groupdict()
            how, parts = parse_ending(named.pop("ending"))
            return how, parts | _convert_parts(named) | {"worth": worth}
    for pattern, how in _ENDING_PATTERNS.items():
        if told := re.fullmatch(pattern, sentence):
            return how, _convert_parts(told.groupdict())
    return OTHER, {"text": sentence}


def _convert_parts(named: Mapping[str, str]) -> dict[str, Any]:
    return {name: int(text) if text.isdigit() else text for name, text in named.items()}
