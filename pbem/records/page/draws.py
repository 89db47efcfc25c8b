"""Records every random draw of a match, in a form that can be verified without knowing the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from pbem.games.chance import Chance, Stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.games import Json

T = TypeVar("T")


class RecordingChance(Chance):
    """Draws the same as Chance, and records each draw: what was shuffled into what, or which numbers came up."""

    __slots__ = ("_seed_bytes", "_written")

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self._seed_bytes = seed
        self._written: list[dict[str, Json]] = []

    def stream(self, label: str) -> Stream:
        """Start a stream that records its draws."""
        below: list[Json] = []
        gave: list[Json] = []
        self._written.append({"label": label, "below": below, "gave": gave})
        return _RecordingStream(self._seed_bytes, label, below, gave)

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """Shuffle, and record the result."""
        shuffled = Stream(self._seed_bytes, label).shuffled(items)
        self._written.append({"label": label, "items": _as_texts(items), "gave": _as_texts(shuffled)})
        return shuffled

    def drain(self) -> list[Json]:
        """Return what was drawn since the last call."""
        taken: list[Json] = [*self._written]
        self._written.clear()
        return taken


class _RecordingStream(Stream):
    __slots__ = ("_below", "_gave")

    def __init__(self, seed: bytes, label: str, below: list[Json], gave: list[Json]) -> None:
        super().__init__(seed, label)
        self._below, self._gave = below, gave

    def below(self, n: int) -> int:
        """Draw a number, and record it."""
        number = super().below(n)
        self._below.append(n)
        self._gave.append(number)
        return number


def _as_texts(items: Sequence[object]) -> list[Json]:
    return ["/".join(map(str, item)) if isinstance(item, tuple) else str(item) for item in items]
