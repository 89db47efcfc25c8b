"""Scrubbing: what lets somebody act, or tells who they are, is taken out of all that is written for operators."""

from __future__ import annotations

import re
from socket import gethostname
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection

HIDDEN = "[hidden]"

_PASSWORD = re.compile(r"(?<=://)[^\s/@]*@")
"""Who signs in at an address, and with which password."""
_LOCAL = r"""[^\s<>()\[\],:;"'=/\\@]"""
_ADDRESS = re.compile(rf"""(?:"[^"\s]{{1,64}}"|(?<!{_LOCAL}){_LOCAL}+)(?:@|%40)(\[[^\]\s]*\]|[\w.-]*\w)""")
"""A mail address, as it is written or as URLs and folders have it."""
_WORKER = f"celery@{gethostname()}"
"""What Celery calls its process on this machine, which is nobody's address."""
_LONG = re.compile(r"[\w-]{22,}", re.ASCII)
"""What holds any of the following; few lines do, and this is quickly seen."""
_SIGNED = re.compile(r"(?<![\w-])[\w-]{8,}(?:\.[\w-]{6})?\.[\w-]{27}(?![\w-])", re.ASCII)
"""What itsdangerous has signed."""
_TOKEN = re.compile(r"[0-9a-hjkmnp-tv-z]{26,}", re.IGNORECASE)
"""A token of ours: 26 digits of Crockford's base32, whatever stands beside them."""
_OPAQUE = re.compile(r"(?<![\w-])(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{22,}(?![\w-])", re.ASCII)
"""Anything long with a digit in it: keys, hashes, cookies, confirmations; a match has a shorter name."""
_ROW = re.compile(r"DETAIL: [^\n]*(?:\n(?!\[SQL|\(Background|Traceback|The above|During handling|$)[^\n]*)*")
"""What PostgreSQL adds to an error: it may be a whole row, with a mail or a hand in it."""
_SHORTEST = 6
"""A password shorter than this would blot out words that have nothing to do with it."""


class Scrubber:
    """Takes tokens, keys, passwords and mail addresses out of texts; of an address its domain stays."""

    def __init__(self, known: Collection[str] = ()) -> None:
        long = sorted((secret for secret in known if len(secret) >= _SHORTEST), key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, long))) if long else None

    def __call__(self, text: str) -> str:
        """Give a text without anybody's secrets."""
        if self._known:
            text = self._known.sub(HIDDEN, text)
        if "DETAIL: " in text:
            text = _ROW.sub(f"DETAIL: {HIDDEN}", text)
        if "://" in text:
            text = _PASSWORD.sub("", text)
        if "@" in text or "%40" in text:
            text = _ADDRESS.sub(lambda found: found[0] if found[0] == _WORKER else f"someone at {found[1]}", text)
        if _LONG.search(text):
            text = _SIGNED.sub(HIDDEN, text)
            text = _OPAQUE.sub(HIDDEN, _TOKEN.sub(HIDDEN, text))
        return text

    def everywhere(self, value: Any) -> Any:
        """Give data without secrets in any of its texts, also where a text names something."""
        if isinstance(value, str):
            return self(value)
        if isinstance(value, dict):
            return {self.everywhere(key): self.everywhere(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.everywhere(each) for each in value]
        return value if value is None or isinstance(value, bool | int | float) else self(str(value))
