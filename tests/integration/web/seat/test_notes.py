"""Private notes on the pages of a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import PrivateNote
from pbem.play.players import private_notes
from tests.support.web.seat.chat import begun
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House, Mail
    from tests.support.pages import Visitor

SAVE = "Save: Note on this match, for you alone"
SAVE_ON_BOB = "Save: Note on Bob, for you alone"


def kept(house: House) -> list[str]:
    return house.all(select(PrivateNote.text).order_by(PrivateNote.id))


def turns(house: House) -> dict[str, Mail]:
    """Begin a match; return the newest mail of each player."""
    house.start_match("martian-whist", 2)
    return {name: house.last(name) for name in ("Ann", "Bob")}


def test_the_turn_page_keeps_a_note_and_shows_it_again(site: Visitor, local: House) -> None:
    tokens = begun(local)
    page = site.open(f"/m/{tokens['Ann']}").press(SAVE, text="He <b>bluffs</b>.\r\nOften.")
    assert "Saved." in page.words
    assert kept(local) == ["He <b>bluffs</b>.\nOften."]
    assert "<b>bluffs" not in page.html
    again = site.open(f"/m/{tokens['Ann']}")
    assert "He <b>bluffs</b>. Often." in again.words
    assert again.press(SAVE, text="").status == 200
    assert kept(local) == []


def test_the_page_of_who_waits_and_the_replay_of_a_finished_match_have_it_too(site: Visitor, local: House) -> None:
    mails = turns(local)
    site.open(f"/m/{mails['Bob'].token}").press(SAVE, text="She leads high.")
    assert "She leads high." in site.open(f"/m/{mails['Bob'].token}").words
    local.reply(mails["Ann"], "resign yes")
    token = local.last("Bob").token
    page = site.open(f"/m/{token}/replay")
    assert "She leads high." in page.words
    page.press(SAVE, text="She resigns.")
    assert kept(local) == ["She resigns."]
    assert "She resigns." not in visitor(local).open(f"/m/{local.last('Ann').token}/replay").words


def test_a_note_on_a_person_is_kept_beside_that_on_the_match(site: Visitor, local: House) -> None:
    page = site.open(f"/m/{begun(local)['Ann']}").follow("All your notes here, also on people")
    page.press(SAVE, text="Long.").press(SAVE_ON_BOB, text="Slow.")
    assert kept(local) == ["Long.", "Slow."]
    form = page.form(SAVE_ON_BOB)
    assert site.send(form, form.fields | {"seat": "9"}).status == 404


def test_what_a_mail_added_is_shown_before_it_is_replaced(site: Visitor, local: House) -> None:
    mail = turns(local)["Ann"]
    page = site.open(f"/m/{mail.token}/notes")
    local.reply(mail, "note By mail.")
    refused = page.press(SAVE, text="By page.")
    assert refused.status == 409
    assert "Your note was changed elsewhere in the meantime." in refused.words
    assert "By mail." in refused.words
    assert "By page." in refused.words
    assert kept(local) == ["By mail."]
    refused.press(SAVE, text="Both.")
    assert kept(local) == ["Both."]


@pytest.mark.parametrize("button", [SAVE, SAVE_ON_BOB])
def test_what_cannot_be_saved_stays_in_its_form(
    site: Visitor, local: House, monkeypatch: pytest.MonkeyPatch, button: str
) -> None:
    page = site.open(f"/m/{begun(local)['Ann']}/notes")
    old = page.press(button, nonce="x", text="Keep me.")
    assert old.status == 400
    assert old.form(button).fields["text"].strip() == "Keep me."
    monkeypatch.setattr(private_notes, "MAX_CHARS", 3)
    long = page.press(button, text="Keep me.")
    assert long.status == 422
    assert long.form(button).fields["text"].strip() == "Keep me."
    assert kept(local) == []


def test_an_earlier_link_shows_and_saves_nothing(site: Visitor, local: House) -> None:
    mail = turns(local)["Ann"]
    local.reply(mail, "note Mine.")
    form = site.open(f"/m/{mail.token}/notes").form(SAVE)
    local.reply(mail, "take 7")
    assert "Mine." not in site.open(f"/m/{mail.token}/notes").words
    site.send(form, form.fields | {"text": "Another’s."})
    assert kept(local) == ["Mine."]


def test_a_note_typed_for_a_move_is_offered_to_be_saved_and_is_in_no_address(site: Visitor, local: House) -> None:
    tokens = begun(local)
    site.open(f"/m/{tokens['Ann']}").press(SAVE, text="Old.")
    page = site.open(f"/m/{tokens['Ann']}").press("Preview", move="note he bluffs")
    assert "bluffs" not in page.url
    assert page.form(SAVE).fields["text"].strip() == "Old.\nhe bluffs"
    page.press(SAVE)
    assert kept(local) == ["Old.\nhe bluffs"]
