"""Private notes by mail: what is kept, what is answered, and that it reaches nobody else."""

from __future__ import annotations

import io
import logging
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
from sqlalchemy import select, update

from emails.data_export import stream_zip
from pbem.db.models import ChatMessage, OutboxMessage, Player, PrivateNote, SeatHolder, ServiceMail, Submission
from pbem.play.players import private_notes
from tests.support.play.inbox.turn import turn
from tests.support.play.lobby.request_parser import write

if TYPE_CHECKING:
    from tests.support.house import House, Mail
    from tests.support.pages import Visitor

__all__ = ["turn"]

SECRET = "xylophone"


def kept(house: House) -> list[tuple[str | None, str]]:
    """Return the names and texts of all notes."""
    return [(one.name, one.text) for one in house.all(select(PrivateNote).order_by(PrivateNote.id))]


@pytest.mark.parametrize("line", ["note he bluffs", "Note: he bluffs", "notiz he bluffs"])
def test_a_line_is_added_to_the_note_on_the_match(house: House, turn: Mail, line: str) -> None:
    said = house.reply(turn, line)
    answer = house.only("Ann")
    assert answer.message["In-Reply-To"] == said
    assert "Noted, for you alone. On this match:" in answer.flat
    assert "“he bluffs”" in answer.flat
    house.reply(turn, "note and he is slow")
    assert kept(house) == [(None, "he bluffs\nand he is slow")]
    assert house.mails("Bob") == []


@pytest.mark.parametrize("line", ["note on Bob: he bluffs", "Note about bob he bluffs", "notiz zu Bob: he bluffs"])
def test_a_note_on_somebody_at_the_match_goes_to_them(house: House, turn: Mail, line: str) -> None:
    house.reply(turn, line)
    assert "Noted, for you alone. On Bob:" in house.only("Ann").flat
    assert kept(house) == [("Bob", "he bluffs")]


@pytest.mark.parametrize("line", ["note on Zoe: he bluffs", "note on Ann: he bluffs", "note on Bob:"])
def test_a_note_on_nobody_there_is_kept_whole_on_the_match(house: House, turn: Mail, line: str) -> None:
    house.reply(turn, line)
    assert "On this match:" in house.only("Ann").flat
    assert kept(house) == [(None, line.removeprefix("note "))]


def test_notes_are_mailed_to_their_author(house: House, turn: Mail) -> None:
    house.reply(turn, "notes")
    assert "You have no notes on this match yet." in house.only("Ann").flat
    house.reply(turn, "note he bluffs\n\nnote on Bob: plays at night")
    house.mails("Ann")
    for line in ("notes", "notizen", "note"):
        house.reply(turn, line)
        flat = house.only("Ann").flat
        assert "These are your notes. Nobody else reads them." in flat
        assert "“he bluffs”" in flat
        assert "“plays at night”" in flat


def test_a_move_beside_a_note_is_played(house: House, turn: Mail) -> None:
    house.reply(turn, "note he bluffs\ntake 7")
    assert kept(house) == [(None, "he bluffs")]
    assert house.all(select(Submission.status)) == ["played"]


def test_a_note_below_a_move_never_reaches_the_chat(house: House, turn: Mail) -> None:
    with house.transaction() as ctx:
        ctx.session.execute(update(SeatHolder).values(shares_text=True))
    house.reply(turn, f"take 7\n\nHello Bob!\n\nNote that he has a {SECRET} which\nis a {SECRET}\n\nBye!")
    assert house.all(select(ChatMessage.text)) == ["Hello Bob! Bye!"]
    assert SECRET not in "".join(mail.text for mail in house.mails("Bob"))
    assert kept(house) == [(None, f"that he has a {SECRET} which\nis a {SECRET}")]
    assert "Noted, for you alone." in "".join(mail.flat for mail in house.mails("Ann"))


