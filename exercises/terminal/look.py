"""All that the team knows of one hex and of its six links (§6, 3.4, 4.2)."""

from rich.table import Table

from exercises.terminal.board import known_class, pawn
from exercises.terminal.seat import Seat
from exercises.terminal.tables import age_words, table_of
from exercises.terminal.words import labelled, say
from gis.quarter_names import quarters_said
from sim.hexes import N_SIDES
from sim.links import CLOSED, is_open, vehicle_cost
from sim.obstacles import around, edges_of
from sim.rules import LINKS, WATERS, LinkClass, Mode, Structure, Water
from sim.state import KNOWN_EXACTLY
from sim.units import known_links
from sim.view import View

SIDES = ("N", "NE", "SE", "S", "SW", "NW")


def look_lines(seat: Seat, cell: int, lang: str) -> list[str]:
    """Return what is known of a hex, and who and what stands there."""
    view, district = seat.view, seat.district
    label = district.sheet.label(cell)
    lines = [say("cell_off", lang, hex=label)]
    if district.active[cell]:
        fabric = labelled(district.fabric_rows[district.fabric[cell]], lang)
        quarter = quarters_said(district, lang)[district.quarter[cell]]
        people, risk = int(district.residents[cell]), int(seat.to_shelter[cell])
        said = {"what": fabric, "people": people, "risk": risk, "quarter": quarter}
        lines = [say("cell", lang, hex=label, **said)]
    water = Water(known_class(view)[cell])
    lines.append(
        say(
            "water",
            lang,
            cls=int(water),
            label=labelled(WATERS[water], lang),
            depth=view.known_mm[cell] // 10,
            how=say("seen" if view.known_by[cell] == KNOWN_EXACTLY else "told", lang),
            age=age_words(view.turn - view.known_turn[cell], lang),
        )
    )
    if here := _here(seat, view, cell, lang):
        lines.append(say("here", lang, what=", ".join(here)))
    return lines


def _here(seat: Seat, view: View, cell: int, lang: str) -> list[str]:
    district = seat.district
    here = [pawn(unit) for unit in view.units if unit.cell == cell]
    for number, shelter in enumerate(district.shelters):
        if shelter.cell == cell:
            here.append(f"{shelter.name} {view.places_taken[number]}/{shelter.places}")
    here += [say("station", lang) for place in district.stations if place.cell == cell]
    bases = (*district.police_stations, *district.technical_centres)
    here += [f"{say('base', lang)} {place.name}" for place in bases if place.cell == cell]
    if cell in view.alerted:
        here.append(say("evacuated" if cell in view.evacuated else "alerted", lang))
    for outage in view.outages:
        if cell in around(district, (outage,), view.turn):
            here.append(say("outage", lang, turn=outage[1]))
    return here


def links_table(seat: Seat, cell: int, lang: str) -> Table:
    """Return the six sides of a hex: what crosses them, who passes as far as is known (§6.3)."""
    view, district = seat.view, seat.district
    links, depth_mm = known_links(district, view)
    on_foot = is_open(links, depth_mm, Mode.FOOT)
    points = vehicle_cost(links, depth_mm)
    table = table_of(
        (
            *(("neighbour", False), ("hex", False), ("link", False)),
            *(("on_foot", False), ("vehicles", False)),
        ),
        lang,
    )
    for side in range(N_SIDES):
        other, edge = (
            int(of[cell, side]) for of in (district.sheet.neighbours, district.sheet.edge_across)
        )
        if other < 0:
            continue
        cut, cost = say("cut", lang), int(points[edge])
        walks = say("open", lang) if on_foot[edge] else cut
        rides = cut if cost == CLOSED else say("points", lang, n=cost)
        has_road = district.link_class[edge] > LinkClass.NONE
        table.add_row(
            say(SIDES[side], lang),
            district.sheet.label(other),
            ", ".join(_link(seat, view, edge, lang)),
            walks if district.foot[edge] or on_foot[edge] else "",
            rides if has_road else "",
        )
    return table


def _link(seat: Seat, view: View, edge: int, lang: str) -> list[str]:
    district, known = seat.district, view.known_obstacles
    road = LinkClass(int(district.link_class[edge]))
    if road is LinkClass.NONE:
        key = "foot_link" if district.foot[edge] else "barrier" if district.barrier[edge] else ""
        said = [say(key, lang)] if key else []
    else:
        said = [labelled(LINKS[road], lang)]
    structure = Structure(int(district.structure[edge]))
    if structure is not Structure.ROAD:
        said.append(say(structure.name.lower(), lang))
    struck = {link for link, last in known.accidents if view.turn <= last}
    jammed = edges_of(district, around(district, known.jams, view.turn)) if known.jams else []
    for key, so in (
        ("accident", edge in struck),
        ("roadworks", edge in known.roadworks),
        ("uncleared", edge in known.obstructed and edge not in struck),
        ("jammed", edge in jammed and road is not LinkClass.NONE),
    ):
        if so:
            said.append(say(key, lang))
    return said
