"""The card of a challenge, that on which its terms are chosen, and the list of what is played.

The card of terms is itself the memory of what was chosen.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, auto
from typing import NamedTuple

import discord
from discord import ButtonStyle

from bot.features.challenges import service, texts
from bot.features.challenges.tables import Challenge
from bot.features.challenges.terms import MatchTerms, find_easier_level
from bot.features.matches.cards import board_card
from bot.features.matches.controls import (
    CardPart,
    card_controls,
    round_controls,
    start_rounds_controls,
)
from bot.features.matches.interactions import list_paces
from bot.features.matches.scene import picture_names, translate_board_words
from bot.features.matches.session import MatchSession
from bot.features.matches.texts import (
    explain_how_to_continue,
    format_commitment,
    format_pace,
    format_time_left,
    name_people,
)
from bot.features.preferences.service import format_note
from bot.platform.db.rows import PersonNames
from bot.platform.i18n import common
from bot.platform.i18n.reader import (
    FAMILY,
    Reader,
    UnknownControlError,
    game_context,
    option_context,
)
from bot.platform.ui.card import Card, Item, Listing, PanelRow, Picture, list_lines
from bot.platform.ui.controls import (
    VerbScope,
    build_button,
    build_choice_menu,
    build_switch,
    declare_verb,
    split_entry,
)
from engine.clock import Pace, parse_pace
from engine.games import GAMES, find_game
from engine.match import new_match
from engine.position import Side
from engine.refusal import Refusal
from engine.rules import Family, Game
from render.describe import describe_scene
from render.scene import Scene

REMATCH = declare_verb("rematch", VerbScope.NUMBER)
"""Offer a match again."""
EASIER = declare_verb("easier", VerbScope.NUMBER)
"""Play the game of a lost match against the computer's next weaker level."""
ANSWER = declare_verb("challenge", VerbScope.NUMBER)
"""Answer a challenge."""
CHALLENGE_DICE = declare_verb("challengedice", VerbScope.NUMBER)
"""Show what is fixed of the dice of a challenge."""
WITHDRAW = "withdraw"
"""Withdraw or decline an open challenge, wherever its message is."""
CALENDAR = "calendar"
"""Save the deadlines of whoever looks at their matches; `deadlines` does it."""
WITHDRAWABLE = (service.TooManyChallengesError, service.RematchOfferedError)
"""What is refused because of challenges that the person can withdraw."""
DRAFT = "draft"
"""Choose a house rule."""
DRAFT_GAME = "draftgame"
"""Choose the game of a challenge to somebody."""
DRAFT_TERM = "draftterm"
"""Choose a side, a pace, or whether it is rated."""
POST_DRAFT = "send"
"""Make a challenge with the terms and house rules chosen."""


class DraftTerm(StrEnum):
    """What is chosen for a challenge besides house rules."""

    SIDE = auto()
    PACE = auto()
    RATED = auto()


@card_controls(CardPart.END, 10)
def _rematch_controls(say: Reader, session: MatchSession) -> Iterator[Item]:
    # Translators: button: challenges the same opponent once more, each on the other's side (noun).
    yield build_button(
        say("Rematch, sides swapped"), f"{REMATCH}:{session.id}", ButtonStyle.primary
    )
    if find_easier_level(session) is not None:
        # Translators: button: plays the game just lost again, against a weaker computer.
        yield build_button(say("Play an easier one"), f"{EASIER}:{session.id}")


def challenge_controls(say: Reader, challenge: Challenge) -> tuple[Item, ...]:
    """Return the buttons that answer a challenge (one a side between teams), and open its rules."""
    # Translators: button: accepts a challenge, so that the match begins (verb).
    accepting = {"accept": say("Accept")}
    if challenge.players > 1:
        accepting = {
            side.value: say("Join {side}", side=common.format_side(say, side)) for side in Side
        }
    # Translators: button: refuses a challenge (verb).
    refusal = say("Decline")
    if not challenge.opponent:
        # Translators: button: takes one's own challenge back (verb).
        refusal = say("Withdraw")
    others = {
        "decline": refusal,
        # Translators: button: shows the rules of the game that is challenged to (noun).
        "rules": say("Rules"),
        "word": say("Accept with a secret word"),
    }
    if challenge.opponent is None:
        alone = challenge.players == 1
        others["fill"] = say("Play the computer") if alone else say("Fill with computers")
    answer = f"{ANSWER}:{challenge.id}"
    return (
        *(
            build_button(each, f"{answer}:{act}", ButtonStyle.success)
            for act, each in accepting.items()
        ),
        *(build_button(label, f"{answer}:{act}") for act, label in others.items()),
        build_button(say("Fair dice"), f"{CHALLENGE_DICE}:{challenge.id}"),
    )


