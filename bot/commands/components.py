"""What buttons and menus do. They are found by their ids alone, so they work after any restart."""

import re
from typing import Any, Self

import discord

from bot.app import challenge, play
from bot.app.errors import Declined
from bot.app.play import Report
from bot.commands.flow import Asked, announce, cause_of, person_of, private, show
from bot.commands.pages import standings_page
from bot.commands.play import do
from bot.views import controls
from bot.views.challenge import answered_post, challenge_post
from bot.views.errors import refuse, require_permissions
from bot.views.post import change, send
from bot.views.rules import rules_page, rules_post
from engine.games import GAMES, find_game
from engine.match import BREAK, SIDE, SIX
from engine.position import Side

CHOICES = {SIX, SIDE.name, BREAK, *(option.name for game in GAMES.values() for option in game.options)}
"""What a button can settle."""


class Pressed(discord.ui.DynamicItem[discord.ui.Item[Any]], template="-"):
    """A button or menu known by its id; `found` are the parts of that id."""

    def __init__(self, item: discord.ui.Item[Any], found: re.Match[str]) -> None:
        super().__init__(item)
        self.found = found

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Make the handler from the id."""
        return cls(item, match)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Act on the press; whatever goes wrong is told to the one who pressed."""
        try:
            await self.pressed(interaction)
        except Exception as error:  # noqa: BLE001 - nothing that is pressed may stay without an answer
            await refuse(interaction, error)

    async def pressed(self, interaction: Asked) -> None:
        """Do what this button or menu is for."""
        raise NotImplementedError

    @property
    def picked(self) -> str:
        """The entry picked from a menu."""
        values: list[str] = getattr(self.item, "values", [])
        return values[0]


class ActionButton(Pressed, template=controls.ACTION_ID):
    """A button of a match: roll, choose, take back, leave, rematch."""

    async def pressed(self, interaction: Asked) -> None:
        """Carry out the action for the state of the match in which the button was shown."""
        require_permissions(interaction)
        match, act = int(self.found["match"]), self.found["act"]
        if act == "rematch":
            await _rematch(interaction, match)
            return
        await show(interaction, await self._acted(interaction, match, act))

    async def _acted(self, interaction: Asked, match: int, act: str) -> Report:
        house, person, cause = interaction.client.house, person_of(interaction), cause_of(interaction)
        version, value = int(self.found["version"]), self.found["value"]
        match act:
            case "roll":
                return await play.roll(house, match, person, cause, version)
            case "back":
                return await play.take_back(house, match, person, cause, version)
            case "leave":
                return await play.leave(house, match, person, cause, version)
        if value and act in CHOICES:
            return await play.choose(house, match, person, act, value, cause, version)
        raise Declined("That button is not known any more.")


class PlaysMenu(Pressed, template=controls.PLAYS_ID):
    """A menu of plays, or of next moves."""

    async def pressed(self, interaction: Asked) -> None:
        """Play what was picked."""
        require_permissions(interaction)
        house, person, cause = interaction.client.house, person_of(interaction), cause_of(interaction)
        match, version = int(self.found["match"]), int(self.found["version"])
        await show(interaction, await play.move(house, match, person, self.picked, cause, version))


class InviteButton(Pressed, template=controls.INVITE_ID):
    """A button under a challenge."""

    async def pressed(self, interaction: Asked) -> None:
        """Accept, join, decline, or show the rules."""
        house, invitation, act = interaction.client.house, int(self.found["invitation"]), self.found["act"]
        if act == "rules":
            row = await house.store.challenges.get(invitation)
            await private(interaction, rules_post(find_game(row.game if row else next(iter(GAMES)))))
            return
        require_permissions(interaction)
        if act == "decline":
            await _decline(interaction, invitation)
            return
        await _accept(interaction, invitation, Side(act) if act in list(Side) else None)


async def _accept(interaction: Asked, number: int, side: Side | None) -> None:
    house, person, cause = interaction.client.house, person_of(interaction), cause_of(interaction)
    joined = await challenge.accept(house, number, person, side, cause)
    names = await house.store.people.names([seat.person for seat in joined.challenge.seats])
    if joined.match is None:
        await change(interaction, challenge_post(joined.challenge, names))
        return
    report = await play.battle(house, joined.match, cause, person.id)
    await change(interaction, answered_post(joined.challenge, names, f"Accepted: match {joined.match}."))
    await announce(interaction, report)


async def _decline(interaction: Asked, number: int) -> None:
    house, person = interaction.client.house, person_of(interaction)
    invitation = await challenge.decline(house, number, person)
    names = await house.store.people.names([seat.person for seat in invitation.seats])
    answer = "Withdrawn." if person.id == invitation.challenger else f"Declined by <@{person.id}>."
    await change(interaction, answered_post(invitation, names, answer))


async def _rematch(interaction: Asked, match: int) -> None:
    house = interaction.client.house
    invitation = await challenge.rematch(house, match, person_of(interaction), cause_of(interaction))
    names = await house.store.people.names([seat.person for seat in invitation.seats])
    message = await send(interaction, challenge_post(invitation, names))
    await house.store.challenges.set_message(invitation.id, message)


class WhichMenu(Pressed, template=controls.WHICH_ID):
    """The menu that asks which match a command was meant for."""

    async def pressed(self, interaction: Asked) -> None:
        """Carry out the command for the match that was picked."""
        await do(interaction, self.found["command"], int(self.picked), self.found["text"])


class RanksButton(Pressed, template=controls.RANKS_ID):
    """A button that turns the leaderboard's pages."""

    async def pressed(self, interaction: Asked) -> None:
        """Show another page in place of this one."""
        found = self.found
        await change(interaction, await standings_page(interaction, found["scope"], found["pool"], int(found["page"])))


class RulesMenu(Pressed, template=controls.RULES_ID):
    """The menu that leads to another game's rules."""

    async def pressed(self, interaction: Asked) -> None:
        """Show that game's rules in place of these."""
        await change(interaction, rules_page(self.picked))


HANDLERS = (ActionButton, PlaysMenu, InviteButton, WhichMenu, RanksButton, RulesMenu)
