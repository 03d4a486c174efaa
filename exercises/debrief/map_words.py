"""What the maps of a debrief say, in French and in English."""

from collections.abc import Mapping
from types import MappingProxyType

from sim.severity_words import LANGUAGES

# fmt: off
# key                fr, en
_WORDS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "team":             ("{heading} – {team}", "{heading} – {team}"),
    "hexes":            ("{n:,} {n:hexagone|hexagones}", "{n:,} {n:hex|hexes}"),
    "people":           ("{n:,} {n:personne|personnes}", "{n:,} {n:person|people}"),
    "places":           ("{n:,} {n:place|places}", "{n:,} {n:place|places}"),
    "links":            ("{n:,} {n:liaison|liaisons}", "{n:,} {n:link|links}"),
    "at_turn":          ("tour {n}", "turn {n}"),
    "n_people":         ("{n} personnes", "{n} people"),
    "percent_sure":     ("{n} %", "{n}%"),
    "people_there":     ("À mettre à l'abri", "To shelter"),
    "threatened":       ("Menacés", "Threatened"),

    "forecast":         ("Pronostic et vérité", "Forecast and truth"),
    "forecast_lead":    (("Ce que l'équipe a peint avant le tour 1, face aux hexagones où une "
                         "liaison au moins est coupée aux piétons pendant l'orage entier."),
                         ("What the team painted before turn 1, against the hexes where at "
                         "least one link is cut to pedestrians in the whole storm.")),
    "forecast_classes": ("Pronostic et vérité", "Forecast and truth"),
    "hit":              ("Peint et coupé : bien vu", "Painted and cut: hit"),
    "miss":             ("Coupé, non peint : manqué", "Cut, not painted: miss"),
    "false_alarm":      ("Peint, jamais coupé : fausse alerte", "Painted, never cut: false alarm"),
    "hits":             ("Bien vus", "Hits"),
    "misses":           ("Manqués", "Misses"),
    "false_alarms":     ("Fausses alertes", "False alarms"),
    "recall":           ("Rappel", "Recall"),
    "precision":        ("Précision", "Precision"),
    "csi":              ("Indice de succès critique (CSI)", "Critical success index (CSI)"),
    "fss_here":         ("Score des fractions (FSS), hexagone",
                         "Fractions skill score (FSS), hex"),
    "fss_ring":         ("FSS, à {n} {n:hexagone|hexagones} près",
                         "FSS, within {n} {n:hex|hexes}"),
    "brier":            ("Score de Brier (0 : parfait)", "Brier score (0: perfect)"),
    "first_cut_link":   ("Première liaison coupée", "First link cut"),
    "confidence":       ("Confiance donnée", "Confidence given"),

    "known":            ("Cru et vrai", "Believed and true"),
    "known_lead":       (("Les deux cartes montrent le même tour. La carte s'ouvre au tour où le "
                         "plus d'hexagones étaient sous l'eau sans que l'équipe le sache."),
                         ("Both maps show the same turn. The page opens at the turn when most "
                         "hexes were under water unknown to the team.")),
    "believed":         ("Cru par l'équipe", "Believed by the team"),
    "true":             ("Vrai", "True"),
    "film":             ("Ce que l'équipe croyait, ce qui était vrai",
                         "What the team believed, what was true"),
    "gaps":             ("Écarts entre cru et vrai", "Gaps between believed and true"),
    "unknown_water":    ("Sous l'eau sans que l'équipe le sache",
                         "Under water, unknown to the team"),
    "believed_water":   ("Cru sous l'eau, à sec", "Believed under water, dry"),
    "wet_true":         ("Sous l'eau, en vérité", "Under water, in truth"),
    "wet_known":        ("Sous l'eau, cru par l'équipe", "Under water, as believed"),
    "cut_true":         ("Liaisons coupées, en vérité", "Links cut, in truth"),
    "cut_known":        ("Liaisons coupées, cru par l'équipe", "Links cut, as believed"),
    "unseen":           ("Jamais observés", "Never observed"),

    "cuts":             ("Liaisons coupées", "Cut links"),
    "cuts_lead":        (("Barre orange : coupé aux piétons. Barre rouge croisée : coupé à tout "
                         "véhicule. La carte s'ouvre au tour qui compte le plus de coupures."),
                         ("Orange bar: cut to pedestrians. Crossed red bar: cut to every vehicle. "
                         "The map opens at the turn with most cuts.")),
    "cuts_classes":     ("Chemin vers un abri", "Way to a shelter"),
    "no_way":           ("Coupé de tout abri depuis ce tour ou un tour d'avant",
                         "Cut off from every shelter, this turn or an earlier one"),
    "cut_foot":         ("Coupées aux piétons seulement", "Cut to pedestrians only"),
    "cut_all":          ("Coupées à tout véhicule", "Cut to every vehicle"),
    "hexes_cut_off":    ("Hexagones coupés de tout abri", "Hexes cut off from every shelter"),
    "people_cut_off":   ("Personnes qui n'y étaient pas encore à l'abri",
                         "People there who were not sheltered yet"),
    "cut_off_at":       ("Coupé de tout abri", "Cut off from every shelter"),

    "evacuation":       ("Évacuation", "Evacuation"),
    "evacuation_lead":  ("Où en étaient ceux à mettre à l'abri. La carte s'ouvre à la fin.",
                         "Where those to shelter had got to. The map opens at the end."),
    "evacuation_classes": ("Personnes à mettre à l'abri", "People to shelter"),
    "alerted":          ("Alertés, pas encore partis", "Alerted, not on their way yet"),
    "walking":          ("En chemin", "On their way"),
    "sheltered":        ("À l'abri à temps", "Sheltered in time"),
    "sheltered_late":   ("À l'abri, après la coupure", "Sheltered after the cut"),
    "wasted":           ("À l'abri, jamais menacés", "Sheltered, never threatened"),
    "cut_off":          ("Coupés de tout abri", "Cut off from every shelter"),
    "lost":             ("Victimes", "Victims"),
    "alerted_hexes":    ("Hexagones alertés", "Hexes alerted"),
    "on_the_way":       ("En chemin", "On their way"),
    "saved":            ("Menacés, à l'abri à temps", "Threatened, sheltered in time"),
    "late":             ("Menacés, à l'abri trop tard", "Threatened, sheltered too late"),
    "victims":          ("Victimes", "Victims"),
    "places_taken":     ("Places prises", "Places taken"),
    "alerted_at":       ("Alerte reçue", "Alert got through"),
    "arrived_at":       ("Dernier arrivé", "Last one arrived"),
    "fact_saved":       ("À l'abri à temps", "Sheltered in time"),
    "fact_late":        ("À l'abri trop tard", "Sheltered too late"),
    "fact_lost":        ("Victimes", "Victims"),

    "teams":            ("Deux équipes, le même orage", "Two teams, the same storm"),
    "teams_lead":       (("Pour chaque hexagone menacé : quelle équipe a mis à l'abri à temps la "
                         "moitié au moins des personnes."),
                         ("For every threatened hex: which team sheltered at least half of its "
                         "people in time.")),
    "teams_classes":    ("Hexagones menacés", "Threatened hexes"),
    "teams_choice":     ("Équipes", "Teams"),
    "two_teams":        ("A : {a} / B : {b}", "A: {a} / B: {b}"),
    "both":             ("Les deux équipes", "Both teams"),
    "only_a":           ("A seule : {a}", "A alone: {a}"),
    "only_b":           ("B seule : {b}", "B alone: {b}"),
    "neither":          ("Ni l'une ni l'autre", "Neither"),
    "either_wasted":    ("Places prises sans menace, par l'une au moins",
                         "Places taken without a threat, by one of them at least"),
    "points":           ("Points", "Points"),
    "of_team":          ("{side} · {what}", "{side} · {what}"),
    "needed_and_done":  ("Menacés, à l'abri à temps", "Threatened, sheltered in time"),
    "needed_and_not_done": ("Menacés, pas à l'abri à temps",
                         "Threatened, not sheltered in time"),
    "not_needed":       ("Places prises sans menace", "Places taken without a threat"),
})
# fmt: on


def words(lang: str) -> dict[str, str]:
    """Every text of the maps in one language."""
    at = LANGUAGES.index(lang)
    return {key: pair[at] for key, pair in _WORDS.items()}
