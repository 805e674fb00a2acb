"""Challenging: /challenge, the card of house rules, and the buttons under a challenge."""

from dataclasses import replace

import discord
from discord import app_commands

from bot.features.challenges import computer_seats, rematch
from bot.features.challenges import service as challenges
from bot.features.challenges.cards import challenge_dice_card
from bot.features.challenges.controls import ANSWER, CHALLENGE_DICE, REMATCH
from bot.features.challenges.delivery import drop_lost_challenges
from bot.features.challenges.draft_cards import Draft, draft_card
from bot.features.challenges.game_choice import offer_games, offer_paces
from bot.features.challenges.interactions import WITHDRAWABLE_REASONS, make_match_request
from bot.features.challenges.terms import (
    LONGEST_WORD,
    MatchRequest,
    MatchTerms,
    choose_pace,
    is_rated,
    normalise_options,
    parse_options,
)
from bot.features.rulebook.cards import rules_card
from bot.features.servers.controls import BEGIN
from bot.platform.computers import DEFAULT_LEVEL
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.people import DiscordPerson
from bot.platform.ui.access import can_use, require_seen_by, require_use
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import AppClient, Interaction
from bot.platform.ui.controls import LONGEST_ENTRY, MOST_CHOICES
from bot.platform.ui.declarations import command, press
from bot.platform.ui.forms import build_text_form, get_typed_text
from bot.platform.ui.membership import require_current_member, require_member, require_server
from bot.platform.ui.places import can_post, require_own_permissions, require_permissions
from engine.clock import UNLIMITED, parse_pace
from engine.folding import fold_text
from engine.games import GAMES, find_game
from engine.position import Side
from engine.refusal import Refusal
from engine.rules import Game
from render.characters import clip_text, shorten_text, utf16_length

LONGEST_NAME, LONGEST_OPTIONS, LONGEST_PACE = 100, 200, 40
CHOOSE = "choose"
"""What is typed in place of options to choose from menus."""
WORD = "word"
"""The act in the id of the modal that asks for a secret word for the dice.

The challenge comes before it: `challenge:word`.
"""


@command()
@app_commands.describe(
    game="The game to play",
    opponent="Your opponent; leave it out to let anyone accept",
    side="Your side (default: gold)",
    rated="Rated? (default: this server's setting)",
    pace="The time control: live, day, week, none..., or such as 30m+20s",
    options="House rules: `choose` for menus, or typed: dice=two-and-six",
    word="A secret word mixed into the dice, so nobody can predict them",
)
@app_commands.choices(
    side=[app_commands.Choice(name=side.value, value=side.value) for side in Side]
)
async def challenge(
    answer: InteractionAnswer,
    game: app_commands.Range[str, 1, LONGEST_NAME],
    opponent: discord.User | None = None,
    side: str = Side.GOLD.value,
    rated: bool | None = None,
    pace: app_commands.Range[str, 0, LONGEST_PACE] = "",
    options: app_commands.Range[str, 0, LONGEST_OPTIONS] = "",
    word: app_commands.Range[str, 0, LONGEST_WORD] = "",
) -> None:
    """Challenge somebody, or anyone, to a game."""
    require_permissions(answer.interaction)
    wanted = find_game(game)
    against = require_member(opponent) if opponent else None
    if is_computer(answer.client, against):
        # As with /play: it counts where that is chosen, and nobody's clock runs.
        time, counts = UNLIMITED, rated is True
        if pace and parse_pace(pace) != UNLIMITED:
            raise DeclinedError(DeclineReason.NO_CLOCK)
    else:
        time = await choose_pace(answer.app, answer.guild, pace)
        counts = await is_rated(answer.app, answer.guild, wished=rated)
    if fold_text(options) == CHOOSE:
        # It stands in the id of a button, which has no room for more.
        short = clip_text(word, LONGEST_WORD)
        draft = Draft(wanted, against.id if against else None, Side(side), counts, time, short)
        await _start_draft(answer, draft, against)
        return
    terms = MatchTerms(wanted, parse_options(wanted, options), Side(side), counts, time)
    await offer_or_start(answer, make_match_request(answer, word), against, terms)
    await answer.finish()


