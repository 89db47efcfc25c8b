"""Martian Whist as text and in sentences; its picture is in `table`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

from pbem.boards.amounts import points as said_points
from pbem.boards.amounts import pyramids, tricks
from pbem.boards.callings import called, deed, spoken_to, who, whom
from pbem.boards.drawing import Board, Drawing, Entry, Names
from pbem.boards.martian_whist import table
from pbem.boards.prose import COLUMNS, listed, paragraphs, series, shown
from pbem.boards.pyramid_words import amount, said, spoken
from pbem.boards.pyramid_words import colour as colour_name
from pbem.boards.pyramid_words import size as size_name
from pbem.boards.stacks import parted
from pbem.games.pyramids import COLOURS, SIZES, TREEHOUSE, fold, written
from pbem.i18n import _, marked, numeral

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ROW = 4
"""Number of trees in a line of text."""


class MartianWhist(Drawing):
    """Drawing of Martian Whist: the trees, stashes and tricks."""

    key: ClassVar[str] = "martian-whist"
    lines: ClassVar[tuple[str, ...]] = (
        marked("Draft: take the top pyramid of a tree, no more of a size than allowed."),
        marked("Tricks: a tree is a large, a medium and a small one from your stash."),
        marked("Follow with any colour of the tree led, if you have one at all."),
        marked("Solid beats mixed; mixed: most pairs won; ties go to the leader."),
        marked("Black, red, yellow, green, blue: high to low. Solid trees score 3, others 1."),
    )

    def svg(self, board: Board, names: Names, you: int | None = None) -> str:
        """Draw the trees or the trick, and below them what each player has."""
        title = f"Martian Whist: {_state(board, names)}"
        return table.picture(board, [shown(name) for name in names], you, title, self.words(board, names, you))

    def text(self, board: Board, names: Names, you: int | None = None) -> str:
        """List the trees by number, what each player holds by size and colour, and the tricks."""
        lines = ["Martian Whist", *paragraphs([f"{_state(board, names)}."], COLUMNS).splitlines()]
        if board["trees"]:
            lines += ["", _("Trees, bottom to top; the last one is free to take:"), *_grid(board)]
        for seat, name in enumerate(names, 1):
            lines += ["", *_share(board, seat, name, you)]
        if board["history"]:
            lines += ["", _("The tricks so far, the leader's tree first:")]
            lines += [
                _(
                    "Trick {number}: {led}, then {followed}; {name} won",
                    number=f"{trick['trick']:2}",
                    led=_tree(trick["led"]),
                    followed=_tree(trick["followed"]),
                    name=shown(names[trick["winner"] - 1]),
                )
                for trick in board["history"]
            ]
        return "\n".join(lines)

    def words(self, board: Board, names: Names, you: int | None = None) -> str:
        """Describe the stage, each tree, each stash, the tree led, the tricks and the scores."""
        sentences = [f"{_headline(board, names)}."]
        sentences += [
            _("Tree {number} has {stack}.", number=tree["number"], stack=_standing(tree["pieces"]))
            for tree in board["trees"]
        ]
        if board["can_swap"]:
            sentences.append(
                _("The {pyramid} just taken may change hands once, by a swap.", pyramid=said(board["drafted"]))
            )
        for seat, name in enumerate(names, 1):
            player = who(name, seat, you)
            won, score = tricks(len(board["won"][seat - 1])), said_points(board["scores"][seat - 1])
            if board["won"][seat - 1]:
                sentences.append(_("{name} has won {tricks}, worth {points}.", name=player, tricks=won, points=score))
            elif board["stage"] != "draft":
                sentences.append(_("{name} has won {tricks}.", name=player, tricks=won))
            if board["stage"] != "over":
                sentences.append(_("{name} holds {things}.", name=player, things=_held(board["stashes"][seat - 1])))
        return paragraphs(sentences)

    def tell(self, entry: Entry, names: Names) -> str:
        """Describe what was taken and uncovered, or which tree was played and who won the trick."""
        name, other = names[entry["seat"] - 1], names[2 - entry["seat"]]
        move, took, under = str(entry["move"]), entry["took"], entry["under"]
        if move == "swap":
            return _swapped(name, other, said(took))
        if move == "pass":
            return deed(
                name,
                marked("You could take nothing and had to pass."),
                marked("{name} could take nothing and had to pass."),
            )
        if took:
            left = _("a {pyramid} is now on top", pyramid=said(under)) if under else _("nothing is left of that tree")
            return deed(
                name,
                marked("You took the {pyramid} from tree {number}; {left}."),
                marked("{name} took the {pyramid} from tree {number}; {left}."),
                pyramid=said(took),
                number=move.removeprefix("take "),
                left=left,
            )
        if entry["winner"] is None:
            return deed(
                name, marked("You led {tree} to open a trick."), marked("{name} led {tree} to open a trick."), tree=move
            )
        followed = deed(name, marked("You followed with {tree}"), marked("{name} followed with {tree}"), tree=move)
        return _("{deed}, and {name} won the trick.", deed=followed, name=whom(names[entry["winner"] - 1]))

    def prompt(self, board: Board, you: int, moves: Sequence[str]) -> str:  # noqa: ARG002
        """Ask for a pyramid or a tree, and state what restricts the choice."""
        if not moves:
            return _("There is nothing to play now.")
        if board["stage"] == "draft":
            ask = list(_asked_to_draft(board, moves))
        elif board["led"]:
            colours = series(sorted({colour_name(pyramid[0]) for pyramid in parted(board["led"])}))
            ask = [
                _(
                    "Follow {tree} with a tree of yours, sharing a colour with it ({colours}) if you can.",
                    tree=_tree(board["led"]),
                    colours=colours,
                )
            ]
        else:
            ask = [_("Lead a tree from your stash: a large, a medium and a small pyramid, bottom to top.")]
        return paragraphs([*ask, _("For example: {move}", move=moves[0])], COLUMNS)

    def what(self, board: Board, names: Names, you: int, place: str) -> tuple[str, ...]:  # noqa: ARG002
        """Describe a numbered tree, or who holds pyramids of a kind."""
        number = place.lower().removeprefix("tree ").removeprefix("baum ").strip()
        if number.isdecimal() and 1 <= int(number) <= 2 * board["limit"]:
            standing = next((tree["pieces"] for tree in board["trees"] if tree["number"] == int(number)), None)
            if not standing:
                return (_("Tree {number} is empty.", number=int(number)),)
            return (_("Tree {number} has {stack}.", number=int(number), stack=_standing(standing)),)
        pyramid = fold(place).upper()
        if pyramid not in TREEHOUSE:
            return ()
        held = [
            f"{called(name)} {numeral(stash.count(pyramid))}"
            for name, stash in zip(names, map(parted, board["stashes"]), strict=True)
        ]
        on_top = [
            _("tree {number}", number=tree["number"])
            for tree in board["trees"]
            if parted(tree["pieces"])[-1] == pyramid
        ]
        told = _(
            "Of {code}, the {pyramid} pyramid, are held: {held}.",
            code=pyramid,
            pyramid=said(pyramid),
            held=series(held),
        )
        return (told, _("One is on top of {trees}.", trees=series(on_top))) if on_top else (told,)

    def held(self, board: Board, you: int) -> tuple[str, ...]:
        """Describe the viewer's stash, and the trees they have won."""
        won = [_tree(tree) for tree in board["won"][you - 1]]
        told = _("You hold {things}.", things=_held(board["stashes"][you - 1]))
        return (told, _("You have won {trees}.", trees=series(won))) if won else (told,)


