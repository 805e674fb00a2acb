"""Challenging: /challenge, the card of terms, the entry in a person's menu, and /matches."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import discord
from discord import app_commands

from bot.features.challenges import cards, computer_seats, service
from bot.features.challenges.delivery import decline_or_withdraw, drop_lost_challenges
from bot.features.challenges.service import COMING_MATCHES
from bot.features.challenges.tables import Challenge
from bot.features.challenges.terms import (
    MAX_WORD_LENGTH,
    MatchRequest,
    MatchTerms,
    Rematch,
    choose_pace,
    is_rated,
    normalise_options,
    parse_offered_pace,
    parse_options,
    plan_rematch,
)
from bot.features.challenges.texts import format_challenge_dice
from bot.features.matches import interactions
from bot.features.matches.controls import MATCH_LIST, ROUNDS
from bot.features.matches.loading import load_match_labels, load_running_sessions
from bot.features.matches.places import find_match_links
from bot.features.matches.session import MatchElsewhereError, MatchSession
from bot.features.preferences.service import load_notes
from bot.features.rulebook.cards import BEGIN, rules_card
from bot.platform.i18n.reader import DeclinedError, UnknownControlError, mark_text
from bot.platform.people import DEFAULT_LEVEL, DiscordPerson
from bot.platform.ui import access, channels, controls
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.app_client import AppClient, Interaction
from bot.platform.ui.card import Card, Item, text_only_card
from bot.platform.ui.declarations import command, person_menu, press
from bot.platform.ui.dispatch import helps_refused
from engine.clock import UNLIMITED, parse_pace
from engine.folding import fold_text
from engine.games import GAMES, find_game
from engine.position import Side
from engine.refusal import Refusal
from engine.rules import Game
from render.characters import clip_text, shorten_text, utf16_length


def build_match_request(answer: InteractionAnswer, word: str = "") -> MatchRequest:
    """Return who asks for a match, and where."""
    interaction = answer.interaction
    parent = getattr(interaction.channel, "parent_id", None)
    cause = str(interaction.id)
    return MatchRequest(answer.guild, answer.channel, answer.person, cause, word, parent)


@helps_refused(*cards.WITHDRAWABLE)
async def build_withdrawal_menu(answer: InteractionAnswer) -> tuple[Item, ...]:
    """Return the menu that withdraws the challenges which are in the way."""
    person = answer.person.id
    found = await service.load_open_challenges(answer.app, person)
    return cards.withdrawal_menu(answer.reader, found, person)


CHOOSE = "choose"
"""What is typed in place of options to choose from menus."""
WORD = "word"
"""The act in the id of the modal that asks for a secret word for the dice.

