"""Martian Whist as text and in sentences; its picture is in `whist_table`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

from pbem.boards import whist_table
from pbem.boards.drawing import Board, Drawing, Entry, Names
from pbem.boards.prose import COLUMNS, counted, listed, numeral, paragraphs, series, shown, spoken
from pbem.boards.stacks import parted
from pbem.games import pyramids
from pbem.games.pyramids import COLOUR_NAMES, COLOURS, SIZE_NAMES, SIZES, written

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ROW = 4
"""How many trees stand in a line of text."""


class MartianWhist(Drawing):
    """Draws the trees, stashes and tricks of Martian Whist."""

    key: ClassVar[str] = "martian-whist"
    crib: ClassVar[tuple[str, ...]] = (
        "Draft: take the top pyramid of a tree, no more of a size than allowed.",
        "Tricks: a tree is a large, a medium and a small one from your stash.",
        "Follow with any colour of the tree led, if you have one at all.",
        "Solid beats mixed; mixed: most pairs won; ties go to the leader.",
        "Black, red, yellow, green, blue: high to low. Solid trees score 3, others 1.",
    )

    def svg(self, board: Board, names: Names, you: int | None = None) -> str:
        """Draw the trees or the trick, and below them what each player has."""
        title = f"Martian Whist: {_said(board, names)}"
        return whist_table.picture(board, [shown(name) for name in names], you, title, self.words(board, names, you))

    def text(self, board: Board, names: Names, you: int | None = None) -> str:
        """List the trees by number, what each player holds by size and colour, and the tricks."""
        lines = ["Martian Whist", *paragraphs([f"{_said(board, names)}."], COLUMNS).splitlines()]
        if board["trees"]:
            lines += ["", "Trees, bottom to top; the last one is free to take:", *_grid(board)]
        for seat, name in enumerate(names, 1):
            lines += ["", *_share(board, seat, shown(name), you)]
        if board["history"]:
            lines += ["", "The tricks so far, the leader's tree first:"]
            lines += [
                f"Trick {trick['trick']:2}: {_tree(trick['led'])}, then {_tree(trick['followed'])};"
                f" {shown(names[trick['winner'] - 1])} won"
                for trick in board["history"]
            ]
        return "\n".join(lines)

    def words(self, board: Board, names: Names, you: int | None = None) -> str:
        """Tell the stage, each tree, each stash, the tree led, the tricks and the scores."""
        sentences = [f"{_headline(board, names)}."]
        sentences += [f"Tree {tree['number']} has {_standing(tree['pieces'])}." for tree in board["trees"]]
        if board["can_swap"]:
            sentences.append(f"The {pyramids.name(board['drafted'])} just taken may change hands once, by a swap.")
        for seat, name in enumerate(names, 1):
            who = f"{shown(name)}{' (you)' if seat == you else ''}"
            won, score = counted(len(board["won"][seat - 1]), "trick"), counted(board["scores"][seat - 1], "point")
            if board["won"][seat - 1]:
                sentences.append(f"{who} has won {won}, worth {score}.")
            elif board["stage"] != "draft":
                sentences.append(f"{who} has won {won}.")
            if board["stage"] != "over":
                sentences.append(f"{who} holds {_held(board['stashes'][seat - 1])}.")
        return paragraphs(sentences)

    def tell(self, entry: Entry, names: Names) -> str:
        """Tell what was taken and uncovered, or which tree was played and who won the trick."""
        name, other = shown(names[entry["seat"] - 1]), shown(names[2 - entry["seat"]])
        move, took, under = str(entry["move"]), entry["took"], entry["under"]
        if move == "swap":
            return f"{name} swapped, and now has the {pyramids.name(took)} that {other} had just taken."
        if move == "pass":
            return f"{name} could take nothing and had to pass."
        if took:
            left = f"a {pyramids.name(under)} is now on top" if under else "nothing is left of that tree"
            return f"{name} took the {pyramids.name(took)} from tree {move.removeprefix('take ')}; {left}."
        if entry["winner"] is None:
            return f"{name} led {move} to open a trick."
        return f"{name} followed with {move}, and {shown(names[entry['winner'] - 1])} won the trick."

    def prompt(self, board: Board, you: int, moves: Sequence[str]) -> str:  # noqa: ARG002
        """Ask for a pyramid or a tree, and say what restricts the choice."""
        if not moves:
            return "There is nothing to play now."
        if board["stage"] == "draft":
            ask = list(_asked_to_draft(board, moves))
        elif board["led"]:
            colours = series(sorted({COLOUR_NAMES[pyramid[0]] for pyramid in parted(board["led"])}))
            ask = [
                f"Follow {_tree(board['led'])} with a tree of yours, sharing a colour with it ({colours}) if you can."
            ]
        else:
            ask = ["Lead a tree from your stash: a large, a medium and a small pyramid, bottom to top."]
        return paragraphs([*ask, f"For example: {moves[0]}"], COLUMNS)

    def what(self, board: Board, names: Names, you: int, place: str) -> tuple[str, ...]:  # noqa: ARG002
        """Tell what a numbered tree has, or who holds pyramids of a kind."""
        number = place.lower().removeprefix("tree ").removeprefix("baum ").strip()
        if number.isdecimal() and 1 <= int(number) <= 2 * board["limit"]:
            standing = next((tree["pieces"] for tree in board["trees"] if tree["number"] == int(number)), None)
            said = f"has {_standing(standing)}" if standing else "is empty"
            return (f"Tree {int(number)} {said}.",)
        pyramid = pyramids.fold(place).upper()
        if pyramid not in pyramids.TREEHOUSE:
            return ()
        held = [
            f"{shown(name)} {numeral(stash.count(pyramid))}"
            for name, stash in zip(names, map(parted, board["stashes"]), strict=True)
        ]
        on_top = [f"tree {tree['number']}" for tree in board["trees"] if parted(tree["pieces"])[-1] == pyramid]
        told = f"Of {pyramid}, the {pyramids.name(pyramid)} pyramid, are held: {series(held)}."
        return (told, f"One is on top of {series(on_top)}.") if on_top else (told,)

    def held(self, board: Board, you: int) -> tuple[str, ...]:
        """Tell the own stash, and the trees won."""
        won = [_tree(tree) for tree in board["won"][you - 1]]
        told = f"You hold {_held(board['stashes'][you - 1])}."
        return (told, f"You have won {series(won)}.") if won else (told,)


def _asked_to_draft(board: Board, moves: Sequence[str]) -> Iterator[str]:
    if moves[0] == "pass":
        yield "You can take nothing now, so all you can do is pass."
        return
    yield f"Take the top pyramid of a tree by the tree's number; you may have {board['limit']} of each size."
    if board["can_swap"]:
        yield f"Or swap: the {pyramids.name(board['drafted'])} just taken becomes yours instead."


def _tree(tree: Any) -> str:
    return written(parted(tree))


def _headline(board: Board, names: Names) -> str:
    """Say the stage as one says it aloud, where a title would be shorter."""
    if board["stage"] == "draft":
        return f"The draft is on, in which each player takes up to {counted(board['limit'], 'pyramid')} of each size"
    if board["led"]:
        leader, other = shown(names[board["leader"] - 1]), shown(names[2 - board["leader"]])
        led = spoken(parted(board["led"]))
        return f"Trick {board['trick']} of {board['limit']}: {leader} led {led}, and {other} is to follow"
    return _said(board, names)


def _standing(pieces: Any) -> str:
    stack = parted(pieces)
    return spoken(stack) if len(stack) > 1 else f"{spoken(stack)} alone"


def _said(board: Board, names: Names) -> str:
    if board["stage"] == "draft":
        return f"The draft, up to {board['limit']} of each size for each player"
    first, second = board["scores"]
    if board["stage"] == "over":
        if first == second:
            return f"The game is over: a draw at {first} all"
        winner, best, least = (0, first, second) if first > second else (1, second, first)
        return f"The game is over: {shown(names[winner])} wins by {best} to {least}"
    trick = f"Trick {board['trick']} of {board['limit']}"
    leader, other = shown(names[board["leader"] - 1]), shown(names[2 - board["leader"]])
    if board["led"]:
        return f"{trick}: {leader} led {_tree(board['led'])} for {other} to follow"
    return f"{trick}: {leader} is to lead"


def _grid(board: Board) -> Iterator[str]:
    cells = [f"{tree['number']:2} {_tree(tree['pieces'])}".ljust(15) for tree in board["trees"]]
    for at in range(0, len(cells), _ROW):
        yield "".join(cells[at : at + _ROW]).rstrip()


def _share(board: Board, seat: int, name: str, you: int | None) -> Iterator[str]:
    stash, won = parted(board["stashes"][seat - 1]), board["won"][seat - 1]
    drafting = board["stage"] == "draft"
    who = f"{name}{' (you)' if seat == you else ''}"
    if not drafting:
        yield f"{who}: {counted(len(won), 'trick')} won, {counted(board['scores'][seat - 1], 'point')}"
    if won:
        yield from listed("  trees won: ", [_tree(tree) for tree in won], COLUMNS, "and ")
    if drafting:
        yield f"Stash of {who}:"
    if stash or drafting:
        yield " " * 8 + "".join(f"{COLOUR_NAMES[colour]:>8}" for colour in COLOURS)
        for size in reversed(SIZES):
            counts = Counter(pyramid[0] for pyramid in stash if pyramid[1] == size)
            cells = "".join(f"{counts[colour]:8}" for colour in COLOURS)
            total = f"  = {counts.total()}/{board['limit']}" if drafting else ""
            yield f"  {SIZE_NAMES[size]:6}{cells}{total}"


def _held(stash: Any) -> str:
    kinds = Counter(parted(stash))
    return series([counted(count, pyramids.name(kind)) for kind, count in kinds.items()]) if kinds else "nothing"