def _swapped(name: str, other: str, took: str) -> str:
    """Describe a swap: by the reader, from the reader, or between others."""
    if spoken_to(name):
        return _(
            "You swapped, and now have the {pyramid} that {other} had just taken.", pyramid=took, other=shown(other)
        )
    if spoken_to(other):
        return _("{name} swapped, and now has the {pyramid} that you had just taken.", name=shown(name), pyramid=took)
    return _(
        "{name} swapped, and now has the {pyramid} that {other} had just taken.",
        name=shown(name),
        pyramid=took,
        other=shown(other),
    )


def _asked_to_draft(board: Board, moves: Sequence[str]) -> Iterator[str]:
    if moves[0] == "pass":
        yield _("You can take nothing now, so all you can do is pass.")
        return
    yield _(
        "Take the top pyramid of a tree by the tree's number; you may have {limit} of each size.", limit=board["limit"]
    )
    if board["can_swap"]:
        yield _("Or swap: the {pyramid} just taken becomes yours instead.", pyramid=said(board["drafted"]))


def _tree(tree: Any) -> str:
    return written(parted(tree))


def _headline(board: Board, names: Names) -> str:
    """Return the stage in full words; a title is shorter."""
    if board["stage"] == "draft":
        limit = pyramids(board["limit"])
        return _("The draft is on, in which each player takes up to {pyramids} of each size", pyramids=limit)
    if board["led"]:
        return _(
            "Trick {number} of {all}: {leader} led {tree}, and {other} is to follow",
            **_trick(board, names),
            tree=spoken(parted(board["led"])),
        )
    return _state(board, names)


