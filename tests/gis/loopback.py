"""A small HTTP server on loopback that stands for the hosts of maps, faults and all."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from gis.sources.download import Hosts


class Site:
    """What the server holds and how it misbehaves.

    Attributes
    ----------
    files : dict
        Path → body; a path that is absent answers 404.
    faults : dict
        Path → answers to give first, one a request: a status, or ("cut", n) to break off after n
        bytes, or "whole" to send everything whatever range is asked.
    asked : list
        (path, fields, range) of every request.
    """

    def __init__(self):
        self.files, self.faults, self.asked = {}, {}, []
        self.tag = '"first"'
        self.url = ""

    @property
    def hosts(self):
        return Hosts(
            nominatim=f"{self.url}/search",
            overpass=f"{self.url}/interpreter",
            dem=self.url + "/dem/{tile}.tif",
            pause_s=0.0,
        )

    @property
    def paths(self):
        return [path for path, _, _ in self.asked]


@contextmanager
def serving():
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            self.reply(parse_qs(urlsplit(self.path).query))

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.reply(parse_qs(body))

        def reply(self, fields):
            path = urlsplit(self.path).path
            ranged = self.headers.get("Range")
            site.asked.append((path, fields, ranged))
            fault = site.faults[path].pop(0) if site.faults.get(path) else None
            body = site.files.get(path)
            if isinstance(fault, int) or body is None:
                self.send_response(fault if isinstance(fault, int) else 404)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            start = 0
            if ranged and fault != "whole" and self.headers.get("If-Range") == site.tag:
                start = int(ranged.removeprefix("bytes=").removesuffix("-"))
                if start >= len(body):
                    self.send_response(416)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
            else:
                self.send_response(200)
            self.send_header("ETag", site.tag)
            self.send_header("Content-Length", str(len(body) - start))
            self.end_headers()
            cut = isinstance(fault, tuple)
            self.wfile.write(body[start : start + fault[1]] if cut else body[start:])
            if cut:
                self.close_connection = True

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None  # a line that was cut on purpose
    site.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
