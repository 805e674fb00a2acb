"""A word to somebody whose press is acknowledged, and whose change is not to be seen yet.

An acknowledged button looks as if nothing had happened. Where that lasts, because a crowd presses
at the same time, a private line says that the turn is on its way; it goes when the turn has come.
"""

import asyncio

from bot.platform.ui.answers import EphemeralMessage, InteractionAnswer, log_answer_failures
from bot.platform.ui.card import text_only_card

NOTICE_AFTER_S = 1.0
"""Seconds since its acknowledgement after which somebody is told that a press is on its way."""
LONGEST_NOTICE_S = 60.0
"""Seconds after which the line goes in any case: a failed post is tried again for much longer."""
_NOTICE_KEY = "delay notice"
"""The name under which an interaction keeps what was said of its delay."""
_WAITING_KEY = "delays"
"""The name under which it keeps how many things are waited for."""


async def show_delay_until(answer: InteractionAnswer, seen: asyncio.Event) -> None:
    """Wait until something is seen; where that takes long, say so for as long as it does.

    Of several that wait for one press, the last removes the line.
    """
    extras = answer.interaction.extras
    extras[_WAITING_KEY] = extras.get(_WAITING_KEY, 0) + 1
    if not await _wait_for(seen, NOTICE_AFTER_S):
        await _show_delay(answer)
        await _wait_for(seen, LONGEST_NOTICE_S)
    extras[_WAITING_KEY] -= 1
    if not extras[_WAITING_KEY]:
        await _clear_delay(answer)


async def _wait_for(seen: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await seen.wait()
    except TimeoutError:
        return False
    return True


async def _show_delay(answer: InteractionAnswer) -> None:
    extras = answer.interaction.extras
    # Of a command Discord itself says that it is being thought about.
    if not answer.is_component or _NOTICE_KEY in extras:
        return
    extras[_NOTICE_KEY] = None
    alone = InteractionAnswer(answer.interaction)
    say = alone.reader
    told = say("Your turn is on its way; there's a lot to do just now.")
    with log_answer_failures(answer.interaction):
        extras[_NOTICE_KEY] = await alone.send_editable(text_only_card(told))


async def _clear_delay(answer: InteractionAnswer) -> None:
    notice: EphemeralMessage | None = answer.interaction.extras.pop(_NOTICE_KEY, None)
    if notice is not None:
        with log_answer_failures(answer.interaction):
            await notice.delete()