def _trick(board: Board, names: Names) -> dict[str, object]:
    return {
        "number": board["trick"],
        "all": board["limit"],
        "leader": shown(names[board["leader"] - 1]),
        "other": shown(names[2 - board["leader"]]),
    }


def _standing(pieces: Any) -> str:
    stack = parted(pieces)
    return spoken(stack) if len(stack) > 1 else _("{pyramid} alone", pyramid=spoken(stack))


def _state(board: Board, names: Names) -> str:
    if board["stage"] == "draft":
        return _("The draft, up to {limit} of each size for each player", limit=board["limit"])
    first, second = board["scores"]
    if board["stage"] == "over":
        if first == second:
            return _("The game is over: a draw at {points} all", points=first)
        winner, best, least = (0, first, second) if first > second else (1, second, first)
        return _(
            "The game is over: {name} wins by {best} to {least}", name=shown(names[winner]), best=best, least=least
        )
    if board["led"]:
        return _(
            "Trick {number} of {all}: {leader} led {tree} for {other} to follow",
            **_trick(board, names),
            tree=_tree(board["led"]),
        )
    return _("Trick {number} of {all}: {leader} is to lead", **_trick(board, names))


def _grid(board: Board) -> Iterator[str]:
    cells = [f"{tree['number']:2} {_tree(tree['pieces'])}".ljust(15) for tree in board["trees"]]
    for at in range(0, len(cells), _ROW):
        yield "".join(cells[at : at + _ROW]).rstrip()


def _share(board: Board, seat: int, name: str, you: int | None) -> Iterator[str]:
    stash, won = parted(board["stashes"][seat - 1]), board["won"][seat - 1]
    drafting = board["stage"] == "draft"
    player = who(name, seat, you)
    if not drafting:
        points = said_points(board["scores"][seat - 1])
        yield _("{name}: {tricks} won, {points}", name=player, tricks=tricks(len(won)), points=points)
    if won:
        yield from listed(_("  trees won: "), [_tree(tree) for tree in won], COLUMNS, _("and "))
    if drafting:
        yield _("Stash of {name}:", name=player)
    if stash or drafting:
        yield " " * 8 + "".join(f"{colour_name(colour):>8}" for colour in COLOURS)
        for size in reversed(SIZES):
            counts = Counter(pyramid[0] for pyramid in stash if pyramid[1] == size)
            cells = "".join(f"{counts[colour]:8}" for colour in COLOURS)
            total = f"  = {counts.total()}/{board['limit']}" if drafting else ""
            yield f"  {size_name(size):6}{cells}{total}"


def _held(stash: Any) -> str:
    kinds = Counter(parted(stash))
    return series([amount(count, (kind,)) for kind, count in kinds.items()]) if kinds else _("nothing")
