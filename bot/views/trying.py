"""The card of a play that is only tried."""

from bot.app.trying import Trial
from bot.views.card import Card, Item, Picture
from bot.views.controls import not_yet, play_it
from bot.views.scene import scene
from bot.words import trying as words
from bot.words.reader import Reader
from render.describe import describe


def trial_card(say: Reader, trial: Trial) -> Card:
    """Return the board after a trial play, for the person who tries it.

    It has the button that plays it.
    """
    return _card(say, trial, words.heading(say, trial), (play_it(say, trial),))


def confirming_card(say: Reader, trial: Trial) -> Card:
    """Return the question whether a turn is to end so, for whoever wishes to be asked."""
    return _card(say, trial, words.question(say, trial), (play_it(say, trial), not_yet(say, trial)))


def _card(say: Reader, trial: Trial, heading: str, controls: tuple[Item, ...]) -> Card:
    shown = scene(say, trial.after, words.in_picture(say, trial))
    return Card(
        texts=(heading, *words.outcome(say, trial)),
        picture=Picture(shown, describe(shown)),
        controls=controls,
        small=words.nothing_played(say),
        seats=trial.before.seats,
    )