def test_a_note_below_a_message_is_not_part_of_it(house: House, turn: Mail) -> None:
    house.reply(turn, f"say Hello!\nnote {SECRET}")
    assert house.all(select(ChatMessage.text)) == ["Hello!"]
    assert kept(house) == [(None, SECRET)]


def test_a_held_move_keeps_the_note_beside_it_once(house: House, turn: Mail) -> None:
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(hold_minutes=5))
    house.reply(turn, "take 7\n\nnote he bluffs")
    with house.transaction() as ctx:
        ctx.session.execute(update(Submission).values(hold_until=ctx.now))
    house.judge(house.all(select(Submission.match_id))[0])
    assert house.all(select(Submission.status)) == ["played"]
    assert kept(house) == [(None, "he bluffs")]


def test_without_room_nothing_is_added_and_the_rest_is_kept(
    house: House, turn: Mail, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private_notes, "MAX_CHARS", 10)
    house.reply(turn, "note much too long\n\nnote on Bob: short")
    flat = house.only("Ann").flat
    assert "This was not noted. Nobody else has read it." in flat
    assert "“much too long”" in flat
    assert "There is no room: a note has at most 10 characters." in flat
    assert "The rest was noted, for you alone. On Bob:" in flat
    assert kept(house) == [("Bob", "short")]


def test_a_note_to_an_earlier_address_is_asked_for_again(house: House, turn: Mail) -> None:
    house.reply(turn, "take 7")
    house.mails("Ann")
    house.reply(turn, "note he bluffs")
    assert "which others may have seen" in house.only("Ann").flat
    assert kept(house) == []


def test_an_invited_player_keeps_notes_too(house: House) -> None:
    house.make("martian-whist", 2)
    house.reply(house.last("Bob"), "note bring a cake")
    assert "Noted, for you alone." in house.last("Bob").flat
    assert kept(house) == [(None, "bring a cake")]


def test_no_surface_of_others_has_a_private_note(
    house: House, operator: Visitor, turn: Mail, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    match_id = house.all(select(SeatHolder.match_id))[0]
    house.reply(turn, f"note {SECRET} one\n\nnote on Bob: {SECRET} two")
    assert SECRET in house.only("Ann").text
    write(house, f"note {SECRET} three", "ann@example.org")
    house.reply(turn, "resign yes")
    token = house.last("Bob").token
    shown = [mail.text + mail.html for mail in house.every_mail if mail.name != "Ann"]
    names = [f"/operators/submissions/{name}" for name in house.all(select(Submission.id))]
    names += [f"/operators/mails/{number}" for number in house.all(select(OutboxMessage.id))]
    names += [f"/operators/letters/{number}" for number in house.all(select(ServiceMail.id))]
    names += [f"/operators/people/{number}" for number in house.all(select(Player.id))]
    names += [f"/operators/{name}" for name in (f"matches/{match_id}", "submissions", "mails", "audit", "letters")]
    names += [f"/operators/search?q={SECRET}", f"/m/{token}", f"/m/{token}/notes"]
    names += [f"/matches/{match_id}{end}" for end in ("", "/record.txt", "/replay", "/replay.html")]
    names += [f"/api/matches/{match_id}", f"/api/matches/{match_id}/record"]
    for name in names:
        page = operator.client.get(name)
        assert page.status_code == 200, name
        shown.append(page.get_data(as_text=True).replace(f'value="{SECRET}"', "").replace(f"q={SECRET}", ""))
    # A search page says what was searched for, once.
    assert [text for text in shown if f"{SECRET} " in text] == []
    assert SECRET not in caplog.text
    assert [one for one in house.all(select(Submission.reason)) if one and SECRET in one] == []
    (bob,) = house.all(select(Player.id).where(Player.name == "Bob"))
    packed = ZipFile(io.BytesIO(b"".join(stream_zip(house.engine, house.config, bob))))
    assert not [name for name in packed.namelist() if SECRET in packed.read(name).decode(errors="replace")]
