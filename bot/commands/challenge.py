"""Challenging: /challenge, the card of house rules, and the buttons under a challenge."""

from dataclasses import replace
from typing import Any

import discord
from discord import app_commands

from bot.app import challenge as challenges
from bot.app.challenge import (
    LONGEST_WORD,
    MatchRequest,
    MatchTerms,
    normalise_options,
    parse_options,
)
from bot.app.computer import DEFAULT_LEVEL
from bot.app.errors import DeclinedError, DeclineReason
from bot.app.people import DiscordPerson
from bot.commands.asking import (
    WITHDRAWABLE_REASONS,
    Commands,
    Presses,
    get_person,
    in_servers,
    make_match_request,
    require_current_member,
    require_member,
    respond,
)
from bot.commands.games import list_game_choices, offer_paces
from bot.commands.ids import get_selection, parse_number, require_message, split_id
from bot.delivery.challenges import drop_lost_challenges
from bot.delivery.outlets import (
    AppClient,
    Interaction,
    InteractionAnswer,
    can_post,
    log_answer_failures,
    require_permissions,
)
from bot.views import controls
from bot.views.draft import Draft, draft_card, draft_posted_card, parse_draft
from bot.views.rules import rules_card
from engine.clock import UNLIMITED, parse_pace
from engine.folding import fold_text
from engine.games import GAMES, find_game
from engine.position import Side
from engine.refusal import Refusal
from engine.rules import Game
from render.characters import clip_text, shorten_text, utf16_length

LONGEST_NAME, LONGEST_OPTIONS, LONGEST_PACE = 100, 200, 40
LONGEST_TITLE, LONGEST_PLACEHOLDER = 45, 100
"""Characters that Discord shows of a modal's title or label, and of the hint in a field."""
CHOOSE = "choose"
"""What is typed in place of options to choose from menus."""
WORD = "word"
"""The act in the id of the modal that asks for a secret word for the dice.

The challenge comes before it: `challenge:word`.
"""


@app_commands.command()
@in_servers
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
    interaction: Interaction,
    game: app_commands.Range[str, 1, LONGEST_NAME],
    opponent: discord.User | None = None,
    side: str = Side.GOLD.value,
    rated: bool | None = None,
    pace: app_commands.Range[str, 0, LONGEST_PACE] = "",
    options: app_commands.Range[str, 0, LONGEST_OPTIONS] = "",
    word: app_commands.Range[str, 0, LONGEST_WORD] = "",
) -> None:
    """Challenge somebody, or anyone, to a game."""

    async def work(answer: InteractionAnswer) -> None:
        require_permissions(interaction)
        wanted = find_game(game)
        against = require_member(opponent) if opponent else None
        app, guild = interaction.client.app, interaction.guild_id or 0
        if _is_computer(interaction, against):
            # As with /play: it counts where that is wished, and nobody's clock runs.
            time, counts = UNLIMITED, rated is True
            if pace and parse_pace(pace) != UNLIMITED:
                raise DeclinedError(DeclineReason.NO_CLOCK)
        else:
            time = await challenges.choose_pace(app, guild, pace)
            counts = await challenges.is_rated(app, guild, wished=rated)
        if fold_text(options) == CHOOSE:
            # It stands in the id of a button, which has no room for more.
            short = clip_text(word, LONGEST_WORD)
            draft = Draft(wanted, against.id if against else None, Side(side), counts, time, short)
            await _start_draft(answer, draft, against)
            return
        terms = MatchTerms(wanted, parse_options(wanted, options), Side(side), counts, time)
        await _offer_or_start(answer, make_match_request(interaction, word), against, terms)
        await answer.finish()

    await respond(interaction, work)


async def _offer_or_start(
    answer: InteractionAnswer,
    asked: MatchRequest,
    opponent: DiscordPerson | None,
    terms: MatchTerms,
) -> None:
    """Challenge somebody; the bot itself accepts at once."""
    app = answer.interaction.client.app
    if _is_computer(answer.interaction, opponent):
        await challenges.play_computer(app, asked, terms, DEFAULT_LEVEL)
    else:
        await _offer_challenge(answer.interaction.client, asked, opponent, terms)


