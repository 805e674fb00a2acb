"""One man moved by one number."""

from typing import NamedTuple


class Move(NamedTuple):
    """One man moved by one number.

    Places are numbered as in `GameBoard`. `hit` says that an opposing man was sent off. Where a
    game lets numbers be added, `number` may be the sum of those in `added`.
    """

    source: int
    target: int
    number: int
    hit: bool = False
    added: tuple[int, ...] = ()

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the throw that this move uses."""
        return self.added or (self.number,)
