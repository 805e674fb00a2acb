"""Figures for docs/readings that the studies don't count: who is caught first, and who wins.

`make readings` plays the games and stores the counts, of which `make docs` writes
docs/data/readings.csv. As in the studies, compiled code plays, and a game's net has both sides
without looking ahead; what a position shows is asked of the games' own rules. Every game has dice
of its own seed, so that fewer games are the first of those that are stored.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from engine.games import GAMES
from engine.games.emperador import count_prime_hits, find_barata, find_entry_barata
from engine.games.house_rules import count_men_to_place, has_prime
from engine.games.ludus_anglicorum import find_plight
from engine.move import Move
from engine.players.files import WEIGHTS
from engine.players.nets import find_net
from engine.players.variants import format_options
from engine.plays import list_legal_plays, make_move
from engine.position import Position, Side
from engine.rules import Rules
from lab.command_line import SentenceParser, whole_number
from lab.readings import EventCount, load_counts, save_counts
from lab.studies.study import USUAL
from lab.training import layout as at
from lab.training.games import start_game
from lab.training.rows import SIDES, read_row
from lab.training.studies import describe_commit, list_players
from lab.training.turns import take_turn
from lab.training.workshop import MAX_TURNS, assign_policy, build_workshop

FIRST_SEED = 1283
"""The seed of the first game; each later one has the next."""

GAMES_PLAYED = 2_000
"""How many games of a reading are played where none are stored and nobody says how many."""

Watch = Callable[[Rules, Position], Side | None]
"""Returns the side that an event speaks for, where a position before a throw shows it."""


def find_lympolder(rules: Rules, position: Position) -> Side | None:
    """Return the side that has lympolded the one to move."""
    plight = find_plight(rules, position, position.turn)
    return position.turn.other if plight == "lympolded" else None


def find_permanent_lympolder(rules: Rules, position: Position) -> Side | None:
    """Return the side whose opponent has seven men for its six entry points."""
    count = count_men_to_place(rules, position, position.turn)
    return position.turn.other if count >= 7 else None


def find_blockader(rules: Rules, position: Position) -> Side | None:
    """Return the side that holds six points in a row before the other's men, once it has moved."""
    # Before a throw the turn has passed on already.
    side = position.turn.other
    return side if has_prime(rules, position, side) else None


def find_entry_closer(rules: Rules, position: Position) -> Side | None:
    """Return the side whose opponent has a man on the bar and no point to enter on."""
    outcome = find_entry_barata(rules, position)
    return outcome.winner if outcome else None


def find_first_home(rules: Rules, position: Position) -> Side | None:
    """Return the side that has just brought all its men into its last table."""
    side = position.turn.other
    men = position.men(side)
    # The throw that brought the last man home may have borne off others.
    arrived = men[rules.board.off] + sum(men[point] for point in rules.course(side)[-6:])
    return side if arrived == rules.men else None


@dataclass(frozen=True)
class RuleReading:
    """A game by some of its options, and the events to look out for."""

    slug: str
    options: Mapping[str, str]
    events: Mapping[str, Watch]
    counts_hits: bool = False

    @property
    def study(self) -> str:
        """What the study of these games is called."""
        return format_options(self.options) or USUAL


READINGS = (
    RuleReading(
        "ludus-anglicorum",
        {},
        {"lympolded": find_lympolder, "seven-to-enter": find_permanent_lympolder},
    ),
    RuleReading(
        "emperador",
        {"barata": "off"},
        {"six-points": find_blockader, "no-entry": find_entry_closer},
        counts_hits=True,
    ),
    RuleReading("zeno", {"goal": "off"}, {"all-home": find_first_home}),
)
FOUR_HITS = "four-hits"


