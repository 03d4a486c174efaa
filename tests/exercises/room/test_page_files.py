"""The files of the pages: sent from memory, kept for good by a browser, named at once."""

import asyncio
import gzip
import re
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from starlette.applications import Starlette

from exercises.room.page_files import (
    BOARD,
    PAGES,
    STATIC,
    PageFiles,
    page_files,
    templates,
)
from exercises.room.security import HEADERS, Guard
from gis.board_scripts import board_script

SAID = {"needs_script": ""}
_NAMED = re.compile(r'(?:src|href)="(/[^"]+)"')
_PRELOADED = re.compile(r'rel="modulepreload" href="(/[^"]+)"')


class Browser:
    """Asks for the files of pages, each on a connection of its own."""

    def __init__(self):
        app = Starlette(routes=page_files().routes())
        app.add_middleware(Guard)
        self.line = httpx.ASGITransport(app)

    def ask(self, method, path, headers=None):
        async def asked():
            async with httpx.AsyncClient(
                transport=self.line, base_url="http://room:8000"
            ) as client:
                return await client.request(method, path, headers=headers)

        with ThreadPoolExecutor(1) as own:  # tests of browsers leave a loop running in this thread
            return own.submit(asyncio.run, asked()).result()

    def get(self, path, headers=None):
        return self.ask("GET", path, headers)


@pytest.fixture(scope="module")
def browser():
    return Browser()


def on_disk(name):
    return board_script().encode() if name == BOARD else (STATIC / name).read_bytes()


def test_each_file_is_sent_whole_under_the_address_of_all_and_kept_for_good(browser):
    files = page_files()
    assert len(files.files) > 30
    for name in files.files:
        answer = browser.get(f"{files.at}/{name}", headers={"accept-encoding": "identity"})
        assert answer.content == on_disk(name)
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["content-type"].split(";")[0] == (
            "text/css" if name.endswith(".css") else "text/javascript"
        )
        packed = browser.get(f"{files.at}/{name}", headers={"accept-encoding": "gzip"})
        assert packed.headers["content-encoding"] == "gzip"
        assert packed.content == on_disk(name)
        assert packed.headers["etag"] != answer.headers["etag"]
        assert int(packed.headers["content-length"]) < len(on_disk(name))


def test_under_its_bare_name_a_file_is_asked_for_again_and_told_to_be_the_same(browser):
    for encoding in ("gzip", "identity"):
        asked = {"accept-encoding": encoding}
        answer = browser.get("/static/team.js", headers=asked)
        assert answer.headers["cache-control"] == "no-cache"
        assert answer.headers["vary"] == "accept-encoding"
        same = {**asked, "if-none-match": f'"x", W/{answer.headers["etag"]}'}
        again = browser.get("/static/team.js", headers=same)
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == answer.headers["etag"]
        other = {**asked, "if-none-match": '"another"'}
        assert browser.get("/static/team.js", headers=other).content == on_disk("team.js")
    assert browser.ask("POST", "/static/team.js").status_code == 405


def test_an_address_of_other_files_is_nowhere_and_no_answer_lacks_the_headers(browser):
    for path in ("/static/0123456789abcdef/team.js", f"{page_files().at}/none.js", "/static/"):
        answer = browser.get(path)
        assert answer.status_code == 404
        assert answer.headers["content-security-policy"] == HEADERS["content-security-policy"]


def test_the_address_is_another_one_where_a_file_is():
    texts = {"a.js": b"1", "b.css": b"2"}
    one = PageFiles(texts)
    assert PageFiles(dict(reversed(texts.items()))).at == one.at
    assert PageFiles({**texts, "a.js": b"3"}).at != one.at
    assert PageFiles({"c.js": b"1", "b.css": b"2"}).at != one.at


def test_what_a_script_imports_is_found_however_it_is_written():
    files = PageFiles(
        {
            "a.js": b"import { b } from './b.js';\nimport {\n  c,\n} from \"./c.js\";\n"
            b"import './d.js';\n",
            "b.js": b"export { e } from './e.js';\nexport const x = './none.js';\n",
            "c.js": b"import { a } from './a.js';\n/* from './none.js' */\n",
            "d.js": b"const text = \"import './none.js'\";\n",
            "e.js": b"",
        }
    )
    assert files.imported("a.js") == ("b.js", "c.js", "d.js", "e.js")
    assert files.imported("a.js", "c.js") == ("b.js", "d.js", "e.js")
    assert files.imported("e.js") == ()


@pytest.mark.parametrize("name", sorted(path.name for path in PAGES.glob("*.html")))
def test_a_page_names_every_script_that_it_will_import_and_no_other(browser, name):
    page = templates(page_files()).get_template(name)
    text = page.render(lang="en", said=SAID, words="", title="", skip="", why="link")
    named = _NAMED.findall(text)
    preloaded = set(_PRELOADED.findall(text))
    assert len(named) == len(set(named))
    assert all(path.startswith(page_files().at) for path in named)
    sought, left = set(), [path for path in named if path not in preloaded]
    while left:  # what a browser comes upon, one file after the other
        path = left.pop()
        sought.add(path)
        answer = browser.get(path)
        assert answer.status_code == 200, path
        if path.endswith(".js"):
            words = re.findall(r"^\s*import\b[\s\S]*?'\./(\w+\.js)';", answer.text, re.MULTILINE)
            left += {f"{page_files().at}/{word}" for word in words} - sought - set(left)
    assert preloaded <= sought
    assert sought == set(named)
    assert "<style" not in text
    assert not re.search(r"<script(?![^>]*src=)", text)  # none of its own, as its policy has it


def test_files_are_packed_as_well_as_they_can_be():
    files = page_files().files.values()
    assert sum(len(one.zipped) for one in files) < 0.45 * sum(len(one.text) for one in files)
    for one in files:
        assert gzip.decompress(one.zipped) == one.text


def test_nothing_but_the_pages_files_is_read(browser):
    assert not any(path.is_symlink() for path in STATIC.rglob("*"))
    assert not any(path.is_dir() for path in STATIC.iterdir())
    assert set(page_files().files) == {path.name for path in STATIC.iterdir()} | {BOARD}
