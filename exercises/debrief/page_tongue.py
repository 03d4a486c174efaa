"""How a page of one district speaks: its texts, numbers, shares, hours, and names of places."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from exercises.debrief.page_words import say, unfilled
from exercises.debrief.people import PeopleSums
from exercises.exports import UNDEFINED
from exercises.moment_words import clock
from exercises.order_words import Scene
from exercises.voice import voice
from gis.webmap_words import words as map_words
from gis.wording import HARD, written
from sim.district import District
from sim.rules import WATERS, Water
from sim.shares import Share


@dataclass(frozen=True)
class Tongue:
    """A language, a district to speak of, and the hour at which the exercise began."""

    lang: str
    district: District
    hour: int

    @property
    def scene(self) -> Scene:
        """What orders and events are said in."""
        return Scene(voice(self.lang), self.district)

    def say(self, key: str, **values: Any) -> str:
        """Return a text of the page, filled in."""
        return say(key, self.lang, **values)

    def unfilled(self, key: str) -> str:
        """Return a text that a script of the page fills in."""
        return unfilled(key, self.lang)

    def map_word(self, key: str) -> str:
        """Return a text of the maps, which the two of the page share."""
        return map_words(self.lang)[key]

    def number(self, value: float, digits: int = 0) -> str:
        """Return a number as the language writes it."""
        return written(value, self.lang, digits)

    def signed(self, value: float) -> str:
        """Return a number with its sign; 0 has none."""
        return ("+" if value > 0 else "") + self.number(value)

    def percent(self, share: Share, digits: int = 0) -> str:
        """Return a share in percent, "–" for a share of nothing (§12.2)."""
        return UNDEFINED if share is None else voice(self.lang).percent(float(share), digits)

    def share(self, share: Share, digits: int = 2) -> str:
        """Return a share as a number from 0 to 1, "–" for a share of nothing."""
        return UNDEFINED if share is None else self.number(float(share), digits)

    def clock(self, turn: int) -> str:
        """Return exercise time at a turn, as the maps write it."""
        return clock(self.hour, turn, self.lang)

    def water(self, water_class: int) -> str:
        """Return the name of a water class (§4)."""
        return self.scene.voice.label(WATERS[Water(water_class)])

    def clauses(self, parts: Iterable[str]) -> str:
        """Return clauses as one sentence, parted by semicolons."""
        return f"{HARD if self.lang == 'fr' else ''}; ".join(parts)


def became(sums: PeopleSums, tongue: Tongue) -> Iterator[str]:
    """Say what became of the people of some hexes, clause by clause."""
    if sums.people_threatened:
        yield tongue.say("saved_of", saved=sums.people_saved, threatened=sums.people_threatened)
    else:
        yield tongue.say("nobody_threatened")
    if sums.people_misused:
        yield tongue.say("misused_of", n=sums.people_misused)
    if sums.victims:
        yield tongue.say("lost_of", n=sums.victims)
