"""Trying: /match try, and the button that plays what was tried."""

from discord import app_commands

from bot.features.matches import service as play
from bot.features.matches.commands import LONGEST_PLAY, offer_plays
from bot.features.matches.interactions import make_action
from bot.features.matches.match_choice import match_command
from bot.features.matches.reach import find_match_link
from bot.features.matches.reach_texts import explain_how_to_continue
from bot.features.trying import service as trying
from bot.features.trying.cards import trial_card
from bot.features.trying.controls import NOT_YET, PLAY_TRIAL
from bot.features.trying.texts import format_confirmed_play, format_unconfirmed_play
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.card import text_only_card
from bot.platform.ui.declarations import press
from bot.platform.ui.groups import match_group


@match_command(name="try", group=match_group)
@app_commands.rename(text="play")
@app_commands.describe(text="Moves, typed as for /move")
async def attempt(
    answer: InteractionAnswer, match: int, text: app_commands.Range[str, 1, LONGEST_PLAY]
) -> None:
    """See the board after a play before you make it."""
    trial = await trying.try_play(answer.app, make_action(answer, match), text)
    await answer.send(trial_card(answer.reader, trial))


attempt.autocomplete("text")(offer_plays)


@press(PLAY_TRIAL, direct=True)
async def play_trial(answer: InteractionAnswer, match: int, version: int, text: str) -> None:
    """Play what was tried, while the match stands as it did then."""
    # With the version of the trial: if anything has happened since, the board shown is no longer
    # the board that the play would be made on.
    report = await play.play_moves(answer.app, make_action(answer, match, version), text)
    row = report.session.row
    with log_answer_failures(answer.interaction):
        there = await find_match_link(answer.client, row)
        told = format_confirmed_play(
            answer.reader, row.id, None if answer.channel == row.channel else there
        )
        if there is None:
            told = f"{told} {explain_how_to_continue(answer.reader, report.session)}"
        await answer.edit_message(text_only_card(told))


@press(NOT_YET, direct=True)
async def keep_turn_open(answer: InteractionAnswer, text: str) -> None:
    """Leave unplayed what was to be confirmed."""
    await answer.edit_message(text_only_card(format_unconfirmed_play(answer.reader, text)))
