"""Pages that people read: matches, leaderboards, a profile, help."""

from collections.abc import Sequence

from bot.features.matches import name_texts
from bot.features.matches.clock_texts import format_relative_time, format_turn_end
from bot.features.matches.reach_texts import explain_how_to_continue
from bot.features.matches.session import MatchSession
from bot.features.notes.texts import format_note
from bot.features.ratings import texts
from bot.features.ratings.seasons import Season
from bot.features.ratings.service import ENOUGH_GAMES
from bot.features.ratings.standings import LeaderboardEntry, LeaderboardPage
from bot.platform.i18n import common
from bot.platform.i18n.catalogue_texts import theme_context
from bot.platform.i18n.reader import Reader
from bot.store import BoardStyle, Challenge
from engine.games import GAMES
from engine.position import Side
from render.theme import load_themes


def format_running_match(
    say: Reader,
    session: MatchSession,
    person: int,
    link: str | None,
    memo: str,
    labels: Sequence[str] = (),
) -> str:
    """Tell of one running match, lead to it, and repeat what that person noted about it.

    Without a `link` the match is shown nowhere, and how to bring it elsewhere stands instead.
    `labels` are what else is said of it, such as its league.
    """
    told = (
        _format_hidden_match(say, session)
        if link is None
        else _format_match_turn(say, session, person, link)
    )
    below = [*labels, *([format_note(say, memo)] if memo else [])]
    return "\n".join([told, *(f"-# {line}" for line in below)])


def _format_hidden_match(say: Reader, session: MatchSession) -> str:
    return say(
        "{game}, match {number}: can't be shown, and its clock is stopped. {way}\n-# {players}",
        game=common.format_title(say, session.match.game),
        number=session.id,
        way=explain_how_to_continue(say, session),
        players=name_texts.mention_sides(say, session),
    )


def _format_match_turn(say: Reader, session: MatchSession, person: int, link: str) -> str:
    turn = say("{who} to move", who=name_texts.mention_person(session.person_to_act))
    if session.person_to_act == person:
        turn = say("**your turn**")
    # Without a pace, and while nobody's time runs, there is nothing more to tell.
    turn = ", ".join(filter(None, (turn, format_turn_end(say, session))))
    game = common.format_title(say, session.match.game)
    return say(
        "[{game}, match {number}]({link}): {turn}\n-# {players}",
        game=game,
        number=session.id,
        link=link,
        turn=turn,
        players=name_texts.mention_sides(say, session),
    )


def format_open_challenge(say: Reader, challenge: Challenge, person: int, link: str | None) -> str:
    """Tell of one open challenge of a person's, or for them, and lead to its message."""
    game = common.format_title(say, GAMES[challenge.game])
    name = say("{game}, challenge {number}", game=game, number=challenge.id)
    if link:
        name = f"[{name}]({link})"
    who = say("open to anyone")
    if challenge.opponent:
        who = say("for {who}", who=name_texts.mention_person(challenge.opponent))
    if challenge.challenger != person:
        who = say("from {who}", who=name_texts.mention_person(challenge.challenger))
    return say(
        "{challenge}: {who}; expires {when}",
        challenge=name,
        who=who,
        when=format_relative_time(challenge.expires),
    )


def format_waiting_count(say: Reader, number: int, count: int) -> str:
    """Tell how many matches wait for the reader, and which of them this is."""
    return say("Match {number} of {count} waiting for you", number=number, count=count)


def format_leaderboard_title(say: Reader, pool: str, scope: str, season: Season | None) -> str:
    """Name a leaderboard."""
    if season is None:
        if scope == "server":
            return say("Leaderboard: {games}, this server", games=pool)
        return say("Leaderboard: {games}, all servers", games=pool)
    when = texts.format_season(say, season)
    if scope == "server":
        return say("Leaderboard of {season}: {games}, this server", season=when, games=pool)
    return say("Leaderboard of {season}: {games}, all servers", season=when, games=pool)


def format_empty_leaderboard(say: Reader, season: Season | None) -> str:
    """Say that nobody is on a leaderboard."""
    if season is None:
        return say("Nobody has finished a rated match yet.")
    when = texts.format_season(say, season)
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
    """Tell who has won a season that is over."""
    # Translators: a name: a player whose name isn't known, in "**{who}** won the season".
    who = common.escape_text(name) if name else say("somebody")
    return say("**{who}** won the season.", who=who)


def format_profile_heading(say: Reader, name: str, *, everywhere: bool) -> str:
    """Name somebody's profile."""
    plain = common.escape_text(name)
    if everywhere:
        return say("### {name}, all servers", name=plain)
    return say("### {name}, this server", name=plain)


def format_leaderboard_line(say: Reader, line: LeaderboardEntry, name: str | None) -> str:
    """Tell one line of a leaderboard: rank, name, rating, and games."""
    rank = f"**{line.rank}.**" if line.rank else "–"
    # A board names people without mentioning them, so a name must not become markup.
    # Translators: a name on a leaderboard: a player whose name isn't known.
    who = common.escape_text(name) if name else say("somebody")
    rating, tally = texts.format_rating(say, line.row), texts.format_tally(say, line.row)
    told = f"{rank} {who} {rating} · {tally}"
    return told if line.rank else f"{told} · {_format_games_needed(say, line)}"


def format_own_line(say: Reader, line: LeaderboardEntry) -> str:
    """Tell the reader where they stand themselves, when they are on another page."""
    # Translators: a name on a leaderboard: the reader, in place of their name.
    return format_leaderboard_line(say, line, say("You"))


