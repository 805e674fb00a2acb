"""One reader's language, and what is declined in it.

Every text that people see goes through a Reader, and is English where it has no translation. Texts
are found in gettext's catalogues under `locale/`; `make words` extracts them from the code, which
is why they are literals there, said by a reader called `say`:
`say("{name} threw {dice}.", name=..., dice=...)`.

Other English texts stand beside what they are about. A reader says a game's text with
`say.in_context(game_context(slug), text)`, whatever the game: translators overlay them by slug, or
once for all games that have the text.

Translators leave what stands in backticks as it is, so that it is written in one place what a
command is called: `/challenge` becomes `/herausfordern` wherever it is named. Where Discord has
given the command an id, it becomes a mention, which every client shows in its own language.

What is declined before the rules are asked is an error that says itself to a reader.
"""

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from gettext import NullTranslations, translation
from pathlib import Path
from typing import ClassVar, TypeAlias, dataclass_transform

from bot.platform.db.rows import DELETED_NAME
from bot.platform.people import (
    DiscordPerson,
    clean_text,
    get_computer_numeral,
    is_pseudonym,
)
from engine.games import GAMES
from engine.games.lessons import LESSONS
from engine.games.unplayed import UNPLAYED, UnplayedGame
from engine.lesson import Lesson
from engine.players.puzzles import load_puzzles
from engine.rules import Family, Game, Option, ProvenanceLabel
from render.theme import Theme, load_themes

COMMAND_NAME = "command name"
"""The context of a command's name; its text is the command with its group, as `match draw`."""
OPTION_NAME = "option name"
"""The context of an option's name, in whatever commands it is found."""


@dataclass(frozen=True, slots=True, eq=False)
class CommandMentions:
    """The ids that Discord has given the commands, by their names with their groups."""

    ids: Mapping[str, int] = field(default_factory=dict)

    def mention(self, command: str) -> str | None:
        """Return the mention of a command; None where it has no id, as a group has none."""
        return f"</{command}:{self.ids[command]}>" if command in self.ids else None


NO_MENTIONS = CommandMentions()
"""Where texts are read elsewhere than on Discord, or it has not given the ids yet."""

_CODE = re.compile(r"`(/?)([a-z]+)( [a-z]+)?([^`]*)`")
_OPTION = re.compile(r"([a-z]+):")


def localise_commands(
    catalogue: NullTranslations, text: str, mentions: CommandMentions = NO_MENTIONS
) -> str:
    """Return a text with the commands and options in it mentioned, or as that language has them."""
    # Where a group is named alone, its commands may be listed by their own names.
    groups = re.findall(r"`/([a-z]+)`", text)

    def replace(found: re.Match[str]) -> str:
        slash, first, second, rest = found[1], found[2], found[3] or "", found[4]
        if slash:
            mention = mentions.mention(first + second)
            if mention is None and (mention := mentions.mention(first)):
                # What follows is typed after the command.
                rest = second + rest
            if mention:
                return " ".join(filter(None, (mention, _quote_options(catalogue, rest))))
            name, follows = _name_command(catalogue, first, second)
            return f"`/{name}{_name_options(catalogue, follows + rest)}`"
        if second or rest:
            return found[0]
        paths = [f"{group} {first}" for group in groups]
        names = [catalogue.pgettext(COMMAND_NAME, path) for path in paths]
        known = [name for path, name in zip(paths, names, strict=True) if name != path]
        return f"`{known[0] if known else _name_option(catalogue, first)}`"

    return _CODE.sub(replace, text)


def _name_command(catalogue: NullTranslations, first: str, second: str) -> tuple[str, str]:
    """Return how a command is called, and what stands after it."""
    name = catalogue.pgettext(COMMAND_NAME, first)
    path = first + second
    below = catalogue.pgettext(COMMAND_NAME, path) if second else path
    # A word that is no command is a part of what is typed.
    return (f"{name} {below}", "") if below != path else (name, second)


def _quote_options(catalogue: NullTranslations, typed: str) -> str:
    return f"`{_name_options(catalogue, typed.strip())}`" if typed.strip() else ""


