"""The real bot on a simulated Discord, as the tests of the bot have it, and stores of their own."""

from tests.bot.conftest import club, own_throws
from tests.store.conftest import new_file, new_on_server, path, rival, server, store, where
from tests.support.statements import remember_statements

__all__ = [
    "club",
    "new_file",
    "new_on_server",
    "own_throws",
    "path",
    "remember_statements",
    "rival",
    "server",
    "store",
    "where",
]
