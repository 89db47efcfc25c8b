"""Randomness of a game, all drawn from one seed, so that anyone who knows it can repeat the draws.

The formulas are those of the rulebooks' page on conventions: a stream of words per label, made by HMAC-SHA256, from
which numbers are taken without bias.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain
from struct import Struct
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

T = TypeVar("T")

SEED_BYTES = 32
_HMAC_BLOCK_BYTES = sha256().block_size
_WORD_VALUES = 1 << 32
_split_words = Struct(">8I").unpack
"""Function that splits a block into its words."""
_INNER_MASK, _OUTER_MASK = (bytes(byte ^ mask for byte in range(256)) for mask in (0x36, 0x5C))
"""HMAC's two masks, as translation tables of bytes."""


class Stream:
    """Numbers of one label, in their fixed order."""

    __slots__ = ("_words",)

    def __init__(self, seed: bytes, label: str) -> None:
        self._words = chain.from_iterable(_blocks(seed, label.encode() + b"\0"))

    def below(self, n: int) -> int:
        """Draw a number from 0 to n - 1, all equally likely; n is from 1 to 2**32."""
        for word in self._words:
            # The words after the last full multiple of n would favour some numbers.
            if word - (number := word % n) <= _WORD_VALUES - n:
                return number
        raise AssertionError  # pragma: no cover (the words never end)

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Shuffle with the next numbers: below n for n items, then for one fewer, down to two."""
        words, order = self._words, list(items)
        # `below`, inlined: a hand takes dozens of these numbers, and nearly every word is small enough for any n.
        small = _WORD_VALUES - len(order)
        for n in range(len(order), 1, -1):
            word = next(words)
            while word > small and word - word % n > _WORD_VALUES - n:
                word = next(words)
            at = word % n
            order[n - 1], order[at] = order[at], order[n - 1]
        return tuple(order)

    def roll(self) -> int:
        """Roll a die: 1 to 6."""
        return self.below(6) + 1


class Chance:
    """Deals and rolls of a match, drawn from its seed; passed in, never stored in a position."""

    __slots__ = ("_seed",)

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        self._seed = seed

    def stream(self, label: str) -> Stream:
        """Start the stream of a label, always from its beginning."""
        return Stream(self._seed, label)

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in the order into which the label's stream shuffles them."""
        return self.stream(label).shuffled(items)

    def rolls(self, label: str, times: int) -> tuple[int, ...]:
        """Roll a die several times."""
        roll = self.stream(label).roll
        return tuple(roll() for _ in range(times))


@dataclass(frozen=True, slots=True)
class LabelDraw:
    """What a label produced: the items in their shuffled order, the rolls, or the numbers of its stream."""

    label: str
    gave: tuple[object, ...]
    items: tuple[object, ...] | None = field(default=None, compare=False)
    """Items before they were shuffled."""
    numbers: tuple[tuple[int, int], ...] = field(default=(), compare=False)
    """Numbers of a stream, each after the number that it is below; those of rolls begin at 0."""


def item_texts(items: Iterable[object]) -> list[str]:
    """Return the texts of shuffled items; the parts of a tuple are joined by slashes."""
    return ["/".join(map(str, item)) if isinstance(item, tuple) else str(item) for item in items]


class RecordingStream(Stream):
    """Stream that records its numbers."""

    __slots__ = ("_label", "_numbers", "gave")

    def __init__(self, seed: bytes, label: str) -> None:
        super().__init__(seed, label)
        self._label = label
        self._numbers: list[tuple[int, int]] = []
        self.gave: list[object] = []

    def below(self, n: int) -> int:
        """Draw a number and record it."""
        number = super().below(n)
        self._numbers.append((n, number))
        self.gave.append(number)
        return number

    def roll(self) -> int:
        """Roll a die and record the roll."""
        number = super().roll()
        self.gave[-1] = number
        return number

    def recorded(self) -> LabelDraw:
        """Return what was drawn so far."""
        return LabelDraw(self._label, tuple(self.gave), numbers=tuple(self._numbers))


class RecordingChance(Chance):
    """Chance that records what each label produced, by which a record is shown to be fair."""

    __slots__ = ("_draws",)

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self._draws: list[LabelDraw | RecordingStream] = []

    def stream(self, label: str) -> Stream:
        """Start a stream that is recorded."""
        stream = RecordingStream(self._seed, label)
        self._draws.append(stream)
        return stream

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """Shuffle, and record the items before and after it."""
        shuffled = Stream(self._seed, label).shuffled(items)
        self._draws.append(LabelDraw(label, shuffled, items=tuple(items)))
        return shuffled

    def taken(self) -> tuple[LabelDraw, ...]:
        """Return what was drawn since the last call."""
        drawn = tuple(draw if isinstance(draw, LabelDraw) else draw.recorded() for draw in self._draws)
        self._draws.clear()
        return drawn


class ContinuedChance(Chance):
    """Chance that repeats earlier draws by their labels, and draws everything else from a seed of its own.

    It is used by a match that continues from a position of another one.
    """

    __slots__ = ("_before", "_drawn")

    def __init__(self, seed: bytes, before: Chance, drawn: frozenset[str]) -> None:
        super().__init__(seed)
        self._before, self._drawn = before, drawn

    def stream(self, label: str) -> Stream:
        """Start the stream of a label, from the seed that the label belongs to."""
        return self._before.stream(label) if label in self._drawn else super().stream(label)


class ObservedChance(Chance):
    """Chance that records the labels requested, and draws from another one."""

    __slots__ = ("_chance", "labels")

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self.labels: set[str] = set()

    def stream(self, label: str) -> Stream:
        """Start a stream of the other chance."""
        self.labels.add(label)
        return self._chance.stream(label)


def _blocks(seed: bytes, prefix: bytes) -> Iterator[tuple[int, ...]]:
    # HMAC with its key prepared once: a block then takes a quarter of the time of `hmac.digest`.
    key = seed.ljust(_HMAC_BLOCK_BYTES, b"\0")
    inner, outer = sha256(key.translate(_INNER_MASK) + prefix), sha256(key.translate(_OUTER_MASK))
    index = 0
    while True:
        message, block = inner.copy(), outer.copy()
        message.update(index.to_bytes(8, "big"))
        block.update(message.digest())
        yield _split_words(block.digest())
        index += 1
