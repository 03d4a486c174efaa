"""The printed tables of the rule book, one object each, rows in printed order.

Section numbers (§) are those of the rule book; ``docs/rules.md`` records every departure.
A figure of the rules stands here and nowhere else.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from fractions import Fraction
from math import sqrt
from types import MappingProxyType

RULES_VERSION = "1.2"

TURN_MIN = 10
"""Length of a turn, minutes (preamble)."""
TURNS = 30
"""Turns of an exercise unless the scenario changes it (§18)."""

# --------------------------------------------------------------------------- §1 Grid
HEX_WIDTH_M = 260.0
"""Distance between the centres of two neighbours, across flats (§1.1)."""
HEX_SIDE_M = HEX_WIDTH_M / sqrt(3)
HEX_AREA_HA = HEX_WIDTH_M**2 * sqrt(3) / 2 / 10_000
SHEET_COLUMNS = 44
SHEET_ROWS = 28
SHEET_ACTIVE = 968
"""Active hexes of the reference sheet (§1.2)."""


# --------------------------------------------------------------------------- §2 Fabric
class Fabric(IntEnum):
    """Urban fabric (*tissu*) of a hex (§2), in printed order."""

    OLD_TOWN = 0
    SLAB_BLOCKS = 1
    TOWER_COMPOUND = 2
    COMMERCIAL = 3
    INDUSTRIAL = 4
    URBAN_VILLAGE = 5
    PARK = 6
    FARMLAND = 7


@dataclass(frozen=True, slots=True)
class FabricRow:
    """One row of §2, for a hex wholly of that fabric."""

    residents_per_ha: int
    unshelterable: Fraction  # share of residents who cannot be safe upstairs
    runoff: float  # share of rain that runs off
    retention: float  # lumped overland roughness n, s·m^(-1/3) (§2.2)
    network_mm_h: int  # taken by the drains before it ponds; a park has none: 0
    label_fr: str
    label_en: str


def _percent(whole: int) -> Fraction:
    return Fraction(whole, 100)


# fmt: off
# §2 Urban fabric, region "harbin"          hab/ha  unshelterable  runoff  retention  network
HARBIN: Mapping[Fabric, FabricRow] = MappingProxyType({
    Fabric.OLD_TOWN:       FabricRow(   180, _percent(30),   0.88,      0.10,      15, "Vieille ville russe", "Old Russian town"),
    Fabric.SLAB_BLOCKS:    FabricRow(   200, _percent(10),   0.80,      0.13,      22, "Cité d'usine (danwei)", "Danwei slab blocks"),
    Fabric.TOWER_COMPOUND: FabricRow(   250, _percent( 4),   0.72,      0.15,      30, "Résidence close de tours", "Tower compound"),
    Fabric.COMMERCIAL:     FabricRow(    90, _percent(25),   0.92,      0.08,      25, "Commercial / gare", "Commercial / station"),
    Fabric.INDUSTRIAL:     FabricRow(    15, _percent(15),   0.90,      0.12,      18, "Industriel", "Industrial"),
    Fabric.URBAN_VILLAGE:  FabricRow(   220, _percent(65),   0.70,      0.18,       6, "Village urbain", "Urban village"),
    Fabric.PARK:           FabricRow(     3, _percent( 0),   0.20,      0.45,       0, "Parc", "Park"),
    Fabric.FARMLAND:       FabricRow(    10, _percent(45),   0.30,      0.30,       4, "Agricole", "Farmland"),
})
# §2.1 Urban fabric, region "france"        hab/ha  unshelterable  runoff  retention  network
FRANCE: Mapping[Fabric, FabricRow] = MappingProxyType({
    Fabric.OLD_TOWN:       FabricRow(   160, _percent(10),   0.85,      0.10,      23, "Centre ancien", "Old centre"),
    Fabric.SLAB_BLOCKS:    FabricRow(   140, _percent( 8),   0.60,      0.15,      12, "Grand ensemble", "Large housing estate"),
    Fabric.TOWER_COMPOUND: FabricRow(   200, _percent( 4),   0.65,      0.14,      13, "Résidence de tours", "Tower residence"),
    Fabric.COMMERCIAL:     FabricRow(    60, _percent(12),   0.90,      0.08,      24, "Commercial / gare", "Commercial / station"),
    Fabric.INDUSTRIAL:     FabricRow(     5, _percent(15),   0.80,      0.11,      22, "Zone d'activités", "Business and industrial park"),
    Fabric.URBAN_VILLAGE:  FabricRow(    60, _percent(18),   0.50,      0.20,      10, "Pavillonnaire dense / faubourg", "Dense suburb / faubourg"),
    Fabric.PARK:           FabricRow(     3, _percent( 0),   0.20,      0.40,       0, "Parc", "Park"),
    Fabric.FARMLAND:       FabricRow(     5, _percent(30),   0.30,      0.25,       5, "Agricole", "Farmland"),
})
# fmt: on
REGIONS: Mapping[str, Mapping[Fabric, FabricRow]] = MappingProxyType(
    {"harbin": HARBIN, "france": FRANCE}
)
"""Fabric tables by region (§2.1); a district names the one that it uses."""
ASSUMPTION = "Assumption: "
"""How the source of a column begins that rests on no publication."""
FABRIC_SOURCES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "harbin": MappingProxyType(
            dict.fromkeys(
                ("residents_per_ha", "unshelterable", "runoff", "retention", "network_mm_h"),
                "Rule book §2",
            )
        ),
        "france": MappingProxyType(
            {
                "residents_per_ha": (
                    "Dwellings a hectare by urban form, streets left out: AUCAME, « Qu'en "
                    "savons-nous ? » n° 2, « La notion de densité », January 2008 (houses 5 to 20, "
                    "town houses 25 to 40, grands ensembles 50 to 110, apartment plots 110 to 150, "
                    "town-centre buildings 160 to 200), times 2.16 persons a dwelling (Insee, 2021 "
                    "census). Old centres mix town houses and town-centre buildings, faubourgs "
                    "houses and town houses; a fifth to a third is taken off for streets. For "
                    "comparison, the most densely built districts of Lyon hold 243 a hectare, "
                    "streets included (142,577 on 586 ha, datalyon.denoux.eu). Assumption: "
                    "commercial, industrial, park and farmland."
                ),
                "unshelterable": (
                    ASSUMPTION + "no published share by urban form was found. It grows with "
                    "houses of one storey and falls with flats; as a whole near the 11 % of §8.1."
                ),
                "runoff": (
                    "Within the ranges of the rational method that US and French practice share "
                    "(ASCE, as given by the University of Illinois, TSM 352: downtown 0.70 to "
                    "0.95, apartments and attached units 0.50 to 0.75, single houses 0.30 to 0.50, "
                    "light industry 0.50 to 0.80, parks 0.10 to 0.25; SIDESA: residential areas "
                    "0.30 to 0.50, meadows and fields 0.20, woods 0.10). Farmland above these, "
                    "for the 10-year storm on flat loam (0.30 to 0.50, lycée Chérioux, course on "
                    "drainage)."
                ),
                "retention": (
                    ASSUMPTION + "no published figure for a whole urban form was found. Held "
                    "within the published range for overland flow: 0.011 (pavement), 0.05 to 0.17 "
                    "(bare and cultivated soil), 0.15 to 0.24 (grass), 0.40 to 0.80 (woods) in "
                    "TR-55 (USDA, 1986, table 3-1) and FHWA HEC-22 (2002); towns above their "
                    "pavement, for walls, yards and kerbs (§2.2)."
                ),
                "network_mm_h": (
                    "Runoff times the rain of the region's law over one hour, at the return period "
                    "for which NF EN 752-2 wants no surcharge: 1 year in the country, 2 years in "
                    "residential areas, 5 years in centres, commerce and industry "
                    "(hqe.guidenr.fr). Assumption: one hour, and that networks are what the "
                    "standard asks; many French ones were designed for 10 years, older ones for "
                    "less."
                ),
            }
        ),
    }
)
"""Where the figures of a region's table come from, by region and column of ``FabricRow``."""


