"""The list of every game as a documentation page; `make docs` writes it, `make check` compares it.

Everything on it comes from the games' own data, so that it can be neither incomplete nor out of
date.
"""

import sys
from collections.abc import Iterator

from engine.games import GAMES
from engine.games.unplayed import UNPLAYED
from engine.rules import Family, Game, Option

INTRODUCTION = """\
# The games

Every game that Tabula plays, with its label, its options (the usual value first) and its sources;
and those that the sources name but do not let us play. `/rules` in Discord says how each one goes.
This page is made by `make docs`.

A game is *described* where a source tells its rules, *reconstructed* where a modern author proposes
them, and *completed* where we had to decide something ourselves; what that was is listed with the
game."""


def build_page() -> str:
    """Return the page."""
    return "\n".join(_build_lines()) + "\n"


def _build_lines() -> Iterator[str]:
    yield INTRODUCTION
    for family in Family:
        yield f"\n## {family.value}"
        for game in GAMES.values():
            if game.family is family:
                yield from _describe_game(game)
    yield "\n## Not playable from our sources"
    for page in UNPLAYED:
        yield f"\n### {page.title}"
        yield f"\n{page.known}\n\n*Why not:* {page.why}\n\n*Sources:* {'; '.join(page.sources)}."


def _describe_game(game: Game) -> Iterator[str]:
    also = f", also {', '.join(game.aliases)}" if game.aliases else ""
    yield f"\n### {game.title}"
    yield f"\n`{game.slug}`{also}. *{game.provenance.label.value.capitalize()}.* {game.tagline}\n"
    yield from (
        f"- `{option.name}`: {_format_values(option)}. {option.asks}" for option in game.options
    )
    yield f"\n*Sources:* {'; '.join(game.provenance.sources)}."
    if game.provenance.decisions:
        yield "\n*Our decisions:*\n"
        yield from (f"- {decision}" for decision in game.provenance.decisions)


def _format_values(option: Option) -> str:
    values = " | ".join(f"`{value.name}`" for value in option.values)
    return f"{values}, chosen by the side that begins" if option.starter_chooses else values


if __name__ == "__main__":
    sys.stdout.write(build_page())