async def _offer_challenge(
    client: AppClient,
    asked: MatchRequest,
    opponent: DiscordPerson | None,
    terms: MatchTerms,
    rematch_of: int | None = None,
) -> None:
    """Challenge somebody, or anyone.

    Where open challenges are in the way, those that nobody can answer any more are dropped first.
    """
    try:
        await challenges.offer_match(client.app, asked, opponent, terms, rematch_of)
    except DeclinedError as error:
        if error.why not in WITHDRAWABLE_REASONS:
            raise
        await drop_lost_challenges(client, asked.person.id)
        await challenges.offer_match(client.app, asked, opponent, terms, rematch_of)


def _is_computer(interaction: Interaction, opponent: DiscordPerson | None) -> bool:
    me = interaction.client.user
    return opponent is not None and me is not None and opponent.id == me.id


async def _start_draft(
    answer: InteractionAnswer, draft: Draft, opponent: DiscordPerson | None
) -> None:
    app = answer.interaction.client.app
    if opponent:
        if not _is_computer(answer.interaction, opponent):
            challenges.require_valid_opponent(
                get_person(answer.interaction), opponent, draft.with_options({})
            )
        # The name is asked for again when the card is sent off.
        await app.save_people(opponent)
    await answer.send(draft_card(answer.reader, draft, {}))


@challenge.autocomplete("game")
async def _games_like(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the games whose slug, title or other names hold what was typed."""
    return list_game_choices(interaction.client.get_reader(interaction.locale), typed)


challenge.autocomplete("pace")(offer_paces)


@challenge.autocomplete("options")
async def _options_like(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the card first, then the options of the chosen game that go on from what was typed."""
    try:
        game = find_game(interaction.namespace.game or "")
    except Refusal:
        return []
    say = interaction.client.get_reader(interaction.locale)
    card = [
        app_commands.Choice(
            name=shorten_text(say("choose from menus"), controls.LONGEST_ENTRY), value=CHOOSE
        )
    ]
    tidy = normalise_options(typed)
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
        if utf16_length(text) <= controls.LONGEST_ENTRY
    ]
    return [*([] if typed else card), *listed][: controls.MOST_CHOICES]


def _spell_options(game: Game) -> list[str]:
    return [
        f"{option.name}={value.name}"
        for option in game.options
        if not option.starter_chooses
        for value in option.values
    ]


async def _handle_draft(interaction: Interaction, rest: str) -> None:
    """Show a card of house rules with what was picked from one of its menus."""

    async def work(answer: InteractionAnswer) -> None:
        draft, chosen = parse_draft(require_message(interaction))
        await answer.edit_message(
            draft_card(answer.reader, draft, {**chosen, rest: get_selection(interaction)})
        )

    await respond(interaction, work)


async def _handle_draft_offer(interaction: Interaction, _: str) -> None:
    """Make a challenge of what a card of house rules shows."""

    async def work(answer: InteractionAnswer) -> None:
        draft, chosen = parse_draft(require_message(interaction))
        require_permissions(interaction)
        names = await interaction.client.app.store.people.load_display_names(
            filter(None, (draft.opponent,))
        )
        opponent = DiscordPerson(draft.opponent, names[draft.opponent]) if draft.opponent else None
        if opponent and not _is_computer(interaction, opponent):
            opponent = await require_current_member(interaction, opponent)
        await _offer_or_start(
            answer,
            make_match_request(interaction, draft.word),
            opponent,
            draft.with_options(chosen),
        )
        with log_answer_failures(interaction):
            await answer.edit_message(draft_posted_card(answer.reader))

    await respond(interaction, work)


async def _handle_answer(interaction: Interaction, rest: str) -> None:
    """Accept, join, decline, or show the rules: `challenge:act`."""
    which, act = split_id(rest, 2)
    asked = parse_number(which)
    if act == WORD and interaction.type is discord.InteractionType.component:
        await _ask_for_word(interaction, asked)
        return

    async def work(answer: InteractionAnswer) -> None:
        await _apply_act(answer, asked, act)

    await respond(interaction, work)


