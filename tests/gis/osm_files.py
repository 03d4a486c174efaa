"""Writes hand-made OSM extracts a few hexes wide, for tests."""

import bz2
import gzip
from pathlib import Path
from xml.sax.saxutils import quoteattr

from pyproj import Transformer

from gis.lattice import Lattice
from sim.hexes import Sheet

STAMP = "2026-01-02T03:04:05Z"


def lattice(columns=5, rows=4):
    """A small lattice near Göttingen, in UTM zone 32."""
    return Lattice.centred(Sheet(columns, rows), 9.9, 51.5)


class OsmFile:
    """An extract under construction; ids count up from 1 within each kind.

    Places are (longitude, latitude), or metres in the CRS of the lattice given.
    """

    def __init__(self, on: Lattice | None = None, bounds=None, stamp=STAMP):
        self._to_degrees = on and Transformer.from_crs(on.crs, "EPSG:4326", always_xy=True)
        self._bounds = bounds
        self._stamp = f' timestamp="{stamp}"' if stamp else ""
        self._elements = {"node": [], "way": [], "relation": []}
        self._node_at = {}
        self.missing = set()  # nodes referred to, but not written

    def node(self, place, tags=None):
        """A node of its own; places of ways share theirs."""
        if self._to_degrees:
            place = self._to_degrees.transform(*place)
        lon, lat = (f"{value:.7f}" for value in place)
        return self._add("node", f' lat="{lat}" lon="{lon}"', "", tags)

    def shared(self, place):
        """The node at a place, made when first asked for."""
        key = tuple(float(value) for value in place)
        if key not in self._node_at:
            self._node_at[key] = self.node(place)
        return self._node_at[key]

    def way(self, places, tags=None):
        """A way through places, or through nodes given by their ids."""
        nodes = [p if isinstance(p, int) else self.shared(p) for p in places]
        body = "".join(f'<nd ref="{node}"/>' for node in nodes)
        return self._add("way", "", body, tags)

    def outline(self, places, tags=None):
        """A closed way."""
        nodes = [p if isinstance(p, int) else self.shared(p) for p in places]
        return self.way([*nodes, nodes[0]], tags)

    def relation(self, members, tags=None):
        """A relation of (kind, id, role) members."""
        body = "".join(
            f'<member type="{kind}" ref="{ref}" role="{role}"/>' for kind, ref, role in members
        )
        return self._add("relation", "", body, tags)

    def _add(self, kind, attributes, body, tags):
        number = len(self._elements[kind]) + 1
        labels = "".join(
            f"<tag k={quoteattr(key)} v={quoteattr(str(value))}/>"
            for key, value in (tags or {}).items()
        )
        head = f'<{kind} id="{number}" version="1"{self._stamp}{attributes}>'
        self._elements[kind].append(f"{head}{body}{labels}</{kind}>")
        return number

    def xml(self):
        """The whole file as text."""
        lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<osm version="0.6" generator="tests">']
        if self._bounds:
            west, south, east, north = self._bounds
            lines.append(
                f'<bounds minlon="{west}" minlat="{south}" maxlon="{east}" maxlat="{north}"/>'
            )
        for kind, elements in self._elements.items():
            lines += [
                element
                for number, element in enumerate(elements, start=1)
                if not (kind == "node" and number in self.missing)
            ]
        return "\n".join([*lines, "</osm>"])

    def write(self, path):
        """Write .osm, .osm.gz or .osm.bz2 by the name, or .osm.pbf through osmium; the path."""
        path = Path(path)
        data = self.xml().encode()
        if path.suffix == ".pbf":
            import osmium

            plain = path.with_suffix(".xml.osm")
            plain.write_bytes(data)
            with osmium.SimpleWriter(str(path)) as writer:
                for element in osmium.FileProcessor(str(plain)):
                    writer.add(element)
            plain.unlink()
        elif path.suffix == ".gz":
            path.write_bytes(gzip.compress(data))
        elif path.suffix == ".bz2":
            path.write_bytes(bz2.compress(data))
        else:
            path.write_bytes(data)
        return path
