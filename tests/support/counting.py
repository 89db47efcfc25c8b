"""Counting what a reader of typed text does, in calls and in characters that patterns look at; run as a program.

Patterns are counted as they are made, so this is imported before the modules that make them:
`python -m tests.support.counting` prints, as JSON, for each reader and each shape of text, one line for each length.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LENGTHS = (2000, 4000, 8000, 16000, 32000, 64000)
SHAPES = {
    "blanks": " ",
    "words": "word ",
    "addresses": "a@b.example ",
    "at signs": "@",
    "spaced at signs": " @ ",
    "digits": "9",
    "commas": ",",
    "brackets": "[({",
    "accents": "e\u0301\u0316",
    "colons": "if : ",
    "cards": "9H ",
    "arrows": "->",
    "bars": "|",
    "quotes": "'\"",
    "wide": "\u3000\ufb03",
    "slashes": "//:",
    "orders": "always and then ",
}
"""What texts are made of, over and over."""
FRONTS = ("", "if ")
"""What may stand in front, so that a reader goes on to the rest."""
OURS = ("pbem", "emails")
NAMES = re.compile(
    r"_?(read|parse|clean|normalise|sanitise|decode|number)(_\w+)?"
    r"|split_lines|partition|may_contain_plan|is_plan_line|message_text|default_name|fold"
)
"""How readers of typed text are called."""
TEXT = {"str", "Sequence[str]", "list[str]", "str | None"}


class Counted:
    """A pattern that notes how many characters it is given."""

    seen = 0
    longest = 0

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        self._pattern = pattern

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._pattern, name)
        if name not in {"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}:
            return found
        at = 1 if name.startswith("sub") else 0

        def counted(*arguments: Any, **named: Any) -> Any:
            size = len(arguments[at] if len(arguments) > at else named["string"])
            Counted.seen += size
            Counted.longest = max(Counted.longest, size)
            return found(*arguments, **named)

        return counted


_compile = re.compile


def compiled(pattern: Any, flags: Any = 0) -> Any:
    """Compile a pattern; those of ours count."""
    made = _compile(pattern, flags)
    ours = sys._getframe(1).f_globals.get("__name__", "").partition(".")[0] in OURS
    return Counted(made) if ours else made


def readers() -> dict[str, tuple[Callable[..., Any], str]]:
    """Find every function that reads typed text, with the parameter that is it."""
    found = {}
    for name in ("pbem.play", "pbem.web", "pbem.games", "pbem.boards", "pbem.i18n", "pbem.time_format"):
        package = importlib.import_module(name)
        inside = pkgutil.walk_packages(package.__path__, f"{name}.") if hasattr(package, "__path__") else ()
        for module in (package, *(importlib.import_module(each.name) for each in inside)):
            for place, each in functions(module):
                parameter = text_of(each)
                if parameter:
                    found[f"{module.__name__.partition('.')[2]}.{place}"] = (each, parameter)
    return found


def functions(module: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    """List the functions and methods of a module that are called like readers."""
    for name, each in vars(module).items():
        if inspect.isfunction(each) and each.__module__ == module.__name__ and NAMES.fullmatch(name):
            yield name, each
        if inspect.isclass(each) and each.__module__ == module.__name__:
            for own, method in vars(each).items():
                if inspect.isfunction(method) and NAMES.fullmatch(own):
                    yield f"{name}.{own}", method


def text_of(each: Callable[..., Any]) -> str:
    """Return the parameter that is typed text; empty where none is."""
    given = each.__annotations__.items()
    return next((name for name, kind in given if name != "return" and str(kind) in TEXT), "")


def counted(read: Callable[[str], object], text: str) -> tuple[int, int, int]:
    """Return how many calls reading a text takes, how many characters patterns are given, and how many at once."""
    calls = 0

    def count(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    Counted.seen = Counted.longest = 0
    sys.setprofile(count)
    try:
        read(text)
    finally:
        sys.setprofile(None)
    return calls, Counted.seen, Counted.longest


def measured(rows: dict[str, Callable[[str], object]]) -> dict[str, dict[str, list[tuple[int, int, int]]]]:
    """Measure each reader with each shape of text, at each length."""
    texts = {
        f"{front!r} and {name}": [(front + shape * length)[:length] for length in LENGTHS]
        for front in FRONTS
        for name, shape in SHAPES.items()
    }
    return {
        reader: {shape: [counted(read, text) for text in several] for shape, several in texts.items()}
        for reader, read in rows.items()
    }


def main() -> None:
    """Print what was found and measured."""
    re.compile = compiled
    from tests.support.reading import NO_TYPED_TEXT, rows  # noqa: PLC0415 -- after patterns are counted

    found = readers()
    made = rows(found)
    sys.stdout.write(
        json.dumps(
            {
                "found": sorted(found),
                "rows": sorted(made),
                "others": sorted(NO_TYPED_TEXT),
                "measured": measured({name: read for name, read in made.items() if name}),
            }
        )
    )


if __name__ == "__main__":
    main()
