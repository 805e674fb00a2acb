"""One file a game. The registry finds a game by its slug, its title or an alias.

Every Game that a module of this folder defines is in the registry: a new game is one new file.
"""

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules

from engine.games.name_matching import fold_name
from engine.refusal import Reason, Refusal, suggest_names
from engine.rules import Family, Game


def _import_games() -> Iterator[Game]:
    for module in iter_modules(__path__):
        yield from (
            each
            for each in vars(import_module(f"{__name__}.{module.name}")).values()
            if isinstance(each, Game)
        )


def _sort_key(game: Game) -> tuple[int, int, str]:
    return list(Family).index(game.family), game.rank, game.title


def select_newest(editions: Iterable[Game]) -> dict[str, Game]:
    """Return the newest edition of each game by its slug, in the order in which games are shown."""
    # A later entry replaces an earlier one of its slug, so the highest edition stays.
    last = {game.slug: game for game in sorted(editions, key=lambda game: game.edition)}
    return {game.slug: game for game in sorted(last.values(), key=_sort_key)}


EDITIONS: Mapping[tuple[str, int], Game] = {
    (game.slug, game.edition): game for game in _import_games()
}
"""Every edition of every game, by slug and edition."""

GAMES: Mapping[str, Game] = select_newest(EDITIONS.values())
"""Every game by its slug, in the order in which they are shown."""


def has_newest_rules(game: Game, options: Mapping[str, str]) -> bool:
    """Whether an edition of a game, with those options, has the rules of the newest."""
    return GAMES[game.slug].resolve_rules(options) == game.resolve_rules(options)


_BY_NAME: Mapping[str, Game] = {
    fold_name(name): game
    for game in GAMES.values()
    for name in (game.slug, game.title, *game.aliases)
}


def find_game(name: str, edition: int | None = None) -> Game:
    """Return the game of that slug, title or alias, in its newest edition or the one asked for.

    Case, accents, spaces, signs and an article before the name don't matter.

    Raises Refusal for a game or an edition that is not here, offering games of nearly that name.
    """
    wanted = fold_name(name)
    if game := _BY_NAME.get(wanted):
        return game if edition is None else _find_edition(game, edition)
    titles = {known: game.title for known, game in _BY_NAME.items()}
    raise Refusal(Reason.GAME, suggest_names(wanted, titles), name=name)


def _find_edition(game: Game, edition: int) -> Game:
    if (game.slug, edition) not in EDITIONS:
        known = tuple(sorted(number for slug, number in EDITIONS if slug == game.slug))
        raise Refusal(Reason.EDITION, game=game.slug, edition=edition, known=known)
    return EDITIONS[game.slug, edition]
