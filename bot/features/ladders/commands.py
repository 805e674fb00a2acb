"""Ladders: /ladder create, standings, challenge and manage, and the buttons."""

import discord
from discord import app_commands

from bot.features.challenges.commands import build_match_request
from bot.features.contests import competitions
from bot.features.ladders import cards, forms, service
from bot.features.ladders.delivery import ask_presence, is_channel_gone, look_around
from bot.features.ladders.rungs import list_readmittable
from bot.features.ladders.tables import Ladder, LadderView
from bot.features.matches import interactions
from bot.features.matches.texts import format_relative_time, mention_person
from bot.platform.i18n.reader import DeclinedError, UnknownControlError, escape_text, mark_text
from bot.platform.people import DiscordPerson
from bot.platform.ui import access
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.app_client import Interaction, build_person
from bot.platform.ui.card import Card
from bot.platform.ui.channels import require_permissions
from bot.platform.ui.controls import get_selection, get_typed_text, parse_number
from bot.platform.ui.declarations import command, in_servers, press

ladder = in_servers(app_commands.Group(name="ladder", description="Climb this server's ladders"))
LADDER: competitions.CompetitionKind[Ladder, LadderView] = competitions.CompetitionKind(
    load_latest=service.load_latest,
    load=service.load_ladder,
    list_own=service.load_own_ladders,
    is_going_on=lambda ladder: ladder.is_open,
    format_name=lambda _, ladder: ladder.name,
    unknown=service.LadderUnknownError,
    none=service.NoLadderError,
    several=service.SeveralLaddersError,
)
_commands = competitions.CompetitionCommands(ladder, LADDER)


class LadderLostError(DeclinedError):
    ladder: str
    sentence = mark_text(
        "The channel of {ladder} is gone. Its organisers can move it to another one with "
        "`/ladder manage` there."
    )


@command(group=ladder)
@app_commands.describe(name="What the ladder is called", game="The game; a form asks for the rest")
async def create(
    answer: InteractionAnswer,
    name: app_commands.Range[str, 1, competitions.MAX_COMPETITION_NAME_LENGTH],
    game: app_commands.Range[str, 1, interactions.MAX_NAME_LENGTH],
) -> None:
    """Open a ladder that people here can join at any time."""
    options = service.LadderOptions(name=name, game=game, pace="three-days")
    await forms.open_ladder_form(answer, options)


create.autocomplete("game")(interactions.offer_games)


@press(cards.JOIN)
async def press_join_ladder(answer: InteractionAnswer, number: int) -> None:
    """Join the ladder whose card this is."""
    view = await service.load_ladder(answer.app, number, answer.guild)
    await access.require_sight(answer.interaction, view.ladder.channel)
    joined = await service.join_ladder(answer.app, view.ladder.id, answer.person)
    say = answer.reader
    await answer.confirm(
        say(
            "You've joined {ladder} on rung {n}. **Challenge**, below it or in `/ladder "
            "standings`, shows whom you can challenge.",
            ladder=escape_text(joined.ladder.name),
            n=joined.rungs.index(answer.person.id) + 1,
        )
    )


@press(cards.LEAVE)
async def press_leave_ladder(answer: InteractionAnswer, number: int, sure: str = "") -> None:
    """Leave the ladder whose card this is: with matches in progress only once they are `sure`."""
    view = await service.load_ladder(answer.app, number, answer.guild)
    await require_ladder_shown(answer, view)
    service.require_open(view.ladder)
    service.require_rung(view, answer.person.id)
    say, name = answer.reader, escape_text(view.ladder.name)
    running = sum(answer.person.id in each.people for each in view.running)
    if running and not sure:
        question = say.plural(
            "If you leave {ladder} now, you forfeit {n} challenge or match in progress.",
            "If you leave {ladder} now, you forfeit {n} challenges or matches in progress.",
            running,
            ladder=name,
        )
        await competitions.ask_before_forfeiting(answer, question, f"{cards.LEAVE}:{number}")
        return
    await service.leave_ladder(answer.app, number, answer.person.id)
    text = say("You've left {ladder}. You can join again, at the bottom.", ladder=name)
    await competitions.confirm_leaving(answer, text, was_asked=bool(sure))