# --------------------------------------------------------------------------- §3 Links
class LinkClass(IntEnum):
    """Road class of a link (*liaison*), carried by a shared edge (§3.1)."""

    NONE = 0
    LOCAL = 1
    SECONDARY = 2
    PRIMARY = 3
    EXPRESSWAY = 4


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One row of §3.1."""

    cost: int | None  # points for a vehicle on dry ground; None is forbidden
    reference_count: int  # on the reference sheet
    label_fr: str
    label_en: str


# fmt: off
# §3.1 Links                          cost  count
LINKS: Mapping[LinkClass, LinkRow] = MappingProxyType({
    LinkClass.EXPRESSWAY: LinkRow(    1,     39, "Voie rapide", "Expressway"),
    LinkClass.PRIMARY:    LinkRow(    1,    206, "Axe primaire", "Primary road"),
    LinkClass.SECONDARY:  LinkRow(    2,    311, "Artère secondaire", "Secondary road"),
    LinkClass.LOCAL:      LinkRow(    3,  2_127, "Rue locale", "Local street"),
    LinkClass.NONE:       LinkRow( None,    870, "Aucune", "None"),
})
# fmt: on


class Structure(IntEnum):
    """Structure (*ouvrage*) that carries a link (§3.3)."""

    ROAD = 0
    BRIDGE = 1
    UNDERPASS = 2


# §3.3 depth seen by a link = factor × depth of its hex; tenths, so that states stay whole
DEPTH_FACTOR_TENTHS: Mapping[Structure, int] = MappingProxyType(
    {Structure.ROAD: 10, Structure.BRIDGE: 4, Structure.UNDERPASS: 35}
)


# --------------------------------------------------------------------------- §4 Water
class Water(IntEnum):
    """Class of a depth (*lame*) of water (§4)."""

    FREE = 0
    SLOWED = 1
    BLOCKING = 2
    NAUTICAL = 3
    HOSTILE = 4


@dataclass(frozen=True, slots=True)
class WaterRow:
    """One row of §4."""

    from_mm: int  # the bound belongs to the deeper class (§4.1)
    surcharge: int | None  # points added for a vehicle; None is closed to it
    pedestrians: bool
    label_fr: str
    label_en: str


# fmt: off
# §4 Water classes          from mm  surcharge  on foot
WATERS: Mapping[Water, WaterRow] = MappingProxyType({
    Water.FREE:     WaterRow(     0,         0, True,  "libre", "free"),
    Water.SLOWED:   WaterRow(   150,         2, True,  "ralenti", "slowed"),
    Water.BLOCKING: WaterRow(   300,         6, False, "bloquant", "blocking"),
    Water.NAUTICAL: WaterRow(   500,      None, False, "nautique", "boats only"),
    Water.HOSTILE:  WaterRow(   701,      None, False, "hostile", "hostile"),  # 70.0 cm is class 3
})
# fmt: on


class Mode(Enum):
    """Who uses a link (§4)."""

    FOOT = "foot"
    VEHICLE = "vehicle"
    BOAT = "boat"


# --------------------------------------------------------------------------- §5 Services
class UnitKind(Enum):
    """A kind of numbered unit, by the first word of its name (§5)."""

    PATROL = "patrol"
    PUMP = "pump"
    BOAT = "boat"


@dataclass(frozen=True, slots=True)
class UnitRow:
    """One row of §5, for the units that move."""

    reference_count: int  # for the reference number of inhabitants (§5.2)
    least: int  # whatever the number of inhabitants (§5.2)
    mobility: int  # points of movement a turn; a boat's are those of its towing
    label_fr: str
    label_en: str


# fmt: off
# §5, 5.1, 5.2                    count  least  mobility
UNITS: Mapping[UnitKind, UnitRow] = MappingProxyType({
    UnitKind.PATROL: UnitRow(        10,     4,       35, "Patrouille", "Patrol"),
    UnitKind.PUMP:   UnitRow(         6,     2,       18, "Motopompe", "Pump truck"),
    UnitKind.BOAT:   UnitRow(         4,     2,       18, "Bateau", "Boat"),
})
# fmt: on
BOAT_MOBILITY = 12
"""Hexes a turn of a boat afloat, over water of class ≥ 3 (§5.1)."""
STATIONS = 12
SHELTERS = 18
SHELTER_PLACES = 1_800
POLICE_STATIONS = 3
TECHNICAL_CENTRES = 2
REFERENCE_INHABITANTS = 422_100
"""Inhabitants for which the counts above stand (§5.2)."""


@dataclass(frozen=True, slots=True)
class Means:
    """How many of each means in place a district has (§5.2)."""

    shelters: int
    stations: int
    police_stations: int
    technical_centres: int


# §5.2 scaled with the active population, never below
LEAST_MEANS = Means(shelters=6, stations=6, police_stations=1, technical_centres=1)


# --------------------------------------------------------------------------- §6 Knowledge
PATROL_SIGHT, NIGHT_PATROL_SIGHT = 1, 0
"""Hexes around its own that a patrol sees, by day and by night (§6)."""
REPORT_DELAY_TURNS = 2
"""Turns between what residents see and what the centre hears (§6)."""
REPORT_FROM_CLASS = 1
REPORT_WRONG_ONE_IN = 3
"""A report is off by one class, either way, one time in so many (§6)."""
REPORT_SURE_RESIDENTS = 1_000
"""Residents from which a wet hex is sure to report by day (§6.1)."""
NIGHT_REPORT_DIVISOR = 2
LEVELS = (1, 2, 3, 5)
"""Return periods among which the storm's is drawn in secret, years (§6.2)."""


