"""A release has every file of the program and of its documentation, and none that only lies beside them."""

from __future__ import annotations

import email
import tarfile
from typing import TYPE_CHECKING
from zipfile import ZipFile

from readme_renderer import markdown

from tests.support.deploy.clones import kept_files

if TYPE_CHECKING:
    from tests.slow.package.conftest import Built

PROGRAM = ("pbem", "emails", "workers", "migrations")
FOR_COMMITS = {".ci", ".dockerignore", ".git-blame-ignore-revs", ".gitignore", "benchmarks", "tests"}
"""What only those who change the project use; they have a clone."""


def test_the_wheel_has_every_file_of_the_program_and_no_other(built: Built) -> None:
    with ZipFile(built.wheel) as archive:
        files = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert files == kept_files(*PROGRAM)
    kinds = {name.rpartition(".")[2] for name in files}
    assert kinds >= {"html", "css", "js", "svg", "mo", "mako", "json", "toml", "txt", "typed"}


def test_the_source_distribution_has_what_is_kept_but_for_those_who_change_it(built: Built) -> None:
    with tarfile.open(built.source) as archive:
        names = {each.name.partition("/")[2] for each in archive.getmembers() if each.isfile()}
    files = {name for name in names if not name.startswith("pbem.egg-info/")} - {"PKG-INFO", "setup.cfg"}
    assert files == {name for name in kept_files() if name.partition("/")[0] not in FOR_COMMITS}


def test_its_description_is_rendered_as_pypi_does(built: Built) -> None:
    with ZipFile(built.wheel) as archive:
        (file,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = email.message_from_string(archive.read(file).decode())
    assert metadata["Description-Content-Type"] == "text/markdown"
    page = markdown.render(str(metadata.get_payload())) or ""
    assert "<table>" in page
    assert 'href="https://pipx.pypa.io"' in page
