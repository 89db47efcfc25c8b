"""The pages of one's own account: who one is, mail, looks, and browsers."""

from __future__ import annotations

import email
import io
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image
from sqlalchemy import select, update

from pbem.db.models import LoginSession, Player
from pbem.play.accounts import login_sessions
from tests.support.house import address
from tests.support.web.account.settings import FIREFOX, kept, signed_in
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile/15E148 Safari/604.1"
PAGES = ("/me", "/me/addresses", "/me/mail", "/me/look", "/me/browsers", "/me/passkeys", "/me/time")
KEEP = "Save"
ADA = address("Ann")


@pytest.fixture
def ann(local: House) -> Visitor:
    return signed_in(local)


@pytest.mark.parametrize("path", PAGES)
def test_they_are_for_whoever_is_signed_in(local: House, ann: Visitor, path: str) -> None:
    page = ann.open(path)
    assert page.status == 200
    assert page.html.count("<h1>") == 1
    assert len(page.html) < 60_000
    stranger = visitor(local).client.get(path)
    assert stranger.status_code == 303
    assert stranger.headers["Location"].startswith("/sign-in?then=/me")


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("nonce", ["", "made up"])
def test_a_form_from_elsewhere_changes_nothing(local: House, ann: Visitor, path: str, nonce: str) -> None:
    other = signed_in(local, "Bob").open(path)
    nonces = [nonce, *(form.fields["nonce"] for form in other.forms if "nonce" in form.fields)]
    typed = {"name": "Eve", "language": "de", "zone": "UTC", "do": "remove", "email": ADA, "end": "others"}
    for one in nonces:
        answer = ann.client.post(path, data=typed | {"nonce": one})
        assert answer.status_code == 400
        assert "nothing has been done yet" in answer.get_data(as_text=True)
    assert visitor(local).client.post(path).status_code == 303
    assert kept(local, "language", "text_first") == ("en", False)


# -- who one is ----------------------------------------------------------------------------------------


def test_name_language_and_zone_are_kept_and_shown(local: House, ann: Visitor) -> None:
    page = ann.open("/me")
    assert "The time there is" in page.words
    assert address("Ann") in page.words
    page = page.press("Save", name="  Anna   Lee ", zone="Europe/Vienna", language="en")
    assert page.url == "/me?kept=1"
    assert "Saved." in page.words
    assert "(Europe/Vienna, UTC+" in page.words
    assert kept(local, "time_zone", "language", name="Anna Lee") == ("Europe/Vienna", "en")
    assert page.form("Save").fields["zone"] == "Europe/Vienna"
    page = page.press("Save", language="de")
    assert "Dein Konto" in page.words


def test_a_name_is_refused_at_its_field_with_all_that_was_typed(local: House, ann: Visitor) -> None:
    page = ann.open("/me").press("Save", name="see www.example.org", zone="Asia/Tokyo")
    assert page.status == 422
    assert "A name cannot contain a link or a mail address." in page.words
    assert 'aria-invalid="true"' in page.html
    assert page.form("Save").fields["name"] == "see www.example.org"
    assert page.form("Save").fields["zone"] == "Asia/Tokyo"
    assert kept(local, "time_zone") == ("UTC",)


def test_a_name_is_written_as_it_is(local: House, ann: Visitor) -> None:
    page = ann.open("/me").press("Save", name="<b>\"'&")
    assert page.form("Save").fields["name"] == "<b>\"'&"
    assert "<b>" not in page.html
    assert kept(local, "language", name="<b>\"'&") == ("en",)


@pytest.mark.parametrize(("field", "value"), [("zone", "Mars/Olympus"), ("language", "xx")])
def test_what_is_not_offered_is_refused(local: House, ann: Visitor, field: str, value: str) -> None:
    page = ann.open("/me").press("Save", **{field: value})
    assert page.status == 400
    assert "Nothing was changed" in page.words
    assert kept(local, "time_zone", "language") == ("UTC", "en")


def test_an_account_without_an_address_is_shown_too(local: House) -> None:
    browser = visitor(local, keeps=True)
    with local.transaction() as ctx:
        player = Player(name="Nobody", created_at=ctx.now)
        ctx.session.add(player)
        ctx.session.flush()
        browser.client.set_cookie("pbem", login_sessions.start(ctx, player, ""), domain="127.0.0.1")
    assert browser.open("/me").status == 200
    assert browser.open("/me/addresses").status == 200


# -- mail ----------------------------------------------------------------------------------------------


def test_mail_and_who_may_move_are_chosen(local: House, ann: Visitor) -> None:
    page = ann.open("/me/mail")
    assert page.form(KEEP).fields["mail_policy"] == "token+from"
    assert "cannot verify senders at present" in page.words
    wish = {"mail_when": "digest", "digest_hour": "19", "zone": "Europe/Vienna", "receipts": "refused"}
    page = page.press(KEEP, **wish, mail_policy="token", link_only="on")
    assert "Saved." in page.words
    chosen = kept(
        local, "mail_frequency", "digest_hour", "time_zone", "receipts", "mail_policy", "link_only", "language"
    )
    assert chosen == ("digest", 19, "Europe/Vienna", "refused", "token", True, "en")
    again = page.form(KEEP).fields
    assert again | wish | {"mail_policy": "token", "link_only": "on"} == again


