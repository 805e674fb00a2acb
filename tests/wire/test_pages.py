"""The folder of public pages, as a process of its own writes it."""

import asyncio
from pathlib import Path

import pytest

from .test_endpoint import start_wire

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]


async def test_a_bot_with_a_folder_for_pages_writes_them(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    async with start_wire(tmp_path) as (_, wire), wire.start_bot(TABULA_PAGES="pages"):
        for _ in range(1000):
            if (folder / "index.html").exists():
                break
            await asyncio.sleep(0.05)
    assert "No server has public pages yet." in (folder / "index.html").read_text()
    assert sorted(file.name for file in folder.iterdir()) == [
        ".tabula-pages",
        "index.html",
        "index.json",
        "style.css",
    ]
