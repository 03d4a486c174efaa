"""What ``averse calibrate`` prints: the ladder, and what the ground does not give (§7.6)."""

from collections.abc import Mapping
from types import MappingProxyType

from rich import box
from rich.table import Table

from exercises.calibrate import (
    LEAST_SAVED,
    MOST_SAVED,
    SAVES_AT,
    SHOWN_TURNS,
    SIGN_BY,
    TOO_LATE_AT,
)
from exercises.calibration_entry import Entry
from exercises.exports import UNDEFINED
from gis.wording import time_of_day

LANGUAGES = ("fr", "en")

# fmt: off
# key          fr, en
_WORDS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "title":   ("{district}, {hour} : échelle trouvée ({storms} orages essayés)",
                "{district}, {hour}: the ladder found ({storms} storms tried)"),
    "storm":   ("Même forme à tous les niveaux : {form}, {length} min, pointe au tour {turn}.",
                "One form at every level: {form}, {length} min, peak in turn {turn}."),
    "chicago": ("pluie de Chicago", "Chicago storm"),
    "double_triangle": ("double triangle", "double triangle"),
    "level":   ("niveau", "level"),
    "stands":  ("vaut", "stands for"),
    "wanted":  ("voulu", "wanted"),
    "share":   ("menacés", "threat"),
    "hexes":   ("hex. ≥ 2", "hexes ≥ 2"),
    "sign":    ("signe", "sign"),
    "cut":     ("coupure", "cut"),
    "saved":   ("t. {turn}", "t. {turn}"),
    "legend":  (("Menacés : part des personnes à abriter. Hex. ≥ 2 : hexagones actifs en eau de "
                 "classe 2 ou plus. Signe : tour de la première liaison en classe 1. Coupure : "
                 "tour du premier hexagone isolé de tout abri. T. n : part des menacés que sauve "
                 "une alerte de tous au tour n (places illimitées, sans engorgement)."),
                ("Threat: share of those to shelter. Hexes ≥ 2: active hexes in water of class 2 "
                 "or more. Sign: turn of the first link at class 1. Cut: turn of the first hex cut "
                 "off from every shelter. T. n: share of the threatened that alerting all of them "
                 "at turn n saves (unlimited places, no congestion).")),
    "missed":  ("Ce que ce terrain ne donne pas :", "What this ground does not give:"),
    "given":   ("Ce terrain donne tout ce qui était voulu.",
                "This ground gives all that was wanted."),
    "at_one":  ("niveau {levels}", "level {levels}"),
    "at_many": ("niveaux {levels}", "levels {levels}"),
    "m_share": (("la part voulue, {levels} : le plus proche a été pris ; l'orage le plus sévère "
                 "de l'échelle menace {most}"),
                ("the share wanted, {levels}: the nearest was taken; the severest storm of the "
                 "scale threatens {most}")),
    "m_same":  ("des orages différents, {levels} : essayez --shares {try}",
                "storms that differ, {levels}: try --shares {try}"),
    "m_saved": ("{least} sauvés par une alerte au tour {saves}, {levels}",
                "{least} saved by an alert at turn {saves}, {levels}"),
    "m_late":  ("au plus {late} sauvés par une alerte au tour {too_late}, {levels}",
                "at most {late} saved by an alert at turn {too_late}, {levels}"),
    "m_sign":  ("un premier signe au tour {sign} au plus tard, {levels}",
                "a first sign by turn {sign}, {levels}"),
    "m_fall":  ("une part menacée qui ne fait que croître : elle baisse de {fall} par endroits",
                "a share threatened that only grows: it falls by {fall} in places"),
    "written": ("Échelle écrite dans {pack}", "Ladder written into {pack}"),
    "dry":     ("Rien n'a été écrit dans {pack} (--dry-run)",
                "Nothing was written into {pack} (--dry-run)"),
})
# fmt: on


def say(key: str, lang: str, **values: object) -> str:
    """Text of a key in a language, filled in."""
    return _WORDS[key][LANGUAGES.index(lang)].format(**values)


def percent(share: float | None, lang: str, digits: int = 0) -> str:
    """A share of 1 in percent, as the language writes it; "–" where there is none.

    Examples
    --------
    >>> percent(0.125, "en", 1), percent(None, "fr")
    ('12.5%', '–')
    """
    if share is None:
        return UNDEFINED
    if lang == "fr":
        return f"{100 * share:.{digits}f} %".replace(".", ",")
    return f"{share:.{digits}%}"


def ladder_table(entry: Entry, lang: str) -> Table:
    """Return the ladder as a table for the console."""
    heading = say(
        "title",
        lang,
        district=entry["district"],
        hour=time_of_day(60 * entry["hour"], lang),
        storms=entry["storms"],
    )
    table = Table(title=heading, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for key in ("level", "stands", "wanted", "share", "hexes", "sign", "cut"):
        left = key == "stands"
        table.add_column(
            say(key, lang),
            justify="left" if left else "right",
            no_wrap=not left,
            min_width=24 if left else None,
        )
    for turn in SHOWN_TURNS:
        table.add_column(say("saved", lang, turn=turn), justify="right", no_wrap=True)
    for level in entry["levels"]:
        table.add_row(
            str(level["level"]),
            level["stands_for"][lang],
            percent(level["wanted"], lang),
            percent(level["share"], lang, 1),
            str(level["blocked_hexes"]),
            UNDEFINED if level["first_sign"] is None else str(level["first_sign"]),
            UNDEFINED if level["first_cut"] is None else str(level["first_cut"]),
            *(percent(level["saved"][str(turn)], lang) for turn in SHOWN_TURNS),
        )
    return table


def storm_line(entry: Entry, lang: str) -> str:
    """The storm's form, one line."""
    shape = entry["hyetograph"]
    form, length = say(shape["form"], lang), f"{shape['length_min']:g}"
    return say("storm", lang, form=form, length=length, turn=entry["peak_turn"])


def missed_lines(entry: Entry, lang: str) -> list[str]:
    """What the ground does not give, a line each; one line that says so where it gives all."""
    if not entry["missed"]:
        return [say("given", lang)]
    lines = [say("missed", lang)]
    for fault in entry["missed"]:
        at = "at_one" if len(fault["levels"]) == 1 else "at_many"
        kind = "m_" + fault["kind"]
        values = {
            "levels": say(at, lang, levels=", ".join(map(str, fault["levels"]))),
            "most": percent(entry["most"], lang, 1),
            "try": ",".join(f"{share:g}" for share in within_reach(entry)),
            "least": percent(LEAST_SAVED, lang),
            "saves": SAVES_AT,
            "late": percent(MOST_SAVED, lang),
            "too_late": TOO_LATE_AT,
            "sign": SIGN_BY,
            "fall": percent(entry["fall"], lang, 1),
        }
        lines.append(f"  – {say(kind, lang, **values)}")
    return lines


def within_reach(entry: Entry) -> list[float]:
    """Shares in percent, spaced as those wanted are, up to the most that the ground allows.

    Examples
    --------
    >>> within_reach({"wanted": [0.03, 0.1, 0.2, 0.35], "most": 0.14})
    [1.2, 4.0, 8.0, 14.0]
    """
    scale = 100 * entry["most"] / entry["wanted"][-1]
    return [round(share * scale, 1) for share in entry["wanted"]]
