"""Nets made for a test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.games import GAMES
from engine.players import nets
from engine.players.net import Net, save

KeepNet = Callable[[str, Net], None]
"""A fixture: keeps a net under the name of its file, without `.npz`."""


@pytest.fixture
def keep_net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KeepNet]:
    """Keeps nets for games by the names of their files; for this test there are no others."""
    monkeypatch.setattr(nets, "WEIGHTS", tmp_path)
    _forget()

    def keep(name: str, net: Net) -> None:
        assert name.partition(".")[0] in GAMES
        save(net, tmp_path / f"{name}.npz")
        _forget()

    yield keep
    _forget()


def _forget() -> None:
    nets.net_for.cache_clear()
    nets.net_in.cache_clear()
