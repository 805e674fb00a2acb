"""The panels on which a server's managers choose its settings."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.features.preferences.cards import make_sample_picture
from bot.features.preferences.controls import (
    make_change_button,
    make_near_side_menu,
    make_reset_button,
    make_theme_menu,
)
from bot.features.preferences.texts import format_numbers_choice
from bot.features.rulebook.page_texts import format_server_preview
from bot.features.servers import texts as words
from bot.features.servers.cards import format_check
from bot.features.servers.names import ServerChoice, ServerPanel
from bot.features.servers.panel_controls import (
    make_channels_menu,
    make_choice_id,
    make_news_menu,
    make_pace_menu,
    make_panel_button,
    make_role_menu,
)
from bot.features.servers.service import MissingPermissions
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Item, PanelRow
from bot.platform.ui.choices import make_switch
from bot.store import BoardStyle, ServerSettings
from render.scene import View


def match_panel_card(
    say: Reader,
    server: ServerSettings,
    lacks: Sequence[MissingPermissions],
    changed: ServerChoice | None = None,
) -> Card:
    """Return the panel of a server's matches, and what the bot lacks there."""
    check = format_check(say, lacks) if lacks else ()
    return Card(
        texts=(
            words.format_panel_heading(say),
            words.format_server_change(say, changed, server) if changed else "",
            *check,
        ),
        panel=tuple(_build_match_rows(say, server)),
        controls=(
            make_panel_button(say, ServerPanel.BOARDS),
            make_reset_button(say, make_choice_id(ServerChoice.RESET_MATCHES)),
        ),
        small="" if lacks else words.format_none_missing(say),
    )


def _build_match_rows(say: Reader, server: ServerSettings) -> Iterator[PanelRow]:
    yield PanelRow(words.format_pace_choice(say), make_pace_menu(say, server))
    yield _build_switch(
        say, ServerChoice.RATED, words.format_rated_choice(say, server), server.rated
    )
    yield PanelRow(words.format_channels_choice(say), make_channels_menu(say, server))
    yield PanelRow(words.format_role_choice(say), make_role_menu(say, server))
    threads = words.format_threads_choice(say, server)
    yield _build_switch(say, ServerChoice.THREADS, threads, server.threads)
    single = words.format_single_choice(say, server)
    yield _build_switch(say, ServerChoice.SINGLE, single, server.single)
    quiet = make_change_button(say, make_choice_id(ServerChoice.QUIET))
    yield PanelRow(words.format_quiet_choice(say, server), quiet)
    zone = make_change_button(say, make_choice_id(ServerChoice.ZONE))
    yield PanelRow(words.format_zone_choice(say, server), zone)
    yield PanelRow(words.format_news_choice(say), make_news_menu(say, server))


def _build_switch(say: Reader, choice: ServerChoice, text: str, is_on: bool) -> PanelRow:
    return PanelRow(text, make_switch(say, make_choice_id(choice), is_on=is_on))


def board_panel_card(
    say: Reader, style: BoardStyle, view: View, changed: ServerChoice | None = None
) -> Card:
    """Return the panel of a server's public boards, with one drawn in their style."""
    controls: tuple[Item, ...] = (
        make_panel_button(say, ServerPanel.MATCHES),
        make_reset_button(say, make_choice_id(ServerChoice.RESET_BOARDS)),
    )
    theme = make_theme_menu(say, make_choice_id(ServerChoice.THEME), style)
    near = make_near_side_menu(say, make_choice_id(ServerChoice.NEAR), style, own=False)
    numbers = make_switch(say, make_choice_id(ServerChoice.NUMBERS), is_on=style.numbered)
    return Card(
        texts=(
            words.format_panel_heading(say),
            words.format_board_change(say, changed, style) if changed else "",
            format_server_preview(say),
        ),
        # The one who reads the panel may have chosen another style for themselves.
        picture=replace(make_sample_picture(say), restyle=lambda _: view),
        panel=(
            # Translators: label of a menu: how boards look, in their colours and ornaments (noun).
            PanelRow(say("**Theme**"), theme),
            PanelRow(say("**Side at the bottom**"), near),
            PanelRow(format_numbers_choice(say, style), numbers),
        ),
        controls=controls,
    )
