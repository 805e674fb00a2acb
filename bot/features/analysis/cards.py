"""Cards and buttons of an analysis, shared or not, of a hint, and of a play that is only tried."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import discord
from discord import ButtonStyle

from bot.features.analysis import texts as words
from bot.features.analysis.hints import Advice, Hint, HintRequest, Trial, may_decide
from bot.features.analysis.service import Analysis, Answer, Findings, ProposalAttempt
from bot.features.matches.controls import (
    FIRST_MENU_ID,
    MENUS_PER_VERSION,
    CardPart,
    build_action_button,
    card_controls,
    play_menus,
)
from bot.features.matches.scene import (
    build_scene,
    build_scene_moves,
    list_dice,
    translate_board_words,
)
from bot.features.matches.session import MatchSession
from bot.platform.i18n.common import format_title
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Item, Picture, list_lines, text_only_card
from bot.platform.ui.controls import MenuId, VerbScope, declare_verb
from engine.events import Chosen, Left
from engine.match import Match
from engine.notation import format_play
from engine.position import Side
from render.describe import describe_scene
from render.scene import Scene, SceneMove

ANALYSIS = declare_verb("analysis", VerbScope.NUMBER)
"""Act in an analysis."""
SHOW, SHARE, PROPOSE, PLAY, REVEAL = "show", "share", "propose", "play", "reveal"
"""What the controls of an analysis do."""
HINT = declare_verb("hint", VerbScope.NUMBER)
"""Ask for a hint, or allow hints."""
SHOW_PROSPECT = declare_verb("advice", VerbScope.STATE)
"""Look at another of the best plays."""
MAX_ID_LENGTH = 90
"""Characters of an id that leave room for the mark of a generation; Discord takes 100."""
PLAY_TRIAL = declare_verb("tried", VerbScope.ACTION)
"""Play what was tried."""
NOT_YET = "notyet"
"""Leave unplayed what was to be confirmed."""


def analysis_controls(say: Reader, found: Findings, *, shareable: bool) -> Iterator[Item]:
    """Yield the buttons of an analysis that one person sees."""
    if found.advice:
        yield from prospect_controls(found.advice, build_id(found.analysis, SHOW, ""))
    if shareable and found.analysis.is_question:
        # Translators: button: posts the analysis in the channel, where everyone can see it (verb).
        yield build_button(found.analysis, SHARE, say("Share"), ButtonStyle.success)


def build_button(analysis: Analysis, act: str, label: str, style: ButtonStyle) -> Item:
    """Return a button of an analysis."""
    return discord.ui.Button(label=label, style=style, custom_id=build_id(analysis, act))


def build_id(analysis: Analysis, act: str, *rest: object) -> str:
    """Return the id of a control of an analysis."""
    return ":".join((ANALYSIS, str(analysis.row.id), act, *map(str, rest)))


@card_controls(CardPart.TURN, 50)
def _hint_controls(say: Reader, session: MatchSession) -> Iterator[Item]:
    if session.is_practice and may_decide(session.match) and not session.is_computer_acting:
        # Translators: button: shows the best plays (noun).
        yield _build_hint_button(session, "ask", say("Hint"), ButtonStyle.secondary)


def allow_hints_control(say: Reader, session: MatchSession) -> Item:
    """Return the button by which hints are allowed in a match."""
    return _build_hint_button(session, "allow", say("Allow hints"), ButtonStyle.primary)


def hint_controls(say: Reader, hint: Hint) -> Iterator[Item]:
    """Yield the buttons by which one of the best plays is looked at, and the one that plays it."""
    match = hint.session.match
    yield from prospect_controls(hint.advice, f"{SHOW_PROSPECT}:{hint.session.id}:{match.version}:")
    act, value = _name_action(hint.advice)
    # The same button as in the channel, so that all that is checked there is checked here.
    button = build_action_button(hint.session, act, say("Play this"), ButtonStyle.success, value)
    if len(button.custom_id or "") <= MAX_ID_LENGTH:
        yield button


def prospect_controls(advice: Advice, prefix: str) -> Iterator[Item]:
    """Yield the buttons by which one of the best plays is looked at; their ids end in its number.

    Where there is only one, there is nothing to switch between.
    """
    if len(advice.best) > 1:
        for number in range(1, len(advice.best) + 1):
            shown = number == advice.shown + 1
            yield discord.ui.Button(
                label=str(number),
                style=ButtonStyle.primary if shown else ButtonStyle.secondary,
                custom_id=f"{prefix}{number}",
            )


def _name_action(advice: Advice) -> tuple[str, str | None]:
    """Return what the button does that plays what is looked at, and with which value."""
    match advice.prospect.event:
        case Chosen(what, value):
            return what, value
        case Left():
            return "leave", None
    assert advice.play is not None
    return "move", format_play(advice.play.moves, advice.match.rules, advice.match.position)


def _build_hint_button(session: MatchSession, what: str, label: str, style: ButtonStyle) -> Item:
    return discord.ui.Button(label=label, style=style, custom_id=f"{HINT}:{session.id}:{what}")


def play_trial_control(say: Reader, trial: Trial) -> Item:
    """Return the button that plays what was tried."""
    session = trial.before
    custom_id = f"{PLAY_TRIAL}:{session.id}:{session.match.version}:{trial.text}"
    return discord.ui.Button(label=say("Play it"), style=ButtonStyle.success, custom_id=custom_id)


def dismiss_trial_control(say: Reader, trial: Trial) -> Item:
    """Return the button that leaves a play unplayed."""
    return discord.ui.Button(
        # Translators: button: doesn't play the move that was tried.
        label=say("Not yet"),
        style=ButtonStyle.secondary,
        custom_id=f"{NOT_YET}:{trial.text}",
    )


def analysis_card(
    say: Reader, found: Findings, person: int, *, shareable: bool, remark: str = ""
) -> Card:
    """Return what is best in a position, for the person who analyses it, with a remark."""
    match = found.analysis.match
    scene = build_position_scene(say, match)
    below: tuple[str, ...] = ()
    if found.advice:
        texts = tuple(words.format_ranking(say, found.advice))
        below = (words.format_explanation(say, found.advice),)
        scene = draw_advice(scene, found.advice)
        judge = words.format_advice_footer(say, found.advice)
    else:
        texts = (words.format_undecided(say, found),)
        judge = words.explain_evaluation(say, found)
    return Card(
        texts=(
            words.format_heading(say, match),
            words.format_turn(say, match),
            *words.format_options(say, found.analysis),
            *texts,
            remark,
        ),
        picture=draw_scene(scene),
        below=below,
        controls=tuple(analysis_controls(say, found, shareable=shareable)),
        small="\n".join((words.format_position_line(say, match), judge)),
        seats={person: match.turn},
    )


def build_position_scene(say: Reader, match: Match) -> Scene:
    """Return the picture of a position, seen as the one who is to play."""
    # Translators: a name in the picture of a board: the reader, who is to play.
    player = say("you")
    # Translators: a name in the picture of a board: the player of the other side.
    opponent = say("opponent")
    return Scene(
        rules=match.rules,
        position=match.position,
        names=(player, opponent) if match.turn is Side.GOLD else (opponent, player),
        title=format_title(say, match.game),
        status=words.format_status(say, match),
        dice=list_dice(match),
        last=build_scene_moves(match.moves),
        turn=match.turn,
        thrower=match.thrower,
        words=translate_board_words(say),
    )


def draw_scene(scene: Scene) -> Picture:
    """Return a picture with what it says to those who cannot see it."""
    return Picture(scene, describe_scene(scene))


def hint_card(say: Reader, hint: Hint) -> Card:
    """Return the best things to do with the equity of each, and why for one of them.

    Where that is a play, it is drawn as arrows on the board.
    """
    scene = draw_advice(build_scene(say, hint.session), hint.advice)
    return Card(
        texts=(
            words.format_hint_heading(say, hint.session),
            *words.format_ranking(say, hint.advice),
        ),
        picture=Picture(scene, describe_scene(scene)),
        below=(words.format_explanation(say, hint.advice),),
        controls=tuple(hint_controls(say, hint)),
        small=words.format_advice_footer(say, hint.advice),
        seats=hint.session.sides_by_person,
    )


def draw_advice(scene: Scene, advice: Advice) -> Scene:
    """Return a board with the arrows of the play that is looked at."""
    play = advice.play
    # Its arrows have its number, as if those before it were drawn too.
    before: tuple[tuple[SceneMove, ...], ...] = ((),) * advice.shown
    # Without the last moves the board has only the arrows of the advice.
    return replace(
        scene,
        last=(),
        earlier=(),
        options=(),
        advice=(*before, build_scene_moves(play.moves)) if play else (),
    )


def allow_hints_card(say: Reader, wanted: HintRequest, person: int) -> Card:
    """Return the question to those who have not allowed hints."""
    return Card(
        texts=(words.format_consent_request(say, wanted, person),),
        controls=(allow_hints_control(say, wanted.session),),
        # A card can alert one person only; if several are missing, the text names them.
        ping=wanted.missing[0] if len(wanted.missing) == 1 else None,
    )


def hint_waiting_card(say: Reader, wanted: HintRequest) -> Card:
    """Return for one who wants hints who has yet to allow them."""
    return text_only_card(words.format_missing_consent(say, wanted))


def trial_card(say: Reader, trial: Trial) -> Card:
    """Return the board after a trial play, for the person who tries it.

    It has the button that plays it.
    """
    return _build_trial_card(
        say, trial, words.format_trial_heading(say, trial), (play_trial_control(say, trial),)
    )


def confirm_turn_card(say: Reader, trial: Trial) -> Card:
    """Return the question whether a turn is to end so, for those who prefer to be asked."""
    return _build_trial_card(
        say,
        trial,
        words.format_turn_question(say, trial),
        (play_trial_control(say, trial), dismiss_trial_control(say, trial)),
    )


def _build_trial_card(say: Reader, trial: Trial, heading: str, controls: tuple[Item, ...]) -> Card:
    # The caption replaces the usual status, which would read as if the play had been made.
    scene = build_scene(say, trial.final_session, words.format_caption(say, trial))
    return Card(
        texts=(heading, *words.format_outcome(say, trial)),
        picture=Picture(scene, describe_scene(scene)),
        controls=controls,
        small=words.explain_preview(say),
        seats=trial.before.sides_by_person,
    )


def shared_card(say: Reader, analysis: Analysis, person: int, count: int = 0) -> Card:
    """Return a position for everyone, with the buttons by which plays are proposed."""
    match = analysis.match
    return Card(
        texts=(
            words.format_heading(say, match),
            words.format_turn(say, match),
            *words.format_options(say, analysis),
            words.format_question(say, person),
        ),
        picture=draw_scene(build_position_scene(say, match)),
        below=(words.format_count(say, count),),
        controls=(
            build_button(analysis, PROPOSE, say("Propose a play"), ButtonStyle.primary),
            build_button(analysis, REVEAL, say("Show the answer"), ButtonStyle.secondary),
        ),
        small=words.format_copy_line(say, match),
    )


def keep_picture(card: Card) -> Card:
    """Return a card that leaves the picture of its message as it is."""
    return replace(card, picture=card.picture and replace(card.picture, shows=None))


def proposal_card(say: Reader, attempt: ProposalAttempt, person: int) -> Card:
    """Return what somebody proposes so far, with menus for the rest; it may take a while."""
    analysis = attempt.analysis
    controls: tuple[Item, ...] = ()
    if not attempt.is_whole:
        done = len(attempt.match.moves)
        controls = tuple(play_menus(say, attempt.match, partial(_build_menu_id, attempt, done)))
    if attempt.play:
        again = build_button(analysis, PROPOSE, say("Choose another"), ButtonStyle.secondary)
        controls = (*controls, again)
    return Card(
        texts=(
            words.format_heading(say, analysis.match),
            words.format_attempt(say, attempt),
        ),
        picture=draw_scene(build_position_scene(say, attempt.match)),
        controls=controls,
        seats={person: analysis.match.turn},
    )


def _build_menu_id(attempt: ProposalAttempt, done: int, number: int) -> MenuId:
    """Name a menu: the moves made so far are in its id."""
    return MenuId(
        build_id(attempt.analysis, PLAY, f"{number}:{attempt.play}"),
        # Each step has numbers of its own: under the same number a Discord client would keep
        # showing what was picked before.
        FIRST_MENU_ID + done * MENUS_PER_VERSION + number,
    )


def answer_card(say: Reader, answer: Answer) -> Card:
    """Return the best plays of a shared position, and what people have proposed."""
    match = answer.found.analysis.match
    advice = answer.found.advice
    assert advice is not None
    return Card(
        texts=(
            words.format_heading(say, match),
            words.format_turn(say, match),
            *words.format_options(say, answer.found.analysis),
            *words.format_ranking(say, advice),
        ),
        picture=draw_scene(draw_advice(build_position_scene(say, match), advice)),
        below=(
            words.format_explanation(say, advice),
            list_lines(say, words.format_proposals(say, answer), joined=True),
        ),
        small="\n".join(
            (words.format_copy_line(say, match), words.format_advice_footer(say, advice))
        ),
    )
