"""Quarters cut off by deep water, their supplies, and boats that bring some (§11)."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from sim.arrays import altered, whole
from sim.district import BoolArray, District
from sim.events import Delivered, Event, Isolated
from sim.hexes import IntArray
from sim.links import Links, water_seen
from sim.orders import Order
from sim.paths import ends_of
from sim.remembered import remembered
from sim.rules import (
    ISOLATION_LOSS_PERCENT,
    ISOLATION_PEOPLE_A_POINT,
    ISOLATION_PERIOD_TURNS,
    UnitKind,
    Water,
)
from sim.situation import share_out
from sim.state import HUNDREDTHS, NEVER, State, changed
from sim.unit import DELIVER, NOWHERE
from sim.units import bases, true_links
from sim.world import World

Step = tuple[State, tuple[Event, ...]]


def isolated_hexes(world: World, state: State) -> BoolArray:
    """(n_hex,) active hexes whose every link stands in water of class 3 or more (§11)."""
    return isolated_by(world.district, *true_links(world, state))


def isolated_by(district: District, links: Links, depth_mm: IntArray) -> BoolArray:
    """(n_hex,) active hexes isolated by links and the depth of their deeper hexes, mm (§11).

    True or known, as for ``is_open`` (§6.3).
    """
    shallow = water_seen(links, depth_mm) < int(Water.NAUTICAL)
    dry = ends_of(district.sheet, district.linked & shallow)
    isolated: BoolArray = _linked_hexes(district) & ~dry
    return isolated


@remembered(8)
def _linked_hexes(district: District) -> BoolArray:
    """(n_hex,) active hexes with a link at all."""
    linked: BoolArray = district.active & ends_of(district.sheet, district.linked)
    linked.flags.writeable = False
    return linked


def supply(world: World, state: State, orders: tuple[Order, ...]) -> Step:
    """Unload and load boats, then feed the isolated or lose some of them (§11, 18 step 9)."""
    state, delivered = _unload(world, state)
    isolated = isolated_hexes(world, state)
    if not isolated.any():
        return state, delivered
    since, reserve = list(state.isolated_since), list(state.reserve)
    left = _people_left(state)
    gone = np.zeros_like(left)
    events: list[Event] = []
    found = world.district.by_quarter(isolated)
    for quarter, cells, people in zip(
        found.quarters, found.parts, found.sums(left.sum(axis=0)), strict=True
    ):
        if since[quarter] == NEVER:
            since[quarter] = state.turn
        if (state.turn - since[quarter]) % ISOLATION_PERIOD_TURNS or not people:
            continue
        need = points_needed(people)
        met = reserve[quarter] >= need
        reserve[quarter] = max(0, reserve[quarter] - need)
        lost, upstairs = 0 if met else loss_unmet(people), 0
        if lost:
            shared = share_out(lost, left[:, cells].ravel()).reshape(3, cells.size)
            gone[:, cells] += shared
            upstairs = int(shared[2].sum())
        events.append(
            Isolated(
                turn=state.turn,
                quarter=quarter,
                cells=tuple(cells.tolist()),
                need=need,
                people=lost,
                upstairs=upstairs,
            )
        )
    state = changed(state, isolated_since=tuple(since), reserve=tuple(reserve))
    return _bury(state, left, gone), delivered + tuple(events)


def points_needed(people: int) -> int:
    """Points that isolated people consume, from hundredths of a person: one per 1,000 (§11).

    Examples
    --------
    >>> points_needed(100_000), points_needed(100_001)
    (1, 2)

    """
    return -(-people // (ISOLATION_PEOPLE_A_POINT * HUNDREDTHS))


def loss_unmet(people: int) -> int:
    """Hundredths lost among so many isolated whose need is not met: 1 %, at least one (§11).

    Examples
    --------
    >>> loss_unmet(500_000), loss_unmet(2_000), loss_unmet(40)
    (5000, 100, 40)

    """
    return min(people, max(HUNDREDTHS, people * ISOLATION_LOSS_PERCENT // 100))


def _people_left(state: State) -> npt.NDArray[np.int64]:
    """(3, n_hex) hundredths: those to shelter, followers and the others still on their hex."""
    return np.stack([whole(state.waiting), whole(state.followers), whole(state.upstairs)])


def _bury(state: State, left: npt.NDArray[np.int64], gone: npt.NDArray[np.int64]) -> State:
    cells = np.flatnonzero(gone.any(axis=0))
    if not cells.size:
        return state
    waiting, followers, upstairs = (left - gone)[:, cells]
    lost, followers_lost, upstairs_lost = gone[:, cells]
    return changed(
        state,
        waiting=altered(state.waiting, cells, waiting),
        followers=altered(state.followers, cells, followers),
        upstairs=altered(state.upstairs, cells, upstairs),
        lost=altered(state.lost, cells, whole(state.lost)[cells] + lost),
        followers_lost=altered(
            state.followers_lost, cells, whole(state.followers_lost)[cells] + followers_lost
        ),
        upstairs_lost=altered(
            state.upstairs_lost, cells, whole(state.upstairs_lost)[cells] + upstairs_lost
        ),
    )


def _unload(world: World, state: State) -> Step:
    """Leave a point of supplies where a boat was sent with some; load those at a base (§11)."""
    homes = {home.cell for home in bases(world.district, UnitKind.BOAT)}
    reserve = list(state.reserve)
    events: list[Event] = []
    units = []
    for unit in state.units:
        if unit.task == DELIVER and unit.to == NOWHERE:
            quarter = int(world.district.quarter[unit.cell])
            reserve[quarter] += 1
            events.append(Delivered(turn=state.turn, unit=unit.name, quarter=quarter))
            unit = replace(unit, task="", loaded=False)
        if unit.kind is UnitKind.BOAT and unit.cell in homes:
            unit = unit if unit.loaded else replace(unit, loaded=True)
        units.append(unit)
    return changed(state, units=tuple(units), reserve=tuple(reserve)), tuple(events)
