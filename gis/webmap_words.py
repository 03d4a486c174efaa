"""What a map says, in French and in English; the rules' own labels stand in ``sim.rules``."""

from collections.abc import Mapping
from types import MappingProxyType

from sim.district import District
from sim.errors import ExerciseError
from sim.rules import LINKS, WATERS, Fabric, LinkClass, Water

LANGUAGES = ("fr", "en")

# fmt: off
# key                fr, en
_WORDS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "district_title":   ("Carte du district", "District map"),
    "exercise_title":   ("Carte de l'exercice", "Exercise map"),
    "disclaimer":       ("Terrain d'exercice : ce n'est pas une carte des inondations",
                         "Exercise ground, not a flood map"),
    "sheet":            ("{columns} × {rows} hexagones de 260 m, {active} actifs",
                         "{columns} × {rows} hexes of 260 m, {active} active"),
    "map_label":        ("Carte. Flèches : hexagone voisin. + et - : zoom. Échap : fermer.",
                         "Map. Arrows: neighbouring hex. + and -: zoom. Escape: close."),
    "panel":            ("Couches et légende", "Layers and legend"),
    "layers":           ("Couches", "Layers"),
    "legend":           ("Légende", "Legend"),
    "hex_card":         ("Hexagone", "Hex"),
    "find":             ("Aller à l'hexagone", "Go to hex"),
    "find_button":      ("Voir", "Show"),
    "find_none":        ("Pas d'hexagone de ce numéro", "No hex of that number"),
    "card_empty":       ("Survolez ou touchez la carte pour lire un hexagone.",
                         "Point at or touch the map to read a hex."),
    "theme":            ("Mode nuit", "Night mode"),
    "print":            ("Imprimer", "Print"),
    "skip":             ("Aller à la carte", "Skip to the map"),
    "opacity":          ("Opacité : {layer}", "Opacity: {layer}"),
    "fabric":           ("Tissu urbain", "Urban fabric"),
    "density":          ("Densité à évacuer", "Density to evacuate"),
    "density_legend":   ("Personnes à mettre à l'abri, par hexagone", "People to shelter, per hex"),
    "water":            ("Eau", "Water"),
    "water_known":      ("Eau connue", "Known water"),
    "water_true":       ("Eau vraie", "True water"),
    "water_choice":     ("Quelle eau ?", "Which water?"),
    "known":            ("connue", "known"),
    "true":             ("vraie", "true"),
    "roads":            ("Voirie et ouvrages", "Roads and structures"),
    "relief":           ("Relief", "Relief"),
    "relief_choice":    ("Quel relief ?", "Which relief?"),
    "altitude":         ("altitude", "altitude"),
    "low_points":       ("points bas", "low points"),
    "forecast":         ("Pronostic", "Forecast"),
    "states":           ("Alertés et évacués", "Alerted and evacuated"),
    "units":            ("Unités", "Units"),
    "findings":         ("Bilan", "Findings"),
    "fillings":         ("Abris : places prises", "Shelters: places taken"),
    "goal":             ("Là où va une unité", "Where a unit is going"),
    "goal_barred":      ("Objectif hors d'atteinte", "Objective out of reach now"),
    "shelter_shut":     ("Abri fermé, bousculé ou sous l'eau",
                         "Shelter closed, crushed or under water"),
    "closed":           ("fermé par l'équipe", "closed by the team"),
    "crush":            ("fermé par une bousculade", "shut by a crush"),
    "wet":              ("sous l'eau, n'abrite plus", "under water, no shelter now"),
    "closed_short":     ("fermé", "closed"),
    "crush_short":      ("bousculade", "crush"),
    "wet_short":        ("eau", "water"),
    "chart_legend":     ("Barres au-dessus du curseur", "Bars over the slider"),
    "chart_bars":       ("Hexagones actifs sous l'eau, par classe",
                         "Active hexes under water, by class"),
    "chart_night":      ("Fond gris : nuit", "Grey ground: night"),
    "quarters":         ("Limites des quartiers", "Quarter limits"),
    "link_legend":      ("Liaisons", "Links"),
    "foot_link":        ("Passage à pied seulement", "On foot only"),
    "bridge":           ("Pont", "Bridge"),
    "underpass":        ("Passage souterrain", "Underpass"),
    "edge_legend":      ("Barres sur les côtés", "Bars on the edges"),
    "cut_foot":         ("Coupé aux piétons", "Cut to pedestrians"),
    "cut_all":          ("Coupé à tout véhicule", "Cut to every vehicle"),
    "barrier":          ("Obstacle permanent", "Permanent barrier"),
    "depth_legend":     ("Hauteur d'eau", "Water depth"),
    "unknown":          ("Jamais observé", "Never observed"),
    "unseen":           ("Sans observation depuis 5 tours", "No observation for 5 turns"),
    "aged":             ("Plus pâle : observation ancienne", "Paler: old observation"),
    "state_legend":     ("État des hexagones", "State of the hexes"),
    "alerted":          ("Alerté", "Alerted"),
    "evacuating":       ("Évacuation en cours", "Evacuating"),
    "evacuated":        ("Évacué", "Evacuated"),
    "ordered":          ("Alerte ordonnée ce tour", "Alert ordered this turn"),
    "forecast_outline": ("Pronostic du joueur", "Player's forecast"),
    "place_legend":     ("Lieux et moyens", "Places and means"),
    "shelter":          ("Abri, numéro et remplissage", "Shelter, number and filling"),
    "shelter_plain":    ("Abri et son numéro", "Shelter and its number"),
    "station":          ("Station de mesure", "Measuring station"),
    "police":           ("Commissariat", "Police station"),
    "technical":        ("Centre technique", "Technical centre"),
    "patrol":           ("Patrouille, motopompe P, bateau B", "Patrol, pump truck P, boat B"),
    "patrol_moving":    ("Unité en chemin", "Unit on its way"),
    "patrol_blocked":   ("Unité bloquée", "Unit blocked"),
    "low_point_legend": ("Eau retenue par le point bas", "Water held by the low point"),
    "quarter":          ("Quartier", "Quarter"),
    "quarter_limit":    ("Limite de quartier", "Quarter limit"),
    "residents":        ("Habitants", "Residents"),
    "to_shelter":       ("À mettre à l'abri", "To shelter"),
    "unshelterable":    ("Sans refuge à l'étage", "No refuge upstairs"),
    "elevation":        ("Altitude moyenne", "Mean altitude"),
    "low_point":        ("Point bas", "Low point"),
    "depth_true":       ("Eau vraie", "True water"),
    "depth_known":      ("Eau connue", "Known water"),
    "seen_now":         ("vu ce tour", "seen this turn"),
    "seen_last":        ("vu au tour précédent", "seen last turn"),
    "seen_ago":         ("vu il y a {n} tours", "seen {n} turns ago"),
    "progress":         ("{n} % du chemin", "{n} % of the way"),
    "sheltered":        ("À l'abri", "Sheltered"),
    "places":           ("{n} places", "{n} places"),
    "places_taken":     ("{taken} sur {n} places", "{taken} of {n} places"),
    "open_water":       ("Plan d'eau", "Open water"),
    "inactive":         ("hors zone active", "outside the active area"),
    "yes":              ("oui", "yes"),
    "no":               ("non", "no"),
    "units_here":       ("Unités", "Units"),
    "places_here":      ("Lieux", "Places"),
    "turn":             ("Tour", "Turn"),
    "turn_of":          ("Tour {t} sur {last}", "Turn {t} of {last}"),
    "start":            ("Situation initiale", "Initial situation"),
    "play":             ("Lecture", "Play"),
    "pause":            ("Pause", "Pause"),
    "back":             ("Tour précédent", "Previous turn"),
    "forward":          ("Tour suivant", "Next turn"),
    "night":            ("nuit", "night"),
    "day":              ("jour", "day"),
    "bulletin":         ("Bulletin", "Bulletin"),
    "timeline":         ("Hexagones actifs sous l'eau, par classe de hauteur et par tour",
                         "Active hexes under water, by depth class and turn"),
    "summary":          ("{wet} inondés · {cut} côtés coupés · {alerted} alertés · {done} évacués",
                         "{wet} wet · {cut} edges cut · {alerted} alerted · {done} evacuated"),
    "north":            ("Nord", "North"),
    "zoom_in":          ("Zoom avant", "Zoom in"),
    "zoom_out":         ("Zoom arrière", "Zoom out"),
    "whole":            ("Voir tout le district", "See the whole district"),
    "more_than":        ("plus de {n}", "over {n}"),
    "ground_error":     ("altitudes à quelques mètres près", "elevations to within a few metres"),
    "step":             ("par pas de {n} m", "in steps of {n} m"),
    "pixels":           ("{n} pixels par hexagone", "{n} pixels per hex"),
})
# fmt: on


def words(lang: str) -> dict[str, str]:
    """Every text of a map in one language.

    Raises
    ------
    ExerciseError
        If the language is neither ``fr`` nor ``en``.
    """
    if lang not in LANGUAGES:
        raise ExerciseError(f"no map in language {lang!r}: choose {' or '.join(LANGUAGES)}")
    at = LANGUAGES.index(lang)
    return {key: pair[at] for key, pair in _WORDS.items()}


def table_labels(district: District, lang: str) -> dict[str, list[str]]:
    """Labels of the rules' tables: fabrics, link classes and water classes, by number."""
    key = f"label_{lang}"
    return {
        "fabrics": [getattr(district.fabric_rows[f], key) for f in Fabric],
        "links": [getattr(LINKS[c], key) for c in sorted(LinkClass)],
        "waters": [getattr(WATERS[w], key) for w in sorted(Water)],
    }
