"""Who may come in to a room: links that are handed out, sessions of those who came by them.

A link is ended with all that came by it: cookies open nothing then, and pages that are open are
told at once.
"""

from collections.abc import Callable
from threading import Lock

from exercises.room.book import OpenBook

Hears = Callable[[], None]
_MOST_REMEMBERED = 4_096
"""Sessions of which it is remembered that they are good."""


class Doors:
    """The doors of a room, a prefix each.

    Attributes
    ----------
    links : dict of str to str
        Secrets that were handed out since the room was opened, by prefix: they are in no file.
    """

    def __init__(self, book: OpenBook) -> None:
        self.links: dict[str, str] = {}
        self._book = book
        self._lock = Lock()
        self._good: set[tuple[str, str]] = set()
        self._ended = 0
        self._hears: dict[str, list[Hears]] = {}

    def token(self, prefix: str) -> str:
        """Return the secret of a link to a prefix: one is made whenever the room is opened."""
        with self._lock:
            if prefix not in self.links:
                self.links[prefix] = self._book.new_token(prefix)
            return self.links[prefix]

    def session(self, token: str, prefix: str) -> str:
        """Return a session for whoever shows the secret of a link; '' where it opens nothing."""
        return self._book.new_session(token, prefix) if self._book.opens(token, prefix) else ""

    def remembers(self, session: str, prefix: str) -> bool:
        """Whether it is known at once, without a look into the book, that a session is good."""
        return (session, prefix) in self._good

    def admits(self, session: str, prefix: str) -> bool:
        """Whether a session opens the pages of a prefix."""
        shown = (session, prefix)
        with self._lock:
            if shown in self._good:
                return True
            ended = self._ended
        if not self._book.admits(session, prefix):
            return False
        with self._lock:
            if ended == self._ended:  # else a link was ended meanwhile, perhaps its own
                if len(self._good) >= _MOST_REMEMBERED:
                    self._good.clear()
                self._good.add(shown)
        return True

    def renew(self, prefix: str) -> str:
        """End the links to a prefix with all that came by them; return the secret of a new one."""
        with self._lock:
            self._book.revoke(prefix)
            self.links[prefix] = self._book.new_token(prefix)
            self._good = {shown for shown in self._good if shown[1] != prefix}
            self._ended += 1
            told, token = [*self._hears.get(prefix, ())], self.links[prefix]
        for hears in told:
            hears()
        return token

    def attend(self, prefix: str, hears: Hears) -> Callable[[], None]:
        """Have a page at a prefix told where links are ended; return what ends that."""
        with self._lock:
            kept = self._hears.setdefault(prefix, [])
            kept.append(hears)

        def leave() -> None:
            with self._lock:
                kept.remove(hears)

        return leave