def withdrawal_menu(say: Reader, challenges: Sequence[Challenge], person: int) -> tuple[Item, ...]:
    """Return the menu by which a person withdraws or declines one of these; none for none."""
    entries = []
    for each in challenges:
        parts = {"game": common.format_title(say, GAMES[each.game]), "number": each.id}
        if each.challenger == person:
            entries.append((str(each.id), say("Withdraw {game}, challenge {number}", **parts), ""))
        elif each.opponent == person:
            entries.append((str(each.id), say("Decline {game}, challenge {number}", **parts), ""))
    if not entries:
        return ()
    placeholder = say("Withdraw or decline a challenge")
    return (build_choice_menu(f"{WITHDRAW}:", entries, "", placeholder),)


def challenge_card(
    say: Reader,
    challenge: Challenge,
    people: Mapping[int, PersonNames],
    *,
    posted: bool = False,
) -> Card:
    """Return a challenge with every term of it.

    While it is open it has the start of the game as a picture, which a posted one keeps, and the
    buttons to answer. Afterwards it gives the answer, in a few lines: in a channel where matches
    start every day, the only boards should be those of matches.
    """
    heading = texts.format_heading(say, challenge)
    terms = texts.format_terms(say, challenge)
    if challenge.state != "open":
        return Card(
            texts=(heading, terms, texts.format_outcome(say, challenge)),
            # Those who saw it before can compare it with the record of the match.
            small=format_commitment(say, challenge.commitment) if challenge.match else "",
        )
    start = _build_start_scene(say, challenge, people)
    return Card(
        texts=(
            heading,
            texts.format_tagline(say, challenge),
            terms,
            texts.format_ladder_note(say, challenge),
        ),
        picture=Picture(None if posted else start, describe_scene(start)),
        controls=challenge_controls(say, challenge),
        small=texts.format_small_print(say, challenge),
        ping=challenge.opponent,
    )


def _build_start_scene(
    say: Reader, challenge: Challenge, people: Mapping[int, PersonNames]
) -> Scene:
    match = new_match(GAMES[challenge.game], challenge.options)
    sides = {seat.person: Side(seat.side) for seat in challenge.seats}
    if challenge.opponent:
        free = (side for side in Side if side not in sides.values())
        # The opponent has no seat yet, but is named on the board where they will sit.
        sides = {challenge.opponent: next(free, Side.BLACK), **sides}
    title = common.format_title(say, match.game)
    return Scene(
        match.rules,
        match.position,
        _side_names(say, challenge, name_people(say, people)),
        title,
        say("a challenge"),
        ways=True,
        words=translate_board_words(say),
        drawn_names=_side_names(say, challenge, picture_names(say, people, sides)),
    )


def _side_names(say: Reader, challenge: Challenge, names: Mapping[int, str]) -> tuple[str, str]:
    gold, black = (_format_seats(say, challenge, names, side) for side in Side)
    return gold, black


def _format_seats(say: Reader, challenge: Challenge, names: Mapping[int, str], side: Side) -> str:
    people = [seat.person for seat in challenge.seats if seat.side == side]
    if not people and challenge.opponent:
        people = [challenge.opponent]
    # Translators: a name in a picture: a player whose name isn't known.
    unknown = say("somebody")
    if people:
        return say.format_list([names.get(person) or unknown for person in people])
    # Translators: beside the board in a picture, where a player's name would stand: the seat is
    # free for anyone who accepts the challenge. “Open seat” would do as well.
    return say("anyone")


class OpenChallenge(NamedTuple):
    """An open challenge, and the way to its message where it has one."""

    challenge: Challenge
    link: str | None