async def require_ladder_shown(answer: InteractionAnswer, view: LadderView) -> None:
    """Raise DeclinedError unless whoever asks sees the channel of a ladder, or is on it."""
    is_own = answer.person.id in view.order
    await access.require_shown(answer, view.ladder.channel, is_own=is_own)


async def _show_standings(answer: InteractionAnswer, view: LadderView) -> None:
    await require_ladder_shown(answer, view)
    names = await answer.app.load_all_names(view.order)
    person = answer.person.id if answer.private else None
    await answer.send(cards.ladder_card(answer.reader, view, names, person))


_commands.add_standings(_show_standings)


@command(group=ladder)
@app_commands.describe(
    opponent="A player up to three rungs above you", ladder=competitions.describe_choice(ladder)
)
async def challenge(
    answer: InteractionAnswer,
    opponent: discord.User,
    ladder: competitions.CompetitionName = "",
) -> None:
    """Challenge a player above you on a ladder."""
    require_permissions(answer.interaction)
    view = await LADDER.find(answer.app, answer.guild, ladder, answer.person.id)
    await _challenge(answer, view, build_person(opponent))


challenge.autocomplete("ladder")(LADDER.offer)


@press(cards.CHALLENGE)
async def choose_opponent(answer: InteractionAnswer, number: int) -> None:
    """Challenge the player who was chosen in the menu."""
    require_permissions(answer.interaction)
    view = await service.load_ladder(answer.app, number, answer.guild)
    known = await answer.app.load_person(parse_number(get_selection(answer.interaction)))
    if known is None:
        raise UnknownControlError
    await _challenge(answer, view, known)


async def _challenge(answer: InteractionAnswer, view: LadderView, opponent: DiscordPerson) -> None:
    await require_ladder_shown(answer, view)
    ladder = view.ladder
    service.require_open(ladder)
    service.require_rung(view, answer.person.id)
    if await _is_lost(answer, view):
        raise LadderLostError(ladder.name)
    view = await service.welcome_back(answer.app, view, answer.person)
    if opponent.id in view.order:
        # Those between may have left since anybody looked.
        order = sorted(map(view.order.index, (answer.person.id, opponent.id)))
        between = view.order[order[0] : order[1] + 1]
        others = set(between) - {answer.person.id}
        there = await ask_presence(answer.client, ladder.guild, others)
        view = await service.update_presence(answer.app, view, there)
    # Its challenges and matches are in the ladder's channel, wherever they are asked for.
    await access.require_use(answer.interaction, ladder.channel)
    await access.require_seen_by(
        answer.client, ladder.guild, ladder.channel, {opponent.id: opponent.name}
    )
    request = build_match_request(answer)
    made = await service.challenge_above(answer.app, view.ladder.id, request, opponent)
    say = answer.reader
    await answer.confirm(
        say(
            "You've challenged {whom} on {ladder}. Their time to answer runs out {when}.",
            whom=mention_person(say, opponent.id),
            ladder=escape_text(ladder.name),
            when=format_relative_time(made.expires),
        )
    )


@press(cards.NEXT)
async def press_next(answer: InteractionAnswer, number: int) -> None:
    """Show whom one can challenge on the ladder whose message this is."""
    view = await service.load_ladder(answer.app, number, answer.guild)
    await require_ladder_shown(answer, view)
    person = answer.person.id
    await access.require_sight(answer.interaction, view.ladder.channel)
    service.require_open(view.ladder)
    service.require_rung(view, person)
    view = await look_around(
        answer.client, await service.welcome_back(answer.app, view, answer.person), person
    )
    rules = await service.load_rules(answer.app, view, person)
    names = await answer.app.load_all_names(view.order)
    await answer.send(cards.choices_card(answer.reader, view, rules, person, names))


