"""The lessons, one file each, beside the games that they teach.

Every Lesson that a module of this folder defines is found by itself.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules

from engine.lesson import Lesson


def _import_lessons() -> Iterator[Lesson]:
    for module in iter_modules(__path__):
        yield from (
            each
            for each in vars(import_module(f"{__name__}.{module.name}")).values()
            if isinstance(each, Lesson)
        )


LESSONS: Mapping[str, Lesson] = {
    lesson.game: lesson for lesson in sorted(_import_lessons(), key=lambda each: each.rank)
}
"""Every lesson by the slug of its game, in the order in which they are shown."""


def find_lesson(slug: str) -> Lesson | None:
    """Return the lesson that teaches a game, or games like it; None where there is none."""
    return next(
        (each for each in LESSONS.values() if slug == each.game or slug in each.games), None
    )
