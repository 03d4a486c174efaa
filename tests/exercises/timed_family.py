"""A tiny family of exercises with all that the flood has not: minutes, secrets of two sides.

Two crews bet, under seal, on the minute at which a valve bursts; the bets are opened together. The
valve bursts by itself at a drawn minute. A crew may look at its gauge: the other only sees it look.
"""

import hashlib
import json
from dataclasses import dataclass, replace

from exercises.family import INSTRUCTOR, Envelope, draw, refuse_moment
from sim.errors import ExerciseError, OrderError

CREWS = ("red", "blue")


@dataclass(frozen=True)
class Valve:
    """Minutes at which bets are opened and all ends; the earliest minute of the burst."""

    opened: int = 20
    end: int = 40
    earliest: int = 5


@dataclass(frozen=True)
class Watch:
    valve: Valve
    seed: str
    now: int = 0
    sealed: tuple[tuple[str, int], ...] = ()
    opened: tuple[tuple[str, int], ...] = ()
    looks: tuple[tuple[str, int], ...] = ()
    burst: int = -1

    @property
    def bursts_at(self):
        return self.valve.earliest + draw(self.seed, "burst", ("valve", 0), None) % 10


@dataclass(frozen=True)
class Told:
    """An event whose value its owner alone may see; '' is everyone."""

    at: int
    what: str
    value: int | None = None
    owner: str = ""

    def for_side(self, side):
        if side not in (*CREWS, INSTRUCTOR):
            return None
        return self if side in (INSTRUCTOR, self.owner) or not self.owner else self._redacted()

    def _redacted(self):
        return None if self.what == "bet refused" else replace(self, value=None)


class WatchFamily:
    name = "watch"
    rules_version = "1"
    replays = frozenset({"1"})

    def sides(self, scenario):
        return (*CREWS, INSTRUCTOR)

    def start(self, scenario, seed):
        return Watch(scenario, seed)

    def now(self, state):
        return state.now

    def is_over(self, state):
        return state.now >= state.valve.end

    def _due(self, state):
        due = {"opened": state.valve.opened, "end": state.valve.end}
        if state.burst < 0:
            due["burst"] = state.bursts_at
        return sorted((at, what) for what, at in due.items() if at > state.now)

    def next_due(self, state):
        due = self._due(state)
        return due[0][0] if due else None

    def advance(self, state, to):
        if not state.now <= to <= state.valve.end:
            raise ExerciseError(f"minute {to} is not from {state.now} to {state.valve.end}")
        events = []
        for at, what in self._due(state):
            if at > to:
                break
            state = replace(state, now=at)
            if what == "burst":
                state = replace(state, burst=at)
                events.append(Told(at, "burst"))
            elif what == "opened":
                state = replace(state, opened=state.sealed, sealed=())
                events += [Told(at, f"{crew} had bet", bet) for crew, bet in state.opened]
            else:
                events.append(Told(at, "over"))
        return replace(state, now=to), tuple(events)

    def apply(self, state, order):
        if order.at < state.now or order.at > state.valve.end or order.side not in CREWS:
            return state, (Told(state.now, "order refused", order.at, order.side),)
        state, events = self.advance(state, order.at)
        crew = order.side
        match order.body:
            case {"do": "bet", "minute": int(minute)}:
                if state.opened or any(other == crew for other, _ in state.sealed):
                    return state, (*events, Told(state.now, "bet refused", minute, crew))
                sealed = tuple(sorted((*state.sealed, (crew, minute))))
                return replace(state, sealed=sealed), (
                    *events,
                    Told(state.now, f"{crew} bet", minute, crew),
                )
            case {"do": "look"}:
                times = sum(other == crew for other, _ in state.looks)
                gauge = draw(state.seed, "gauge", crew, times) % 6 + 1
                looks = (*state.looks, (crew, gauge))
                return replace(state, looks=looks), (
                    *events,
                    Told(state.now, f"{crew} looked", gauge, crew),
                )
        raise AssertionError(order)

    def view(self, state, side, at):
        if why := refuse_moment(state.now, at, self.next_due(state)):
            raise ExerciseError(why)
        if side == INSTRUCTOR:
            return {"now": at, "sealed": state.sealed, "looks": state.looks, "burst": state.burst}
        if side not in CREWS:
            raise ExerciseError(f"no side {side!r}")
        return {
            "now": at,
            "burst": state.burst,
            "have_bet": [crew for crew, _ in state.sealed],
            "opened": state.opened,
            "my_bet": [bet for crew, bet in state.sealed if crew == side],
            "my_looks": [gauge for crew, gauge in state.looks if crew == side],
        }

    def score(self, state):
        return {crew: -abs(bet - state.burst) for crew, bet in state.opened}

    def state_hash(self, state):
        whole = (state.now, state.sealed, state.opened, state.looks, state.burst)
        return hashlib.sha256(json.dumps(whole).encode()).hexdigest()

    def about(self, scenario):
        return {"valve": "hand-made"}

    def scenario_to_plain(self, scenario):
        return [scenario.opened, scenario.end, scenario.earliest]

    def scenario_from_plain(self, plain):
        return Valve(*plain)

    def body_to_plain(self, scenario, body):
        return body

    def body_from_plain(self, scenario, plain, at, reason):
        if not isinstance(plain, dict) or plain.get("do") not in ("bet", "look"):
            raise OrderError(f"{plain!r} is neither a bet nor a look")
        return plain

    def event_to_plain(self, state, event):
        return {"at": event.at, "what": event.what, "value": event.value}


WATCH = WatchFamily()


def bet(crew, at, minute):
    return Envelope(crew, "", at, {"do": "bet", "minute": minute})


def look(crew, at):
    return Envelope(crew, "", at, {"do": "look"})
