"""Martian Whist as text and in sentences; its picture is in `table`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

from pbem.boards.amounts import points as said_points
from pbem.boards.amounts import pyramids, tricks
from pbem.boards.drawing import NO_TURN, Board, Chosen, Drawing, Entry, Names, Prompt, Touches, Turn
from pbem.boards.legend import pyramid_legend
from pbem.boards.martian_whist import advice, table
from pbem.boards.player_names import deed_sentence, is_reader, name_as_object, name_in_sentence, player_label
from pbem.boards.prose import COLUMNS, clean_name, format_list, series, wrap_sentences
from pbem.boards.pyramid_words import colour as colour_name
from pbem.boards.pyramid_words import pyramid_name, stack_count, stack_name
from pbem.boards.pyramid_words import size as size_name
from pbem.boards.stacks import split_stack
from pbem.games.pyramids import COLOURS, SIZES, TREEHOUSE, fold, format_stack
from pbem.i18n import _, marked, numeral

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WITHOUT_PLACE = ("swap", "pass")
"""Moves that are made by no place of the picture."""
_TREES_PER_LINE = 4
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

    def svg(
        self, board: Board, names: Names, you: int | None = None, turn: Turn = NO_TURN, *, described: bool = True
    ) -> str:
        """Draw the trees or the trick, and below them what each player has."""
        title = f"Martian Whist: {_state(board, names)}"
        shown_names = [clean_name(name) for name in names]
        description = self.description(board, names, you, turn) if described else ""
        return table.picture(board, shown_names, you, turn, title, description)

    def text(self, board: Board, names: Names, you: int | None = None) -> str:
        """List the trees by number, what each player holds by size and colour, and the tricks."""
        lines = ["Martian Whist", *wrap_sentences([f"{_state(board, names)}."], COLUMNS).splitlines()]
        if board["trees"]:
            lines += ["", _("Trees, bottom to top; the last one is free to take:"), *_tree_lines(board)]
        for seat, name in enumerate(names, 1):
            lines += ["", *_seat_lines(board, seat, name, you)]
        if board["history"]:
            lines += ["", _("The tricks so far, the leader's tree first:")]
            lines += [
                _(
                    "Trick {number}: {led}, then {followed}; {name} won",
                    number=f"{trick['trick']:2}",
                    led=_tree(trick["led"]),
                    followed=_tree(trick["followed"]),
                    name=clean_name(names[trick["winner"] - 1]),
                )
                for trick in board["history"]
            ]
        return "\n".join(lines)

    def words(self, board: Board, names: Names, you: int | None = None) -> str:
        """Describe the stage, each tree, each stash, the tree led, the tricks and the scores."""
        sentences = [f"{_headline(board, names)}."]
        sentences += [
            _("Tree {number} has {stack}.", number=tree["number"], stack=_stack_text(tree["pieces"]))
            for tree in board["trees"]
        ]
        if board["can_swap"]:
            sentences.append(
                _("The {pyramid} just taken may change hands once, by a swap.", pyramid=pyramid_name(board["drafted"]))
            )
        for seat, name in enumerate(names, 1):
            player = player_label(name, seat, you)
            won, score = tricks(len(board["won"][seat - 1])), said_points(board["scores"][seat - 1])
            if board["won"][seat - 1]:
                sentences.append(_("{name} has won {tricks}, worth {points}.", name=player, tricks=won, points=score))
            elif board["stage"] != "draft":
                sentences.append(_("{name} has won {tricks}.", name=player, tricks=won))
            if board["stage"] != "over":
                sentences.append(
                    _("{name} holds {things}.", name=player, things=_stash_text(board["stashes"][seat - 1]))
                )
        return wrap_sentences(sentences)

    def tell(self, entry: Entry, names: Names) -> str:
        """Describe what was taken and uncovered, or which tree was played and who won the trick."""
        name, other = names[entry["seat"] - 1], names[2 - entry["seat"]]
        move, took, under = str(entry["move"]), entry["took"], entry["under"]
        if move == "swap":
            return _describe_swap(name, other, pyramid_name(took))
        if move == "pass":
            return deed_sentence(
                name, "You could take nothing and had to pass.", "{name} could take nothing and had to pass."
            )
        if took:
            left = (
                _("a {pyramid} is now on top", pyramid=pyramid_name(under))
                if under
                else _("nothing is left of that tree")
            )
            return deed_sentence(
                name,
                "You took the {pyramid} from tree {number}; {left}.",
                "{name} took the {pyramid} from tree {number}; {left}.",
                pyramid=pyramid_name(took),
                number=move.removeprefix("take "),
                left=left,
            )
        if entry["winner"] is None:
            return deed_sentence(
                name, "You led {tree} to open a trick.", "{name} led {tree} to open a trick.", tree=move
            )
        followed = deed_sentence(name, "You followed with {tree}", "{name} followed with {tree}", tree=move)
        return _("{deed}, and {name} won the trick.", deed=followed, name=name_as_object(names[entry["winner"] - 1]))

    def prompt(self, board: Board, you: int, moves: Sequence[str]) -> Prompt:  # noqa: ARG002
        """Ask for a pyramid or a tree, and state what restricts the choice."""
        if not moves:
            return Prompt([_("There is nothing to play now.")])
        if board["stage"] == "draft":
            ask = list(_draft_prompt(board, moves))
        elif board["led"]:
            colours = series(sorted({colour_name(pyramid[0]) for pyramid in split_stack(board["led"])}))
            ask = [
                _(
                    "Follow {tree} with a tree of yours, sharing a colour with it ({colours}) if you can.",
                    tree=_tree(board["led"]),
                    colours=colours,
                )
            ]
        else:
            ask = [_("Lead a tree from your stash: a large, a medium and a small pyramid, bottom to top.")]
        return Prompt(ask, _("For example: {move}", move=moves[0]))

    @property
    def legend(self) -> tuple[str, ...]:
        """Return what the codes of this game stand for."""
        return (pyramid_legend(),)

    def goal(self, board: Board) -> str:  # noqa: ARG002
        """Return what wins the match."""
        return _("The higher score wins. The pyramids of the trees you win make new trees: 3 points if solid, else 1.")

    def reasons(self, board: Board, names: Names, you: int, moves: Sequence[str]) -> tuple[str, ...]:
        """Return what each move takes and leaves, or which trees beat or are beaten."""
        return tuple(advice.reason(board, names[2 - you], you, move) for move in moves)

    def pictured(self, board: Board, piece: str) -> tuple[str, ...]:
        """Return the pyramid that a move of the draft is about."""
        if piece == "swap":
            return (board["drafted"],)
        return next(
            (split_stack(tree["pieces"])[-1:] for tree in board["trees"] if piece == f"take {tree['number']}"), ()
        )

    def touches(self, board: Board, you: int, chosen: Chosen, pieces: Sequence[str]) -> Touches:  # noqa: ARG002
        """Return the trees of the draft, or the counts of the viewer's pyramids."""
        return {piece: (piece,) for piece in pieces if piece not in _WITHOUT_PLACE}

    def resting(self, board: Board, you: int, chosen: Chosen) -> dict[str, int]:  # noqa: ARG002
        """Return the chosen tree, or the chosen pyramids."""
        return {piece: number for number, piece in enumerate(chosen)}

    def what(self, board: Board, names: Names, you: int, place: str) -> tuple[str, ...]:  # noqa: ARG002
        """Describe a numbered tree, or who holds pyramids of a kind."""
        number = place.lower().removeprefix("tree ").removeprefix("baum ").strip()
        if number.isdecimal() and 1 <= int(number) <= 2 * board["limit"]:
            standing = next((tree["pieces"] for tree in board["trees"] if tree["number"] == int(number)), None)
            if not standing:
                return (_("Tree {number} is empty.", number=int(number)),)
            return (_("Tree {number} has {stack}.", number=int(number), stack=_stack_text(standing)),)
        pyramid = fold(place).upper()
        if pyramid not in TREEHOUSE:
            return ()
        held = [
            f"{name_in_sentence(name)} {numeral(stash.count(pyramid))}"
            for name, stash in zip(names, map(split_stack, board["stashes"]), strict=True)
        ]
        on_top = [
            _("tree {number}", number=tree["number"])
            for tree in board["trees"]
            if split_stack(tree["pieces"])[-1] == pyramid
        ]
        parts = {"code": pyramid, "pyramid": pyramid_name(pyramid), "held": series(held)}
        sentence = _("Of {code}, the {pyramid} pyramid, are held: {held}.", **parts)
        return (sentence, _("One is on top of {trees}.", trees=series(on_top))) if on_top else (sentence,)

    def held(self, board: Board, you: int) -> tuple[str, ...]:
        """Describe the viewer's stash, and the trees they have won."""
        won = [_tree(tree) for tree in board["won"][you - 1]]
        sentence = _("You hold {things}.", things=_stash_text(board["stashes"][you - 1]))
        return (sentence, _("You have won {trees}.", trees=series(won))) if won else (sentence,)


