"""What is said of puzzles, of their answers, and of the one that is posted every day."""

from collections.abc import Iterator

from bot.features.analysis.texts import describe_loss, explain_exactness, format_evaluation
from bot.features.matches.texts import mention_person
from bot.features.posts.service import PostSchedule
from bot.features.posts.texts import format_hour, format_next_post
from bot.features.puzzles.match_puzzles import MatchPuzzle, OwnPuzzle, OwnPuzzleResult
from bot.features.puzzles.service import DailyPost, DailyPuzzle, PuzzleResult, SolvedPuzzle
from bot.platform.i18n.common import (
    capitalise_first,
    format_code,
    format_dice,
    format_house_rules,
    format_side,
    format_title,
    join_sentences,
    keep_together,
)
from bot.platform.i18n.reader import PUZZLE, Reader, game_context
from engine.clock import SECOND
from engine.games import GAMES
from engine.players.evaluation import Evaluation
from engine.players.puzzles import Puzzle, PuzzlePlay

MAX_SOLVERS = 10
"""People who are named, so that they fit in a line or two."""
MAX_PLAYS = 3
"""Plays of a solution that are listed; others may be as good."""


def format_heading(say: Reader, puzzle: Puzzle) -> str:
    """Name a puzzle, and in small what its game is about."""
    game = puzzle.match.game
    return say(
        "### Today's puzzle: {game}\n-# {tagline}",
        game=format_title(say, game),
        tagline=say.in_context(game_context(game.slug), game.tagline),
    )


def format_own_heading(say: Reader, puzzle: Puzzle) -> str:
    """Name one's own puzzle."""
    game = puzzle.match.game
    return say(
        "### Your own puzzle: {game}\n-# {tagline}",
        game=format_title(say, game),
        tagline=say.in_context(game_context(game.slug), game.tagline),
    )


def format_source_text(say: Reader, puzzle: Puzzle) -> str:
    """Format the introduction of a source's position; empty for one that was found."""
    return say.in_context(PUZZLE, puzzle.comment) if puzzle.comment else ""


def format_question(say: Reader, puzzle: Puzzle) -> str:
    """Ask for the play."""
    side = format_side(say, puzzle.match.turn)
    left = format_dice(puzzle.match.position.dice)
    if puzzle.is_forced:
        question = say(
            "**{side}** has {dice} to play and only one legal play. Find it.", side=side, dice=left
        )
    else:
        question = say("**{side}** has {dice} to play. Which play is best?", side=side, dice=left)
    return capitalise_first(question)


def format_partial_play(say: Reader, play: str) -> str:
    """Say what is played so far; nothing before the first move."""
    return say("So far: {play}.", play=format_code(keep_together(play))) if play else ""


def format_status(say: Reader, puzzle: Puzzle) -> str:
    """Say in the picture whose turn it is."""
    return capitalise_first(say("{side} to play", side=format_side(say, puzzle.match.turn)))


def format_solver(say: Reader) -> str:
    """Name in the picture who is to play."""
    # Translators: a name in the picture of a board: the reader, who is to play.
    return say("you")


def format_opponent(say: Reader) -> str:
    """Name in the picture who is not."""
    # Translators: a name in the picture of a board: the player of the other side.
    return say("opponent")


def format_small_print(say: Reader, today: DailyPuzzle) -> str:
    """Say where a puzzle comes from, and what counts."""
    counts = say(
        "Your first answer each day (UTC) counts; correct answers on consecutive days make a "
        "streak."
    )
    if today.next_post is not None:
        counts = say(
            "Your first answer to each day's puzzle counts; correct answers on consecutive days "
            "make a streak. The next puzzle comes {when}.",
            when=f"<t:{today.next_post // SECOND}:R>",
        )
    if today.answered:
        counts = say("You've already answered today, so this is just for fun.")
    return "\n".join(
        (
            *format_origin(say, today.puzzle),
            counts,
            _explain_answering(say),
        )
    )


def _explain_answering(say: Reader) -> str:
    return say(
        "Pick below or type `/move`. If it's your turn in a match here, `/move` plays there first."
    )


def format_own_small_print(say: Reader, puzzle: OwnPuzzle) -> str:
    """Say where one's own puzzle comes from, and who sees it."""
    origin = say(
        "From your match {match}, where your play cost you a lot. Only you see this puzzle.",
        match=puzzle.reported,
    )
    return "\n".join((origin, *_explain_answer_exactness(say, puzzle), _explain_answering(say)))


