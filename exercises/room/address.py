"""Where a room listens, and under which addresses and names its class reaches it."""

import errno
import socket
import sys
from contextlib import closing
from ipaddress import IPv4Address, ip_address

from sim.errors import ExerciseError
from sim.refusal import refuse

ANYWHERE = frozenset({"0.0.0.0", "::"})
"""Hosts that stand for every network of this machine."""
_EVERYBODY = IPv4Address("255.255.255.255")
BACKLOG = 512
"""Connections that wait to be taken: a class that loads its pages at once."""
# an address kept for documentation (RFC 5737): nothing is ever sent to it
_NOWHERE = ("192.0.2.1", 9)


def listen(host: str, port: int) -> socket.socket:
    """Take a port; 0 takes any that is free.

    Raises
    ------
    ExerciseError
        If it is taken, or the host is not this machine's.
    """
    if not host.strip():
        raise ExerciseError(
            refuse("", "--host is empty: give an address of this machine, or leave it out")
        )
    if _is_of_many(host):
        raise ExerciseError(
            refuse("", "{host} is no machine's own address: give another --host", host=host)
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small pieces at once on a socket that says it is of TCP, and on no other: else
    # the end of an answer waits 40 ms for the other side to acknowledge its beginning
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except (OSError, OverflowError, TypeError, UnicodeError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or error
        raise ExerciseError(
            refuse(
                "",
                "port {port} is taken: give another --port, or close what has it",
                port=port,
            )
            if getattr(error, "errno", None) == errno.EADDRINUSE
            else refuse(
                "",
                "cannot listen on {host}, port {port} ({reason}): give another --port or --host",
                host=host,
                port=str(port),
                reason=str(reason),
            )
        ) from error
    return listening


def _is_of_many(host: str) -> bool:
    """Whether an address is that of all machines of a network, or of a group of them."""
    try:
        address = ip_address(host)
    except ValueError:  # a name
        return False
    return address.is_multicast or address == _EVERYBODY


def shown_address(host: str) -> str:
    """Return the address under which others of the network reach this machine.

    >>> shown_address("127.0.0.1"), shown_address("::1")
    ('127.0.0.1', '[::1]')
    """
    if host not in ANYWHERE:
        return f"[{host}]" if ":" in host else host
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            # asks only which of the machine's addresses would be used
            probe.connect(_NOWHERE)
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def own_names(host: str) -> tuple[str, ...]:
    """Return names under which a browser may reach this machine, beside its addresses."""
    name = socket.gethostname().lower()
    given = () if host in ANYWHERE else (host.lower(),)
    return tuple(dict.fromkeys((name, f"{name}.local", *given)))
