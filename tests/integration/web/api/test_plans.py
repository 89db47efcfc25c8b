"""Conditional moves by the API: a key plans for the seats of its player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.web.account.api_keys import client, closed
from tests.support.web.api.acting import caller, match_id
from tests.support.web.api.matches import got, refused

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.support.house import House

__all__ = ["client", "closed", "match_id"]


def test_a_plan_is_put_shown_and_deleted_by_a_key(closed: House, client: FlaskClient, match_id: str) -> None:
    url = f"/api/me/matches/{match_id}/plan"
    headers = {"Authorization": f"Bearer {caller(closed, client, 'Bob').key}"}
    lines = ["if take 3: take 7", "always duck"]
    kept = got(client.put(url, json={"lines": lines}, headers=headers))
    assert kept["lines"] == lines
    assert got(client.get(url, headers=headers)) == kept
    assert got(client.delete(url, headers=headers)) == {"lines": [], "understood": [], "waits": False}


def test_nobody_else_reads_or_writes_it(closed: House, client: FlaskClient, match_id: str) -> None:
    bob = caller(closed, client, "Bob")
    url, headers = f"/api/me/matches/{match_id}/plan", {"Authorization": f"Bearer {bob.key}"}
    got(client.put(url, json={"lines": ["always duck"]}, headers=headers))
    assert caller(closed, client, "Ann").get(f"me/matches/{match_id}/plan")["lines"] == []
    stranger = {"Authorization": f"Bearer {caller(closed, client, 'Zoe').key}"}
    refused(client.get(url, headers=stranger), 404)
    refused(client.put(url, json={"lines": []}, headers=stranger), 404)
    refused(client.delete(url, headers=stranger), 404)
    assert got(client.get(url, headers=headers))["lines"] == ["always duck"]
