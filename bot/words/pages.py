"""Pages that people read: matches, leaderboards, a profile, help."""

from bot.app import clocks
from bot.app.ratings import ENOUGH_GAMES
from bot.app.sitting import Sitting
from bot.app.standings import Page, Standing
from bot.store import Challenge, Look, RatingRow
from bot.words import common
from bot.words.clock import when
from bot.words.memos import own_note
from bot.words.reach import how_to_bring
from bot.words.reader import Reader
from bot.words.texts import of_theme
from engine.games import GAMES
from engine.position import Side
from render.theme import themes


def running(say: Reader, sitting: Sitting, person: int, link: str | None, memo: str) -> str:
    """Tell of one running match, lead to it, and repeat what that person noted about it.

    Without a `link` the match is shown nowhere, and how to bring it elsewhere stands instead.
    """
    told = _tell_unshown(say, sitting) if link is None else _tell_turn(say, sitting, person, link)
    return f"{told}\n-# {own_note(say, memo)}" if memo else told


def _tell_unshown(say: Reader, sitting: Sitting) -> str:
    return say(
        "{game}, match {number}: can't be shown, and its clock is stopped. {way}\n-# {players}",
        game=common.title(say, sitting.match.game),
        number=sitting.id,
        way=how_to_bring(say, sitting),
        players=common.mention_sides(say, sitting),
    )


def _tell_turn(say: Reader, sitting: Sitting, person: int, link: str) -> str:
    turn = say("{who} to move", who=common.mention(sitting.to_act))
    if sitting.to_act == person:
        turn = say("**your turn**")
    if times := clocks.times(sitting):
        time = say("out of time {when}", when=when(times.out))
        if sitting.late:
            time = say("ran out of time {when}", when=when(times.out))
        turn = f"{turn}, {time}"
    game = common.title(say, sitting.match.game)
    return say(
        "[{game}, match {number}]({link}): {turn}\n-# {players}",
        game=game,
        number=sitting.id,
        link=link,
        turn=turn,
        players=common.mention_sides(say, sitting),
    )


def open_challenge(say: Reader, challenge: Challenge, person: int, link: str | None) -> str:
    """Tell of one open challenge of a person's, or for them, and lead to its message."""
    game = common.title(say, GAMES[challenge.game])
    name = say("{game}, challenge {number}", game=game, number=challenge.id)
    if link:
        name = f"[{name}]({link})"
    who = say("open to anyone")
    if challenge.opponent:
        who = say("for {who}", who=common.mention(challenge.opponent))
    if challenge.challenger != person:
        who = say("from {who}", who=common.mention(challenge.challenger))
    return say(
        "{challenge}: {who}; expires {when}",
        challenge=name,
        who=who,
        when=when(challenge.expires),
    )


def which_of_waiting(say: Reader, number: int, count: int) -> str:
    """Tell how many matches wait for the reader, and which of them this is."""
    return say("Match {number} of {count} waiting for you", number=number, count=count)


def board_title(say: Reader, pool: str, scope: str) -> str:
    """Name a leaderboard."""
    if scope == "server":
        return say("Leaderboard: {games}, this server", games=pool)
    return say("Leaderboard: {games}, all servers", games=pool)


def profile_title(say: Reader, name: str, *, everywhere: bool) -> str:
    """Name somebody's profile."""
    plain = common.plain(name)
    if everywhere:
        return say("### {name}, all servers", name=plain)
    return say("### {name}, this server", name=plain)


def tally(say: Reader, row: RatingRow) -> str:
    """Format how many games somebody won, drew and lost.

    Draws, which are rare, are included only where there are some.
    """
    if not row.drawn:
        return say("{won} won, {lost} lost", won=row.won, lost=row.lost)
    return say("{won} won, {drawn} drawn, {lost} lost", won=row.won, drawn=row.drawn, lost=row.lost)


def ranked(say: Reader, line: Standing, name: str | None) -> str:
    """Tell one line of a leaderboard: rank, name, rating, and games."""
    rank = f"**{line.rank}.**" if line.rank else "–"
    who = common.plain(name) if name else say("somebody")
    told = f"{rank} {who} {common.rating(say, line.row)} · {tally(say, line.row)}"
    return told if line.rank else f"{told}, {_placing(say, line)}"


def own_standing(say: Reader, line: Standing) -> str:
    """Tell the reader where they stand themselves, when they are on another page."""
    return ranked(say, line, say("You"))


def _placing(say: Reader, line: Standing) -> str:
    return say("{n} of the {enough} games needed for a rank", n=line.row.games, enough=ENOUGH_GAMES)