The challenge comes before it: `challenge:word`.
"""


class ChallengerGoneError(DeclinedError):
    person: str
    sentence = mark_text("{person} has left this server, so the challenge is withdrawn.")


class NoClockError(DeclinedError):
    sentence = mark_text("Matches against the computer have no clock, so leave the pace out.")


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
    game: app_commands.Range[str, 1, interactions.MAX_NAME_LENGTH],
    opponent: discord.User | None = None,
    side: str = Side.GOLD.value,
    rated: bool | None = None,
    pace: app_commands.Range[str, 0, interactions.MAX_PACE_LENGTH] = "",
    options: app_commands.Range[str, 0, interactions.MAX_OPTIONS_LENGTH] = "",
    word: app_commands.Range[str, 0, MAX_WORD_LENGTH] = "",
) -> None:
    """Challenge somebody, or anyone, to a game."""
    channels.require_permissions(answer.interaction)
    wanted = find_game(game)
    against = access.require_member(opponent) if opponent else None
    if is_computer(answer.client, against):
        # As with /play: it counts where that is chosen, and nobody's clock runs.
        time, counts = UNLIMITED, rated is True
        if pace and parse_pace(pace) != UNLIMITED:
            raise NoClockError
    else:
        time = await choose_pace(answer.app, answer.guild, pace)
        counts = await is_rated(answer.app, answer.guild, wished=rated)
    if fold_text(options) == CHOOSE:
        # It stands in the id of a button, which has no room for more.
        short = clip_text(word, MAX_WORD_LENGTH)
        draft = cards.Draft(
            wanted, against.id if against else None, Side(side), counts, time, short
        )
        await _start_draft(answer, draft, against)
        return
    terms = MatchTerms(wanted, parse_options(wanted, options), Side(side), counts, time)
    await offer_or_start(answer, build_match_request(answer, word), against, terms)
    await answer.finish()


async def offer_or_start(
    answer: InteractionAnswer,
    request: MatchRequest,
    opponent: DiscordPerson | None,
    terms: MatchTerms,
) -> None:
    """Challenge somebody; the bot itself accepts at once."""
    if is_computer(answer.client, opponent):
        await computer_seats.play_computer(answer.app, request, terms, DEFAULT_LEVEL)
    else:
        await _offer_challenge(answer.client, request, opponent, terms)


async def _offer_challenge(
    client: AppClient,
    request: MatchRequest,
    opponent: DiscordPerson | None,
    terms: MatchTerms,
    rematch_of: int | None = None,
) -> None:
    """Challenge somebody, or anyone.

    Where open challenges are in the way, those that nobody can answer any more are dropped first.
    Raises DeclinedError for somebody who can't see the channel, and so couldn't answer or play.
    """
    if opponent:
        await access.require_seen_by(
            client, request.guild, request.channel, {opponent.id: opponent.name}
        )
    try:
        await service.offer_match(client.app, request, opponent, terms, rematch_of)
    except cards.WITHDRAWABLE:
        # Asking Discord for each message takes time, so it is done only when it could help.
        await drop_lost_challenges(client, request.person.id)
        await service.offer_match(client.app, request, opponent, terms, rematch_of)


def is_computer(client: AppClient, opponent: DiscordPerson | None) -> bool:
    """Whether somebody challenges the bot itself."""
    me = client.user
    return opponent is not None and me is not None and opponent.id == me.id


async def _start_draft(
    answer: InteractionAnswer, draft: cards.Draft, opponent: DiscordPerson | None
) -> None:
    if opponent:
        if not is_computer(answer.client, opponent):
            service.require_valid_opponent(answer.person, opponent, draft.with_options({}))
        # The name is asked for again when the card is sent off.
        await answer.app.save_people(opponent)
    is_timed = not is_computer(answer.client, opponent)
    await answer.send(cards.draft_card(answer.reader, draft, {}, is_timed=is_timed))


challenge.autocomplete("game")(interactions.offer_games)


challenge.autocomplete("pace")(interactions.offer_paces)


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
            name=shorten_text(say("choose from menus"), controls.MAX_ENTRY_LENGTH), value=CHOOSE
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
        if utf16_length(text) <= controls.MAX_ENTRY_LENGTH
    ]
    return [*([] if typed else card), *listed][: controls.MAX_CHOICES]


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
    return controls.build_text_form(
        f"{cards.ANSWER}:{number}:{WORD}",
        title=say("Accept the challenge"),
        label=say("A secret word for the dice"),
        hint=say("anything nobody can guess"),
        longest=MAX_WORD_LENGTH,
    )


@press(cards.ANSWER, modal=_build_word_modal)
async def answer_challenge(answer: InteractionAnswer, number: int, act: str) -> None:
    """Accept, join, decline, or show the rules."""
    app, interaction = answer.app, answer.interaction
    if act == "rules":
        game = await service.find_challenge_game(app, number, answer.guild)
        await answer.send_page("rules", rules_card(answer.reader, game or next(iter(GAMES))))
        return
    if act == "decline":
        # Also for those who may not write there, whose answer makes the bot post nothing.
        channels.require_own_permissions(interaction)
        await decline_or_withdraw(answer.client, number, answer.guild, answer.person)
        await answer.finish()
        return
    channels.require_permissions(interaction)
    # The match is played there, wherever a client says that the button is.
    challenge = await service.find_open_challenge(app, number, answer.guild)
    if not await access.can_use(interaction, challenge.channel):
        raise service.ChallengeUnknownError
    await _require_challenger(answer, challenge)
    request = build_match_request(answer)
    match act:
        case "accept":
            await service.accept_challenge(app, number, request, None)
        case "fill":
            await computer_seats.fill_with_computer(app, number, request, DEFAULT_LEVEL)
        case "gold" | "black":
            await service.accept_challenge(app, number, request, Side(act))
        case _ if act == WORD:
            request = build_match_request(answer, controls.get_typed_text(interaction))
            await service.accept_challenge(app, number, request, None)
        case _:
            raise UnknownControlError
    await answer.finish()


async def _require_challenger(answer: InteractionAnswer, challenge: Challenge) -> None:
    """Withdraw a challenge whose challenger has left the server, and raise DeclinedError."""
    who = challenge.challenger
    if who == answer.person.id or await access.is_member(answer.client, challenge.guild, who):
        return
    names = await answer.app.load_names([who])
    await service.withdraw_for(answer.app, challenge.id)
    raise ChallengerGoneError(names[who])


# People who see the message see its digits too; nobody else learns that there is a challenge.
@press(cards.CHALLENGE_DICE)
async def show_challenge_dice(answer: InteractionAnswer, number: int) -> None:
    """Show what is fixed of the dice before somebody accepts a challenge."""
    challenge = await service.find_open_challenge(answer.app, number, answer.guild)
    await answer.send(Card(texts=format_challenge_dice(answer.reader, challenge)))


@press(cards.REMATCH, direct=True)
async def offer_rematch(answer: InteractionAnswer, match: int) -> None:
    """Offer a finished match again with sides swapped."""
    channels.require_permissions(answer.interaction)
    again = await plan_rematch(answer.app, match, answer.guild, answer.person)
    await _play_again(answer, again)


@press(cards.EASIER, direct=True)
async def play_easier(answer: InteractionAnswer, match: int) -> None:
    """Begin a match that was lost to the computer again, against its next weaker level."""
    channels.require_permissions(answer.interaction)
    again = await plan_rematch(answer.app, match, answer.guild, answer.person)
    if again.easier is None:
        raise UnknownControlError
    await _play_again(answer, replace(again, level=again.easier))


async def _play_again(answer: InteractionAnswer, again: Rematch) -> None:
    client = answer.client
    # Only there is it known that they are a member.
    if again.guild != answer.guild:
        raise MatchElsewhereError(again.match)
    fitting = (
        channel for channel in again.channels if channels.can_post(client, again.guild, channel)
    )
    here = build_match_request(answer)
    # Where neither place takes messages, the rematch is played where its button was pressed.
    request = replace(here, guild=again.guild, channel=next(fitting, here.channel))
    await access.require_use(answer.interaction, request.channel)
    if again.level:
        await computer_seats.play_computer(
            answer.app, request, again.terms, again.level, again.match
        )
    else:
        # People meet in servers only.
        access.require_server(answer.interaction)
        opponent = again.opponent and await access.require_current_member(
            answer.interaction, again.opponent
        )
        await _offer_challenge(client, request, opponent, again.terms, again.match)
    await answer.finish()


@press(BEGIN, everywhere=True)
async def offer_first_game(answer: InteractionAnswer, game: str) -> None:
    """Offer a first game to anyone who will play, or show the rules: a game's slug, or `rules`."""
    if game == "rules":
        await answer.send_page("rules", rules_card(answer.reader, next(iter(GAMES))))
        return
    access.require_server(answer.interaction)
    channels.require_permissions(answer.interaction)
    time = await choose_pace(answer.app, answer.guild, "")
    counts = await is_rated(answer.app, answer.guild, wished=None)
    terms = MatchTerms(find_game(game), {}, rated=counts, pace=time)
    await _offer_challenge(answer.client, build_match_request(answer), None, terms)
    await answer.finish()


