"""Setting the fields of new frozen values by their slots."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

Setter: TypeAlias = "Callable[[object, Any], None]"


def slot_setters(cls: type) -> tuple[Setter, ...]:
    """Return the functions that set the fields of a new value of a frozen, slotted dataclass, in their order.

    They serve a constructor written by hand, in a class of which each move makes values: the generated one sets every
    field by name through `object.__setattr__`, in nearly twice the time. To everybody else the class stays frozen.
    """
    return tuple(getattr(cls, field.name).__set__ for field in fields(cls))
