"""The reader stays small enough to be read in one sitting."""

from __future__ import annotations

import ast
import tokenize
from typing import TYPE_CHECKING

from tests.support.places import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FILES = ("reader", "limits", "body", "html_text", "quotes_and_signatures")
LINES = 330
NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def lines_of_code(path: Path) -> int:
    """Count the lines that hold more than a comment or a part of a docstring; imports count."""
    with path.open("rb") as file:
        tokens = [token for token in tokenize.tokenize(file.readline) if token.type not in NO_CODE]
    code = {line for token in tokens[1:] for line in range(token.start[0], token.end[0] + 1)}
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            code -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(code)


def test_the_reader_is_fewer_than_330_lines_of_code() -> None:
    folder = ROOT / "emails" / "parsing"
    counted = {name: lines_of_code(folder / f"{name}.py") for name in FILES}
    print(counted, sum(counted.values()))  # noqa: T201 (a figure)
    assert sum(counted.values()) < LINES, counted
