"""What one chooses and notes for oneself: /me settings, /me block, /match note."""

from collections.abc import Sequence
from dataclasses import replace

import discord
from discord import app_commands

from bot.features.matches import loading
from bot.features.matches.interactions import PRIVATE_LINES
from bot.features.matches.session import MatchSession
from bot.features.matches.texts import mention_person
from bot.features.preferences import cards, service
from bot.features.preferences.cards import OwnSection
from bot.platform.db.preferences import PERSON_STYLE
from bot.platform.i18n.common import join_sentences
from bot.platform.i18n.reader import Reader
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import Interaction, build_person
from bot.platform.ui.card import Card, PanelRow, text_only_card
from bot.platform.ui.controls import build_choice_menu, get_selection, parse_choice, parse_number
from bot.platform.ui.declarations import command, match_group, me_group, press
from bot.platform.ui.panels import build_language_menu, format_language, format_saved, read_language


@command(group=me_group, order=30, everywhere=True)
async def settings(answer: InteractionAnswer) -> None:
    """See and change your boards, language, privacy and other settings."""
    await answer.send(await _build_section(answer, OwnSection.BOARDS))


@press(cards.OWN_SECTION, everywhere=True)
async def show_own_section(answer: InteractionAnswer) -> None:
    """Show another section of one's settings in place of this one."""
    await show_section(answer, parse_choice(OwnSection, get_selection(answer.interaction)))


async def show_section(answer: InteractionAnswer, section: OwnSection, saved: str = "") -> None:
    """Show a section of one's settings in place of the pressed message.

    `saved` says what was just chosen.
    """
    await answer.edit_message(await _build_section(answer, section, saved))


async def _build_section(answer: InteractionAnswer, section: OwnSection, saved: str = "") -> Card:
    app, say, person = answer.app, answer.reader, answer.person.id
    chosen = await service.load_preferences(app, person)
    if section is OwnSection.BOARDS:
        style = await service.load_style(app, PERSON_STYLE, person)
        return cards.board_settings_card(say, style, chosen, person, saved)
    rows: list[PanelRow] = []
    for load in cards.SECTION_ROWS[section].list_functions():
        rows += await load(answer)
    return cards.settings_card(say, section, rows, chosen, saved)


def _build_form(interaction: Interaction, name: str, value: str = "") -> discord.ui.Modal | None:
    return cards.PREFERENCES.build_form(interaction, name)


@press(cards.PREFERENCE, everywhere=True, modal=_build_form)
async def choose_preference(answer: InteractionAnswer, name: str, value: str = "") -> None:
    """Save what was chosen in a section, and show it there."""
    app, person, interaction = answer.app, answer.person, answer.interaction
    saved = ""
    if name in cards.OWN_STYLE:
        restyle = cards.OWN_STYLE.read_change(interaction, name, value)
        await service.change_style(app, PERSON_STYLE, person.id, restyle)
        style = await service.load_style(app, PERSON_STYLE, person.id)
        saved = cards.OWN_STYLE.format_saved(answer.reader, name, style)
    # A reset is of both.
    if name in cards.PREFERENCES or name not in cards.OWN_STYLE:
        change = cards.PREFERENCES.read_change(interaction, name, value)
        after = await service.change_preferences(app, person, change)
        saved = cards.PREFERENCES.format_saved(answer.reader, name, after)
    await show_section(answer, cards.find_section(name), saved)


@press(cards.MATCH_STYLE, direct=True)
async def choose_match_style(answer: InteractionAnswer, match: int) -> None:
    """Save how one's own boards look, and show the match so."""
    app, person = answer.app, answer.person.id
    session = await loading.load_visible_session(app, match, answer.guild, person)
    change = cards.read_style_choice(get_selection(answer.interaction))
    await service.change_style(app, PERSON_STYLE, person, change)
    await answer.edit_message(cards.own_style_card(answer.reader, session, person))


@cards.SECTION_ROWS[OwnSection.PRIVACY].add(10)
async def load_language_row(answer: InteractionAnswer) -> Sequence[PanelRow]:
    """Return the language of what only one person sees, to be chosen."""
    chosen = (await service.load_preferences(answer.app, answer.person.id)).language
    say = answer.reader
    menu = build_language_menu(answer.client, say, f"{cards.OWN_LANGUAGE}:", chosen)
    return [PanelRow(say("**Language**\n-# Of what only you see"), menu)]


@press(cards.OWN_LANGUAGE, everywhere=True)
async def choose_language(answer: InteractionAnswer) -> None:
    """Save the language of what only one person sees."""
    chosen = read_language(answer.interaction)
    await service.change_preferences(
        answer.app, answer.person, lambda before: replace(before, language=chosen)
    )
    name = format_language(answer.client, chosen) if chosen else None
    # The reader is the one of the language that has just been chosen.
    saved = format_saved(answer.reader, _format_language(answer.reader, name))
    await show_section(answer, OwnSection.PRIVACY, saved)


