"""The panel of somebody's preferences, with a board to choose one's style by."""

from collections.abc import Iterator
from dataclasses import replace

from bot.features.matches.board_texts import translate_board_words
from bot.features.preferences import texts
from bot.features.preferences.controls import (
    PREFERENCE,
    make_change_button,
    make_near_side_menu,
    make_reminder_menu,
    make_reset_button,
    make_theme_menu,
)
from bot.features.preferences.names import PreferenceName
from bot.features.rulebook.page_texts import format_own_preview
from bot.platform.i18n import common
from bot.platform.i18n.endings import format_game_text
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, PanelRow, Picture
from bot.platform.ui.choices import make_switch
from bot.store import BoardStyle, PlayerPreferences
from engine.games import GAMES
from engine.games.picks import SHOWN_GAME
from engine.position import Side
from render.describe import describe_scene
from render.sample import sample_scene


def settings_card(
    say: Reader,
    style: BoardStyle,
    chosen: PlayerPreferences,
    person: int,
    changed: PreferenceName | None = None,
) -> Card:
    """Return the panel of what somebody has chosen, and say what they have just changed."""
    remark = texts.format_preference_change(say, changed, style, chosen) if changed else ""
    return Card(
        texts=(say("### Your settings"), remark, format_own_preview(say)),
        picture=make_sample_picture(say),
        seats={person: Side.BLACK},
        panel=(*_build_style_rows(say, style), *_build_preference_rows(say, chosen)),
        controls=(make_reset_button(say, f"{PREFERENCE}:{PreferenceName.RESET}"),),
    )


def _build_style_rows(say: Reader, style: BoardStyle) -> Iterator[PanelRow]:
    theme = make_theme_menu(say, f"{PREFERENCE}:{PreferenceName.THEME}", style)
    # Translators: label of a menu: how boards look, in their colours and ornaments (noun).
    yield PanelRow(say("**Theme**"), theme)
    near = make_near_side_menu(say, f"{PREFERENCE}:{PreferenceName.NEAR}", style, own=True)
    yield PanelRow(say("**Side at the bottom**"), near)
    numbers = make_switch(say, f"{PREFERENCE}:{PreferenceName.NUMBERS}", is_on=style.numbered)
    yield PanelRow(texts.format_numbers_choice(say, style), numbers)


def _build_preference_rows(say: Reader, chosen: PlayerPreferences) -> Iterator[PanelRow]:
    reminders = f"{PREFERENCE}:{PreferenceName.REMINDERS}"
    yield PanelRow(
        texts.format_reminder_choice(say), make_reminder_menu(say, reminders, chosen.reminder)
    )
    throws = make_switch(say, f"{PREFERENCE}:{PreferenceName.THROWS}", is_on=chosen.throws)
    yield PanelRow(texts.format_throws_choice(say, chosen), throws)
    confirms = make_switch(say, f"{PREFERENCE}:{PreferenceName.CONFIRMS}", is_on=chosen.confirms)
    yield PanelRow(texts.format_confirmation_choice(say, chosen), confirms)
    zone = make_change_button(say, f"{PREFERENCE}:{PreferenceName.ZONE}")
    yield PanelRow(texts.format_zone_choice(say, chosen), zone)
    shares = make_switch(say, f"{PREFERENCE}:{PreferenceName.SHARES}", is_on=chosen.shares)
    yield PanelRow(texts.format_shares_choice(say, chosen), shares)
    everywhere = f"{PREFERENCE}:{PreferenceName.EVERYWHERE}"
    switch = make_switch(say, everywhere, is_on=chosen.everywhere)
    yield PanelRow(texts.format_everywhere_choice(say, chosen), switch)


def make_sample_picture(say: Reader) -> Picture:
    """Return a board in the middle of a game, to show how boards are drawn."""
    shown = sample_scene()
    game = GAMES[SHOWN_GAME]
    gold, _ = shown.names
    shown = replace(
        shown,
        title=common.format_title(say, game),
        status=say("{who} to play", who=gold),
        note=format_game_text(
            say, game, "lympolded", side=common.format_side_title(say, Side.BLACK)
        ),
        words=translate_board_words(say),
    )
    return Picture(shown, describe_scene(shown))
