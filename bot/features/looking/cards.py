"""The cards of those who look for a game: their subscriptions, and the notice of a challenge."""

from collections.abc import Mapping, Sequence

from bot.features.looking import texts as words
from bot.features.looking.controls import list_notice_controls, list_subscription_controls
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card
from bot.platform.ui.places import build_link
from bot.store import Challenge


def subscriptions_card(say: Reader, subjects: Sequence[str], remark: str = "") -> Card:
    """Return what somebody has subscribed to in a server, and say what they have just changed."""
    return Card(
        texts=(*filter(None, (remark,)), words.format_subscriptions(say, subjects)),
        controls=tuple(list_subscription_controls(say, subjects)),
        small=words.explain_notices(say),
    )


def notice_card(say: Reader, challenge: Challenge, names: Mapping[int, str], server: str) -> Card:
    """Return what a subscriber is written about an open challenge."""
    link = build_link(challenge.guild, challenge.channel, challenge.message)
    return Card(
        texts=words.format_notice(say, challenge, names, server),
        controls=list_notice_controls(say, challenge.guild, challenge.game, link),
        small=words.format_notice_end(say, challenge),
    )
