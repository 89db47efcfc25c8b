"""Picture of Minimax: five cards in a ring, with arrows in the direction of sowing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.boards.numbers import number
from pbem.boards.palette import tone
from pbem.boards.shapes import WIDTH, Box, arrow, card, frame, last_move, sheet, touchable_parts
from pbem.boards.stacks import Pyramids, split_stack, stack_height, stack_width
from pbem.boards.stroke_font import fitting_size, label
from pbem.games.minimax.sowing import CARDS
from pbem.i18n import _, meaning, several

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pbem.boards.drawing import Board, Entry

_MARGIN = 16.0
_HEADER_HEIGHT = 56.0
"""Height of the strip of a card that carries its name."""
_FOOTER_HEIGHT = 16.0
_MIN_STACKS_HEIGHT = 130.0
"""Minimum height for the stacks on a card."""
_GAP = 8.0
_SCALES = (1.0, 0.9, 0.8)
_CARD_GAP = 40.0
_CARD_WIDTH, _VAULT_WIDTH = 256.0, 330.0
_PADDING = 10.0
_LOWER_CARD_MARGIN = 80.0
"""Distance of the lower cards from the edge."""


class Shelf(NamedTuple):
    """Stacks that stand side by side on a card."""

    stacks: tuple[tuple[str, ...], ...]
    width: float
    height: float


class Drop(NamedTuple):
    """The last drop of a sowing: the card that was sown, the card it fell on, and the stacks that it left there."""

    sown: str
    onto: str
    stacks: tuple[tuple[str, ...], ...]


def picture(board: Board, title: str, description: str, last: Sequence[Entry]) -> str:
    """Draw the wheel of a board."""
    pyramids = Pyramids("minimax")
    cards = {here["card"]: here for here in board["wheel"]}
    widths = {name: _VAULT_WIDTH if name == "vault" else _CARD_WIDTH for name in cards}
    plans = {
        name: _plan([split_stack(stack) for stack in here["stacks"]], widths[name] - 2 * _PADDING)
        for name, here in cards.items()
    }
    room = {
        name: _HEADER_HEIGHT + _FOOTER_HEIGHT + max(_MIN_STACKS_HEIGHT, _height(plan)) for name, plan in plans.items()
    }
    upper, lower = max(room["a"], room["d"]), max(room["b"], room["c"])
    middle = _MARGIN + room["vault"] + _CARD_GAP
    bottom = middle + upper + _CARD_GAP
    boxes: dict[str, Box] = {
        "a": (_MARGIN, middle, _CARD_WIDTH, upper),
        "b": (_LOWER_CARD_MARGIN, bottom, _CARD_WIDTH, lower),
        "c": (WIDTH - _LOWER_CARD_MARGIN - _CARD_WIDTH, bottom, _CARD_WIDTH, lower),
        "d": (WIDTH - _MARGIN - _CARD_WIDTH, middle, _CARD_WIDTH, upper),
        "vault": ((WIDTH - _VAULT_WIDTH) / 2, _MARGIN, _VAULT_WIDTH, room["vault"]),
    }
    parts = [*_arrows(boxes), *_hub(board, middle + upper / 2)]
    drop = _last_drop(str(last[-1]["move"])) if last else None
    for name, here in cards.items():
        fallen = drop.stacks if drop and drop.onto == name else ()
        parts.append(touchable_parts(f"sow {name}", _card(pyramids, boxes[name], here, plans[name], fallen)))
        if drop and drop.sown == name:
            left, top, width, height = boxes[name]
            parts.append(last_move((left - 9, top - 9, width + 18, height + 18)))
    return sheet(title, description, bottom + lower + _MARGIN, parts, pyramids.definitions())


def _last_drop(move: str) -> Drop:
    """Return the last drop of a sowing; a tree that was sown whole broke where it fell."""
    _sow, sown, rest = move.split(" ", 2)
    drops = rest.split(", ")
    piece, _on, under = drops[-1].partition(" on ")
    stacks = (split_stack(f"{under}/{piece}"),) if under else tuple((one,) for one in split_stack(piece))
    return Drop(sown, CARDS[(CARDS.index(sown) + len(drops)) % len(CARDS)], stacks)


def _card(
    pyramids: Pyramids,
    box: Box,
    here: dict[str, Any],
    plan: tuple[float, list[Shelf]],
    fallen: Sequence[tuple[str, ...]],
) -> Iterable[str]:
    left, top, width, height = box
    lit = here["may_sow"]
    vault = here["card"] == "vault"
    yield card(box, meaning("a wheel", "vault") if vault else here["card"], lit=lit, vault=vault)
    if lit:
        yield label(_("sow"), left + width - 20, top + 40, 22, "accent", "end", 1.9)
    if vault:
        yield _lock(left + width - 36, top + 34)
    scale, shelves = plan
    fresh, marked = [split_stack(tree) for tree in here["fresh"]], [*fallen]
    ground = top + height - _FOOTER_HEIGHT - _height(plan)
    for shelf in shelves:
        ground += shelf.height * scale
        at = left + (width - shelf.width * scale) / 2
        for stack in shelf.stacks:
            middle = at + stack_width(stack) * scale / 2
            wide, high = stack_width(stack) * scale, stack_height(stack) * scale
            if stack in fresh:
                fresh.remove(stack)
                yield frame((middle - wide / 2 - 3, ground - high - 5, wide + 6, high + 10), "faint", 3, 12, "1 7")
            if stack in marked:
                marked.remove(stack)
                yield last_move((middle - wide / 2 - 5, ground - high - 6, wide + 10, high + 12))
            yield pyramids.stack(stack, middle, ground, scale, here["card"])
            at += (stack_width(stack) + _GAP) * scale
        ground += _GAP * scale


def _lock(x: float, y: float) -> str:
    return (
        f'<g {tone("faint")} fill="none" stroke-width="3" transform="translate({number(x)} {number(y)})">'
        '<circle r="14"/><circle r="5"/><path d="M0-5v-15M4.3 2.5l13 7.5M-4.3 2.5l-13 7.5"/></g>'
    )


def _plan(stacks: Sequence[tuple[str, ...]], width: float) -> tuple[float, list[Shelf]]:
    for scale in _SCALES:
        plan = (scale, _arrange_shelves(stacks, width / scale))
        if _height(plan) <= _MIN_STACKS_HEIGHT:
            break
    return plan


def _arrange_shelves(stacks: Sequence[tuple[str, ...]], width: float) -> list[Shelf]:
    shelves: list[Shelf] = []
    for stack in stacks:
        last = shelves[-1] if shelves else None
        if last and last.width + _GAP + stack_width(stack) <= width:
            shelves[-1] = Shelf(
                (*last.stacks, stack), last.width + _GAP + stack_width(stack), max(last.height, stack_height(stack))
            )
        else:
            shelves.append(Shelf((stack,), stack_width(stack), stack_height(stack)))
    return shelves


def _height(plan: tuple[float, list[Shelf]]) -> float:
    scale, shelves = plan
    return scale * (sum(shelf.height for shelf in shelves) + _GAP * max(len(shelves) - 1, 0))


def _arrows(boxes: dict[str, Box]) -> Iterable[str]:
    vault, a, b, c, d = (boxes[name] for name in ("vault", "a", "b", "c", "d"))
    near, far = a[0] + 96, d[0] + d[2] - 96
    high_up = vault[1] + vault[3] / 2
    yield arrow((vault[0] - 10, high_up), (near, high_up), (near, a[1] - 12))
    yield arrow((far, d[1] - 12), (far, high_up), (vault[0] + vault[2] + 12, high_up))
    edge, low, under = _MARGIN + 22, b[1] + b[3] / 2, a[1] + a[3] + 12
    yield arrow((edge, under), (edge, low), (b[0] - 10, low))
    yield arrow((c[0] + c[2] + 12, low), (WIDTH - edge, low), (WIDTH - edge, under))
    yield arrow((b[0] + b[2] + 12, low), (WIDTH / 2, low), (c[0] - 12, low))


def _hub(board: Board, y: float) -> Iterable[str]:
    score = board["score"]
    yield label(str(score), WIDTH / 2, y + 6, 50, "ink", "middle", 1.5)
    yield label(several("point", "points", score), WIDTH / 2, y + 42, 20, "faint", "middle", 1.6)
    sown = [here["card"] for here in board["wheel"] if here["may_sow"]]
    if board["cleared"]:
        state = _("cleared!")
    elif board["over"]:
        state = _("game over")
    else:
        state = _("sow any card") if board["free"] else _("sow {card}", card=sown[0])
    yield label(state, WIDTH / 2, y + 82, fitting_size(state, 22, 150), "accent", "middle", 1.8)