async def _show_management(answer: InteractionAnswer, view: LadderView) -> None:
    if view.ladder.is_open and await _is_lost(answer, view):
        require_permissions(answer.interaction)
        view = await service.move_ladder(answer.app, view, build_match_request(answer))
    await _manage(answer, view)


_commands.add(
    "manage",
    "For organisers: remove a player or let one back in, or close a ladder.",
    _show_management,
    organisers=True,
)


@press(cards.MANAGE)
async def press_manage(answer: InteractionAnswer, number: int) -> None:
    """Show organisers what they can do to the ladder whose message this is."""
    competitions.require_organiser(answer.interaction)
    await _manage(answer, await service.load_ladder(answer.app, number, answer.guild))


async def _is_lost(answer: InteractionAnswer, view: LadderView) -> bool:
    return await is_channel_gone(answer.client, view.ladder.guild, view.ladder.channel)


async def _manage(answer: InteractionAnswer, view: LadderView) -> None:
    await answer.send(await _build_manage_card(answer, view))


async def _build_manage_card(answer: InteractionAnswer, view: LadderView) -> Card:
    rulings = await service.load_rulings(answer.app, view.ladder.id)
    names = await answer.app.load_all_names([*view.order, *list_readmittable(rulings)])
    return cards.ladder_manage_card(answer.reader, view, rulings, names)


def _ask_for_closing_reason(interaction: Interaction, number: int) -> discord.ui.Modal:
    say = interaction.client.get_asker_reader(interaction)
    return competitions.build_reason_form(
        interaction, f"{cards.CLOSE}:{number}", cards.label_closing(say), public=True
    )


@press(cards.CLOSE, modal=_ask_for_closing_reason)
async def close_ladder(answer: InteractionAnswer, number: int) -> None:
    """Close a ladder, with the reason that was typed."""
    competitions.require_organiser(answer.interaction)
    await service.load_ladder(answer.app, number, answer.guild)
    reason = get_typed_text(answer.interaction)
    after = await service.close_ladder(answer.app, number, answer.person, reason)
    await _show_ruled(answer, after)


def _ask_for_player_reason(interaction: Interaction, number: int, first: int) -> discord.ui.Modal:
    say = interaction.client.get_asker_reader(interaction)
    # Under another id, since the form brings back no selection.
    person = parse_number(get_selection(interaction))
    return competitions.build_reason_form(
        interaction, f"{cards.OUT}:{number}:{person}", cards.label_removal(say), public=False
    )


@press(cards.REMOVE, modal=_ask_for_player_reason)
async def press_player_removal(answer: InteractionAnswer, number: int, first: int) -> None:
    """Ask why somebody is to be removed: the form does all that follows."""
    raise UnknownControlError


# The form of a menu, of which its own id names the entry: no message shows it.
@press(cards.OUT, shown=False)
async def remove_ladder_player(answer: InteractionAnswer, number: int, person: int) -> None:
    """Remove somebody from a ladder, with the reason that was typed."""
    competitions.require_organiser(answer.interaction)
    await service.load_ladder(answer.app, number, answer.guild)
    reason = get_typed_text(answer.interaction)
    after = await service.remove_player(answer.app, number, answer.person, reason, person)
    await _show_ruled(answer, after)


@press(cards.READMIT)
async def readmit_ladder_player(answer: InteractionAnswer, number: int, first: int) -> None:
    """Let somebody back in who was chosen in the menu of those who were removed."""
    competitions.require_organiser(answer.interaction)
    await service.load_ladder(answer.app, number, answer.guild)
    person = parse_number(get_selection(answer.interaction))
    after = await service.readmit_player(answer.app, number, answer.person, person)
    await _show_ruled(answer, after)


async def _show_ruled(answer: InteractionAnswer, after: LadderView) -> None:
    with log_answer_failures(answer.interaction):
        await answer.edit_message(await _build_manage_card(answer, after))
