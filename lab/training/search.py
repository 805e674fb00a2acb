"""The plays of a throw, compiled: each distinct end position, as `engine.plays` lists them.

Positions are found breadth first and recognised by a sum of random keys. Where some way uses every
number, only such ways count; elsewhere the edges between positions are walked back for the best sum
of weights.
"""

from lab.training.compiled import compiled, compiled_inline
from lab.training.copying import copy_row
from lab.training.endings import find_outcome
from lab.training.layout import (
    BEST,
    BONUS,
    CHILDREN,
    DRAWN,
    EDGES,
    ENDING_AT_STANDSTILL,
    ENDS,
    FEWEST_SLOTS,
    FULL,
    FULLY,
    GOING_ON,
    HAND,
    HITS,
    HOW,
    KEY_OF_LEFT,
    KEY_OF_MEMORY,
    KEYS,
    LEFT,
    LEFT_COUNT,
    MARKS,
    MASK,
    MAX_EDGES,
    MAX_NODES,
    MEMORY,
    MEN_KEYS,
    MORE_SLOTS,
    NO_HOOK,
    NODES,
    OUTCOME,
    OVERFLOWS,
    OWN,
    PARENTS,
    PLACED,
    PLACES,
    PLACING,
    PLACING_STILL,
    REMEMBERS,
    ROW,
    SENT,
    SIZE,
    SLOT,
    STAMP,
    SUMS,
    TABLE,
    TIED,
    USE,
    USES,
    USES_AGAIN,
    WIDTH,
    Book,
    Ints,
    Row,
)
from lab.training.moves import (
    can_enter_any,
    can_move_any,
    count_waiting,
    find_binding,
    find_landing,
    has_blocking_prime,
    may_go,
)

ALIKE = 7
"""More equal numbers than any throw gives."""
BITS = 4
"""Bits for the count of each number in a use of the dice."""
ENOUGH = 4


@compiled_inline
def weigh_number(number: int) -> int:
    """Return what a used number counts.

    How many were used comes first, then the numbers, highest first.
    """
    # Weights add up digit by digit to base seven, and no throw has seven equal numbers, so nothing
    # carries over. A sum is greater if more numbers are used, or else if higher ones are.
    return ALIKE**6 + ALIKE ** (number - 1)


@compiled_inline
def _weigh_numbers_left(nodes: Row, row: int) -> int:
    total = 0
    for number in range(1, 7):
        total += nodes[row + LEFT + number] * weigh_number(number)
    return total


@compiled_inline
def _write_use(book: Book, at: int, number: int, used: int, own: int) -> None:
    book[at] = number
    book[at + 1] = used
    book[at + 2] = own


@compiled
def _has_use(book: Book, first: int, count: int, used: int) -> bool:
    for at in range(count):
        if book[first + USE * at + 1] == used:
            return True
    return False


@compiled
def _list_sums(nodes: Row, row: int, book: Book, first: int, count: int) -> int:
    """List the sums of two numbers or more; returns how many uses there are with them."""
    # Each mask is a choice among the numbers left, one bit for each. Equal numbers give several
    # masks for the same use, of which one is kept.
    for mask in range(1, 1 << nodes[row + LEFT_COUNT]):
        total = 0
        used = 0
        own = 0
        picked = 0
        bit = 0
        for number in range(1, 7):
            for _ in range(nodes[row + LEFT + number]):
                if mask >> bit & 1:
                    total += number
                    used += 1 << BITS * number
                    own += weigh_number(number)
                    picked += 1
                bit += 1
        if picked > 1 and not _has_use(book, first, count, used):
            _write_use(book, first + USE * count, total, used, own)
            count += 1
    return count


@compiled_inline
def list_uses(t: Ints, nodes: Row, row: int, book: Book, first: int) -> int:
    """List what the numbers left can be used for: each as `USE` tells."""
    count = 0
    for number in range(6, 0, -1):
        if nodes[row + LEFT + number] > 0:
            _write_use(book, first + USE * count, number, 1 << BITS * number, weigh_number(number))
            count += 1
    return _list_sums(nodes, row, book, first, count) if t[SUMS] > 0 else count


@compiled
def can_move(t: Ints, nodes: Row, row: int, side: int, book: Book, first: int) -> bool:
    """Whether any of the numbers left, or a sum where the game has sums, moves a man."""
    bound = find_binding(t, nodes, row, side, 0)
    for at in range(list_uses(t, nodes, row, book, first)):
        if can_move_any(t, nodes, row, side, book[first + USE * at], bound):
            return True
    return False


