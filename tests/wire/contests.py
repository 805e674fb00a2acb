"""Opening leagues and tournaments by their form, as organisers do."""

import asyncio
from collections.abc import Mapping, Sequence

from tests.wire.people import Argument, OptionalChannel, WirePerson
from tests.wire.replies import Reply
from tests.wire.sessions import PATIENCE_S


async def create_contest(
    person: WirePerson,
    kind: str,
    given: Mapping[str, Argument],
    terms: Mapping[str, Sequence[str]] | None = None,
    channel: OptionalChannel = None,
    timeout: float = PATIENCE_S,
) -> Reply:
    """Open a `league` or `tournament`: what is `given` with the command, what is picked after it.

    Each of the terms is a menu of the form, with all that is picked in it, which must be other
    than before.
    """
    form = await person.slash(f"{kind} create", given, channel, timeout)
    for field, values in (terms or {}).items():
        if _find_id(form, field) is None:
            await person.press(form, form.find_custom_id("More…"), timeout)
            form = await _wait_for_change(person, form, channel, timeout)
        custom_id = _find_id(form, field)
        assert custom_id is not None, f"the form has no {field}"
        await person.choose(form, custom_id, values, timeout)
        form = await _wait_for_change(person, form, channel, timeout)
    await person.press(form, form.find_custom_id("Create"), timeout)
    return await _wait_for_change(person, form, channel, timeout)


def _find_id(form: Reply, field: str) -> str | None:
    ids = form.find_controls()
    return next((each for each in ids if each.startswith(f"leagueform:{field}:")), None)


async def _wait_for_change(
    person: WirePerson, form: Reply, channel: OptionalChannel, timeout: float
) -> Reply:
    """Return the form as it is once it was edited, which can be after the press was answered."""
    async with asyncio.timeout(timeout):
        while True:
            for each in person.list_messages(channel):
                if each.message_id == form.message_id and each.components != form.components:
                    return each
            await asyncio.sleep(0.02)
