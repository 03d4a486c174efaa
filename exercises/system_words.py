"""What a system says is wrong with a file or a network, to be told in any language.

Each is ``os.strerror`` of an error as Linux words it; another system's words are shown as they are.
"""

from sim.refusal import mark

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
