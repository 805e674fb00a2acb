"""Panels of settings: each setting is one value, which says how it is shown, read and confirmed.

A feature lists its settings, and has their rows on a panel, what their controls change, and the
sentence that confirms a change. A setting's name is the field of what is stored, and a part of its
control's id: `VERB:NAME`, for a switch with what it turns it to.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeAlias, TypeVar

import discord

from bot.platform.context import FOLLOW_DISCORD
from bot.platform.i18n.reader import Reader, UnknownControlError, list_languages
from bot.platform.time_zones import MAX_ZONE_LENGTH, parse_zone
from bot.platform.ui import controls
from bot.platform.ui.app_client import AppClient, Interaction
from bot.platform.ui.card import Item, PanelRow
from bot.platform.ui.controls import build_choice_menu, get_selection

Chosen = TypeVar("Chosen")
"""A frozen dataclass of what somebody has chosen."""
ChosenText: TypeAlias = str | Callable[[Reader, Chosen], str]
"""A text about what is chosen; a marked one where it is the same whatever that is."""
Form: TypeAlias = Callable[[Interaction, str], discord.ui.Modal | None]
"""The form that a control of that id opens; None where what is chosen is in its menu."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting(Generic[Chosen]):
    """One thing to choose.

    `label` stands on the panel beside the control, and `saved` is said once it was chosen. `read`
    returns the fields that a use of the control changes, given the last part of its id; it raises
    DeclinedError for what can't be chosen.
    """

    name: str
    label: ChosenText[Chosen]
    saved: ChosenText[Chosen]
    build_control: Callable[[Reader, str, Chosen], Item]
    read: Callable[[Interaction, str], Mapping[str, Any]]
    form: Form = lambda *_: None


def _format(reader: Reader, text: ChosenText[Chosen], chosen: Chosen) -> str:
    return reader(text) if isinstance(text, str) else text(reader, chosen)


class Panel(Generic[Chosen]):
    """Settings by name, whose controls have ids that begin with one verb.

    `reset` makes all of them as they were at first, and has a button of its own.
    """

    def __init__(self, verb: str, *settings: Setting[Chosen], reset: Setting[Chosen]) -> None:
        self._verb = verb
        self._rows = settings
        self._reset = reset
        self._settings = {each.name: each for each in (*settings, reset)}

    def __contains__(self, name: str) -> bool:
        return name in self._settings

    def build_rows(self, say: Reader, chosen: Chosen, *names: str) -> tuple[PanelRow, ...]:
        """Return what is chosen, of all settings or of those, with the controls that change it."""
        return tuple(
            PanelRow(_format(say, each.label, chosen), self._build_control(each, say, chosen))
            for each in self._rows
            if each.name in names or not names
        )

    def build_reset_button(self, say: Reader, chosen: Chosen) -> Item:
        """Return the button that makes everything on the panel as it was at first."""
        return self._build_control(self._reset, say, chosen)

    def _build_control(self, setting: Setting[Chosen], say: Reader, chosen: Chosen) -> Item:
        return setting.build_control(say, f"{self._verb}:{setting.name}", chosen)

    def build_form(self, interaction: Interaction, name: str) -> discord.ui.Modal | None:
        """Return the form that the control of a setting opens, if it opens any."""
        if name not in self:
            return None
        return self._settings[name].form(interaction, f"{self._verb}:{name}")

    def read_change(
        self, interaction: Interaction, name: str, value: str
    ) -> Callable[[Chosen], Chosen]:
        """Return what is changed by the control of a setting, `value` being the end of its id.

        Raises DeclinedError for a setting that there is not, and for what can't be chosen.
        """
        if name not in self:
            raise UnknownControlError
        fields = self._settings[name].read(interaction, value)
        return lambda before: replace(before, **fields)  # type: ignore[type-var]

    def format_saved(self, say: Reader, name: str, chosen: Chosen) -> str:
        """Say what has just been chosen; nothing for no name."""
        return format_saved(say, _format(say, self._settings[name].saved, chosen)) if name else ""


def format_saved(say: Reader, what: str) -> str:
    """Say what has just been chosen, in a sentence of its own."""
    return say("Saved. {what}", what=what)


