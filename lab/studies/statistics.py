"""The few figures of the studies that `/rules` shows, in a small file beside the players."""

from collections.abc import Mapping

from engine.games import GAMES
from engine.position import Side
from engine.strict_json import write_json
from lab.studies.errors import ErrorMeasurement, load_errors
from lab.studies.study import USUAL, AnyStudy, HeadToHead, Share, Study
from lab.studies.study_files import get_study, load_all_studies

QUANTILES = (0.05, 0.5, 0.95)


def build_statistics() -> str:
    """Return the text of the file: a line for each game studied by its present edition."""
    errors = load_errors()
    lines = []
    for slug, studies in load_all_studies().items():
        study = get_study(studies, USUAL)
        if study.edition == GAMES[slug].edition:
            skill, error = _summarise_skill(studies, study), _summarise_error(errors.get(slug))
            lines.append(f"{write_json(slug)}: {write_json(_summarise(study) | skill | error)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _summarise(study: Study) -> dict[str, object]:
    return {
        "edition": study.edition,
        "games": study.games,
        "throws": [study.length_quantile(share).value for share in QUANTILES],
        "starter_wins": _round_percent(study.starter_share),
        "starter_wins_as": {
            side.value: _round_percent(share)
            for side in Side
            if (share := study.starting_win_share(side)).whole
        },
    }


def _summarise_skill(studies: Mapping[str, AnyStudy], usual: Study) -> dict[str, int]:
    """Return how often the game's player beats simpler ones, as far as they have met."""
    return {
        name: _round_percent(met.share)
        for name, key in (("beats_greedy", "net:greedy"), ("beats_random", "net:random"))
        if isinstance(met := studies.get(key), HeadToHead) and met.edition == usual.edition
    }


def _summarise_error(found: ErrorMeasurement | None) -> dict[str, float]:
    """Return how far evaluations typically err; nothing of a solved game, as nobody need ask."""
    if found is None or not found.rollouts:
        return {}
    return {"evaluation_error": round(found.zero_ply.typical, 3)}


def _round_percent(share: Share) -> int:
    return round(100 * share.value)
