"""What a seat's pages and its table say of mail that does not arrive, and how a player has it tried again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import Address, BounceReport, DomainBackoff, Match, OutboxMessage, Suppression
from pbem.play.deliverability import bounces, domain_backoff
from pbem.play.players import reachability
from tests.support.house import address

if TYPE_CHECKING:
    from tests.support.house import House, Mail
    from tests.support.pages import Visitor

SAID = "Mail to a…@example.org has not arrived since"
TABLE = "Mail to Ann (seat 1) has failed since"


def bounced(house: House, name: str = "Ann", times: int = 2, kind: str = "hard") -> None:
    """Bounce the newest mails of somebody."""
    with house.transaction() as ctx:
        newest = (
            select(OutboxMessage)
            .where(OutboxMessage.recipient == address(name))
            .order_by(OutboxMessage.id.desc())
            .limit(times)
        )
        for notice in ctx.session.scalars(newest):
            code = {"hard": "5.1.1", "soft": "4.4.1"}.get(kind, "")
            assert bounces.record_bounce(ctx, notice, kind, code, "")  # type: ignore[arg-type]


def begun(house: House) -> Mail:
    house.start_match("middle-card", 3)
    return house.last("Ann")


def suppressed(house: House) -> list[str]:
    return house.all(select(Suppression.reason))


def failing_since(house: House) -> list[datetime | None]:
    return house.all(select(Address.failing_since).where(Address.email == address("Ann")))


@pytest.mark.parametrize("path", ["", "/mail", "/resign", "/agreements", "?move=stay", "?sent=x"])
def test_every_page_of_the_seat_says_that_its_mail_does_not_arrive(site: Visitor, local: House, path: str) -> None:
    mail = begun(local)
    assert SAID not in site.open(f"/m/{mail.token}{path}").words
    bounced(local)
    page = site.open(f"/m/{mail.token}{path}")
    assert SAID in page.words
    assert "(mailbox unknown)" in page.words
    assert "We no longer send mail there." in page.words
    assert TABLE not in page.words
    assert address("Ann") not in page.words.replace("These settings apply to all mail to ann@example.org.", "")
    # The others read it on theirs, and know no address.
    other = site.open(f"/m/{local.last('Bob').text.split('/mail/')[1].split()[0]}")
    assert TABLE in other.words
    assert "@" not in other.words.partition(TABLE)[2][:60]


def test_an_invitation_says_it_too_and_who_invited_is_told(site: Visitor, local: House) -> None:
    match_id = local.make("middle-card", 3, creator=2)
    invitation = local.last("Ann")
    local.mails("Bob")
    bounced(local, times=1)
    assert SAID in site.open(f"/invitation/{invitation.token}").words
    assert TABLE in site.open(f"/matches/{match_id}").words
    told = local.only("Bob")
    assert "Your invitation did not reach Ann: mailbox unknown." in told.flat
    assert "reply with the right one, such as “replace 1 with bob@example.org”" in told.flat
    # It is said once, however often reports come.
    bounced(local, times=1, kind="soft")
    assert not local.mails("Bob")
    tried = site.open(f"/invitation/{invitation.token}").press("Try again")
    assert "A mail with a working link is on its way" in tried.words
    assert local.only("Ann").token == invitation.token
    local.reply(told, "replace 1 with zoe@example.org")
    assert "invites you" in local.last("Zoe").flat


def test_the_table_reads_it_on_its_page_and_in_its_next_mail(site: Visitor, local: House) -> None:
    match_id = local.start_match("middle-card", 3)
    ann = local.last("Ann")
    bounced(local)
    assert TABLE in site.open(f"/matches/{match_id}").words
    local.reply(ann, local.legal(match_id, 1)[0])
    told = [mail.flat for name in ("Bob", "Cyd") for mail in local.mails(name)]
    assert any(TABLE in text for text in told)
    assert not any("a…@" in text or address("Ann") in text for text in told)
    assert not local.mails("Ann")


def test_trying_again_lifts_the_bounce_and_mails_a_fresh_link(site: Visitor, local: House) -> None:
    mail = begun(local)
    bounced(local)
    page = site.open(f"/m/{mail.token}")
    assert suppressed(local) == ["bounce"]
    # Looking lifts nothing, nor does a form that is not ours.
    for method in ("GET", "HEAD", "OPTIONS"):
        site.open(f"/m/{mail.token}/again", method)
    site.send(page.form("Try again"), {"nonce": "x"})
    assert suppressed(local) == ["bounce"]
    page = page.press("Try again")
    assert "A mail with a working link is on its way to that address." in page.words
    assert suppressed(local) == []
    (fresh,) = local.mails("Ann")
    assert fresh.token == mail.token
    page = site.open(f"/m/{mail.token}")
    assert SAID in page.words
    assert "We last tried on" in page.words
    page = page.press("It has arrived")
    assert SAID not in page.words
    assert failing_since(local) == [None]


def test_one_report_for_good_stops_it_again(site: Visitor, local: House) -> None:
    mail = begun(local)
    bounced(local)
    (since,) = failing_since(local)
    site.open(f"/m/{mail.token}").press("Try again")
    local.mails("Ann")
    bounced(local, times=1)
    assert suppressed(local) == ["bounce"]
    assert failing_since(local) == [since]
    assert "We last tried on" not in site.open(f"/m/{mail.token}").words


def test_it_is_tried_three_times_a_day_and_no_more(site: Visitor, local: House) -> None:
    mail = begun(local)
    bounced(local)
    said = [site.open(f"/m/{mail.token}").press("Try again").words for _ in range(4)]
    assert ["on its way" in words for words in said] == [True, True, True, False]
    assert "today’s limit" in said[3]


def test_that_it_arrived_can_be_said_only_of_what_was_sent(site: Visitor, local: House) -> None:
    mail = begun(local)
    bounced(local, times=1)
    page = site.open(f"/m/{mail.token}")
    form = page.form("Try again")
    assert "It has arrived" not in page.words
    site.send(form, {**form.fields, "do": "arrived"})
    assert failing_since(local) != [None]


def test_a_complaint_is_not_lifted_here(site: Visitor, local: House) -> None:
    mail = begun(local)
    form = None
    bounced(local, times=1, kind="soft")
    form = site.open(f"/m/{mail.token}").form("Try again")
    bounced(local, times=1, kind="complaint")
    page = site.open(f"/m/{mail.token}")
    assert "(reported as unwanted)" in page.words
    assert "Try again" not in page.words
    site.send(form, form.fields)
    assert suppressed(local) == ["complaint"]


def test_where_nothing_fails_there_is_nothing_to_try(site: Visitor, local: House) -> None:
    mail = begun(local)
    bounced(local, times=1)
    form = site.open(f"/m/{mail.token}").form("Try again")
    with local.transaction() as ctx:
        ctx.session.execute(update(Address).values(failing_since=None))
    site.send(form, form.fields)
    assert not local.mails("Ann")
    assert site.send(form, form.fields, follow=False).status == 303
    unknown = form.action.replace(mail.token, "0" * 26)
    assert site.client.post(unknown).status_code == 404


def test_what_was_sent_a_day_ago_and_did_not_come_back_has_arrived(site: Visitor, local: House) -> None:
    mail = begun(local)
    bounced(local, times=1)
    with local.transaction() as ctx:
        ctx.session.execute(update(BounceReport).values(reported_at=datetime.now(UTC) - timedelta(days=2)))
    assert SAID not in site.open(f"/m/{mail.token}").words
    # The next mail that is taken forgets it.
    assert failing_since(local) != [None]
    site.open(f"/m/{mail.token}")
    local.make("minimax", 1)
    local.only("Ann")
    assert failing_since(local) == [None]


def test_a_domain_that_refuses_us_is_told_as_ours(site: Visitor, local: House) -> None:
    mail = begun(local)
    with local.transaction() as ctx:
        domain_backoff.record_refusal(ctx, address("Ann"), "550 5.7.1 blocked")
    page = site.open(f"/m/{mail.token}")
    assert "example.org has refused our mail since" in page.words
    assert "The cause lies with us, not with you." in page.words
    assert "Try again" not in page.words
    with local.transaction() as ctx:
        ctx.session.execute(update(DomainBackoff).values(started_at=datetime.now(UTC) - timedelta(hours=2)))
        bounced(local, times=1)
    (match_id,) = local.match_ids()
    with local.transaction() as ctx:
        found = reachability.unreachable_seats(ctx, ctx.session.get_one(Match, match_id))
    (since,) = local.all(select(DomainBackoff.started_at))
    assert found == {1: since, 2: since, 3: since}


def test_another_address_of_the_player_is_told_once(local: House, site: Visitor) -> None:
    begun(local)
    with local.transaction() as ctx:
        player = ctx.session.get_one(Address, address("Ann")).player_id
        for name, verified in (("ann2", True), ("ann3", False)):
            row = Address(email=address(name), player_id=player, created_at=ctx.now)
            row.verified_at = ctx.now if verified else None
            ctx.session.add(row)
    bounced(local)
    told = local.only("ann2")
    assert "Mail to your address a…@example.org does not arrive: mailbox unknown." in told.flat
    assert address("Ann") not in told.flat
    assert not local.mails("ann3")
    assert site.open(f"/m/{told.token}").status == 200


def test_who_has_left_and_what_is_over_is_mailed_nothing_again(local: House) -> None:
    begun(local)
    (match_id,) = local.match_ids()
    with local.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        match.state, match.ended_at = "over", ctx.now
        turn, other = ctx.session.scalars(select(OutboxMessage).order_by(OutboxMessage.id.desc()).limit(2))
        assert turn.holder
        assert bounces.record_bounce(ctx, turn, "policy", "5.7.1", "blocked")
        match.state = "running"
        assert other.holder
        other.holder.left_at = ctx.now
        assert bounces.record_bounce(ctx, other, "policy", "5.7.1", "blocked")
        assert bounces.record_bounce(ctx, other, "hard", "5.1.1", "")
        bounces.confirm_arrival(ctx, address("Dee"))
    assert not local.all(select(OutboxMessage).where(OutboxMessage.kind.in_(("board", "failing"))))
