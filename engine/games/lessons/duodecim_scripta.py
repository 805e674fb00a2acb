"""Three rows of twelve: a prepared game of duodecim scripta, round the whole Roman board."""

from engine.lesson import Goal, Lesson, LessonStep, PreparedReply

DUODECIM_SCRIPTA_LESSON = Lesson(
    game="duodecim-scripta",
    rank=2,
    tagline="Find your way over the three rows of the Roman board.",
    steps=(
        LessonStep(
            title="Entering",
            position="hand15 hand15 gold -",
            throw=(6, 4, 4),
            task=(
                "Both sides enter on 1 to 6 and follow the numbers: along the middle, back "
                "along the top, home along the bottom. Enter two men on 4 and one on 6."
            ),
            plays=("hand-4(2) hand-6",),
            hint="Bring men in first: two on 4, where they protect each other, and one on 6.",
            done=(
                "Two men together can't be hit, but the one on 6 was alone. Black threw 6-1-1, "
                "and its 6 entered there and hit it."
            ),
            replies=(PreparedReply(throw=(6, 1, 1), play="hand-6 hand-1(2)"),),
        ),
        LessonStep(
            title="The bar",
            throw=(6, 2, 2),
            task=(
                "Your man is on the bar and must enter first. Hit black's man on 6, and bring "
                "your two men from 4 beside yours."
            ),
            plays=("bar-6 4-6(2)",),
            hint=(
                "That gives up the hit or leaves a man alone. Enter on 6 with the 6, then move "
                "4 to 6 twice with the 2s."
            ),
            done=(
                "Your men close 6 now. Black threw 6-6-3, so it had to enter with the 3, and "
                "used the 6s for its men on 1."
            ),
            replies=(PreparedReply(throw=(6, 6, 3), play="bar-3 1-7(2)"),),
        ),
        LessonStep(
            title="Round the corner",
            position="22:2,34:6,36:7 27:1,32:7,35:7 gold -",
            throw=(5, 5, 2),
            task=(
                "Much later. From 24, at the end of the top row, men go on to 25, at the start "
                "of the bottom row. Hit black's man on 27 with both men from 22, and use the 2 "
                "at home."
            ),
            plays=("22-27(2) 34-36",),
            hint=(
                "That leaves a man alone or gives up the hit. Move 22 to 27 twice with the 5s, "
                "and 34 to 36 with the 2."
            ),
            done=(
                "Black's man was nearly home and begins again. Black threw 4-3-3: it entered on "
                "4 and ran to 10."
            ),
            replies=(PreparedReply(throw=(4, 3, 3), play="bar-4-7-10"),),
        ),
        LessonStep(
            title="Bearing off",
            throw=(6, 4, 1),
            task=(
                "When all your men are on 31 to 36 they are borne off, each by the exact "
                "number: a 1 from 36, a 6 from 31. Bring both men home, then take one off from "
                "36."
            ),
            plays=("27-33 27-31 36-off",),
            hint=(
                "Then no man leaves the board. Bring both men from 27 home, to 33 and 31; then "
                "the 1 takes a man off from 36."
            ),
            done="The first of your men is off. Black is far behind, so let's look at the end.",
        ),
        LessonStep(
            title="The last men",
            position="31:1,34:1,36:1,off12 14:1,32:7,35:7 gold -",
            throw=(6, 3, 1),
            task=(
                "Three men are left, and the throw has the exact number for each. Take them "
                "off, and you win."
            ),
            goal=Goal.WIN,
            done="Your last man is off: you win.",
        ),
    ),
    summary=(
        "That's the board: in along the middle, back along the top, home along the bottom. Men "
        "alone can be hit, men on the bar enter first, and each is borne off by the exact "
        "number."
    ),
)
