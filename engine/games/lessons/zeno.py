"""A race to a table: a prepared game of Zeno, in which a hit decides."""

from engine.lesson import Goal, Lesson, LessonStep, PreparedReply

ZENO_LESSON = Lesson(
    game="zeno",
    rank=0,
    tagline="Race all your men to the far table; hit, and enter again.",
    games=("imperial", "provincial"),
    steps=(
        LessonStep(
            title="The goal",
            position="a15 z15 gold -",
            throw=(6, 4, 3),
            task=(
                "You're gold: bring your 15 men from a to the last table, "
                "t to z. Move now, once for each die, with one man or several."
            ),
            goal=Goal.ANY,
            done=(
                "Each die moves a man forward by its number. Black runs the other way, from z "
                "to the table from f to a."
            ),
        ),
        LessonStep(
            title="A blot and a hit",
            position="e1,g1,y6,z7 b7,d7,k1 gold -",
            throw=(5, 3, 1),
            task=(
                "Later on: black's man on k stands alone, a blot. Hit it with the 3, put your "
                "two men together on k with the 5, and play the 1 from y to z."
            ),
            plays=("g-k e-k y-z",),
            hint=(
                "That gives up the hit or leaves a man of yours alone. Play the 3 from g, the 5 "
                "from e and the 1 from y."
            ),
            done=(
                "A man that was hit waits on the bar, and must enter before any other black man "
                "moves. Black threw 2-1-1, but y and z are yours, so it lost its turn."
            ),
            replies=(PreparedReply(throw=(2, 1, 1)),),
        ),
        LessonStep(
            title="Running home",
            throw=(6, 4, 4),
            task=(
                "Two men together can't be hit, but this throw parts them. Take one all the way "
                "home, from k to z, so that only one is left alone."
            ),
            plays=("k-o-s-z",),
            hint=(
                "That leaves two men alone on the way. One man can use all three dice: from k to z."
            ),
            done=(
                "Black threw 6-5-4: its man entered on t, ran on and hit yours on k. Only a "
                "throw of 15 in all could do that: bad luck."
            ),
            replies=(PreparedReply(throw=(6, 5, 4), play="bar-t-o-k"),),
        ),
        LessonStep(
            title="The bar",
            throw=(6, 5, 5),
            task=(
                "Now your man is on the bar and must enter first, with a 5 on e or a 6 on f. "
                "Find the way that also hits black's man on k."
            ),
            plays=("bar-e-k-q",),
            hint="Enter on e with a 5: from there the other 5 hits on k.",
            hints={
                "bar-f": (
                    "From f you'd need a 4 to hit on k. Enter on e with a 5, and the other 5 hits."
                ),
            },
            done=(
                "You hit back. Black threw 4-3-1: its man entered on w and ran to r, one point "
                "short of hitting yours."
            ),
            replies=(PreparedReply(throw=(4, 3, 1), play="bar-w-s-r"),),
        ),
        LessonStep(
            title="Home",
            throw=(5, 2, 1),
            task="Only your man on q isn't home yet. Bring it to t or beyond, and you win.",
            goal=Goal.ANY,
            done="All fifteen of your men are in the last table: you win.",
        ),
    ),
    summary=(
        "That's the race: use every number you can, keep men together, hit those that stand "
        "alone, and enter from the bar first. Imperial and Provincial are the same race from "
        "other set-ups."
    ),
)
