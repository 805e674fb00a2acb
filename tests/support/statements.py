"""SQL that is written once for all databases of a process."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

import pytest
from sqlalchemy import URL

from bot.platform.db import engines
from bot.platform.db.engines import FileEngine


class StatementCache(MutableMapping[Any, Any]):
    """Statements by what they ask, whichever of several like databases is asked.

    SQLAlchemy's key begins with the dialect, which each engine has of its own.
    """

    def __init__(self) -> None:
        self._compiled: dict[Any, Any] = {}

    def __getitem__(self, key: tuple[Any, ...]) -> Any:
        return self._compiled[key[1:]]

    def __setitem__(self, key: tuple[Any, ...], compiled: Any) -> None:
        self._compiled[key[1:]] = compiled

    def __delitem__(self, key: tuple[Any, ...]) -> None:
        del self._compiled[key[1:]]

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError("the dialects of the keys are not kept")

    def __len__(self) -> int:
        return len(self._compiled)


_caches: defaultdict[str, StatementCache] = defaultdict(StatementCache)
"""One for each way in which engines are made: those of one way have like dialects."""


class RememberingEngine(FileEngine):
    """A connection to a file that takes statements from those of all files."""

    def __init__(
        self, url: URL, options: Mapping[str, Any], driver: Mapping[str, Any], **how: Any
    ) -> None:
        cache = _caches[repr(sorted(how.items()))]
        super().__init__(url, {**options, "compiled_cache": cache}, driver, **how)


@pytest.fixture(scope="session", autouse=True)
def remember_statements() -> Iterator[None]:
    """Let a statement be compiled once for all files, which takes longer than to run it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "FileEngine", RememberingEngine)
        yield
