"""What is written into pictures."""

from typing import Any

import pytest

from render import ground
from render.canvas import Canvas


def note_drawn_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of what is written into pictures from now on.

    What was painted before is painted again.
    """
    drawn: list[str] = []
    write = Canvas.text

    def note_text(canvas: Canvas, at: Any, text: str, *rest: Any) -> None:
        drawn.append(text)
        write(canvas, at, text, *rest)

    ground.GROUNDS.clear()
    monkeypatch.setattr(Canvas, "text", note_text)
    return drawn