def _name_options(catalogue: NullTranslations, typed: str) -> str:
    return _OPTION.sub(lambda at: _name_option(catalogue, at[1]) + ":", typed)


def _name_option(catalogue: NullTranslations, name: str) -> str:
    return catalogue.pgettext(OPTION_NAME, name)


log = logging.getLogger(__name__)

DOMAIN = "tabula"
"""The name of the catalogues."""
LOCALES = Path(__file__).parent / "locale"
"""The folder of the catalogues: `<language>/LC_MESSAGES/tabula.mo`, compiled from `tabula.po`."""

_LOCALE_CODE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
_MAX_READERS = 64
_NOBODY = "<@-"
_DELETED_MENTION = re.compile(r"<@-[0-9]+>")
"""How those are mentioned: their ids are below zero, and Discord would show them as numbers."""


_ZERO_WIDTH_SPACE = "\u200b"
# What Discord reads as markup and as mentions, as discord.py's own escaping has it.
_MARKUP = re.compile(r"[_\\~|*`]|^>(?:>>)?\s|\[.+\]\(.+\)|^#{1,3}|^\s*-", re.MULTILINE)
_MENTION = re.compile(r"@(everyone|here|[!&]?[0-9]{17,20})")
"""A sign without width, which parts what Discord would take for a link."""


