"""The studies on the page, as they are kept beside the players' nets."""

from collections.abc import Mapping

from engine.games import GAMES
from lab.studies.study import USUAL, AnyStudy, Study, load_game_studies


def load_all_studies() -> dict[str, dict[str, AnyStudy]]:
    """Read the studies of every game that has been studied."""
    return {slug: studies for slug in GAMES if USUAL in (studies := load_game_studies(slug))}


def get_study(studies: Mapping[str, AnyStudy], name: str) -> Study:
    """Return the study of that name: of games in which both sides are the same player."""
    found = studies[name]
    assert isinstance(found, Study)
    return found
