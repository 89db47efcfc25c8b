"""Redaction: removes secrets and personal data from everything that is written for operators."""

from __future__ import annotations

import re
from socket import gethostname
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection

PLACEHOLDER = "[hidden]"

_PASSWORD = re.compile(r"(?<=://)[^\s/@]*@")
"""User name and password in a URL."""
_LOCAL_PART_CHARACTER = r"""[^\s<>()\[\],:;"'=/\\@]"""
_ADDRESS = re.compile(
    rf"""(?:"[^"\s]{{1,64}}"|(?<!{_LOCAL_PART_CHARACTER}){_LOCAL_PART_CHARACTER}+)(?:@|%40)(\[[^\]\s]*\]|[\w.-]*\w)"""
)
"""A mail address, plain or as it is quoted in URLs and folder names."""
_CELERY_NODE_NAME = f"celery@{gethostname()}"
"""Name that Celery gives its process on this machine; it is not a mail address."""
_LONG_WORD = re.compile(r"[\w-]{22,}", re.ASCII)
"""A cheap test for any of the following; few lines match."""
_SIGNED_VALUE = re.compile(r"(?<![\w-])[\w-]{8,}(?:\.[\w-]{6})?\.[\w-]{27}(?![\w-])", re.ASCII)
"""A value signed by itsdangerous."""
_TOKEN = re.compile(r"[0-9a-hjkmnp-tv-z]{26,}", re.IGNORECASE)
"""One of our tokens: 26 digits of Crockford's base32, whatever is next to them."""
_OPAQUE = re.compile(r"(?<![\w-])(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{22,}(?![\w-])", re.ASCII)
"""Any long word with a digit: keys, hashes, cookies, confirmations; a match ID is shorter."""
_ERROR_DETAIL = re.compile(r"DETAIL: [^\n]*(?:\n(?!\[SQL|\(Background|Traceback|The above|During handling|$)[^\n]*)*")
"""Details that PostgreSQL adds to an error: possibly a whole row, with a mail or a hand in it."""
_MIN_SECRET_LENGTH = 6
"""Minimum characters of a known secret; a shorter one would blot out unrelated words."""


class Redactor:
    """Removes tokens, keys, passwords and mail addresses from text; the domain of an address stays."""

    def __init__(self, known: Collection[str] = ()) -> None:
        long = sorted((secret for secret in known if len(secret) >= _MIN_SECRET_LENGTH), key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, long))) if long else None

    def __call__(self, text: str) -> str:
        """Return a text without secrets."""
        if self._known:
            text = self._known.sub(PLACEHOLDER, text)
        if "DETAIL: " in text:
            text = _ERROR_DETAIL.sub(f"DETAIL: {PLACEHOLDER}", text)
        if "://" in text:
            text = _PASSWORD.sub("", text)
        if "@" in text or "%40" in text:
            text = _ADDRESS.sub(
                lambda found: found[0] if found[0] == _CELERY_NODE_NAME else f"someone at {found[1]}", text
            )
        if _LONG_WORD.search(text):
            text = _SIGNED_VALUE.sub(PLACEHOLDER, text)
            text = _OPAQUE.sub(PLACEHOLDER, _TOKEN.sub(PLACEHOLDER, text))
        return text

    def redact_data(self, value: Any) -> Any:
        """Return data with secrets removed from all its texts, including keys of dictionaries."""
        if isinstance(value, str):
            return self(value)
        if isinstance(value, dict):
            return {self.redact_data(key): self.redact_data(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.redact_data(each) for each in value]
        return value if value is None or isinstance(value, bool | int | float) else self(str(value))