@compiled
def _compute_hit_memory(t: Ints, nodes: Row, row: int, side: int, hit: int) -> int:
    """Return the men hit by each side while its blockade stood: gold's times eight plus black's."""
    memory = 0
    for who in range(2):
        count = nodes[row + MEMORY] // 8 if who == 0 else nodes[row + MEMORY] % 8
        if not has_blocking_prime(t, nodes, row, who):
            continue
        if hit > 0 and who == side:
            count = min(count + 1, ENOUGH)
        memory += count * 8 if who == 0 else count
    return memory


@compiled
def _compute_placing_memory(
    t: Ints, nodes: Row, row: int, side: int, book: Book, source: int, target: int
) -> int:
    """Return the point, plus one, of a man just being placed who may go on; zero for none."""
    memory = nodes[row + MEMORY]
    if target >= t[SIZE] or not (source >= t[SIZE] or source == memory - 1):
        return 0
    men = row + side * PLACES
    still = t[PLACING] == PLACING_STILL and nodes[men + t[HAND]] > 0
    if not (still or count_waiting(t, nodes, men) > 0):
        return 0
    # `may_go` asks the memory whether this man may go on.
    nodes[row + MEMORY] = target + 1
    bound = find_binding(t, nodes, row, side, 0)
    for at in range(list_uses(t, nodes, row, book, USES_AGAIN)):
        number = book[USES_AGAIN + USE * at]
        if (
            may_go(t, nodes, row, side, bound, target)
            and find_landing(t, nodes, row, side, target, number) >= 0
        ):
            return target + 1
    return 0


@compiled
def _compute_key(t: Ints, nodes: Row, row: int, book: Book) -> int:
    """Return the key of the men and the numbers left.

    It is the sum of what each adds, so that a move only adds a difference.
    """
    # Keys may overflow: they wrap round alike wherever they are added or subtracted.
    key = 0
    for side in range(2):
        for place in range(t[WIDTH]):
            key += nodes[row + side * PLACES + place] * book[side * PLACES + place]
    for number in range(1, 7):
        key += (nodes[row + LEFT + number] << BITS * number) * book[KEY_OF_LEFT]
    return key


@compiled_inline
def _find_node(book: Book, key: int) -> int:
    """Return the node of that key, or -1; the slot found free is noted."""
    mask = book[MASK]
    # High bits are mixed in, as the mask keeps only low ones.
    slot = (key ^ key >> 29) & mask
    stamp = book[STAMP]
    # A slot with the stamp of another search counts as free, so the table is never cleared. The
    # node has the low 20 bits, more than enough for all nodes.
    while book[TABLE + slot] >> 20 == stamp:
        node = book[TABLE + slot] & ((1 << 20) - 1)
        if book[KEYS + node] == key:
            return node
        slot = (slot + 1) & mask
    book[SLOT] = slot
    return -1


@compiled_inline
def _fill_slot(book: Book, node: int) -> None:
    """Let the slot found free tell of a node."""
    book[TABLE + book[SLOT]] = book[STAMP] << 20 | node


@compiled
def _grow_slots(book: Book, nodes: int) -> None:
    """Take more slots into use, and spread the nodes over them."""
    book[MASK] = (book[MASK] + 1) * MORE_SLOTS - 1
    # A new stamp empties all slots at once.
    book[STAMP] += 1
    for node in range(nodes):
        _find_node(book, book[KEYS + node])
        _fill_slot(book, node)


@compiled_inline
def _add_node(book: Book, node: int, men_key: int, key: int) -> None:
    """Keep a new node, in the slot found free."""
    book[MEN_KEYS + node] = men_key
    book[KEYS + node] = key
    _fill_slot(book, node)
    if 2 * node > book[MASK]:
        _grow_slots(book, node + 1)


@compiled_inline
def _count_men_hit(t: Ints, nodes: Row, row: int, side: int, target: int) -> int:
    """How many men of the other side stand where a man lands."""
    # Adding zero makes a whole machine word of it, the one kind of number that callers are compiled
    # for.
    return nodes[row + (1 - side) * PLACES + target] + 0 if target < t[SIZE] else 0


@compiled_inline
def _compute_key_change(
    t: Ints, book: Book, side: int, source: int, target: int, struck: int
) -> int:
    """What a move adds to the key."""
    change = book[side * PLACES + target] - book[side * PLACES + source]
    if struck > 0:
        theirs = (1 - side) * PLACES
        change += struck * (book[theirs + t[SENT + theirs + target]] - book[theirs + target])
    return change


