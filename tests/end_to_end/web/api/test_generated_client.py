"""A client that a generator makes of the API's document, as authors of programs do, plays a whole match."""

from __future__ import annotations

import compileall
import importlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.house import address
from tests.support.left_out import left_out
from tests.support.web.account.api_keys import closed, key_for
from tests.support.web.api.changes import describe
from tests.support.web.site import pages_at_a_port

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.house import House

__all__ = ["closed"]

GENERATOR = "openapi_python_client"
PACKAGE = "generated_client"


@dataclass(frozen=True, slots=True)
class Program:
    """Somebody's program, which knows the generated client alone."""

    connection: Any

    def call(self, tag: str, operation: str, *where: str, **more: Any) -> Any:
        """Call an operation, which must succeed, and return what it answers."""
        module = importlib.import_module(f"{PACKAGE}.api.api_{tag}.{operation}")
        answer = module.sync_detailed(*where, client=self.connection, **more)
        assert answer.status_code < 300, answer.content
        return answer.parsed


@pytest.fixture
def generated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The package that the generator makes of the document, without a warning."""
    if find_spec(GENERATOR) is None:
        left_out("a client that is generated from the OpenAPI document", "pip install openapi-python-client")
    document = tmp_path / "openapi.json"
    document.write_text(json.dumps(describe()))
    options = ["--path", str(document), "--output-path", str(tmp_path / PACKAGE), "--meta", "none", "--fail-on-warning"]
    command = [sys.executable, "-m", GENERATOR, "generate", *options]
    # It formats what it makes by ruff, which is beside this Python.
    paths = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(command, env=os.environ | {"PATH": paths}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module(PACKAGE)
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def test_it_compiles_and_two_programs_play_a_match_by_it(generated: Any, closed: House, tmp_path: Path) -> None:
    assert compileall.compile_dir(tmp_path / PACKAGE, quiet=1)
    models = importlib.import_module(f"{PACKAGE}.models")
    with pages_at_a_port(closed) as base:
        ann, bob = (
            Program(generated.AuthenticatedClient(base, key_for(closed, name, "read", "play", "start")))
            for name in ("Ann", "Bob")
        )
        seats = [models.Guest(name="Ann", email=address("Ann")), models.Guest(open_=True)]
        new = models.NewMatch(game="martian-whist", seats=seats)
        made = ann.call("matches", "post_matches", body=new, idempotency_key="first")
        assert ann.call("matches", "post_matches", body=new, idempotency_key="first") == made
        (table,) = bob.call("lobby", "get_lobby").tables
        joined = bob.call("lobby", "post_lobby_table_join", table.match, body=models.NewAcceptance())
        assert (joined.match, joined.state) == (made.id, models.AcceptedSeatState.RUNNING)
        programs = {1: ann, 2: bob}
        for number in count(1):
            view = ann.call("matches", "get_matches_match_id", made.id)
            if not view.to_move:
                break
            mover = programs[view.to_move[0]]
            own = mover.call("me", "get_me_matches_match_id", made.id)
            body = models.NewMove(ply=own.ply, move=own.moves[0])
            sent = mover.call("me", "post_me_matches_match_id_moves", made.id, body=body, idempotency_key=f"{number}")
            verdict = mover.call("seats", "get_submissions_submission", sent.submission)
            assert verdict.status == models.VerdictStatus.PLAYED
        assert view.outcome["ending"] == "finished"
        assert number > 40
        assert ann.call("matches", "get_matches_match_id_record", made.id)