async def offer_or_start(
    answer: InteractionAnswer,
    asked: MatchRequest,
    opponent: DiscordPerson | None,
    terms: MatchTerms,
) -> None:
    """Challenge somebody; the bot itself accepts at once."""
    if is_computer(answer.client, opponent):
        await computer_seats.play_computer(answer.app, asked, terms, DEFAULT_LEVEL)
    else:
        await _offer_challenge(answer.client, asked, opponent, terms)


async def _offer_challenge(
    client: AppClient,
    asked: MatchRequest,
    opponent: DiscordPerson | None,
    terms: MatchTerms,
    rematch_of: int | None = None,
) -> None:
    """Challenge somebody, or anyone.

    Where open challenges are in the way, those that nobody can answer any more are dropped first.
    Raises DeclinedError for somebody who can't see the channel, and so couldn't answer or play.
    """
    if opponent:
        await require_seen_by(client, asked.guild, asked.channel, {opponent.id: opponent.name})
    try:
        await challenges.offer_match(client.app, asked, opponent, terms, rematch_of)
    except DeclinedError as error:
        # Asking Discord for each message takes time, so it is done only when it could help.
        if error.why not in WITHDRAWABLE_REASONS:
            raise
        await drop_lost_challenges(client, asked.person.id)
        await challenges.offer_match(client.app, asked, opponent, terms, rematch_of)


def is_computer(client: AppClient, opponent: DiscordPerson | None) -> bool:
    """Whether somebody challenges the bot itself."""
    me = client.user
    return opponent is not None and me is not None and opponent.id == me.id


async def _start_draft(
    answer: InteractionAnswer, draft: Draft, opponent: DiscordPerson | None
) -> None:
    if opponent:
        if not is_computer(answer.client, opponent):
            challenges.require_valid_opponent(answer.person, opponent, draft.with_options({}))
        # The name is asked for again when the card is sent off.
        await answer.app.save_people(opponent)
    is_timed = not is_computer(answer.client, opponent)
    await answer.send(draft_card(answer.reader, draft, {}, is_timed=is_timed))


challenge.autocomplete("game")(offer_games)


challenge.autocomplete("pace")(offer_paces)


