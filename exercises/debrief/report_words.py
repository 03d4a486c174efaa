"""What the printed report of a debrief says beyond the page, in French and in English.

Its chapters follow the after-action report (HSEEP-IP01, FEMA, April 2013: overview, strengths, areas
for improvement) and the French *retour d'expérience* (DDSC, *La conduite du retour d'expérience*,
guide méthodologique, July 2006); the last two are left to people, with questions to guide them.
Fields are filled as ``gis.wording.filled`` does.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from gis.wording import filled, spaced
from sim.severity_words import LANGUAGES

# fmt: off
# key                fr, en
_WORDS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "class_report":     ("La classe sur un même orage", "The class on one storm"),
    "class_ground":     ("Terrain d'exercice, ce n'est pas une carte des inondations. Les mêmes chiffres que la page.",
                         "Exercise ground, not a flood map. The same figures as the page."),
    "class_setting":    ("{turns}, {hour} ; {people} à mettre à l'abri ; {places:,} places en abri ; orage de {storm}.",
                         "{turns}, {hour}; {people} to shelter; {places:,} shelter places; storm: {storm}."),
    "report":           ("Retour d'expérience", "After-action report"),
    "subtitle":         ("Exercice d'inondation éclair et d'évacuation", "Flash flood and evacuation exercise"),
    "ground":           ("Terrain d'exercice, ce n'est pas une carte des inondations. Chiffres comptés sur le journal de "
                         "l'exercice, empreinte {hash}.",
                         "Exercise ground, not a flood map. Figures counted from the exercise's journal, hash {hash}."),
    "page":             ("page {n} sur {all}", "page {n} of {all}"),
    "in_short":         ("En bref", "In short"),
    "in_short_text":    ("{saved:,} {saved:personne sauvée|personnes sauvées} sur {threatened:,} {threatened:menacée|menacées}, "
                         "{misused:,} {misused:place prise|places prises} pour rien, {victims:,} {victims:victime|victimes} : "
                         "{points} points sur {maximum} possibles.",
                         "{saved:,} saved of {threatened:,} threatened, {misused:,} {misused:place|places} used for "
                         "nothing, {victims:,} {victims:victim|victims}: {points} points of {maximum} possible."),
    "total_of":         ("Total, sur {maximum} possibles", "Total, of {maximum} possible"),
    "setting":          ("La situation de départ", "The initial situation"),
    "district":         ("District", "District"),
    "residents":        ("Habitants", "Residents"),
    "hour":             ("Heure et jour", "Hour and day"),
    "weekend":          ("{hour}, week-end", "{hour}, weekend"),
    "weekday":          ("{hour}, en semaine", "{hour}, weekday"),
    "half_staff":       ("la moitié des moyens est au loin", "half the means are away"),
    "gathering":        ("un rassemblement de {people:,} personnes", "a gathering of {people:,} people"),
    "shelter_places":   ("Places en abri", "Shelter places"),
    "places_cover":     ("{places:,} ({share} des personnes à mettre à l'abri)", "{places:,} ({share} of those to shelter)"),
    "storm_is":         ("niveau {level} : {words}", "level {level}: {words}"),
    "chapter_1":        ("1. Déroulement de l'exercice", "1. Conduct of the exercise"),
    "chapter_2":        ("2. Ce que les participants ont fait", "2. What the participants did"),
    "chapter_3":        ("3. La mission : ce qui a réussi", "3. The mission: what succeeded"),
    "chapter_4":        ("4. Points à conserver", "4. Points to keep"),
    "chapter_5":        ("5. Points à améliorer", "5. Points to improve"),
    "timeline":         ("Chronologie", "Timeline"),
    "clock":            ("Heure", "Time"),
    "bulletin":         ("Bulletin", "Bulletin"),
    "orders":           ("Ordres", "Orders"),
    "what_happened":    ("Ce qui est arrivé", "What happened"),
    "first_cuts":       ("{n:,} {n:hexagone perd|hexagones perdent} {n:son|leur} dernier chemin à pied vers un abri au sec",
                         "{n:,} {n:hex loses its|hexes lose their} last way on foot to a dry shelter"),
    "alerted_now":      ("{n:,} {n:hexagone alerté|hexagones alertés}", "{n:,} {n:hex|hexes} alerted"),
    "sheltered_now":    ("{n:,} {n:personne arrive|personnes arrivent} à l'abri", "{n:,} {n:person reaches|people reach} shelter"),
    "refused_now":      ("{n:,} {n:ordre refusé|ordres refusés}", "{n:,} {n:order|orders} refused"),
    "forecast_now":     ("pronostic peint : {n:,} {n:hexagone|hexagones}", "forecast painted: {n:,} {n:hex|hexes}"),
    "water_map":        ("L'eau au plus haut et les liaisons coupées", "The deepest water and the links cut"),
    "water_caption":    ("Lame la plus haute de tout l'exercice, par classe (§4). Les barres marquent les liaisons fermées à un "
                         "moment : {foot:,} aux piétons, dont {vehicles:,} à tous les véhicules.",
                         "Deepest water of the whole exercise, by class (§4). Bars mark links closed at some time: {foot:,} to "
                         "pedestrians, {vehicles:,} to all vehicles."),
    "cut_foot":         ("coupée aux piétons", "cut to pedestrians"),
    "cut_vehicles":     ("coupée aux véhicules", "cut to vehicles"),
    "a_shelter":        ("abri", "shelter"),
    "forecast_map":     ("Le pronostic et la vérité", "Forecast against truth"),
    "forecast_caption": ("Sur les hexagones actifs ; « vrai » : une liaison au moins coupée aux piétons à un moment de l'orage entier.",
                         "Over active hexes; “true”: at least one link cut to pedestrians at some moment of the whole storm."),
    "measure":          ("Mesure", "Measure"),
    "value":            ("Valeur", "Value"),
    "fss_within":       ("FSS, {ring}", "FSS, {ring}"),
    "alerts_table":     ("Les alertes, une à une", "The alerts, one by one"),
    "alerts_more":      ("{n} {n:autre alerte est|autres alertes sont} dans la page et dans la main courante.",
                         "{n} more {n:alert is|alerts are} in the page and in the event log."),
    "order_kinds":      ("Tous les ordres", "All orders"),
    "kind":             ("Ordre", "Order"),
    "given":            ("Donnés", "Given"),
    "stood":            ("Exécutés", "Carried out"),
    "refused_n":        ("Refusés", "Refused"),
    "withdrawn_n":      ("Retirés", "Withdrawn"),
    "outcome_map":      ("Ce que sont devenues les personnes", "What became of the people"),
    "outcome_caption":  ("Chaque hexagone selon la plupart de ses personnes à mettre à l'abri ; des victimes priment.",
                         "Each hex by most of its people to shelter; victims come first."),
    "o_saved":          ("menacées, sauvées à temps", "threatened, saved in time"),
    "o_late":           ("menacées, à l'abri trop tard", "threatened, sheltered too late"),
    "o_left":           ("menacées, restées ou coupées", "threatened, left or cut off"),
    "o_victims":        ("des victimes", "victims"),
    "o_not_needed":     ("jamais menacées, déplacées", "never threatened, moved"),
    "ways_table":       ("Jouer autrement, sur le même orage et les mêmes dés", "Played otherwise, on the same storm and dice"),
    "teams_table":      ("Les équipes sur le même orage", "The teams on the same storm"),
    "fill_in":          ("À remplir par l'animateur avec l'équipe.", "For the instructor to fill in with the team."),
    "signed":           ("Nom, date, signature :", "Name, date, signature:"),
    "keep_1":           ("Qu'avons-nous décidé assez tôt, et qu'est-ce qui nous l'a permis ?",
                         "What did we decide early enough, and what allowed it?"),
    "keep_2":           ("Quelle information avons-nous cherchée, et qui nous a été utile ?",
                         "Which information did we go and look for, that proved useful?"),
    "keep_3":           ("Qu'est-ce qui a bien marché entre nous : parole, rôles, comptes rendus ?",
                         "What worked well among us: speech, roles, reports?"),
    "improve_1":        ("À quel moment en savions-nous assez pour décider, et qu'attendions-nous encore ?",
                         "When did we know enough to decide, and what were we still waiting for?"),
    "improve_2":        ("Qui avons-nous alerté pour rien, et qui n'avons-nous pas alerté : qu'aurait-il fallu savoir ?",
                         "Whom did we alert for nothing, whom did we not alert: what would we have had to know?"),
    "improve_3":        ("Quel moyen a manqué, ou est resté sans emploi ?", "Which means was short, or lay idle?"),
    "improve_4":        ("Que changerons-nous dans le plan, la formation ou l'équipement ? Qui, pour quand ?",
                         "What shall we change in plan, training or equipment? Who, by when?"),
    "alt_map":          ("Carte du district", "Map of the district"),
    "alt_chart":        ("Diagramme", "Chart"),
})
# fmt: on


def report_say(key: str, lang: str, **values: Any) -> str:
    """Return a text of the report, filled in; values are text, never templates.

    >>> report_say("first_cuts", "en", n=1)
    '1 hex loses its last way on foot to a dry shelter'
    """
    return filled(unfilled_report(key, lang), lang, **values)


def unfilled_report(key: str, lang: str) -> str:
    """Return a text of the report with its fields as they stand."""
    return spaced(_WORDS[key][LANGUAGES.index(lang)], lang)


def report_texts() -> tuple[str, ...]:
    """Return the keys of every text."""
    return tuple(_WORDS)
