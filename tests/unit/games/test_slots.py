"""Frozen values whose constructors are written by hand: they are the dataclasses that they look like."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import pytest

from pbem.games import GAMES, Chance, Hidden, Seat
from pbem.games.amazonian_buffet.position import Position as BuffetPosition
from pbem.games.amazonian_buffet.turns import Field
from pbem.games.martian_trickery.position import Position as TrickeryPosition
from pbem.games.martian_trickery.position import Trick
from pbem.games.martian_whist.game import PastMove
from pbem.games.martian_whist.game import Position as WhistPosition
from pbem.games.montauk.round import Position as MontaukPosition

BY_HAND = (
    Hidden, BuffetPosition, Field, TrickeryPosition, Trick, WhistPosition, PastMove, MontaukPosition,
)  # fmt: skip


@pytest.mark.parametrize("cls", BY_HAND)
def test_each_parameter_fills_the_field_of_its_name(cls: type[Any]) -> None:
    names = [field.name for field in fields(cls)]
    assert list(inspect.signature(cls).parameters) == names
    value = cls(*names)
    assert [getattr(value, name) for name in names] == names
    assert cls(**dict(zip(names, names, strict=True))) == value


@pytest.mark.parametrize("cls", BY_HAND)
def test_a_value_is_frozen(cls: type[Any]) -> None:
    first, *others = (field.name for field in fields(cls))
    value = cls(first, *others)
    with pytest.raises(FrozenInstanceError):
        setattr(value, first, "changed")
    changed = replace(value, **{first: "changed"})
    assert (getattr(value, first), getattr(changed, first)) == (first, "changed")
    assert all(getattr(changed, name) == name for name in others)


@pytest.mark.parametrize("key", GAMES)
def test_equal_positions_have_one_hash_and_can_be_copied(key: str) -> None:
    game = GAMES[key]

    def position() -> Any:
        chance = Chance(bytes(32))
        start = game.setup(game.seats[-1], {}, chance)
        return game.apply(start, Seat(1), next(game.moves(start, Seat(1))), chance) if key == "martian-whist" else start

    one, other = position(), position()
    assert len({one, other, copy.deepcopy(one), pickle.loads(pickle.dumps(one))}) == 1  # noqa: S301 (made here)
