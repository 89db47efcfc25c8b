"""The newly typed lines of a mail, without quoted text, signatures and text added by programs.

Works line by line, with bounded patterns, and visits each line a fixed number of times. No single word cuts anything
off: an introduction of quoted text must also contain a time or an address, and a block of headers two labels and an
address or a date, so that `From: e2` and `On d4` remain moves.
"""

# ruff: noqa: RUF001 (punctuation of many languages)
from __future__ import annotations

import re

from emails.parsing.html_text import SIGNATURE_LINK
from emails.parsing.languages import word_pattern
from emails.parsing.reply_marker import QUOTE_SIGNS, lines_above, lines_below

_ADDRESS = re.compile(r"[\w.+-]@[\w\[]")
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\d)\d{1,2}[./-]\s?\d{1,2}[./-]\s?\d{2,4}(?!\d)")
_TIME = re.compile(r"(?<!\d)\d{1,2}[:.h]\d\d(?!\d)")
# Matched against lower-case text: without IGNORECASE, `re` can skip to the first letters of the verbs.
_WROTE = re.compile(rf"(?:{word_pattern('wrote').lower()})(?!\w)")
_WROTE_AT_END = re.compile(rf"(?:{word_pattern('wrote').lower()})[\s:：*_<>)-]{{0,80}}$")
_WROTE_BY_ADDRESS = re.compile(rf"@[^\s<>@]{{1,100}}[>)]\s{{0,3}}(?:\w{{1,10}}\s)?{_WROTE.pattern}")
_ADDRESS_AT_END = re.compile(r"[\w.+-]@[^\s<>@]{1,100}[>)\]]{0,3}\s?[:：]\*?$")
_QUOTING = re.compile(rf"(?:{word_pattern('quoting')})\s", re.IGNORECASE)
_OPENER = re.compile(
    rf"(?<!\S)(?:{word_pattern('on')})\s{{1,3}}(?:(?:[^\W\d_]{{2,12}}[.,]{{0,2}}\s{{1,3}}){{1,2}}\d{{1,4}}|\d{{1,4}}.{{6}})"
)
_MOMENT_AT_END = re.compile(
    rf"(?:{_DATE.pattern})(?:-\d\d-\d\d)?\D{{1,12}}{_TIME.pattern}(?::\d\d)?(?:\s?(?:[a-z]{{2,4}}|[+-]\d{{4}})){{0,2}}[\])]?\s?[:：]$",
    re.IGNORECASE,
)
_NAME_AT_END = re.compile(r"\w(?:,\s?|\s\[)$")
_MAX_INTRODUCTION_LENGTH, _MAX_INTRODUCTION_LINES = 400, 4
"""Maximum characters of an introduction of quoted text, and maximum lines that it is broken into."""

_LABEL = re.compile(r"[*>_]{0,3}\s?([^\W\d_][\w .'’/()-]{0,24}?)[\s*_]{0,3}[:：](?!//)")
_FROM_LABEL = re.compile(rf"[*>_]{{0,3}}\s?(?:{word_pattern('from')})[\s*_]{{0,3}}[:：]\D*$", re.IGNORECASE)
_MAX_HEADER_LINES = 16
_RULE = re.compile(r"[_-]{10,998}$")
_RULED_TITLE = re.compile(r"(?=.{5,200}$)[-_=*]{2,}\s?([^\W_].{0,80}?)\s?[-_=*]{2,}[:\s]*$")
_LONG_RULED_TITLE = re.compile(r"(?=.{9,200}$)[-_=*]{5,}\s?[^\W\d_].{0,80}?[-_=*]{3,}[:\s]*$")
_MESSAGE_WORDS = re.compile(word_pattern("message"), re.IGNORECASE)
_FORWARDED = re.compile(rf"(?:{word_pattern('forwarded')})\s?:$", re.IGNORECASE)
_SIGNATURE = re.compile(rf"--$|(?=.{{1,90}}$)(?:{word_pattern('phone')}|.{{1,60}}{SIGNATURE_LINK})", re.IGNORECASE)
_WARNING = re.compile(rf"\W{{0,9}}(?:{word_pattern('warning')})", re.IGNORECASE)
_UNFINISHED_LINE = re.compile(r".{39,}[^.!?*\]]$")
_LONG_LINE = re.compile(r".{60}")
_PGP_HEADER = "-----BEGIN PGP SIGNED MESSAGE-----"


def typed_lines(lines: list[str]) -> tuple[str, ...]:
    """Return the newly typed lines in order, "" between paragraphs; nothing if all of it is quoted."""
    lines = [line.strip() for line in lines]
    return _remove_quotes(lines_above(lines)) or _remove_quotes(lines_below(lines))


def _remove_quotes(lines: list[str]) -> tuple[str, ...]:
    lines = _strip_pgp(lines)
    kept: list[str] = []
    at = 0
    while at < len(lines):
        line, at = _process_line(lines, at, began=any(kept))
        kept.append(line)
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip("\n")
    return tuple(text.split("\n")) if text else ()


