"""What people do with leagues, tournaments and ladders, whatever message shows them."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import discord
import simcord

from tests.support.club import SimulatedClub
from tests.support.driver import forge_press, get_response, walk_parts
from tests.support.forging import Actor, make_presses, send


async def press_standings(
    person: simcord.MemberActor, channel: Any, kind: str, act: str, **named: str
) -> simcord.InteractionResult:
    """Press a button under the standings of a `league`, `tournament` or `ladder`.

    `act` is how the verb of its id ends, such as `join`. What has no such button, a refusal too, is
    the answer itself.
    """
    shown = await person.slash(channel, f"{kind} standings", **named)
    message = get_response(shown).message
    verb = ("ladder" if kind == "ladder" else "league") + act
    buttons = [part for part in walk_parts(message) if isinstance(part, discord.ui.Button)]
    found = [each.custom_id for each in buttons if (each.custom_id or "").startswith(verb)]
    return await person.click(message, custom_id=found[0]) if found else shown


MAX_AT_ONCE = 16
"""People who press a button without waiting for one another."""


async def join_together(
    club: SimulatedClub, card: discord.Message, people: Sequence[simcord.MemberActor]
) -> None:
    """Let people sign up by a card, several of them at the same time.

    One at a time they took longer than most of what is asked of the contest then.
    """
    (join,) = (each for each in walk_parts(card) if getattr(each, "label", None) == "Join")
    assert not join.disabled
    press = next(make_presses(join.custom_id, card.id, ()))
    for at in range(0, len(people), MAX_AT_ONCE):
        actors = [
            Actor(person.name, person.id, club.guild.id, card.channel.id)
            for person in people[at : at + MAX_AT_ONCE]
        ]
        sent = [send(club, actor, press) for actor in actors]
        await club.env.settle()
        for each in sent:
            assert get_response(each).ephemeral


async def press_old_button(
    club: SimulatedClub, person: simcord.MemberActor, custom_id: str
) -> simcord.InteractionResult:
    """Press a button that no message shows any more, as on one that Discord still has on screen."""
    shown = get_response(await person.slash(club.channel, "help")).message
    return await forge_press(club, person, shown, custom_id)


async def press_ruling(
    organiser: Any, panel: discord.Message, number: int, action: str, reason: str, whom: int = 0
) -> simcord.InteractionResult:
    """Let an organiser rule a contest on its panel, with the reason if one is asked for."""
    result: simcord.InteractionResult
    if whom:
        menu = f"leagueremove:{number}:{action}:0"
        result = await organiser.select(panel, custom_id=menu, values=[str(whom)])
    else:
        result = await organiser.click(panel, custom_id=f"leaguerule:{number}:{action}")
    if action not in ("remove", "replace", "cancel"):
        return result
    # Why something ends for all is read by all.
    assert find_hint(result) == (PUBLIC_REASON if action == "cancel" else INTERNAL_REASON)
    result = await organiser.submit_modal(result, {"text": reason})
    return result


INTERNAL_REASON = "It's shown to the organisers and kept"
PUBLIC_REASON = "It's shown to everyone and kept"


def find_hint(opened: simcord.InteractionResult) -> str:
    """Return what stands in the empty field of a form."""
    return next(re.finditer(r'"placeholder": "([^"]*)"', json.dumps(opened.modal)))[1]


FORMS = ("leagueform", "ladderform")
"""The verbs of the forms in which a league or tournament, and a ladder, are prepared."""
FIELDS = {"signup": "sign_up"}
"""The parts of ids for what is called otherwise here."""
SWITCHES = ("rated", "late", "third", "seasons", "event", "roles")


async def create_contest(
    person: simcord.MemberActor, channel: Any, kind: str, **terms: Any
) -> simcord.InteractionResult:
    """Open a `league`, `tournament` or `ladder` by its form; returns what came of it.

    The terms are named as the parts of the form, with `best` of how many in a knock-out, `games`
    besides the `game`, and house rules as `options`. A refusal is returned as it comes.
    """
    given = {each: terms.pop(each) for each in ("name", "game", "format") if each in terms}
    result = await person.slash(channel, f"{kind} create", **given)
    more, rules = terms.pop("games", ""), terms.pop("options", "")
    if more or rules:
        games = ", ".join(filter(None, (given["game"], more)))
        terms = {"names": {"name": given["name"], "games": f"{games}\n{rules}"}, **terms}
    if "best" in terms:
        best = terms.pop("best")
        terms["format"] = f"knock-out {best}" if best > 1 else "knock-out"
    switched = {each: terms.pop(each) for each in SWITCHES if each in terms}
    if switched:
        terms["switches"] = switched
    for name, value in terms.items():
        result = await choose_term(person, result, FIELDS.get(name, name), value)
    return await choose_term(person, result, "create", None)


async def choose_term(
    person: simcord.MemberActor, result: simcord.InteractionResult, field: str, value: Any
) -> simcord.InteractionResult:
    """Choose something on either page of the form; an answer without the form is left as it is."""
    if find_term(result, "create") is None:
        return result
    if find_term(result, field) is None:
        turned = "back" if find_term(result, "more") is None else "more"
        result = await choose_term(person, result, turned, None)
    control = find_term(result, field)
    assert control is not None, f"the form has no {field}"
    message, custom_id = get_response(result).message, control.custom_id
    if isinstance(control, discord.ui.Button):
        pressed = await person.click(message, custom_id=custom_id)
        return pressed if value is None else await person.submit_modal(pressed, value)
    if isinstance(control, discord.ui.RoleSelect):
        return await person.select(message, custom_id=custom_id, values=[value])
    if isinstance(value, dict):
        chosen = {each.value for each in control.options if each.default}
        on = {each for each, is_on in value.items() if is_on}
        values = sorted((chosen - value.keys()) | on)
        return await person.select(message, custom_id=custom_id, values=values)
    if str(value) in [each.value for each in control.options]:
        return await person.select(message, custom_id=custom_id, values=[str(value)])
    opened = await person.select(message, custom_id=custom_id, values=["other"])
    return await person.submit_modal(opened, {"text": str(value)})


def find_term(result: simcord.InteractionResult, field: str) -> Any:
    """Return the control of the form for something, or None where an answer doesn't show it."""
    starts = tuple(f"{form}:{field}:" for form in FORMS)
    return next(
        (each for each in _list_controls(result) if each.custom_id.startswith(starts)),
        None,
    )


def _list_controls(result: simcord.InteractionResult) -> Iterator[Any]:
    for part in walk_parts(get_response(result).message):
        if getattr(part, "custom_id", None):
            yield part
