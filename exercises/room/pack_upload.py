"""A district pack that was sent as a .zip: looked at before anything of it is unpacked.

An archive is refused whole for anything that no pack needs: links, names that lead out of its
folder or that a system keeps for itself, two names for one file, parts that share their bytes,
sizes past reason. What it says of its sizes is not believed: bytes are counted as they come.
"""

import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from exercises.fault_words import fault_said
from exercises.scenario_file import SaidError
from exercises.voice import Voice, voice
from gis.aside import written_aside
from gis.store import GPKG, GROUND, MANIFEST, PACK, read_district, read_ground
from gis.store_checks import require_inert
from sim.errors import AverseError

MOST_ZIP_BYTES = 300_000_000
MOST_UNPACKED_BYTES = 1_000_000_000
MOST_ENTRIES = 2_000
MOST_RATIO = 200
"""Unpacked bytes for one that was sent; a pack of a town has 2 to 20."""
_RATIO_FROM_BYTES = 1_000_000
_MOST_DIRECTORY_BYTES = 1_000_000
_MOST_NAME = 200
_PART_BYTES = 64 * 1024
_UNPACKED = (MANIFEST, GPKG, GROUND)
"""Of a pack, what is played from; its maps and kept water are drawn and computed again."""
_END, _END_BYTES, _END64 = b"PK\x05\x06", 22, b"PK\x06\x07"
_LOCAL, _LOCAL_BYTES = b"PK\x03\x04", 30
_MOST_COMMENT = 65_535
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_KEPT_NAMES = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"}
    | {f"{port}{n}" for port in ("com", "lpt") for n in (*range(10), *"¹²³")}
)
"""Names that stand for devices on Windows, whatever follows their first dot."""


class PackRefusedError(SaidError):
    """An archive that is not taken, and why."""


def unpack(
    archive: Path, name: str, folder: Path, lang: str, claim: Callable[[], None] = lambda: None
) -> None:
    """Write the district pack that an archive holds: whole, or not at all.

    Parameters
    ----------
    archive : Path
    name : str
        What its sender calls it.
    folder : Path
        Where the pack goes; one that is there already is replaced.
    lang : {"fr", "en"}
        Of the refusal.
    claim : callable
        Called before it takes its place; what it raises leaves the folder as it was.

    Raises
    ------
    PackRefusedError
        If the archive could do harm, or holds no pack that can be played.
    AverseError
        If the folder cannot be written.
    """
    say = voice(lang)
    with written_aside(folder, PACK) as aside:
        try:
            with archive.open("rb") as file:
                _require_small(file, say)
                with zipfile.ZipFile(file) as book:
                    for part, entry in _parts(book, file, say).items():
                        _write(book, entry, aside / part, say)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, struct.error,
                UnicodeDecodeError, ValueError, RuntimeError) as fault:  # fmt: skip
            raise PackRefusedError(
                say.phrase("{file} is no .zip that can be read: make it again", file=name)
            ) from fault
        try:
            require_inert(aside / GPKG)
            read_district(aside)
            read_ground(aside)
        except AverseError as fault:
            why = fault_said(fault, say.lang).replace(f"{aside}/", "").replace(str(aside), name)
            raise PackRefusedError(
                say.phrase("{file} holds no district that can be played: {why}",
                           file=name, why=why)
            ) from fault  # fmt: skip
        claim()


# --------------------------------------------------------------------------- before it is read
def _require_small(file: BinaryIO, say: Voice) -> None:
    """Raise where the list of the archive is too long to be read, before it is."""
    size = file.seek(0, 2)
    if size > MOST_ZIP_BYTES:
        raise PackRefusedError(too_large(say.lang))
    file.seek(max(0, size - _END_BYTES - _MOST_COMMENT))
    tail = file.read()
    at = _end_of(tail)
    if at < 0 or tail[max(0, at - 20) : at].startswith(_END64):
        raise zipfile.BadZipFile
    entries, length, start = struct.unpack("<8xHHLLH", tail[at : at + _END_BYTES])[1:4]
    if entries > MOST_ENTRIES or length > _MOST_DIRECTORY_BYTES:
        raise PackRefusedError(
            say.phrase("the archive has more than {n:,} entries: put the district alone in it",
                       n=MOST_ENTRIES)
        )  # fmt: skip
    if start + length > size:
        raise zipfile.BadZipFile


def _end_of(tail: bytes) -> int:
    """Where the end record is, as ``zipfile`` looks for it; -1 for nowhere."""
    if tail[-_END_BYTES:].startswith(_END) and tail.endswith(b"\0\0"):
        return len(tail) - _END_BYTES
    return tail.rfind(_END)


def too_large(lang: str) -> str:
    """Return why an archive of that size is refused."""
    return voice(lang).phrase(
        "the archive is larger than {n} MB: put the district alone in it",
        n=MOST_ZIP_BYTES // 1_000_000,
    )


