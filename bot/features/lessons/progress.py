"""How far somebody is in a lesson."""

from dataclasses import dataclass

from engine.games.lessons import LESSONS


@dataclass(frozen=True, slots=True)
class LessonProgress:
    """How far somebody is: the step, counted from 0, and what they pressed in it, in order."""

    lesson: str
    step: int = 0
    presses: tuple[str, ...] = ()


def is_unfinished(progress: LessonProgress) -> bool:
    """Return whether somebody is in the middle of a lesson."""
    begun = progress.step > 0 or bool(progress.presses)
    return begun and progress.step < len(LESSONS[progress.lesson].steps)
