"""What solved games are worth beside the studies of them."""

from functools import cache

from engine.games import GAMES
from engine.players.variants import parse_option
from lab.solving.figures import PALM, SOLVED_OPTIONS, Figures, load_figures, name_reading
from lab.studies.study import USUAL


@cache
def _load_solved() -> Figures:
    return load_figures()


def find_solved_share(slug: str, study: str) -> float | None:
    """Return how often the side that begins wins under best play by both, where it is solved.

    As in a study, it is the share of the games that somebody wins.
    """
    if slug not in SOLVED_OPTIONS:
        return None
    chosen = {} if study == USUAL else parse_option(study)
    if not chosen.keys() <= set(SOLVED_OPTIONS[slug]):
        return None
    game = GAMES[slug]
    solved = _load_solved()[slug]
    if slug == PALM:
        solved = solved[str(game.rules.men)]
    found = solved.get(name_reading(game, chosen))
    if found is None:
        return None
    win: float = found["win"]
    loss: float = found.get("loss", 1 - win)
    return win / (win + loss) if win + loss else None
