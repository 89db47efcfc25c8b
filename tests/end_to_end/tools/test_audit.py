"""The audit of libraries fails on what it finds, and says loudly when nobody could be asked."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from tests import audit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WEAK = "GHSA-test-0000-0001"


class Adviser(BaseHTTPRequestHandler):
    """Knows one vulnerability, of Flask, and speaks as OSV does."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        known: dict[str, Any] = {}
        if asked["package"]["name"].lower() == "flask":
            ranges = [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "99.0"}]}]
            affected = [{"package": {"name": "flask", "ecosystem": "PyPI"}, "ranges": ranges}]
            known = {"vulns": [{"id": WEAK, "summary": "weak", "details": "weak", "affected": affected, "aliases": []}]}
        body = json.dumps(known).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words: object) -> None:
        pass


@pytest.fixture
def adviser() -> Iterator[str]:
    """The address of a service that knows of vulnerabilities, on this machine."""
    server = HTTPServer(("127.0.0.1", 0), Adviser)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/query"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def pinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Few pinned libraries."""
    file = tmp_path / "constraints.txt"
    file.write_text("click==8.1.7\nFlask==3.0.0\n")
    monkeypatch.setattr(audit, "PINNED", file)
    return file


@pytest.mark.usefixtures("pinned")
def test_what_is_known_to_be_weak_fails_by_name(adviser: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.main("-s", "osv", "--osv-url", adviser) == 1
    assert f"flask 3.0.0: {WEAK}, mended in 99.0" in capsys.readouterr().err


def test_what_is_ignored_or_not_weak_passes(
    adviser: str, pinned: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "IGNORED", {WEAK: "it is made up"})
    assert audit.main("-s", "osv", "--osv-url", adviser) == 0
    assert "2 libraries audited, no known vulnerability" in capsys.readouterr().out
    monkeypatch.setattr(audit, "IGNORED", {})
    pinned.write_text("click==8.1.7\n")
    assert audit.main("-s", "osv", "--osv-url", adviser) == 0


@pytest.mark.usefixtures("pinned")
def test_where_nobody_can_be_asked_it_says_so_loudly_and_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.main("-s", "osv", "--osv-url", "http://127.0.0.1:1/query", "--timeout", "1") == 0
    assert capsys.readouterr().out.startswith("NOTHING WAS AUDITED: nobody could be asked.")


def test_an_index_that_knows_nothing_audits_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.judged([{"name": "flask", "skip_reason": "unknown"}]) == 0
    assert "NOTHING WAS AUDITED" in capsys.readouterr().out


def test_all_that_is_ignored_has_a_reason() -> None:
    assert all(reason.strip() for reason in audit.IGNORED.values())
