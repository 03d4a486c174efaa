"""The cable between a program and its database, to be pulled at a moment of the tests' choice."""

import contextlib
import os
import shutil
import socket
import tempfile
import threading
from pathlib import Path

_SOCKET = ".s.PGSQL.5432"


class Cable:
    """Passes on all that goes between programs and a server, until it is cut.

    Attributes
    ----------
    folder : Path
        Where programs find the server's socket.
    was_cut : bool
        Since it was last asked for.
    """

    def __init__(self, server: Path) -> None:
        self._server = server / _SOCKET
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
        self.was_cut = False
        self._at: tuple[bytes, bool, bool, bool] | None = None
        self._ends: list[socket.socket] = []
        self._listening: socket.socket | None = None

    def __enter__(self):
        self.open()
        return self

    def __exit__(self, *_):
        self.close_all()
        shutil.rmtree(self.folder)

    def open(self) -> None:
        """Let programs connect."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.folder / _SOCKET)
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(str(self.folder / _SOCKET))
        listening.listen()
        self._listening = listening
        threading.Thread(target=self._accept, args=(listening,), daemon=True).start()

    def cut_at(self, word: bytes, *, reaches: bool, hangs: bool, for_good: bool = False) -> None:
        """Be cut when a program next says something.

        Parameters
        ----------
        word : bytes
        reaches : bool
            Whether the server still gets it, and does it; its answer gets nowhere.
        hangs : bool
            Whether the server does not notice.
        for_good : bool
            Whether nobody can connect any more.
        """
        self.was_cut = False
        self._at = (word, reaches, hangs, for_good)

    def close_all(self) -> None:
        """Be cut, for good."""
        if self._listening is not None:
            # wakes whoever waits in accept
            with contextlib.suppress(OSError):
                self._listening.shutdown(socket.SHUT_RDWR)
            self._listening.close()
            self._listening = None
        for end in self._ends:
            _end(end)
        self._ends.clear()

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                program, _ = listening.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(str(self._server))
            except OSError:
                program.close()
                continue
            self._ends += [program, server]
            threading.Thread(target=self._up, args=(program, server), daemon=True).start()
            threading.Thread(target=_down, args=(server, program), daemon=True).start()

    def _up(self, program: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while said := program.recv(65_536):
                if self._at is None or self._at[0] not in said:
                    server.sendall(said)
                    continue
                _, reaches, hangs, for_good = self._at
                self._at = None
                if for_good and self._listening is not None:
                    self._listening.shutdown(socket.SHUT_RDWR)
                    self._listening.close()
                    self._listening = None
                _end(program)  # no answer gets there
                if reaches:
                    server.sendall(said)
                if not hangs:
                    server.shutdown(socket.SHUT_WR)
                self.was_cut = True
                return
        with contextlib.suppress(OSError):
            server.shutdown(socket.SHUT_WR)


def _down(server: socket.socket, program: socket.socket) -> None:
    told = True
    with contextlib.suppress(OSError):
        while said := server.recv(65_536):
            if told:
                try:
                    program.sendall(said)
                except OSError:
                    told = False  # the server is read on: it does not know
    _end(program)
    server.close()


def _end(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
