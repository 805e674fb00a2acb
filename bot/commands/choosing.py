"""Which match a command means.

It is the only one in this channel that it could be, or the one that the person picks.
"""

from bot.app.errors import DeclinedError, DeclineReason
from bot.app.play import load_session
from bot.app.session import MatchSession, require_visible
from bot.delivery.outlets import Interaction, InteractionAnswer
from bot.views.controls import match_choice_menus
from bot.views.pages import choice_card
from engine.match import DECISION_PHASES, PLAY_PHASES, Phase
from render.characters import utf16_length

MATCH_DESCRIPTION = "The number of the match, if you have several here"

LONGEST_CARRIED = 75
"""Characters of a typed play that fit into the id of the menu that asks which match."""

_WAITING_FOR = {
    "roll": (Phase.THROW, Phase.BATTLE, Phase.CONTEST),
    "move": PLAY_PHASES,
    "try": PLAY_PHASES,
    "hint": DECISION_PHASES,
}
"""When a command could be meant for a match whose turn it is."""


async def find_session(
    answer: InteractionAnswer, command: str, text: str = "", match: int | None = None
) -> MatchSession | None:
    """Return the match meant, or None where the person was shown a menu instead.

    Raises Declined if there is none.
    """
    interaction = answer.interaction
    app = interaction.client.app
    person = interaction.user.id
    if match is not None:
        session = await load_session(app, match)
        require_visible(session, interaction.guild_id or 0, person)
        return session
    mine = await _load_own_sessions(interaction)
    if not mine:
        raise DeclinedError(DeclineReason.NO_MATCH_HERE)
    fitting = [session for session in mine if _may_mean(command, session, person)] or mine
    if len(fitting) == 1:
        return fitting[0]
    if utf16_length(text) > LONGEST_CARRIED:
        raise DeclinedError(DeclineReason.SAY_WHICH)
    say = answer.reader
    asked = say("You have several matches here. Which one do you mean?")
    await answer.send(choice_card(say, asked, match_choice_menus(say, command, text, fitting)))
    return None


async def find_waiting_sessions(interaction: Interaction, command: str) -> list[MatchSession]:
    """Return the matches of this channel that wait for that command of the person's."""
    return [
        session
        for session in await _load_own_sessions(interaction)
        if _may_mean(command, session, interaction.user.id)
    ]


async def _load_own_sessions(interaction: Interaction) -> list[MatchSession]:
    """Return the person's running matches in this channel.

    Where there are none, return those that can't be shown anywhere.
    """
    app = interaction.client.app
    person = interaction.user.id
    rows = await app.store.matches.load_running_in_channel(interaction.channel_id or 0)
    own = [row.id for row in rows if person in (seat.person for seat in row.seats)]
    return [await load_session(app, match) for match in own or await _find_unshowable(interaction)]


async def _find_unshowable(interaction: Interaction) -> list[int]:
    """Return the person's matches of this server that can be shown nowhere."""
    app = interaction.client.app
    rows = await app.store.matches.load_running_by_person(interaction.user.id)
    here = [row.id for row in rows if row.guild == interaction.guild_id]
    return sorted(await app.store.pauses.load_stopped_matches(here)) if here else []


def _may_mean(command: str, session: MatchSession, person: int) -> bool:
    """Whether the command could be meant for that match as it stands."""
    if command == "undo":
        return session.person_to_take_back == person
    phases = _WAITING_FOR.get(command)
    return phases is None or (session.person_to_act == person and session.match.phase in phases)
