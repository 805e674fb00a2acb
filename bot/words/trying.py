"""What is said of a play that is only tried."""

from bot.app.trying import Trial
from bot.words.common import dice, title
from bot.words.match import leftover, result, story
from bot.words.reader import Reader


def heading(say: Reader, trial: Trial) -> str:
    """Name a play that is tried."""
    before = trial.before
    return say(
        "### Preview: match {match}, {game}", match=before.id, game=title(say, before.match.game)
    )


def question(say: Reader, trial: Trial) -> str:
    """Ask whether a turn is to end."""
    before = trial.before
    return say(
        "### End your turn in match {match}, {game}?",
        match=before.id,
        game=title(say, before.match.game),
    )


def outcome(say: Reader, trial: Trial) -> tuple[str, ...]:
    """Tell which play is tried and what would come of it."""
    before, after = trial.before, trial.after
    play, *following = trial.happenings
    told = say("This is the board after `{play}`.", play=trial.text)
    if not trial.ends_turn:
        left = dice(after.match.position.dice)
        told = say(
            "This is the board after `{play}`, with {dice} left to play.",
            play=trial.text,
            dice=left,
        )
    unused = leftover(say, before, play.event, trial.just_played)
    return told, unused, story(say, before, following), result(say, after)


def nothing_played(say: Reader) -> str:
    """Tell that a trial changes nothing."""
    return say("Nothing is played yet. Only you can see this.")


def not_played(say: Reader, text: str) -> str:
    """Tell that a play was not confirmed."""
    return say(
        "Not played yet. Choose another play, or type `/move {play}` to play this one.", play=text
    )


def played(say: Reader, match: int, elsewhere: str | None) -> str:
    """Say that the trial play has been played.

    Where the match goes on `elsewhere`, the sentence leads there.
    """
    if elsewhere is None:
        return say("Played.")
    return say("Played. [Match {match} continues here]({link}).", match=match, link=elsewhere)


def in_picture(say: Reader, trial: Trial) -> str:
    """Tell in a picture how the board it shows came about."""
    return say("After {play}", play=trial.text)