def _describe_swap(name: str, other: str, took: str) -> str:
    """Describe a swap: by the reader, from the reader, or between others."""
    parts = {"name": clean_name(name), "pyramid": took, "other": clean_name(other)}
    if is_reader(name):
        return _("You swapped, and now have the {pyramid} that {other} had just taken.", **parts)
    if is_reader(other):
        return _("{name} swapped, and now has the {pyramid} that you had just taken.", **parts)
    return _("{name} swapped, and now has the {pyramid} that {other} had just taken.", **parts)


def _draft_prompt(board: Board, moves: Sequence[str]) -> Iterator[str]:
    if moves[0] == "pass":
        yield _("You can take nothing now, so you must pass.")
        return
    yield _(
        "Take the top pyramid of a tree by the tree's number; you may have {limit} of each size.", limit=board["limit"]
    )
    if board["can_swap"]:
        yield _("Or swap: the {pyramid} just taken becomes yours instead.", pyramid=pyramid_name(board["drafted"]))


def _tree(tree: Any) -> str:
    return format_stack(split_stack(tree))


def _headline(board: Board, names: Names) -> str:
    """Return the stage in full words; a title is shorter."""
    if board["stage"] == "draft":
        limit = pyramids(board["limit"])
        return _("The draft is on, in which each player takes up to {pyramids} of each size", pyramids=limit)
    if board["led"]:
        return _(
            "Trick {number} of {all}: {leader} led {tree}, and {other} is to follow",
            **_trick_parts(board, names),
            tree=stack_name(split_stack(board["led"])),
        )
    return _state(board, names)


