"""One line for a machine with nothing but Python and pipx: `pipx run --spec …[local] pbem up`."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.support.deploy.stranger import settled
from tests.support.service.by_mail import play_to_the_end

if TYPE_CHECKING:
    from pathlib import Path

    from tests.slow.package.conftest import Built
    from tests.support.deploy.stranger import Stranger


@pytest.fixture
def stranger(built: Built, short_path: Path) -> Stranger:
    """Somebody who has pipx."""
    line = ("pipx", "run", "--spec", f"{built.wheel}[local]", "pbem")
    return replace(settled(short_path, "pipx"), pbem=line)


def test_a_match_is_played_by_mail(stranger: Stranger) -> None:
    assert stranger.ran("--version").startswith("pbem, version ")
    with stranger.service() as service:
        match = service.start_match("minimax", {}, "Ada")
        moves = play_to_the_end(service, match, ("Ada",), Random("pipx"))
        status, record = service.ask(f"/api/matches/{match}/record")
        assert (status, [(entry["seat"], entry["move"]) for entry in record["log"]]) == (200, moves)
