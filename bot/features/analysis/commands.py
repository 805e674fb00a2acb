"""Analysing: /analyse, and the buttons of an analysis."""

import asyncio
from dataclasses import replace

from discord import app_commands

from bot.features.analysis import controls, sharing
from bot.features.analysis import service as analyses
from bot.features.analysis.cards import analysis_card
from bot.features.analysis.controls import ANALYSIS
from bot.features.analysis.delivery import AnalysisLocks, post_answer, share_analysis, show_count
from bot.features.analysis.service import Analysis
from bot.features.analysis.share_cards import answer_card, proposal_card
from bot.features.analysis.share_texts import format_shared
from bot.features.analysis.sharing import SharedPlace
from bot.features.challenges.game_choice import offer_games
from bot.features.hints.guard import require_free_in_server, require_free_position
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.card import Card
from bot.platform.ui.channels import ServerChannel
from bot.platform.ui.declarations import command, press
from bot.platform.ui.ids import get_selection, parse_number, require_message
from bot.platform.ui.membership import is_bot_member, require_server
from bot.platform.ui.places import require_permissions

LONGEST_GAME, LONGEST_POSITION, LONGEST_THROW, LONGEST_OPTIONS = 100, 500, 20, 200


@command(everywhere=True)
@app_commands.describe(
    position="A position as /analyse writes it, or for backgammon an XGID or GNU ID",
    game="The game (default: backgammon, for an XGID or GNU Backgammon ID)",
    throw="The dice, such as 63, for the best plays",
    options="House rules, such as dice=two-and-six",
)
async def analyse(
    answer: InteractionAnswer,
    position: app_commands.Range[str, 1, LONGEST_POSITION],
    game: app_commands.Range[str, 0, LONGEST_GAME] = "",
    throw: app_commands.Range[str, 0, LONGEST_THROW] = "",
    options: app_commands.Range[str, 0, LONGEST_OPTIONS] = "",
) -> None:
    """Set up any position and see the best plays."""
    made = await analyses.create_analysis(answer.app, answer.asker, game, position, throw, options)
    await answer.send(await _build_card(answer, made))


analyse.autocomplete("game")(offer_games)


async def _build_card(
    answer: InteractionAnswer, analysis: Analysis, number: int = 1, remark: str = ""
) -> Card:
    found = await analyses.find_best(answer.app, analysis, answer.asker, number)
    # What is revealed already is no question any more.
    shareable = is_bot_member(answer.interaction) and analysis.row.revealed is None
    return analysis_card(answer.reader, found, answer.person.id, shareable=shareable, remark=remark)


@press(ANALYSIS, everywhere=True, edits_public=True)
async def act_in_analysis(answer: InteractionAnswer, number: int, act: str, rest: str = "") -> None:
    """Look at another of the best plays, share the position, propose a play, show the answer."""
    match act:
        case controls.SHOW:
            analysis = await _load_own(answer, number)
            await answer.edit_message(await _build_card(answer, analysis, parse_number(rest)))
        case controls.SHARE:
            await _share(answer, number)
        case controls.PROPOSE:
            await _propose(answer, number, "")
        case controls.PLAY:
            # The id ends in the menu's number and the moves made so far, with a colon between.
            so_far = rest.partition(":")[2]
            await _propose(answer, number, f"{so_far} {get_selection(answer.interaction)}".strip())
        case controls.REVEAL:
            await _reveal(answer, number)
        case _:
            raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)


async def _load_own(answer: InteractionAnswer, number: int) -> Analysis:
    """Return the analysis of the message that somebody alone sees; raises DeclinedError else.

    Numbers of analyses are no secret, and who analyses alone is not kept: that they were shown it
    is what says that it is theirs.
    """
    if not answer.is_private_message:
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    analysis = await analyses.load_analysis(answer.app, number)
    sharing.require_not_of_another(analysis, answer.person.id)
    # The match may have come to this position only since it was analysed.
    await require_free_position(answer.app, answer.person.id, analysis.match)
    return analysis


async def _share(answer: InteractionAnswer, number: int) -> None:
    """Post a position where it was analysed, and say so to the one who shares it."""
    require_server(answer.interaction)
    require_permissions(answer.interaction)
    analysis = await _load_own(answer, number)
    if not analysis.is_question or analysis.row.guild not in (None, answer.guild):
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    await require_free_in_server(answer.app, answer.guild, analysis.match)
    here = ServerChannel(answer.client, answer.guild, answer.channel)
    link = await share_analysis(here, analysis, answer.person)
    with log_answer_failures(answer.interaction):
        told = format_shared(answer.reader, link)
        await answer.edit_message(await _build_card(answer, analysis, remark=told))


def _find_shared_place(answer: InteractionAnswer) -> SharedPlace:
    """Return where a shared position is acted in: by its own message, or one's own beside it."""
    message = None if answer.is_private_message else require_message(answer.interaction).id
    return SharedPlace(answer.guild, answer.channel, message)


async def _propose(answer: InteractionAnswer, number: int, text: str) -> None:
    """Let somebody propose a play, in parts if need be, and keep it once it is whole."""
    require_server(answer.interaction)
    app = answer.app
    analysis = await sharing.require_unrevealed(app, number, _find_shared_place(answer))
    attempt = await sharing.attempt_proposal(app, analysis, text)
    if attempt.is_whole:
        await sharing.propose_play(app, answer.person, attempt)
    card = await asyncio.to_thread(proposal_card, answer.reader, attempt, answer.person.id)
    with log_answer_failures(answer.interaction):
        # On everyone's message a proposal begins; it goes on in the person's own.
        if answer.is_private_message:
            await answer.edit_message(card)
        else:
            await answer.send(card)
    if attempt.is_whole:
        await show_count(answer.client, number)


async def _reveal(answer: InteractionAnswer, number: int) -> None:
    """Show everyone the best plays and who has proposed what."""
    require_server(answer.interaction)
    async with answer.app.get_part(AnalysisLocks).get(number):
        place = _find_shared_place(answer)
        shown = await sharing.reveal_answer(answer.app, number, place, answer.asker)
        public = replace(answer, private=False)
        with log_answer_failures(answer.interaction):
            await public.edit_message(answer_card(public.reader, shown))
    await post_answer(answer.client, shown)
