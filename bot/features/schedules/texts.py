"""What is said of when something is posted by itself."""

from bot.features.schedules.service import PostSchedule
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.time_zones import format_zone, format_zone_warning
from engine.clock import SECOND


def format_hour(schedule: PostSchedule) -> str:
    """Write the hour at which something is posted, and by which clocks."""
    return f"{schedule.chosen.hour}:00 ({format_zone(schedule.zone)})"


def format_next_post(schedule: PostSchedule) -> str:
    """Write when something is posted next."""
    return f"<t:{schedule.following.at // SECOND}:R>"


def explain_zone(say: Reader, schedule: PostSchedule) -> str:
    """Tell where the time zone is chosen, and what is wrong with the present one."""
    told = say("`/server settings` chooses the time zone.")
    return " ".join(filter(None, (told, format_zone_warning(say, schedule.zone))))