def mark_text(text: str) -> str:
    """Return a literal as it is: a text that a reader says later, which translators find here."""
    return text


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: the language of their catalogue and the texts in it.

    The language is written as gettext does (`de`, `pt_BR`). Every text is a template: its parts are
    named in braces and given by name, and a brace itself is doubled. A text that the catalogue
    lacks is said in English. Commands are mentioned where they can be, else called as in the
    language of the reader's client, which may be another. Readers who read the same are equal.
    Raises KeyError where a part is missing.
    """

    ENGLISH: ClassVar["Reader"]

    language: str
    catalogue: NullTranslations = field(repr=False, compare=False)
    localised: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    """Texts with the names that commands have in the language, as they were needed."""
    folder: Path = field(default=LOCALES, repr=False)
    """Where the catalogue is, for another process to load it again."""
    client: "Reader | None" = field(default=None, repr=False)
    """A reader in the language of the client, where that is another."""
    mentions: CommandMentions = field(default=NO_MENTIONS, repr=False)

    def __reduce__(self) -> tuple[Callable[[str, Path], "Reader"], tuple[str, Path]]:
        # What gettext makes of a catalogue can't be sent to another process.
        return load_reader, (self.language.replace("_", "-"), self.folder)

    def __call__(self, text: str, /, **parts: object) -> str:
        """Say a text."""
        return self._fill(self.catalogue.gettext(text), parts)

    def plural(self, one: str, other: str, n: int, /, **parts: object) -> str:
        """Say a text in the form that the language has for `n` things.

        `{n}` is one of its parts.
        """
        text = self.catalogue.ngettext(one, other, n)
        return self._fill(text, {"n": n, **parts})

    def in_context(self, context: str, text: str, /, **parts: object) -> str:
        """Say a text whose meaning depends on its context, such as a game's."""
        said = self.catalogue.pgettext(context, text)
        if said == text and (kind := share_context(context)) != context:
            said = self.catalogue.pgettext(kind, text)
        return self._fill(said, parts)

    def plural_in_context(
        self, context: str, one: str, other: str, /, *, n: int, **parts: object
    ) -> str:
        """Say a text whose meaning depends on its context, in the form for `n` things."""
        text = self.catalogue.npgettext(context, one, other, n)
        if text in (one, other) and (kind := share_context(context)) != context:
            text = self.catalogue.npgettext(kind, one, other, n)
        return self._fill(text, {"n": n, **parts})

    def _fill(self, text: str, parts: Mapping[str, object]) -> str:
        """Return a text with its parts; a mention of nobody is a deleted player."""
        filled = self._localise(text).format_map(parts)
        if _NOBODY not in filled:
            return filled
        return _DELETED_MENTION.sub(self.catalogue.gettext(DELETED_NAME), filled)

    def read_elsewhere(self) -> "Reader":
        """Return who reads the same language outside Discord, where nothing is mentioned."""
        return load_reader(self.language.replace("_", "-"), self.folder)

    def name_person(self, person: int, name: str) -> str:
        """Return somebody's plain name: the computer's and deleted players' are translated."""
        if is_pseudonym(person):
            return self.catalogue.gettext(mark_text("deleted player"))
        numeral = get_computer_numeral(person)
        if numeral is None:
            return name
        if numeral:
            # Translators: the computer as a player; {numeral} is II, III or so at its other
            # seats.
            return self.in_context("the name of a player", "Computer {numeral}", numeral=numeral)
        # Translators: the name of the computer as a player, like a person's: without an article.
        return self.in_context("the name of a player", "Computer")

    def mention_command(self, command: str) -> str:
        """Return the mention of a command, as `match draw`, or what it is called."""
        return self._localise(f"`/{command}`")

    def _localise(self, text: str) -> str:
        """Return a text with the commands in it mentioned, or named as in its language."""
        if "`" not in text or self is Reader.ENGLISH:
            return text
        # Texts are finite in number, since what varies in them is filled in afterwards.
        if text not in self.localised:
            named = self.client or self
            self.localised[text] = localise_commands(named.catalogue, text, self.mentions)
        return self.localised[text]

    def format_list(self, things: Sequence[str]) -> str:
        """Say several things as a list in words.

        It gives nothing, `Ana`, `Ana and Ben`, or `Ana, Ben and Cyn`.
        """
        if len(things) < 2:
            return "".join(things)
        *before, last = things
        row = self.join_with_commas(before)
        if self._sounds_like(_AND_SOUND, last):
            # Translators: “and” before a word that begins with the vowel i: Spanish “e” for “y”.
            # Any other language: as in “{before} and {last}”.
            return self.in_context(
                "list, before the vowel i", "{before} and {last}", before=row, last=last
            )
        return self.in_context("list", "{before} and {last}", before=row, last=last)

    def format_alternatives(self, things: Iterable[str]) -> str:
        """Say several things of which one is meant: `a`, `a or b`, or `a, b or c`."""
        *before, last = things
        if not before:
            return last
        row = self.join_with_commas(before)
        if self._sounds_like(_OR_SOUND, last):
            # Translators: “or” before a word that begins with the vowel o: Spanish “u” for “o”.
            # Any other language: as in “{one} or {other}”.
            return self.in_context(
                "list, before the vowel o", "{one} or {other}", one=row, other=last
            )
        return self.in_context("list", "{one} or {other}", one=row, other=last)

    def _sounds_like(self, sound: re.Pattern[str], word: str) -> bool:
        return self.language == _SPANISH and sound.match(word) is not None

    def join_with_commas(self, things: Iterable[str]) -> str:
        """Write things in a row without a word before the last: `Ana, Ben, Cyn`.

        Empty ones are left out.
        """
        row = ""
        for thing in filter(None, things):
            row = (
                self.in_context("list", "{before}, {next}", before=row, next=thing)
                if row
                else thing
            )
        return row


_SPANISH = "es"
# What CLDR's patterns leave to programs; the rules are those of ICU's list formatter. What may come
# first is punctuation, but not what begins a mention: its number is no word.
_AND_SOUND = re.compile(r"[^\w<]*(?:[ií]|h[ií](?![ae]))", re.IGNORECASE)
"""What begins with the vowel i, before which Spanish writes “e” for “y”; not `hierro`, `hiato`."""
_OR_SOUND = re.compile(r"[^\w<]*(?:h?[oó]|8|11(?![0-9.,]))", re.IGNORECASE)
"""What begins with the vowel o, before which Spanish writes “u” for “o”: `ocho` and `once` too."""


Reader.ENGLISH = Reader("en", NullTranslations())