async def _apply_act(answer: InteractionAnswer, number: int, act: str) -> None:
    interaction = answer.interaction
    app = interaction.client.app
    if act == "rules":
        row = await app.store.challenges.get(number)
        await answer.send_page(
            "rules", rules_card(answer.reader, row.game if row else next(iter(GAMES)))
        )
        return
    require_permissions(interaction)
    match act:
        case "decline":
            await challenges.decline_challenge(app, number, get_person(interaction))
        case "accept":
            await challenges.accept_challenge(app, number, make_match_request(interaction), None)
        case "fill":
            await challenges.fill_with_computer(
                app, number, make_match_request(interaction), DEFAULT_LEVEL
            )
        case "gold" | "black":
            await challenges.accept_challenge(
                app, number, make_match_request(interaction), Side(act)
            )
        case _ if act == WORD:
            await challenges.accept_challenge(
                app, number, make_match_request(interaction, _parse_word(interaction)), None
            )
        case _:
            raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    await answer.finish()


async def _ask_for_word(interaction: Interaction, number: int) -> None:
    """Open the modal that asks for a word; it must be the first answer, and changes nothing."""
    say = interaction.client.get_reader(interaction.locale)
    # What is typed comes back under this id, so that it is understood after a restart too.
    modal = discord.ui.Modal(
        title=shorten_text(say("Accept the challenge"), LONGEST_TITLE),
        custom_id=f"{controls.ANSWER}:{number}:{WORD}",
        timeout=900,
    )
    field: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=WORD,
        max_length=LONGEST_WORD,
        placeholder=shorten_text(say("anything nobody can guess"), LONGEST_PLACEHOLDER),
    )
    modal.add_item(
        discord.ui.Label(
            text=shorten_text(say("A secret word for the dice"), LONGEST_TITLE), component=field
        )
    )
    await interaction.response.send_modal(modal)


def _parse_word(interaction: Interaction) -> str:
    data: Any = interaction.data
    try:
        typed: str = data["components"][0]["component"]["value"]
    except (KeyError, IndexError):
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL) from None
    return typed


async def _handle_rematch(interaction: Interaction, rest: str) -> None:
    """Offer a finished match again with sides swapped: `match`."""

    async def work(answer: InteractionAnswer) -> None:
        require_permissions(interaction)
        client = interaction.client
        again = await challenges.plan_rematch(
            client.app, parse_number(rest), get_person(interaction)
        )
        fitting = (channel for channel in again.channels if can_post(client, again.guild, channel))
        here = make_match_request(interaction)
        asked = replace(here, guild=again.guild, channel=next(fitting, here.channel))
        if again.level:
            await challenges.play_computer(client.app, asked, again.terms, again.level, again.match)
        else:
            opponent = again.opponent and await require_current_member(interaction, again.opponent)
            await _offer_challenge(client, asked, opponent, again.terms, again.match)
        await answer.finish()

    await respond(interaction, work)


async def _handle_first_game(interaction: Interaction, rest: str) -> None:
    """Offer a first game to whoever will play, or show the rules: a game's slug, or `rules`."""

    async def work(answer: InteractionAnswer) -> None:
        if rest == "rules":
            await answer.send_page("rules", rules_card(answer.reader, next(iter(GAMES))))
            return
        require_permissions(interaction)
        app, guild = interaction.client.app, interaction.guild_id or 0
        time = await challenges.choose_pace(app, guild, "")
        counts = await challenges.is_rated(app, guild, wished=None)
        terms = MatchTerms(find_game(rest), {}, rated=counts, pace=time)
        await _offer_challenge(interaction.client, make_match_request(interaction), None, terms)
        await answer.finish()

    await respond(interaction, work, everywhere=rest == "rules")


COMMANDS: Commands = (challenge,)
PRESSES: Presses = {
    controls.ANSWER: _handle_answer,
    controls.DRAFT: _handle_draft,
    controls.POST_DRAFT: _handle_draft_offer,
    controls.REMATCH: _handle_rematch,
    controls.BEGIN: _handle_first_game,
}
