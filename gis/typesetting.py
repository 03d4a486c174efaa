"""Sets data on pages with typst, in the fonts shipped, and writes a file whole or not at all.

Equal data give equal bytes: typst reads no clock, and no font of the machine while ours will do.
"""

import json
import os
import tempfile
import unicodedata
from collections.abc import Mapping
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Literal

import typst

from sim.errors import AverseError, DistrictError

POINTS_AN_INCH = 72.0
_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC")
"""Scripts of the fonts at hand; a name in another is set in the machine's own fonts."""


def beyond_our_fonts(text: str) -> bool:
    """Whether a text has letters that the fonts shipped lack.

    >>> beyond_our_fonts("Averskoïe, Хинган"), beyond_our_fonts("圣")
    (False, True)
    """
    return any(
        c.isalpha() and not unicodedata.name(c, "").startswith(_SCRIPTS) and ord(c) > 0x2FF
        for c in text
    )


def set_pages(package: str, template: str, data: Mapping[str, Any], names: str) -> bytes:
    """Set a template of a package as a PDF.

    Parameters
    ----------
    package : str
        Package whose ``assets`` hold the template, as ``gis``.
    template : str
        Path within them; what it imports lies beside it.
    data : mapping
        Plain values, which the template takes from ``sys.inputs.data`` as JSON: none is markup.
    names : str
        All text of a town or of players in the data: the fonts of the machine serve only scripts
        that ours lack.
    """
    return _compiled(package, template, data, "pdf", own_fonts=not beyond_our_fonts(names))


def set_picture(package: str, template: str, data: Mapping[str, Any]) -> bytes:
    """Set a template of one page as a PNG, a pixel a point, in the machine's fonts too."""
    return _compiled(package, template, data, "png", own_fonts=False)


def _compiled(
    package: str,
    template: str,
    data: Mapping[str, Any],
    form: Literal["pdf", "png"],
    *,
    own_fonts: bool,
) -> bytes:
    with (
        as_file(files("gis") / "assets" / "sheet" / "fonts") as fonts,
        as_file(files(package) / "assets") as assets,
    ):
        folder = (assets / template).parent
        made = typst.compile(
            assets / template,
            root=folder,
            font_paths=[fonts],
            ignore_system_fonts=own_fonts,
            sys_inputs={"data": json.dumps(data, ensure_ascii=False, allow_nan=False)},
            format=form,
            ppi=POINTS_AN_INCH,
        )
    return bytes(made)


def write_whole(path: Path, content: bytes, error: type[AverseError] = DistrictError) -> None:
    """Write a file whole, or leave it as it was.

    Raises
    ------
    AverseError
        Of the kind given, if it cannot be written.
    """
    aside = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(aside, 0o644)
        os.replace(aside, path)
    except OSError as fault:
        if aside:
            Path(aside).unlink(missing_ok=True)
        raise error(f"cannot write {path}: {fault.strerror}; choose another file") from fault
