"""What tests of deploy docs share."""

from __future__ import annotations

from tests.support.places import ROOT

CONTAINER = ROOT / "deploy" / "container"


def unit(name: str) -> list[str]:
    return (ROOT / "deploy" / "systemd" / "parts" / f"pbem-{name}.service").read_text().splitlines()
