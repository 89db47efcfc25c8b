"""Values that are made quickly are frozen dataclasses in all else."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, replace
from typing import Any

import pytest

from pbem.games.values import fast_init


@fast_init
@dataclass(frozen=True, slots=True)
class Spot:
    """Something to be made."""

    row: int
    column: int
    names: tuple[str, ...] = ("corner",)


@fast_init
@dataclass(frozen=True, slots=True)
class Span:
    """Something with more fields to be made."""

    row: int
    column: int
    height: int = 1
    width: int = 1


def test_it_is_made_as_its_fields_say() -> None:
    assert repr(Spot(1, 2)) == "Spot(row=1, column=2, names=('corner',))"
    assert repr(Spot(column=2, names=(), row=1)) == "Spot(row=1, column=2, names=())"
    assert repr(Span(1, 2, width=3)) == "Span(row=1, column=2, height=1, width=3)"
    assert (type(Spot(1, 2)), type(Span(1, 2))) == (Spot, Span)


@pytest.mark.parametrize("made", [Spot, Span])
@pytest.mark.parametrize("given", [{}, {"row": 1}, {"row": 1, "column": 2, "depth": 3}])
def test_it_is_not_made_otherwise(made: type[Any], given: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        made(**given)


@pytest.mark.parametrize("made", [Spot, Span])
def test_it_never_changes(made: type[Any]) -> None:
    spot: Any = made(1, 2)
    for change in ("spot.row = 3", "del spot.row", "spot.depth = 3"):
        with pytest.raises((FrozenInstanceError, TypeError)):
            exec(change, {"spot": spot})  # noqa: S102
    assert spot == made(1, 2)


@pytest.mark.parametrize("made", [Spot, Span])
def test_it_compares_and_is_kept_as_ever(made: type[Any]) -> None:
    spot = made(1, 2)
    assert spot == made(1, 2)
    assert spot != made(2, 1)
    assert hash(spot) == hash(made(1, 2))
    assert replace(spot, row=3) == made(3, 2)
    assert copy.copy(spot) == copy.deepcopy(spot) == pickle.loads(pickle.dumps(spot)) == spot  # noqa: S301
    assert not hasattr(spot, "__dict__")