@dataclass(frozen=True, slots=True)
class BulletinRow:
    """How many neighbouring levels the bulletin leaves open from a turn on (§6.2)."""

    from_turn: int
    levels_open: int


BULLETIN = (BulletinRow(1, 4), BulletinRow(4, 3), BulletinRow(6, 2), BulletinRow(8, 1))


# --------------------------------------------------------------------------- §7 Storm
LADDER_NAMES = ("literal", "failed-drains")
"""What the levels may stand for: rain alone, or rain on soaked ground, drains blocked (§7.6)."""
STORM_MIN = 300
"""Length of the storm, minutes (§7.1)."""
STORM_PEAK_TURN = 14
"""The turn in which the rain peaks (§7.1)."""
ROAD_SHARE_UNDER = 0.10
"""A hex's depth is the one exceeded on this share of its road surface (§7.4)."""


# --------------------------------------------------------------------------- §8 Situation
@dataclass(frozen=True, slots=True)
class HourRow:
    """One row of §8.2–8.3."""

    mobile_percent: int  # share m of the shelterable who stand on the road, sheltered nowhere
    reference_to_shelter: int  # people to shelter on the reference sheet (§8.2)
    night_from_turn: int | None  # None: day throughout
    label_fr: str
    label_en: str


WEEKEND_MOBILE_DIVISOR = 2
WEEKEND_HALVED_HOURS = (8, 18)
"""The mobile share halves at the weekend (§8.5)."""
WEEKEND_COMMERCIAL_PERCENT = 50
WEEKEND_COMMERCIAL_HOUR = 14
"""At the weekend commercial hexes hold so much more (§8.5)."""


