"""What tests of way back share."""

from __future__ import annotations

import subprocess
import sys

from tests.support.live_service import LiveService, environment, until


def statement(live_service: LiveService, sql: str) -> str:
    """Run a statement in the database of a running service; return the one value that it answers."""
    code = "import os, sys, psycopg; "
    code += "c = psycopg.connect(os.environ['DATABASE_URL'].replace('+psycopg', ''), autocommit=True); "
    code += "found = c.execute(sys.argv[1]); print(found.fetchone()[0] if found.description else '')"
    told = {**environment(), "DATABASE_URL": live_service.settings()["DATABASE_URL"]}
    done = subprocess.run([sys.executable, "-c", code, sql], env=told, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def plays(live_service: LiveService, name: str) -> None:
    """Begin a match, and have its first move played by mail."""
    match = live_service.start_match("minimax", {}, name)
    _, mail, view = until(lambda: live_service.next_turn(match, (name,)), 120)
    assert live_service.reply(name, mail, view["moves"][0])
    until(lambda: live_service.next_turn(match, (name,), view["ply"]), 120)