@challenge.autocomplete("options")
async def _options_like(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the card first, then the options of the chosen game that go on from what was typed."""
    try:
        game = find_game(interaction.namespace.game or "")
    except Refusal:
        return []
    say = interaction.client.get_asker_reader(interaction)
    card = [
        app_commands.Choice(
            name=shorten_text(say("choose from menus"), LONGEST_ENTRY), value=CHOOSE
        )
    ]
    tidy = normalise_options(typed)
    # The tidied text has lost the space that says whether its last word is complete.
    if typed.endswith((" ", ",")) and not tidy.endswith("="):
        tidy += " "
    done, _, begun = tidy.rpartition(" ")
    prefix = f"{done} " if done else ""
    texts = [
        f"{prefix}{text}"
        for text in _spell_options(game)
        if text.startswith(begun) and text.partition("=")[0] not in done
    ]
    listed = [
        app_commands.Choice(name=text, value=text)
        for text in texts
        if utf16_length(text) <= LONGEST_ENTRY
    ]
    return [*([] if typed else card), *listed][:MOST_CHOICES]


def _spell_options(game: Game) -> list[str]:
    return [
        f"{option.name}={value.name}"
        for option in game.options
        if not option.starter_chooses
        for value in option.values
    ]


def _build_word_modal(interaction: Interaction, number: int, act: str) -> discord.ui.Modal | None:
    """Return the modal that asks for a word, for the button that does."""
    if act != WORD:
        return None
    say = interaction.client.get_asker_reader(interaction)
    return build_text_form(
        f"{ANSWER}:{number}:{WORD}",
        title=say("Accept the challenge"),
        label=say("A secret word for the dice"),
        hint=say("anything nobody can guess"),
        longest=LONGEST_WORD,
    )


@press(ANSWER, modal=_build_word_modal)
async def answer_challenge(answer: InteractionAnswer, number: int, act: str) -> None:
    """Accept, join, decline, or show the rules."""
    app, interaction = answer.app, answer.interaction
    if act == "rules":
        game = await challenges.find_challenge_game(app, number, answer.guild)
        await answer.send_page("rules", rules_card(answer.reader, game or next(iter(GAMES))))
        return
    if act == "decline":
        # Also for those who may not write there, whose answer makes the bot post nothing.
        require_own_permissions(interaction)
        await challenges.decline_challenge(app, number, answer.guild, answer.person)
        await answer.finish()
        return
    require_permissions(interaction)
    # The match is played there, wherever a client says that the button is.
    challenge = await challenges.find_open_challenge(app, number, answer.guild)
    if not await can_use(interaction, challenge.channel):
        raise DeclinedError(DeclineReason.CHALLENGE_UNKNOWN)
    asked = make_match_request(answer)
    match act:
        case "accept":
            await challenges.accept_challenge(app, number, asked, None)
        case "fill":
            await computer_seats.fill_with_computer(app, number, asked, DEFAULT_LEVEL)
        case "gold" | "black":
            await challenges.accept_challenge(app, number, asked, Side(act))
        case _ if act == WORD:
            asked = make_match_request(answer, get_typed_text(interaction))
            await challenges.accept_challenge(app, number, asked, None)
        case _:
            raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    await answer.finish()


# People who see the message see its digits too; nobody else learns that there is a challenge.
@press(CHALLENGE_DICE)
async def show_challenge_dice(answer: InteractionAnswer, number: int) -> None:
    """Show what is fixed of the dice before somebody accepts a challenge."""
    challenge = await challenges.find_open_challenge(answer.app, number, answer.guild)
    await answer.send(challenge_dice_card(answer.reader, challenge))


@press(REMATCH, direct=True)
async def offer_rematch(answer: InteractionAnswer, match: int) -> None:
    """Offer a finished match again with sides swapped."""
    require_permissions(answer.interaction)
    client = answer.client
    again = await rematch.plan_rematch(answer.app, match, answer.guild, answer.person)
    # Only there is it known that they are a member.
    if again.guild != answer.guild:
        raise DeclinedError(DeclineReason.ELSEWHERE, match=match)
    fitting = (channel for channel in again.channels if can_post(client, again.guild, channel))
    here = make_match_request(answer)
    # Where neither place takes messages, the rematch is played where its button was pressed.
    asked = replace(here, guild=again.guild, channel=next(fitting, here.channel))
    await require_use(answer.interaction, asked.channel)
    if again.level:
        await computer_seats.play_computer(answer.app, asked, again.terms, again.level, again.match)
    else:
        # People meet in servers only.
        require_server(answer.interaction)
        opponent = again.opponent and await require_current_member(
            answer.interaction, again.opponent
        )
        await _offer_challenge(client, asked, opponent, again.terms, again.match)
    await answer.finish()


@press(BEGIN, everywhere=True)
async def offer_first_game(answer: InteractionAnswer, game: str) -> None:
    """Offer a first game to anyone who will play, or show the rules: a game's slug, or `rules`."""
    if game == "rules":
        await answer.send_page("rules", rules_card(answer.reader, next(iter(GAMES))))
        return
    require_server(answer.interaction)
    require_permissions(answer.interaction)
    time = await choose_pace(answer.app, answer.guild, "")
    counts = await is_rated(answer.app, answer.guild, wished=None)
    terms = MatchTerms(find_game(game), {}, rated=counts, pace=time)
    await _offer_challenge(answer.client, make_match_request(answer), None, terms)
    await answer.finish()