# fmt: off
# §8.2–8.3                m %   to shelter  night from turn
HOURS: Mapping[int, HourRow] = MappingProxyType({
    3:  HourRow(           0,      48_100,       1,    "3 h, nuit", "03:00, night"),
    14: HourRow(           8,      78_200,       None, "14 h", "14:00"),
    8:  HourRow(          20,     122_900,       None, "8 h, pointe", "08:00, peak"),
    18: HourRow(          15,     104_200,       7,    "18 h, pointe", "18:00, peak"),
})
# fmt: on


# --------------------------------------------------------------------------- §9 Orders
@dataclass(frozen=True, slots=True)
class StaffingRow:
    """One row of §9.1."""

    from_turn: int
    orders: int  # a turn
    brush_radius: int  # the brush is a disk: 7, 19 or 37 hexes
    label_fr: str
    label_en: str


# fmt: off
# §9.1 Staffing   from turn  orders  brush radius
STAFFING = (
    StaffingRow(          1,      3,            1, "Cadre d'astreinte", "Duty officer alone"),
    StaffingRow(          3,      5,            2, "Cellule de veille", "Watch cell"),
    StaffingRow(          5,      8,            3, "CO partiel", "Partly staffed"),
    StaffingRow(          7,     12,            3, "CO complet", "Full operations centre"),
)
# fmt: on

