"""What a player writes down: kept, edited, joined when accounts are merged, exported, and deleted with the account."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
from sqlalchemy import select

from emails.data_export import stream_zip
from pbem.db.models import Player, PrivateNote
from pbem.play.accounts import deletion, merge
from pbem.play.core.errors import Refused
from pbem.play.players import private_notes
from pbem.play.players.private_notes import Changed, Subject
from tests.support.play.moderation.avoidance import player

if TYPE_CHECKING:
    from tests.support.house import House


def put(house: House, who: str, text: str, on: str, seen: str | None = None) -> None:
    """Replace a note of somebody on another one."""
    with house.transaction() as ctx:
        author = player(ctx, who).id
        subject = Subject(person=player(ctx, on).id, name=on)
        private_notes.replace(ctx, author, subject, text, seen)


def kept(house: House) -> list[tuple[str, str | None, str]]:
    """Return all notes: by whom, on whom, and what."""
    rows = select(Player.name, PrivateNote.name, PrivateNote.text).join(Player, Player.id == PrivateNote.player_id)
    with house.transaction() as ctx:
        return [tuple(row) for row in ctx.session.execute(rows.order_by(Player.name, PrivateNote.name))]


def test_a_note_is_replaced_and_an_empty_one_deleted(house: House) -> None:
    put(house, "Ann", " \r\nHe bluffs.  \r\n\tOften.\0\r\n\r\n", "Bob")
    assert kept(house) == [("Ann", "Bob", "He bluffs.\n Often.")]
    put(house, "Ann", "Never.", "Bob")
    put(house, "Bob", "She does.", "Ann")
    assert kept(house) == [("Ann", "Bob", "Never."), ("Bob", "Ann", "She does.")]
    put(house, "Ann", " \n ", "Bob")
    assert kept(house) == [("Bob", "Ann", "She does.")]


def test_a_note_that_is_too_long_changes_nothing(house: House) -> None:
    put(house, "Ann", "x" * private_notes.MAX_CHARS, "Bob")
    with pytest.raises(Refused, match="at most 2000 characters; this one has 2001"):
        put(house, "Ann", "y" * (private_notes.MAX_CHARS + 1), "Bob")
    assert kept(house) == [("Ann", "Bob", "x" * private_notes.MAX_CHARS)]


def test_what_was_added_meanwhile_is_not_replaced_unseen(house: House) -> None:
    put(house, "Ann", "One.", "Bob")
    put(house, "Ann", "Two.", "Bob", seen="One.\r\n")
    with pytest.raises(Changed) as refused:
        put(house, "Ann", "Three.", "Bob", seen="One.")
    assert refused.value.text == "Two."
    put(house, "Ann", "Two.", "Bob", seen="One.")
    assert kept(house) == [("Ann", "Bob", "Two.")]


def test_a_refused_note_leaves_no_row(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(private_notes, "MAX_CHARS", 3)
    with house.transaction() as ctx:
        ann, bob = player(ctx, "Ann").id, Subject(person=player(ctx, "Bob").id, name="Bob")
        with pytest.raises(Refused):
            private_notes.add(ctx, ann, bob, "Long.")
        with pytest.raises(Changed):
            private_notes.replace(ctx, ann, bob, "Hm.", seen="Old")
    assert kept(house) == []


def test_notes_on_people_have_a_limit_that_the_present_ones_do_not_meet(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private_notes, "MAX_PEOPLE", 1)
    put(house, "Ann", "One.", "Bob")
    put(house, "Ann", "Two.", "Bob")
    with pytest.raises(Refused, match="You have notes on 1 people already"):
        put(house, "Ann", "One.", "Cyd")
    assert kept(house) == [("Ann", "Bob", "Two.")]


def test_merged_accounts_join_their_notes(house: House) -> None:
    for who, text, on in (
        ("Ann", "Old.", "Bob"), ("Dee", "New.", "Bob"), ("Dee", "Only hers.", "Cyd"), ("Bob", "On Ann.", "Ann"),
        ("Bob", "On Dee.", "Dee"), ("Cyd", "On Dee.", "Dee"), ("Ann", "It is me.", "Dee"),
    ):  # fmt: skip
        put(house, who, text, on)
    with house.transaction() as ctx:
        merge.merge(ctx, player(ctx, "Dee"), player(ctx, "Ann"))
    assert kept(house) == [
        ("Ann", "Bob", "Old.\nNew."),
        ("Ann", "Cyd", "Only hers."),
        ("Bob", "Ann", "On Ann.\nOn Dee."),
        ("Cyd", "Dee", "On Dee."),
    ]


def test_a_deleted_account_takes_notes_by_it_and_on_it_along(house: House) -> None:
    put(house, "Ann", "By her.", "Bob")
    put(house, "Bob", "On her.", "Ann")
    put(house, "Bob", "On Cyd.", "Cyd")
    with house.transaction() as ctx:
        deletion.delete(ctx, player(ctx, "Ann"))
    assert kept(house) == [("Bob", "Cyd", "On Cyd.")]


def test_notes_are_in_the_file_of_ones_own_data_alone(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    with house.transaction() as ctx:
        ann, bob = player(ctx, "Ann").id, player(ctx, "Bob").id
        private_notes.replace(ctx, ann, Subject(match_id), "On the match.")
        private_notes.replace(ctx, ann, Subject(person=bob, name="Bob"), "On Bob.")

    def noted(who: int) -> list[tuple[str | None, str | None, str]]:
        packed = ZipFile(io.BytesIO(b"".join(stream_zip(house.engine, house.config, who))))
        return [(one["match_id"], one["name"], one["text"]) for one in json.loads(packed.read("data.json"))["noted"]]

    assert noted(ann) == [(match_id, None, "On the match."), (None, "Bob", "On Bob.")]
    assert noted(bob) == []
