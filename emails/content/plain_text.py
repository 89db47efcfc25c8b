"""The text part of a mail: complete on its own, and without a line that could be read as a move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import (
    Block,
    Board,
    BulletList,
    Button,
    Choices,
    Footnote,
    Heading,
    Links,
    Picture,
    Suggestions,
    TitledList,
)
from emails.content.safe_wrapping import LINE_WIDTH, MOVE_WORDS, extract_words, wrap_text
from emails.parsing.reply_marker import MARKER
from pbem.boards.prose import unglued
from pbem.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from emails.content.blocks import Choice

_BULLET = "  * "


def render_text(parts: Sequence[Block], marker: str = MARKER) -> str:
    """Render the blocks of a mail as plain text, below the reply marker."""
    choices = [part for part in parts if isinstance(part, Choices)]
    moves = [move for part in choices for move in (*(one.move for one in part.likely), *part.listed)]
    words = extract_words(moves)
    # Nearly always the words of all games, and then the same set, by which a text is found again.
    known = MOVE_WORDS if words <= MOVE_WORDS else MOVE_WORDS | words
    blocks = [marker, *("\n".join(_block_lines(part, known)) for part in parts if not isinstance(part, Picture))]
    return "\n\n".join(block.rstrip() for block in blocks) + "\n"


def _block_lines(part: Block, known: frozenset[str]) -> Iterator[str]:
    match part:
        case str(text):
            yield from wrap_text(text, known)
        case TitledList(heading, lines, has_places):
            yield unglued(heading)
            yield from _bullet_lines(lines, known, "  " if has_places else _BULLET)
        case Heading(text):
            yield text.upper()
        case BulletList(lines):
            yield from _bullet_lines(lines, known)
        case Board(text):
            yield text.rstrip()
        case Choices(heading, likely, listed):
            yield from _move_list(heading, listed) if listed else _numbered_moves(heading, likely, known)
        case Suggestions(likely):
            yield from _suggestion_lines([one.move for one in likely])
        case Button() | Links():
            yield from _link_lines(part)
        case Footnote():
            yield from _footnote_lines(part, known)


def _footnote_lines(part: Footnote, known: frozenset[str]) -> Iterator[str]:
    *lines, last = (line for each in part.lines for line in wrap_text(each, known))
    yield from lines
    yield f"{last} ({part.link[0]})" if part.link else last
    if part.link:
        yield part.link[1]


def _link_lines(part: Button | Links) -> Iterator[str]:
    for label, url in part.pages if isinstance(part, Links) else [(part.label, part.url)]:
        yield label if label.endswith("?") else f"{label}:"
        # A link with a prefilled text stays a link; a bare address is meant to be typed.
        yield url if "?" in url else url.removeprefix("mailto:")


def _numbered_moves(heading: str, likely: Sequence[Choice], known: frozenset[str]) -> Iterator[str]:
    """List numbered moves, each on a line that is not only the move, with its name and hint below."""
    if not any(one.number for one in likely):
        yield from _move_list(heading, [one.move for one in likely])
        return
    yield f"{heading}:"
    for one in likely:
        yield f"  {_('reply #{number} for {move}', number=one.number, move=one.move)}"
        if one.name:
            yield from wrap_text(f"{one.name}: {one.hint}" if one.hint else one.name, known, " " * 4)


def _suggestion_lines(moves: Sequence[str]) -> Iterator[str]:
    """Suggest moves in one line, or each on a line of its own that is never wrapped."""
    question = _("Did you mean {moves}?", moves=_(" or ").join(_("“{typed}”", typed=move) for move in moves))
    if len(question) <= LINE_WIDTH:
        yield question
        return
    for number, move in enumerate(moves):
        yield _("Or did you mean “{move}”?", move=move) if number else _("Did you mean “{move}”?", move=move)


def _bullet_lines(lines: Sequence[str], known: frozenset[str], point: str = _BULLET) -> Iterator[str]:
    for line in lines:
        yield from wrap_text(line, known, point)


def _move_list(heading: str, moves: Sequence[str]) -> Iterator[str]:
    """List moves in lines that hold more than a move, so that no quoted line can be taken for one."""
    again = _("also")
    line = f"{heading}:"
    for number, move in enumerate(moves):
        item = f" {move}" + (" |" if number + 1 < len(moves) else "")
        if len(line) + len(item) > LINE_WIDTH and line not in {f"{heading}:", f"{again}:"}:
            yield line
            line = f"{again}:"
        line += item
    if moves:
        yield line
