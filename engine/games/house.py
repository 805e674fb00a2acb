"""House rules that several games take."""

from engine.rules import Doubles, Option, Pairs, Unusable, Value

UNUSABLE = Option(
    name="unusable",
    asks="What becomes of numbers that cannot be played?",
    values=(
        Value("lost", "They are lost.", {"unusable": Unusable.LOST}),
        Value(
            "opponent",
            "The other side may play them at once, before its own throw; what is left then is lost.",
            {"unusable": Unusable.OPPONENT},
        ),
        Value(
            "loses",
            "Ad fallum: a side that cannot play every number loses.",
            {"unusable": Unusable.LOSES},
        ),
    ),
    source="Lewins, Tabula at Rumwoldstow (the numbers to the opponent); Libro de los Juegos, fallas (ad fallum)",
)

DOUBLES = Option(
    name="doubles",
    asks="What do doubles give?",
    values=(
        Value("plain", "Nothing special.", {"dice.doubles": Doubles.PLAIN}),
        Value(
            "twice",
            "Each die that shows the same as another is played twice.",
            {"dice.doubles": Doubles.TWICE},
        ),
        Value(
            "again",
            "The side throws once more after playing.",
            {"dice.doubles": Doubles.AGAIN},
        ),
        Value(
            "twice-again",
            "Played twice, and another throw.",
            {"dice.doubles": Doubles.TWICE_AGAIN},
        ),
    ),
    source="Libro de los Juegos, pareia de entrada and buffa cortesa, after Lewins",
)

PAIRS = Option(
    name="pairs",
    asks="With three dice, what counts as doubles?",
    values=(
        Value("all-alike", "Only three alike.", {"dice.pairs": Pairs.ALL_ALIKE}),
        Value(
            "any-pair",
            "Any two alike; the third number is played once.",
            {"dice.pairs": Pairs.ANY_PAIR},
        ),
    ),
    source="Golladay on Libro de los Juegos 76v (the same number on the three or two dice); our completion",
)
