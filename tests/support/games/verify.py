"""What tests of verify share."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from tests.support.games.small_record import finished

if TYPE_CHECKING:
    from collections.abc import Iterator


OURS: dict[str, Any] = finished(taken_back=True).data()


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """List every word and number of a record with its place."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from places(value, (*path, key))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from places(value, (*path, number))
    else:
        yield path, data


def changed(path: tuple[Any, ...], value: Any) -> Any:
    data = copy.deepcopy(OURS)
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return data
