"""Browsers in words: what a browser says of itself, as people call it."""

from __future__ import annotations

from pbem.i18n import _

_BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS": "Firefox",
    "Chrome/": "Chrome",
    "CriOS": "Chrome",
    "Safari/": "Safari",
}
"""Of several that a browser names, it is the first of these: each names those that it wants to be taken for."""
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS X": "Mac",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


def named(agent: str) -> str:
    """Name a browser and its system by its User-Agent, as far as they are known."""
    browser = next((name for sign, name in _BROWSERS.items() if sign in agent), "")
    system = next((name for sign, name in _SYSTEMS.items() if sign in agent), "")
    if browser and system:
        return _("{browser} on {system}", browser=browser, system=system)
    return browser or (_("a browser on {system}", system=system) if system else _("an unknown browser"))
