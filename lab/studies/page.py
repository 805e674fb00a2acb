"""The page: how it was counted, a table of all games, and a section for each."""

from collections.abc import Iterable, Iterator, Mapping

from engine.games import GAMES
from engine.rules import Game
from lab.studies.charts import PICTURES
from lab.studies.figures import format_mean, format_middle_range, format_percent, format_wins
from lab.studies.kept import get_study, load_all_studies
from lab.studies.options import AGAINST_GREEDY, OPTION_COLUMNS, build_option_row, describe_unstudied
from lab.studies.section import describe_game
from lab.studies.study import BROKEN_OFF, GREEDY, NET, USUAL, AnyStudy, Study

INTRODUCTION = """\
# What the games are like

How long a game of Emperador lasts, whether it helps to throw first, how often a barata comes about:
nobody could say, for nobody has played enough games with a pencil in hand. Here Tabula's computer
player has played them against itself. The page is meant to be cited: figures stand with the number
of games behind them, the main ones with a 95 % confidence interval. `make studies` plays more
games, adds them, and rewrites the page.

## How it was counted

Each game was played by its own player on both sides, without looking ahead: of all plays of a throw
it makes the one after which it stands best by the judgement of its net, which has learnt from games
against itself, and often also from what it sees one throw further. (In the channel this is the
companion; [players.md](players.md) says how strong these players are, and what the master gains by
looking one throw further.) Some options have nets of their own, where the game's does not fit or
plays them badly. *Greedy* counts pips, blots in danger and points that bar the way; it plays where
a game has no net that fits. *Random* draws evenly from the plays of each throw. How much is skill
shows in how often the net beats greedy, by the usual rules and with every option that it plays, and
in how often greedy beats random plays. Nobody resigns.

`/games` puts this into words. A game is *pure luck* if its player wins less than 55 % against
random plays, and *mostly luck* if it wins less than 70 % against greedy; below 90 % it is *luck and
skill*, from there on *mostly skill*. Where these players have not met, nothing is said. Beside it
stands whether a game has few, some or many rules: under 220, up to 270, or more English words on
its rules page.

*Throws* are counted for both sides together; a turn in which a side could not have moved whatever
it threw does not count as a throw. Of lengths the median is given (half of all games are no
longer), and the range of the middle nine games in ten. *Wins* are shares of those games that
somebody has won. A game of more than 1,500 turns is broken off. Intervals, in brackets or after ±,
hold in nineteen cases of twenty what ever more games of the same players would tend to: Wilson's
for shares, by order statistics for medians, the normal one for means.

The dice are pseudo-random; seeds, nets and all counts stand in `lab/studies/games`, so that
every game can be played again. The compiled machine that plays is held to the rules by tests, and
so is what it counts: matches follow its games event by event. Where a figure bears on the reading
of a source, this stands with what we decided in that game ([games.md](games.md)).

## What these figures do not say

They tell of games between these players, not of the games as such. People err in other ways, and
where [players.md](players.md) finds a net hardly better than greedy, a better one may well change
more than the last digit; a narrow interval says nothing about this. So each section also says how
it goes when greedy plays itself, and when every play is drawn at random: what holds for all three
is likely a trait of the rules. Options were studied one at a time, and mostly by players that have
learnt the usual rules."""

COLUMNS = (
    "game",
    "games",
    "throws, median",
    "nine games in ten",
    "wins of who begins, %",
    "men hit a game",
    "throws of which nothing could be played, %",
    "no winner, %",
    AGAINST_GREEDY,
)


def build_page() -> str:
    """Return the page."""
    return "\n".join(_build_lines(load_all_studies())) + "\n"


def _build_lines(kept: Mapping[str, Mapping[str, AnyStudy]]) -> Iterator[str]:
    yield INTRODUCTION
    played = sum(each.games for studies in kept.values() for each in studies.values())
    yield f"\n## All games\n\n{played:,} games in all."
    yield f"\n![How long the games last](pictures/{PICTURES[0]})"
    yield f"\n![Whether it helps to begin](pictures/{PICTURES[1]})"
    yield f"\n![How much is skill](pictures/{PICTURES[2]})\n"
    yield from _format_table(
        COLUMNS, (_build_overview_row(GAMES[slug], studies) for slug, studies in kept.items())
    )
    for slug, studies in kept.items():
        yield f"\n## {GAMES[slug].title}\n"
        yield from (f"- {line}" for line in describe_game(GAMES[slug], studies))
        options = [name for name in studies if "=" in name and ":" not in name]
        if options:
            yield ""
            yield from _format_table(
                OPTION_COLUMNS, (build_option_row(GAMES[slug], name, studies) for name in options)
            )
        yield from describe_unstudied(GAMES[slug], studies)


def _format_table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    columns = tuple(head)
    yield from (f"| {' | '.join(line)} |" for line in (columns, ["---"] * len(columns), *rows))


def _build_overview_row(game: Game, studies: Mapping[str, AnyStudy]) -> list[str]:
    study = get_study(studies, USUAL)
    return [
        f"[{game.title}](#{_make_anchor(game.title)})",
        f"{study.games:,}",
        str(study.length_quantile(0.5).value),
        format_middle_range(study),
        format_percent(study.starter_share),
        format_mean(study.mean_count("hits")),
        f"{100 * study.sums['idle'].total / study.throws:.1f}",
        f"{100 * study.end_share(BROKEN_OFF, *_list_undecided_ends(study)).value:.1f}",
        format_wins(studies.get(f"{NET}:{GREEDY}")),
    ]


def _list_undecided_ends(study: Study) -> list[str]:
    return [end.how for end in study.ends if not end.has_winner]


def _make_anchor(title: str) -> str:
    """Return the fragment under which a heading is found on a page that shows Markdown."""
    return "".join(
        each for each in title.lower().replace(" ", "-") if each.isalnum() or each == "-"
    )
