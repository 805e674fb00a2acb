"""The card of a play that is only tried."""

from bot.app.trying import Trial
from bot.views.card import Card, Picture
from bot.views.controls import trial_controls
from bot.views.scene import scene
from bot.words import trying as words
from bot.words.reader import Reader
from render.describe import describe


def trial_card(say: Reader, trial: Trial) -> Card:
    """Return the board as it would stand, for the eyes of whoever tries it, with the button that plays it."""
    shown = scene(say, trial.after, words.in_picture(say, trial))
    return Card(
        texts=words.tried(say, trial),
        picture=Picture(shown, describe(shown)),
        controls=trial_controls(say, trial),
        small=words.nothing_played(say),
        seats=trial.before.seats,
    )
