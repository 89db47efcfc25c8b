"""Private notes by the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.players import private_notes
from tests.support.web.account.api_keys import client, closed
from tests.support.web.api.acting import ann, bob, match_id
from tests.support.web.api.matches import got, refused

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

    from tests.support.web.api.acting import Caller

__all__ = ["ann", "bob", "client", "closed", "match_id"]


def put(caller: Caller, match_id: str, **body: object) -> TestResponse:
    headers = {"Authorization": f"Bearer {caller.key}"}
    return caller.client.put(f"/api/me/matches/{match_id}/notes", json=body, headers=headers)


def test_notes_on_the_match_and_on_a_person_are_written_and_read_by_their_author(
    ann: Caller, bob: Caller, match_id: str
) -> None:
    got(put(ann, match_id, text="Long.\nVery."))
    notes = got(put(ann, match_id, text="Slow.", seat=2))
    assert notes == {"match": "Long.\nVery.", "people": [{"seat": 2, "name": "Bob", "text": "Slow."}]}
    assert ann.get(f"me/matches/{match_id}/notes") == notes
    theirs = {"match": "", "people": [{"seat": 1, "name": "Ann", "text": ""}]}
    assert bob.get(f"me/matches/{match_id}/notes") == theirs


def test_what_cannot_be_noted_is_refused(ann: Caller, match_id: str) -> None:
    for seat in (1, 9):
        assert refused(put(ann, match_id, text="x", seat=seat), 404) == "Nobody else sits there."
    long = "x" * (private_notes.MAX_CHARS + 1)
    assert "at most 2000 characters" in refused(put(ann, match_id, text=long), 422)
    assert ann.get(f"me/matches/{match_id}/notes")["match"] == ""