def _format_language(say: Reader, language: str | None) -> str:
    """Say which language somebody reads, by its name; None is as Discord says."""
    if language is None:
        return say("You read me in your Discord's language.")
    return say(
        "Language: {language}. It holds for everything that only you see. What everyone sees is "
        "in the server's language.",
        language=language,
    )


UNBLOCK = "unblock"
"""Unblock who was picked from a menu, whose id says what shows it."""
DELETED = "deleted"
"""The entry of those who have had their data deleted: nothing tells them apart any more."""


@command(group=me_group, order=10, everywhere=True)
@app_commands.describe(
    person="The person to block; they aren't notified",
    lift="True to unblock them",
)
async def block(
    answer: InteractionAnswer, person: discord.User | None = None, lift: bool = False
) -> None:
    """Block somebody's challenges, or see whom you've blocked."""
    app, oneself = answer.app, answer.person
    if person and lift:
        await service.unblock_person(app, oneself, person.id)
    elif person:
        await service.block_person(app, oneself, build_person(person))
    await answer.send(await _build_blocks_card(answer))


@press(UNBLOCK, everywhere=True)
async def unblock(answer: InteractionAnswer, place: str) -> None:
    """Unblock who was picked, and show who is left."""
    picked = get_selection(answer.interaction)
    if picked == DELETED:
        await service.unblock_deleted(answer.app, answer.person)
    else:
        await service.unblock_person(answer.app, answer.person, parse_number(picked))
    if place == cards.OWN_SECTION:
        await show_section(answer, OwnSection.PRIVACY)
    else:
        await answer.edit_message(await _build_blocks_card(answer))


async def _build_blocks_card(answer: InteractionAnswer) -> Card:
    say, rows = answer.reader, await _load_blocks(answer, "")
    return Card(texts=() if rows else (say("You haven't blocked anybody."),), panel=rows)


@cards.SECTION_ROWS[OwnSection.PRIVACY].add(30)
async def load_blocks_row(answer: InteractionAnswer) -> Sequence[PanelRow]:
    """Return whom somebody has blocked, with a menu to unblock them; nothing for nobody."""
    return await _load_blocks(answer, cards.OWN_SECTION)


async def _load_blocks(answer: InteractionAnswer, place: str) -> tuple[PanelRow, ...]:
    app, say, oneself = answer.app, answer.reader, answer.person
    blocked = await service.load_blocked(app, oneself)
    deleted = await service.count_deleted(app, oneself)
    if not blocked and not deleted:
        return ()
    names = await app.load_names(blocked)
    entries = [(str(each), names.get(each, str(each)), "") for each in blocked]
    if deleted:
        label = say.plural("The deleted player", "The deleted players", deleted)
        # First, so that it is there however many are blocked.
        entries.insert(0, (DELETED, label, ""))
    # Translators: in a menu of blocked people (verb).
    menu = build_choice_menu(f"{UNBLOCK}:{place}", entries, "", say("Unblock somebody"))
    return (PanelRow(_format_blocks(say, blocked, deleted), menu),)


def _format_blocks(say: Reader, people: Sequence[int], deleted: int) -> str:
    """Say whom somebody has blocked; so many of them have had their data deleted."""
    who = [mention_person(say, person) for person in people]
    if deleted:
        who.append(say.plural("a deleted player", "{n} deleted players", deleted))
    text = say("You've blocked {people}.", people=say.format_list(who))
    means = say(
        "People you've blocked can't challenge you or accept your open challenges, and you can't "
        "accept theirs. They aren't notified."
    )
    return join_sentences(say, text, means)


@command(group=match_group, order=80, everywhere=True)
@app_commands.describe(
    match="The number of the match", text="Your note, which only you see; leave it out to delete it"
)
async def note(
    answer: InteractionAnswer,
    match: int,
    text: app_commands.Range[str, 0, service.MAX_NOTE_LENGTH] = "",
) -> None:
    """Write a private note on a match."""
    app, person = answer.app, answer.person
    before = await service.save_note(app, person, answer.guild, match, text)
    # Read back, since the note is shortened and set on one line before it is stored.
    kept = (await service.load_notes(app, person.id, [match])).get(match, "")
    await answer.send(
        text_only_card(service.format_note_change(answer.reader, match, kept, before))
    )


@PRIVATE_LINES.add()
async def load_note_line(answer: InteractionAnswer, session: MatchSession) -> str:
    """Return what somebody who looks at a match has noted about it."""
    notes = await service.load_notes(answer.app, answer.person.id, [session.id])
    return service.format_note(answer.reader, notes.get(session.id, ""))
