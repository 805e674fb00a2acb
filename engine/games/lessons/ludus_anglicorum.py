"""The English game: its six, its own side without doubling, and its blockade."""

from engine.lesson import Goal, Lesson, LessonStep

LUDUS_ANGLICORUM_LESSON = Lesson(
    game="ludus-anglicorum",
    rank=3,
    tagline="A six in every throw, no doubling on your own side, and a wall of men.",
    games=("emperador",),
    steps=(
        LessonStep(
            title="The six",
            position="a15 z15 gold -",
            throw=(5, 4, 1),
            task=(
                "You run from a to z, black from z to a, and every throw has a six: if none "
                "shows, you turn one die to a six. Turn the 1, then move."
            ),
            six="1",
            goal=Goal.ANY,
            hint=(
                "Any die may be turned, but the lowest gains most: the 1 becomes a 6, and you "
                "keep the 5 and the 4."
            ),
            done=(
                "Your own side is from a to m. No point there takes a second man, so your men "
                "go alone until they are past m."
            ),
        ),
        LessonStep(
            title="Your own side",
            position="a10,d1,f1,g1,n2 z9,y1,w1,t1,i1,c2 gold -",
            throw=(6, 5, 3),
            task=(
                "You can't bring a second man to d, f or g, and no button offers it. But "
                "black's man on i is alone: hit it."
            ),
            goal=Goal.HIT,
            hint="Hit the man on i: with the 5 from d, or with the 3 from f.",
            done=(
                "Black's man must enter on z to t, black's own side, where black may not double "
                "either. That makes a trap possible."
            ),
        ),
        LessonStep(
            title="The blockade",
            position="n7,q1,t2,u2,w2,x1 y1,z8,b2,d3,bar1 gold -",
            throw=(6, 1, 1),
            task=(
                "Black's man on the bar can't enter on y or z, where a black man stands, nor "
                "where two of yours do. You hold t, u and w: close x as well."
            ),
            goal=Goal.SHUT_OUT,
            hint=("Black could still enter. Close x with the 6 from q, and play the 1s from n."),
            done=(
                "No number can enter: black is lympolded, in Lewins' reading of the manuscript, "
                "and misses every turn until you open a point."
            ),
        ),
        LessonStep(
            title="Bearing off",
            position="u1,w1,y1,off12 b4,d5,off6 gold -",
            throw=(4, 2, 1),
            task=(
                "When all your men are in the last table they are borne off, by the exact "
                "number, or by a higher one from the rear. Turn the die with which all three "
                "come off."
            ),
            six="1",
            goal=Goal.WIN,
            hint=(
                "Then a man would be left. Turn the 1 to a six, which takes off the man on u; "
                "the 4 is exact for w and the 2 for y."
            ),
            done="Your last man is off: you win.",
        ),
    ),
    summary=(
        "That's the English game: a six in every throw, no second man on a point of your own "
        "side, and the blockade. In Emperador, too, nobody doubles on their own side."
    ),
)
