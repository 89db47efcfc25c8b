"""Stopping mail: one click stops it, opening the link does not, and it can be undone."""

from __future__ import annotations

import re
from email.message import EmailMessage
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from emails.inbound.accept import accept
from pbem.db.models import Match, OutboxMessage, Player, SeatHolder, Suppression
from pbem.play.core import tokens
from pbem.play.lifecycle import acceptance, turn_mails
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.states import OutboxState
from tests.support.emails.inbound.recipients import check_recipient
from tests.support.web.account.unsubscribe import stopped
from tests.support.web.seat.turn import present

if TYPE_CHECKING:
    from tests.support.house import House, Mail
    from tests.support.pages import Visitor

ONE_CLICK = {"List-Unsubscribe": "One-Click"}


def ways(mail: Mail) -> tuple[str, str]:
    """Return the path and the mailbox of a mail's List-Unsubscribe."""
    found = re.fullmatch(r"<http://127.0.0.1:8000(/unsubscribe/\S+)>, <mailto:(\S+)>", mail.message["List-Unsubscribe"])
    assert found
    return found[1], found[2]


def suppressed(house: House) -> int:
    return int(house.all(select(func.count()).select_from(Suppression))[0])


def two_matches(house: House) -> tuple[str, Mail]:
    house.start_match("middle-card", 3)
    second = house.start_match("middle-card", 3)
    return second, house.last("Ann")


def test_every_mail_about_a_match_can_be_stopped(house: House) -> None:
    house.start_match("middle-card", 3, mailed=True)
    mails = [*house.every_mail, *house.mails("Ann"), *house.mails("Bob")]
    assert len(mails) == 5
    for mail in mails:
        assert mail.message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert ways(mail)[0].removeprefix("/unsubscribe/") in mail.text
    assert len({ways(mail) for mail in mails}) == 3


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_looking_stops_nothing(site: Visitor, local: House, method: str) -> None:
    path, _ = ways(two_matches(local)[1])
    page = site.open(path, method)
    assert page.status == 200
    assert not stopped(local)
    if method == "GET":
        assert "between Ann, Bob and Cyd" in page.words


def test_one_click_stops_the_mail_of_one_match_of_one_seat_however_often(site: Visitor, local: House) -> None:
    match_id, mail = two_matches(local)
    path, _ = ways(mail)
    for _time in range(3):
        answer = site.client.post(path, data=ONE_CLICK)
        assert answer.status_code == 200
    assert stopped(local) == ["Ann"]
    (when,) = local.all(select(SeatHolder.mail_stopped_at).where(SeatHolder.mail_stopped_at.is_not(None)))
    site.client.post(path, data=ONE_CLICK)
    assert local.all(select(SeatHolder.mail_stopped_at).where(SeatHolder.mail_stopped_at.is_not(None))) == [when]
    assert not suppressed(local)
    (stopped_at,) = local.all(select(SeatHolder.match_id).where(SeatHolder.mail_stopped_at.is_not(None)))
    assert stopped_at == match_id


def test_what_was_owed_already_is_not_sent(site: Visitor, local: House) -> None:
    match_id, mail = two_matches(local)
    with local.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        turn_mails.enqueue(ctx, match, {})
        ctx.session.execute(
            OutboxMessage.__table__.update().values(idempotency_key=OutboxMessage.idempotency_key + " again")  # type: ignore[attr-defined]
        )
        turn_mails.enqueue(ctx, match, {})
    site.client.post(ways(mail)[0], data=ONE_CLICK)
    assert not local.mails("Ann")
    assert local.all(select(OutboxMessage.state).where(OutboxMessage.state != OutboxState.SENT)) == ["dropped"]


def test_a_person_presses_a_button_may_stop_all_and_undo(site: Visitor, local: House) -> None:
    path, _ = ways(two_matches(local)[1])
    third = local.make("middle-card", 3)
    assert local.mails("Ann")
    page = site.open(path).press("Stop mail")
    assert "You get no more mail about this match" in page.words
    assert "You get no more mail about this match" in site.open(path).words
    page = page.press("Stop all mail")
    assert "We send nothing more to ann@example.org" in page.words
    assert suppressed(local) == 1
    with local.transaction() as ctx:
        match = lock_match(ctx, third)
        for holder in holders(ctx, match):
            acceptance.accept(ctx, match, holder, "")
    assert not local.mails("Ann")
    page = page.press("Undo: send me mail again")
    assert "Stop mail about this match?" in page.words
    assert not stopped(local)
    assert not suppressed(local)


