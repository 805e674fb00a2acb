"""The plain form of typed text, whatever a phone, a keyboard or another program makes of it."""

import unicodedata

_SIGNS = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\u02b9\u2032\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab", '"'),
        **dict.fromkeys("\u00bb\u25b6\u25ba", ">"),  # an angle quote or a triangle to the right
        **dict.fromkeys("\u2044\u2215", "/"),  # the slashes of fractions and divisions
        "\u2212": "-",  # the minus sign
        "\u2217": "*",  # the asterisk operator
        "\u2236": ":",  # the ratio sign
    }
)
"""Signs that Unicode does not take for the plain ones that are meant."""


def fold_text(text: str) -> str:
    """Return a text in lower case with plain dashes, quotes, arrows and digits, and single spaces.

    Everything that people type and that isn't prose is compared in this form: plays, games,
    options, paces, hours. What programs write (positions, records, ids) is read as it is, in ASCII.
    """
    # Signs are replaced before NFKC, which would break some of them up: an acute accent that stands
    # alone becomes a space and a combining mark.
    plain = map(_fold_character, unicodedata.normalize("NFKC", text.translate(_SIGNS)))
    return " ".join("".join(plain).casefold().split())


def _fold_character(character: str) -> str:
    if character.isascii():
        return character
    kind = unicodedata.category(character)
    if kind == "Nd":
        return str(unicodedata.decimal(character))
    if kind == "Pd":
        return "-"
    if "ARROW" in unicodedata.name(character, ""):
        return ">"
    # Accents that stand alone, and signs that nobody sees.
    return "" if kind in ("Mn", "Cf") else character
