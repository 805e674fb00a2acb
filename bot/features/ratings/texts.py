"""How ratings, and what a match did to them, are written."""

from collections.abc import Iterable, Sequence

from bot.features.matches.rows import DRAW, Leaderboard, RatingChange, RatingRow, SkillEstimate
from bot.features.matches.session import MatchSession
from bot.features.matches.texts import mention_person
from bot.features.ratings import leaderboards, service
from bot.features.ratings.tables import DAILY_MEETINGS
from bot.platform.i18n.common import format_gain, format_title, join_facts
from bot.platform.i18n.reader import Reader, escape_text
from engine.clock import SECOND
from engine.games import find_game
from engine.outcome import ANNULLED


def format_rating(say: Reader, strength: SkillEstimate | None) -> str:
    """Write a rating, a question mark where it is uncertain; a word where there was none."""
    if strength is None:
        return say.in_context("in place of a player's rating, where there was none", "new")
    doubt = "" if service.is_certain(strength) else "?"
    return f"{service.get_display_rating(strength)}{doubt}"


def explain_question_mark(say: Reader, shown: Iterable[SkillEstimate | None]) -> str:
    """Say what the question mark after a rating means; nothing if none of those shown has one."""
    if all(each is None or service.is_certain(each) for each in shown):
        return ""
    return say("A ? marks a rating that is still uncertain and may change a lot.")


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
        service.build_server_scope(session.row.guild),
        service.build_pool_name(session.row.game, session.computer_level),
    )
    if any(change.is_still for change in changes if change.key.board == board):
        return format_daily_limit(say)
    shown = [change for change in changes if change.key.board == board]
    if not shown:
        return say("Not rated.")
    texts = [_format_rating_change(say, change) for change in shown]
    doubt = explain_question_mark(say, (each for it in shown for each in (it.before, it.after)))
    text = say("Ratings: {changes}", changes=say.join_with_commas(texts))
    return "\n-# ".join(filter(None, (text, doubt)))


def _format_rating_change(say: Reader, change: RatingChange) -> str:
    who = mention_person(say, change.key.person)
    before, after = (format_rating(say, each) for each in (change.before, change.after))
    # Translators: {before} and {after} are ratings, or "new" in place of one: "@Ana 1480 → 1520".
    return say.in_context(
        "a player's rating before and after a match",
        "{who} {before} → {after}",
        who=who,
        before=before,
        after=after,
    )


def format_season(say: Reader, season: service.Season) -> str:
    """Write the name of a season."""
    return say("{year}-Q{quarter}", year=season.year, quarter=season.quarter)


def format_daily_limit(say: Reader) -> str:
    """Say that a match moved no rating, since the same people had played enough that day."""
    return say(
        "Ratings unchanged: only the first {n} rated matches of the same players in one game and "
        "day (UTC) move them.",
        n=DAILY_MEETINGS,
    )


def format_explanation_heading(
    say: Reader, found: leaderboards.RatingExplanation, asker: int
) -> str:
    """Say whose last rating change is explained."""
    if found.change.key.person == asker:
        return say("### Your last rating change")
    return say(
        "### The last rating change of {who}", who=mention_person(say, found.change.key.person)
    )


def format_explained_match(
    say: Reader, found: leaderboards.RatingExplanation, link: str | None
) -> str:
    """Say how the match ended, when, and against whom, with their ratings at that time."""
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
                who=mention_person(say, each.key.person),
                rating=format_rating(say, each.before),
            )
            if each.before
            else say("{who} (no rating yet)", who=mention_person(say, each.key.person))
            for each in changes
        ]
    )


def format_win_chance(say: Reader, found: leaderboards.RatingExplanation) -> str:
    """Say what the ratings before the match promised."""
    return say(
        "Win chance by the ratings before the match: {chance}%", chance=round(100 * found.chance)
    )


def format_explained_change(say: Reader, change: RatingChange) -> str:
    """Tell a rating before and after a match, and the two numbers from which it is worked out."""
    if change.is_still:
        rating = say("Rating {rating}", rating=service.get_display_rating(change.after))
        return f"{rating}\n{format_daily_limit(say)}"
    before = change.before or service.get_newcomer()
    old, new = service.get_display_rating(before), service.get_display_rating(change.after)
    rating = say("Rating {old} → {new} ({gain})", old=old, new=new, gain=format_gain(new - old))
    strength, uncertainty = service.compute_display_parts(before)
    stronger, surer = service.compute_display_parts(change.after)
    parts = say(
        "Estimated strength {strength} → {stronger}, uncertainty {uncertainty} → {surer}",
        strength=strength,
        stronger=stronger,
        uncertainty=uncertainty,
        surer=surer,
    )
    return f"{rating}\n{parts}"


