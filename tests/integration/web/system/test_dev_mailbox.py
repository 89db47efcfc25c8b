"""The local mailboxes: read and answered like anywhere else, and closed to everything outside."""

from __future__ import annotations

import re
from dataclasses import replace
from email.message import EmailMessage
from typing import TYPE_CHECKING
from urllib.parse import quote

from emails import dev_mailbox as boxes
from emails.outbound.maildir import maildir_path
from emails.outbound.transport import MaildirTransport
from tests.support.house import address
from tests.support.web.site import visitor

if TYPE_CHECKING:
    import pytest

    from tests.support.house import House
    from tests.support.pages import Page, Visitor

ANN = f"/mailbox/{address('Ann')}"


def newest(site: Visitor, name: str = "Ann") -> Page:
    page = site.open(f"/mailbox/{address(name)}")
    return site.open(next(link for link in page.links.values() if link.count("/") == 3 and "mailbox" in link))


def unread(house: House, name: str = "Ann") -> int:
    box = boxes.find_mailbox(str(house.folder), address(name))
    assert box
    return box.unread


def test_it_lists_whoever_has_mail(site: Visitor, local: House) -> None:
    assert "No mail yet" in site.open("/mailbox").words
    local.make("martian-whist", 2)
    local.deliver()
    page = site.open("/mailbox")
    assert f"{address('Ann')} 1 mail, 1 unread" in page.words
    assert address("Bob") in page.words


def test_one_click_changes_the_person(site: Visitor, local: House) -> None:
    local.make("martian-whist", 2)
    local.deliver()
    page = newest(site)
    assert f"Mail of {address('Bob')}" in page.follow(f"{address('Bob')} 1").words


def test_opening_a_mail_reads_it_and_looking_from_outside_does_not(site: Visitor, local: House) -> None:
    local.make("martian-whist", 2)
    local.deliver()
    box = boxes.find_mailbox(str(local.folder), address("Ann"))
    assert box
    (item,) = boxes.list_mails(box)
    site.open(ANN)
    for method in ("HEAD", "OPTIONS"):
        site.open(f"{ANN}/{item.key}", method)
    assert unread(local) == 1
    assert "Martian Whist with Bob" in site.open(f"{ANN}/{item.key}").words
    assert unread(local) == 0
    assert "Martian Whist with Bob" in site.open(f"{ANN}/{item.key}").words


