"""Names of browsers and systems from their User-Agent headers."""

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
"""User-Agent tokens in order of precedence: browsers also name those that they want to be taken for."""
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS X": "Mac",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


def describe(agent: str) -> str:
    """Return the name of a browser and its system, as far as its User-Agent is recognised."""
    browser = next((name for sign, name in _BROWSERS.items() if sign in agent), "")
    system = next((name for sign, name in _SYSTEMS.items() if sign in agent), "")
    if browser and system:
        return _("{browser} on {system}", browser=browser, system=system)
    return browser or (_("a browser on {system}", system=system) if system else _("an unknown browser"))
