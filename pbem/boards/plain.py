"""Any board as indented text, and a picture of that text, for games without their own drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from pbem.boards.drawing import NO_TURN, Board, Drawing, Entry, Names, Prompt, Turn
from pbem.boards.player_names import deed_sentence, player_label
from pbem.boards.prose import COLUMNS, clean_name, format_list, wrap_sentences
from pbem.boards.shapes import WIDTH, sheet
from pbem.boards.stroke_font import fitting_size, label
from pbem.i18n import _, meaning

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LETTER_SIZE, _LINE_HEIGHT, _MARGIN = 13.0, 26.0, 28.0
_MAX_DEPTH = 4
_MAX_KEY_LENGTH, _MAX_VALUE_LENGTH = 14, 36
"""Maximum lengths of names and values, so that both fit on an indented line."""
_MAX_EXAMPLE_LENGTH = 30


class Plain(Drawing):
    """Drawing of every game that has none of its own."""

    key: ClassVar[str] = ""
    lines: ClassVar[tuple[str, ...]] = ()

    def svg(
        self, board: Board, names: Names, you: int | None = None, turn: Turn = NO_TURN, *, described: bool = True
    ) -> str:
        """Draw the board's text, line by line."""
        words = self.text(board, names, you)
        parts = []
        for row, line in enumerate(words.splitlines(), 1):
            bare = line.lstrip(" ")
            left = _MARGIN + (len(line) - len(bare)) * 8
            size = fitting_size(bare, _LETTER_SIZE, WIDTH - _MARGIN - left)
            parts.append(label(bare, left, _MARGIN + row * _LINE_HEIGHT - 8, size, "ink", "start"))
        description = self.description(board, names, you, turn) if described else ""
        return sheet(_("The board"), description, 2 * _MARGIN + len(parts) * _LINE_HEIGHT, parts)

    def text(self, board: Board, names: Names, you: int | None = None) -> str:
        """Write every part of the board under its name."""
        seats = [player_label(name, seat, you) for seat, name in enumerate(names, 1)]
        return "\n".join([*format_list(_("Players: "), seats), *_lines(board, 0)])

    def words(self, board: Board, names: Names, you: int | None = None) -> str:
        """Describe the board as its text does, without the indentation."""
        return wrap_sentences(line.strip() for line in self.text(board, names, you).splitlines())

    def tell(self, entry: Entry, names: Names) -> str:
        """Describe who played what, or that a hidden move was made."""
        name = names[entry["seat"] - 1]
        if not entry["move"]:
            return deed_sentence(name, "You made a hidden move.", "{name} made a hidden move.")
        return deed_sentence(name, "You played “{move}” here.", "{name} played “{move}” here.", move=entry["move"])

    def prompt(self, board: Board, you: int, moves: Sequence[str]) -> Prompt:  # noqa: ARG002
        """Ask for a move, with a short one as the example."""
        short = next((move for move in moves if len(move) <= _MAX_EXAMPLE_LENGTH), None)
        ask = [_("It is your turn: reply with your move.")]
        return Prompt(ask, _("For example: {move}", move=short)) if short else Prompt(ask)


def _lines(part: Any, depth: int) -> Iterator[str]:
    indent = "  " * min(depth, _MAX_DEPTH)
    pairs = (
        part.items()
        if isinstance(part, dict)
        else ((_("part {number}", number=at), value) for at, value in enumerate(part, 1))
    )
    for key, value in pairs:
        name = clean_name(str(key).replace("_", " "), _MAX_KEY_LENGTH)
        if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(one, dict | list) for one in value)):
            yield indent + _("{part} has", part=name)
            yield from _lines(value, depth + 1)
        else:
            words = [_value_text(one) for one in value] if isinstance(value, list) else [_value_text(value)]
            yield from format_list(f"{indent}{name}: ", words or [meaning("a value", "none")], COLUMNS)


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return clean_name(str(value), _MAX_VALUE_LENGTH) if value not in {None, ""} else meaning("a value", "none")
