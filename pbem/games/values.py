"""Fast construction of values that are made at every move.

A frozen dataclass sets each of its fields through `object.__setattr__`, about a tenth of a microsecond a field: for a
position with ten fields that is a good part of all the time that its move takes.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from _typeshed import DataclassInstance

    D = TypeVar("D", bound=DataclassInstance)


_MAX_SLOT_FIELDS = 3
"""Maximum number of fields for which setting each through its own slot is faster than changing classes twice."""


def fast_init(frozen: type[D]) -> type[D]:
    """Make a frozen, slotted dataclass faster to construct, three times with ten fields; all else stays as it is.

    Its fields may have defaults, but no default factories, and no class may inherit from it. While it is filled a
    value belongs to a subclass that is not frozen, so that its fields are set by plain assignments; then it gets its
    own class, and with it all that protects it from changes. One of few fields is filled through its slots.
    """
    all_fields = fields(frozen)
    defaults = {f"default_{f.name}": f.default for f in all_fields if f.default is not MISSING}
    given = (f"{f.name}=default_{f.name}" if f"default_{f.name}" in defaults else f.name for f in all_fields)
    if len(all_fields) <= _MAX_SLOT_FIELDS:
        names = defaults | {f"set_{f.name}": getattr(frozen, f.name).__set__ for f in all_fields}
        filling = [f"set_{f.name}(self, {f.name})" for f in all_fields]
    else:
        names = defaults | {"draft": _make_draft(frozen), "frozen": frozen, "set_attribute": object.__setattr__}
        assignments = (f"self.{f.name} = {f.name}" for f in all_fields)
        filling = ["set_attribute(self, '__class__', draft)", *assignments, "self.__class__ = frozen"]
    # As in `dataclass` itself: there is no other way to a constructor with the parameters that it wrote.
    exec("\n ".join([f"def __init__(self, {', '.join(given)}):", *filling]), names)  # noqa: S102 -- names of fields
    constructor: Callable[..., None] = names["__init__"]
    frozen.__init__ = constructor  # type: ignore[method-assign]
    return frozen


def _make_draft(frozen: type[D]) -> type[D]:
    plain = {"__slots__": (), "__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    return type(f"{frozen.__name__}Draft", (frozen,), plain)
