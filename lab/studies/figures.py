"""Figures as words: shares, means and lengths, each with how sure it is."""

import math

from lab.studies.study import AnyStudy, HeadToHead, Mean, Quantile, Share, Study

COMMON = 0.01
"""What happens in a smaller share of the games is given as a number of games."""


def format_length(quantile: Quantile) -> str:
    """A number of throws, and the ends of its interval if they differ."""
    if quantile.low == quantile.high:
        return str(quantile.value)
    return f"{quantile.value} ({quantile.low}-{quantile.high})"


def format_middle_range(study: Study) -> str:
    """How many throws the middle nine games in ten take."""
    return f"{study.length_quantile(0.05).value} to {study.length_quantile(0.95).value}"


def format_percent(share: Share) -> str:
    """A share with half the width of its interval."""
    if not share.whole:
        return "-"
    low, high = share.interval
    return f"{100 * share.value:.1f} ± {50 * (high - low):.1f}"


def format_interval(share: Share) -> str:
    """A share and the ends of its interval."""
    if not share.whole:
        return "no game, for none was won"
    low, high = share.interval
    return f"{100 * share.value:.1f}% ({100 * low:.1f}-{100 * high:.1f})"


def format_rare_share(share: Share) -> str:
    """The same of something that may never, or hardly ever, have happened."""
    if not share.part:
        most = 100 * share.interval[1]
        return f"none of {share.whole:,} games (95% sure: in fewer than {most:.2f}%)"
    if share.value < COMMON or _is_nearly_all(share):
        return _format_count(share)
    low, high = share.interval
    return f"{100 * share.value:.1f}% of the games ({100 * low:.1f}-{100 * high:.1f})"


def format_frequency(share: Share) -> str:
    """A share of the games, or the number of games if they are few."""
    if share.value < COMMON:
        return _format_count(share)
    return f"{100 * share.value:.{2 if _is_nearly_all(share) else 1}f}%"


def _is_nearly_all(share: Share) -> bool:
    return 1 - COMMON < share.value < 1


def _format_count(share: Share) -> str:
    if _is_nearly_all(share):
        return f"all but {share.whole - share.part:,} of {share.whole:,} games"
    return f"{share.part:,} of {share.whole:,} games"


def format_mean(found: Mean) -> str:
    """A mean and its error, to the first digit of the error."""
    if not found.value:
        return "0"
    # The rounded logarithm is the place of the error's first digit after the point.
    digits = max(1, -math.floor(math.log10(found.within))) if found.within else 1
    return f"{found.value:.{digits}f} ± {found.within:.{digits}f}"


def format_throw_share(found: Mean) -> str:
    """A share of all throws, in percent, and its error."""
    return format_mean(Mean(100 * found.value, 100 * found.within))


def format_wins(met: AnyStudy | None) -> str:
    """The share of games that the first of two has won; a dash if they have not met."""
    return format_percent(met.share) if isinstance(met, HeadToHead) else "-"
