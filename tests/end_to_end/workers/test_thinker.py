"""The process in which robots think: its answers, its limits, and that it knows nothing else."""

from __future__ import annotations

import os
import signal
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pbem.games import GAMES, Chance, Seat
from pbem.robots import Level
from pbem.robots.analyses import LOOKING_BACK, PAR
from tests.support.games.small_record import random_match
from workers.thinker_process import ThinkerProcess

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def thinker() -> Iterator[ThinkerProcess]:
    thinker = ThinkerProcess()
    yield thinker
    thinker.close()


def request(**more: Any) -> dict[str, Any]:
    game = GAMES["martian-whist"]
    view = game.view(game.setup(2, {"sets": 2}, Chance(bytes(32))), Seat(1))
    return {"game": game.key, "level": Level.STRONG, "seed": bytes(32).hex(), "view": asdict(view)} | more


def test_it_answers_and_two_of_them_agree(thinker: ThinkerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    first = thinker(request())
    assert first
    assert first["playouts"] == sum(tried["times"] for tried in first["tried"])
    monkeypatch.setattr("workers.thinker_process.ENVIRONMENT", {"PYTHONHASHSEED": "77"})
    other = ThinkerProcess()
    assert other(request()) == first
    other.close()


def analysed(thinker: ThinkerProcess, kind: str) -> dict[str, Any]:
    """Return the result of an analysis, chunk by chunk."""
    record, work = random_match("minimax", 100).data(), dict[str, Any]()
    while True:
        made = thinker({"do": kind, "record": record, "work": work})
        assert made
        assert made["seconds"] > 0
        if made["result"] is not None:
            result: dict[str, Any] = made["result"]
            return result
        work = made["work"]


def test_it_makes_an_analysis_in_chunks_and_two_of_them_agree(
    thinker: ThinkerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = analysed(thinker, PAR)
    assert made["level"] == "strong"
    monkeypatch.setattr("workers.thinker_process.ENVIRONMENT", {"PYTHONHASHSEED": "77"})
    other = ThinkerProcess()
    assert analysed(other, PAR) == made
    other.close()


def test_it_begins_to_look_back(thinker: ThinkerProcess) -> None:
    made = thinker({"do": LOOKING_BACK, "record": random_match("minimax", 100).data(), "work": {}})
    assert made
    assert 0 < made["done"] < made["total"]
    assert len(made["work"]["values"]) + len(made["work"]["drawn"]) == made["done"]


def test_it_runs_below_others_and_without_their_settings(
    thinker: ThinkerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_SECRET_KEY", "not for robots")
    thinker(request())
    assert thinker.process_id
    assert os.getpriority(os.PRIO_PROCESS, thinker.process_id) == os.getpriority(os.PRIO_PROCESS, 0) + 10
    assert "not for robots" not in Path(f"/proc/{thinker.process_id}/environ").read_text()
    loaded = Path(f"/proc/{thinker.process_id}/maps").read_text()
    assert "psycopg" not in loaded


def test_a_request_that_it_cannot_answer_ends_it_and_the_next_is_answered(thinker: ThinkerProcess) -> None:
    assert thinker(request(level="best of all")) is None
    assert thinker(request())


def test_one_that_was_killed_is_started_again(thinker: ThinkerProcess) -> None:
    thinker(request())
    assert thinker.process_id
    os.kill(thinker.process_id, signal.SIGKILL)
    assert thinker(request())
