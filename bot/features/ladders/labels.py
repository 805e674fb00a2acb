"""The ladder to which a match belongs, as a list of matches says it."""

from collections.abc import Mapping, Sequence

from bot.features.matches.session import MatchSession
from bot.features.rulebook.extensions import MATCH_LABELS
from bot.platform.context import App
from bot.platform.i18n.common import escape_text
from bot.platform.i18n.reader import Reader


@MATCH_LABELS.add()
async def load_ladder_labels(
    app: App, say: Reader, sessions: Sequence[MatchSession]
) -> Mapping[int, str]:
    """Return the names of the ladders of those matches that belong to one."""
    numbers = {each.id: each.row.ladder for each in sessions if each.row.ladder is not None}
    if not numbers:
        return {}
    found = await app.store.ladders.load_several(set(numbers.values()))
    return {match: escape_text(found[number].name) for match, number in numbers.items()}
