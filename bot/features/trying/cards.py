"""The card of a play that is only tried."""

from bot.features.matches.extensions import PLAY_CONFIRMATIONS
from bot.features.matches.scene import build_scene
from bot.features.matches.service import Action
from bot.features.trying import texts as words
from bot.features.trying.controls import dismiss_trial_control, play_trial_control
from bot.features.trying.service import Trial, find_trial_to_confirm
from bot.platform.i18n.reader import Reader
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import Card, Item, Picture
from render.describe import describe_scene


def trial_card(say: Reader, trial: Trial) -> Card:
    """Return the board after a trial play, for the person who tries it.

    It has the button that plays it.
    """
    return _build_trial_card(
        say, trial, words.format_heading(say, trial), (play_trial_control(say, trial),)
    )


@PLAY_CONFIRMATIONS.add()
async def prepare_confirmation(answer: InteractionAnswer, action: Action, text: str) -> Card | None:
    """Ask whether a play ends the turn, where its player prefers that and it does."""
    trial = await find_trial_to_confirm(answer.app, action, text)
    return confirm_turn_card(answer.reader, trial) if trial else None


def confirm_turn_card(say: Reader, trial: Trial) -> Card:
    """Return the question whether a turn is to end so, for those who prefer to be asked."""
    return _build_trial_card(
        say,
        trial,
        words.format_question(say, trial),
        (play_trial_control(say, trial), dismiss_trial_control(say, trial)),
    )


def _build_trial_card(say: Reader, trial: Trial, heading: str, controls: tuple[Item, ...]) -> Card:
    # The caption replaces the usual status, which would read as if the play had been made.
    shown = build_scene(say, trial.final_session, words.format_caption(say, trial))
    return Card(
        texts=(heading, *words.format_outcome(say, trial)),
        picture=Picture(shown, describe_scene(shown)),
        controls=controls,
        small=words.explain_preview(say),
        seats=trial.before.sides_by_person,
    )
