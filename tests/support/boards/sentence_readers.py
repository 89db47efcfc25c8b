"""Readers of sentences: the moves of a seat, found in what is told to it and in nothing else.

Each knows the rules of its game as a player does, and gives the moves in any order; where they are countless, as
many as are asked for.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import permutations, product
from typing import TYPE_CHECKING

from pbem.boards import drawing_for
from pbem.games.cards import RANK_NAMES, SUIT_NAMES
from pbem.games.pyramids import COLOUR_NAMES, SIZE_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from random import Random

    from pbem.boards import Board

NAMES = ("Ann", "Bob", "Cyd")
NUMBERS = {
    word: count
    for count, word in enumerate(
        "no one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905 (read as a sentence)
    )
} | {"the": 1, "none": 0}
_NUMBER = rf"(?:{'|'.join(NUMBERS)}|\d+)"
_CARD = re.compile(rf"({'|'.join(RANK_NAMES.values())}) of ({'|'.join(SUIT_NAMES.values())})")
_PYRAMID = rf"(?:{'|'.join(SIZE_NAMES.values())}) (?:{'|'.join(COLOUR_NAMES.values())})"
_STACKS = re.compile(rf"({_NUMBER}) (?:(?:stack|tree)s? of )?({_PYRAMID}(?: over {_PYRAMID})*)")
_RANKS = {name: rank for rank, name in RANK_NAMES.items()}
_SUITS = {name: suit for suit, name in SUIT_NAMES.items()}
_SIZES = {name: size for size, name in SIZE_NAMES.items()}
_COLOURS = {name: colour for colour, name in COLOUR_NAMES.items()}


@dataclass(frozen=True, slots=True)
class Told:
    """What a seat is told at its turn: the position in sentences, and what it is asked for."""

    words: str
    prompt: str

    def after(self, start: str) -> str:
        """Return what follows a beginning, up to the end of its sentence."""
        found = re.search(rf"(?:^|\. ){start}(.*?)\.(?: [A-Z]|$)", self.words)
        assert found, f"nothing is told of “{start}” in: {self.words}"
        return found[1]

    def says(self, words: str) -> bool:
        return words in self.words

    @property
    def you(self) -> str:
        """Whom the sentences speak to, as they call them."""
        found = re.search(r"\w+(?= \(you\))", self.words)
        assert found
        return found[0]


def told(key: str, board: Board, names: tuple[str, ...], you: int, moves: Sequence[str]) -> Told:
    """Return what a seat is told of a position, the lines of each sentence joined."""
    drawing = drawing_for(key)
    words, prompt = drawing.words(board, names, you), drawing.prompt(board, you, moves).text
    return Told(" ".join(words.split()), " ".join(prompt.split()))


def number(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS[word]


def cards(text: str) -> list[str]:
    return [_RANKS[rank] + _SUITS[suit] for rank, suit in _CARD.findall(text)]


def stacks(text: str) -> list[tuple[str, ...]]:
    """List stacks that are told from the top down, each bottom to top and as often as it stands there."""
    found = []
    for count, stack in _STACKS.findall(text):
        pyramids = [pyramid.split() for pyramid in reversed(stack.split(" over "))]
        found += [tuple(_COLOURS[colour] + _SIZES[size] for size, colour in pyramids)] * number(count)
    return found


def alone(text: str) -> list[str]:
    """List pyramids that do not stand on one another."""
    return [stack[0] for stack in stacks(text)]


# -- the games ---------------------------------------------------------------------------------------


def whist(seen: Told, random: Random) -> Iterator[str]:  # noqa: ARG001
    own = Counter(alone(seen.after(rf"{seen.you} \(you\) holds ")))
    if seen.says("The draft is on"):
        (limit,) = re.findall(rf"up to ({_NUMBER}) pyramids of each size", seen.words)
        full = {size for size in "123" if sum(own[held] for held in own if held[1] == size) == number(limit)}
        trees = re.findall(rf"Tree (\d+) has ({_PYRAMID})", seen.words)
        may = [f"take {at}" for at, top in trees if _SIZES[top.split()[0]] not in full]
        yield from may or ["pass"]
        if seen.says("by a swap"):
            yield "swap"
        return
    sizes = [[held for held in own if held[1] == size] for size in "321"]
    trees = list(product(*sizes))
    led = re.search(rf"\w+ led ({_PYRAMID} over {_PYRAMID} over {_PYRAMID})", seen.words)
    if led:
        colours = {pyramid[0] for pyramid in stacks(f"one {led[1]}")[0]}
        trees = [tree for tree in trees if colours & {pyramid[0] for pyramid in tree}] or trees
    yield from ("/".join(tree) for tree in trees)


def montauk(seen: Told, random: Random) -> Iterator[str]:  # noqa: ARG001
    if not seen.says(f"{seen.you} won the trick and is to use "):
        yield from cards(seen.after("You hold "))
        return
    use = seen.after(f"{seen.you} won the trick and is to use ")
    first, *often = re.findall(r"(\d)|(twice|four times|six times)", use)
    times = {"twice": 2, "four times": 4, "six times": 6}
    repeated = next((times[word] for _, word in often if word), 0)
    values = [int(first[0])] * repeated or [int(value) for value in re.findall(r"\d", use)]
    told_track = seen.after(rf"{seen.you} \(you\) has pyramids: ")
    track = {int(spot): number(count) for count, spot in re.findall(rf"({_NUMBER}) on spot (\d)", told_track)}
    for order in set(permutations(values)):
        yield from (" ".join(steps) for steps in _spendings(track, order))


def _spendings(track: dict[int, int], values: Sequence[int]) -> Iterator[list[str]]:
    if not values or not any(track.values()):
        yield []
        return
    for spot in [spot for spot, count in track.items() if count]:
        to = spot - values[0]
        after = track | {spot: track[spot] - 1}
        if to > 0:
            after[to] = after.get(to, 0) + 1
        for steps in _spendings(after, values[1:]):
            yield [f"{spot}-{to if to > 0 else 'off'}", *steps]


def trickery(seen: Told, random: Random) -> Iterator[str]:  # noqa: ARG001
    held = cards(seen.after("You hold "))
    if seen.says(f"{seen.you} is to lead."):
        plain = [card for card in held if card[1] != "S"]
        may = held if seen.says("Spades are broken.") else plain or held
        prizes = alone(seen.after("The prizes? in the middle (?:are|is) "))
        yield from (f"{prize} {card}" for prize in set(prizes) for card in may)
        return
    assert seen.says(f"{seen.you} is to follow.")
    (led, *_) = cards(" ".join(re.findall(r"\w+ played the ([^.]*)\.", seen.words)))
    yield from [card for card in held if card[1] == led[1]] or held


def buffet(seen: Told, random: Random) -> Iterator[str]:
    if not seen.says("Row 8,"):
        yield from _layouts(seen, random)
        return
    pawns = {name: re.findall(r"[a-f][1-8]", seen.after(rf"The pawns of {name}(?: \(you\))? ")) for name in NAMES[:2]}
    own = pawns[seen.you]
    rows = {row: seen.after(f"Row {row}, from a to f: ").split(", ") for row in range(1, 9)}
    claimed = {
        f"{file}{row}" for row in rows for file, cell in zip("abcdef", rows[row], strict=True) if "claim" in cell
    }
    taken = claimed | {square for squares in pawns.values() for square in squares}
    found = False
    for pawn in own:
        (other,) = [square for square in own if square != pawn]
        for end in _slides(pawn, taken):
            if _aligned(pawn, other) and _aligned(end, other):
                continue
            found = True
            full = taken - {pawn} | {end}
            yield f"{pawn}-{end} none"
            yield from (f"{pawn}-{end} {square}" for square in _claims(end, other) if square not in full)
    if not found:
        yield "pass"


def _aligned(one: str, other: str) -> bool:
    return one[0] == other[0] or one[1] == other[1]


def _slides(start: str, taken: set[str]) -> Iterator[str]:
    for east, north in product((-1, 0, 1), repeat=2):
        file, row = ord(start[0]) + east, int(start[1]) + north
        while (east or north) and (square := f"{chr(file)}{row}") not in taken and re.fullmatch("[a-f][1-8]", square):
            yield square
            file, row = file + east, row + north


def _claims(one: str, other: str) -> set[str]:
    if not _aligned(one, other):
        return {one[0] + other[1], other[0] + one[1]}
    files, rows = sorted((one[0], other[0])), sorted((one[1], other[1]))
    between = product(map(chr, range(ord(files[0]), ord(files[1]) + 1)), range(int(rows[0]), int(rows[1]) + 1))
    return {f"{file}{row}" for file, row in between} - {one, other}


def _layouts(seen: Told, random: Random) -> Iterator[str]:
    if "“keep”" in seen.prompt:
        yield "keep"
    pool = cards(seen.after(rf"{seen.you} \(you\) has (?:{_NUMBER}) cards: "))
    random.shuffle(pool)
    yield from _dealt_out(pool, ((), (), ()), len(pool) - min(15, len(pool)), random)


def _dealt_out(pool: Sequence[str], hands: tuple[tuple[str, ...], ...], spare: int, random: Random) -> Iterator[str]:
    if not pool:
        yield "hands " + " | ".join(" ".join(hand) or "-" for hand in hands)
        return
    for at in random.sample(range(4), 4):
        if at < 3 and len(hands[at]) < 5:
            more = (*hands[:at], (*hands[at], pool[0]), *hands[at + 1 :])
            yield from _dealt_out(pool[1:], more, spare, random)
        elif at == 3 and spare:
            yield from _dealt_out(pool[1:], hands, spare - 1, random)


WHEEL = ("card a", "card b", "card c", "card d", "the vault")


def minimax(seen: Told, random: Random) -> Iterator[str]:
    wheel: dict[str, list[tuple[str, ...]]] = {}
    for place in WHEEL:
        start = place.capitalize()
        wheel[place] = [] if seen.says(f"{start} is empty.") else stacks(seen.after(f"{start} holds "))
    free = seen.says("Any card that is not empty may be sown now.")
    may = [place for place in WHEEL[:4] if wheel[place] and (free or seen.says(f"{place.capitalize()} must be sown"))]
    for place in random.sample(may, len(may)):
        whole = re.findall(rf"A fresh tree on {place} may be sown whole: ([^.]*)\.", seen.words)
        fresh = [stacks(f"one {tree}")[0] for tree in whole]
        for kept in product((True, False), repeat=len(fresh)):
            trees = [tree for tree, stays in zip(fresh, kept, strict=True) if stays]
            broken = Counter(wheel[place]) - Counter(trees)
            pieces = [(pyramid,) for stack in broken.elements() for pyramid in stack] + trees
            random.shuffle(pieces)
            at = WHEEL.index(place)
            for drops in _sown(wheel | {place: []}, at + 1, pieces, random):
                yield f"sow {place[-1]} {', '.join(drops)}"


def _sown(
    wheel: dict[str, list[tuple[str, ...]]], at: int, pieces: Sequence[tuple[str, ...]], random: Random
) -> Iterator[list[str]]:
    if not pieces:
        yield []
        return
    place = WHEEL[at % len(WHEEL)]
    for piece in dict.fromkeys(pieces):
        left = [*pieces]
        left.remove(piece)
        onto = [()] + [stack for stack in dict.fromkeys(wheel[place]) if len(piece) == 1 and stack[-1][1] > piece[0][1]]
        for stack in random.sample(onto, len(onto)):
            here = [*wheel[place], *((pyramid,) for pyramid in piece)]
            if stack:
                here = [*wheel[place], (*stack, *piece)]
                here.remove(stack)
            drop = "/".join(piece) + (f" on {'/'.join(stack)}" if stack else "")
            for drops in _sown(wheel | {place: here}, at + 1, left, random):
                yield [drop, *drops]


def middle_card(seen: Told, random: Random) -> Iterator[str]:  # noqa: ARG001
    held = re.findall(r"\d", seen.after("You hold "))
    if seen.prompt.startswith("Swap"):
        yield "stay"
        yield from (f"swap {card}" for card in held)
    else:
        yield from (f"play {card}" for card in held)


READERS: dict[str, Callable[[Told, Random], Iterator[str]]] = {
    "amazonian-buffet": buffet,
    "martian-trickery": trickery,
    "martian-whist": whist,
    "middle-card": middle_card,
    "minimax": minimax,
    "montauk": montauk,
}
