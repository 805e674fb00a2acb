"""How managers choose where and when something is posted, such as the digest: /server settings."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.features.posts.delivery import follow_digest_zone, require_postable
from bot.features.posts.rows import PostKind
from bot.features.posts.service import PostSchedule, choose_schedule, load_schedule, stop_schedule
from bot.features.posts.texts import format_digest_schedule, format_hour_label
from bot.features.servers import cards
from bot.features.servers.commands import show_section
from bot.platform.context import App
from bot.platform.db.rows import Job
from bot.platform.features import ExtensionPoint
from bot.platform.i18n.reader import Reader, UnknownControlError, mark_text
from bot.platform.ui.access import require_manager
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import PanelRow
from bot.platform.ui.controls import build_choice_menu, get_selection, parse_number
from bot.platform.ui.declarations import press
from bot.platform.ui.panels import format_saved

POST_CHANNEL, POST_HOUR = "postchannel", "posthour"
"""Choose where, or at which hour, something is posted; the ids name what."""
HOURS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class PostChoice:
    """What can be posted: the kind, its marked label, the job that posts it, what is said of it.

    `build_job` takes the server and the instant. `clean_up` removes what is stored of a server for
    its posts alone, once they are stopped.
    """

    post: PostKind
    label: str
    build_job: Callable[[int, int], Job]
    format_schedule: Callable[[Reader, PostSchedule | None], str]
    clean_up: Callable[[App, int], Awaitable[None]] | None = None


GetPostChoice: TypeAlias = Callable[[], PostChoice]
POST_CHOICES: ExtensionPoint[GetPostChoice] = ExtensionPoint()
"""What servers can have posted, in the order in which it is offered."""


@POST_CHOICES.add(20)
def _get_digest_choice() -> PostChoice:
    return PostChoice(
        post=PostKind.DIGEST,
        label=mark_text("**Weekly digest**\n-# Where it's posted on Mondays"),
        build_job=follow_digest_zone,
        format_schedule=format_digest_schedule,
    )


@cards.SECTION_ROWS[cards.ServerPanel.POSTS].add()
async def load_post_rows(answer: InteractionAnswer) -> Sequence[PanelRow]:
    """Return where and when each thing is posted, to be chosen."""
    say = reader = answer.reader
    rows = []
    for choice in _list_choices():
        schedule = await load_schedule(answer.app, answer.guild, choice.post)
        channel = schedule.chosen.channel if schedule else None
        chosen = [] if channel is None else [channel]
        custom_id = f"{POST_CHANNEL}:{choice.post}"
        # Translators: in a menu of channels in which none is chosen: nothing is posted.
        menu = cards.build_channel_menu(custom_id, say("Off"), cards.POSTABLE, chosen)
        rows.append(PanelRow(reader(choice.label), menu))
        if schedule is not None and schedule.is_on:
            hours = [(str(hour), f"{hour}:00", "") for hour in range(HOURS)]
            menu = build_choice_menu(f"{POST_HOUR}:{choice.post}", hours, str(schedule.chosen.hour))
            rows.append(PanelRow(format_hour_label(say, schedule), menu))
    return rows


def _list_choices() -> list[PostChoice]:
    return [get_choice() for get_choice in POST_CHOICES.list_functions()]


@press(POST_CHANNEL)
async def choose_post_channel(answer: InteractionAnswer, post: PostKind) -> None:
    """Have something posted in the channel that was picked, or nowhere."""
    require_manager(answer.interaction)
    channel = cards.read_channel(answer.interaction)
    choice = _find_choice(post)
    if channel is None:
        await stop_schedule(answer.app, answer.guild, post)
        if choice.clean_up:
            await choice.clean_up(answer.app, answer.guild)
        await _show_saved(answer, choice, None)
    else:
        await _choose_schedule(answer, choice, channel, None)


@press(POST_HOUR)
async def choose_post_hour(answer: InteractionAnswer, post: PostKind) -> None:
    """Have something posted at the hour that was picked."""
    require_manager(answer.interaction)
    hour = parse_number(get_selection(answer.interaction))
    before = await load_schedule(answer.app, answer.guild, post)
    # Another manager may have stopped it meanwhile.
    if hour >= HOURS or before is None or before.chosen.channel is None:
        raise UnknownControlError
    await _choose_schedule(answer, _find_choice(post), before.chosen.channel, hour)


def _find_choice(post: PostKind) -> PostChoice:
    return next(each for each in _list_choices() if each.post is post)


async def _choose_schedule(
    answer: InteractionAnswer, choice: PostChoice, channel: int, hour: int | None
) -> None:
    app, guild = answer.app, answer.guild
    require_postable(answer.client, guild, channel)
    schedule = await choose_schedule(
        app, guild, choice.post, channel, hour, lambda at: choice.build_job(guild, at)
    )
    await _show_saved(answer, choice, schedule)


async def _show_saved(
    answer: InteractionAnswer, choice: PostChoice, schedule: PostSchedule | None
) -> None:
    say = answer.reader
    saved = format_saved(say, choice.format_schedule(say, schedule))
    await show_section(answer, cards.ServerPanel.POSTS, saved)
