"""Which finished matches are looked for."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSearch:
    """What finished matches have in common that are looked for; what is None or empty may be any.

    `person` played in them to the end, and `witness` did as well; `guild` is their server, `game`
    the slug of what was played, `league` or `ladder` the number of theirs.
    """

    person: int | None = None
    witness: int | None = None
    guild: int | None = None
    game: str = ""
    league: int | None = None
    ladder: int | None = None