@compiled_inline
def _move_man(
    t: Ints, nodes: Row, row: int, side: int, source: int, target: int, struck: int
) -> None:
    """Move a man, sending those he hits where hit men go."""
    nodes[row + side * PLACES + source] -= 1
    nodes[row + side * PLACES + target] += 1
    if struck > 0:
        theirs = (1 - side) * PLACES
        nodes[row + theirs + target] = 0
        nodes[row + theirs + t[SENT + theirs + target]] += struck


@compiled_inline
def _use_up_numbers(nodes: Row, row: int, used: int) -> None:
    """Take the used numbers from those left."""
    for number in range(1, 7):
        count = used >> BITS * number & 15
        nodes[row + LEFT + number] -= count
        nodes[row + LEFT_COUNT] -= count


@compiled_inline
def _clear_numbers_left(nodes: Row, row: int) -> None:
    for number in range(1, 7):
        nodes[row + LEFT + number] = 0
    nodes[row + LEFT_COUNT] = 0


@compiled_inline
def _judge_end(t: Ints, nodes: Row, row: int, side: int) -> int:
    """Judge a position just reached; return the weight that a win adds for the numbers left."""
    outcome = find_outcome(t, nodes, row, side)
    nodes[row + OUTCOME] = outcome
    # A side that has won stops, so its numbers left count as if they had been used.
    won = outcome == side + 1
    nodes[row + FULLY] = 1 if won or nodes[row + LEFT_COUNT] == 0 else 0
    if outcome == GOING_ON:
        return 0
    bonus = _weigh_numbers_left(nodes, row) if won else 0
    _clear_numbers_left(nodes, row)
    return bonus


@compiled_inline
def _add_edge(book: Book, parent: int, child: int, own: int) -> None:
    edge = book[EDGES]
    if edge == MAX_EDGES:
        book[OVERFLOWS] += 1
        return
    book[PARENTS + edge] = parent
    book[CHILDREN + edge] = child
    book[OWN + edge] = own
    book[EDGES] = edge + 1


@compiled_inline
def _write_memory(
    t: Ints, nodes: Row, row: int, side: int, book: Book, source: int, target: int, struck: int
) -> None:
    """Write what the game remembers after a move into the row."""
    if t[REMEMBERS] == HITS:
        nodes[row + MEMORY] = _compute_hit_memory(t, nodes, row, side, struck)
    elif t[REMEMBERS] == PLACED:
        nodes[row + MEMORY] = _compute_placing_memory(t, nodes, row, side, book, source, target)


@compiled_inline
def _make_move(
    t: Ints,
    nodes: Row,
    side: int,
    book: Book,
    parent: int,
    source: int,
    target: int,
    used: int,
    own: int,
) -> None:
    """Make a move from a node: its position is known again, or becomes a new node."""
    new = book[NODES]
    if new == MAX_NODES:
        book[OVERFLOWS] += 1
        return
    # The next free row is scratch until its position proves to be new and `NODES` counts it.
    row = new * ROW
    struck = _count_men_hit(t, nodes, parent * ROW, side, target)
    change = _compute_key_change(t, book, side, source, target, struck)
    # `used` has four bits a number, as the numbers left have in the key.
    key = book[MEN_KEYS + parent] + change - used * book[KEY_OF_LEFT]
    men_key = key
    # Where nothing is remembered the key is known before the move is made, so a position that is
    # found again costs no copy.
    node = _find_node(book, key) if t[REMEMBERS] == NO_HOOK else -1
    if node < 0:
        copy_row(nodes, parent * ROW, nodes, row)
        _move_man(t, nodes, row, side, source, target, struck)
        _use_up_numbers(nodes, row, used)
        if t[REMEMBERS] != NO_HOOK:
            _write_memory(t, nodes, row, side, book, source, target, struck)
            key += nodes[row + MEMORY] * book[KEY_OF_MEMORY]
            node = _find_node(book, key)
    if node < 0:
        node = new
        book[NODES] += 1
        book[BONUS + new] = _judge_end(t, nodes, row, side)
        _add_node(book, new, men_key, key)
        book[FULL] |= nodes[row + FULLY]
    _add_edge(book, parent, node, own + book[BONUS + node])