FORECAST_BRUSH_RADIUS = 3


class Confidence(Enum):
    """How sure a painted hex is, by choice (§12.4)."""

    SURE = "sure"
    LIKELY = "likely"
    POSSIBLE = "possible"


@dataclass(frozen=True, slots=True)
class ConfidenceRow:
    """What a confidence stands for."""

    percent: int  # chance that the Brier score reads in it (§12.4)
    label_fr: str
    label_en: str


CONFIDENCES: Mapping[Confidence, ConfidenceRow] = MappingProxyType(
    {
        Confidence.SURE: ConfidenceRow(95, "sûr", "sure"),
        Confidence.LIKELY: ConfidenceRow(70, "probable", "likely"),
        Confidence.POSSIBLE: ConfidenceRow(40, "possible", "possible"),
    }
)


class Action(Enum):
    """What a unit may do on a link, which ties it up (§9.2)."""

    PUMP = "pump"
    FOOTBRIDGE = "footbridge"
    CLEAR = "clear"
    RESERVE = "reserve"


@dataclass(frozen=True, slots=True)
class ActionRow:
    """One row of §9.2."""

    set_up_turns: int  # after the travel
    units: tuple[UnitKind, ...]  # kinds that can do it
    label_fr: str
    label_en: str


# fmt: off
# §9.2 Link actions                  set-up  by
ACTIONS: Mapping[Action, ActionRow] = MappingProxyType({
    Action.PUMP:       ActionRow(         1, (UnitKind.PUMP,), "Pomper", "Pump"),
    Action.FOOTBRIDGE: ActionRow(         2, (UnitKind.PUMP,), "Poser une passerelle", "Lay a footbridge"),
    Action.CLEAR:      ActionRow(         2, (UnitKind.PUMP, UnitKind.PATROL), "Dégager la chaussée", "Clear the road"),
    Action.RESERVE:    ActionRow(         1, (UnitKind.PATROL,), "Réserver un axe", "Reserve an axis"),
})
# fmt: on
PUMPED_MM = 180
"""A pump at work lowers the depth that its link sees by 18 cm (§3.4, 9.2)."""
FOOTBRIDGE_CAPACITY = 200
"""People a turn on a footbridge (§9.2, 10.3)."""
RESERVED_LINKS = 8
"""Longest chain of links that one patrol reserves (§9.2)."""
OBSTRUCTED_SURCHARGE = 2
"""Points that a vehicle pays on a link not cleared (§9.2)."""
OBSTRUCTED_CAPACITY_DIVISOR = 2
"""A link not cleared carries half its walkers (§9.2)."""