def _trick_parts(board: Board, names: Names) -> dict[str, object]:
    return {
        "number": board["trick"],
        "all": board["limit"],
        "leader": clean_name(names[board["leader"] - 1]),
        "other": clean_name(names[2 - board["leader"]]),
    }


def _stack_text(pieces: Any) -> str:
    stack = split_stack(pieces)
    return stack_name(stack) if len(stack) > 1 else _("{pyramid} alone", pyramid=stack_name(stack))


def _state(board: Board, names: Names) -> str:
    if board["stage"] == "draft":
        return _("The draft, up to {limit} of each size for each player", limit=board["limit"])
    first, second = board["scores"]
    if board["stage"] == "over":
        if first == second:
            return _("The game is over: a draw at {points} all", points=first)
        winner, best, least = (0, first, second) if first > second else (1, second, first)
        return _(
            "The game is over: {name} wins by {best} to {least}", name=clean_name(names[winner]), best=best, least=least
        )
    if board["led"]:
        return _(
            "Trick {number} of {all}: {leader} led {tree} for {other} to follow",
            **_trick_parts(board, names),
            tree=_tree(board["led"]),
        )
    return _("Trick {number} of {all}: {leader} is to lead", **_trick_parts(board, names))


def _tree_lines(board: Board) -> Iterator[str]:
    cells = [f"{tree['number']:2} {_tree(tree['pieces'])}".ljust(15) for tree in board["trees"]]
    for at in range(0, len(cells), _TREES_PER_LINE):
        yield "".join(cells[at : at + _TREES_PER_LINE]).rstrip()


def _seat_lines(board: Board, seat: int, name: str, you: int | None) -> Iterator[str]:
    stash, won = split_stack(board["stashes"][seat - 1]), board["won"][seat - 1]
    drafting = board["stage"] == "draft"
    player = player_label(name, seat, you)
    if not drafting:
        points = said_points(board["scores"][seat - 1])
        yield _("{name}: {tricks} won, {points}", name=player, tricks=tricks(len(won)), points=points)
    if won:
        yield from format_list(_("  trees won: "), [_tree(tree) for tree in won], COLUMNS, _("and "))
    if drafting:
        yield _("Stash of {name}:", name=player)
    if stash or drafting:
        yield " " * 8 + "".join(f"{colour_name(colour):>8}" for colour in COLOURS)
        for size in reversed(SIZES):
            counts = Counter(pyramid[0] for pyramid in stash if pyramid[1] == size)
            cells = "".join(f"{counts[colour]:8}" for colour in COLOURS)
            total = f"  = {counts.total()}/{board['limit']}" if drafting else ""
            yield f"  {size_name(size):6}{cells}{total}"


def _stash_text(stash: Any) -> str:
    kinds = Counter(split_stack(stash))
    return series([stack_count(count, (kind,)) for kind, count in kinds.items()]) if kinds else _("nothing")
