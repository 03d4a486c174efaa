"""What the printed sheet says, in French and in English; the rules' labels: ``sim.rules``."""

from collections.abc import Mapping
from types import MappingProxyType

from gis.wording import written
from sim.errors import ExerciseError

LANGUAGES = ("fr", "en")

# fmt: off
# key                fr, en
_WORDS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "sheet":          ("Planche de référence", "Reference sheet"),
    "size":           ("{columns} × {rows} hexagones de {width} m, dont {active} actifs",
                       "{columns} × {rows} hexes of {width} m, {active} of them active"),
    "people":         ("{residents} habitants, dont {unshelterable} ne peuvent s'abriter à l'étage",
                       "{residents} residents, of whom {unshelterable} cannot be safe upstairs"),
    "region":         ("Tissus : table {region}", "Fabrics: table {region}"),
    "scale":          ("Échelle 1 : {scale}", "Scale 1 : {scale}"),
    "north":          ("N", "N"),
    "numbering":      ("2314 : colonne 23, rangée 14", "2314: column 23, row 14"),
    "numbering_wide": ("023014 : colonne 23, rangée 14", "023014: column 23, row 14"),
    "manifest":       ("Empreinte du manifeste (SHA-256)", "Hash of the manifest (SHA-256)"),
    "alt_map":        ("Carte du district {name}", "Map of the district {name}"),
    # §2
    "fabric":         ("Tissu urbain", "Urban fabric"),
    "per_ha":         ("hab/ha", "res./ha"),
    "unshelterable":  ("à abriter", "to shelter"),
    "runoff":         ("ruissel.", "runoff"),
    "retention":      ("retenue", "held back"),
    "network":        ("réseau mm/h", "drains mm/h"),
    "none":           ("aucun", "none"),
    # §3
    "links":          ("Liaisons", "Links"),
    "cost":           ("coût", "cost"),
    "count":          ("nombre", "count"),
    "capacity":       ("piétons/tour", "walkers/turn"),
    "short_link":     ("Trait court : liaison qui en double deux autres autour d'un même coin.",
                       "Short stroke: a link that two others lead around, about one corner."),
    "forbidden":      ("interdit", "forbidden"),
    "foot_link":      ("Passage à pied seulement", "On foot only"),
    "bridge":         ("Pont : lame × {factor}", "Bridge: depth × {factor}"),
    "underpass":      ("Sous-passage : lame × {factor}", "Underpass: depth × {factor}"),
    "barrier":        ("Obstacle : rivière, rail, mur", "Barrier: river, rail, wall"),
    # §4
    "water":          ("Lame d'eau", "Water depth"),
    "depth":          ("lame", "depth"),
    "class":          ("classe", "class"),
    "vehicles":       ("véhicules", "vehicles"),
    "walkers":        ("piétons", "on foot"),
    "under":          ("< {high} cm", "< {high} cm"),
    "between":        ("{low} à {high} cm", "{low} to {high} cm"),
    "over":           ("> {low} cm", "> {low} cm"),
    "points":         ("+{points} points", "+{points} points"),
    "free":           ("libre", "free"),
    "closed":         ("fermé", "closed"),
    "open":           ("passent", "pass"),
    "stopped":        ("arrêtés", "stopped"),
    # §8.2
    "situation":      ("Situation initiale", "Initial situation"),
    "hour":           ("heure", "hour"),
    "to_shelter":     ("à abriter", "to shelter"),
    "cover":          ("couvert", "cover"),
    "changes":        ("ce qui change", "what changes"),
    "cover_note":     ("Couvert : {shelters} abris, {places} places, pour les personnes à abriter.",
                       "Cover: {shelters} shelters, {places} places, for the people to shelter."),
    "changes_3":      ("tous chez eux ; l'alerte porte mal ; une patrouille voit moins loin",
                       "all at home; alerts carry badly; a patrol sees less far"),
    "changes_14":     ("{mobile} % en route ; travailleurs groupés ; voirie dégagée",
                       "{mobile}% on the road; workers grouped at work; roads clear"),
    "changes_8":      ("{mobile} % en route, abritables nulle part ; enfants à l'école",
                       "{mobile}% on the road, shelterable nowhere; children at school"),
    "changes_18":     ("{mobile} % en route ; la nuit tombe au tour {night}",
                       "{mobile}% on the road; night falls in turn {night}"),
    # legend
    "legend":         ("Légende", "Legend"),
    "quarter_limit":  ("Limite et nom de quartier", "Quarter limit and name"),
    "inactive":       ("Hors zone active", "Outside the active area"),
    "inactive_green": ("Hors zone active (vert : bois, parcs)",
                       "Outside the active area (green: woods, parks)"),
    "open_water":     ("Eau libre", "Open water"),
    "rail":           ("Voie ferrée", "Railway"),
    "shelter":        ("Abri et son numéro ({n})", "Shelter and its number ({n})"),
    "station":        ("Station de mesure ({n})", "Measuring station ({n})"),
    "police":         ("Commissariat ({n})", "Police station ({n})"),
    "technical":      ("Centre technique ({n})", "Technical centre ({n})"),
    "shelters":       ("Abris", "Shelters"),
    "places":         ("places", "places"),
    "hex":            ("hex.", "hex"),
    "place_name":     ("lieu", "place"),
    # §7.7
    "sheet_rain":     ("Pluie sur la planche seulement.", "Rain on the sheet only."),
    # §7.8
    "not_a_map":      ("Terrain d'exercice : ce n'est pas une carte des inondations.",
                       "Exercise ground, not a flood map."),
    "ground":         (("Altitudes {step}, pixels de {native} m ramenés à {pixel} m, {pixels} par "
                        "hexagone ; un MNT mondial n'est juste qu'à plusieurs mètres près."),
                       ("Elevations {step}, pixels of {native} m brought to {pixel} m, {pixels} to "
                        "a hex; a global DEM is off by several metres.")),
    "step":           ("par pas de {n} m", "in steps of {n} m"),
    "no_step":        ("sans pas indiqué", "without a stated step"),
    # tiles
    "tiles":          ("Planche à assembler", "Sheet to tape together"),
    "how":            (("Imprimez sans mise à l'échelle (100 %). Sur chaque page, coupez au ras "
                        "des repères à gauche et en haut, posez-la sur la bande de {overlap} mm de "
                        "sa voisine, collez. Contrôle : un hexagone mesure {hex} mm entre deux "
                        "côtés opposés."),
                       ("Print at 100%, without fitting to the page. Trim every page along the "
                        "marks at its left and top, lay it on its neighbour's {overlap} mm band, "
                        "glue. Check: a hex measures {hex} mm between opposite sides.")),
    "assembly":       ("Plan d'assemblage : {count} pages A4",
                       "Assembly plan: {count} A4 pages"),
    "glue":           ("coller {tile} ici", "glue {tile} here"),
    "tables":         ("Tables et légende", "Tables and legend"),
})
# fmt: on


def words(lang: str) -> dict[str, str]:
    """Every text of a sheet in one language.

    Raises
    ------
    ExerciseError
        If the language is neither ``fr`` nor ``en``.
    """
    if lang not in LANGUAGES:
        raise ExerciseError(f"no sheet in language {lang!r}: choose {' or '.join(LANGUAGES)}")
    at = LANGUAGES.index(lang)
    return {key: pair[at] for key, pair in _WORDS.items()}


def number(value: float, lang: str, decimals: int = 0) -> str:
    """Write a figure as the language does.

    Examples
    --------
    >>> number(48100, "en"), number(0.88, "fr", 2)
    ('48,100', '0,88')
    """
    return written(value, lang, decimals)