@pytest.mark.parametrize(("field", "value"), [("mail_policy", "anybody"), ("mail_policy", ""), ("receipts", "x")])
def test_mail_is_chosen_from_what_is_offered(local: House, ann: Visitor, field: str, value: str) -> None:
    page = ann.open("/me/mail").press(KEEP, digest_hour="19", **{field: value})
    assert page.status == 400
    assert kept(local, "mail_policy", "digest_hour") == ("token+from", 8)


# -- looks ---------------------------------------------------------------------------------------------


def test_looks_are_chosen_and_hold_on_the_pages_of_a_seat(local: House, ann: Visitor) -> None:
    local.start_match("minimax", 1)
    token = local.last("Ann").token
    before = ann.open(f"/m/{token}").html
    assert 'class="red"' in before
    assert before.index("<svg") < before.index('<pre tabindex="0"')
    page = ann.open("/me/look").press(KEEP, text_first="on", distinct_colours="on")
    assert "Saved." in page.words
    assert kept(local, "text_first", "distinct_colours") == (True, True)
    # By the seat's link they hold for whoever opens it; elsewhere for who is signed in.
    for html in (visitor(local).open(f"/m/{token}").html, ann.open(f"/matches/{local.match_ids()[0]}").html):
        assert 'class="red"' not in html
        assert 'class="red-d"' in html
        assert html.index('<pre tabindex="0"') < html.index("<svg")
    assert 'class="red-d"' in ann.open("/rules/minimax").html
    assert 'class="red-d"' not in visitor(local).open("/rules/minimax").html
    page.press(KEEP, text_first="on")
    form = ann.open("/me/look").form(KEEP)
    ann.send(form, {"nonce": form.fields["nonce"]})
    assert kept(local, "text_first", "distinct_colours") == (False, False)


@pytest.mark.drawn
def test_looks_hold_in_mails(local: House, ann: Visitor) -> None:
    local.start_match("minimax", 1)
    usual = local.last("Ann")
    ann.open("/me/look").press(KEEP, text_first="on", distinct_colours="on")
    local.reply(usual, local.legal(local.match_ids()[0], 1)[0])
    mail = local.last("Ann")
    assert "<pre" not in usual.html
    assert mail.html.index("<pre") < mail.html.index("<img")
    colours = [picture_colours(one.raw) for one in (usual, mail)]
    assert (0xC4, 0x46, 0x01) in colours[1] - colours[0]
    assert (0xCB, 0x36, 0x2D) in colours[0] - colours[1]


def picture_colours(raw: bytes) -> set[Any]:
    (part,) = (one for one in email.message_from_bytes(raw).walk() if one.get_content_type() == "image/png")
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes)
    found = Image.open(io.BytesIO(payload)).convert("RGB").getcolors(1 << 24)
    assert found
    return {colour for _count, colour in found}


# -- browsers ------------------------------------------------------------------------------------------


def present(house: House) -> list[str]:
    return house.all(select(LoginSession.user_agent).where(LoginSession.ended_at.is_(None)).order_by(LoginSession.id))


def buttons(page: Page) -> list[str]:
    return [form.button for form in page.forms if "nonce" in form.fields and form.action == "/me/browsers"]


def test_browsers_are_named_and_signed_out(local: House, ann: Visitor) -> None:
    phone = signed_in(local, agent=PHONE)
    bob = signed_in(local, "Bob")
    page = ann.open("/me/browsers")
    assert "Firefox on Linux (this one)" in page.words
    assert "Safari on iPhone" in page.words
    assert len(buttons(page)) == 3
    page = page.press("Sign out that browser Safari on iPhone")
    assert "Signed out." in page.words
    assert present(local) == [FIREFOX, FIREFOX]
    assert phone.open("/me").url.startswith("/sign-in")
    assert bob.open("/me").status == 200
    assert len(buttons(page)) == 1


def test_all_other_browsers_are_signed_out_at_once(local: House, ann: Visitor) -> None:
    for agent in (PHONE, "curl/8"):
        signed_in(local, agent=agent)
    signed_in(local, "Bob", PHONE)
    page = ann.open("/me/browsers").press("Sign out everywhere else")
    assert present(local) == [FIREFOX, PHONE]
    assert page.url.startswith("/me/browsers")


def test_this_browser_is_signed_out_too(local: House, ann: Visitor) -> None:
    page = ann.open("/me/browsers").press("Sign out here Firefox on Linux")
    assert present(local) == []
    assert page.url == "/"
    assert ann.client.get_cookie("pbem", domain="127.0.0.1") is None


def test_a_browser_of_somebody_else_stays_signed_in(local: House, ann: Visitor) -> None:
    signed_in(local, "Bob")
    theirs = local.all(select(LoginSession.id).order_by(LoginSession.id))[-1]
    form = next(form for form in ann.open("/me/browsers").forms if form.action == "/me/browsers")
    for wish in (str(theirs), "", "nothing"):
        ann.send(form, form.fields | {"end": wish})
    assert len(present(local)) == 2


def test_a_visit_that_is_long_over_is_not_listed(local: House, ann: Visitor) -> None:
    signed_in(local, agent=PHONE)
    with local.transaction() as ctx:
        old = ctx.now - timedelta(days=login_sessions.IDLE_DAYS + 1)
        ctx.session.execute(update(LoginSession).where(LoginSession.user_agent == PHONE).values(seen_at=old))
    assert "iPhone" not in ann.open("/me/browsers").words
