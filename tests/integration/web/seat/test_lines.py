"""Trying out lines of moves on the pages of a seat, and keeping them."""

from __future__ import annotations

import io
import logging
import re
from typing import TYPE_CHECKING
from zipfile import ZipFile

from sqlalchemy import select

from emails.data_export import stream_zip
from pbem.db.models import KeptLine, OutboxMessage, Player, Submission
from pbem.play.accounts import dashboard
from pbem.play.matches import kept_lines
from tests.support.play.matches.kept_lines import sitter
from tests.support.snapshots import COUNTED, snapshot
from tests.support.web.seat.chat import begun
from tests.support.web.site import visitor

if TYPE_CHECKING:
    import pytest

    from tests.support.house import House
    from tests.support.pages import Visitor

KEEP = "Keep this line"
TRY = "Try it"


def kept(house: House) -> list[list[str]]:
    return house.all(select(KeptLine.moves).order_by(KeptLine.id))


def test_a_line_is_tried_move_by_move_and_nothing_is_changed_by_looking(site: Visitor, local: House) -> None:
    token = begun(local)["Ann"]
    before = snapshot(local, COUNTED)
    page = site.open(f"/m/{token}?move=take+7").press(TRY, next="Take 2")
    assert "Ann: take 7" in page.words
    assert "Bob: take 2" in page.words
    page = page.press(TRY, next="take 9")
    assert "move=take+7&move=take+2&move=take+9" in page.url
    assert "Next move of Bob" in page.words
    back = page.follow("One move back")
    assert "take 9" not in back.form(KEEP).fields.values()
    assert snapshot(local, COUNTED) == before


