"""Analysing: /analyse, /match hint and /match try, and their buttons."""

import asyncio
from dataclasses import replace

import discord
from discord import app_commands

from bot.features.analysis import cards, hints, texts
from bot.features.analysis import service as analyses
from bot.features.analysis.delivery import CountEdits, post_answer, share_analysis, show_count
from bot.features.analysis.guard import require_free_in_server, require_free_position
from bot.features.analysis.hints import HintRequest
from bot.features.analysis.service import Analysis, SharedPlace
from bot.features.matches import interactions
from bot.features.matches import service as play
from bot.features.matches.commands import MAX_PLAY_LENGTH, PLAY_CONFIRMATIONS, offer_plays
from bot.features.matches.places import find_match_link
from bot.features.matches.service import Action
from bot.features.matches.texts import explain_how_to_continue
from bot.platform.i18n.common import join_sentences
from bot.platform.i18n.reader import UnknownControlError
from bot.platform.ui.access import get_server_permissions, is_bot_member, require_server
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.card import Card, text_only_card
from bot.platform.ui.channels import ServerChannel, require_permissions
from bot.platform.ui.controls import get_selection, parse_number, require_message
from bot.platform.ui.declarations import command, match_group, message_menu, press

MAX_GAME_LENGTH, MAX_POSITION_LENGTH, MAX_THROW_LENGTH, MAX_OPTIONS_LENGTH = 100, 500, 20, 200


@command(everywhere=True)
@app_commands.describe(
    position="A position as /analyse writes it, or for backgammon an XGID or GNU ID",
    game="The game (default: backgammon, for an XGID or GNU Backgammon ID)",
    throw="The dice, such as 63, for the best plays",
    options="House rules, such as dice=two-and-six",
)
async def analyse(
    answer: InteractionAnswer,
    position: app_commands.Range[str, 1, MAX_POSITION_LENGTH],
    game: app_commands.Range[str, 0, MAX_GAME_LENGTH] = "",
    throw: app_commands.Range[str, 0, MAX_THROW_LENGTH] = "",
    options: app_commands.Range[str, 0, MAX_OPTIONS_LENGTH] = "",
) -> None:
    """Set up any position and see the best plays."""
    made = await analyses.create_analysis(answer.app, answer.asker, game, position, throw, options)
    await answer.send(await _build_card(answer, made))


analyse.autocomplete("game")(interactions.offer_games)


@message_menu(name="Analyse")
async def analyse_shown(answer: InteractionAnswer, message: discord.Message) -> None:
    """See the best plays in the position that a message shows."""
    session = await interactions.load_shown_session(answer, message)
    made = await analyses.analyse_match(answer.app, answer.asker, session.match)
    await answer.send(await _build_card(answer, made))


async def _build_card(
    answer: InteractionAnswer, analysis: Analysis, number: int = 1, remark: str = ""
) -> Card:
    found = await analyses.find_best(answer.app, analysis, answer.asker, number)
    # What is revealed already is no question any more.
    shareable = is_bot_member(answer.interaction) and analysis.row.revealed is None
    return cards.analysis_card(
        answer.reader, found, answer.person.id, shareable=shareable, remark=remark
    )


@press(cards.ANALYSIS, everywhere=True, edits_public=True)
async def act_in_analysis(answer: InteractionAnswer, number: int, act: str, rest: str = "") -> None:
    """Look at another of the best plays, share the position, propose a play, show the answer."""
    match act:
        case cards.SHOW:
            analysis = await _load_own(answer, number)
            await answer.edit_message(await _build_card(answer, analysis, parse_number(rest)))
        case cards.SHARE:
            await _share(answer, number)
        case cards.PROPOSE:
            await _propose(answer, number, "")
        case cards.PLAY:
            # The id ends in the menu's number and the moves made so far, with a colon between.
            so_far = rest.partition(":")[2]
            await _propose(answer, number, f"{so_far} {get_selection(answer.interaction)}".strip())
        case cards.REVEAL:
            await _reveal(answer, number)
        case _:
            raise UnknownControlError


async def _load_own(answer: InteractionAnswer, number: int) -> Analysis:
    """Return the analysis of the message that somebody alone sees; raises DeclinedError else.

    Numbers of analyses are no secret, and who analyses alone is not kept: that they were shown it
    is what says that it is theirs.
    """
    if not answer.is_private_message:
        raise UnknownControlError
    analysis = await analyses.load_analysis(answer.app, number)
    analyses.require_not_of_another(analysis, answer.person.id)
    # The match may have come to this position only since it was analysed.
    await require_free_position(answer.app, answer.person.id, analysis.match)
    return analysis


async def _share(answer: InteractionAnswer, number: int) -> None:
    """Post a position where it was analysed, and say so to the one who shares it."""
    require_server(answer.interaction)
    require_permissions(answer.interaction)
    analysis = await _load_own(answer, number)
    if not analysis.is_question or analysis.row.guild not in (None, answer.guild):
        raise UnknownControlError
    await require_free_in_server(answer.app, answer.guild, analysis.match)
    here = ServerChannel(answer.client, answer.guild, answer.channel)
    link = await share_analysis(here, analysis, answer.person)
    with log_answer_failures(answer.interaction):
        text = texts.format_shared(answer.reader, link)
        await answer.edit_message(await _build_card(answer, analysis, remark=text))


