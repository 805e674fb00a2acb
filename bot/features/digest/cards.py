"""The message of a club's week."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.features.digest import texts as words
from bot.features.digest.service import WeekDigest
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card


@dataclass(frozen=True, slots=True)
class DigestLinks:
    """Where the things of a week are shown.

    Those are its longest match, the match of its luckiest throw, and contests and ladders by id.
    """

    longest: str | None = None
    luckiest: str | None = None
    contests: Mapping[int, str] = field(default_factory=dict)
    ladders: Mapping[int, str] = field(default_factory=dict)


def digest_card(say: Reader, digest: WeekDigest, links: DigestLinks) -> Card:
    """Return what happened in a server within a week."""
    played = (
        words.format_week_matches(say, digest),
        words.format_week_wins(say, digest),
        words.format_week_longest(say, digest, links.longest),
        words.format_luckiest_throw(say, digest, links.luckiest),
    )
    texts = (
        words.format_digest_heading(say, digest),
        "\n".join(filter(None, played)),
        words.format_won_contests(say, digest, links.contests),
        words.format_ladder_changes(say, digest, links.ladders),
        words.format_next_deadlines(say, digest, links.contests),
    )
    return Card(texts=tuple(filter(None, texts)), small=words.explain_digest(say))