def _format_games_needed(say: Reader, line: LeaderboardEntry) -> str:
    return say("{n} of the {enough} games needed for a rank", n=line.row.games, enough=ENOUGH_GAMES)


def format_leaderboard_footer(say: Reader, page: LeaderboardPage) -> str:
    """Tell which page this is, and what its numbers are."""
    return say(
        "Page {page} of {pages}. New players start at 1000. ? marks a rating that is still "
        "uncertain, and – a player with fewer than {enough} games.",
        page=page.number + 1,
        pages=page.pages,
        enough=ENOUGH_GAMES,
    )


def format_board_style(say: Reader, chosen: BoardStyle) -> str:
    """Tell how boards are drawn."""
    # A theme of another version may be missing here; then the board is drawn as by default.
    theme = load_themes().get(chosen.theme or "")
    drawn = say("the theme that suits each board.")
    if theme:
        title = say.in_context(theme_context(theme.name), theme.title)
        drawn = f"**{title}**. {say.in_context(theme_context(theme.name), theme.note)}"
    near = (
        say("Your own side")
        if chosen.seat == "mine"
        else common.format_side_title(say, Side(chosen.seat))
    )
    if chosen.numbered:
        return say("{theme} {side} is at the bottom. Points are numbered.", theme=drawn, side=near)
    return say("{theme} {side} is at the bottom.", theme=drawn, side=near)


def format_own_preview(say: Reader) -> str:
    """Say which boards the picture on the panel of somebody's settings is like."""
    return say("**Preview**: the boards that only you see, such as with `/match board`")


def format_server_preview(say: Reader) -> str:
    """Say which boards the picture on the panel of a server's boards is like."""
    return say("**Preview**: the boards that everyone sees in this server")


def format_first_rating(say: Reader, pool: str, rating: int) -> str:
    """Say in words what a curve of a single match would show."""
    return say(
        "Rating, {game}: {rating} after the first rated match. A curve shows more of them.",
        game=pool,
        rating=rating,
    )


def format_help_page(say: Reader, *, in_server: bool) -> tuple[str, ...]:
    """Tell the first five minutes."""
    first = say(
        "1. Press the button below to play the computer in our direct messages. You can challenge "
        "people in a server that has invited me."
    )
    if in_server:
        first = say(
            "1. Press a button below to learn by playing, to play the computer, or to challenge "
            "anyone who wants to play."
        )
    steps = (
        first,
        say("2. A friend presses **Accept**. The opening roll decides who starts."),
        say(
            "3. Your turn shows your throw and where each number takes your men. Press a button "
            "for each move."
        ),
        say("4. **Take back** works until the next throw."),
    )
    typed = say(
        "You can also type: `/roll`, `/undo`, and `/move a-g b-f`, which moves one man from a to g "
        "and another from b to f. `bar-c` enters a man, and `t-off` bears one off. You can type "
        "part of a play, and the rest later."
    )
    commands = (
        say("- `/learn`: a lesson of three minutes, by playing"),
        say("- `/play`: play the computer at any game; `/challenge`: play somebody else"),
        say("- `/games`: every game, with Play; `/rules`: the rules and sources of each"),
        say(
            "- `/puzzle`: find the best play in a new position every day; `/analyse`: any position "
            "you like"
        ),
        say(
            "- `/matches`: your own matches and open challenges; `/leaderboard`: the ranking; "
            "`/rating`: why yours changed"
        ),
        say(
            "- `/match`: one match. See its `board`, `try` a play, get a `hint`, write a `note`, "
            "`follow` it, offer a `draw`, `resign`, or hand over your seat in a team (`substitute`)"
        ),
        say(
            "- `/match` when it's over: a `replay` as an animation, a `report` of the errors, and "
            "the `record` of moves and dice"
        ),
        say(
            "- `/me`: your `profile` with rating and results, `settings` for boards and messages, "
            "`vacation` to stop your clocks, `block` for people you don't want to play"
        ),
        say(
            "- `/server`: for server managers: where matches start, how boards look, ending a match"
        ),
    )
    return say("### Your first game"), "\n".join(steps), typed, "\n".join(commands)


def format_help_footer(say: Reader) -> str:
    """Tell why the dice can be trusted."""
    return say(
        "The dice are fixed before a match and can be verified after it. **Fair dice** "
        "explains how."
    )


def format_playground_greeting(say: Reader) -> tuple[str, ...]:
    """Tell where one is in the playground, and how to begin."""
    return (
        say("### Welcome to the tables"),
        say("I'm Tabula, and this is a simulated Discord. Nothing leaves your machine."),
        say(
            "**Press** *Learn in three minutes* for a first lesson, or *Play the computer* for a "
            "match of Zeno at once. With `/play` you can choose any other game."
        ),
        say(
            'Or offer a game, **become somebody else** with the switch "Viewing as" at the top, '
            "and press **Accept**. Two people can also use two tabs. `/puzzle` shows the puzzle of "
            "the day, and `/help` explains the rest."
        ),
    )


def format_no_opponents(say: Reader) -> tuple[str, ...]:
    """Tell somebody who would play that nobody waits, and what there is instead."""
    return (
        say(
            "Nobody here is waiting for an opponent. Play the computer instead: press a game, or "
            "use `/play` with any other."
        ),
        say("Use `/challenge` to let others know that you want to play."),
    )
