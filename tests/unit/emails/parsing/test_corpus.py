"""The reader against mails of the public test suites, where they lie beside the project; it is not tuned to them."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from emails.parsing import body
from emails.parsing.description import _HTML_TAG, describe, is_mail
from emails.parsing.fingerprint import fingerprint
from emails.parsing.headers import decode
from emails.parsing.quotes_and_signatures import typed_lines
from emails.parsing.reader import parse_mail
from tests.support.emails.parsing.forms import CHARSETS, ENCODINGS, WRAPS, wrapped
from tests.support.examples import examples, few
from tests.support.places import ROOT

CORPUS = ROOT.parent / "shared" / "corpus" / "email"
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="left out: public mails (lay them beside the project)")
WRONG_AT_MOST = 2
RUNAWAY = 20
"""Seconds that nothing comes near: what runs away takes minutes, or has no end."""
HARD = {"banner", "header-block-first", "shares-line"}
COMBINATIONS = examples(1_500)
EMPTY_ENDINGS = 0.63
"""What the best of the libraries that were measured reaches."""
EXACT_RECIPIENTS = 0.85
MOVES = [
    "take 7", "R3/G2/R1", "sow c B3, G2 on G3, R2", "6-4 3-off", "9H", "R2 7H", "a1-c3 f3", "hands AS KS | 9D | -",
    "keep", "pass", "accept", "-", "- A1", "-5", "From: e2", "To: e4", "On d4", "Am Zug: e4", "Le fou e4",
    "queen of spades",
]  # fmt: skip


def entries(folder: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((CORPUS / folder / "index.json").read_text(encoding="utf-8"))
    return found


def content(folder: str, entry: dict[str, Any]) -> bytes:
    return (CORPUS / folder / str(entry["file"])).read_bytes()


def encodable(text: str, charset: str) -> bool:
    try:
        return text.encode(charset).decode(charset) == text
    except UnicodeError:
        return False


def stuffed(text: str) -> str:
    """Write a text as RFC 3676 wants it, without soft line breaks."""
    lines = [line if line == "-- " else line.rstrip(" ") for line in text.split("\n")]
    return "\n".join(f" {line}" if line.startswith((" ", "From ")) else line for line in lines)


def spaced(lines: tuple[str, ...]) -> list[str]:
    """Return lines with single spaces: a page has no others; and it may set its paragraphs apart."""
    return [" ".join(line.split()) for line in lines if line]


def test_the_first_line_of_the_replies() -> None:
    scored = [entry for entry in entries("replies") if entry["scored"]]
    read_as = {entry["id"]: describe(content("replies", entry))["first_line"] for entry in scored}
    wrong = [entry["id"] for entry in scored if read_as[entry["id"]] != entry["expected_first_line"]]
    assert scored
    assert len(wrong) <= WRONG_AT_MOST, wrong


def test_nothing_typed_is_nothing() -> None:
    quoted = [entry for entry in entries("replies") if entry["category"] == "quote-only"]
    assert quoted
    assert [entry["id"] for entry in quoted if describe(content("replies", entry))["typed"]] == []


def test_whole_mails_are_told_from_bodies() -> None:
    for entry in entries("replies"):
        assert is_mail(content("replies", entry)) == (entry["kind"] == "message/rfc822"), entry["id"]


def test_a_move_above_every_tail() -> None:
    lost = []
    for entry in few(entries("replies")):
        raw = content("replies", entry)
        text = decode(raw, "")
        if is_mail(raw) or _HTML_TAG.search(text):
            continue
        lines = text.splitlines()
        first = next((i for i, line in enumerate(lines) if line.strip() == entry["expected_first_line"]), -1)
        texts = [
            (move, [move, *between, *tail])
            for move in MOVES
            for between in ([], [""])
            for tail in (lines, lines[first + 1 :])
        ]
        lost += [(entry["id"], move) for move, text in texts if typed_lines(text)[:1] != (move,)]
    assert lost == []


def test_banners_header_blocks_and_shared_lines() -> None:
    hard = [entry for entry in entries("replies") if entry["category"] in HARD and entry["scored"]]
    assert {entry["category"] for entry in hard} == HARD
    read_as = {entry["id"]: describe(content("replies", entry))["first_line"] for entry in hard}
    assert read_as == {entry["id"]: entry["expected_first_line"] for entry in hard}


def test_a_text_is_read_alike_in_every_form() -> None:
    tried, unlike = 0, set()
    for entry in few(entries("replies")):
        raw = content("replies", entry)
        text = decode(raw, "").replace("\r\n", "\n")
        if entry["kind"] != "text/plain" or is_mail(raw):
            continue
        expected = spaced(typed_lines(body.first_lines(text)))
        for wrap in WRAPS:
            for charset in CHARSETS:
                if not encodable(text, charset):
                    continue
                tried += 1
                encoding = ENCODINGS[tried % len(ENCODINGS)] if charset not in {"utf-16", "utf-7"} else "base64"
                reading = parse_mail(wrapped(wrap, stuffed(text) if wrap == "flowed" else text, charset, encoding))
                if spaced(reading.typed) != expected:
                    unlike.add((entry["id"], wrap))
    print(f"{tried} combinations of public texts and forms, {len(unlike)} read differently")  # noqa: T201 (a figure)
    assert tried >= COMBINATIONS
    assert unlike == set()


def test_endings_alone_leave_nothing_in_most_cases() -> None:
    """Such an ending may have lines that anybody would take for typed ones; no program knows them all."""
    endings = []
    for entry in entries("replies"):
        raw = content("replies", entry)
        text = decode(raw, "")
        if is_mail(raw) or _HTML_TAG.search(text):
            continue
        lines = text.splitlines()
        words = set(filter(None, typed_lines(lines)))
        kept = [i for i, line in enumerate(lines) if line.strip() in words]
        ending = lines[kept[-1] + 1 :] if kept else lines
        endings += [ending] if any(map(str.strip, ending)) else []
    empty = sum(not typed_lines(ending) for ending in endings)
    print(f"{empty} of {len(endings)} endings leave nothing typed")  # noqa: T201 (a figure)
    assert empty / len(endings) >= EMPTY_ENDINGS


def test_whom_reports_name() -> None:
    known = [entry for entry in entries("bounces") if entry["expected_recipients"] is not None]
    right = [
        entry["file"]
        for entry in known
        if set(parse_mail(content("bounces", entry)).recipients)
        == {one.lower() for one in entry["expected_recipients"]}
    ]
    others = [entry for entry in entries("bounces") if entry["expected_recipients"] is None]
    named = sum(bool(parse_mail(content("bounces", entry)).recipients) for entry in others)
    print(f"recipients: {len(right)} of {len(known)} exact, {named} of {len(others)} others named")  # noqa: T201 (a figure)
    assert len(right) >= len(known) * EXACT_RECIPIENTS


@pytest.mark.parametrize("folder", ["odd", "bounces"])
def test_odd_mails_are_read_quickly_and_without_an_exception(folder: str) -> None:
    for entry in entries(folder):
        raw = content(folder, entry)
        began = time.perf_counter()
        parse_mail(raw)
        describe(raw)
        fingerprint(raw)
        assert time.perf_counter() - began < RUNAWAY, entry["file"]


def test_machines_mail_is_known() -> None:
    reports = entries("bounces")
    taken = [entry["file"] for entry in reports if parse_mail(content("bounces", entry)).kind == "reply"]
    assert len(taken) <= len(reports) // 100, taken