def test_a_mails_own_page_needs_nothing_but_itself(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    local.deliver()
    page = newest(site)
    assert 'sandbox="allow-same-origin allow-top-navigation-by-user-activation allow-popups"' in page.html
    response = site.client.get(f"{page.url}/html")
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script" not in policy
    html = response.get_data(as_text=True)
    assert "data:image/png;base64," in html
    assert "cid:" not in html
    assert "mailto:" not in html
    assert '<base target="_top">' in html
    assert "/m/" in html


def test_an_answer_by_mail_becomes_one_in_the_box_below(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    local.deliver()
    page = newest(site)
    html = site.client.get(f"{page.url}/html").get_data(as_text=True)
    link = re.search(r'href="(/mailbox/[^"]*reply=take[^"]*)"', html)
    assert link
    text = site.open(link[1]).form(f"Send as {address('Ann')}").fields["text"]
    assert re.match(r"take \d+\n\nOn .* wrote:\n> --- Reply above this line · #[0-9a-z]{6} ---\n", text)


def test_an_answer_goes_the_way_of_all_mail_and_plays(site: Visitor, local: House, post_office: None) -> None:  # noqa: ARG001
    match_id = local.start_match("martian-whist", 2)
    local.deliver()
    page = newest(site)
    button = f"Send as {address('Ann')}"
    text = page.form(button).fields["text"]
    page = page.press(button, text=f"take 7\r\n{text}")
    assert "Sent. The reply arrives in a moment" in page.words
    assert re.search(r'http-equiv="refresh" content="2; url=/mailbox/[^"]*sent=2"', page.html)
    with local.course(match_id) as (_, course):
        assert [entry.data()["move"] for entry in course.log] == ["take 7"]
    local.deliver()
    receipt = newest(site)
    assert "You played: take 7" in receipt.words
    assert "No new mail yet" in site.open(f"{ANN}?sent=6").words


def test_a_reply_that_cannot_be_sent_is_kept(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    local.deliver()
    page = newest(site).press(f"Send as {address('Ann')}", text="take 7")
    assert page.status == 503
    assert "could not be sent" in page.words
    assert page.form(f"Send as {address('Ann')}").fields["text"] == "take 7"
    page = page.press(f"Send as {address('Ann')}", nonce="x", text="take 8")
    assert page.status == 400
    assert page.form(f"Send as {address('Ann')}").fields["text"] == "take 8"


def test_a_mailbox_that_waits_for_its_first_mail_says_so(site: Visitor) -> None:
    page = site.open(f"{ANN}?wait=1")
    assert page.status == 200
    assert "No mail yet" in page.words
    assert "wait=2" in page.html
    for odd in ("0", "x", "²", "9999999"):
        assert site.open(f"{ANN}?wait={odd}").status == 404


def test_nothing_outside_the_mailboxes_can_be_reached(site: Visitor, local: House) -> None:
    local.make("martian-whist", 2)
    local.deliver()
    secret = local.folder.parent / "secret"
    (secret / "new").mkdir(parents=True)
    (secret / "new" / "key").write_text("Subject: secret\n\nsecret\n")
    (local.folder / "stray").mkdir()
    for odd in (
        "../secret",
        "..",
        ".",
        "%2e%2e/secret",
        "..%2fsecret",
        quote("../secret", safe=""),
        "%252e%252e",
        "stray",
    ):
        for url in (f"/mailbox/{odd}", f"/mailbox/{odd}/key", f"/mailbox/{odd}/key/html"):
            page = site.open(url)
            assert page.status == 404
            assert "Subject: secret" not in page.html
    for key in ("../../../secret/new/key", "..%2f..%2fsecret%2fnew%2fkey", "key", "new", "..", "%00"):
        assert site.open(f"{ANN}/{key}").status == 404
        assert site.client.post(f"{ANN}/{key}").status_code in {404, 405}


def test_mail_is_escaped_wherever_it_is_shown(site: Visitor, local: House) -> None:
    mail = EmailMessage()
    mail["From"] = "<script>alert(1)</script>@example.org"
    mail["Subject"] = "<script>alert(2)</script>"
    mail.set_content("<script>alert(3)</script>")
    MaildirTransport(str(local.folder)).send("", address("Ann"), mail.as_bytes())
    for page in (site.open(ANN), newest(site)):
        assert page.status == 200
        assert "<script>" not in page.html
    assert site.open(f"{newest(site).url}/html").status == 404


def test_attached_files_are_listed_and_saved(site: Visitor, local: House) -> None:
    local.start_match("minimax", 1)
    local.reply(local.last("Ann"), "resign yes")
    local.deliver()
    page = newest(site)
    assert "Attachments minimax-" in page.words
    (link,) = (link for link in page.links.values() if "/attachments/" in link)
    saved = site.client.get(link)
    assert saved.headers["Content-Disposition"].startswith("attachment; filename=minimax-")
    assert saved.headers["Content-Type"] == "application/octet-stream"
    assert '[Game "minimax"]' in saved.get_data(as_text=True)
    for number in (0, 2):
        assert site.open(link.replace("/attachments/1", f"/attachments/{number}")).status == 404


def test_a_mail_without_anything_is_shown_too(site: Visitor, local: House) -> None:
    MaildirTransport(str(local.folder)).send("", address("Ann"), b"Date: soon\n\n")
    page = newest(site)
    assert "No subject" in page.words
    assert page.status == 200


def test_addresses_of_any_letters_have_a_mailbox(site: Visitor, local: House) -> None:
    odd = ".jürgen/x@example.org"
    MaildirTransport(str(local.folder)).send("", odd, b"Subject: hello\n\nhello\n")
    assert odd in site.open("/mailbox").words
    assert maildir_path(local.folder, odd).parent == local.folder


def test_without_a_folder_nobody_has_mail(local: House, tmp_path: pytest.TempPathFactory) -> None:
    empty = replace(local, config=replace(local.config, dev_mailbox=f"{tmp_path}/nowhere"))
    assert "No mail yet" in visitor(empty).open("/mailbox").words
