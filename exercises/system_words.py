"""What a system says is wrong with a file or a network, to be told in any language.

Each is ``os.strerror`` of an error as Linux words it; another system's words are shown as they are.
"""

from sim.refusal import Refusal, mark, refuse

REASONS = frozenset(
    {
        mark("Operation not permitted"),
        mark("No such file or directory"),
        mark("Input/output error"),
        mark("Permission denied"),
        mark("Device or resource busy"),
        mark("File exists"),
        mark("Invalid cross-device link"),
        mark("Not a directory"),
        mark("Is a directory"),
        mark("Invalid argument"),
        mark("Too many open files"),
        mark("Too many open files in system"),
        mark("Text file busy"),
        mark("File too large"),
        mark("No space left on device"),
        mark("Read-only file system"),
        mark("Too many links"),
        mark("Broken pipe"),
        mark("File name too long"),
        mark("Directory not empty"),
        mark("Too many levels of symbolic links"),
        mark("Disk quota exceeded"),
        mark("Stale file handle"),
        mark("Cannot allocate memory"),
        mark("Resource temporarily unavailable"),
        mark("Address already in use"),
        mark("Cannot assign requested address"),
        mark("Network is unreachable"),
        mark("No route to host"),
        mark("Connection refused"),
        mark("Connection reset by peer"),
        mark("Connection timed out"),
        mark("Name or service not known"),
        mark("Transport endpoint is not connected"),
    }
)


def refused_by_system(fault: OSError) -> Refusal:
    """Return what is said of a file that the system does not read or write.

    Examples
    --------
    >>> str(refused_by_system(OSError(28, "No space left on device", "room")))[:54]
    'room cannot be read or written (No space left on devic'
    """
    return refuse(
        "",
        "{where} cannot be read or written ({why}), and nothing was kept: make room, or mend what "
        "is there, then try again",
        where=str(fault.filename or "averse"),
        why=str(fault.strerror or fault),
    )
