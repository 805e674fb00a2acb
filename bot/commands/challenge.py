"""Challenging: /challenge, the card of house rules, and the buttons under a challenge."""

from dataclasses import replace
from typing import Any

import discord
from discord import app_commands

from bot.app import challenge as challenges
from bot.app.challenge import LONGEST_WORD, Asked, Wish, read_options, tidy_options
from bot.app.computer import USUAL
from bot.app.errors import Declined, Why
from bot.app.people import Person
from bot.commands.asking import (
    IN_THE_WAY,
    Commands,
    Presses,
    answered,
    asked_of,
    in_servers,
    person_of,
    present,
    still_present,
)
from bot.commands.games import game_choices, paces_like
from bot.commands.ids import message_of, number_of, parts, picked
from bot.delivery.challenges import drop_lost
from bot.delivery.outlets import (
    Answer,
    AppClient,
    Interaction,
    after_saving,
    can_post,
    require_permissions,
)
from bot.views import controls
from bot.views.draft import Draft, draft_card, drafted, read_draft
from bot.views.rules import rules_card
from engine.clock import NONE, read_pace
from engine.folding import fold
from engine.games import GAMES, find_game
from engine.position import Side
from engine.refusal import Refusal
from engine.rules import Game
from render.characters import clip, cut, length

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

    async def work(answer: Answer) -> None:
        require_permissions(interaction)
        wanted = find_game(game)
        against = present(opponent) if opponent else None
        app, guild = interaction.client.app, interaction.guild_id or 0
        if _is_computer(interaction, against):
            # As with /play: it counts where that is wished, and nobody's clock runs.
            time, counts = NONE, rated is True
            if pace and read_pace(pace) != NONE:
                raise Declined(Why.NO_CLOCK)
        else:
            time = await challenges.pace_for(app, guild, pace)
            counts = await challenges.rated_for(app, guild, wished=rated)
        if fold(options) == CHOOSE:
            # It stands in the id of a button, which has no room for more.
            short = clip(word, LONGEST_WORD)
            draft = Draft(wanted, against.id if against else None, Side(side), counts, time, short)
            await _begin_draft(answer, draft, against)
            return
        wish = Wish(wanted, read_options(wanted, options), Side(side), counts, time)
        await _offer(answer, asked_of(interaction, word), against, wish)
        await answer.finish()

    await answered(interaction, work)


async def _offer(answer: Answer, asked: Asked, opponent: Person | None, wish: Wish) -> None:
    """Challenge somebody; the bot itself accepts at once."""
    app = answer.interaction.client.app
    if _is_computer(answer.interaction, opponent):
        await challenges.play_computer(app, asked, wish, USUAL)
    else:
        await _challenge(answer.interaction.client, asked, opponent, wish)


async def _challenge(
    client: AppClient,
    asked: Asked,
    opponent: Person | None,
    wish: Wish,
    rematch_of: int | None = None,
) -> None:
    """Challenge somebody, or anyone.

    Where open challenges are in the way, those that nobody can answer any more are dropped first.
    """
    try:
        await challenges.offer(client.app, asked, opponent, wish, rematch_of)
    except Declined as error:
        if error.why not in IN_THE_WAY:
            raise
        await drop_lost(client, asked.person.id)
        await challenges.offer(client.app, asked, opponent, wish, rematch_of)


def _is_computer(interaction: Interaction, opponent: Person | None) -> bool:
    me = interaction.client.user
    return opponent is not None and me is not None and opponent.id == me.id


async def _begin_draft(answer: Answer, draft: Draft, opponent: Person | None) -> None:
    app = answer.interaction.client.app
    if opponent:
        if not _is_computer(answer.interaction, opponent):
            challenges.may_play(person_of(answer.interaction), opponent, draft.wish({}))
        # The name is asked for again when the card is sent off.
        await app.remember(opponent)
    await answer.tell(draft_card(answer.reader, draft, {}))