def format_origin(say: Reader, puzzle: Puzzle) -> Iterator[str]:
    """Say where a puzzle comes from, and whether its answer is proven."""
    if isinstance(puzzle, MatchPuzzle):
        yield say("From a match in this server, with its players' permission.")
    elif puzzle.source:
        yield say("Source: {source}.", source=say.in_context(PUZZLE, puzzle.source))
    else:
        yield say(
            "From a game of the computer against itself, throw {number}.", number=puzzle.throw
        )
    yield from _explain_answer_exactness(say, puzzle)


def _explain_answer_exactness(say: Reader, puzzle: Puzzle) -> Iterator[str]:
    if puzzle.exact:
        # Translators: below a puzzle: what each play in it is worth is known, not estimated.
        yield say("The answer is exact: this position is solved.")


def format_rules(say: Reader, puzzle: Puzzle) -> str:
    """Write the house rules of a puzzle; empty if it has none."""
    if not puzzle.options:
        return ""
    rules = join_sentences(say, *format_house_rules(say, GAMES[puzzle.game], puzzle.options))
    return say("House rules: {rules}", rules=rules)


def format_answer(say: Reader, answered: PuzzleResult) -> Iterator[str]:
    """Say whether an answer is right, how it compares with the other play, and the streak."""
    yield from _format_evaluations(
        say, answered.tried.puzzle, answered.answer, right=answered.right
    )
    yield _format_streak(say, answered)


def format_own_answer(say: Reader, answered: OwnPuzzleResult) -> Iterator[str]:
    """Say the same of an answer to one's own puzzle, with what was played in the match."""
    puzzle = answered.puzzle
    yield from _format_evaluations(say, puzzle, answered.answer, right=answered.right)
    if answered.answer.play != puzzle.played:
        yield say(
            "In match {match} you played {play}.",
            match=puzzle.reported,
            play=format_code(puzzle.played),
        )
    yield say.plural(
        "Your puzzles: {solved} of {n} solved.",
        "Your puzzles: {solved} of {n} solved.",
        answered.counts.all,
        solved=answered.counts.solved,
    )


def _format_evaluations(
    say: Reader, puzzle: Puzzle, answer: PuzzlePlay, *, right: bool
) -> Iterator[str]:
    # Translators: heading: the reader has solved the puzzle.
    yield say("### Correct!") if right else say("### There was a better play")
    yield _format_own_play(say, puzzle, answer)
    yield from _format_other_play(say, puzzle, answer)


def _format_own_play(say: Reader, puzzle: Puzzle, answer: PuzzlePlay) -> str:
    loss = puzzle.answers[0].points - answer.points
    how = say("the best play")
    if loss != 0:
        how = describe_loss(say, loss, exact=puzzle.exact)
    if puzzle.is_forced:
        how = say("the only legal play")
    evaluation = _format_evaluation(say, puzzle, answer)
    # Translators: a play, how good it is, its chances: "a-b: slightly worse. Win chance 62%, ...".
    return say(
        "{play}: {how}. {evaluation}",
        play=format_code(keep_together(answer.play)),
        how=how,
        evaluation=evaluation,
    )


def _format_other_play(say: Reader, puzzle: Puzzle, answer: PuzzlePlay) -> Iterator[str]:
    """Give the best play if another was played, else the second best."""
    best, *others = puzzle.answers
    if answer != best:
        evaluation = _format_evaluation(say, puzzle, best)
        yield say(
            "Best play: {play}. {evaluation}",
            play=format_code(keep_together(best.play)),
            evaluation=evaluation,
        )
    elif others:
        how = describe_loss(say, best.points - others[0].points, exact=puzzle.exact)
        evaluation = _format_evaluation(say, puzzle, others[0])
        yield say(
            "Second best: {play}, {how}. {evaluation}",
            play=format_code(keep_together(others[0].play)),
            how=how,
            evaluation=evaluation,
        )


def _format_evaluation(say: Reader, puzzle: Puzzle, answer: PuzzlePlay) -> str:
    return format_evaluation(say, Evaluation(answer.win, answer.points, puzzle.exact))


def _format_streak(say: Reader, answered: PuzzleResult) -> str:
    if not answered.counts:
        return say("This was just for fun: you had already answered today.")
    if answered.right:
        return say.plural("Your streak: {n} day.", "Your streak: {n} days.", answered.streak)
    return say("Your streak is over. You can start a new one tomorrow.")


