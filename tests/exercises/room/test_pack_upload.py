"""A district pack that is sent as a .zip: taken as it was, or refused whole and in one sentence."""

import io
import stat
import struct
import tracemalloc
import zipfile
import zlib

import pytest

from exercises.room import pack_upload
from exercises.room.pack_upload import MOST_ENTRIES, PackRefusedError, unpack
from gis.store import GPKG, GROUND, MANIFEST, read_district, read_ground

PARTS = (MANIFEST, GPKG, GROUND)


@pytest.fixture
def refused(tmp_path):
    """Refuse an archive, in both languages, and return the English sentence."""

    def refuse(content):
        archive, folder = tmp_path / "sent.zip", tmp_path / "out" / "pack"
        archive.write_bytes(content)
        said = []
        for lang in ("fr", "en"):
            with pytest.raises(PackRefusedError) as told:
                unpack(archive, "town.zip", folder, lang)
            said.append(str(told.value))
        french, english = said
        assert french != english
        assert "\n" not in english
        assert list((tmp_path / "out").iterdir()) == []  # nothing of it stays
        assert {path.name for path in tmp_path.iterdir()} == {"sent.zip", "out"}
        return english

    return refuse


def zipped(entries, method=zipfile.ZIP_DEFLATED):
    """An archive of names, or entries, and what they hold."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as book:
        for name, content in entries:
            book.writestr(name, content)
    return out.getvalue()


def with_pack(pack, *entries):
    """A sound pack, and more in the same archive."""
    parts = [(part, (pack / part).read_bytes()) for part in PARTS]
    return zipped([*parts, *entries])


def entry(name, mode=0, flags=0):
    made = zipfile.ZipInfo("x")
    made.filename = made.orig_filename = name
    made.external_attr = mode << 16
    made.create_system = 3
    made.flag_bits |= flags
    return made


# ------------------------------------------------------------------------- taken
@pytest.mark.parametrize("root", ["", "my town/"])
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_pack_is_taken_as_it_was(pack, tmp_path, root, method):
    parts = [(root + part, (pack / part).read_bytes()) for part in PARTS]
    more = [(f"{root}water/x.npz", b"old"), (f"__MACOSX/{root}._manifest.json", b"x")]
    (tmp_path / "a.zip").write_bytes(zipped([*parts, *more], method))
    unpack(tmp_path / "a.zip", "a.zip", tmp_path / "taken", "en")
    assert {path.name for path in (tmp_path / "taken").iterdir()} == set(PARTS)
    assert read_district(tmp_path / "taken").digest == read_district(pack).digest
    assert read_ground(tmp_path / "taken").digest == read_ground(pack).digest
    # another one takes its place, and a faulty one does not
    unpack(tmp_path / "a.zip", "a.zip", tmp_path / "taken", "en")
    (tmp_path / "b.zip").write_bytes(zipped(parts[:1]))
    with pytest.raises(PackRefusedError):
        unpack(tmp_path / "b.zip", "b.zip", tmp_path / "taken", "en")
    assert read_district(tmp_path / "taken").digest == read_district(pack).digest


# ------------------------------------------------------------------------- names
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("../evil", "leads out"),
        ("a/../../evil", "leads out"),
        ("/etc/evil", "no drive and no other root"),
        ("..\\evil", "no drive and no other root"),
        ("C:/evil", "no drive and no other root"),
        ("a:stream", "no drive and no other root"),
        ("a\0b", "cannot be used on every system"),
        ("a\nb", "cannot be used on every system"),
        ("./a", "cannot be used on every system"),
        ("a//b", "cannot be used on every system"),
        ("CON", "cannot be used on every system"),
        ("x/nul.txt", "cannot be used on every system"),
        ("lpt1 .a", "cannot be used on every system"),
        ("a.", "cannot be used on every system"),
        ("a /b", "cannot be used on every system"),
        ("\u202efdp.exe", "cannot be used on every system"),
        ("x" * 300, "cannot be used on every system"),
    ],
)
def test_a_name_that_is_none_here_is_refused(pack, refused, name, words):
    said = refused(with_pack(pack, (entry(name), b"x")))
    assert words in said
    assert said.isprintable()


@pytest.mark.parametrize(
    "names",
    [
        ("MANIFEST.JSON",),
        ("Ground.TIF",),
        ("e\u0301.txt", "\u00e9.txt"),
        ("stra\u00dfe", "STRASSE"),
        ("a", "a/b"),
        ("a/b", "a"),
        ("district.gpkg/x",),
    ],
)
def test_two_names_for_one_file_are_refused(pack, refused, names):
    content = with_pack(pack, *((name, b"x") for name in names))
    assert "stands twice" in refused(content)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_stands_twice_is_refused(pack, refused):
    assert "stands twice" in refused(with_pack(pack, (MANIFEST, b"{}")))


@pytest.mark.parametrize(
    "mode",
    [stat.S_IFLNK | 0o777, stat.S_IFIFO | 0o600, stat.S_IFCHR | 0o600, stat.S_IFSOCK | 0o600],
)
def test_links_and_devices_are_refused(pack, refused, mode):
    link = (entry("link", mode), b"/etc/passwd")
    assert "links and devices are not taken" in refused(with_pack(pack, link))


# ------------------------------------------------------------------------- what it holds
def changed(content, name, offset, value, form="<H"):
    """An archive whose list says something else of an entry."""
    data = bytearray(content)
    at = data.rindex(b"PK\x01\x02", 0, data.rindex(name.encode()))
    struct.pack_into(form, data, at + offset, value)
    return bytes(data)


def test_what_is_encrypted_or_packed_otherwise_is_refused(pack, refused):
    content = with_pack(pack, ("more", b"x"))
    assert "encrypted" in refused(changed(content, "more", 8, 1))
    assert "method of compression" in refused(changed(content, "more", 10, 14))
    bz2 = zipped([("a", b"x")], zipfile.ZIP_BZIP2)
    assert "method of compression" in refused(bz2)


def test_a_bomb_is_refused_before_it_is_unpacked(refused, pack):
    zeros = bytes(20_000_000)
    bomb = with_pack(pack, ("more", zeros), ("nested.zip", zipped([("b", zeros)])))
    assert len(bomb) < 1_000_000
    tracemalloc.start()
    assert "unpacked, the archive has" in refused(bomb)
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


def test_parts_that_share_their_bytes_are_refused(refused):
    """As in Fifield's overlapping bomb: many entries, one body."""
    body = zlib.compress(bytes(100_000), 9)[2:-4]
    crc = zlib.crc32(bytes(100_000))
    local, central = b"", b""
    name = b"a"
    local = struct.pack(
        "<4s5H3L2H", b"PK\3\4", 20, 0, 8, 0, 0, crc, len(body), 100_000, len(name), 0
    )
    local += name + body
    for letter in b"abcdefgh":
        central += struct.pack(
            "<4s6H3L5H2L",
            *(b"PK\1\2", 20, 20, 0, 8, 0, 0, crc, len(body), 100_000),
            *(1, 0, 0, 0, 0, 0, 0),
        )
        central += bytes([letter])
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 8, 8, len(central), len(local), 0)
    assert "overlap" in refused(local + central + end)