@lru_cache(_MAX_READERS)
def load_reader(locale: str, folder: Path = LOCALES) -> Reader:
    """Return the reader of a locale as Discord writes it.

    For `de-AT` that is its own, else that of `de`, else English.
    """
    # The locale becomes a part of a path, so nothing else may be in it.
    if not _LOCALE_CODE.fullmatch(locale):
        return Reader.ENGLISH
    try:
        catalogue = translation(DOMAIN, folder, _list_fallbacks(locale))
    except FileNotFoundError:
        return Reader.ENGLISH
    return Reader(catalogue.info()["language"], catalogue, folder=folder)


@lru_cache(_MAX_READERS)
def load_discord_reader(
    locale: str, client: str, mentions: CommandMentions, folder: Path = LOCALES
) -> Reader:
    """Return the reader of a locale on Discord, whose client is in a language of its own."""
    said, named = load_reader(locale, folder), load_reader(client, folder)
    return replace(said, localised={}, client=None if named is said else named, mentions=mentions)


@lru_cache(_MAX_READERS)
def list_languages(folder: Path = LOCALES) -> Mapping[str, str]:
    """Return the languages that people can read, by Discord's names of them, as `pt-BR`.

    Each is called as those who speak it call it.
    """
    codes = ("en", *sorted(file.parts[-3] for file in folder.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")))
    if len(codes) == 1 and any(folder.glob(f"*/LC_MESSAGES/{DOMAIN}.po")):
        log.warning("the translations are not compiled; `python hatch_build.py` does it")
    locales = [code.replace("_", "-") for code in codes]
    return {locale: _name_language(load_reader(locale, folder), locale) for locale in locales}


def _name_language(say: Reader, locale: str) -> str:
    # Translators: the name of the language into which you translate, in that language.
    name = say.in_context("language", "English")
    # Without its own name a language can still be told from English.
    return locale if name == "English" and locale != "en" else name


def _list_fallbacks(locale: str) -> list[str]:
    """Return a locale's names, each wider than the one before.

    `zh-Hant-TW` gives `zh_Hant_TW`, `zh_Hant`, `zh`.
    """
    subtags = locale.split("-")
    return ["_".join(subtags[:length]) for length in range(len(subtags), 0, -1)]


Text: TypeAlias = tuple[str, str]
"""A context and a text."""
Phrase: TypeAlias = tuple[str, str | tuple[str, str]]
"""A context and a text that names parts, or the forms of one for a single thing and for several."""

FAMILY = "family"
"""The context of the houses into which the games are sorted."""
PUZZLE = "puzzle"
"""The context of the texts of puzzles that come from sources."""
LABEL = "label"
"""The context of the words for how much of a game its sources say."""


def game_context(slug: str) -> str:
    """Return the context of a game's own texts, or of the page of one that cannot be played."""
    return f"game:{slug}"


def lesson_context(slug: str) -> str:
    """Return the context of what a game's lesson says."""
    return f"lesson:{slug}"


def option_context(name: str) -> str:
    """Return the context of what an option asks and means, in whatever games it is found."""
    return f"option:{name}"


def theme_context(name: str) -> str:
    """Return the context of a theme's title and note."""
    return f"theme:{name}"


def share_context(context: str) -> str:
    """Return the context of what several games have, or several lessons: it's translated once.

    For `game:zeno` it is `game`; what is not of one among several keeps its context.
    """
    return context.partition(":")[0]


def list_texts() -> Iterator[Text]:
    """Yield every such text, some more than once."""
    yield from ((FAMILY, family.value) for family in Family)
    yield from ((LABEL, label.value) for label in ProvenanceLabel)
    for game in GAMES.values():
        yield from ((game_context(game.slug), text) for text in _list_game_texts(game))
        for option in game.options:
            yield from ((option_context(option.name), text) for text in _list_option_texts(option))
    for page in UNPLAYED:
        yield from ((game_context(page.slug), text) for text in _list_page_texts(page))
    for lesson in LESSONS.values():
        context = lesson_context(lesson.game)
        yield from ((context, text) for text in _list_lesson_texts(lesson))
    for puzzle in load_puzzles().values():
        yield from ((PUZZLE, text) for text in (puzzle.source, puzzle.comment) if text)
    for theme in load_themes().values():
        yield from ((theme_context(theme.name), text) for text in _list_theme_texts(theme))


def list_phrases() -> Iterator[Phrase]:
    """Yield what games have words of their own for, some more than once."""
    for game in GAMES.values():
        yield from ((game_context(game.slug), text) for text in game.words.values())


def _list_game_texts(game: Game) -> tuple[str, ...]:
    origin = game.provenance
    changed = (value.changes for option in game.options for value in option.values)
    return (
        game.title,
        *game.aliases,
        game.tagline,
        *game.special,
        *game.solved,
        *game.rules.ending_texts,
        *(text for changes in changed for text in changes.get("ending_texts", ())),
        origin.history,
        *origin.decisions,
        *origin.sources,
    )


def _list_lesson_texts(lesson: Lesson) -> Iterator[str]:
    yield from (lesson.tagline, lesson.summary)
    for step in lesson.steps:
        texts = (step.title, step.task, step.hint, *step.hints.values(), step.done)
        yield from filter(None, texts)


def _list_option_texts(option: Option) -> tuple[str, ...]:
    meanings = (value.meaning for value in option.values)
    return (option.asks, *meanings, option.source)


def _list_page_texts(page: UnplayedGame) -> tuple[str, ...]:
    return (page.title, *page.aliases, page.known, page.why, *page.sources)


def _list_theme_texts(theme: Theme) -> tuple[str, ...]:
    return (theme.title, theme.note)


def clean_code(text: str) -> str:
    """Return a text that stays within a code span."""
    # Nothing can be escaped there, and the next backtick would end it.
    return _break_mentions(clean_text(text)).replace("`", "'")


def _break_mentions(text: str) -> str:
    """Let nothing in a text mention anybody."""
    return _MENTION.sub(f"@{_ZERO_WIDTH_SPACE}\\1", text)


def escape_text(text: str) -> str:
    """Format a name, or what somebody wrote, as it is.

    Nothing in it is markup, links anywhere or mentions anybody.
    """
    escaped = _MARKUP.sub(r"\\\g<0>", _break_mentions(clean_text(text)))
    # Links, and what begins with the bracket (channels, times, a server's own emoji).
    return escaped.replace("<", "\\<").replace("[", "\\[").replace("://", f":{_ZERO_WIDTH_SPACE}//")


@dataclass_transform(eq_default=False)
class DeclinedError(Exception):
    """Something a person may not do, or not now; nothing has changed.

    A subclass stands beside what raises it. It is made a dataclass of what its `sentence` names;
    names of people and things are escaped in it. A subclass that says more returns it from
    `_format`.
    """

    sentence: ClassVar[str]

    def __init_subclass__(cls) -> None:
        """Make a subclass a dataclass whose instances, as of any exception, equal no other."""
        dataclass(eq=False, repr=False)(cls)

    def __post_init__(self) -> None:
        """Take the fields for arguments, with which another process builds it again."""
        self.args = tuple(vars(self).values())

    def __str__(self) -> str:
        return repr(self)

    def format(self, say: Reader) -> str:
        """Say why it may not be done, or not now."""
        return self._format(say)

    def _format(self, reader: Reader) -> str:
        parts = {name: _format_part(reader, value) for name, value in vars(self).items()}
        return reader(self.sentence, **parts)


def _format_part(say: Reader, value: object) -> object:
    if isinstance(value, DiscordPerson):
        return escape_text(say.name_person(value.id, value.name))
    return escape_text(value) if isinstance(value, str) else value


class StaleMatchError(DeclinedError):
    """The match has other events than the person saw; `match` is its number.

    With `is_done` they are what the person asked for.
    """

    match: int
    is_done: bool = False
    sentence = mark_text("The match has moved on. See its latest message, or use `/match board`.")


class UnknownControlError(DeclinedError):
    sentence = mark_text(
        "That button no longer works. Use `/match board` to get your match with new ones."
    )
