"""What somebody can choose for themselves, and the panel of it, with a board in their style.

The settings of how boards are drawn serve servers, too.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from enum import StrEnum, auto
from typing import Any, TypeAlias

from bot.features.matches.cards import board_card
from bot.features.matches.controls import CardPart, card_controls
from bot.features.matches.scene import translate_board_words
from bot.features.matches.session import MatchSession
from bot.features.preferences.service import NATURAL, format_vacation_zone
from bot.platform.db.preferences import (
    OWN_DEFAULT_STYLE,
    OWN_SIDE,
    BoardStyle,
    PlayerPreferences,
    Reminder,
)
from bot.platform.features import ExtensionPoint
from bot.platform.i18n import common
from bot.platform.i18n.common import format_game_text
from bot.platform.i18n.reader import Reader, UnknownControlError, mark_text, theme_context
from bot.platform.time_zones import format_zone, format_zone_warning
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import Card, Item, PanelRow, Picture
from bot.platform.ui.controls import VerbScope, build_choice_menu, declare_verb, parse_choice
from bot.platform.ui.panels import (
    ChosenText,
    Panel,
    Setting,
    build_menu_setting,
    build_reset_setting,
    build_switch_setting,
    build_zone_setting,
)
from engine.games import GAMES
from engine.games.suggested import SHOWN_GAME
from engine.position import Side
from render.describe import describe_scene
from render.scene import sample_scene
from render.theme import load_themes

PREFERENCE = "preference"
"""Choose one of one's own preferences."""
MATCH_STYLE = declare_verb("boardstyle", VerbScope.NUMBER)
"""Choose how one's own boards look, and see a match so."""
_NUMBERED = {"letters": False, "numbers": True}
"""How points are named, by the value of a menu's entry."""
OWN_LANGUAGE = "language"
"""Choose the language of what only oneself sees."""
OWN_SECTION = "preferences"
"""Show a section of one's own settings."""


class OwnSection(StrEnum):
    """The sections of one's own settings."""

    BOARDS = auto()
    PLAY = auto()
    PRIVACY = auto()


SECTION_SETTINGS: Mapping[OwnSection, tuple[str, ...]] = {
    OwnSection.BOARDS: ("directions",),
    OwnSection.PLAY: ("reminders", "throws", "confirms", "zone"),
    OwnSection.PRIVACY: ("shares", "everywhere"),
}
"""Which of one's preferences stand in a section, besides what features add to it."""

LoadRows: TypeAlias = Callable[[InteractionAnswer], Awaitable[Sequence[PanelRow]]]
SECTION_ROWS: Mapping[OwnSection, ExtensionPoint[LoadRows]] = {
    each: ExtensionPoint() for each in OwnSection
}
"""What else somebody can choose, by the section in which it stands."""


def find_section(name: str) -> OwnSection:
    """Return the section in which a setting stands."""
    found = (section for section, names in SECTION_SETTINGS.items() if name in names)
    return next(found, OwnSection.BOARDS)


@card_controls(CardPart.MORE, 30)
def _style_menu(say: Reader, session: MatchSession) -> Iterator[Item]:
    labels = {
        "letters": say("Points with letters"),
        "numbers": say("Points with numbers"),
    }
    note = say("By their distance from the end, not by letters")
    yield build_choice_menu(
        f"{MATCH_STYLE}:{session.id}",
        (
            *_list_themes(say),
            *(
                (value, labels[value], note if numbered else "")
                for value, numbered in _NUMBERED.items()
            ),
        ),
        "",
        say("How your boards look"),
    )


def read_style_choice(value: str) -> Callable[[BoardStyle], BoardStyle]:
    """Return what an entry of a match's menu changes; raises DeclinedError for one not there."""
    if value in _NUMBERED:
        return lambda before: replace(before, numbered=_NUMBERED[value])
    fields = _read_theme(value)
    return lambda before: replace(before, **fields)


def own_style_card(say: Reader, session: MatchSession, person: int) -> Card:
    """Return a match's board as somebody now sees their boards, and say which others follow."""
    saved = say("Saved: your boards look like this. `/me settings` has more.")
    rest = say("Boards that everyone plays on look as `/server settings` says.")
    if session.sole_player == person:
        rest = say("This match, which only you play, is drawn like this in its channel too.")
    return replace(
        board_card(say, session, moves=True), small=common.join_sentences(say, saved, rest)
    )


def settings_card(
    say: Reader,
    section: OwnSection,
    rows: Sequence[PanelRow],
    chosen: PlayerPreferences,
    saved: str = "",
) -> Card:
    """Return a section of somebody's settings, and say what they have just changed."""
    return Card(
        texts=(say("### Your settings"), saved),
        panel=(*rows, *PREFERENCES.build_rows(say, chosen, *SECTION_SETTINGS[section])),
        controls=(_build_section_menu(say), PREFERENCES.build_reset_button(say, chosen)),
        small=(
            say("`/me block` blocks somebody's challenges.")
            if section is OwnSection.PRIVACY
            else ""
        ),
    )


