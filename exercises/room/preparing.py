"""A room that is being prepared: what its instructor has chosen so far, and then the room itself.

No HTTP here. What was chosen is kept beside the room to come, ``ROOM.draft.json``, each time whole:
a page that is loaded again, and a server that is started again, find it. The room is written
whole or not at all, and the draft goes.
"""

import hashlib
import hmac
import json
import logging
import os
import secrets
import tempfile
import threading
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from exercises.fault_words import fault_said
from exercises.injects_file import COLUMNS, Rows, read_rows
from exercises.room.book import session_mark, sha256_of
from exercises.room.folder import RoomOptions, create_room, is_room
from exercises.room.inject_list import list_sent
from exercises.room.opening import room_options
from exercises.room.pack_upload import unpack
from exercises.room.prepare_words import choices
from exercises.room.rooms import GoneOnError
from exercises.room.security import JoinLimit, object_of
from exercises.room.storm_ahead import MAPS, StormAhead
from exercises.scenario_check import Fault, check_scenario, lay_weather
from exercises.scenario_file import (
    SaidError,
    ScenarioFaultsError,
    faults_of_options,
    parsed,
    placed_faults,
    written_place,
)
from exercises.scenario_model import KEYS, ScenarioFile
from exercises.scenario_template import scenario_text
from exercises.voice import SOURCE, voice
from gis.quarter_names import quarters_said
from gis.store import MANIFEST, read_district
from sim.district import District
from sim.errors import ExerciseError
from sim.refusal import refuse
from sim.severity_words import ladder_words

Plain = dict[str, Any]
_FIELDS = frozenset(KEYS) - {"weather"}
"""Keys that have a field in the form: weather is a file of the machine that serves."""
FORM, OPENING, OPEN, FAILED = "form", "opening", "open", "failed"
MOST_DRAFT_BYTES = 400_000

log = logging.getLogger(__name__)


class StoppedError(ExerciseError):
    """The server is being stopped: a room half made is let go."""


class ChangedSinceError(ExerciseError):
    """What is chosen was changed by somebody else since the one who changes it now has seen it."""


