"""How ratings, and what a match did to them, are written."""

from collections.abc import Sequence

from bot.features.matches.name_texts import mention_person
from bot.features.matches.session import MatchSession
from bot.features.ratings import service as ratings
from bot.features.ratings.daily_limit import DAILY_MEETINGS
from bot.features.ratings.explanation import RatingExplanation, SeasonSoFar
from bot.features.ratings.seasons import Season
from bot.platform.i18n.common import format_title
from bot.platform.i18n.numbers import format_gain
from bot.platform.i18n.reader import Reader
from bot.store import DRAW, Leaderboard, RatingChange, RatingRow, SkillEstimate
from engine.clock import SECOND
from engine.games import find_game
from engine.outcome import ANNULLED


def format_rating(say: Reader, strength: SkillEstimate | None) -> str:
    """Write a rating, a question mark where it is uncertain; a word where there was none."""
    if strength is None:
        # Translators: instead of a player's rating, where there was none: "@Ana new → 1520".
        return say("new")
    doubt = "" if ratings.is_certain(strength) else "?"
    return f"{ratings.get_display_rating(strength)}{doubt}"


def format_tally(say: Reader, row: RatingRow) -> str:
    """Format how many games somebody won, drew and lost.

    Draws, which are rare, are included only where there are some.
    """
    if not row.drawn:
        return say("{won} won, {lost} lost", won=row.won, lost=row.lost)
    return say("{won} won, {drawn} drawn, {lost} lost", won=row.won, drawn=row.drawn, lost=row.lost)


def format_rating_changes(
    say: Reader, session: MatchSession, changes: Sequence[RatingChange]
) -> str:
    """Tell the ratings in this game and server before and after a match."""
    outcome = session.match.outcome
    if outcome and outcome.how == ANNULLED and session.row.rated:
        return say("The ratings no longer include this match.")
    if outcome and (outcome.is_void or (session.row.rated and not outcome.is_rateable)):
        # The result says that it does not count, or is not rated though the match was to be.
        return ""
    # A match counts on four boards; this is the one that its players look at.
    board = Leaderboard(
        ratings.make_server_scope(session.row.guild),
        ratings.make_pool_name(session.row.game, session.computer_level),
    )
    if any(change.is_still for change in changes if change.key.board == board):
        return format_daily_limit(say)
    told = [
        f"{mention_person(change.key.person)} {format_rating(say, change.before)} → "
        f"{format_rating(say, change.after)}"
        for change in changes
        if change.key.board == board
    ]
    return say("Ratings: {changes}", changes=", ".join(told)) if told else say("Not rated.")


def format_season(say: Reader, season: Season) -> str:
    """Write the name of a season."""
    return say("{year}-Q{quarter}", year=season.year, quarter=season.quarter)


def format_daily_limit(say: Reader) -> str:
    """Say that a match moved no rating, since the same people had played enough that day."""
    return say(
        "Ratings unchanged: only the first {n} rated matches of the same players in one game and "
        "day (UTC) move them.",
        n=DAILY_MEETINGS,
    )


def format_explanation_heading(say: Reader, found: RatingExplanation, asker: int) -> str:
    """Tell whose last rating change is explained."""
    if found.change.key.person == asker:
        return say("### Your last rating change")
    return say("### The last rating change of {who}", who=mention_person(found.change.key.person))


def format_explained_match(say: Reader, found: RatingExplanation, link: str | None) -> str:
    """Tell how the match ended, when, and against whom, with their ratings at that time."""
    row = found.row
    game = find_game(row.game, row.edition)
    match = say("{game}, match {number}", game=format_title(say, game), number=row.id)
    parts = {
        "at": (row.ended or row.touched) // SECOND,
        "match": f"[{match}]({link})" if link else match,
        "result": _format_result(say, found.change.side, row.winner),
        "others": _format_rated_people(say, found.opponents),
    }
    if found.partners:
        return say(
            "<t:{at}:d> {match}: **{result}**, with {partners}, against {others}",
            partners=_format_rated_people(say, found.partners),
            **parts,
        )
    return say("<t:{at}:d> {match}: **{result}** against {others}", **parts)


def _format_result(say: Reader, side: str, winner: str | None) -> str:
    if winner == DRAW:
        # Translators: how a match ended: nobody won it (participle).
        return say("drawn")
    if winner == side:
        # Translators: how a match ended for somebody (participle, said of the match).
        return say("won")
    # Translators: how a match ended for somebody (participle, said of the match).
    return say("lost")


def _format_rated_people(say: Reader, changes: Sequence[RatingChange]) -> str:
    """Write people with the ratings that they had before a match."""
    return say.format_list(
        [
            say(
                "{who} (rating {rating})",
                who=mention_person(each.key.person),
                rating=format_rating(say, each.before),
            )
            for each in changes
        ]
    )


def format_win_chance(say: Reader, found: RatingExplanation) -> str:
    """Tell what the ratings before the match promised."""
    return say(
        "Win chance by the ratings before the match: {chance} %", chance=round(100 * found.chance)
    )


def format_explained_change(say: Reader, change: RatingChange) -> str:
    """Tell a rating before and after a match, and the two numbers from which it is worked out."""
    if change.is_still:
        rating = say("Rating {rating}", rating=ratings.get_display_rating(change.after))
        return f"{rating}\n{format_daily_limit(say)}"
    before = change.before or ratings.get_newcomer()
    old, new = ratings.get_display_rating(before), ratings.get_display_rating(change.after)
    rating = say("Rating {old} → {new} ({gain})", old=old, new=new, gain=format_gain(new - old))
    strength, uncertainty = ratings.compute_display_parts(before)
    stronger, surer = ratings.compute_display_parts(change.after)
    parts = say(
        "Estimated strength {strength} → {stronger}, uncertainty {uncertainty} → {surer}",
        strength=strength,
        stronger=stronger,
        uncertainty=uncertainty,
        surer=surer,
    )
    return f"{rating}\n{parts}"


def format_season_so_far(say: Reader, found: SeasonSoFar | None) -> str:
    """Tell how the season goes for somebody; nothing if they have not played in it."""
    if found is None:
        return ""
    parts = {
        "season": format_season(say, found.season),
        "rating": format_rating(say, found.row),
        "tally": format_tally(say, found.row),
    }
    if found.rank is None:
        return say(
            "Season {season} so far: {rating} · {tally}, {n} of the {enough} games needed for a "
            "rank",
            n=found.row.games,
            enough=ratings.ENOUGH_GAMES,
            **parts,
        )
    return say(
        "Season {season} so far: {rating} · {tally}, rank {rank} of {ranked}",
        rank=found.rank,
        ranked=found.ranked,
        **parts,
    )


def format_explanation_footer(say: Reader) -> str:
    """Tell how a rating follows from strength and uncertainty."""
    return say(
        "The rating is the estimated strength minus three times the uncertainty, so it also rises "
        "as a strength becomes known better. An expected result changes it little."
    )
