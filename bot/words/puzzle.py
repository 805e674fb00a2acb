"""What is said of puzzles and of their answers."""

from collections.abc import Iterator

from bot.app.puzzles import Answered, Today
from bot.words import common
from bot.words.advice import compared, numbers
from bot.words.common import dice, mention, side_title, typed
from bot.words.reader import Reader
from bot.words.texts import PUZZLE, of_game
from engine.games import GAMES
from engine.players.puzzles import Puzzle


def title(say: Reader, puzzle: Puzzle) -> str:
    """Name a puzzle, and in small what its game is about."""
    game = puzzle.match.game
    return say(
        "### Today's puzzle: {game}\n-# {tagline}",
        game=common.title(say, game),
        tagline=say.of(of_game(game.slug), game.tagline),
    )


def told(say: Reader, puzzle: Puzzle) -> str:
    """Tell what is told of a source's position; nothing of one that was found."""
    return say.of(PUZZLE, puzzle.told) if puzzle.told else ""


def asked(say: Reader, puzzle: Puzzle) -> str:
    """Ask for the play."""
    side = side_title(say, puzzle.match.turn)
    left = dice(puzzle.match.position.dice)
    if puzzle.forced:
        return say(
            "**{side}** has {dice} to play and only one legal play. Find it.", side=side, dice=left
        )
    return say("**{side}** has {dice} to play. Which play is best?", side=side, dice=left)


def so_far(say: Reader, play: str) -> str:
    """Tell what is played so far; nothing before the first move."""
    return say("So far: {play}.", play=typed(play)) if play else ""


def status(say: Reader, puzzle: Puzzle) -> str:
    """Say in the picture whose turn it is."""
    return say("{side} to play", side=side_title(say, puzzle.match.turn))


def solver(say: Reader) -> str:
    """Name in the picture who is to play."""
    return say("you")


def opponent(say: Reader) -> str:
    """Name in the picture who is not."""
    return say("opponent")


def small_print(say: Reader, today: Today) -> str:
    """Tell where a puzzle comes from, and what counts."""
    counts = say(
        "Your first answer each day (UTC) counts; correct answers on consecutive days make a "
        "streak."
    )
    if today.answered:
        counts = say("You've already answered today, so this is just for fun.")
    how = say(
        "Pick below or type `/move`. If it's your turn in a match here, `/move` plays there first."
    )
    return "\n".join((origin(say, today.puzzle), *_rules(say, today.puzzle), counts, how))


def origin(say: Reader, puzzle: Puzzle) -> str:
    """Tell where a puzzle comes from."""
    if puzzle.source:
        return say("Source: {source}.", source=say.of(PUZZLE, puzzle.source))
    return say("From a game that I played against myself, throw {number}.", number=puzzle.throw)


def _rules(say: Reader, puzzle: Puzzle) -> Iterator[str]:
    if puzzle.options:
        rules = " ".join(common.house_rules(say, GAMES[puzzle.game], puzzle.options))
        yield say("House rules: {rules}", rules=rules)


def verdict(say: Reader, answered: Answered) -> Iterator[str]:
    """Say whether an answer is right, how it compares with the other play, and the streak."""
    yield say("### Correct!") if answered.right else say("### There was a better play")
    yield _done(say, answered)
    yield from _beside(say, answered)
    yield _streak(say, answered)


def _done(say: Reader, answered: Answered) -> str:
    puzzle = answered.tried.puzzle
    loss = puzzle.answers[0].points - answered.answer.points
    how = say("the best play") if loss == 0 else compared(say, loss)
    if puzzle.forced:
        how = say("the only legal play")
    worth = numbers(say, answered.answer.win, answered.answer.points)
    return say(
        "{play}: {how}. {evaluation}", play=typed(answered.answer.play), how=how, evaluation=worth
    )


def _beside(say: Reader, answered: Answered) -> Iterator[str]:
    """Give the best play if another was played, else the second best."""
    puzzle = answered.tried.puzzle
    best, *others = puzzle.answers
    if answered.answer != best:
        worth = numbers(say, best.win, best.points)
        yield say("Best play: {play}. {evaluation}", play=typed(best.play), evaluation=worth)
    elif others:
        how = compared(say, best.points - others[0].points)
        worth = numbers(say, others[0].win, others[0].points)
        yield say(
            "Second best: {play}, {how}. {evaluation}",
            play=typed(others[0].play),
            how=how,
            evaluation=worth,
        )


def _streak(say: Reader, answered: Answered) -> str:
    if not answered.counts:
        return say("This was just for fun: you had already answered today.")
    if answered.right:
        return say.many("Your streak: {n} day.", "Your streak: {n} days.", answered.streak)
    return say("Your streak is over. You can start a new one tomorrow.")


def arrows(say: Reader, answered: Answered) -> str:
    """Tell whose judgement it is, and which arrows are which."""
    judge = say("Tabula's evaluation, 1-ply.")
    if answered.right:
        return judge
    return " ".join((judge, say("Arrows 1: the better play. Arrows 2: the play made.")))


def news(say: Reader, puzzle: Puzzle, person: int, streak: int) -> str:
    """Tell everyone that somebody solved the puzzle of today, and no more of it."""
    parts = {"who": mention(person), "game": common.title(say, puzzle.match.game)}
    return say.many(
        "{who} solved today's puzzle ({game}): a streak of {n} day.",
        "{who} solved today's puzzle ({game}): a streak of {n} days.",
        streak,
        **parts,
    )
