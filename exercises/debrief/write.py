"""Writes a debrief pack, whole or not at all, byte for byte the same in any two runs (§17)."""

import hashlib
import json
import os
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

from exercises.debrief.crew import ALONE, Crew, laid_out, lay_out
from exercises.debrief.figures import ClassFigures, class_figures
from exercises.debrief.material import Material
from gis.aside import FolderKind, share_as_usual, written_aside
from sim.errors import DebriefError
from sim.refusal import refuse
from sim.rules import RULES_VERSION
from sim.signs import json_of

MANIFEST = "debrief.json"
INDEX = "index.html"
DEBRIEF_VERSION = 1
WRITING, ARCHIVING = "writing the pack", "archive"
ARCHIVE_ROOT = "debrief"
"""Folder inside the archive, whatever the archive is called."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The first date that a zip can hold: the archive knows no clock."""
_MODE = 0o644 << 16

Tell = Callable[[str, float], None]
Writer: TypeAlias = Callable[[Material, ClassFigures, Path, str], Sequence[Path]]


@dataclass(frozen=True, slots=True)
class Artefact:
    """A part of the pack, by where its writer is: loaded when it is wanted."""

    module: str
    function: str

    @property
    def path(self) -> str:
        """Name of the module that holds the writer."""
        return f"exercises.debrief.{self.module}"

    @property
    def writer(self) -> Writer:
        """What writes it: (material, figures, folder, lang) -> the files written."""
        found: Writer = getattr(import_module(self.path), self.function)
        return found


ARTEFACTS = (
    Artefact("maps", "write_maps"),
    Artefact("page", "write_page"),
    Artefact("report", "write_report"),
    Artefact("class_report", "write_class_report"),
    Artefact("geodata", "write_geodata"),
    Artefact("event_journal", "write_event_journal"),
    Artefact("cap", "write_alerts"),
    Artefact("figure_tables", "write_figures"),
    Artefact("figure_tables", "write_people"),
    Artefact("figure_tables", "write_scores"),
    Artefact("msel", "write_msel"),
)
"""What a pack holds, those first that take longest."""
MODULES = tuple(dict.fromkeys(one.path for one in ARTEFACTS))
"""What to load before it is wanted (``Crew.warm_up``)."""


class _PackKind(FolderKind):
    """A debrief pack: what may lie in one is what its own manifest lists."""

    def strangers(self, folder: Path) -> list[str]:
        """Files in a folder that averse did not write there, ascending."""
        names = sorted(path.name for path in folder.iterdir())
        if names and not self.marked(folder):
            return names
        known = {*self.names, *_listed(folder)}
        files = (path for path in folder.rglob("*") if not path.is_dir())
        return sorted(name for path in files if (name := _inside(folder, path)) not in known)


PACK = _PackKind("a debrief pack", MANIFEST, "debrief_version", (MANIFEST,))


@dataclass(frozen=True, slots=True)
class DebriefPack:
    """A debrief pack that was written.

    Attributes
    ----------
    folder : Path
    archive : Path or None
        The same in one file, where that was asked for.
    files : tuple of Path
        In the folder, ascending.
    figures : ClassFigures

    """

    folder: Path
    archive: Path | None
    files: tuple[Path, ...]
    figures: ClassFigures

    @property
    def opens_with(self) -> Path:
        """The file to open first."""
        index = self.folder / INDEX
        return index if index in self.files else self.folder


def write_pack(
    material: Material,
    out: Path,
    lang: str,
    *,
    archive: bool = False,
    tell: Tell = lambda stage, share: None,
    crew: Crew = ALONE,
) -> DebriefPack:
    """Write the debrief pack of a class.

    Parameters
    ----------
    material : Material
    out : Path
        Folder of the pack; only a debrief pack with nothing else in it is replaced.
    lang : {"fr", "en"}
    archive : bool
        Also write the pack as one file, ``out`` with ``.zip`` after its name.
    tell : callable
        Told the stage and the share of it that is done.
    crew : Crew
        Who does the work.

    Raises
    ------
    AverseError
        If the pack cannot be written: nothing is, then.
    """
    zipped = _archive_of(out) if archive else None
    inputs = [material.pack, *(team.folder for team in material.teams)]
    with written_aside(out, PACK, inputs) as folder:
        figures = class_figures(material, tell, crew)
        _write_artefacts(material, figures, folder, lang, partial(tell, WRITING), crew)
        names = _files_in(folder)
        _write_manifest(folder, material, names, lang)
        names = sorted([*names, MANIFEST])
        if zipped is not None:
            tell(ARCHIVING, 0.0)
            _write_archive(zipped, folder, names)
    return DebriefPack(out, zipped, tuple(out / name for name in names), figures)