@dataclass(frozen=True, slots=True)
class Writer:
    """A page that changes what is chosen.

    Attributes
    ----------
    seen : str
        Version that it changes.
    by : str
        Its sign: what it wrote itself it may change again, seen or not.

    """

    seen: str
    by: str

    def misses(self, now: "Preparation") -> bool:
        """Whether somebody else has changed it since."""
        return self.seen != now.version and self.by != now.by


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the room is: ``FORM``, ``OPENING``, ``OPEN`` or ``FAILED``, and why."""

    state: str = FORM
    stage: str = ""
    share: float = 0.0
    fault: Exception | None = None


class Preparation:
    """What becomes a room.

    Parameters
    ----------
    out : Path
        Where the room goes.
    pack : Path, optional
        District pack; without one, it is sent.
    given : mapping
        What was chosen on the command line, by the keys of a scenario: it stands in the form.

    Attributes
    ----------
    token, session : str
        Secrets of the instructor's link, and of the browser that came by it; they open the room
        too.
    joins : JoinLimit
    draft : dict
        What is chosen.
    by : str
        Page that chose it last.
    ahead : StormAhead
        The storm of what is chosen, where somebody looks at it.

    Raises
    ------
    AverseError
        If there is a room already, the pack cannot be read, or what was given is at fault.
    """

    def __init__(self, out: Path, pack: Path | None, given: Mapping[str, Any]) -> None:
        if is_room(out):
            raise ExerciseError(
                refuse(
                    "",
                    "{out} holds a room already: open it by `averse serve {out}`, or give another "
                    "--out folder",
                    out=str(out),
                )
            )
        self.out, self.pack = out, pack or self._pack_kept(out)
        self.district: District | None = None if self.pack is None else read_district(self.pack)
        self.token, self.session = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self.joins = JoinLimit()
        self.ahead = StormAhead()
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._progress = Progress()
        self._stopped = False
        self.by = ""
        self.lang = str(given.get("lang", SOURCE))
        given = self._without_files(given)
        self.draft: Plain = {**_new(self.lang), **self._kept(), **given}
        self.keep(self.draft)

    @staticmethod
    def _pack_kept(out: Path) -> Path | None:
        """Return the pack that was sent before the server was stopped, if one was."""
        folder = _district_beside(out)
        return folder if (folder / MANIFEST).is_file() else None

    # ----------------------------------------------------------------------- who may come in
    def opens(self, token: str) -> bool:
        """Whether a secret is that of the instructor's link."""
        return hmac.compare_digest(sha256_of(token), sha256_of(self.token))

    def admits(self, session: str) -> bool:
        """Whether a browser came by the instructor's link."""
        return hmac.compare_digest(sha256_of(session), sha256_of(self.session))

    # ----------------------------------------------------------------------- what is chosen
    def _without_files(self, given: Mapping[str, Any]) -> Plain:
        """Return what was given, its list of injects read; its weather is kept apart."""
        folder = Path()
        faults = check_scenario(
            given, self.lang, district=self.district, pack=self.pack, folder=folder
        )[1]
        if faults:
            raise ScenarioFaultsError(faults_of_options(faults, self.lang))
        found = dict(given)
        kept = _weather_beside(self.out)
        self.weather = found.pop("weather", None) or (str(kept) if kept.is_file() else None)
        if isinstance(path := found.get("injects"), str):
            found["injects"] = injects_of(read_rows(Path(path)))
        return found

    @property
    def _draft_file(self) -> Path:
        return self.out.with_name(f"{self.out.name}.draft.json")

    def _kept(self) -> Plain:
        """Return what was chosen before; a damaged file of it is set aside, and that is told."""
        try:
            return object_of(self._draft_file.read_bytes())
        except OSError:
            return {}
        except ValueError:
            aside = self._draft_file.with_suffix(".damaged")
            os.replace(self._draft_file, aside)
            told = refuse(
                "",
                "{draft} is damaged: it is kept as {aside}, and the choices begin anew",
                draft=str(self._draft_file),
                aside=aside.name,
            )
            log.error("%s", fault_said(ExerciseError(told), self.lang))
            return {}

    def _require_open_to_change(self) -> None:
        """See that the room is not being made of it; whoever calls has the lock."""
        if self._progress.state in {OPENING, OPEN}:
            raise GoneOnError(
                refuse("", "the room is being opened: what it is played on stays as it is")
            )

    @property
    def version(self) -> str:
        """Sign of what is chosen: the same whenever the same is."""
        text = json.dumps(self.draft, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def keep(self, draft: Mapping[str, Any], writer: "Writer | None" = None) -> None:
        """Keep what is chosen so far, at fault or not.

        Parameters
        ----------
        draft : mapping
        writer : Writer, optional
            Without one, it is put in the place of whatever there is.

        Raises
        ------
        ChangedSinceError
            If there is another version by now, which says something else; that stays.
        OSError
            If it cannot be written.
        """
        with self._lock:
            if self._progress.state in {OPENING, OPEN}:
                return
            kept = _as_json(draft)
            if writer is not None and writer.misses(self) and kept != self.draft:
                raise ChangedSinceError(
                    refuse(
                        "",
                        "somebody else has changed what is chosen since this page read it: take "
                        "theirs, or put yours in its place",
                    )
                )
            place = self.out.parent
            try:
                place.mkdir(parents=True, exist_ok=True)
                file, name = tempfile.mkstemp(
                    prefix=f".{self.out.name}-", suffix=".json", dir=place
                )
            except OSError as error:  # of the folder: nobody knows the name of what is made in it
                raise OSError(error.errno, error.strerror, str(place)) from error
            try:
                with os.fdopen(file, "w", encoding="utf-8") as out:
                    json.dump(kept, out, ensure_ascii=False, indent=1)
                os.replace(name, self._draft_file)
                self.draft, self.by = kept, writer.by if writer else ""
            finally:
                Path(name).unlink(missing_ok=True)

    def check(self, draft: Mapping[str, Any], lang: str) -> tuple[ScenarioFile | None, list[Fault]]:
        """Check what is chosen; files may not be named: they are on the instructor's machine."""
        scenario, faults = check_scenario(draft, lang, district=self.district)
        found = list(faults)
        if self.district is None:
            why = voice(lang).phrase("send a district pack first")
            found.insert(0, Fault(("district",), why))
        return (None if found else scenario), found

    def text(self, lang: str) -> str:
        """Return what is chosen as a scenario file.

        Raises
        ------
        ScenarioFaultsError
            If anything is at fault.
        """
        scenario, faults = check_scenario(self.draft, lang, district=self.district)
        if scenario is None:
            raise ScenarioFaultsError(
                [f"{written_place(fault.place)}: {fault.said}" for fault in faults]
            )
        if self.weather is not None:
            scenario = scenario.model_copy(update={"weather": Path(self.weather).name})
        return scenario_text(scenario, lang)

    def read_text(
        self, name: str, content: bytes, lang: str, writer: "Writer | None" = None
    ) -> tuple[Plain, list[str]]:
        """Take what a scenario file says into the form.

        Returns
        -------
        draft : dict
            What was chosen, as the file has it: what it leaves out is as in a new form.
        faults : list of str
            With their lines.

        Raises
        ------
        ExerciseError
            If it is no TOML, or ``keep`` refuses it.
        """
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            why = voice(lang).phrase("{name} is no text in UTF-8: save it as such", name=name)
            raise SaidError(why) from None
        data = parsed(text, name, lang)
        faults = check_scenario(data, lang, district=self.district)[1]
        known = {key: value for key, value in data.items() if key in _FIELDS}
        self.keep({**_new(self.lang), **known}, writer)
        return self.draft, placed_faults(faults, name, text, lang)

    def read_pack(self, archive: Path, name: str, lang: str) -> None:
        """Take a district pack that was sent, beside the room to come, and play on it.

        Raises
        ------
        AverseError
            If it is refused, or the room is being opened; the one there was stays.
        """
        folder = _district_beside(self.out)
        with self._sending, ExitStack() as until_taken:

            def claim() -> None:
                until_taken.enter_context(self._lock)
                self._require_open_to_change()

            with self._lock:
                self._require_open_to_change()
            unpack(archive, name, folder, lang, claim)
            self.pack, self.district, self.weather = folder, read_district(folder), None
        self.ahead.let_go()  # it was another town's

    def read_weather(self, content: bytes, lang: str) -> None:
        """Take a weather file that was sent, laid on the district; none where it is empty.

        Raises
        ------
        AverseError
            If it is at fault; the one there was stays.
        """
        with self._sending:
            path = _weather_beside(self.out)
            if content:
                if self.pack is None or self.district is None:
                    raise SaidError(voice(lang).phrase("send a district pack first"))
                _require_whole(content, lang)
                with tempfile.TemporaryDirectory(prefix="averse-", dir=self.out.parent) as folder:
                    sent = Path(folder) / "weather.toml"
                    sent.write_bytes(content)
                    lay_weather(sent, self.pack, self.district)
                    with self._lock:
                        self._require_open_to_change()
                        sent.replace(path)
                        self.weather = str(path)
            else:
                with self._lock:
                    self._require_open_to_change()
                    self.weather = None

    # ----------------------------------------------------------------------- what is told
    @property
    def progress(self) -> Progress:
        """How far the room is."""
        with self._lock:
            return self._progress

    def told(self, lang: str) -> Plain:
        """Return what the page is told."""
        now = self.progress
        return {
            "state": now.state,
            "stage": now.stage,
            "share": now.share,
            "said": "" if now.fault is None else fault_said(now.fault, lang),
            "choices": choices(lang),
            "draft": self.draft,
            "version": self.version,
            "weather": None if self.weather is None else Path(self.weather).name,
            "district": None if self.district is None else _told_of(self.district, lang),
        }

    # ----------------------------------------------------------------------- the room
    def begin(self) -> bool:
        """Claim the opening: True for one caller alone."""
        with self._lock:
            if self._progress.state in {OPENING, OPEN}:
                return False
            self._progress = Progress(OPENING)
        self.ahead.let_go()  # what it has of the machine is wanted now
        return True

    def look_ahead(self, scenario: ScenarioFile) -> str:
        """Compute the storm that a room would have; return its seed, drawn where none is chosen."""
        assert self.pack is not None
        return self.ahead.begin(self.pack, self._asked(scenario).exercise)

    def _asked(self, scenario: ScenarioFile) -> RoomOptions:
        if self.weather is not None:
            scenario = scenario.model_copy(update={"weather": self.weather})
        return room_options(scenario)

    def create(self, scenario: ScenarioFile, prefix: str) -> None:
        """Write the room.

        Parameters
        ----------
        scenario : ScenarioFile
        prefix : str
            Of the instructor's addresses, which the secret of the preparation goes on opening.

        Raises
        ------
        AverseError
            If it cannot be; nothing is written then.
        """
        assert self.pack is not None
        link = sha256_of(self.token)
        tokens = {link: prefix, sha256_of(self.session): session_mark(prefix, link)}
        create_room(self.pack, self.out, replace(self._asked(scenario), tokens=tokens), self._tell)

    def _tell(self, stage: str, share: float) -> None:
        with self._lock:
            if self._stopped:
                raise StoppedError("the server is being stopped")
            self._progress = Progress(OPENING, stage, share)

    def drawing(self, share: float = 0.0) -> None:
        """Tell that the room is written, and how many of its maps are drawn, 0 to 1."""
        self._tell(MAPS, share)

    def failed(self, fault: Exception) -> None:
        """Go back to the form."""
        with self._lock:
            self._progress = Progress(FAILED, fault=fault)

    def opened(self) -> None:
        """End: the room is there."""
        with self._lock:
            self._progress = Progress(OPEN)
        self._draft_file.unlink(missing_ok=True)
        self.ahead.close()

    def stop(self) -> None:
        """Let go of a room that is being made."""
        with self._lock:
            self._stopped = True
        self.ahead.close()


def _as_json(draft: Mapping[str, Any]) -> Plain:
    """Return what is chosen as a page can be told it: TOML has dates, and numbers without end.

    >>> import datetime
    >>> _as_json({"turns": float("inf"), "hour": datetime.date(2026, 5, 1)})
    {'turns': 'Infinity', 'hour': '2026-05-01'}
    """
    kept: Plain = json.loads(json.dumps(dict(draft), default=str), parse_constant=str)
    return kept


def _district_beside(out: Path) -> Path:
    return out.with_name(f"{out.name}-district")


def _weather_beside(out: Path) -> Path:
    return out.with_name(f"{out.name}.weather.toml")


def _require_whole(content: bytes, lang: str) -> None:
    """Raise where a weather file that was sent names another one: it would be this machine's."""
    try:
        inflows = parsed(content.decode("utf-8-sig"), "weather.toml", lang).get("inflow")
    except UnicodeDecodeError:
        return  # who reads it says so
    if isinstance(inflows, list) and any("csv" in one for one in inflows if isinstance(one, dict)):
        raise SaidError(
            voice(lang).phrase(
                "a weather file that is sent names no other file: write minutes and flow_m3_s in it"
            )
        )


def _new(lang: str) -> Plain:
    """Return what a new form holds."""
    scenario = ScenarioFile(lang=lang, teams=[voice(lang).phrase("Team {n}", n=1)])
    return {key: value for key, value in scenario.model_dump().items() if value is not None}


def injects_of(rows: Rows) -> list[Plain]:
    """Return the rows of a list as a scenario has them.

    >>> injects_of([(2, {"turn": "4", "card": "jam"})])
    [{'turn': 4, 'card': 'jam', 'target': '', 'note': ''}]
    """
    found = []
    for _, cells in rows:
        row: Plain = {column: cells.get(column, "") for column in COLUMNS}
        if row["turn"].isascii() and row["turn"].isdigit():
            row["turn"] = int(row["turn"])
        found.append(row)
    return found


def injects_sent(name: str, content: bytes) -> list[Plain]:
    """Return the rows of a list that was sent, unchecked.

    Raises
    ------
    ExerciseError
        If it is none.
    """
    with list_sent(name, content) as path:
        return injects_of(read_rows(path))


def _told_of(district: District, lang: str) -> Plain:
    """Return what the form shows of a district: nothing that a team may not read on its sheet."""
    return {
        "name": district.name,
        "people": int(district.residents[district.active].sum()),
        "hexes": [
            {
                "label": district.sheet.label(cell),
                "quarter": int(district.quarter[cell]),
                "people": int(district.residents[cell]),
            }
            for cell in range(district.sheet.n_hexes)
            if district.active[cell]
        ],
        "quarters": list(quarters_said(district, lang)),
        "shelters": [shelter.name for shelter in district.shelters],
        "levels": [{"level": level, "said": said}
                   for level, said in ladder_words(district, lang).items()],
    }  # fmt: skip