@challenge.autocomplete("game")
async def _games_like(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the games whose slug, title or other names hold what was typed."""
    return game_choices(interaction.client.reader(interaction.locale), typed)


challenge.autocomplete("pace")(paces_like)


@challenge.autocomplete("options")
async def _options_like(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the card first, then the options of the chosen game that go on from what was typed."""
    try:
        game = find_game(interaction.namespace.game or "")
    except Refusal:
        return []
    say = interaction.client.reader(interaction.locale)
    card = [
        app_commands.Choice(
            name=cut(say("choose from menus"), controls.LONGEST_ENTRY), value=CHOOSE
        )
    ]
    tidy = tidy_options(typed)
    if typed.endswith((" ", ",")) and not tidy.endswith("="):
        tidy += " "
    done, _, begun = tidy.rpartition(" ")
    prefix = f"{done} " if done else ""
    texts = [
        f"{prefix}{text}"
        for text in _spelt(game)
        if text.startswith(begun) and text.partition("=")[0] not in done
    ]
    listed = [
        app_commands.Choice(name=text, value=text)
        for text in texts
        if length(text) <= controls.LONGEST_ENTRY
    ]
    return [*([] if typed else card), *listed][: controls.MOST_CHOICES]


def _spelt(game: Game) -> list[str]:
    return [
        f"{option.name}={value.name}"
        for option in game.options
        if not option.starter_chooses
        for value in option.values
    ]


async def _draft(interaction: Interaction, rest: str) -> None:
    """Show a card of house rules with what was picked from one of its menus."""

    async def work(answer: Answer) -> None:
        draft, chosen = read_draft(message_of(interaction))
        await answer.replace(
            draft_card(answer.reader, draft, {**chosen, rest: picked(interaction)})
        )

    await answered(interaction, work)


async def _drafted(interaction: Interaction, _: str) -> None:
    """Make a challenge of what a card of house rules shows."""

    async def work(answer: Answer) -> None:
        draft, chosen = read_draft(message_of(interaction))
        require_permissions(interaction)
        names = await interaction.client.app.store.people.names(filter(None, (draft.opponent,)))
        opponent = Person(draft.opponent, names[draft.opponent]) if draft.opponent else None
        if opponent and not _is_computer(interaction, opponent):
            opponent = await still_present(interaction, opponent)
        await _offer(answer, asked_of(interaction, draft.word), opponent, draft.wish(chosen))
        with after_saving(interaction):
            await answer.replace(drafted(answer.reader))

    await answered(interaction, work)


async def _answer(interaction: Interaction, rest: str) -> None:
    """Accept, join, decline, or show the rules: `challenge:act`."""
    which, act = parts(rest, 2)
    asked = number_of(which)
    if act == WORD and interaction.type is discord.InteractionType.component:
        await _ask_for_word(interaction, asked)
        return

    async def work(answer: Answer) -> None:
        await _acted(answer, asked, act)

    await answered(interaction, work)


async def _acted(answer: Answer, number: int, act: str) -> None:
    interaction = answer.interaction
    app = interaction.client.app
    if act == "rules":
        row = await app.store.challenges.get(number)
        await answer.tell_page(
            "rules", rules_card(answer.reader, row.game if row else next(iter(GAMES)))
        )
        return
    require_permissions(interaction)
    match act:
        case "decline":
            await challenges.decline(app, number, person_of(interaction))
        case "accept":
            await challenges.accept(app, number, asked_of(interaction), None)
        case "fill":
            await challenges.fill(app, number, asked_of(interaction), USUAL)
        case "gold" | "black":
            await challenges.accept(app, number, asked_of(interaction), Side(act))
        case _ if act == WORD:
            await challenges.accept(
                app, number, asked_of(interaction, _typed_word(interaction)), None
            )
        case _:
            raise Declined(Why.UNKNOWN_CONTROL)
    await answer.finish()


async def _ask_for_word(interaction: Interaction, number: int) -> None:
    """Open the modal that asks for a word; it must be the first answer, and changes nothing."""
    say = interaction.client.reader(interaction.locale)
    # What is typed comes back under this id, so that it is understood after a restart too.
    modal = discord.ui.Modal(
        title=cut(say("Accept the challenge"), LONGEST_TITLE),
        custom_id=f"{controls.ANSWER}:{number}:{WORD}",
        timeout=900,
    )
    field: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=WORD,
        max_length=LONGEST_WORD,
        placeholder=cut(say("anything nobody can guess"), LONGEST_PLACEHOLDER),
    )
    modal.add_item(
        discord.ui.Label(
            text=cut(say("A secret word for the dice"), LONGEST_TITLE), component=field
        )
    )
    await interaction.response.send_modal(modal)


def _typed_word(interaction: Interaction) -> str:
    data: Any = interaction.data
    try:
        typed: str = data["components"][0]["component"]["value"]
    except (KeyError, IndexError):
        raise Declined(Why.UNKNOWN_CONTROL) from None
    return typed


async def _rematch(interaction: Interaction, rest: str) -> None:
    """Offer a finished match again with sides swapped: `match`."""

    async def work(answer: Answer) -> None:
        require_permissions(interaction)
        client = interaction.client
        again = await challenges.plan_rematch(client.app, number_of(rest), person_of(interaction))
        fitting = (channel for channel in again.channels if can_post(client, again.guild, channel))
        here = asked_of(interaction)
        asked = replace(here, guild=again.guild, channel=next(fitting, here.channel))
        if again.level:
            await challenges.play_computer(client.app, asked, again.wish, again.level, again.match)
        else:
            opponent = again.opponent and await still_present(interaction, again.opponent)
            await _challenge(client, asked, opponent, again.wish, again.match)
        await answer.finish()

    await answered(interaction, work)


async def _begin(interaction: Interaction, rest: str) -> None:
    """Offer a first game to whoever will play, or show the rules: a game's slug, or `rules`."""

    async def work(answer: Answer) -> None:
        if rest == "rules":
            await answer.tell_page("rules", rules_card(answer.reader, next(iter(GAMES))))
            return
        require_permissions(interaction)
        app, guild = interaction.client.app, interaction.guild_id or 0
        time = await challenges.pace_for(app, guild, "")
        counts = await challenges.rated_for(app, guild, wished=None)
        wish = Wish(find_game(rest), {}, rated=counts, pace=time)
        await _challenge(interaction.client, asked_of(interaction), None, wish)
        await answer.finish()

    await answered(interaction, work, everywhere=rest == "rules")


COMMANDS: Commands = (challenge,)
PRESSES: Presses = {
    controls.ANSWER: _answer,
    controls.DRAFT: _draft,
    controls.DRAFTED: _drafted,
    controls.REMATCH: _rematch,
    controls.BEGIN: _begin,
}