def page_footer(say: Reader, page: Page) -> str:
    """Tell which page this is, and what its numbers are."""
    return say(
        "Page {page} of {pages}. New players start at 1000. ? marks a rating that is still "
        "uncertain, and – a player with fewer than {enough} games.",
        page=page.number + 1,
        pages=page.pages,
        enough=ENOUGH_GAMES,
    )


def look(say: Reader, chosen: Look) -> str:
    """Tell how boards are drawn."""
    theme = themes().get(chosen.theme or "")
    drawn = say("the theme that suits each board.")
    if theme:
        title = say.of(of_theme(theme.name), theme.title)
        drawn = f"**{title}**. {say.of(of_theme(theme.name), theme.note)}"
    near = (
        say("Your own side") if chosen.seat == "mine" else common.side_title(say, Side(chosen.seat))
    )
    if chosen.numbered:
        return say("{theme} {side} is at the bottom. Points are numbered.", theme=drawn, side=near)
    return say("{theme} {side} is at the bottom.", theme=drawn, side=near)


def own_look(say: Reader, chosen: Look) -> str:
    """Tell how somebody's own boards are drawn."""
    return say("Boards that only you see, such as with `/board`: {look}", look=look(say, chosen))


def server_look(say: Reader, chosen: Look) -> str:
    """Tell how a server's public boards are drawn."""
    return say("This server's public boards: {look}", look=look(say, chosen))


def help_page(say: Reader, *, in_server: bool) -> tuple[str, ...]:
    """Tell the first five minutes."""
    first = say(
        "1. Matches are played in a server's channels. Type `/help` in a server that has invited "
        "me, and press a button."
    )
    if in_server:
        first = say(
            "1. Press a button below to play me now, or to challenge anyone who wants to play."
        )
    steps = (
        first,
        say("2. Your opponent presses **Accept**. Both sides roll to decide who starts."),
        say("3. On your turn, press **Roll**, then choose a play from the menu."),
        say("4. **Take back** works until the next throw."),
    )
    typed = say(
        "You can also type: `/roll`, `/undo`, and `/move a-g b-f`, which moves one man from a to g "
        "and another from b to f. `bar-c` enters a man, and `t-off` bears one off. You can type "
        "part of a play, and the rest later."
    )
    commands = (
        say("- `/play`: play me at any game; `/challenge`: play somebody else"),
        say("- `/try a-g`: see the board after a play before you make it"),
        say("- `/hint`: your best play and its equity; `/report`: an analysis of a finished match"),
        say("- `/puzzle`: find the best play in a new position every day"),
        say("- `/rules`: the rules, house rules and sources of each game"),
        say("- `/note`: a private note on a match; `/follow`: get messages about a match"),
        say("- `/games`: your matches; `/board`: a match's board, as a picture or text"),
        say("- `/replay`: a match as an animation; `/record`: its moves and dice"),
        say("- `/leaderboard`: the ranking; `/profile`: a player's rating and results"),
        say("- `/settings`: your boards and preferences; `/vacation`: stop your clocks"),
        say(
            "- `/draw`: offer or accept a draw; `/resign`: resign; `/substitute`: hand over your "
            "seat in a team"
        ),
        say("- `/block`: block people you don't want to play"),
        say(
            "- `/server`: for server managers: where matches start, how boards look, ending a match"
        ),
    )
    return say("### Your first game"), "\n".join(steps), typed, "\n".join(commands)


def help_footer(say: Reader) -> str:
    """Tell why the dice can be trusted."""
    return say(
        "The dice are fixed before a match and can be verified after it. The **Dice** button "
        "explains how."
    )


def greeting(say: Reader) -> tuple[str, ...]:
    """Tell where one is in the playground, and how to begin."""
    return (
        say("### Welcome to the tables"),
        say("I'm Tabula, and this is a simulated Discord. Nothing leaves your machine."),
        say(
            "**Press** *Play me now* to play Zeno against me. With `/play` you can choose any of "
            "the thirty games."
        ),
        say(
            'Or offer a game, **become somebody else** with the switch "Viewing as" at the top, '
            "and press **Accept**. Two people can also use two tabs. `/puzzle` shows the puzzle of "
            "the day, and `/help` explains the rest."
        ),
    )


def nobody_waits(say: Reader) -> tuple[str, ...]:
    """Tell somebody who would play that nobody waits, and what there is instead."""
    return (
        say(
            "Nobody here is waiting for an opponent. Play me instead: press a game, or use `/play` "
            "with any of the thirty."
        ),
        say("Use `/challenge` to let others know that you want to play."),
    )