def board_settings_card(
    say: Reader, style: BoardStyle, chosen: PlayerPreferences, person: int, saved: str = ""
) -> Card:
    """Return the section of somebody's boards, with one drawn in their style."""
    rows = OWN_STYLE.build_rows(say, style)
    card = settings_card(say, OwnSection.BOARDS, rows, chosen, saved)
    preview = say("**Preview**: the boards that only you see, such as with `/match board`")
    return replace(
        card,
        texts=(*card.texts, preview),
        picture=build_sample_picture(say),
        seats={person: Side.BLACK},
    )


def _build_section_menu(say: Reader) -> Item:
    entries = (
        # Translators: entry of a menu: the settings of how boards look (noun, plural).
        (OwnSection.BOARDS, say("Boards"), say("Theme, side at the bottom, numbers, directions")),
        # Translators: entry of a menu: the settings of how somebody plays (nouns).
        (OwnSection.PLAY, say("Turns and reminders"), say("Rolls, confirmation, time zone")),
        # Translators: entry of a menu: a group of settings (nouns).
        (OwnSection.PRIVACY, say("Language and privacy"), say("Who sees what, blocked people")),
    )
    # Translators: in a menu of sections of settings, below one of them.
    return build_choice_menu(f"{OWN_SECTION}:", entries, "", say("More settings"))


def build_sample_picture(say: Reader) -> Picture:
    """Return a board in the middle of a game, to show how boards are drawn."""
    scene = sample_scene()
    game = GAMES[SHOWN_GAME]
    gold, _ = scene.names
    scene = replace(
        scene,
        title=common.format_title(say, game),
        status=say("{who} to play", who=gold),
        note=common.capitalise_first(
            format_game_text(say, game, "lympolded", side=common.format_side(say, Side.BLACK))
        ),
        words=translate_board_words(say),
    )
    return Picture(scene, describe_scene(scene))


def build_style_panel(
    verb: str, saved: ChosenText[BoardStyle], reset: Setting[BoardStyle], *, own: bool
) -> Panel[BoardStyle]:
    """Return the settings of how boards are drawn; a public board has no side of one's `own`."""

    def read_near(value: str) -> Mapping[str, Any]:
        is_mine = own and value == OWN_SIDE
        return {"seat": value if is_mine else parse_choice(Side, value).value}

    return Panel(
        verb,
        build_menu_setting(
            "theme",
            # Translators: label of a menu: how boards look, in their colours and ornaments (noun).
            label=mark_text("**Theme**"),
            saved=saved,
            entries=_list_themes,
            # A theme of another version may be missing here; then boards are drawn as by default.
            get=lambda style: style.theme or NATURAL if style.theme in load_themes() else NATURAL,
            read=_read_theme,
        ),
        build_menu_setting(
            "near",
            label=mark_text("**Side at the bottom**"),
            saved=saved,
            entries=lambda say: _list_sides(say, own=own),
            get=lambda style: style.seat,
            read=read_near,
        ),
        build_switch_setting(
            "numbers",
            field="numbered",
            on=mark_text(
                "**Numbered points**: on\n-# By their distance from the end, not by letters"
            ),
            off=mark_text(
                "**Numbered points**: off\n-# By their distance from the end, not by letters"
            ),
            saved=saved,
        ),
        reset=reset,
    )


def _read_theme(value: str) -> Mapping[str, Any]:
    if value != NATURAL and value not in load_themes():
        raise UnknownControlError
    return {"theme": None if value == NATURAL else value}


def _list_themes(say: Reader) -> Iterator[tuple[str, str, str]]:
    yield NATURAL, say("The one that suits each board"), ""
    for theme in load_themes().values():
        context = theme_context(theme.name)
        title, note = say.in_context(context, theme.title), say.in_context(context, theme.note)
        yield theme.name, title, note


def _list_sides(say: Reader, *, own: bool) -> Iterator[tuple[str, str, str]]:
    for side in Side:
        yield side.value, common.format_side_title(say, side), ""
    if own:
        yield OWN_SIDE, say("My own side"), ""


def format_board_style(say: Reader, chosen: BoardStyle) -> str:
    """Say how boards are drawn."""
    # A theme of another version may be missing here; then the board is drawn as by default.
    theme = load_themes().get(chosen.theme or "")
    drawn = say("the theme that suits each board.")
    if theme:
        title = say.in_context(theme_context(theme.name), theme.title)
        drawn = common.join_sentences(
            say,
            common.end_sentence(say, f"**{title}**"),
            say.in_context(theme_context(theme.name), theme.note),
        )
    near = say("Your own side is at the bottom.")
    if chosen.seat != OWN_SIDE:
        side = common.format_side(say, Side(chosen.seat))
        near = common.capitalise_first(say("{side} is at the bottom.", side=side))
    numbers = say("Points are numbered.") if chosen.numbered else ""
    return common.join_sentences(say, drawn, near, numbers)