@compiled
def _expand_node(t: Ints, nodes: Row, side: int, book: Book, node: int) -> None:
    row = node * ROW
    bound = find_binding(t, nodes, row, side, 0)
    for at in range(list_uses(t, nodes, row, book, USES)):
        number = book[USES + USE * at]
        used = book[USES + USE * at + 1]
        own = book[USES + USE * at + 2]
        for place in range(t[WIDTH]):
            if may_go(t, nodes, row, side, bound, place):
                target = find_landing(t, nodes, row, side, place, number)
                if target >= 0:
                    _make_move(t, nodes, side, book, node, place, target, used, own)


@compiled
def _build_graph(t: Ints, nodes: Row, side: int, book: Book) -> None:
    """Find every position that the throw leads to from node nought."""
    nodes[OUTCOME] = GOING_ON
    nodes[FULLY] = 0
    book[STAMP] += 1
    book[MASK] = FEWEST_SLOTS - 1
    book[NODES] = 1
    book[EDGES] = 0
    book[FULL] = 0
    men_key = _compute_key(t, nodes, 0, book)
    key = men_key + nodes[MEMORY] * book[KEY_OF_MEMORY]
    _find_node(book, key)
    _add_node(book, 0, men_key, key)
    node = 0
    # Nodes are added while this goes on, each after the one that leads there.
    while node < book[NODES]:
        if nodes[node * ROW + LEFT_COUNT] > 0:
            _expand_node(t, nodes, side, book, node)
        node += 1


@compiled
def _compute_best_weights(nodes: Row, book: Book) -> None:
    """Find every node's best sum of weights to come, nodes with the fewest numbers left first."""
    for node in range(book[NODES]):
        book[BEST + node] = 0
        book[MARKS + node] = 0
    # A move leaves fewer numbers than before, so what comes after a node is known when its turn
    # comes.
    for left in range(1, nodes[LEFT_COUNT] + 1):
        for edge in range(book[EDGES]):
            parent = book[PARENTS + edge]
            if nodes[parent * ROW + LEFT_COUNT] == left:
                total = book[OWN + edge] + book[BEST + book[CHILDREN + edge]]
                book[BEST + parent] = max(book[BEST + parent], total)


@compiled
def _mark_best_ways(nodes: Row, book: Book) -> None:
    """Mark the nodes that lie on the best ways from node nought."""
    book[MARKS] = 1
    for left in range(nodes[LEFT_COUNT], 0, -1):
        for edge in range(book[EDGES]):
            parent = book[PARENTS + edge]
            if nodes[parent * ROW + LEFT_COUNT] == left and book[MARKS + parent] == 1:
                child = book[CHILDREN + edge]
                if book[OWN + edge] + book[BEST + child] == book[BEST + parent]:
                    book[MARKS + child] = 1


@compiled
def _collect_ends(nodes: Row, book: Book, may: int) -> int:
    """List the nodes in which a play can end; returns how many there are."""
    count = 0
    for node in range(1, book[NODES]):
        ends = may > 0
        if may == 0 and book[FULL] > 0:
            ends = nodes[node * ROW + FULLY] > 0
        elif may == 0:
            # On a best way with nothing more to gain, the play is over.
            ends = book[MARKS + node] == 1 and book[BEST + node] == 0
        if ends:
            book[ENDS + count] = node
            count += 1
    return count


@compiled
def is_tied(t: Ints, nodes: Row, row: int, side: int, book: Book) -> bool:
    """Return whether both sides wait with men that can't enter, and the mover has no other move."""
    for who in range(2):
        if count_waiting(t, nodes, row + who * PLACES) == 0 or can_enter_any(t, nodes, row, who):
            return False
    return not can_move(t, nodes, row, side, book, USES)


@compiled
def _mark_ties(t: Ints, nodes: Row, side: int, book: Book, count: int) -> None:
    for at in range(count):
        row = book[ENDS + at] * ROW
        if nodes[row + OUTCOME] == GOING_ON and is_tied(t, nodes, row, side, book):
            nodes[row + OUTCOME] = DRAWN
            nodes[row + HOW] = TIED
            _clear_numbers_left(nodes, row)


@compiled
def search_plays(t: Ints, nodes: Row, side: int, book: Book, may: int) -> int:
    """Find the ends of a side's plays with the numbers left in the first row; return how many.

    The nodes stand at `book[ENDS]`. Where the side `may` use any of the numbers or none, every
    position on the way is an end, but for the first.
    """
    _build_graph(t, nodes, side, book)
    if may == 0 and book[FULL] == 0:
        _compute_best_weights(nodes, book)
        _mark_best_ways(nodes, book)
    count = _collect_ends(nodes, book, may)
    if t[ENDING_AT_STANDSTILL] > 0:
        _mark_ties(t, nodes, side, book, count)
    return count
