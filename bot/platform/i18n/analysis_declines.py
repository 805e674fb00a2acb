"""Why something is not done with a position that is analysed."""

from collections.abc import Callable, Mapping

from bot.platform.errors import DeclineReason
from bot.platform.i18n.reader import Reader

ANALYSIS_DECLINE_TEXTS: Mapping[DeclineReason, Callable[[Reader, Mapping[str, object]], str]] = {
    DeclineReason.ANALYSIS_UNKNOWN: lambda say, _: say(
        "I don't keep that position any more. Set it up again with `/analyse`."
    ),
    DeclineReason.ALREADY_SHARED: lambda say, parts: say(
        "You've shared this position already: [see it in the channel]({link}).", **parts
    ),
    DeclineReason.ANSWER_REVEALED: lambda say, _: say(
        "The answer has already been shown, so plays can't be proposed any more."
    ),
    DeclineReason.NOT_YOURS_TO_REVEAL: lambda say, parts: say(
        "Only {who}, who shared this position, can show the answer.", who=f"<@{parts['sharer']}>"
    ),
    DeclineReason.NO_GAME_NAMED: lambda say, _: say(
        "Choose the game with the option `game`; only an XGID or a GNU Backgammon ID does without."
    ),
    DeclineReason.POSITION_IN_PLAY: lambda say, parts: say(
        "This is, or nearly is, a position of match {match}, which is played without hints. Ask "
        "again when that match is over.",
        **parts,
    ),
}
