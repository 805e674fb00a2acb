"""Nets and tables made for a test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.games import GAMES
from engine.players import files, nets
from engine.players.exact import forget_tables
from engine.players.files import use_folder
from engine.players.net import Net, save_net

KeepNet = Callable[[str, Net], None]
"""A fixture: keeps a net under the name of its file, without `.npz`."""


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Path]:
    """Where the user's own tables lie, which are read anew for this test."""
    before = files.get_folder()
    forget_tables()
    use_folder(tmp_path)
    yield tmp_path
    use_folder(before)
    forget_tables()


@pytest.fixture
def keep_net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KeepNet]:
    """Keeps nets for games by the names of their files; for this test there are no others."""
    monkeypatch.setattr(nets, "WEIGHTS", tmp_path)
    _clear_net_caches()

    def keep(name: str, net: Net) -> None:
        assert name.partition(".")[0] in GAMES
        save_net(net, tmp_path / f"{name}.npz")
        _clear_net_caches()

    yield keep
    _clear_net_caches()


def _clear_net_caches() -> None:
    nets.get_net.cache_clear()
    nets.load_net_cached.cache_clear()
