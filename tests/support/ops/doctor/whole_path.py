"""What tests of whole path share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.house import House, settings

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def ours(house: House, folder: Path, monkeypatch: pytest.MonkeyPatch, **more: str) -> None:
    url = house.engine.url.render_as_string(hide_password=False)
    for name, value in settings(url, folder, **more).items():
        monkeypatch.setenv(name, value)