class AlertMeans(Enum):
    """Means of an alert (§9.4)."""

    SIREN = "siren"
    CELL_BROADCAST = "cell_broadcast"
    RADIO = "radio"
    DOOR_TO_DOOR = "door_to_door"
    WORD_OF_MOUTH = "word_of_mouth"


@dataclass(frozen=True, slots=True)
class AlertRow:
    """One row of §9.4; ``success`` is the least sum of two dice, None is automatic."""

    success: int | None
    label_fr: str
    label_en: str


# fmt: off
# §9.4 Alert                           2d6 from
ALERTS: Mapping[AlertMeans, AlertRow] = MappingProxyType({
    AlertMeans.SIREN:          AlertRow(      4, "Sirène + diffusion cellulaire", "Siren + cell broadcast"),
    AlertMeans.CELL_BROADCAST: AlertRow(      6, "Diffusion cellulaire seule", "Cell broadcast alone"),
    AlertMeans.RADIO:          AlertRow(      8, "Radio ou télévision", "Radio or television"),
    AlertMeans.DOOR_TO_DOOR:   AlertRow(   None, "Porte à porte", "Door to door"),
    AlertMeans.WORD_OF_MOUTH:  AlertRow(     11, "Bouche à oreille", "Word of mouth"),
})
# fmt: on
SIREN_QUARTERS = 6
"""Quarters of the reference sheet that have sirens (§9.4)."""
PREPARATION_SUCCESS = 6
"""Least sum of two dice for a quarter that is ready (§9.4)."""
PREPARATION_DELAY_TURNS = 2
NIGHT_ROLL = -2
"""Added to alert and preparation rolls by night (§9.4, 10.4)."""


class Protection(Enum):
    """How the people of a quarter are protected (§9.3)."""

    SHELTER = "shelter"
    UP = "up"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class ProtectionRow:
    """One row of §9.3."""

    label_fr: str
    label_en: str


PROTECTIONS: Mapping[Protection, ProtectionRow] = MappingProxyType(
    {
        Protection.UP: ProtectionRow("Monter", "Go up"),
        Protection.SHELTER: ProtectionRow("Abri local", "Local shelter"),
        Protection.OUT: ProtectionRow("Hors zone", "Out of the area"),
    }
)
FOLLOWERS_PERCENT = 10
"""Share of the shelterable who follow those to shelter (§9.3)."""
OUT_COUNTER_BASE = 4
OUT_HEXES_A_TURN = 3
"""Buses: a counter is 4 + ⌈distance to the rim / 3⌉ (§9.3)."""
OUT_VEHICLES = 3
"""Vehicles that must stand on the quarter while its buses run (§9.3)."""


class Channel(Enum):
    """What a team learns by (§6, 6.0); each is heard by a service (§9.7)."""

    PATROL = "patrol"
    PUMP = "pump"
    STATION = "station"
    REPORTS = "reports"
    ALERTS = "alerts"
    ARRIVALS = "arrivals"