def _list_reminders(say: Reader) -> Iterator[tuple[str, str, str]]:
    yield Reminder.CHANNEL.value, say("In the match's channel"), ""
    yield Reminder.DIRECT.value, say("By direct message"), ""
    # Translators: menu entry: the reader is never reminded that time runs out.
    yield Reminder.NEVER.value, say("Never"), ""


def _format_reminder(say: Reader, chosen: PlayerPreferences) -> str:
    return {
        Reminder.CHANNEL: say(
            "You get a reminder in the match's channel when your time is running out."
        ),
        Reminder.DIRECT: say(
            "You get a reminder by direct message when your time is running out, "
            "if I can send you one."
        ),
        Reminder.NEVER: say("You get no reminders."),
    }[chosen.reminder]


def _format_zone(say: Reader, chosen: PlayerPreferences) -> str:
    zone = format_zone(chosen.zone)
    text = say("**Time zone**: {zone}\n-# Your vacation days are counted in it", zone=zone)
    warning = format_zone_warning(say, chosen.zone) if chosen.zone else ""
    return "\n-# ".join(filter(None, (text, warning)))


_RESET = mark_text(
    "Your settings are back to their defaults. Your choice about public pages stays."
)


def _list_defaults() -> Mapping[str, Any]:
    # Nobody is named in public again by a reset.
    return {name: each for name, each in asdict(PlayerPreferences()).items() if name != "pages"}


OWN_STYLE = build_style_panel(
    PREFERENCE,
    lambda say, style: say("Your boards: {look}", look=format_board_style(say, style)),
    build_reset_setting("reset", asdict(OWN_DEFAULT_STYLE), _RESET),
    own=True,
)
PREFERENCES = Panel[PlayerPreferences](
    PREFERENCE,
    build_menu_setting(
        "reminders",
        label=mark_text("**Reminders**\n-# When your time is running out"),
        saved=_format_reminder,
        entries=_list_reminders,
        get=lambda chosen: chosen.reminder.value,
        read=lambda value: {"reminder": parse_choice(Reminder, value)},
    ),
    build_switch_setting(
        "directions",
        on=mark_text(
            "**Always show directions**: on\n-# Arrows and homes on the boards of your matches"
        ),
        off=mark_text(
            "**Always show directions**: off\n-# Arrows and homes on the boards of your matches"
        ),
        saved=(
            mark_text(
                "The boards of your matches always show which way each side moves and where its "
                "home is."
            ),
            mark_text(
                "The boards of your matches show directions until you've finished two matches of "
                "a game."
            ),
        ),
    ),
    build_switch_setting(
        "throws",
        on=mark_text("**Automatic rolls**: on\n-# I roll for you once nothing can be taken back"),
        off=mark_text("**Automatic rolls**: off\n-# I roll for you once nothing can be taken back"),
        saved=(
            mark_text(
                "I roll for you as soon as nothing can be taken back any more: at once, or five "
                "seconds after the other side's turn."
            ),
            mark_text("You roll your own dice in matches between people."),
        ),
    ),
    build_switch_setting(
        "confirms",
        on=mark_text("**Confirm each turn**: on\n-# Ask before your last move ends the turn"),
        off=mark_text("**Confirm each turn**: off\n-# Ask before your last move ends the turn"),
        saved=(
            mark_text("You confirm each turn before it ends."),
            mark_text("A turn ends with your last move."),
        ),
    ),
    build_zone_setting(
        label=_format_zone, saved=lambda say, chosen: format_vacation_zone(say, chosen.zone)
    ),
    build_switch_setting(
        "shares",
        on=mark_text(
            "**Let my positions become puzzles**: on\n-# For your server, without your name"
        ),
        off=mark_text(
            "**Let my positions become puzzles**: off\n-# For your server, without your name"
        ),
        saved=(
            mark_text(
                "Positions of your matches can become the daily puzzle of the server in which you "
                "played, without your name, if everyone in the match allows it."
            ),
            mark_text("Positions of your matches don't become puzzles for others."),
        ),
    ),
    build_switch_setting(
        "everywhere",
        on=mark_text("**Show my results everywhere**: on\n-# To people of all servers, by name"),
        off=mark_text("**Show my results everywhere**: off\n-# To people of all servers, by name"),
        saved=(
            mark_text(
                "People of any server can see your results in all servers together: on the "
                "leaderboard of all servers and by `/me profile`."
            ),
            mark_text("People see your results only in the servers in which you played."),
        ),
    ),
    reset=build_reset_setting("reset", _list_defaults(), _RESET),
)
