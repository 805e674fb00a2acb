"""The kinds of columns, alike on SQLite (in STRICT tables) and on PostgreSQL."""

from typing import Any

from sqlalchemy import JSON, BigInteger, Dialect, Double, Integer, Text
from sqlalchemy.dialects import sqlite
from sqlalchemy.types import TypeDecorator, TypeEngine

from engine.strict_json import parse_json, write_json

# STRICT tables know no BIGINT, and SQLite's INTEGER has 64 bits anyway.
BIG = BigInteger().with_variant(sqlite.INTEGER(), "sqlite")
"""Whole numbers of 64 bits: Discord's ids, and instants."""

REAL: TypeEngine[float] = Double().with_variant(sqlite.REAL(), "sqlite")


class Flag(TypeDecorator[bool]):
    """Yes or no, kept as 1 or 0."""

    impl = Integer
    cache_ok = True

    def process_bind_param(self, value: bool | None, dialect: Dialect) -> int | None:
        """Return the number to keep."""
        return None if value is None else int(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> bool | None:
        """Return the flag that the number represents."""
        return None if value is None else bool(value)


class _JsonText(TypeDecorator[Any]):
    """JSON as text, since SQLite's STRICT tables know no type of that name."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str:  # noqa: ANN401
        """Return the text to keep."""
        return write_json(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:  # noqa: ANN401
        """Return what the text says."""
        return None if value is None else parse_json(value)


DOCUMENT = JSON().with_variant(_JsonText(), "sqlite")
