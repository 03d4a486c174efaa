"""What the pictures of a storm's water say, in French and in English."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from gis.wording import filled, spaced
from sim.errors import ExerciseError

LANGUAGES = ("fr", "en")

# fmt: off
# key           fr, en
_WORDS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "title":    ("L'eau, tour par tour", "The water, turn by turn"),
    "secret":   ("Pour l'animateur : ne pas montrer avant la fin de l'exercice.",
                 "The instructor's: not to be shown before the exercise ends."),
    "not_a_map": ("Terrain d'exercice : ce n'est pas une carte des inondations.",
                  "Exercise ground, not a flood map."),
    "level":    ("Niveau {level} : {stands_for}", "Level {level}: {stands_for}"),
    "turn":     ("tour {turn}", "turn {turn}"),
    "play":     ("Lancer", "Play"),
    "pause":    ("Pause", "Pause"),
    "slider":   ("Tour", "Turn"),
    "depth":    ("Hauteur d'eau", "Depth of water"),
    "under":    ("{low:,} à {high:,} cm", "{low:,} to {high:,} cm"),
    "over":     ("plus de {low:,} cm", "over {low:,} cm"),
    "class":    ("classe {n} : {name}", "class {n}: {name}"),
    "open_water": ("Rivière, lac ou mer", "River, lake or sea"),
    "shelter":  ("Abri", "Shelter"),
    "sheet":    ("Bord de la planche", "Edge of the sheet"),
    "pixels":   ("Pixels de {n:,} m", "Pixels of {n:,} m"),
    "alt":      ("Carte de l'eau au tour affiché", "Map of the water at the turn shown"),
    "balance":  ("Où va la pluie", "Where the rain goes"),
    "balance_alt": ("Pluie efficace par tour, eau au sol et eau écoulée",
                    "Effective rain by turn, water on the ground and water gone"),
    "balance_lead": (("Pluie efficace : ce que le sol et le réseau laissent ruisseler. À tout "
                      "moment, eau venue = eau au sol + eau écoulée, {error}."),
                     ("Effective rain: what ground and drains leave to run off. At every moment, "
                      "water come = water on the ground + water gone, {error}.")),
    "closes":   ("à un millionième près", "to a millionth of it"),
    "gap":      ("à {parts:,} millionièmes près", "to {parts:,} millionths of it"),
    "sums":     ("Depuis le début", "Since the start"),
    "rain":     ("Pluie efficace par tour", "Effective rain by turn"),
    "come":     ("eau venue", "water come"),
    "stored":   ("au sol", "on the ground"),
    "out":      ("écoulée : rivières, lacs, mer, bord de la planche",
                 "gone: rivers, lakes, sea, edge of the sheet"),
    "unit":     ("milliers de m³", "thousand m³"),
    "turns":    ("tour", "turn"),
})
# fmt: on


def checked_language(lang: str) -> str:
    """Return a language that the pictures speak.

    Raises
    ------
    ExerciseError
        If they do not.
    """
    if lang not in LANGUAGES:
        raise ExerciseError(f"no pictures in language {lang!r}: choose {' or '.join(LANGUAGES)}")
    return lang


def say(key: str, lang: str, **values: Any) -> str:
    """Text of a key, filled in."""
    return spaced(filled(_WORDS[key][LANGUAGES.index(lang)], lang, **values), lang)
