"""Challenges: offered to one person, to anyone, or to teams; answered once."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.app import play
from bot.app.errors import Declined
from bot.app.house import House
from bot.app.people import Person
from bot.store import Challenge, Joined, Limits, NewChallenge, Seat, Taken, TooMany
from engine import dice
from engine.games import GAMES, find_game
from engine.position import Side
from engine.refusal import Refusal, Rule
from engine.rules import Game

LASTS = 24 * 60 * 60 * 1000
"""Milliseconds until a challenge lapses."""
LIMITS = Limits(running=20, open=20)
"""The most running matches, and open challenges, that a person may have."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What is offered: the game and its options, the challenger's side, and whether the result is rated."""

    game: Game
    options: Mapping[str, str]
    side: Side = Side.GOLD
    rated: bool = True

    @property
    def players(self) -> int:
        """Players a side."""
        return self.game.rules_with(self.options).players


def read_options(game: Game, text: str) -> dict[str, str]:
    """Read options as they are typed, `dice=two-and-six blockade=wins`; raises Refusal for what the game lacks."""
    options: dict[str, str] = {}
    for word in text.replace(",", " ").split():
        name, equals, value = word.partition("=")
        option = game.option(name)
        if option.starter_chooses:
            raise Refusal(Rule.OPTION, f"{name} is chosen by the side that begins, when the match starts")
        if not equals:
            raise Refusal(Rule.OPTION, f"options are typed as name=value, such as {name}={option.default.name}")
        options[name] = option.value(value).name
    return options


async def offer(
    house: House, where: tuple[int, int], challenger: Person, opponent: Person | None, terms: Terms, cause: str
) -> Challenge:
    """Offer a match in a channel, given as (server, channel); raises Declined where it cannot be offered."""
    _may_play(challenger, opponent, terms)
    await house.store.people.remember(challenger.id, challenger.name, house.clock())
    if opponent:
        await house.store.people.remember(opponent.id, opponent.name, house.clock())
    secret, now = house.entropy(dice.SECRET_BYTES), house.clock()
    offered = NewChallenge(
        guild=where[0],
        channel=where[1],
        challenger=challenger.id,
        opponent=opponent.id if opponent else None,
        side=terms.side.value,
        game=terms.game.slug,
        options=terms.options,
        rated=terms.rated,
        players=terms.players,
        secret=secret,
        commitment=dice.commitment(secret),
        created=now,
        expires=now + LASTS,
    )
    seat = Seat(terms.side.value, 0, challenger.id, cause)
    try:
        created = await house.store.challenges.create(offered, seat, LIMITS)
    except TooMany as error:
        raise Declined(_too_many(error, challenger, {})) from None
    return created.challenge


def _may_play(challenger: Person, opponent: Person | None, terms: Terms) -> None:
    if opponent is None:
        return
    if opponent.id == challenger.id:
        raise Declined("You cannot challenge yourself; name somebody else, or nobody to leave it open.")
    if opponent.bot:
        raise Declined(f"{opponent.name} is a bot and does not play; name a person, or nobody to leave it open.")
    if terms.players > 1:
        raise Declined("A game between teams is open to all: leave the opponent out, and people join a side.")


def _too_many(error: TooMany, asking: Person, names: Mapping[int, str]) -> str:
    who = "You have" if error.person == asking.id else f"{names[error.person]} has"
    if error.what == "open":
        return f"{who} {error.most} challenges open, the most there may be; withdraw one first."
    return f"{who} {error.most} matches running, the most there may be; one must be finished first."


async def find(house: House, invitation_id: int) -> Challenge:
    """Return an open challenge; raises Declined, saying what became of it, if it is open no longer."""
    invitation = await house.store.challenges.get(invitation_id)
    if invitation is None:
        raise Declined("That challenge is not known here.")
    if invitation.state == "open" and invitation.expires <= house.clock():
        await house.store.challenges.close(invitation_id, "lapsed")
        raise Declined("That challenge has lapsed.")
    if invitation.state != "open":
        raise Declined(f"That challenge was {invitation.state} before.")
    return invitation


async def accept(house: House, invitation_id: int, person: Person, side: Side | None, cause: str) -> Joined:
    """Take a free seat, on that side or wherever there is one; taking the last one starts the match.

    Raises Declined where the person may not, or somebody else was quicker.
    """
    invitation = await find(house, invitation_id)
    _may_accept(invitation, person)
    await house.store.people.remember(person.id, person.name, house.clock())
    free, number = _free_seat(invitation, side)
    seat = Seat(free.value, number, person.id, cause)
    try:
        edition = GAMES[invitation.game].edition
        return await house.store.challenges.join(invitation_id, seat, edition, house.clock(), LIMITS)
    except TooMany as error:
        names = await house.store.people.names([error.person])
        raise Declined(_too_many(error, person, names)) from None
    except Taken:
        raise Declined("Somebody else was quicker: that seat is taken.") from None


def _may_accept(invitation: Challenge, person: Person) -> None:
    if person.id in (seat.person for seat in invitation.seats):
        raise Declined("You are in this challenge already; nobody plays on both sides.")
    if invitation.opponent not in (None, person.id):
        raise Declined("This challenge is for somebody else; /challenge makes one of your own.")


def _free_seat(invitation: Challenge, side: Side | None) -> tuple[Side, int]:
    taken = {(seat.side, seat.number) for seat in invitation.seats}
    for number in range(invitation.players):
        for wanted in (side,) if side else Side:
            if (wanted.value, number) not in taken:
                return wanted, number
    raise Declined("That side is full.")


async def decline(house: House, invitation_id: int, person: Person) -> Challenge:
    """Decline a challenge, or withdraw one's own; raises Declined for anyone else."""
    invitation = await find(house, invitation_id)
    if person.id not in (invitation.challenger, invitation.opponent):
        raise Declined("Only those it concerns may decline a challenge.")
    state = "withdrawn" if person.id == invitation.challenger else "declined"
    if await house.store.challenges.close(invitation_id, state) is None:
        raise Declined("That challenge has been answered already.")
    return invitation


async def rematch(house: House, match_id: int, person: Person, cause: str) -> Challenge:
    """Offer the opponent the same terms with sides swapped; raises Declined unless the person played and it is over."""
    table = await play.load(house, match_id)
    sides = table.sides_of(person.id)
    if not sides:
        raise Declined(f"You did not play in match {match_id}.")
    if table.match.outcome is None:
        raise Declined(f"Match {match_id} is not over.")
    terms = Terms(find_game(table.row.game), table.row.options, sides[0].other, table.row.rated)
    others = table.seated(sides[0].other)
    opponent = Person(others[0], table.names[others[0]]) if len(others) == 1 else None
    return await offer(house, (table.row.guild, table.row.channel), person, opponent, terms, cause)


async def lapse(house: House) -> list[Challenge]:
    """Close every challenge whose time is over, and return them."""
    return await house.store.challenges.lapse(house.clock())
