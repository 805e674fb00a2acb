"""Games without movement: Twelve Dogs, in which men only enter, hit and hold points."""

from engine.lesson import Goal, Lesson, LessonStep, PreparedReply

TWELVE_DOGS_LESSON = Lesson(
    game="twelve-dogs",
    rank=4,
    tagline="Men that never move: enter them, hit, and hold more points.",
    games=("paume-carie-one", "doblet"),
    steps=(
        LessonStep(
            title="Entering",
            position="hand12 hand12 gold -",
            throw=(5, 3),
            task=(
                "Six points, two dice: a number enters a man on its point, a 1 on a, a 6 on f, "
                "and there it stays. Enter a man with each die."
            ),
            goal=Goal.PLAY,
            plays=("hand-c hand-e",),
            done=(
                "Black threw 5-2. Its 5 hit your man, who stood alone on e, and its 2 entered a "
                "man on b."
            ),
            replies=(PreparedReply(throw=(5, 2), play="hand-e hand-b"),),
        ),
        LessonStep(
            title="The bar",
            throw=(5, 2),
            task=(
                "Your man on the bar enters before any from your hand. Both of black's men "
                "stand alone, so both your numbers hit."
            ),
            plays=("bar-e hand-b",),
            done=(
                "Black threw 3-3: both its men came in on c, hit your man there and hold the "
                "point. Two men on a point are safe for good."
            ),
            replies=(PreparedReply(throw=(3, 3), play="bar-c(2)"),),
        ),
        LessonStep(
            title="A full point",
            throw=(3, 2),
            task=(
                "A point holds two men at most. Black fills c, so your 3 is lost. Your 2 takes "
                "the man from the bar to b, which is yours then."
            ),
            plays=("bar-b",),
            done=(
                "Black threw 6-4 and entered on f and d. So it goes on until each of the six "
                "points has two men."
            ),
            replies=(PreparedReply(throw=(6, 4), play="hand-f hand-d"),),
        ),
        LessonStep(
            title="The last point",
            position="a2,b2,e1,f2,hand5 c2,d2,hand8 gold -",
            throw=(5, 3),
            task="Much later: only e is open. Your 3 is lost, but the 5 fills e.",
            goal=Goal.WIN,
            done="All six points are full. You hold four and black two: you win.",
        ),
    ),
    summary=(
        "That's the whole game. In a match the throws play themselves; the one choice is the "
        "table, for the side that begins. In Doblet and in Paume carie on one table, too, men "
        "don't move from point to point."
    ),
)
