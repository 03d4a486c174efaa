"""Results remembered for a while, by the very objects that they were made of.

For functions of what never changes (a state's tuples, read-only arrays, a district), that several
phases of a turn ask for the same: to compare or hash what they are asked would take longer than to
make it again.
"""

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Parts = ParamSpec("Parts")
Result = TypeVar("Result")


def remembered(count: int) -> Callable[[Callable[Parts, Result]], Callable[Parts, Result]]:
    """Remember the last results of a function; asked by keyword it makes its result anew.

    Parameters
    ----------
    count : int
        How many, at least 1.

    Examples
    --------
    >>> @remembered(2)
    ... def doubled(numbers):
    ...     return [2 * number for number in numbers]
    >>> some = (1, 2)
    >>> doubled(some) is doubled(some), doubled(some) is doubled(tuple([1, 2]))
    (True, False)

    """

    def remembering(make: Callable[Parts, Result]) -> Callable[Parts, Result]:
        # with the parts, so that no others take their places in memory
        last: OrderedDict[tuple[int, ...], tuple[object, Result]] = OrderedDict()

        @wraps(make)
        def asked(*parts: Parts.args, **named: Parts.kwargs) -> Result:
            if named:
                return make(*parts, **named)
            key = tuple(map(id, parts))
            before = last.get(key)
            if before is not None:
                return before[1]
            result = make(*parts, **named)
            last[key] = parts, result
            if len(last) > count:
                last.popitem(last=False)
            return result

        return asked

    return remembering
