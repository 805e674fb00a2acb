"""What is said of a play that is only tried."""

from bot.features.matches.event_texts import describe_transitions, describe_unplayed_numbers
from bot.features.matches.texts import format_result
from bot.features.trying.service import Trial
from bot.platform.i18n.common import clean_code, format_dice, format_title, keep_together
from bot.platform.i18n.reader import Reader


def format_heading(say: Reader, trial: Trial) -> str:
    """Name a play that is tried."""
    before = trial.before
    return say(
        "### Preview: match {match}, {game}",
        match=before.id,
        game=format_title(say, before.match.game),
    )


def format_question(say: Reader, trial: Trial) -> str:
    """Ask whether a turn is to end."""
    before = trial.before
    return say(
        "### End your turn in match {match}, {game}?",
        match=before.id,
        game=format_title(say, before.match.game),
    )


def format_outcome(say: Reader, trial: Trial) -> tuple[str, ...]:
    """Tell which play is tried and what would come of it."""
    before, after = trial.before, trial.final_session
    play, *following = trial.transitions
    tried = keep_together(trial.text)
    told = say("This is the board after `{play}`.", play=tried)
    if not trial.is_turn_over:
        left = format_dice(after.match.position.dice)
        told = say(
            "This is the board after `{play}`, with {dice} left to play.",
            play=tried,
            dice=left,
        )
    unused = describe_unplayed_numbers(say, before, play.event, trial.session_after_play)
    return told, unused, describe_transitions(say, before, following), format_result(say, after)


def explain_preview(say: Reader) -> str:
    """Tell that a trial changes nothing."""
    return say("Nothing is played yet. Only you can see this.")


def format_unconfirmed_play(say: Reader, text: str) -> str:
    """Tell that a play was not confirmed."""
    return say(
        "Not played yet. Choose another play, or type `/move {play}` to play this one.",
        play=clean_code(text),
    )


def format_confirmed_play(say: Reader, match: int, elsewhere: str | None) -> str:
    """Say that the trial play has been played.

    Where the match goes on `elsewhere`, the sentence leads there.
    """
    if elsewhere is None:
        # Translators: the play that the reader has tried is now played in the match.
        return say("Played.")
    return say("Played. [Match {match} continues here]({link}).", match=match, link=elsewhere)


def format_caption(say: Reader, trial: Trial) -> str:
    """Tell in a picture how the board it shows came about."""
    return say("After {play}", play=trial.text)
