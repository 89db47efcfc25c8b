"""What is installed from a clone is what stands in it now, and nothing of what stood there before."""

from __future__ import annotations

import tomllib

from tests.support.deploy.build_context import ignored, parsed
from tests.support.places import ROOT

SYSTEM = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]


def test_what_a_wheel_is_built_by_is_in_an_image_and_in_a_source_distribution() -> None:
    (folder,) = SYSTEM["backend-path"]
    backend = f"{folder}/{SYSTEM['build-backend']}.py"
    assert not ignored(backend, parsed((ROOT / ".dockerignore").read_text()))
    assert backend in (ROOT / "MANIFEST.in").read_text().split()
