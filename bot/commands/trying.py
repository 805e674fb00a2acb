"""Trying: /try, and the button that plays what was tried."""

from discord import app_commands

from bot.app import play, trying
from bot.commands.asking import make_action
from bot.commands.declarations import command, press
from bot.commands.play import LONGEST_PLAY, offer_plays
from bot.delivery.outlets import InteractionAnswer, log_answer_failures
from bot.delivery.reach import find_match_link
from bot.views import controls
from bot.views.card import text_only_card
from bot.views.trying import trial_card
from bot.words.reach import explain_how_to_continue
from bot.words.trying import format_confirmed_play, format_unconfirmed_play


@command(name="try", match=True)
@app_commands.rename(text="play")
@app_commands.describe(text="Moves, typed as for /move")
async def attempt(
    answer: InteractionAnswer, match: int, text: app_commands.Range[str, 1, LONGEST_PLAY]
) -> None:
    """See the board after a play before you make it."""
    trial = await trying.try_play(answer.app, make_action(answer, match), text)
    await answer.send(trial_card(answer.reader, trial))


attempt.autocomplete("text")(offer_plays)


@press(controls.PLAY_TRIAL)
async def play_trial(answer: InteractionAnswer, match: int, version: int, text: str) -> None:
    """Play what was tried, while the match stands as it did then."""
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


@press(controls.NOT_YET)
async def keep_turn_open(answer: InteractionAnswer, text: str) -> None:
    """Leave unplayed what was to be confirmed."""
    await answer.edit_message(text_only_card(format_unconfirmed_play(answer.reader, text)))
