"""Read a line of moves as other programs print it and people write it.

Whatever stands around the moves is taken away.

Backgammon programs print the throw before the moves (`63: 24/18 13/10`), marks after them (`!?`,
`(best)`, a full stop) and remarks. People write words between. A word is never read as points,
though the points are letters.
"""

import re

from engine.folding import fold_text
from engine.refusal import Reason, Refusal

COMMAND_WORDS = ("roll", "throw", "undo", "take back", "resign", "pass")
"""What is typed as a play and is something else."""
_PASSES = (
    *("passes", "no move", "no moves", "no play", "no legal move", "no legal moves"),
    *("cannot move", "can't move", "cannot play", "dance", "dances"),
)
"""How programs and people say that nothing can be played."""

_REMARK = re.compile(r"\((?!\d{1,3}\))[^()]*\)|\[[^][]*\]|\{[^{}]*\}|\"[^\"]*\"|(?<!\S)#.*")
_APART = re.compile(r" (?=\(\d{1,3}\))")
_JOINT = re.compile(r"\s*(?:[-=]+>|[-/>]+)\s*|(?<=\S)\s+to\s+")
_NUMBERED = re.compile(r"^\d{1,3}[.)] ")
# `11:` to `16:` may also be the sum that a move uses; before a throw's moves there is a space.
_THROW = re.compile(
    r"^(?:[1-6](?:-[1-6]){1,2} ?: ?|(?:[2-6][1-6]|[1-6]{3}) ?: ?|[1-6]{2,3}(?: ?:)? )"
)
_COLON = re.compile(r" ?: ?")
MOVE_MARKS = ".!?"
"""What may follow a move."""
_SPELT = re.compile(r"\b(enter|bear)[\s-]+")
_BETWEEN = ("and", "then", "&", "+")

_LONG = (
    "abort ace aces act adopt ago aim aims air almost any apt art begin begins below bent "
    "best bet bin bit blot blow bot bow box boy buy ceil chip chips chop city clot copy cost "
    "cow cry demo den deny dim dip dirt dirty dos dot dry ego empty fed film fin first fist "
    "fit fix flow flux fly for fort forty fox gin glow gory got guy him hint hip his hit hot "
    "how imp knot know lea led lie life lost lot low mid mop most nor not now old ole one opt "
    "pie pied pig plea poke pole red rib rid rob role sea she sob sold sole solid some son "
    "song spec sped spoke tea the tic tie tied toe toga told tone tonic tried upon use used "
    "via vie web wed wife wig woke wolf won wrong yoke zone zoned"
)
WORDS = frozenset(_LONG.split())
"""English words that may stand beside moves and could spell a man's way.

No other words run along a course.
"""
_SHORT = "ad ah am an as at be by do ex go ha hi if in is it me my no of oh on or ox so to up us we"
SHORT_WORDS = frozenset(_SHORT.split())
"""The same of two letters, which may be a move as well: `go` is one from g to o."""


def split_steps(text: str) -> list[str]:
    """Return the steps of a typed or pasted line, without what stands around them.

    Their joints are written as `-`. Raises Refusal where the line is a command, or says that
    nothing can be played.
    """
    # Remarks go first, since they may hold anything, signs that look like joints among it.
    line = _JOINT.sub("-", _APART.sub("", _REMARK.sub(" ", fold_text(text)))).strip()
    line = _COLON.sub(":", _THROW.sub("", _NUMBERED.sub("", line)))
    asked = line.removeprefix("-").rstrip(MOVE_MARKS)
    if asked in COMMAND_WORDS or asked in _PASSES:
        raise Refusal(Reason.COMMAND, word=asked if asked in COMMAND_WORDS else "pass")
    parts = re.split(r"[\s,;]+", _SPELT.sub(r"\1-", line))
    return [part for part in parts if part.strip(MOVE_MARKS) and part not in _BETWEEN]
