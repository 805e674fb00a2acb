"""Why a name is refused that no game, edition, option or value has."""

from bot.platform.i18n.common import format_title
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.reason_parts import Parts, join_all, join_alternatives, quote_each
from engine.games import GAMES


def explain_unknown_game(say: Reader, parts: Parts) -> str:
    """Say that no game has that name, and which may be meant."""
    if parts["legal"]:
        return say(
            "there's no game called {name}; did you mean {near}?",
            name=parts["name"],
            near=join_alternatives(say, parts["legal"]),
        )
    return say("there's no game called {name}; `/rules` lists all games", **parts)


def explain_unknown_edition(say: Reader, parts: Parts) -> str:
    """Say that a game has no such edition of its rules here."""
    count = len(parts["known"])
    game = format_title(say, GAMES[parts["game"]])
    known = join_all(say, parts["known"])
    return say.plural(
        "{game} has no edition {edition} of its rules here, only edition {known}",
        "{game} has no edition {edition} of its rules here, only editions {known}",
        count,
        game=game,
        known=known,
        edition=parts["edition"],
    )


def explain_unknown_option(say: Reader, parts: Parts) -> str:
    """Say that a game has no such option, and which may be meant."""
    game = format_title(say, GAMES[parts["game"]])
    if parts["legal"]:
        near = join_alternatives(say, quote_each(parts["legal"]))
        return say(
            "{game} has no option {name}; did you mean {near}?",
            game=game,
            name=parts["name"],
            near=near,
        )
    if parts["known"]:
        count = len(parts["known"])
        known = join_all(say, quote_each(parts["known"]))
        return say.plural(
            "{game} has no option {name}; its only option is {known}",
            "{game} has no option {name}; its options are {known}",
            count,
            game=game,
            name=parts["name"],
            known=known,
        )
    return say("{game} has no options, so {name} can't be set", game=game, name=parts["name"])


def explain_unknown_value(say: Reader, parts: Parts) -> str:
    """Say that an option has no such value, and which it has."""
    option = parts["option"]
    name = parts["name"]
    if parts["legal"]:
        near = join_alternatives(say, quote_each(parts["legal"]))
        return say(
            "`{option}` can't be {name}; did you mean {near}?", option=option, name=name, near=near
        )
    known = join_alternatives(say, quote_each(parts["known"]))
    return say("`{option}` can be {known}, but not {name}", option=option, name=name, known=known)
