"""Browsers in words."""

from __future__ import annotations

import pytest

from pbem.play.accounts.user_agents import describe

AGENTS = {
    "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0": "Firefox on Linux",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36 "
    "Edg/126.0": "Edge on Windows",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.5 Safari/605.1": "Safari on Mac",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) CriOS/126.0 Mobile/15E148 Safari/604.1": "Chrome on iPhone",
    "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0 Mobile "
    "Safari/537.36": "Samsung Internet on Android",
    "curl/8.8": "an unknown browser",
    "": "an unknown browser",
    "<b>Firefox/1</b>": "Firefox",
    "Something (Windows NT 10.0)": "a browser on Windows",
}


@pytest.mark.parametrize("agent", AGENTS)
def test_a_browser_is_named_as_people_call_it(agent: str) -> None:
    assert describe(agent) == AGENTS[agent]
