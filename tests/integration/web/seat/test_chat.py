"""The talk of a table on its pages: reading, saying, muting, reporting."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import AbuseReport, ChatMessage, OutboxMessage
from pbem.play.chat import messages
from pbem.play.moderation import abuse_reports
from tests.support.rematching import signed_in
from tests.support.web.seat.chat import begun
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor


def test_words_go_to_the_table_from_the_turn_page(site: Visitor, local: House) -> None:
    tokens = begun(local)
    page = site.open(f"/m/{tokens['Ann']}").press("Send", words="Good luck, <b>Bob</b>!")
    assert "You" in page.words
    assert "Good luck, <b>Bob</b>!" in page.words
    assert "<b>Bob" not in page.html
    told = local.last("Bob")
    assert "Ann says: “Good luck, <b>Bob</b>!”" in told.flat
    assert f"/m/{told.token}/talk" in told.text
    assert "Good luck" in site.open(f"/m/{told.token}/talk").words


def test_who_is_not_to_move_may_speak_too(site: Visitor, local: House) -> None:
    tokens = begun(local)
    page = site.open(f"/m/{tokens['Bob']}").follow("Whole chat; mute or report a player")
    assert "No messages yet." in page.words
    page.press("Send", words="Take your time.")
    assert "Bob says: “Take your time.”" in local.last("Ann").flat
    assert "Take your time." in site.open(f"/m/{tokens['Ann']}").words


def test_words_with_a_move_go_with_the_mail_that_tells_it_and_once(site: Visitor, local: House) -> None:
    tokens = begun(local)
    page = site.open(f"/m/{tokens['Ann']}?move=take+1")
    for _ in range(2):
        page.press("Play this move", words="Mine!")
    (mail,) = [mail for mail in local.mails("Bob") if "Mine!" in mail.flat]
    assert "It is your turn." in mail.flat
    assert "Ann says: “Mine!”" in mail.flat
    assert local.all(select(ChatMessage.text)) == ["Mine!"]


def test_an_old_form_keeps_the_words(site: Visitor, local: House) -> None:
    tokens = begun(local)
    page = site.open(f"/m/{tokens['Ann']}?move=take+1").press("Play this move", nonce="x", words="Mine!")
    assert page.form("Play this move").fields["words"] == "Mine!"
    page = site.open(f"/m/{tokens['Ann']}/talk").press("Send", nonce="x", words="Hello!")
    assert page.status == 400
    assert page.form("Send").fields["words"] == "Hello!"
    assert not local.all(select(ChatMessage.text))


def test_who_has_said_a_lot_is_told_so(site: Visitor, local: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "MAX_PER_DAY", 0)
    page = site.open(f"/m/{begun(local)['Ann']}/talk").press("Send", words="Hello!")
    assert page.status == 429
    assert "Please try again tomorrow." in page.words


def test_nothing_is_nothing(site: Visitor, local: House) -> None:
    site.open(f"/m/{begun(local)['Ann']}/talk").press("Send", words=" \t ")
    assert not local.all(select(ChatMessage.text))


def test_one_tap_mutes_and_one_undoes_it(site: Visitor, local: House) -> None:
    tokens = begun(local)
    page = site.open(f"/m/{tokens['Ann']}/talk").press("Mute Bob")
    assert "muted: you do not see their messages" in page.words
    site.open(f"/m/{tokens['Bob']}/talk").press("Send", words="Are you there?")
    assert "Are you there?" not in site.open(page.url).words
    assert "Are you there?" not in site.open(f"/m/{tokens['Ann']}").words
    assert not local.mails("Ann")
    page = site.open(page.url).press("Unmute Bob")
    assert "Are you there?" in page.words


def test_words_are_reported_and_kept_as_they_stood(site: Visitor, local: House) -> None:
    tokens = begun(local)
    site.open(f"/m/{tokens['Bob']}/talk").press("Send", words="You fool!")
    page = site.open(f"/m/{local.last('Ann').token}/talk").follow("Report")
    assert "Report Bob?" in page.words
    assert "You fool!" in page.words
    old = page.press("Send report", nonce="x", text="He is rude.")
    assert old.status == 400
    assert old.form("Send report").fields["text"] == "He is rude."
    assert "Thank you" in old.press("Send report").words
    (kept,) = local.all(select(AbuseReport))
    assert (kept.reported_text, kept.text) == ("You fool!", "He is rude.")
    assert not local.mails("Bob")


def test_somebody_is_reported_without_words_of_theirs_and_not_without_end(
    site: Visitor, local: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(abuse_reports, "MAX_PER_DAY", 1)
    page = site.open(f"/m/{begun(local)['Ann']}/talk").follow("Report Bob")
    assert "Thank you" in page.press("Send report").words
    assert page.press("Send report").status == 429
    assert len(local.all(select(AbuseReport.id))) == 1


@pytest.mark.parametrize("which", ["seat=9", "seat=1", "", "seat=x"])
def test_who_does_not_sit_there_is_not_found(site: Visitor, local: House, which: str) -> None:
    assert site.open(f"/m/{begun(local)['Ann']}/report?{which}").status == 404


def test_words_of_another_table_are_not_shown(site: Visitor, local: House) -> None:
    tokens = begun(local)
    site.open(f"/m/{tokens['Ann']}/talk").press("Send", words="Between us.")
    (number,) = local.all(select(ChatMessage.id))
    local.start_match("martian-whist", 2)
    other = local.last("Bob").token
    for words in (number, "x", "9" * 30):
        page = site.open(f"/m/{other}/report?seat=1&words={words}")
        assert page.status == 200
        assert "Between us." not in page.words


def test_an_older_link_shows_the_talk_to_its_player_alone_who_is_signed_in(site: Visitor, local: House) -> None:
    old = begun(local)["Ann"]
    site.open(f"/m/{old}?move=take+1").press("Play this move")
    local.reply(local.last("Bob"), "say Do not tell!\n\ntake 2")
    earlier = "This link is from an earlier turn"
    assert earlier in site.open(f"/m/{old}/talk").words
    assert earlier in signed_in(local, "Bob").open(f"/m/{old}/talk").words
    assert "Do not tell!" in signed_in(local, "Ann").open(f"/m/{old}/talk").words


def test_before_the_beginning_it_leads_to_the_invitation(site: Visitor, local: House) -> None:
    local.make("martian-whist", 2)
    token = local.last("Ann").token
    for path in ("talk", "report?seat=2"):
        assert "Accept" in site.open(f"/m/{token}/{path}").words
    assert site.client.post(f"/m/{token}/talk").status_code == 303


def test_alone_there_is_nobody_to_talk_to(site: Visitor, local: House) -> None:
    tokens = begun(local, "minimax", 1)
    assert site.open(f"/m/{tokens['Ann']}/talk").status == 404
    assert "Send" not in site.open(f"/m/{tokens['Ann']}").words


def test_who_only_watches_reads_nothing(site: Visitor, local: House) -> None:
    tokens = begun(local)
    site.open(f"/m/{tokens['Ann']}").press("Send", words="Between us.")
    (match_id,) = local.match_ids()
    for path in (f"/matches/{match_id}", f"/api/matches/{match_id}", f"/matches/{match_id}/live"):
        assert b"Between us." not in site.client.get(path).data


def test_the_operator_is_mailed(local: House, judged: None) -> None:  # noqa: ARG001
    local = replace(local, config=replace(local.config, operator_email="operator@example.net"))
    page: Page = visitor(local).open(f"/m/{begun(local)['Ann']}/talk").follow("Report Bob")
    page.press("Send report", text="Rude.")
    assert local.all(select(OutboxMessage.recipient).where(OutboxMessage.kind == "report")) == ["operator@example.net"]