@person_menu(name="Challenge")
async def challenge_person(
    answer: InteractionAnswer, person: discord.Member | discord.User
) -> None:
    """Choose a game and its terms, and challenge that person."""
    channels.require_permissions(answer.interaction)
    opponent = access.require_member(person)
    if not is_computer(answer.client, opponent):
        service.require_other_person(answer.person, opponent)
        await service.require_may_challenge(answer.app, build_match_request(answer), opponent)
    # The name is asked for again when the challenge is posted.
    await answer.app.save_people(opponent)
    await answer.send(cards.game_choice_card(answer.reader, opponent.id))


@press(cards.DRAFT_GAME)
async def choose_challenge_game(answer: InteractionAnswer, opponent: int, _: str) -> None:
    """Show the card of terms for the game that was picked against somebody."""
    slug = controls.get_selection(answer.interaction)
    if slug not in GAMES:
        raise UnknownControlError
    person = await controls.require_known_person(answer.app, opponent)
    rated, pace = False, UNLIMITED
    if not is_computer(answer.client, person):
        pace = await choose_pace(answer.app, answer.guild, "")
        rated = await is_rated(answer.app, answer.guild, wished=None)
    draft = cards.Draft(find_game(slug), opponent, Side.GOLD, rated, pace, "")
    if not is_computer(answer.client, person):
        service.require_valid_opponent(answer.person, person, draft.with_options({}))
    await answer.edit_message(build_draft_card(answer, draft, {}))


def build_draft_card(
    answer: InteractionAnswer, draft: cards.Draft, chosen: Mapping[str, str]
) -> Card:
    """Return the card of terms; against the computer nobody's clock runs."""
    me = answer.client.user
    is_timed = me is None or draft.opponent != me.id
    return cards.draft_card(answer.reader, draft, chosen, is_timed=is_timed)


@press(cards.DRAFT_TERM)
async def choose_challenge_term(
    answer: InteractionAnswer, term: cards.DraftTerm, value: str = ""
) -> None:
    """Show a card of terms with another side or pace, rated or not."""
    draft, chosen = cards.parse_draft(controls.require_message(answer.interaction))
    match term:
        case cards.DraftTerm.SIDE:
            side = controls.parse_choice(Side, controls.get_selection(answer.interaction))
            draft = replace(draft, side=side)
        case cards.DraftTerm.PACE:
            draft = replace(
                draft, pace=parse_offered_pace(controls.get_selection(answer.interaction))
            )
        case cards.DraftTerm.RATED:
            draft = replace(draft, rated=controls.parse_switch(value))
    await answer.edit_message(build_draft_card(answer, draft, chosen))