def matches_card(
    say: Reader,
    sessions: Sequence[MatchSession],
    person: int,
    links: Mapping[int, str],
    notes: Mapping[int, str],
    challenges: Sequence[OpenChallenge] = (),
    labels: Mapping[int, Sequence[str]] | None = None,
    coming: Sequence[str] = (),
) -> Card:
    """Return a person's running matches, those that wait for them first, and their open challenges.

    `links` lead to the message of each match that can be shown, `notes` are what the person
    noted about some, and `labels` what else is said of some. `coming` are lines about what the
    person has joined that has not begun.
    """
    labels = labels or {}
    asked = _list_open_challenges(say, challenges, person)
    if coming:
        asked = (*asked, say("### Your leagues and tournaments"), list_lines(say, coming))
    withdrawing = withdrawal_menu(say, [each.challenge for each in challenges], person)
    # Leagues have deadlines too, and what is over is taken out of a calendar.
    # Translators: button: saves the reader's deadlines as a file for their calendar (noun).
    saved = build_button(say("Calendar file"), f"{CALENDAR}:")
    if not sessions:
        none = say("You have no match in progress. Start one with `/play` or `/challenge`.")
        return Card(texts=(none, *asked), controls=(saved, *withdrawing))
    # False sorts before true, so the matches that wait for the person come first.
    waiting = sorted(sessions, key=lambda session: (session.person_to_act != person, session.id))
    lines = [
        texts.format_running_match(
            say,
            each,
            person,
            links.get(each.id),
            notes.get(each.id, ""),
            labels.get(each.id, ()),
        )
        for each in waiting
    ]

    def more(n: int) -> str:
        return say.plural("{n} more match is in progress.", "{n} more matches are in progress.", n)

    # By that order the first match tells whether any waits.
    controls = start_rounds_controls(say) if waiting[0].person_to_act == person else ()
    return Card(
        texts=(say("### Your matches"), Listing(tuple(lines), more), *asked),
        controls=(*controls, saved, *withdrawing),
    )


def _list_open_challenges(
    say: Reader, challenges: Sequence[OpenChallenge], person: int
) -> tuple[str | Listing, ...]:
    if not challenges:
        return ()
    lines = [
        texts.format_open_challenge(say, each.challenge, person, each.link) for each in challenges
    ]
    return (
        say("### Your open challenges"),
        list_lines(say, lines),
    )


def waiting_match_card(
    say: Reader, waiting: Sequence[MatchSession], at: int, link: str | None, memo: str
) -> Card:
    """Return one of the matches that wait for somebody."""
    session = waiting[at]
    # Where no message shows the match, how to go on matters more than the time: its clock stands
    # still.
    first = format_time_left(say, session) if link else explain_how_to_continue(say, session)
    count = say("Match {number} of {count} waiting for you", number=at + 1, count=len(waiting))
    small = filter(None, (first, count))
    return replace(
        add_note_to_card(say, board_card(say, session), memo),
        controls=round_controls(say, session, link),
        small="\n".join(small),
    )


def add_note_to_card(say: Reader, card: Card, note: str) -> Card:
    """Return a card of a match with what the one who sees it, alone, noted about the match."""
    return replace(card, below=(*card.below, format_note(say, note)))


@dataclass(frozen=True, slots=True)
class Draft:
    """What a challenge will be, without its house rules."""

    game: Game
    opponent: int | None
    side: Side
    rated: bool
    pace: Pace
    word: str

    def with_options(self, options: Mapping[str, str]) -> MatchTerms:
        """Return the draft with those house rules."""
        # Only departures are stored, so a challenge says nothing about rules that are as usual.
        usual = {option.name: option.default_value.name for option in self.game.options}
        chosen = {name: value for name, value in options.items() if usual[name] != value}
        return MatchTerms(self.game, chosen, self.side, self.rated, self.pace)


def game_choice_card(say: Reader, opponent: int) -> Card:
    """Return the card on which a game is chosen against an opponent: a menu for each family."""
    menus = []
    for family in Family:
        entries = [
            (
                game.slug,
                common.format_title(say, game),
                say.in_context(game_context(game.slug), game.tagline),
            )
            for game in GAMES.values()
            if game.family is family
        ]
        menu = f"{DRAFT_GAME}:{opponent}:{family.name.lower()}"
        menus.append(build_choice_menu(menu, entries, "", say.in_context(FAMILY, family.value)))
    return Card(
        texts=(
            say("### Your challenge"),
            say("Choose a game to play with {who}.", who=f"<@{opponent}>"),
        ),
        controls=tuple(menus),
    )


