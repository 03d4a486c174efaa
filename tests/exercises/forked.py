"""A piece of work in a process of its own, which can be killed, or may do less than this one."""

import os
import signal
import sys
import time


def forked(work, *, user=None, kill_after_s=None):
    """Run ``work(tell)`` in a child; return the lines that it told before it ended.

    Parameters
    ----------
    work : callable
        Called in the child with a function that takes a line of text.
    user : int, optional
        Whom the child runs as; only root may ask for it.
    kill_after_s : float, optional
        The child is killed (SIGKILL) after so long, unless it has ended.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            if user is not None:
                os.setgroups([])
                os.setgid(user)
                os.setuid(user)

            def tell(line):
                os.write(writing, f"{line}\n".encode())

            work(tell)
            os._exit(0)
        except BaseException as error:
            os.write(writing, f"{type(error).__name__}: {error}\n".encode())
            os._exit(1)
    os.close(writing)
    if kill_after_s is not None:
        time.sleep(kill_after_s)
        os.kill(child, signal.SIGKILL)
    with os.fdopen(reading, "rb") as pipe:
        lines = pipe.read().decode().splitlines()
    os.waitpid(child, 0)
    return lines


CAN_FORK = sys.platform.startswith("linux")
