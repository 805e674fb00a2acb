"""English texts that stand beside what they are about, and their contexts for translators.

A reader says a game's text with `say.of(of_game(slug), text)`, whatever the game: translators
overlay them by slug.
"""

from collections.abc import Iterator
from typing import TypeAlias

from engine.games import GAMES
from engine.games.lessons import LESSONS
from engine.games.unplayed import UNPLAYED, UnplayedGame
from engine.lesson import Lesson
from engine.players.puzzles import load_puzzles
from engine.rules import Family, Game, Option, ProvenanceLabel
from render.theme import Theme, load_themes

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
        yield from ((PUZZLE, text) for text in (puzzle.source, puzzle.told) if text)
    for theme in load_themes().values():
        yield from ((theme_context(theme.name), text) for text in _list_theme_texts(theme))


def list_phrases() -> Iterator[Phrase]:
    """Yield what games have words of their own for, some more than once."""
    for game in GAMES.values():
        yield from ((game_context(game.slug), text) for text in game.words.values())


def _list_game_texts(game: Game) -> tuple[str, ...]:
    origin = game.provenance
    return (
        game.title,
        *game.aliases,
        game.tagline,
        *game.special,
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