def draft_card(
    say: Reader, draft: Draft, chosen: Mapping[str, str], *, is_timed: bool = True
) -> Card:
    """Return the card with a menu for each term and house rule, as they are chosen by now."""
    heading = say("### Your challenge: {game}", game=common.format_title(say, draft.game))
    who = say("It's for anyone who accepts it.")
    if draft.opponent:
        who = say("It's for {who}.", who=f"<@{draft.opponent}>")
    hint = say("Nothing is posted until you press **Challenge**.")
    terms = (draft.side.value, str(int(draft.rated)), draft.pace.name)
    # The card is the only place where a draft exists: nothing is stored before it is posted.
    parts = (POST_DRAFT, draft.game.slug, str(draft.opponent or 0), *terms, draft.word)
    # Translators: button: posts the challenge, which was only prepared so far (verb).
    send = build_button(say("Challenge"), ":".join(parts), ButtonStyle.success)
    return Card(
        texts=(heading, common.join_sentences(say, who, hint)),
        panel=(
            *_build_term_rows(say, draft, is_timed=is_timed),
            *_build_option_rows(say, draft.game, chosen),
        ),
        controls=(send,),
    )


def _build_term_rows(say: Reader, draft: Draft, *, is_timed: bool) -> Iterator[PanelRow]:
    sides = [(side.value, common.format_side_title(say, side), "") for side in Side]
    side = build_choice_menu(f"{DRAFT_TERM}:{DraftTerm.SIDE}", sides, draft.side.value)
    yield PanelRow(say("**Your side**"), side)
    if is_timed:
        # One that was typed is listed as well.
        paces = dict.fromkeys([*list_paces(), draft.pace])
        entries = [(pace.name, format_pace(say, pace), "") for pace in paces]
        pace = build_choice_menu(f"{DRAFT_TERM}:{DraftTerm.PACE}", entries, draft.pace.name)
        # Translators: label of a menu: how much time each player has in a match (noun).
        yield PanelRow(say("**Pace**"), pace)
    rated = build_switch(say, f"{DRAFT_TERM}:{DraftTerm.RATED}", is_on=draft.rated)
    yield PanelRow(say("**Rated**: on") if draft.rated else say("**Rated**: off"), rated)


def _build_option_rows(say: Reader, game: Game, chosen: Mapping[str, str]) -> Iterator[PanelRow]:
    """Yield the house rules that can be agreed on beforehand, with what is chosen."""
    for option in game.options:
        if option.starter_chooses:
            continue
        context, name = option_context(option.name), option.name
        entries = [
            (each.name, *split_entry(say.in_context(context, each.meaning)))
            for each in option.values
        ]
        value = chosen.get(name, option.default_value.name)
        asks = say.in_context(context, option.asks)
        yield PanelRow(f"**{asks}**", build_choice_menu(f"{DRAFT}:{name}", entries, value))


def parse_draft(message: discord.Message) -> tuple[Draft, dict[str, str]]:
    """Read a draft and the house rules chosen so far from the card that shows them.

    Raises DeclinedError for the card of an earlier version.
    """
    view = discord.ui.LayoutView.from_message(message)
    menus = [item for item in view.walk_children() if isinstance(item, discord.ui.Select)]
    chosen = {
        menu.custom_id.removeprefix(f"{DRAFT}:"): option.value
        for menu in menus
        if menu.custom_id.startswith(f"{DRAFT}:")
        for option in menu.options
        if option.default
    }
    buttons = [item for item in view.walk_children() if isinstance(item, discord.ui.Button)]
    send = next(
        (button.custom_id for button in buttons if (button.custom_id or "").startswith(POST_DRAFT)),
        None,
    )
    if send is None:
        raise UnknownControlError
    try:
        return _parse_post_button(send), chosen
    except (ValueError, Refusal):
        raise UnknownControlError from None


def _parse_post_button(send: str) -> Draft:
    """Read the button that posts a draft."""
    # The word comes last, since it is free text and may hold colons itself.
    _, slug, opponent, side, rated, pace, word = send.split(":", 6)
    return Draft(
        find_game(slug), int(opponent) or None, Side(side), rated == "1", parse_pace(pace), word
    )
