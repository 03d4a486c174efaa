"""Names that somebody typed, made fit to be shown on a line and to name a file."""

import unicodedata

from sim.errors import ExerciseError
from sim.refusal import refuse
from sim.signs import without_unfit

TEAM = "team"
"""Row of a journal's head that names the team."""
MOST_SHOWN = 80
"""Characters of a name that are shown."""
MOST_IN_A_FILE = 40
# marks that turn round the text beside them (Unicode 9, "bidirectional control")
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# letters and a symbol that are drawn as nothing but a gap
_GAPS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
_NOTHING = frozenset({"Cc", "Cf", "Cn", "Co", "Mn", "Me", "Zs", "Zl", "Zp"})
"""Categories of signs that show nothing where they stand alone."""
# ignored where they are drawn, though no format characters (Unicode, Default_Ignorable_Code_Point)
_UNSEEN = frozenset(
    map(chr, (0x034F, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10),
              *range(0xE0100, 0xE01F0)))
)  # fmt: skip
_ELLIPSIS = "…"


def shown_name(name: str) -> str:
    r"""Return a name on one line: no control character, no mark that turns round its neighbours.

    One of signs that are not seen is no name: '' is returned. Letters of any script stay, and so
    do signs that mean something to HTML, CSV or XML: whoever writes a file escapes them.

    Examples
    --------
    >>> shown_name("  Blue\n team "), shown_name("\u202eknalb"), shown_name("x" * 300)[78:]
    ('Blue team', 'knalb', 'x…')
    >>> shown_name("\u200b"), shown_name("\u3164 \u2800"), shown_name("a\ufffeb")
    ('', '', 'ab')

    """
    kept = "".join(
        " " if unicodedata.category(sign) in {"Cc", "Zl", "Zp"} else sign
        for sign in unicodedata.normalize("NFC", name)
        if sign not in _TURNING
    )
    line = " ".join(without_unfit(kept).split())
    if not any(map(_is_seen, line)):
        return ""
    return line if len(line) <= MOST_SHOWN else line[: MOST_SHOWN - 1].rstrip() + _ELLIPSIS


def _is_seen(sign: str) -> bool:
    return sign not in _GAPS and unicodedata.category(sign) not in _NOTHING


def likeness(name: str) -> str:
    r"""Return what of a name tells it from another: two that look alike have the same.

    Capitals, forms of one letter, gaps and signs that are not seen tell nothing apart.

    >>> likeness("Red"), likeness("ＲＥＤ\u200b"), likeness("red \u3164 team")
    ('red', 'red', 'red team')
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    seen = "".join(
        " " if sign in _GAPS else sign
        for sign in folded
        if sign not in _UNSEEN and (sign == " " or unicodedata.category(sign) not in {"Cc", "Cf"})
    )
    return " ".join(seen.split())


def team_name(name: str) -> str:
    """Return the name of a team that begins, as it is shown.

    Raises
    ------
    ExerciseError
        If nothing of it can be shown, or it is too long for a line.
    """
    shown = shown_name(name)
    if not shown:
        raise ExerciseError(
            refuse(
                "",
                "the team name {name} is empty: give letters or figures",
                name=f"{name!r:.40}",
            )
        )
    if len(" ".join(name.split())) > MOST_SHOWN:
        raise ExerciseError(
            refuse(
                "",
                "the team name {name}… has {found} characters: give {most} at most",
                name=repr(name[:20]),
                found=len(name),
                most=MOST_SHOWN,
            )
        )
    return shown


def file_name(name: str) -> str:
    """Return what of a name may stand in a file's name on any system: a-z, 0-9 and single dashes.

    It may be empty, and two names may give the same: put a number before it, which also keeps it
    from being a device of Windows.

    Examples
    --------
    >>> file_name("Équipe Bleue"), file_name("../x"), file_name("<script>"), file_name("אב")
    ('equipe-bleue', 'x', 'script', '')

    """
    bare = unicodedata.normalize("NFKD", name.casefold())
    signs = (sign for sign in bare if not unicodedata.combining(sign))
    dashed = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in signs)
    words = "-".join(part for part in dashed.split("-") if part)
    return words[:MOST_IN_A_FILE].rstrip("-")


def told_apart(names: list[str]) -> list[str]:
    """Return names of which no two look alike: the second of a name is numbered, and so on.

    >>> told_apart(["Blue", "Red", "blue", "Blue (2)"])
    ['Blue', 'Red', 'blue (2)', 'Blue (2) (2)']
    """
    told: dict[str, str] = {}
    for name in names:
        number, one = 1, name
        while likeness(one) in told:
            number += 1
            one = f"{name} ({number})"
        told[likeness(one)] = one
    return list(told.values())