def _find_shared_place(answer: InteractionAnswer) -> SharedPlace:
    """Return where a shared position is acted in: by its own message, or one's own beside it."""
    message = None if answer.is_private_message else require_message(answer.interaction).id
    return SharedPlace(answer.guild, answer.channel, message)


async def _propose(answer: InteractionAnswer, number: int, text: str) -> None:
    """Let somebody propose a play, in parts if need be, and keep it once it is whole."""
    require_server(answer.interaction)
    app = answer.app
    analysis = await analyses.require_unrevealed(app, number, _find_shared_place(answer))
    attempt = await analyses.attempt_proposal(app, analysis, text)
    if attempt.is_whole:
        await analyses.propose_play(app, answer.person, attempt)
    card = await asyncio.to_thread(cards.proposal_card, answer.reader, attempt, answer.person.id)
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
    place = _find_shared_place(answer)
    moderates = get_server_permissions(answer.interaction).manage_messages
    shown = await analyses.reveal_answer(
        answer.app, number, place, answer.asker, moderates=moderates
    )
    public = replace(answer, private=False)
    with log_answer_failures(answer.interaction):
        await public.edit_message(cards.answer_card(public.reader, shown))
    await post_answer(answer.client, shown)
    # An edit that began before the answer was given may have covered it.
    if await answer.app.get_part(CountEdits).wait(number):
        with log_answer_failures(answer.interaction):
            await public.edit_message(cards.answer_card(public.reader, shown))


@interactions.match_command(group=match_group, order=20)
async def hint(answer: InteractionAnswer, match: int) -> None:
    """See your best play and its equity."""
    await _give_hint(answer, match)


async def _give_hint(answer: InteractionAnswer, match: int) -> None:
    """Show somebody the best they can do, or ask the others whether they allow hints."""
    found = await hints.request_hint(answer.app, match, answer.asker)
    if isinstance(found, HintRequest):
        await _ask_others(answer, found)
    else:
        await answer.send(cards.hint_card(answer.reader, found))


async def _ask_others(answer: InteractionAnswer, wanted: HintRequest) -> None:
    """Ask in the match's channel, once for each who wants hints."""
    row, person = wanted.session.row, answer.person.id
    if wanted.first:
        channel = ServerChannel(answer.client, row.guild, row.channel)
        card = cards.allow_hints_card(channel.reader, wanted, person)
        await channel.post(card, f"hints in match {row.id} for {person}")
        # Only now: a person who was shown a failure must find that nothing has changed.
        await hints.record_consent(answer.app, wanted.session, person)
    await answer.send(cards.hint_waiting_card(answer.reader, wanted))


@press(cards.HINT, direct=True, edits_public=True)
async def ask_or_allow_hint(answer: InteractionAnswer, match: int, what: str) -> None:
    """Ask for a hint, or allow them: `ask` or `allow`."""
    if what == "ask":
        await _give_hint(answer, match)
        return
    wanted = await hints.allow_hints(answer.app, match, answer.guild, answer.person.id)
    if wanted.missing:
        await answer.send(cards.hint_waiting_card(answer.reader, wanted))
    else:
        say = answer.public_reader
        text = say(
            "Hints are now allowed in match {match}. Use `/match hint`.", match=wanted.session.id
        )
        await answer.edit_message(text_only_card(text))


@press(cards.SHOW_PROSPECT, direct=True)
async def show_advice(answer: InteractionAnswer, match: int, version: int, number: int) -> None:
    """Look at another of the best plays."""
    found = await hints.show_prospect(answer.app, match, version, answer.asker, number)
    await answer.edit_message(cards.hint_card(answer.reader, found))


@interactions.match_command(name="try", group=match_group, order=110)
@app_commands.rename(text="play")
@app_commands.describe(text="Moves, typed as for /move")
async def attempt(
    answer: InteractionAnswer, match: int, text: app_commands.Range[str, 1, MAX_PLAY_LENGTH]
) -> None:
    """See the board after a play before you make it."""
    trial = await hints.try_play(answer.app, play.build_action(answer, match), text)
    await answer.send(cards.trial_card(answer.reader, trial))


attempt.autocomplete("text")(offer_plays)


@press(cards.PLAY_TRIAL, direct=True)
async def play_trial(answer: InteractionAnswer, match: int, version: int, text: str) -> None:
    """Play what was tried, while the match stands as it did then."""
    # With the version of the trial: if anything has happened since, the board shown is no longer
    # the board that the play would be made on.
    report = await play.play_moves(answer.app, play.build_action(answer, match, version), text)
    row = report.session.row
    with log_answer_failures(answer.interaction):
        there = await find_match_link(answer.client, row)
        sentence = texts.format_confirmed_play(
            answer.reader, row.id, None if answer.channel == row.channel else there
        )
        if there is None:
            sentence = join_sentences(
                answer.reader, sentence, explain_how_to_continue(answer.reader, report.session)
            )
        await answer.edit_message(text_only_card(sentence))


@PLAY_CONFIRMATIONS.add()
async def build_confirmation(answer: InteractionAnswer, action: Action, text: str) -> Card | None:
    """Ask whether a play ends the turn, if it does; raises what `try_play` raises."""
    trial = await hints.try_play(answer.app, action, text)
    return cards.confirm_turn_card(answer.reader, trial) if trial.is_turn_over else None


@press(cards.NOT_YET, direct=True)
async def keep_turn_open(answer: InteractionAnswer, text: str) -> None:
    """Leave unplayed what was to be confirmed."""
    await answer.edit_message(text_only_card(texts.format_unconfirmed_play(answer.reader, text)))
