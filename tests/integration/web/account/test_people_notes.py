"""The page of a player's notes on people."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import PrivateNote
from pbem.play.players import private_notes
from tests.support.web.lobby.open_tables import signed_in

if TYPE_CHECKING:
    from tests.support.house import House

PAGE = "/me/notes"
SAVE = "Save: Note on Bob, for you alone"


def kept(house: House) -> list[tuple[str | None, str]]:
    return [(one.name, one.text) for one in house.all(select(PrivateNote))]


def test_the_account_leads_to_notes_that_are_written_edited_and_deleted(local: House) -> None:
    local.start_match("martian-whist", 2)
    page = signed_in(local, "Ann").open("/me").follow("Notes on people")
    assert page.url == PAGE
    assert "You have no notes on people yet." in page.words
    page = page.press("Add", name=" bob ", text="He bluffs.")
    assert "Saved." in page.words
    page.press("Add", name="Bob", text="Often.")
    assert kept(local) == [("Bob", "He bluffs.\nOften.")]
    page = signed_in(local, "Ann").open(PAGE).press(SAVE, text="Never.")
    assert kept(local) == [("Bob", "Never.")]
    page.press(SAVE, text="")
    assert kept(local) == []


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("Zoe", "You have met nobody called “Zoe”."), ("Ann", "You can write notes only on other people.")],
)
def test_a_name_that_cannot_be_meant_is_refused_with_what_was_typed(local: House, name: str, wrong: str) -> None:
    local.start_match("martian-whist", 2)
    page = signed_in(local, "Ann").open(PAGE).press("Add", name=name, text="He bluffs.")
    assert page.status == 422
    assert wrong in page.words
    assert page.form("Add").fields["name"] == name
    assert page.form("Add").fields["text"].strip() == "He bluffs."
    assert kept(local) == []


def test_nobody_reads_or_changes_notes_of_another(local: House) -> None:
    local.start_match("martian-whist", 2)
    page = signed_in(local, "Ann").open(PAGE).press("Add", name="Bob", text="He bluffs.")
    form = page.form(SAVE)
    bob = signed_in(local, "Bob")
    assert "bluffs" not in bob.open(PAGE).words
    own = bob.open(PAGE).form("Add")
    refused = bob.send(own, own.fields | {"entry": form.fields["entry"], "text": "I do not."})
    assert refused.status == 422
    assert "This note was deleted in the meantime." in refused.words
    assert refused.form("Add").fields["text"].strip() == "I do not."
    assert kept(local) == [("Bob", "He bluffs.")]


def test_what_cannot_be_saved_stays_in_its_form(local: House, monkeypatch: pytest.MonkeyPatch) -> None:
    local.start_match("martian-whist", 2)
    page = signed_in(local, "Ann").open(PAGE).press("Add", name="Bob", text="One.")
    other = signed_in(local, "Ann").open(PAGE)
    other.press(SAVE, text="Two.")
    refused = page.press(SAVE, text="Three.")
    assert refused.status == 409
    assert "Two." in refused.words
    assert refused.form(SAVE).fields["text"].strip() == "Three."
    assert page.press(SAVE, nonce="x", text="Four.").status == 400
    monkeypatch.setattr(private_notes, "MAX_CHARS", 3)
    assert other.press("Add", name="Bob", text="Five.").status == 422
    assert kept(local) == [("Bob", "Two.")]