# --------------------------------------------------------------------------- what it lists
def _parts(book: zipfile.ZipFile, file: BinaryIO, say: Voice) -> dict[str, zipfile.ZipInfo]:
    """Return the entries to unpack, by the names they get, once all of them are looked at.

    Raises
    ------
    PackRefusedError
        If one of them could do harm, or one that a pack needs is not there.
    """
    entries = book.infolist()
    if len(entries) > MOST_ENTRIES:
        raise PackRefusedError(
            say.phrase("the archive has more than {n:,} entries: put the district alone in it",
                       n=MOST_ENTRIES)
        )  # fmt: skip
    for entry in entries:
        if why := _harm(entry, say):
            shown = entry.orig_filename.encode("unicode_escape").decode()[:60]
            raise PackRefusedError(say.phrase("{entry}: {why}", entry=shown, why=why))
    _require_apart(entries, say)
    _require_real_sizes(entries, say)
    _require_own_bytes(entries, file, book.start_dir, say)
    return _those_of_a_pack(entries, say)


def _harm(entry: zipfile.ZipInfo, say: Voice) -> str:
    """Return why an entry is not unpacked; '' where nothing is wrong with it."""
    name, kind = entry.orig_filename, stat.S_IFMT(entry.external_attr >> 16)
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        return say.phrase("links and devices are not taken; send files alone")
    if entry.flag_bits & _ENCRYPTED:
        return say.phrase("it is encrypted; send it without a password")
    if entry.compress_type not in _METHODS:
        return say.phrase("its method of compression is not taken; make a plain .zip")
    if name.startswith("/") or "\\" in name or ":" in name:
        return say.phrase("a name within the archive may have no drive and no other root")
    parts = name.removesuffix("/").split("/")
    if ".." in parts:
        return say.phrase("the name leads out of the archive's folder")
    if len(name) > _MOST_NAME or not name.isprintable() or {"", "."} & set(parts):
        return say.phrase("the name cannot be used on every system")
    if any(part.split(".")[0].rstrip().casefold() in _KEPT_NAMES for part in parts) or any(
        part != part.rstrip(" .") for part in parts
    ):
        return say.phrase("the name cannot be used on every system")
    return ""


def _require_apart(entries: Sequence[zipfile.ZipInfo], say: Voice) -> None:
    """Raise where two names are one on some system, or a file is a folder too."""
    files: set[str] = set()
    folders: set[str] = set()
    for entry in entries:
        name = unicodedata.normalize("NFC", entry.filename).casefold()
        bare = name.removesuffix("/")
        parents = {bare[:at] for at, sign in enumerate(bare) if sign == "/"}
        twice = bare in files or (not entry.is_dir() and bare in folders) or parents & files
        if twice:
            raise PackRefusedError(
                say.phrase("{entry} stands twice in the archive: make it again",
                           entry=entry.filename[:60])
            )  # fmt: skip
        folders |= parents
        (folders if entry.is_dir() else files).add(bare)


def _require_real_sizes(entries: Sequence[zipfile.ZipInfo], say: Voice) -> None:
    total = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    if total > MOST_UNPACKED_BYTES or (
        total > _RATIO_FROM_BYTES and total > MOST_RATIO * max(1, packed)
    ):
        raise PackRefusedError(
            say.phrase("unpacked, the archive has {n:,} MB: no district is like that",
                       n=total // 1_000_000)
        )  # fmt: skip


def _require_own_bytes(
    entries: Sequence[zipfile.ZipInfo], file: BinaryIO, end: int, say: Voice
) -> None:
    """Raise where two entries share bytes: a small archive could unpack without end."""
    taken = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        file.seek(entry.header_offset)
        head = file.read(_LOCAL_BYTES)
        if len(head) < _LOCAL_BYTES or not head.startswith(_LOCAL):
            raise zipfile.BadZipFile
        name, extra = struct.unpack("<26xHH", head)
        if entry.header_offset < taken:
            raise PackRefusedError(say.phrase("parts of the archive overlap: make it again"))
        taken = entry.header_offset + _LOCAL_BYTES + name + extra + entry.compress_size
    if taken > end:
        raise PackRefusedError(say.phrase("parts of the archive overlap: make it again"))


def _those_of_a_pack(entries: Sequence[zipfile.ZipInfo], say: Voice) -> dict[str, zipfile.ZipInfo]:
    """Return the entries of the one pack, at the top of the archive or in a folder of it."""
    by_name = {entry.filename: entry for entry in entries}
    roots = [
        name.removesuffix(MANIFEST)
        for name in by_name
        if name.rpartition("/")[2] == MANIFEST and not name.startswith("__MACOSX/")
    ]
    if len(roots) != 1:
        raise PackRefusedError(
            say.phrase(
                "the archive holds {n} districts: send one, the folder that averse build wrote",
                n=len(roots),
            )
        )
    missing = [part for part in _UNPACKED if roots[0] + part not in by_name]
    if missing:
        raise PackRefusedError(
            say.phrase("the archive lacks {part}: send the whole folder that averse build wrote",
                       part=missing[0])
        )  # fmt: skip
    return {part: by_name[roots[0] + part] for part in _UNPACKED}


# --------------------------------------------------------------------------- what it holds
def _write(book: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path, say: Voice) -> None:
    """Unpack an entry; more bytes than it tells of end it."""
    left = min(entry.file_size, MOST_UNPACKED_BYTES)
    with book.open(entry) as packed, path.open("xb") as out:
        while part := packed.read(_PART_BYTES):
            left -= len(part)
            if left < 0:
                raise PackRefusedError(
                    say.phrase("unpacked, the archive has {n:,} MB: no district is like that",
                               n=MOST_UNPACKED_BYTES // 1_000_000)
                )  # fmt: skip
            out.write(part)
    if left:
        raise zipfile.BadZipFile
