"""Rendering of the page: one document with its own style, scripts and data, that may load nothing at all."""

from __future__ import annotations

import base64
import gzip
import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pbem.boards import drawing_for
from pbem.boards.palette import DARK_CSS
from pbem.boards.prose import clean_name, series
from pbem.boards.rules import TEMPLATES, rules_for, split_runs
from pbem.boards.rules import translated as in_words
from pbem.games import GAMES
from pbem.games.chain import EVENTS, EventEntry, MoveEntry
from pbem.i18n import _, current_locale, several
from pbem.play.matches import descriptions
from pbem.play.matches.act_descriptions import describe
from pbem.records.page.pieces import Pieces
from pbem.records.page.words import script_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.games.record import Record
    from pbem.records.page.contents import Contents, Perspective

TARGET_BYTES = 198_500
"""Target size of a page in bytes; to stay below it, the page shows only some boards as text."""
_BOARD_INTERVALS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64)
"""Steps from one board as text to the next; the smallest that keeps the page small enough is used."""
_REPLAY_SCRIPTS = ("reading", "checking", "showing")
_VIEWER_SCRIPTS = ("reading", "text_form", "checking", "opening")

_environment = Environment(
    loader=FileSystemLoader([Path(__file__).parent / "templates", TEMPLATES]),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.globals |= {"_": _, "several": several}


def replay_page(contents: Contents) -> str:
    """Render the page of a finished match."""
    page = ""
    # The views of single seats are left out of a very long match.
    for seats in (contents.seats, ()):
        packed = _compress(contents, seats)
        for every in _BOARD_INTERVALS:
            page = _render_replay(contents, packed, every)
            if len(page.encode()) <= TARGET_BYTES:
                return page
    return page


def viewer_page() -> str:
    """Render the page that opens any record."""
    happened = {event: describe(EventEntry(event, None, "", {"from": "{from}"}, "", ""), (), ()) for event in EVENTS}
    return _render("viewer.html", _VIEWER_SCRIPTS, said=_embed_json(script_texts() | {"events": happened}))


def content_security_policy(page: str) -> str:
    """Return the Content-Security-Policy in a page of ours."""
    return page.partition('http-equiv="Content-Security-Policy" content="')[2].partition('"')[0].replace("&#39;", "'")


def _render_replay(contents: Contents, packed: Markup, every: int) -> str:
    record = contents.record
    game, names = GAMES.get(record.game), record.seats
    last = len(record.log)
    return _render(
        "replay.html",
        _REPLAY_SCRIPTS,
        title=game.name if game else record.game,
        record=record,
        names=names,
        players=series([clean_name(name) for name in names]),
        ending=descriptions.ending(record.result, tuple(map(clean_name, names))),
        options=_describe_options(record),
        steps=[_step(contents, step, with_board=step == last or step % every == 0) for step in range(last + 1)],
        every=every,
        rules=in_words(rules_for(record.game)),
        set_apart=_mark_code,
        example=lambda one: drawing_for(record.game).text(one.board, one.names, one.you),
        said=_embed_json(script_texts()),
        packed=packed,
        source=_embed_json(record.data()),
    )


def _step(contents: Contents, number: int, *, with_board: bool) -> dict[str, Any]:
    """Return an item of the list of steps."""
    line = contents.lines[number - 1] if number else None
    entry = contents.record.log[number - 1] if number else None
    return {
        "number": number,
        "who": line.who if line else "",
        "at": line.at[:16].replace("T", " ") if line else "",
        "move": entry.move if isinstance(entry, MoveEntry) else "",
        "void": line is not None and line.void,
        "told": " ".join(contents.everything.sentences[number]) if line else _("The deal"),
        "remarks": contents.remarks.get(number, ()),
        "board": contents.everything.texts[number] if with_board else "",
    }


def _compress(contents: Contents, seats: Sequence[Perspective]) -> Markup:
    """Compress boards and sentences for the script, each distinct piece stored once."""
    names = contents.record.seats
    seen = [contents.everything, *seats]
    pieces = Pieces(text for one in seen for text in (*one.pictures, *one.texts))
    # Grouped by step: neighbours are similar, so they compress best.
    data = {
        "pieces": pieces.all_pieces,
        "legal": contents.legal_moves,
        "seen": [_perspective_title(one, names) for one in seen],
        "pictures": [
            [pieces.encode(text) for text in step] for step in zip(*(one.pictures for one in seen), strict=True)
        ],
        "texts": [[pieces.encode(text) for text in step] for step in zip(*(one.texts for one in seen), strict=True)],
        "told": list(zip(*(one.sentences for one in seen), strict=True)),
        "beside": {"heads": contents.chain_heads, "draws": contents.draws},
    }
    pressed = gzip.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(), mtime=0)
    return _embed_json(base64.b64encode(pressed).decode())


def _perspective_title(one: Perspective, names: Sequence[str]) -> str:
    if one.seat is None:
        return _("Everything open")
    return _("As seat {seat}, {name}, saw it", seat=one.seat, name=clean_name(names[one.seat - 1]))


def _describe_options(record: Record) -> str:
    if record.game not in GAMES:
        return ""
    described = []
    for name, value in record.options.items():
        question = descriptions.option_question(record.game, name)
        colon = "" if question.endswith("?") else ":"
        described.append(f"{question}{colon} {descriptions.option_value(record.game, name, value)}")
    return " · ".join(described)


def _render(template: str, scripts: Sequence[str], **parts: Any) -> str:
    """Render a document whose Content-Security-Policy allows only its own script and style, by their hashes."""
    script = "\n".join(_static_text(f"{name}.js") for name in scripts)
    style = f"{_static_text('file.css')}\n{DARK_CSS}"
    allowed = f"script-src '{_hash(script)}'; style-src '{_hash(style)}'"
    return _environment.get_template(template).render(
        **parts,
        language=current_locale(),
        policy=_trusted(f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"),
        script=_trusted(script),
        style=_trusted(style),
    )


def _trusted(text: str) -> Markup:
    """Mark a text of our own as safe to insert unescaped."""
    return Markup(text)  # noqa: S704 -- no user input


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def _static_text(name: str) -> str:
    return (Path(__file__).parent / "static" / name).read_text("utf-8")


def _embed_json(data: Any) -> Markup:
    """Embed data as JSON in which nothing can be parsed as markup."""
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&":
        written = written.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(written)  # noqa: S704 -- markup characters are escaped above


def _mark_code(text: str) -> Markup:
    return Markup().join(Markup("<code>{}</code>").format(run) if typed else run for run, typed in split_runs(text))