def explain_arrows(say: Reader, puzzle: Puzzle, *, right: bool) -> str:
    """Say whose judgement it is, and which arrows are which."""
    judge = explain_exactness(say) if puzzle.exact else say("The computer's evaluation, 1-ply.")
    if right:
        return judge
    return join_sentences(say, judge, say("Arrows 1: the better play. Arrows 2: the play made."))


def format_announcement(say: Reader, puzzle: Puzzle, person: int, streak: int) -> str:
    """Tell everyone that somebody solved the puzzle of today, and nothing else of it."""
    parts = {"who": mention_person(say, person), "game": format_title(say, puzzle.match.game)}
    return say.plural(
        "{who} solved today's puzzle ({game}): a streak of {n} day.",
        "{who} solved today's puzzle ({game}): a streak of {n} days.",
        streak,
        **parts,
    )


def format_post_heading(say: Reader, puzzle: Puzzle) -> str:
    """Name the puzzle of a day, and in small what its game is about."""
    game = puzzle.match.game
    return say(
        "### Puzzle of the day: {game}\n-# {tagline}",
        game=format_title(say, game),
        tagline=say.in_context(game_context(game.slug), game.tagline),
    )


def format_post_small_print(say: Reader, puzzle: Puzzle, next_post: int) -> str:
    """Say where a puzzle comes from, who sees the answers, and when the solution follows."""
    counts = say(
        "Only you see your answer, and the first one counts. The solution, with the names of those "
        "who solved it, and the next puzzle come {when}.",
        when=f"<t:{next_post // SECOND}:R>",
    )
    return "\n".join((*format_origin(say, puzzle), counts))


def format_solution(say: Reader, last: SolvedPuzzle, link: str | None) -> str:
    """Tell the solution of the last puzzle, and who solved it."""
    game = format_title(say, last.puzzle.match.game)
    named = f"[{game}]({link})" if link else game
    # The best play comes first among the answers; others may be as good.
    plays = [each.play for each in last.puzzle.answers if last.puzzle.is_solved_by(each)]
    written = say.format_list([format_code(keep_together(play)) for play in plays[:MAX_PLAYS]])
    if last.puzzle.is_forced:
        text = say(
            "**Solution of the last puzzle**: in {puzzle} the only legal play was {play}.",
            puzzle=named,
            play=written,
        )
    elif len(plays) > 1:
        text = say(
            "**Solution of the last puzzle**: in {puzzle} the best plays were {plays}.",
            puzzle=named,
            plays=written,
        )
    else:
        text = say(
            "**Solution of the last puzzle**: in {puzzle} the best play was {play}.",
            puzzle=named,
            play=written,
        )
    # Translators: after "the best play was a-b.": this isn't an estimate.
    proof = say("That is proven.") if last.puzzle.exact else ""
    return join_sentences(say, text, proof, _format_solvers(say, last))


def _format_solvers(say: Reader, last: SolvedPuzzle) -> str:
    result = last.result
    if not result.answered:
        return say("Nobody answered.")
    if not result.solvers:
        return say("Nobody solved it.")
    named = [mention_person(say, person) for person in result.solvers[:MAX_SOLVERS]]
    others = len(result.solvers) - len(named)
    if others:
        return say.plural(
            "Solved by {people} and {n} other person.",
            "Solved by {people} and {n} other people.",
            others,
            people=say.join_with_commas(named),
        )
    return say("Solved by {people}.", people=say.format_list(named))


def format_streaks(say: Reader, daily: DailyPost) -> str:
    """Tell the longest streaks of a server; empty if there are none."""
    if not daily.streaks:
        return ""
    listed = []
    for each in daily.streaks:
        who = mention_person(say, each.person)
        listed.append(say.plural("{who} ({n} day)", "{who} ({n} days)", each.days, who=who))
    return say("**Longest streaks**: {streaks}.", streaks=say.format_list(listed))


def format_closed(say: Reader, link: str) -> str:
    """Tell on the message of a puzzle that is over where its solution is."""
    return say("This puzzle is over. [Its solution]({link})", link=link)


def format_puzzle_schedule(say: Reader, schedule: PostSchedule | None) -> str:
    """Say where and when the puzzle of the day is posted in a server."""
    if schedule is None or not schedule.is_on:
        return say("The daily puzzle isn't posted in this server.")
    return say(
        "The daily puzzle is posted in {channel} every day at {hour}. The next one comes {when}.",
        channel=f"<#{schedule.chosen.channel}>",
        hour=format_hour(schedule),
        when=format_next_post(schedule),
    )