def _write_artefacts(
    material: Material,
    figures: ClassFigures,
    folder: Path,
    lang: str,
    told: Callable[[float], None],
    crew: Crew,
) -> None:
    if crew.is_alone:
        crew.each(lambda one: one.writer(material, figures, folder, lang), ARTEFACTS, told)
        return
    with tempfile.TemporaryDirectory(prefix="averse-") as aside:
        work = Path(aside) / "class.pickle"
        lay_out(work, (material, figures))
        crew.each(_write_one, [(one, work, folder, lang) for one in ARTEFACTS], told)


def _write_one(given: tuple[Artefact, Path, Path, str]) -> None:
    artefact, work, folder, lang = given
    material, figures = laid_out(work)
    artefact.writer(material, figures, folder, lang)


# --------------------------------------------------------------------------- manifest
def _write_manifest(folder: Path, material: Material, names: Iterable[str], lang: str) -> None:
    manifest: dict[str, Any] = {
        "debrief_version": DEBRIEF_VERSION,
        "averse": version("averse"),
        "rules": RULES_VERSION,
        "lang": lang,
        "district": material.district.name,
        "district_sha256": material.district.digest,
        "teams": [
            {
                "team": team.name,
                "files": team.key,
                "journal_sha256": team.replayed.record.last_sha256,
            }
            for team in material.teams
        ],
        "files": {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names},
    }
    text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8", newline="\n")


def _listed(folder: Path) -> list[str]:
    """Files that the manifest of a pack lists."""
    try:
        files = json_of((folder / MANIFEST).read_text(encoding="utf-8"))["files"]
        return [str(name) for name in files]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def _files_in(folder: Path) -> list[str]:
    """Files of a folder and those in it, by their path inside it, ascending."""
    return sorted(_inside(folder, path) for path in folder.rglob("*") if not path.is_dir())


def _inside(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix()


# --------------------------------------------------------------------------- archive
def _archive_of(out: Path) -> Path:
    """Return where the archive goes.

    Raises
    ------
    DebriefError
        If something else than such an archive is there.
    """
    path = out.absolute().with_name(out.absolute().name + ".zip")
    if not path.exists():
        return path
    try:
        with zipfile.ZipFile(path) as found:
            found.getinfo(f"{ARCHIVE_ROOT}/{MANIFEST}")
    except (OSError, zipfile.BadZipFile, KeyError):
        raise DebriefError(
            refuse(
                "",
                "{path} exists and is no debrief pack; give another --out, or move it away",
                path=str(path),
            )
        ) from None
    return path


def _write_archive(path: Path, folder: Path, names: Sequence[str]) -> None:
    """Write files of a folder into one archive: in their order, all of the same date and rights."""
    try:
        handle, aside = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
        try:
            with (
                os.fdopen(handle, "wb") as file,
                zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as zipped,
            ):
                for name in names:
                    entry = zipfile.ZipInfo(f"{ARCHIVE_ROOT}/{name}", _EPOCH)
                    entry.create_system, entry.external_attr = _UNIX, _MODE
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    zipped.writestr(entry, (folder / name).read_bytes())
            share_as_usual(Path(aside))
            Path(aside).replace(path)
        finally:
            Path(aside).unlink(missing_ok=True)
    except OSError as error:
        raise DebriefError(
            refuse(
                "",
                "{path} cannot be written: {why}; choose another --out",
                path=str(path),
                why=str(error.strerror),
            )
        ) from error


_UNIX = 3
"""System of the archive's entries, wherever it is written (APPNOTE 4.4.2.2)."""