@pytest.mark.parametrize("told", [10, 0])
def test_sizes_that_lie_are_refused(pack, refused, told):
    """Told small, an entry is not unpacked beyond; told large, it is not believed."""
    content = with_pack(pack)
    short = changed(content, GPKG, 24, told, "<L")
    assert "no .zip that can be read" in refused(short)
    real = (pack / GPKG).stat().st_size
    assert "no .zip that can be read" in refused(changed(content, GPKG, 24, real + 9, "<L"))


def test_sizes_past_reason_are_refused(pack, refused, monkeypatch):
    monkeypatch.setattr(pack_upload, "MOST_ZIP_BYTES", 1_000)
    assert "larger than" in refused(with_pack(pack))
    monkeypatch.undo()
    monkeypatch.setattr(pack_upload, "MOST_UNPACKED_BYTES", 1_000)
    assert "unpacked, the archive has" in refused(with_pack(pack))


def test_a_hundred_thousand_entries_are_refused_before_they_are_read(refused):
    row = struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, *[0] * 6)
    central = (row + b"a") * 100_000
    for counted in (0xFFFF, 3):  # what it says of their number is not believed
        end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, counted, counted, len(central), 0, 0)
        assert f"more than {MOST_ENTRIES:,} entries" in refused(central + end)


@pytest.mark.parametrize(
    "content",
    [b"", b"PK\5\6", b"x" * 5_000, zipped([("a", b"x")])[:-30], zipped([("a", b"x" * 99)])[40:]],
    ids=["empty", "short", "noise", "cut", "headless"],
)
def test_what_is_no_zip_is_told(refused, content):
    assert refused(content) == "town.zip is no .zip that can be read: make it again"


def test_a_damaged_part_is_told(pack, refused):
    content = bytearray(with_pack(pack))
    content[content.index(b"PK\3\4", 200) + 200] ^= 0xFF
    said = refused(bytes(content))
    assert "no .zip that can be read" in said or "no district that can be played" in said


def test_a_zip64_end_is_refused(pack, refused):
    content = with_pack(pack)
    at = content.rindex(b"PK\5\6")
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, 0, 1)
    assert "no .zip" in refused(content[:at] + locator + content[at:])


# ------------------------------------------------------------------------- a pack in it
def test_an_archive_without_a_playable_district_is_told(pack, refused):
    parts = {part: (pack / part).read_bytes() for part in PARTS}
    assert "holds 0 districts" in refused(zipped([("readme.txt", b"x")]))
    two = [(f"{root}/{part}", content) for root in "ab" for part, content in parts.items()]
    assert "holds 2 districts" in refused(zipped(two))
    assert f"lacks {GROUND}" in refused(zipped(list(parts.items())[:2]))
    other = {**parts, MANIFEST: parts[MANIFEST].replace(b"Essai", b"Autre")}
    for name, content in ((GPKG, b"no database"), (GROUND, b"no raster"), (MANIFEST, b"{}")):
        said = refused(zipped({**other, name: content}.items()))
        assert said.startswith("town.zip holds no district that can be played: ")
        assert "/out/" not in said
