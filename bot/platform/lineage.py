"""Which buttons belong to the present database, and which to a time lost in a restore."""

from dataclasses import dataclass

from bot.store import Generation


@dataclass(frozen=True, slots=True)
class Lineage:
    """The generations of the database, oldest first; the very first has no mark and is left out."""

    generations: tuple[Generation, ...] = ()

    @property
    def mark(self) -> str:
        """The mark of the present generation."""
        return self.generations[-1].mark if self.generations else ""

    def is_lost(self, mark: str, posted: int) -> bool:
        """Whether a message of a generation, posted at an instant, is newer than the backup.

        That is the backup that was restored.
        """
        marks = ["", *(each.mark for each in self.generations)]
        # A mark that this database does not know belongs to a time that was lost in a restore.
        if mark not in marks:
            return True
        # `marks` has one entry more in front, so this begins with the generation after the mark's.
        later = self.generations[marks.index(mark) :]
        return bool(later) and posted > later[0].began
