"""A game's rules in sentences.

They are made from the data that the engine plays by, so they cannot contradict it.
"""

from collections.abc import Iterator
from functools import cache

from bot.features.rulebook.rule_texts import (
    describe_beginning,
    describe_dice,
    describe_ending,
    describe_goal,
    describe_hitting,
    describe_moving,
    describe_no_doubling,
    describe_set_up,
    describe_unusable,
)
from bot.platform.i18n.catalogue_texts import LABEL, game_context, option_context
from bot.platform.i18n.common import format_labelled, join_clauses
from bot.platform.i18n.numbers import format_count
from bot.platform.i18n.reader import Reader
from engine.games import GAMES
from engine.players.statistics import GameStatistics, LuckShare, load_statistics
from engine.position import Side
from engine.rules import Game, Option, ProvenanceLabel, SideAssignment


def format_paragraphs(say: Reader, game: Game) -> Iterator[tuple[str, str]]:
    """Yield a game's rules, each paragraph with its heading, and what its figures are."""
    yield from _list_rules(say, game)
    if statistics := load_statistics(game.slug, game.edition):
        rules = game.resolve_rules({})
        yield (
            # Translators: heading in a game's rules: how long it is, and how much of it is luck.
            say("Statistics"),
            _format_statistics(
                say,
                statistics,
                # The figures of each side matter only where the side that begins may choose.
                chosen=rules.battle.sides is SideAssignment.CHOSEN and not rules.battle.first_side,
            ),
        )


def _list_rules(say: Reader, game: Game) -> Iterator[tuple[str, str]]:
    """Yield a game's rules, each paragraph with its heading: first what one plays for."""
    # The text follows from the rules as data, so it can't differ from what is played.
    rules = game.resolve_rules({})
    goal, ending = describe_goal(say, rules), describe_ending(say, rules)
    # Translators: heading in a game's rules: what a player tries to do (noun).
    yield say("Goal"), goal
    # Translators: heading in a game's rules: how men move.
    yield say("Moving"), describe_moving(say, rules)
    # Translators: heading in a game's rules: how men hit others.
    yield say("Hitting"), describe_hitting(say, rules)
    if banned := describe_no_doubling(say, rules):
        yield say("No doubling"), banned
    if ending != goal:
        # Translators: heading in a game's rules: how a game is won.
        yield say("Winning"), ending
    # Translators: heading in a game's rules: which dice are thrown (noun).
    yield say("Dice"), describe_dice(say, rules)
    yield say("Unusable numbers"), describe_unusable(say, rules)
    # Translators: heading in a game's rules: where the men stand at the beginning (noun).
    yield say("Set-up"), describe_set_up(say, rules)
    yield say("Who begins"), describe_beginning(say, rules)
    if game.special:
        yield (
            say("Special rules"),
            "\n".join(f"- {_translate_text(say, game, line)}" for line in game.special),
        )


FEW_WORDS, MANY_WORDS = 220, 270
"""English words of a game's rules below which it has few, and above which it has many.

Of the thirty games six are below and eight above; the shortest rules have some 180 words, the
longest 350.
"""


@cache
def count_rule_words(slug: str) -> int:
    """Return how many English words a game's rules take, without what the computer's games show."""
    game = GAMES[slug]
    texts = (text for _, text in _list_rules(Reader.ENGLISH, game))
    return sum(len(text.split()) for text in texts)


def format_learning(say: Reader, game: Game) -> str:
    """Say how hard a game is to learn, by the length of its rules."""
    words = count_rule_words(game.slug)
    if words < FEW_WORDS:
        return say("few rules")
    return say("some rules") if words <= MANY_WORDS else say("many rules")


def format_luck(say: Reader, luck: LuckShare) -> str:
    """Say how much of a game is luck."""
    told = {
        LuckShare.ALL: say("pure luck"),
        LuckShare.MOST: say("mostly luck"),
        LuckShare.HALF: say("luck and skill"),
        LuckShare.LITTLE: say("mostly skill"),
    }
    return told[luck]


def _format_statistics(say: Reader, figures: GameStatistics, *, chosen: bool) -> str:
    """Summarise the computer's games; if sides are `chosen`, add how much the choice matters."""
    shortest, middle, longest = figures.throws
    told = [
        say(
            "A game takes about {middle} throws in all; nine in ten take {shortest} to {longest}.",
            middle=middle,
            shortest=shortest,
            longest=longest,
        ),
        say(
            "The side that begins wins {percent} % of games that are not drawn.",
            percent=figures.starter_wins,
        ),
    ]
    if chosen:
        gold, black = (figures.starter_wins_as[side] for side in Side)
        told.append(say("It wins {gold} % as gold, {black} % as black.", gold=gold, black=black))
    told.append(
        say(
            "(From {games} games of the computer against itself.)",
            games=format_count(say, figures.games),
        )
    )
    return " ".join(told)


def format_options(say: Reader, game: Game) -> Iterator[tuple[str, str]]:
    """Yield a game's house rules: each one's name, and what it asks, its values and its source."""
    for option in game.options:
        yield say("Option `{name}`", name=option.name), _format_option(say, option)


def format_origins(say: Reader, game: Game) -> Iterator[tuple[str, str]]:
    """Yield where a game comes from: its history, what we decided, and the sources."""
    # Translators: heading: where a game comes from, in past centuries (noun).
    yield say("History"), _translate_text(say, game, game.provenance.history)
    if game.provenance.decisions:
        decided = "\n".join(
            f"- {_translate_text(say, game, decision)}" for decision in game.provenance.decisions
        )
        yield say("Our decisions"), decided
    yield (
        _format_label(say, game.provenance.label),
        join_clauses(
            say, (_translate_text(say, game, source) for source in game.provenance.sources)
        ),
    )


def format_tagline(say: Reader, game: Game) -> str:
    """Say a game in one line, with its other names."""
    line = _translate_text(say, game, game.tagline)
    if not game.aliases:
        return line
    return say(
        "{tagline} Also called {names}.",
        tagline=line,
        names=", ".join(_translate_text(say, game, name) for name in game.aliases),
    )


def _translate_text(say: Reader, game: Game, text: str) -> str:
    return say.in_context(game_context(game.slug), text)


def _format_label(say: Reader, label: ProvenanceLabel) -> str:
    return say("Sources ({label})", label=say.in_context(LABEL, label.value))


def _format_option(say: Reader, option: Option) -> str:
    context = option_context(option.name)
    values = "\n".join(
        f"- {format_labelled(say, f'`{value.name}`', say.in_context(context, value.meaning))}"
        for value in option.values
    )
    settled = say("default: `{value}`", value=option.default_value.name)
    if option.starter_chooses:
        settled = say("chosen by the side that begins")
    asked = say.in_context(context, option.asks)
    return f"{asked} ({settled})\n-# {say.in_context(context, option.source)}\n{values}"
