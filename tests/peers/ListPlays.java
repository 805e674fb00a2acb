import compiler.Compiler;
import game.Game;
import game.types.board.SiteType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import main.grammar.Description;
import main.grammar.Report;
import main.options.UserSelections;
import org.apache.commons.rng.RandomProviderState;
import org.apache.commons.rng.core.source64.SplitMix64;
import other.context.Context;
import other.move.Move;
import other.trial.Trial;

/**
 * Counts and lists the plays of a game's throws in Ludii, one line each, for test_ludii.py.
 *
 * <p>Usage: ListPlays FILE count DEPTH, or ListPlays FILE walk SEED TURNS.
 */
final class ListPlays {
    private static final int FACES = 6;

    private final Game game;
    private final int dice;
    private final Map<List<Integer>, RandomProviderState> throwsByNumbers = new LinkedHashMap<>();

    private ListPlays(String file) throws Exception {
        var description = new Description(Files.readString(Path.of(file)));
        var selections = new UserSelections(new ArrayList<>());
        // A game that Ludii compiles is created, too; to create it again would spoil it.
        game = (Game) Compiler.compile(description, selections, new Report(), false);
        dice = game.handDice().get(0).numLocs();
        addThrows(new ArrayList<>());
    }

    public static void main(String[] arguments) throws Exception {
        var plays = new ListPlays(arguments[0]);
        if (arguments[1].equals("count")) {
            plays.count(Integer.parseInt(arguments[2]));
        } else {
            plays.walk(Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
        }
    }

    /** Finds for each throw, highest number first, a state of Ludii's dice that gives it. */
    private void addThrows(List<Integer> numbers) {
        if (numbers.size() < dice) {
            int highest = numbers.isEmpty() ? FACES : numbers.get(numbers.size() - 1);
            for (int number = highest; number > 0; number--) {
                var longer = new ArrayList<>(numbers);
                longer.add(number);
                addThrows(longer);
            }
            return;
        }
        for (long seed = 0; ; seed++) {
            var random = new SplitMix64(seed);
            var state = random.saveState();
            if (numbers.stream().allMatch(number -> random.nextInt(FACES) + 1 == number)) {
                throwsByNumbers.put(numbers, state);
                return;
            }
        }
    }

    private Context start() {
        var context = new Context(game, new Trial(game));
        game.start(context);
        return context;
    }

    /** Prints the plays of every throw in every position, and the positions they lead to. */
    private void count(int depth) {
        Map<String, Context> positions = new LinkedHashMap<>();
        positions.put("", start());
        for (int turn = 1; turn <= depth; turn++) {
            long plays = 0;
            Map<String, Context> reached = new LinkedHashMap<>();
            for (var context : positions.values()) {
                for (var numbers : throwsByNumbers.keySet()) {
                    var ends = listEnds(context, numbers);
                    plays += ends.size();
                    ends.values().forEach(end -> reached.putIfAbsent(describe(end), end));
                }
            }
            System.out.println(turn + " " + plays + " " + reached.size());
            reached.values().removeIf(end -> end.trial().over());
            positions = reached;
        }
    }

    /** Prints every position of random games with a throw and the positions its plays lead to. */
    private void walk(int seed, int turns) {
        var random = new Random(seed);
        var every = new ArrayList<>(throwsByNumbers.keySet());
        var context = start();
        for (int turn = 0; turn < turns; turn++) {
            List<Integer> numbers = new ArrayList<>();
            for (int die = 0; die < dice; die++) {
                numbers.add(1 + random.nextInt(FACES));
            }
            numbers.sort((one, other) -> other - one);
            var ends = new ArrayList<>(listEnds(context, numbers).values());
            System.out.println(
                    context.state().mover()
                            + "|"
                            + numbers.stream().map(String::valueOf).collect(Collectors.joining(","))
                            + "|"
                            + describe(context)
                            + "|"
                            + ends.stream().map(this::describe).collect(Collectors.joining(";")));
            context = ends.get(random.nextInt(ends.size()));
            if (context.trial().over()) {
                context = start();
            }
        }
    }

    /** Returns the positions in which a side's turn with these numbers can end. */
    private Map<String, Context> listEnds(Context before, List<Integer> numbers) {
        var root = new Context(before);
        // Ludii throws when it lists the moves, and has listed those of a throw of its own.
        root.trial().clearLegalMoves();
        root.rng().restoreState(throwsByNumbers.get(numbers));
        Map<String, Context> ends = new LinkedHashMap<>();
        addEnds(root, root.state().mover(), ends, new HashSet<>());
        return ends;
    }

    private void addEnds(
            Context context, int mover, Map<String, Context> ends, HashSet<String> seen) {
        for (Move move : game.moves(context).moves()) {
            var after = new Context(context);
            game.apply(after, move);
            if (after.trial().over() || after.state().mover() != mover) {
                ends.putIfAbsent(describe(after), after);
            } else if (seen.add(describe(after) + describeDice(after))) {
                addEnds(after, mover, ends, seen);
            }
        }
    }

    private static String describeDice(Context context) {
        return java.util.Arrays.toString(context.state().currentDice(0));
    }

    /** How many men each side has on each site, a row for each side. */
    private String describe(Context context) {
        var sides = new StringBuilder();
        for (int player = 1; player <= game.players().count(); player++) {
            var men = new ArrayList<Integer>();
            for (var container : context.containers()) {
                if (container.isDice()) {
                    continue;
                }
                var state = context.containerState(container.index());
                int first = context.sitesFrom()[container.index()];
                var type = container.index() == 0 ? game.board().defaultSite() : SiteType.Cell;
                for (int site = first; site < first + container.numSites(); site++) {
                    men.add(state.who(site, type) == player ? state.sizeStack(site, type) : 0);
                }
            }
            sides.append(player == 1 ? "" : "/");
            sides.append(men.stream().map(String::valueOf).collect(Collectors.joining(",")));
        }
        // The winner where the game is over, 0 for a draw.
        if (context.trial().over()) {
            sides.append("/").append(context.trial().status().winner());
        }
        return sides.toString();
    }
}