@press(cards.DRAFT)
async def choose_house_rule(answer: InteractionAnswer, option: str) -> None:
    """Show a card of terms with what was picked from one of its menus of house rules."""
    draft, chosen = cards.parse_draft(controls.require_message(answer.interaction))
    selected = {**chosen, option: controls.get_selection(answer.interaction)}
    await answer.edit_message(build_draft_card(answer, draft, selected))


@press(cards.POST_DRAFT)
async def offer_draft(answer: InteractionAnswer) -> None:
    """Make a challenge of what a card of terms shows."""
    interaction = answer.interaction
    draft, chosen = cards.parse_draft(controls.require_message(interaction))
    channels.require_permissions(interaction)
    opponent = (
        await controls.require_known_person(answer.app, draft.opponent) if draft.opponent else None
    )
    if opponent and not is_computer(answer.client, opponent):
        # The card may be days old: they may have left the server, or lost the role, since.
        opponent = await access.require_current_member(interaction, opponent)
    request = build_match_request(answer, draft.word)
    await offer_or_start(answer, request, opponent, draft.with_options(chosen))
    say = answer.reader
    with log_answer_failures(interaction):
        await answer.edit_message(text_only_card(say("Your challenge has been posted.")))


MATCHES = "matches"
"""The kind of the pages that list matches."""


@command(everywhere=True)
async def matches(answer: InteractionAnswer) -> None:
    """List your matches in progress and your open challenges."""
    await _list_matches(answer)


@press(MATCH_LIST, everywhere=True)
async def open_match_list(answer: InteractionAnswer) -> None:
    """List somebody's matches in progress and their open challenges."""
    await _list_matches(answer)


async def _list_matches(answer: InteractionAnswer) -> None:
    sessions = await load_running_sessions(answer.app, answer.person.id)
    await answer.send_page(MATCHES, await _build_matches_card(answer, sessions))


async def _build_matches_card(answer: InteractionAnswer, sessions: Sequence[MatchSession]) -> Card:
    client, person = answer.client, answer.person.id
    links = await find_match_links(client, [each.row for each in sessions])
    notes = await load_notes(client.app, person, [each.id for each in sessions])
    opened = [
        cards.OpenChallenge(each, _build_challenge_link(each))
        # The list is where people wonder about a challenge whose message was deleted.
        for each in await drop_lost_challenges(client, person)
    ]
    labels = await load_match_labels(client.app, answer.reader, sessions)
    coming = [
        line
        for load in COMING_MATCHES.list_functions()
        for line in await load(client.app, answer.reader, person)
    ]
    return cards.matches_card(answer.reader, sessions, person, links, notes, opened, labels, coming)


def _build_challenge_link(challenge: Challenge) -> str | None:
    if challenge.message is None:
        return None
    return channels.build_link(challenge.guild, challenge.channel, challenge.message)


@press(cards.WITHDRAW, everywhere=True)
async def withdraw_challenge(answer: InteractionAnswer) -> None:
    """Withdraw or decline the challenge that was picked, and show what is left."""
    number = controls.parse_number(controls.get_selection(answer.interaction))
    await decline_or_withdraw(answer.client, number, answer.guild, answer.person)
    # The challenge is withdrawn by now, whatever becomes of the answer.
    with log_answer_failures(answer.interaction):
        sessions = await load_running_sessions(answer.app, answer.person.id)
        await answer.turn_page(MATCHES, await _build_matches_card(answer, sessions))


@press(ROUNDS, everywhere=True)
async def show_waiting_match(answer: InteractionAnswer, way: str, here: int) -> None:
    """Show the match that waits before or after another, or the list where there is none."""
    client, person = answer.client, answer.person.id
    running = await load_running_sessions(client.app, person)
    waiting = [each for each in running if each.person_to_act == person]
    # The match shown may have been played meanwhile, so its neighbours are found by number.
    beside = [at for at, each in enumerate(waiting) if each.id > here]
    if way == "back":
        # Reversed, so that the nearest comes first here too.
        beside = [at for at, each in enumerate(waiting) if each.id < here][::-1]
    if beside:
        at = beside[0]
        found = waiting[at]
        notes = await load_notes(client.app, person, [found.id])
        links = await find_match_links(client, [found.row])
        card = cards.waiting_match_card(
            answer.reader, waiting, at, links.get(found.id), notes.get(found.id, "")
        )
    else:
        card = await _build_matches_card(answer, running)
    await answer.turn_page(MATCHES, card)
