"""What the release before cannot live with, found in the source of a migration."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

GONE = {"drop_column", "drop_table", "rename_table"}
STRICTER = {"create_unique_constraint", "create_check_constraint", "create_exclude_constraint"}
SQL = re.compile(
    r"\b(DROP\s+(TABLE|COLUMN|VIEW|TYPE|FUNCTION)|RENAME|TYPE\s+\w+|SET\s+NOT\s+NULL|TRUNCATE\s+(?!ON\b)\w+|DELETE\s+FROM"
    r"|ADD\s+CONSTRAINT\s+\S+\s+(UNIQUE|CHECK|EXCLUDE))",
    re.IGNORECASE,
)
_INDEX = re.compile(r"\bCREATE\s+(UNIQUE\s+)?INDEX\s+(?!CONCURRENTLY)", re.IGNORECASE)


def contractions(source: str) -> list[str]:
    """List what a migration does on its way up that code of the release before would stumble over."""
    made = _made_here(source)
    return [said for node in _calls(source) for said in _contraction(node, made)]


def held_up(source: str) -> list[str]:
    """List the indexes that keep everybody from writing to a table while they are built."""
    made = _made_here(source)
    found = [
        f"create_index on {table}: use build_index"
        for node in _calls(source)
        if _name(node) == "create_index" and (table := _text(node.args[1])) not in made
    ]
    return found + [
        f"SQL builds an index: {sql[:60]}"
        for node in _calls(source)
        if _name(node) == "execute" and _INDEX.search(sql := _text(node.args[0]))
    ]


def unused_since(source: str) -> str | None:
    """Read which release stopped using what a migration takes away."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "UNUSED_SINCE":
            return _text(node.value)
    return None


def _contraction(node: ast.Call, made_here: set[str]) -> Iterator[str]:
    name, named = _name(node), {word.arg: word.value for word in node.keywords}
    if name in GONE or (name in STRICTER and _text(node.args[1]) not in made_here):
        yield name
    if name == "alter_column":
        yield from (f"alter_column {word}" for word in ("new_column_name", "type_") if word in named)
        if _is(named.get("nullable"), value=False):
            yield "alter_column nullable=False"
    if name == "add_column" and _text(node.args[0]) not in made_here:
        column = {word.arg: word.value for word in getattr(node.args[1], "keywords", ())}
        if _is(column.get("nullable"), value=False) and "server_default" not in column:
            yield "add_column without a server_default"
    if name in {"create_index", "build_index"} and _is(named.get("unique"), value=True):
        table = node.args[1]
        if _text(table) not in made_here:
            yield f"{name} that is unique"
    if name == "execute" and (hit := SQL.search(_text(node.args[0]))):
        yield f"SQL with {hit[0]}"


def _calls(source: str) -> Iterator[ast.Call]:
    ways_up = [
        node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and node.name != "downgrade"
    ]
    return (node for way in ways_up for node in ast.walk(way) if isinstance(node, ast.Call))


def _made_here(source: str) -> set[str]:
    return {_text(node.args[0]) for node in _calls(source) if _name(node) == "create_table"}


def _name(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _text(node: ast.expr) -> str:
    """Return all that is written in an expression: names in `op.f`, pieces that are put together."""
    return "".join(
        part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )


def _is(node: ast.expr | None, *, value: bool) -> bool:
    return isinstance(node, ast.Constant) and node.value is value