def build_switch_setting(
    name: str,
    *,
    on: str,
    off: str,
    saved: ChosenText[Chosen] | tuple[str, str],
    field: str = "",
) -> Setting[Chosen]:
    """Return a setting that is on or off, with its label where it is, and where it is not.

    `saved` is one text, or that of something turned on and of something turned off. The `field` is
    named where it is not called like the setting.
    """

    def is_on(chosen: Chosen) -> bool:
        return bool(getattr(chosen, field or name))

    def choose_text(texts: tuple[str, str]) -> ChosenText[Chosen]:
        return lambda reader, chosen: reader(texts[0 if is_on(chosen) else 1])

    return Setting(
        name=name,
        label=choose_text((on, off)),
        saved=choose_text(saved) if isinstance(saved, tuple) else saved,
        build_control=lambda say, custom_id, chosen: controls.build_switch(
            say, custom_id, is_on=is_on(chosen)
        ),
        read=lambda _, value: {field or name: controls.parse_switch(value)},
    )


def build_menu_setting(
    name: str,
    *,
    label: str,
    saved: ChosenText[Chosen],
    entries: Callable[[Reader], Iterable[tuple[str, str, str]]],
    get: Callable[[Chosen], str],
    read: Callable[[str], Mapping[str, Any]],
) -> Setting[Chosen]:
    """Return a setting that is one of the `entries` of a menu: values, labels and notes."""
    return Setting(
        name=name,
        label=label,
        saved=saved,
        build_control=lambda say, custom_id, chosen: controls.build_choice_menu(
            custom_id, entries(say), get(chosen)
        ),
        read=lambda interaction, _: read(controls.get_selection(interaction)),
    )


def build_text_setting(
    name: str,
    *,
    label: ChosenText[Chosen],
    saved: ChosenText[Chosen],
    form: Form,
    read: Callable[[str], Mapping[str, Any]],
) -> Setting[Chosen]:
    """Return a setting that is typed in a form, which a button opens."""
    return Setting(
        name=name,
        label=label,
        saved=saved,
        # Translators: button: opens a form in which a setting is typed (verb).
        build_control=lambda say, custom_id, _: controls.build_button(say("Change"), custom_id),
        read=lambda interaction, _: read(controls.get_typed_text(interaction)),
        form=form,
    )


def build_zone_setting(*, label: ChosenText[Chosen], saved: ChosenText[Chosen]) -> Setting[Chosen]:
    """Return the setting of a time zone; there are too many for a menu."""
    return build_text_setting(
        "zone",
        label=label,
        saved=saved,
        form=_build_zone_form,
        read=lambda text: {"zone": parse_zone(text)},
    )


def _build_zone_form(interaction: Interaction, custom_id: str) -> discord.ui.Modal:
    say = interaction.client.get_asker_reader(interaction)
    return controls.build_text_form(
        custom_id,
        title=say("Time zone"),
        label=say("A city or an offset"),
        hint=say("Europe/Berlin, New York or +2"),
        longest=MAX_ZONE_LENGTH,
    )


def build_reset_setting(name: str, defaults: Mapping[str, Any], saved: str) -> Setting[Any]:
    """Return what gives all settings their defaults again, by field."""
    return Setting(
        name=name,
        label="",
        saved=saved,
        build_control=lambda say, custom_id, _: controls.build_button(
            say("Reset to defaults"), custom_id
        ),
        read=lambda *_: defaults,
    )


def build_language_menu(client: AppClient, say: Reader, custom_id: str, chosen: str | None) -> Item:
    """Return the menu of languages, with the one that is chosen; None is as Discord says."""
    entries = {FOLLOW_DISCORD: say("As Discord says"), **list_languages(client.locales)}
    return build_choice_menu(
        custom_id, [(code, name, "") for code, name in entries.items()], chosen or FOLLOW_DISCORD
    )


def read_language(interaction: Interaction) -> str | None:
    """Return the language that was picked; None to read as Discord says.

    Raises DeclinedError for one that there is not.
    """
    code = get_selection(interaction)
    if code == FOLLOW_DISCORD:
        return None
    if code not in list_languages(interaction.client.locales):
        raise UnknownControlError
    return code


def format_language(client: AppClient, language: str) -> str:
    """Write a chosen language by its own name; by its code where it is supported no longer."""
    return list_languages(client.locales).get(language, language)