def format_season_so_far(say: Reader, found: leaderboards.SeasonSoFar | None) -> str:
    """Say how the season goes for somebody; nothing if they have not played in it."""
    if found is None:
        return ""
    parts = {
        "season": format_season(say, found.season),
        "rating": format_rating(say, found.row),
        "tally": format_tally(say, found.row),
    }
    if found.rank is None:
        return say(
            "Season {season} so far: {rating} · {tally}, {n} of the {enough} rated matches needed "
            "for a rank",
            n=found.row.games,
            enough=service.ENOUGH_GAMES,
            **parts,
        )
    return say(
        "Season {season} so far: {rating} · {tally}, rank {rank} of {ranked}",
        rank=found.rank,
        ranked=found.ranked,
        **parts,
    )


def format_explanation_footer(say: Reader, found: leaderboards.RatingExplanation) -> str:
    """Say how a rating follows from strength and uncertainty."""
    how = say(
        "The rating is the estimated strength minus three times the uncertainty, so it also rises "
        "as a strength becomes known better. An expected result changes it little."
    )
    others = (each.before for each in (*found.partners, *found.opponents))
    season = [found.season.row] if found.season else []
    return "\n".join(filter(None, (how, explain_question_mark(say, (*others, *season)))))


def format_leaderboard_title(
    say: Reader, pool: str, scope: str, season: service.Season | None
) -> str:
    """Name a leaderboard."""
    if season is None:
        if scope == "server":
            return say("Leaderboard: {games}, this server", games=pool)
        return say("Leaderboard: {games}, all servers", games=pool)
    when = format_season(say, season)
    if scope == "server":
        return say("Leaderboard of {season}: {games}, this server", season=when, games=pool)
    return say("Leaderboard of {season}: {games}, all servers", season=when, games=pool)


def format_empty_leaderboard(say: Reader, season: service.Season | None) -> str:
    """Say that nobody is on a leaderboard."""
    if season is None:
        return say("Nobody has finished a rated match yet.")
    when = format_season(say, season)
    return say("Nobody has finished a rated match in {season}.", season=when)


def explain_scope(say: Reader, scope: str) -> str:
    """Say who is on a leaderboard of all servers; nothing of a server's."""
    if scope == "server":
        return ""
    return say(
        "Only people who chose it are shown here. To be shown, use `/me settings`; only you see "
        "this message."
    )


def format_season_winner(say: Reader, name: str | None) -> str:
    """Say who has won a season that is over."""
    # Translators: a name: a player whose name isn't known, in "**{who}** won the season".
    who = escape_text(name) if name else say("somebody")
    return say("**{who}** won the season.", who=who)


def format_profile_heading(say: Reader, name: str, *, everywhere: bool) -> str:
    """Name somebody's profile."""
    plain = escape_text(name)
    if everywhere:
        return say("### {name}, all servers", name=plain)
    return say("### {name}, this server", name=plain)


def format_leaderboard_line(
    say: Reader, line: leaderboards.LeaderboardEntry, name: str | None
) -> str:
    """Tell one line of a leaderboard: rank, name, rating, and games."""
    rank = f"**{line.rank}.**" if line.rank else "–"
    # A board names people without mentioning them, so a name must not become markup.
    # Translators: a name on a leaderboard: a player whose name isn't known.
    who = escape_text(say.name_person(line.person, name)) if name else say("somebody")
    rating = format_rating(say, line.row)
    rated = say.in_context(
        "a line of a leaderboard: rank, player, rating",
        "{rank} {who} {rating}",
        rank=rank,
        who=who,
        rating=rating,
    )
    needed = "" if line.rank else _format_games_needed(say, line)
    return join_facts(say, rated, format_tally(say, line.row), needed)


def format_own_line(say: Reader, line: leaderboards.LeaderboardEntry) -> str:
    """Tell the reader where they stand themselves, when they are on another page."""
    # Translators: a name on a leaderboard: the reader, in place of their name.
    return format_leaderboard_line(say, line, say("You"))


def _format_games_needed(say: Reader, line: leaderboards.LeaderboardEntry) -> str:
    return say(
        "{n} of the {enough} rated matches needed for a rank",
        n=line.row.games,
        enough=service.ENOUGH_GAMES,
    )


def format_leaderboard_footer(say: Reader, page: leaderboards.LeaderboardPage) -> str:
    """Say which page this is, and what its numbers are."""
    return say(
        "Page {page} of {pages}. New players start at 1000.",
        page=page.paging.number + 1,
        pages=page.paging.pages,
    )


def format_first_rating(say: Reader, pool: str, rating: int) -> str:
    """Say in words what a curve of a single match would show."""
    return say(
        "Rating, {game}: {rating} after the first rated match. A curve shows more of them.",
        game=pool,
        rating=rating,
    )
