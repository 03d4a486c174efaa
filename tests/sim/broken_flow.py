"""The solver read by Python instead of compiled, as it is written or broken on purpose."""

import inspect
import types
from contextlib import contextmanager
from unittest import mock

import numpy as np

import sim.flow
import sim.flow_kernel


def interpreted(broken="", by=""):
    """The solver's steps as plain Python; with one piece of their text put wrong."""
    text = inspect.getsource(sim.flow_kernel)
    assert not broken or text.count(broken) == 1, f"{broken!r} is no longer in the solver once"
    module = types.ModuleType("interpreted_flow_kernel")
    plain = mock.Mock()
    plain.njit = lambda *_, **__: lambda function: function
    text = text.replace("import numba\n", "")
    text = text.replace(broken, by) if broken else text
    module.__dict__["numba"] = plain
    exec(compile(text, "flow_kernel.py", "exec"), module.__dict__)
    return module


@contextmanager
def solver(module):
    """Let ``Flow`` move by the steps of another module."""
    with (
        mock.patch.object(sim.flow, "advance", module.advance),
        mock.patch.object(sim.flow, "hold", module.hold),
        np.errstate(all="ignore"),
    ):
        yield
