"""Colours, hatches and widths of the printed sheet, in colour and for a photocopier.

Widths and sizes are shares of a hex's width on paper, so that every scale looks alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from sim.rules import Fabric, LinkClass


@dataclass(frozen=True, slots=True)
class Hatch:
    """Parallel lines (by angle, degrees anticlockwise from east), or dots where none is given."""

    angles: tuple[int, ...]
    spacing: float
    width: float
    dash: str = ""


@dataclass(frozen=True, slots=True)
class Palette:
    """Inks of a sheet; an empty string draws nothing."""

    fabrics: tuple[str, ...]  # in Fabric order
    hatches: tuple[str, ...]
    photocopy: bool  # no shades: numbers stand on white, water is rippled
    paper: str
    mesh: str
    mesh_width: float
    green: str
    building: str
    water: str
    water_line: str
    street: str
    rail: str
    wall: str
    links: Mapping[LinkClass, str]
    expressway_core: str
    foot: str
    barrier: str
    barrier_core: str
    quarter: str
    shelter: str
    station: str
    police: str
    technical: str
    ink: str
    faded: str
    plan: str  # ground in play on the assembly plan, where hatches would run together
    plan_water: str


def _mix(colour: str, other: str, share: float) -> str:
    """Colour with a share of another in it, as #rrggbb."""
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


# the hues of the map on screen, in Fabric order
_HUES = (
    "#c4734f",
    "#e2b33f",
    "#7389ad",
    "#c583ad",
    "#85888c",
    "#eedb86",
    "#79a97f",
    "#c5d09a",
)
COLOUR = Palette(
    fabrics=tuple(
        _mix(h, "#ffffff", s) for h, s in zip(_HUES, (0.55,) * 5 + (0.4,) * 3, strict=True)
    ),
    hatches=tuple(_mix(hue, "#ffffff", 0.2) for hue in _HUES),
    photocopy=False,
    paper="#f7f5f0",
    mesh="#8d938f",
    mesh_width=0.009,
    green="#e9efdf",
    building="#cfc8bb",
    water="#b5d0de",
    water_line="#6f9fb8",
    street="#ffffff",
    rail="#6f6c68",
    wall="#a08f79",
    links=MappingProxyType(
        {
            LinkClass.LOCAL: "#6d7a7d",
            LinkClass.SECONDARY: "#4a7480",
            LinkClass.PRIMARY: "#16343f",
            LinkClass.EXPRESSWAY: "#16343f",
        }
    ),
    expressway_core="#f7cf52",
    foot="#2c7a55",
    barrier="#6d4524",
    barrier_core="#ffffff",
    quarter="#7a2a4d",
    shelter="#0e5a68",
    station="#1d68b3",
    police="#24346b",
    technical="#6b4a12",
    ink="#1d2b33",
    faded="#8f8b82",
    plan="#ece4cf",
    plan_water="#b5d0de",
)
MONO = Palette(
    fabrics=("#ffffff",) * len(Fabric),
    hatches=("#000000",) * len(Fabric),
    photocopy=True,
    paper="#ffffff",
    mesh="#000000",
    mesh_width=0.014,
    green="",
    building="",
    water="#ffffff",
    water_line="#000000",
    street="",
    rail="#000000",
    wall="",
    links=MappingProxyType(dict.fromkeys(COLOUR.links, "#000000")),
    expressway_core="#ffffff",
    foot="#000000",
    barrier="#000000",
    barrier_core="",
    quarter="#000000",
    shelter="#000000",
    station="#000000",
    police="#000000",
    technical="#000000",
    ink="#000000",
    faded="#000000",
    plan="#ffffff",
    plan_water="#ffffff",
)

# fmt: off
FABRIC_HATCHES: Mapping[Fabric, Hatch] = MappingProxyType({
    Fabric.OLD_TOWN:       Hatch((45, 135), 0.190, 0.008),
    Fabric.SLAB_BLOCKS:    Hatch((0,),      0.143, 0.009),
    Fabric.TOWER_COMPOUND: Hatch((90,),     0.185, 0.009),
    Fabric.COMMERCIAL:     Hatch((0, 90),   0.245, 0.008),
    Fabric.INDUSTRIAL:     Hatch((135,),    0.230, 0.009),
    Fabric.URBAN_VILLAGE:  Hatch((),        0.105, 0.020),
    Fabric.PARK:           Hatch((45,),     0.230, 0.014, dash="0.05 0.1"),
    Fabric.FARMLAND:       Hatch((),        0.260, 0.024),
})
# fmt: on
WATER_HATCH = Hatch((0,), 0.075, 0.011)

LINK_WIDTH: Mapping[LinkClass, float] = MappingProxyType(
    {
        LinkClass.LOCAL: 0.02,
        LinkClass.SECONDARY: 0.042,
        LinkClass.PRIMARY: 0.075,
        LinkClass.EXPRESSWAY: 0.115,
    }
)
EXPRESSWAY_CORE = 0.06
STUB = 0.19
"""A local link is a stub of this length on either side of the edge: the hex stays free to write."""
QUARTER_WIDTH = 0.05
BARRIER_WIDTH = 0.06
BARRIER_SHARE = 0.62
"""Share of the edge that a barrier's bar takes, so that corners stay open to the eye."""
SIGN = 0.31
"""Width of a sign: what the sector between two links holds."""
MARK = 0.2
"""Width of the mark of a bridge or an underpass."""
NUMBER_PT_MAX = 8.0
NAME_PT_MAX = 10.0
