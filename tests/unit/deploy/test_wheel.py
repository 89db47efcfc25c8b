"""What a package is built by is where it is built, and its page on PyPI says what is so."""

from __future__ import annotations

import re
import tomllib

from tests.support.deploy.build_context import ignored, parsed
from tests.support.places import ROOT

WHOLE = tomllib.loads((ROOT / "pyproject.toml").read_text())
SYSTEM, PROJECT = WHOLE["build-system"], WHOLE["project"]
PAGE = (ROOT / PROJECT["readme"]).read_text()


def test_what_a_wheel_is_built_by_is_in_an_image_and_in_a_source_distribution() -> None:
    (folder,) = SYSTEM["backend-path"]
    for file in (f"{folder}/{SYSTEM['build-backend']}.py", PROJECT["readme"]):
        assert not ignored(file, parsed((ROOT / ".dockerignore").read_text()))
        assert file in (ROOT / "MANIFEST.in").read_text().split()


def test_its_page_on_pypi_links_only_to_what_is_reached_from_there() -> None:
    targets = re.findall(r"\]\(([^)]+)\)", PAGE)
    assert targets
    assert [target for target in targets if not target.startswith("https://")] == []


def test_its_page_on_pypi_names_each_extra_and_the_oldest_python() -> None:
    rows = re.findall(r"^\| (`.*`) \|", PAGE, re.MULTILINE)
    assert re.findall(r"`(\w+)`", " ".join(rows)) == [*PROJECT["optional-dependencies"]]
    assert f"Python {PROJECT['requires-python'].removeprefix('>=')} or newer" in PAGE


def test_its_page_on_pypi_names_files_that_come_along() -> None:
    for name in re.findall(r"`((?:docs|deploy|constraints)[\w./-]*)`", PAGE):
        assert (ROOT / name).exists(), name