def test_a_kept_line_is_listed_on_the_next_turn_with_what_came_true(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    ann = local.last("Ann")
    page = site.open(f"/m/{ann.token}/line?move=take+7&move=take+2&move=take+9").press(KEEP)
    assert "Kept." in page.words
    assert kept(local) == [["take 7", "take 2", "take 9"]]
    local.reply(ann, "take 7")
    bob = local.last("Bob")
    assert "Lines you kept" not in site.open(f"/m/{bob.token}").words
    local.reply(bob, "take 2")
    turn = site.open(f"/m/{local.last('Ann').token}")
    assert "Lines you kept take 7; take 2; take 9 2 moves came true so far." in turn.words
    again = turn.follow("take 7; take 2; take 9")
    assert "Ann: take 9" in again.words
    assert "Bob: take 2" not in again.words


def test_a_line_that_is_no_longer_possible_is_shown_from_where_it_began(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    ann = local.last("Ann")
    site.open(f"/m/{ann.token}/line?move=take+7&move=take+2").press(KEEP)
    local.reply(ann, "take 8")
    local.reply(local.last("Bob"), "take 2")
    page = site.open(f"/m/{local.last('Ann').token}/lines").follow("take 7; take 2")
    assert "A line you kept" in page.words
    assert "Ann: take 7 Bob: take 2" in page.words
    assert "No longer possible: you played take 8." in page.words
    assert KEEP not in page.html


def test_a_line_is_removed(site: Visitor, local: House) -> None:
    token = begun(local)["Ann"]
    site.open(f"/m/{token}/line?move=take+7").press(KEEP)
    page = site.open(f"/m/{token}").press("Remove")
    assert "You have kept no line here." in page.words
    assert kept(local) == []


def test_the_page_says_when_the_oldest_was_forgotten(
    site: Visitor, local: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_lines, "MAX_LINES", 1)
    token = begun(local)["Ann"]
    site.open(f"/m/{token}?move=take+7").press(KEEP)
    page = site.open(f"/m/{token}?move=take+8").press(KEEP)
    assert "Kept. The oldest line was forgotten for it." in page.words
    assert kept(local) == [["take 8"]]


def test_an_illegal_move_is_refused_beside_the_line_before_it(site: Visitor, local: House) -> None:
    token = begun(local)["Ann"]
    page = site.open(f"/m/{token}?move=take+7").press(TRY, next="take 21")
    assert page.status == 200
    assert "21" in page.words
    assert page.form(TRY).fields["next"] == "take 21"
    assert page.form(KEEP).fields["moves"] == "take 7"
    nothing = site.open(f"/m/{token}/line?move=take+21")
    assert "Nothing was played." in nothing.words


def test_a_form_of_an_old_page_keeps_nothing(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    mail = local.last("Ann")
    page = site.open(f"/m/{mail.token}?move=take+7")
    assert page.press(KEEP, nonce="x").status == 400
    gone_on = page.press(KEEP, ply="9")
    assert gone_on.status == 409
    assert "the match has gone on since" in gone_on.words
    wrong = page.press(KEEP, moves="take 21")
    assert wrong.status == 422
    local.reply(mail, "take 7")
    page.press(KEEP)
    assert kept(local) == []


def test_another_seat_neither_sees_nor_removes_a_line(site: Visitor, local: House) -> None:
    tokens = begun(local)
    site.open(f"/m/{tokens['Ann']}/line?move=take+7").press(KEEP)
    form = site.open(f"/m/{tokens['Ann']}/lines").form("Remove")
    (number,) = local.all(select(KeptLine.id))
    bob = visitor(local)
    assert "You have kept no line here." in bob.open(f"/m/{tokens['Bob']}/line?kept={number}").words
    theirs = bob.open(f"/m/{tokens['Bob']}/line?move=take+7").form(KEEP)
    bob.send(theirs, theirs.fields | {"remove": form.fields["remove"]})
    assert kept(local) == [["take 7"]]


def test_where_hands_are_hidden_only_ones_own_move_is_kept(site: Visitor, local: House) -> None:
    match_id = local.start_match("montauk", 2)
    (seat,) = local.match(match_id).to_move
    token = local.last(("Ann", "Bob")[seat - 1]).token
    page = site.open(f"/m/{token}/line?move={local.legal(match_id, seat)[0]}")
    assert TRY not in page.html
    page.press(KEEP)
    assert len(kept(local)) == 1


def test_what_is_too_long_for_an_address_is_shown_all_the_same(site: Visitor, local: House) -> None:
    token = begun(local)["Ann"]
    page = site.open(f"/m/{token}?move=take+7").press(TRY, next="take 2" + " " * 2500 + "!")
    assert page.status == 200
    assert page.url == f"/m/{token}/line"


def test_a_note_typed_for_the_next_move_is_in_no_address(site: Visitor, local: House) -> None:
    token = begun(local)["Ann"]
    page = site.open(f"/m/{token}?move=take+7").press(TRY, next="note he bluffs")
    assert "bluffs" not in page.url
    assert "he bluffs" in page.html


def test_no_surface_of_others_has_a_kept_line(
    local: House, site: Visitor, operator: Visitor, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    match_id = local.start_match("martian-whist", 2)
    ann = local.last("Ann")
    page = site.open(f"/m/{ann.token}?move=take+17").press(TRY, next="take 3").press(TRY, next="take 11")
    page.press(KEEP)
    local.reply(ann, "take 17")
    local.reply(local.last("Bob"), "take 3")
    turn = local.last("Ann")
    assert "You kept: take 11." in turn.flat
    shown = [mail.text + mail.html for mail in local.every_mail if mail.name != "Ann"]
    shown += [mail.text + mail.html for mail in local.mails("Bob")]
    with local.course(match_id) as (ctx, course):
        token = dashboard.link_token(ctx, course.match, sitter(ctx, match_id, 2))
    names = [f"/operators/submissions/{name}" for name in local.all(select(Submission.id))]
    names += [f"/operators/mails/{number}" for number in local.all(select(OutboxMessage.id))]
    names += [f"/operators/people/{number}" for number in local.all(select(Player.id))]
    names += [f"/operators/{name}" for name in (f"matches/{match_id}", "submissions", "mails", "audit")]
    names += [f"/m/{token}", f"/m/{token}/lines", f"/m/{token}/replay", f"/api/seats/{token}"]
    names += [f"/matches/{match_id}", f"/matches/{match_id}/replay", f"/api/matches/{match_id}"]
    for name in names:
        answer = operator.client.get(name, follow_redirects=True)
        assert answer.status_code == 200, name
        shown.append(answer.get_data(as_text=True))
    (bob,) = local.all(select(Player.id).where(Player.name == "Bob"))
    packed = ZipFile(io.BytesIO(b"".join(stream_zip(local.engine, local.config, bob))))
    shown += [packed.read(name).decode(errors="replace") for name in packed.namelist()]
    named = re.compile(r"take 17\W{1,8}take 3\W{1,8}take 11|You kept:")
    assert [text for text in [*shown, caplog.text] if named.search(text)] == []
    assert named.search(site.open(f"/m/{turn.token}").html)
