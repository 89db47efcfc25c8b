"""The example in the page about webhooks checks signatures of real calls."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from pbem.play.notifications.webhook_client import encode_secret, signature_headers
from tests.support.places import ROOT

PAGE = ROOT / "docs" / "play" / "feeds.md"
SECRET = b"0123456789abcdef0123456789abcdef"
BODY = '{"type": "turn", "data": "ä"}'.encode()


def test_the_example_tells_our_calls_from_others() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    known: dict[str, Any] = {}
    exec(compile(code, str(PAGE), "exec"), known)  # noqa: S102 -- it is the example that is tested
    is_ours, secret = known["is_ours"], encode_secret(SECRET)
    now = datetime.now(UTC)
    ours = signature_headers(SECRET, "name", BODY, now)
    assert is_ours(secret, ours, BODY)
    assert not is_ours(secret, ours, BODY + b" ")
    assert not is_ours(secret, ours | {"webhook-id": "other"}, BODY)
    assert not is_ours(encode_secret(SECRET[::-1]), ours, BODY)
    assert not is_ours(secret, signature_headers(SECRET, "name", BODY, now - timedelta(hours=1)), BODY)