class Seat(Enum):
    """Who sits in the centre, where several share it: the director and five services (§9.7)."""

    DIRECTOR = "director"
    COMMUNICATION = "communication"
    PUBLIC_ORDER = "public_order"
    TECHNICAL = "technical"
    SANITATION = "sanitation"
    SHELTERING = "sheltering"


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One row of §9.7."""

    orders: tuple[str, ...]  # kinds of order that are the service's, by their name in files
    moves: tuple[UnitKind, ...]  # units that are the service's (§5): it alone sends them
    channels: tuple[Channel, ...]  # what it hears itself; the rest is on the shared map
    label_fr: str
    label_en: str


# fmt: off
# §9.7 Seats                        orders | units | hears
SEATS: Mapping[Seat, SeatRow] = MappingProxyType({
    Seat.DIRECTOR:      SeatRow(("answer",), (), tuple(Channel), "Directeur", "Director"),
    Seat.COMMUNICATION: SeatRow(("alert",), (), (Channel.REPORTS, Channel.ALERTS), "Communication", "Communication"),
    Seat.PUBLIC_ORDER:  SeatRow(("door_to_door", "reserve"), (UnitKind.PATROL,), (Channel.PATROL,), "Ordre public", "Public order"),
    Seat.TECHNICAL:     SeatRow(("pump", "footbridge", "clear", "deliver"), (UnitKind.PUMP, UnitKind.BOAT), (Channel.PUMP,), "Technique", "Technical service"),
    Seat.SANITATION:    SeatRow((), (), (Channel.STATION,), "Assainissement", "Sanitation"),
    Seat.SHELTERING:    SeatRow(("protect", "close_shelter", "open_shelter"), (), (Channel.ARRIVALS,), "Hébergement", "Sheltering"),
})
# fmt: on
EVERY_SEAT_ORDERS = ("forecast", "withdraw")
"""Orders that any seat gives; it withdraws its own alone (§9.7)."""


# --------------------------------------------------------------------------- §10 Evacuation
COUNTER_BASE = 3
"""A counter is 3 + distance to the shelter, in turns (§10.1)."""
COUNTER_STEP = 100
"""Hundredths a counter advances in a turn (§10.3)."""
PATROL_FACTOR = 2
"""+2 a turn with a patrol on the hex (§10.1)."""
NIGHT_STEP_PERCENT = 60
"""Counters advance at 60 % by night (§10.4)."""
NIGHT_SLOWED_EXTRA = 1
"""Each class-1 link on the route adds 1 to a counter by night (§10.4)."""
# §10.3 people that a link carries in a turn, both directions
FOOT_CAPACITY: Mapping[LinkClass, int] = MappingProxyType(
    {
        LinkClass.EXPRESSWAY: 2_400,
        LinkClass.PRIMARY: 2_400,
        LinkClass.SECONDARY: 1_200,
        LinkClass.LOCAL: 600,
    }
)
LOSS_SUCCESS = 9
"""Least sum of two dice for a loss in a quarter with hexes in class 4 (§10.5)."""
LOSS_PERCENT = 5
NIGHT_LOSS_NUMERATOR, NIGHT_LOSS_DENOMINATOR = 3, 2
"""The loss rate is × 1.5 by night (§10.4)."""


# --------------------------------------------------------------------------- §11 Isolation
ISOLATION_RESERVE_POINTS = 2
"""Reserve of a quarter at the start (§11)."""
ISOLATION_PERIOD_TURNS = 6
ISOLATION_PEOPLE_A_POINT = 1_000
ISOLATION_LOSS_PERCENT = 1
"""Share of the isolated lost when their need is not met, at least one of them (§11)."""


# --------------------------------------------------------------------------- §12 Score
POINTS_SAVED = 2
POINTS_MISUSED = -1
POINTS_VICTIM = -4
POINTS_CAPITAL = 150
CAPITAL_START = 60
"""Political capital, of 100 (§12.3)."""
CAPITAL_WARNING_PERCENT = 15
"""Of an exercise's maximum: beyond it political capital weighs too much in the score (§12.3)."""


# --------------------------------------------------------------------------- §13 Cards
class Card(Enum):
    """A card of the nine (§13.1)."""

    ACCIDENT = "accident"
    ROADWORKS = "roadworks"
    JAM = "jam"
    COUNTER_CURRENT = "counter_current"
    STAMPEDE = "stampede"
    POWER_CUT = "power_cut"
    RUMOUR = "rumour"
    REINFORCEMENT = "reinforcement"
    INJUNCTION = "injunction"


@dataclass(frozen=True, slots=True)
class CardRow:
    """One row of §13.1; ``lasts_turns`` is None at once or for good."""

    lasts_turns: int | None
    label_fr: str
    label_en: str


