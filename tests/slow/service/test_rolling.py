"""A new release comes in while people play: the one before goes on with the new tables, and beside the new one."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from tests.support.live_service import until
from tests.support.places import ROOT
from tests.support.service.by_mail import play_to_the_end
from tests.support.service.many_machines import NAMES, told_once, well
from tests.support.service.rolling import git
from tests.support.spread import spread

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.spread import Spread

HERE = Path("/tmp/code")  # noqa: S108 (each machine has its own)
BEFORE = HERE, HERE / "tests" / "packages"


def release_before() -> str:
    """Name the last release; while there is none, the last code before the newest migration."""
    tags = git("tag", "--list", "v*", "--sort=-version:refname", "--merged", "HEAD^").decode().split()
    if tags:
        return tags[0]
    newest = max(
        name for name in git("ls-files", "migrations/versions").decode().split() if re.search(r"/\d{4}_", name)
    )
    return git("log", "--diff-filter=A", "--format=%H^", "-1", "--", newest).decode()


def unpacked(folder: Path) -> None:
    """Unpack the code of the release before into a folder."""
    folder.mkdir()
    subprocess.run(["tar", "x", "-C", str(folder)], input=git("archive", release_before()), check=True)  # noqa: S607


def test_the_release_before_goes_on_while_the_new_one_comes_in(short_path: Path) -> None:
    with spread(short_path, "valkey", "old", "new") as service:
        unpacked(service.machines["old"].folder / "code")
        service.release("old", code=BEFORE)
        assert revision(service) < newest()
        service.start("old", code=BEFORE)
        until(lambda: well(service), 120)
        steps: list[Callable[[], object]] = [
            # The schema grows under the old code, which plays on alone; then both play; then the new code alone.
            lambda: service.release("new"),
            lambda: service.start("new"),
            lambda: service.stop("old"),
        ]
        match = service.start_match("martian-whist", {"sets": 2}, *NAMES)

        def step_by_step(number: int) -> None:
            if number and number % 6 == 0 and steps:
                steps.pop(0)()

        moves = play_to_the_end(service, match, NAMES, Random(4), step_by_step)
        assert steps == []
        assert revision(service) == newest()
        told_once(service, match, moves)


def newest() -> str:
    return max(path.stem[:4] for path in (ROOT / "migrations" / "versions").glob("[0-9]*.py"))


def revision(service: Spread) -> str:
    return str(service.asked("SELECT version_num FROM alembic_version"))