class ReadingTable:
    """A reading laid out for play: its rules, the player that has both sides, and the kernel."""

    def __init__(self, reading: RuleReading) -> None:
        self.reading = reading
        self.rules = GAMES[reading.slug].resolve_rules(reading.options)
        net = find_net(self.rules, WEIGHTS)
        (self.player,) = list_players(reading.study, net)
        self.shop = build_workshop(self.rules, net, FIRST_SEED)
        assign_policy(self.shop.desk.book, self.player.policy)

    def play_game(self, seed: int) -> tuple[dict[str, Side], Side | None]:
        """Play one game; returns for each event the side it first spoke for, and the winner."""
        self.shop.seed_dice(seed)
        first: dict[str, Side] = {}
        hits = 0
        before = self.rules.start_position
        for position, dice in self._iter_turns():
            if self.reading.counts_hits:
                hits, closer = count_turn_hits(self.rules, before, position, dice, hits)
                if closer:
                    first.setdefault(FOUR_HITS, closer)
            for name, watch in self.reading.events.items():
                # What comes about again later in the game isn't counted once more.
                if name not in first and (side := watch(self.rules, position)):
                    first[name] = side
            before = position
        outcome = self.shop.desk.nodes[at.GAME + at.OUTCOME]
        assert outcome != at.GOING_ON
        return first, None if outcome == at.DRAWN else SIDES[outcome - 1]

    def _iter_turns(self) -> Iterator[tuple[Position, tuple[int, ...]]]:
        """Yield the position after each turn but the last, and the dice of that turn."""
        known, desk = self.shop.known, self.shop.desk
        count = self.rules.dice.count
        thrown = start_game(known.table, self.shop.start, desk)
        for _ in range(MAX_TURNS):
            if not take_turn(known, desk, thrown):
                return
            thrown = False
            dice = tuple(map(int, desk.book[at.DICE_THROWN : at.DICE_THROWN + count]))
            yield read_row(self.rules, desk.nodes, at.GAME // at.ROW), dice


def count_turn_hits(
    rules: Rules, before: Position, after: Position, dice: tuple[int, ...], hits: int
) -> tuple[int, Side | None]:
    """Count the men hit in a turn while six points were held; returns any side that has hit four.

    `hits` are the counts until then, as the game's own rule has them. By the options of the reading
    four hits don't end the game, but would by the usual ones.
    """
    # Without a count so far one turn's hits are too few, and only those before a blockade that
    # still stands are counted on.
    if not hits and not any(has_prime(rules, after, side) for side in Side):
        return 0, None
    side = after.turn.other
    position = before._replace(turn=side, dice=tuple(sorted(dice, reverse=True)))
    closer = None
    for move in find_moves(rules, position, after):
        position = make_move(rules, position, move)
        hits = count_prime_hits(rules, position._replace(memory=hits), move)
        barata = find_barata(hits)
        if barata and closer is None:
            closer = barata.winner
    return count_prime_hits(rules, after._replace(memory=hits), None), closer


def find_moves(rules: Rules, position: Position, after: Position) -> tuple[Move, ...]:
    """Return the moves of the play that leads from a throw to the position after it."""
    plays = list_legal_plays(rules, position)
    men = after.gold, after.black
    return next(
        (plays[at].moves for at, end in enumerate(plays.ends) if (end.gold, end.black) == men), ()
    )


def count_events(reading: RuleReading, games: int, day: str, commit: str) -> Iterator[EventCount]:
    """Yield for each event how many games showed it, and how those ended."""
    table = ReadingTable(reading)
    counts = {name: Counter[str]() for name in reading.events}
    if reading.counts_hits:
        counts[FOUR_HITS] = Counter()
    # A seed a game, so that any one of them can be played again.
    for seed in range(FIRST_SEED, FIRST_SEED + games):
        first, winner = table.play_game(seed)
        for name, side in first.items():
            counts[name].update(seen=1, won=int(side is winner), drawn=int(winner is None))
    for name, count in counts.items():
        yield EventCount(
            game=reading.slug,
            study=reading.study,
            event=name,
            player=table.player.name,
            edition=GAMES[reading.slug].edition,
            first_seed=FIRST_SEED,
            games=games,
            seen=count["seen"],
            won=count["won"],
            drawn=count["drawn"],
            day=day,
            commit=commit,
        )


def main() -> None:
    """Play the games and store the counts."""
    # By default what is stored is played again.
    stored = max((each.games for each in load_counts()), default=GAMES_PLAYED)
    parser = SentenceParser(prog="make readings", description=__doc__)
    parser.add_argument(
        "--games",
        type=whole_number(1),
        default=stored,
        help=f"how many of each reading (default: as many as are stored, {stored:,})",
    )
    games = parser.parse_args().games
    day = date.today().isoformat()  # noqa: DTZ011 - this machine's day
    commit = describe_commit()
    save_counts(
        [each for reading in READINGS for each in count_events(reading, games, day, commit)]
    )


if __name__ == "__main__":
    main()