# fmt: off
# §13.1 Cards                        lasts
CARDS: Mapping[Card, CardRow] = MappingProxyType({
    Card.ACCIDENT:        CardRow(       4, "Accident sur un axe", "Accident on a road"),
    Card.ROADWORKS:       CardRow(    None, "Travaux non signalés", "Unmarked roadworks"),
    Card.JAM:             CardRow(       6, "Embouteillage", "Traffic jam"),
    Card.COUNTER_CURRENT: CardRow(    None, "Mouvement à contre-courant", "Counter-current"),
    Card.STAMPEDE:        CardRow(       4, "Bousculade à un abri", "Crush at a shelter"),
    Card.POWER_CUT:       CardRow(       8, "Coupure électrique", "Power cut"),
    Card.RUMOUR:          CardRow(    None, "Rumeur", "Rumour"),
    Card.REINFORCEMENT:   CardRow(    None, "Renfort inattendu", "Unexpected reinforcement"),
    Card.INJUNCTION:      CardRow(    None, "Injonction politique", "Political injunction"),
})
# fmt: on
CARD_FROM_TURN = 3
CARD_ONE_TURN_IN = 5
"""A card is drawn in one turn out of so many (§13.1)."""
CARD_RADIUS = 1
"""A jam and a power cut cover 7 hexes (§13.1)."""
JAM_FACTOR = 3
"""What a jam multiplies the cost of a link by, for vehicles (§13.1)."""
COUNTER_CURRENT_TURNS = 2
"""Turns that an alerted quarter goes back (§13.1)."""
COUNTER_CURRENT_HOURS = (8, 14)
"""Hours at which the counter-current is twice as likely (§8.5)."""
RUMOUR_HEXES = 4
"""Hexes of a dry quarter that a rumour speaks of (§13.1)."""
REINFORCEMENT_PATROLS = 2
PUBLIC_CARDS = (Card.ACCIDENT, Card.JAM, Card.POWER_CUT)
"""Cards that a whole town hears of, whatever its centre does (§6.4, 13.1)."""
VISIBLE_FABRICS = (Fabric.OLD_TOWN, Fabric.COMMERCIAL, Fabric.URBAN_VILLAGE)
"""Fabrics of the sectors that the prefecture sees: old town, station, urban village (§13.2)."""
CAPITAL_REFUSED = -25
CAPITAL_REFUSED_RIGHTLY = 40
"""At the end, when the quarter was not threatened (§13.2)."""


# --------------------------------------------------------------------------- §14 Timer
class Timer(Enum):
    """How long a turn may take, in real time (§14)."""

    OFF = "off"
    COMFORTABLE = "comfortable"
    TENSE = "tense"
    REFLEX = "reflex"


@dataclass(frozen=True, slots=True)
class TimerRow:
    """One row of §14."""

    seconds: int  # for the orders of a turn; 0: as long as it takes
    label_fr: str
    label_en: str


# fmt: off
# §14 Timer                     seconds
TIMERS: Mapping[Timer, TimerRow] = MappingProxyType({
    Timer.OFF:         TimerRow(      0, "Sans minuteur", "No timer"),
    Timer.COMFORTABLE: TimerRow(    120, "Confortable", "Comfortable"),
    Timer.TENSE:       TimerRow(     90, "Tendu", "Tense"),
    Timer.REFLEX:      TimerRow(     45, "Réflexe", "Reflex"),
})
# fmt: on


# --------------------------------------------------------------------------- §15 Season
CREDIBILITY_START = 7
CREDIBILITY_MOST = 10


@dataclass(frozen=True, slots=True)
class CredibilityRow:
    """What a credibility adds to alert and preparation rolls (§15.1)."""

    from_credibility: int
    modifier: int


CREDIBILITY = (
    CredibilityRow(0, -3),
    CredibilityRow(2, -2),
    CredibilityRow(4, -1),
    CredibilityRow(6, 0),
    CredibilityRow(9, 1),
)
