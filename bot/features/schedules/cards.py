"""What a server's managers read of something that is posted by itself."""

from collections.abc import Sequence

from bot.features.schedules.service import PostSchedule
from bot.features.schedules.texts import explain_zone
from bot.features.servers.cards import format_check
from bot.features.servers.service import MissingPermissions
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, text_only_card


def schedule_card(
    say: Reader, told: str, schedule: PostSchedule | None, lacks: Sequence[MissingPermissions]
) -> Card:
    """Return what is posted where and when, and what the bot lacks there."""
    if schedule is None or not schedule.is_on:
        return text_only_card(told)
    check = format_check(say, lacks) if lacks else ()
    return Card(texts=(told, *check), small=explain_zone(say, schedule))
