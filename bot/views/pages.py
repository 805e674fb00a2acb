"""The pages one reads: running matches, the leaderboard, help."""

from collections.abc import Mapping, Sequence

import discord

from bot import words
from bot.app.profile import Profile
from bot.app.ratings import ALL_GAMES, ENOUGH_GAMES, EVERYWHERE, written
from bot.app.standings import Page, Standing
from bot.app.table import Table
from bot.store import RatingRow
from bot.views.controls import rank_controls
from bot.views.post import Post
from engine.games import GAMES
from render.curve import Curve


def games_post(tables: Sequence[Table], person: int) -> Post:
    """Return a person's running matches, those that wait for them first."""
    if not tables:
        return Post("You have no match running. `/challenge` starts one.")
    waiting = sorted(tables, key=lambda table: (table.to_act != person, table.id))
    return Post("\n".join(_line(table, person) for table in waiting)[:2000])


def _line(table: Table, person: int) -> str:
    turn = "**your turn**" if table.to_act == person else f"{words.mention(table.to_act)}'s turn"
    return f"{words.heading(table)}: {turn} · {_link(table)}"


def _link(table: Table) -> str:
    """Point to the message that carries the turn, or to the channel where there is none yet."""
    row = table.row
    if row.message is None:
        return f"<#{row.channel}>"
    channel = discord.PartialMessageable(state=None, id=row.channel, guild_id=row.guild)  # type: ignore[arg-type]
    return channel.get_partial_message(row.message).jump_url


def standings_post(page: Page, names: Mapping[int, str], scope: str, pool: str) -> Post:
    """Return a leaderboard page; who has too few games stands below without a rank, who is uncertain with a `?`."""
    game = "all games" if pool == ALL_GAMES else GAMES[pool].title
    title = f"Leaderboard: {game}, {'this server' if scope == 'server' else 'everywhere'}"
    embed = discord.Embed(
        title=title, description="\n".join(_standings(page, names)) or "Nobody has finished a rated match yet."
    )
    embed.set_footer(text=_footer(page))
    return Post("", items=rank_controls(scope, pool, page.number, page.pages), embed=embed)


def _tally(row: RatingRow) -> str:
    return f"{row.won} won, {row.drawn} drawn, {row.lost} lost"


def _standings(page: Page, names: Mapping[int, str]) -> list[str]:
    lines = [_standing(line, names) for line in page.lines]
    if page.mine and page.mine not in page.lines:
        lines += ["…", _standing(page.mine, names)]
    return lines


def _standing(line: Standing, names: Mapping[int, str]) -> str:
    row = line.row
    # A mention of somebody whom the reader's Discord has not met would show as a bare number.
    name = discord.utils.escape_markdown(names.get(line.person, "somebody"))
    rank = f"**{line.rank}.**" if line.rank else "–"
    placing = "" if line.rank else f", {row.games} of {ENOUGH_GAMES} games for a rank"
    return f"{rank} {name} {written(row)} · {_tally(row)}{placing}"


def _footer(page: Page) -> str:
    return (
        f"Page {page.number + 1} of {page.pages}. Ratings are Plackett-Luce (openskill): 1000 for a newcomer; "
        "? marks one that is still uncertain."
    )


def profile_post(profile: Profile, name: str) -> Post:
    """Return somebody's record game by game, and their ratings over time as a curve."""
    embed = discord.Embed(title=f"{name}: {'everywhere' if profile.scope == EVERYWHERE else 'this server'}"[:256])
    lines = [f"**{_pool(pool)}** {written(row)} · {_tally(row)}" for pool, row in profile.records]
    embed.description = "\n".join(lines)[:4096] or "No rated match has been finished yet."
    return Post("", curve=_curve(profile, name), embed=embed)


def _curve(profile: Profile, name: str) -> Curve | None:
    if not profile.curve:
        return None
    count = len(profile.curve)
    span = "One rated match" if count == 1 else f"{count} rated matches"
    return Curve(name, f"Rating, {_pool(profile.pool)}", span, tuple(profile.curve))


def _pool(pool: str) -> str:
    return "All games" if pool == ALL_GAMES else GAMES[pool].title


def help_post() -> Post:
    """Return the first five minutes."""
    return Post(HELP)


HELP = """\
**Your first game, in five steps**
1. `/challenge` and pick a game; name an opponent, or leave it open to anyone. `twelve-dogs` is the simplest, `zeno` a \
good first race.
2. The other one presses **Accept**. Both sides throw for who begins.
3. When it is your turn, press **Roll** or type `/roll`.
4. Pick a play from the menu, or type it: `/move a-g b-f` moves a man from a to g and one from b to f. Part of a play \
will do; the rest can follow. `bar-c` enters a man, `t-off` bears one off.
5. **Take back**, or `/undo`, works until the next throw.

`/board` shows the board again, also as plain text, `/replay` a match as a moving picture, and `/settings` lets you \
choose how your boards look. `/rules` explains each game and its sources, `/games` lists your matches, \
`/leaderboard` tells who leads, `/profile` how somebody fares, `/resign` gives up.
The dice are settled before a match and can be checked after it; the last message of a match says how."""
