"""What a database says is wrong, in one clause that follows its name."""

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from sim.errors import JournalError
from sim.refusal import mark, refuse

_SHOWN = 200
"""Characters shown of what the database itself says."""


class UnsureError(JournalError):
    """What was asked of a database may be done, or not: it was lost before it answered."""


class FaultError(Exception):
    """Something that a database does, in words that follow its name.

    Attributes
    ----------
    may_be_done : bool
        Whether what was asked before may be done all the same.
    """

    may_be_done = False


class AwayError(FaultError):
    """A database that cannot be reached."""


class ConnectionLostError(Exception):
    """The connection ended while it was used.

    Attributes
    ----------
    may_be_done : bool
        Whether COMMIT was on its way: without it, what was asked is undone.
    """

    def __init__(self, *, may_be_done: bool = False) -> None:
        super().__init__("the connection was lost")
        self.may_be_done = may_be_done


def as_fault(error: FaultError | ConnectionLostError) -> FaultError:
    """Return a lost connection as what the database does: it does not answer."""
    if isinstance(error, FaultError):
        return error
    return AwayError(refuse("", "does not answer ({error})", error=str(error)))


_OF_ITS_ROLE = mark(
    "does not let this role do that: give it the rights that docs/centre.md names, or another role"
)
_READ_ONLY = mark(
    "may only be read by this role, or is a standby: give the address of one that may be written"
)
_BY_HAND = mark("was changed by hand: tables of averse are missing in it; take it from a copy")
_WRITTEN = mark("was written by another process meanwhile: close the exercise and open it again")
_FAULTS = {
    "42501": _OF_ITS_ROLE,
    "25006": _READ_ONLY,
    "42P01": _BY_HAND,
    "42703": _BY_HAND,
    "3F000": _BY_HAND,
    "23001": _WRITTEN,
    "23505": _WRITTEN,
    "53100": mark("cannot grow: its disk is full; make room, then go on"),
    "53300": mark("has no connection free: close one, or raise max_connections"),
    "57014": mark("took longer than it is allowed to (statement_timeout); try again"),
    "55P03": mark("is locked by another program; try again"),
}


def read_only() -> FaultError:
    """Return the fault of a database that may only be read."""
    return FaultError(refuse("", "{fault}", fault=_READ_ONLY))


def no_right() -> FaultError:
    """Return the fault of a role that lacks a right."""
    return FaultError(refuse("", "{fault}", fault=_OF_ITS_ROLE))


def fault_of(error: SQLAlchemyError) -> FaultError:
    """Return what an error means; no value that was sent is in it, nor a password."""
    cause = error.orig if isinstance(error, DBAPIError) else None
    state = getattr(cause, "sqlstate", None)
    if state in _FAULTS:
        return FaultError(refuse("", "{fault}", fault=_FAULTS[state]))
    said = one_line(cause or error)
    return FaultError(refuse("", "cannot be used ({error}); look at the database", error=said))


def unreachable(error: SQLAlchemyError | Exception) -> AwayError:
    """Return the fault of a database that cannot be connected to."""
    cause = getattr(error, "orig", None) or error
    return AwayError(
        refuse(
            "",
            "cannot be opened ({error}): look at the host, the name, the role and the password of "
            "the address",
            error=one_line(cause),
        )
    )


def one_line(error: BaseException) -> str:
    """Return what an error says, on one line and not without end."""
    diagnosed = getattr(getattr(error, "diag", None), "message_primary", None)
    said = " ".join(str(diagnosed or error).split()) or type(error).__name__
    return said if len(said) <= _SHOWN else said[:_SHOWN] + "…"