def _process_line(lines: list[str], at: int, *, began: bool) -> tuple[str, int]:
    """Return what was typed in a line, and the index of the next line; `began` if something was typed above."""
    line, end = lines[at], len(lines)
    if introduced := _find_introduction(lines, at):
        before, after = introduced
        quoted = next(filter(None, lines[after : after + _MAX_INTRODUCTION_LINES]), "").startswith(QUOTE_SIGNS)
        return before, after if quoted or not (began or before) else end
    if line.startswith(QUOTE_SIGNS):
        after = _quotation_end(lines, at, began=began)
    elif _is_separator(line) or (_RULE.match(line) and _headers_end(lines, at + 1)):
        after = end
    elif headers := _headers_end(lines, at):
        after = end if began else headers
    elif _SIGNATURE.match(line):
        # If nothing is typed above it, something may be typed below a quotation.
        after = end if began else next((i for i in range(at, end) if lines[i].startswith(QUOTE_SIGNS)), end)
    elif not began and _WARNING.match(line):
        after = next((i for i in range(at, end) if not _UNFINISHED_LINE.match(lines[i])), end) + 1
    else:
        return line, at + 1
    return "", after


def _strip_pgp(lines: list[str]) -> list[str]:
    """Remove an OpenPGP signature (RFC 9580 section 7), which puts `- ` before leading dashes."""
    if next(filter(None, lines), "") != _PGP_HEADER:
        return lines
    signed = lines[lines.index(_PGP_HEADER) :]
    return [line[2:] if line.startswith("- -") else line for line in signed[signed.index("") :]] if "" in signed else []


def _find_introduction(lines: list[str], at: int) -> tuple[str, int] | None:
    """Return what was typed before an introduction that starts in a line, and the index of the line after it."""
    line = lines[at]
    opener = _OPENER.search(line)
    before = line[: opener.start()] if opener else ""
    if not re.search(r"\w", before) or before.endswith("(") or _ADDRESS.search(before) or _WROTE.search(before.lower()):
        before = ""
    goes_on = opener or line.endswith("<") or (_DATE.search(line) and _TIME.search(line))
    found, text = None, ""
    for after, part in enumerate(lines[at : at + _MAX_INTRODUCTION_LINES] if goes_on else [line], at + 1):
        text = f"{text} {part}" if text else part[len(before) :]
        if not part or part.startswith(QUOTE_SIGNS) or len(text) > _MAX_INTRODUCTION_LENGTH:
            break
        if _is_introduction(text.strip(" \t\xa0-–—_*>"), open_end=text.endswith(">")):
            found = before.rstrip(), after
    if found and found[0].endswith(("--", "—-")):
        # A program's rule, joined to the reply; a single dash may belong to a move.
        found = found[0].rstrip("-—").rstrip(), found[1]
    return found


def _is_introduction(text: str, *, open_end: bool) -> bool:
    address, date, time = (bool(pattern.search(text)) for pattern in (_ADDRESS, _DATE, _TIME))
    if not (address or date or time):
        return False
    opened, colon = bool(_OPENER.match(text) or _DATE.match(text)), text.endswith((":", "：", ":*", "：*"))
    lower = text.lower()
    if _WROTE_AT_END.search(lower):
        return opened or (colon and (address or date))
    if colon and (date or time) and (_WROTE_BY_ADDRESS.search(lower) or _ADDRESS_AT_END.search(text)):
        return True
    if (colon and opened and date and time) or ((colon or (date and time)) and _QUOTING.match(text)):
        return True
    if (moment := _MOMENT_AT_END.search(text)) and (
        address or _WROTE.search(lower) or _NAME_AT_END.search(text[: moment.start()])
    ):
        return True
    return opened and (((colon or address) and bool(_WROTE.search(lower))) or (address and open_end))


def _quotation_end(lines: list[str], at: int, *, began: bool) -> int:
    """Return the index after quoted lines and their remainders: below typed text, all up to a blank line."""
    while at < len(lines) and (
        lines[at].startswith(QUOTE_SIGNS) or (lines[at] and (began or _is_wrapped_rest(lines, at)))
    ):
        at += 1
    return at


def _is_wrapped_rest(lines: list[str], at: int) -> bool:
    """Return whether a line is the end of a quoted line, which some mailer wrapped without a quote sign."""
    before, after = lines[at - 1], "".join(lines[at + 1 : at + 2])
    return before.startswith(QUOTE_SIGNS) and after.startswith(QUOTE_SIGNS) and bool(_LONG_LINE.match(before))


def _headers_end(lines: list[str], at: int) -> int:
    """Return the index after a block of a quoted mail's headers, or 0 if none starts here."""
    labels: list[str] = []
    end, gap = at, 0
    for i, line in enumerate(lines[at : at + _MAX_HEADER_LINES], at):
        label = _LABEL.match(line)
        gap = 0 if label else gap + bool(line)
        if gap > 1:
            break
        if label:
            labels.append(label[1].lower())
            end = i + 1
    first = next(filter(None, lines[at:end]), "")
    proofs = sum(bool(pattern.search(" ".join(lines[at:end]))) for pattern in (_ADDRESS, _DATE, _TIME))
    known = _ADDRESS.search(first) or _DATE.search(first) or _FROM_LABEL.match(first)
    # Two labels need two proofs; and if the first label recurs, a person typed it the first time.
    return end if known and min(len(labels), 3) + proofs > 3 and labels.count(labels[0]) == 1 else 0  # noqa: PLR2004


def _is_separator(line: str) -> bool:
    """Return whether a line is a separator like `-----Original Message-----`, in any language."""
    ruled = _RULED_TITLE.match(line)
    named = ruled is not None and _MESSAGE_WORDS.search(ruled[1]) is not None
    return named or bool(_LONG_RULED_TITLE.match(line) or _FORWARDED.match(line))
