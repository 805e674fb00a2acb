"""How a rating is written."""

from bot.features.ratings import service as ratings
from bot.platform.i18n.reader import Reader
from bot.store import SkillEstimate


def format_rating(say: Reader, strength: SkillEstimate | None) -> str:
    """Write a rating, a question mark where it is uncertain; a word where there was none."""
    if strength is None:
        return say("new")
    doubt = "" if ratings.is_certain(strength) else "?"
    return f"{ratings.get_display_rating(strength)}{doubt}"
