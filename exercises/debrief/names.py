"""Names that somebody typed, made fit to be shown on a line and to name a file."""

import unicodedata

from sim.errors import ExerciseError
from sim.refusal import refuse

TEAM = "team"
"""Row of a journal's head that names the team."""
MOST_SHOWN = 80
"""Characters of a name that are shown."""
MOST_IN_A_FILE = 40
# marks that turn round the text beside them (Unicode 9, "bidirectional control")
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_ELLIPSIS = "…"


def shown_name(name: str) -> str:
    r"""Return a name on one line: no control character, no mark that turns round its neighbours.

    Letters of any script stay, and so do signs that mean something to HTML, CSV or XML: whoever
    writes a file escapes them.

    Examples
    --------
    >>> shown_name("  Blue\n team "), shown_name("\u202eknalb"), shown_name("x" * 300)[78:]
    ('Blue team', 'knalb', 'x…')

    """
    kept = "".join(
        " " if unicodedata.category(sign) in {"Cc", "Zl", "Zp"} else sign
        for sign in unicodedata.normalize("NFC", name)
        if sign not in _TURNING and unicodedata.category(sign) != "Cs"
    )
    line = " ".join(kept.split())
    return line if len(line) <= MOST_SHOWN else line[: MOST_SHOWN - 1].rstrip() + _ELLIPSIS


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
    """Return names of which no two are alike: the second of a name is numbered, and so on.

    >>> told_apart(["Blue", "Red", "Blue", "Blue (2)"])
    ['Blue', 'Red', 'Blue (2)', 'Blue (2) (2)']
    """
    told: list[str] = []
    for name in names:
        number, one = 1, name
        while one in told:
            number += 1
            one = f"{name} ({number})"
        told.append(one)
    return told