@pytest.mark.parametrize("wish", ["all", "undo"])
def test_further_wishes_need_the_page(site: Visitor, local: House, wish: str) -> None:
    path, _ = ways(two_matches(local)[1])
    site.client.post(path, data=ONE_CLICK)
    answer = site.client.post(path, data={"do": wish, "nonce": "made up"})
    assert answer.status_code == 400
    assert "nothing has been done yet" in answer.get_data(as_text=True)
    assert stopped(local) == ["Ann"]
    assert not suppressed(local)


def test_it_can_be_stopped_by_mail(local: House) -> None:
    _, mailbox = ways(two_matches(local)[1])
    message = EmailMessage()
    # A mail program writes it, and some say so.
    message["From"], message["To"], message["Auto-Submitted"] = "ann@example.org", mailbox, "auto-generated"
    message.set_content("unsubscribe")
    assert check_recipient(local.engine, local.config, mailbox).code == 250
    for _time in range(2):
        assert accept(local.engine, local.config, message.as_bytes(), mailbox, "ann@example.org").code == 250
    assert stopped(local) == ["Ann"]
    assert not local.mails("Ann")


def test_a_made_up_token_is_unknown(site: Visitor, local: House) -> None:
    _, mail = two_matches(local)
    for token in ("0" * 26, mail.token, "x"):
        assert site.open(f"/unsubscribe/{token}").status == 404
        assert site.client.post(f"/unsubscribe/{token}", data=ONE_CLICK).status_code == 404
        mailbox = f"unsub+{token}@games.localhost"
        assert check_recipient(local.engine, local.config, mailbox).code == 550
        assert accept(local.engine, local.config, b"To: x\r\n\r\nx", mailbox, "ann@example.org").code == 550
    path, _ = ways(mail)
    assert site.open(path.replace("/unsubscribe/", "/m/")).status == 404


def test_it_holds_after_the_links_were_renewed_and_the_key_is_newer(site: Visitor, local: House) -> None:
    path, _ = ways(two_matches(local)[1])
    with local.transaction() as ctx:
        for holder in ctx.session.scalars(select(SeatHolder)):
            holder.generation += 1
    assert site.open(path.upper().replace("UNSUBSCRIBE", "unsubscribe")).status == 200
    newer = local.with_keys("0" * 40, "1" * 40)
    newer.start_match("middle-card", 3)
    assert ways(newer.last("Ann"))[0] != path
    dropped = local.with_keys("1" * 40)
    with dropped.transaction() as ctx:
        holder = ctx.session.scalars(select(SeatHolder)).first()
        assert holder
        token = tokens.issue_unsubscribe(ctx, holder, tokens.UNSUB, "a key of long ago")
    assert site.open(f"/unsubscribe/{token}").status == 200


def test_who_has_stopped_mail_still_plays_and_is_told_how_it_ends(site: Visitor, local: House) -> None:
    match_id, mail = two_matches(local)
    site.client.post(ways(mail)[0], data=ONE_CLICK)
    local.reply(mail, local.legal(match_id, 1)[0])
    assert "Your move was played" in local.only("Ann").flat
    assert present(site, local, match_id, "Ann").status == 200
    local.reply(local.last("Bob"), "resign yes")
    assert "is over by resignation" in local.only("Ann").flat


def test_a_digest_is_stopped_as_a_whole(site: Visitor, local: House) -> None:
    with local.transaction() as ctx:
        local.make("middle-card", 3)
        ctx.session.execute(Player.__table__.update().values(mail_frequency="each turn"))  # type: ignore[attr-defined]
    two_matches(local)
    with local.transaction() as ctx:
        holder = ctx.session.scalars(select(SeatHolder).where(SeatHolder.name == "Ann")).first()
        assert holder
        token = tokens.issue_unsubscribe(ctx, holder, tokens.UNSUB_ALL, tokens.key_id(local.config.secret_keys[-1]))
    page = site.open(f"/unsubscribe/{token}")
    assert "Stop mail about your matches?" in page.words
    page = page.press("Stop mail")
    assert "You get no more mail about your matches" in page.words
    assert stopped(local) == ["Ann"] * 3
    page.press("Undo: send me mail again")
    assert not stopped(local)
