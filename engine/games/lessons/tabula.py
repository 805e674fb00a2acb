"""Entering and running together: a prepared game of Tabula, from an empty board to the last man."""

from engine.lesson import Goal, Lesson, LessonStep, PreparedReply

TABULA_LESSON = Lesson(
    game="tabula",
    rank=1,
    tagline="Enter on one table, run the same way as your opponent, and bear off.",
    games=("pyf", "buffa-cortesa", "pareia-de-entrada", "paume-carie-two"),
    steps=(
        LessonStep(
            title="Entering",
            position="hand15 hand15 gold -",
            throw=(4, 4, 2),
            task=(
                "Both sides enter their men on a to f, by the number thrown, and run through "
                "the letters to z. Enter two men with the 4s, on d, and one with the 2, on b."
            ),
            plays=("hand-d(2) hand-b",),
            hint=(
                "Bring men in first: two with the 4s, on d, where they protect each other, and "
                "one with the 2, on b."
            ),
            done=(
                "Two men together can't be hit, but the one on b was alone. Black enters on the "
                "same points: it threw 5-5-2, and its 2 hit your man."
            ),
            replies=(PreparedReply(throw=(5, 5, 2), play="hand-b hand-e(2)"),),
        ),
        LessonStep(
            title="The bar",
            throw=(4, 4, 2),
            task=(
                "Your man is on the bar and must enter first. Hit black's man on b with the 2, "
                "and bring in men with both 4s."
            ),
            plays=("bar-b hand-d(2)",),
            hint=(
                "Give up neither the hit nor the cover: the 2 enters on b, and both 4s enter on d."
            ),
            done=(
                "Now black's man had to enter first. Black threw 6-6-3: two men came in on f "
                "and one on c."
            ),
            replies=(PreparedReply(throw=(6, 6, 3), play="bar-f hand-f hand-c"),),
        ),
        LessonStep(
            title="A hit from behind",
            throw=(5, 3, 1),
            task=(
                "As both sides run the same way, men are hit from behind, or by men that enter. "
                "Black's man on c is alone: hit it."
            ),
            goal=Goal.HIT,
            hint="Hit the man on c: with the 1 from b, or with the 3 from your hand.",
            done="Black's man goes to the bar again. So it goes on until all men have come in.",
        ),
        LessonStep(
            title="All men in",
            position="i6,m8,hand1 o6,p9 gold -",
            throw=(5, 4, 3),
            task=(
                "Until all your men have entered, none of them may go past m. Enter the last "
                "one; then the others may leave."
            ),
            goal=Goal.ANY,
            done=(
                "All your men are in, so they may pass m. Men that stand alone can still be hit "
                "by black's men behind them."
            ),
        ),
        LessonStep(
            title="Bearing off",
            position="t1,w1,z1,off12 y2,off13 gold -",
            throw=(6, 4, 1),
            task=(
                "When all your men are in the last table, a number takes a man off if it "
                "reaches past z. Take all three off, and you win."
            ),
            goal=Goal.WIN,
            hint=(
                "That leaves a man behind. Give each man a number that just suffices: the 6 for "
                "t, the 4 for w and the 1 for z."
            ),
            done="Your last man is off: you win.",
        ),
    ),
    summary=(
        "That's the game: enter, run, hit from behind, enter from the bar first, and take your "
        "men off. In Pyf, Buffa cortesa and their like men enter and run the same way, and the "
        "details differ."
    ),
)
