"""One press: how many rooms of the bot it enters."""

import pytest

from tests.bench.press_path import BOT, trace_press

MAX_MODULES = 45
"""The rooms of the bot that one press may enter; one more must take the place of another."""


@pytest.mark.asyncio
async def test_a_press_enters_few_modules() -> None:
    path = await trace_press()
    names = sorted(module.removeprefix(BOT) for module in path.modules)
    assert "features/matches/service.py" in names
    assert len(names) <= MAX_MODULES, names
