"""Mails that come at the same time are kept together, and each is answered as if it had come alone."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.exc import DataError

from emails.inbound.accept import accept_all, check_recipients
from emails.inbound.incoming_mail import IncomingMail
from emails.inbound.smtp_replies import (
    DISK_FULL,
    MAIL_LOOP,
    OK,
    RATE_LIMITED,
    RECIPIENT_OK,
    RELAY_DENIED,
    TRY_LATER,
    UNKNOWN_MAILBOX,
)
from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import ServiceMail, Submission
from pbem.db.session import connect, driver_transaction
from pbem.play.submissions import bulk_insert
from tests.support.house import reply

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pytest

    from pbem.db.session import DriverConnection
    from pbem.play.core.context import Context
    from tests.support.house import House

NOWHERE = f"play+{'0' * 26}@games.localhost"


def offered(house: House, *names: str) -> list[IncomingMail]:
    """Write a move of each; the same name again writes another mail."""
    asked = {name: house.last(name) for name in dict.fromkeys(names)}
    mails = []
    for number, name in enumerate(names):
        mail = asked[name]
        answer = reply(mail, "stay")
        answer.replace_header("Message-ID", f"<{number}@example.org>")
        mails.append(IncomingMail(answer.as_bytes(), mail.reply_to, f"{name.lower()}@example.org"))
    return mails


def kept(house: House) -> list[Submission]:
    return house.all(select(Submission).where(Submission.via == "mail"))


def test_each_has_its_own_answer_and_is_kept_once(house: House) -> None:
    house.start_match("middle-card", 3)
    ann, bob = offered(house, "Ann", "Bob")
    loop = IncomingMail(b"Received: by x\n" * 60 + ann.raw, ann.recipient, ann.sender)
    mails = [
        ann,
        replace(ann, recipient=NOWHERE),
        bob,
        replace(ann, request="again"),
        replace(ann, recipient="ann@elsewhere.example"),
        IncomingMail(b"From: ann@example.org\n\nHello!\n", "games@games.localhost", "ann@example.org"),
        loop,
    ]
    answers = accept_all(house.engine, house.config, mails)
    assert answers == [OK, UNKNOWN_MAILBOX, OK, OK, RELAY_DENIED, OK, MAIL_LOOP]
    assert sorted(each.status for each in kept(house)) == ["pending", "pending"]
    assert len(house.all(select(ServiceMail.id))) == 1
    assert [*accept_all(house.engine, house.config, mails)] == answers
    assert len(kept(house)) == 2


def test_addresses_are_looked_up_together(house: House) -> None:
    house.start_match("middle-card", 3)
    known = [mail.recipient for mail in offered(house, "Ann", "Bob")]
    asked = [known[0], NOWHERE, "postmaster@games.localhost", known[1].upper(), "ann@elsewhere.example"]
    answers = check_recipients(house.engine, house.config, [(each, None) for each in asked])
    assert answers == [RECIPIENT_OK, UNKNOWN_MAILBOX, RECIPIENT_OK, RECIPIENT_OK, RELAY_DENIED]


def test_one_plan_serves_any_number_of_mails(house: House) -> None:
    house.start_match("middle-card", 3)
    engine = connect(house.config.database_url)
    for mail in offered(house, *["Ann", "Bob"] * 8):
        assert check_recipients(engine, house.config, [(mail.recipient, None)]) == [RECIPIENT_OK]
        assert accept_all(engine, house.config, [mail]) == [OK]
    with driver_transaction(engine) as connection:
        planned = connection.execute(
            "SELECT generic_plans > 0, custom_plans <= 5 FROM pg_prepared_statements WHERE statement LIKE '%AS sent (%'"
        ).fetchall()
    assert planned == [(True, True)] * 2
    engine.dispose()


def test_only_what_is_too_much_is_not_kept(house: House) -> None:
    house.start_match("middle-card", 3)
    config = replace(house.config, limits={**DEFAULT_RATE_LIMITS, "token": 2})
    mails = offered(house, "Ann", "Ann", "Ann", "Bob")
    answers = accept_all(house.engine, config, mails)
    assert answers == [OK, OK, RATE_LIMITED, OK]
    assert len(kept(house)) == 3


def test_a_copy_of_what_is_too_much_is_not_said_to_be_kept(house: House) -> None:
    house.start_match("middle-card", 3)
    config = replace(house.config, limits={**DEFAULT_RATE_LIMITS, "token": 1})
    first, second = offered(house, "Ann", "Ann")
    copies = [first, replace(first, peer="192.0.2.7"), second, replace(second, peer="192.0.2.7")]
    assert accept_all(house.engine, config, copies) == [OK, OK, RATE_LIMITED, RATE_LIMITED]
    assert len(kept(house)) == 1


@contextmanager
def refusing(house: House, error: str) -> Iterator[None]:
    """Install a trigger by which the database refuses all mails to seats with an error."""
    with house.engine.begin() as connection:
        connection.exec_driver_sql(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '{error}'; END $$"
        )
        connection.exec_driver_sql(
            "CREATE TRIGGER refuse BEFORE INSERT ON submissions FOR EACH ROW EXECUTE FUNCTION refuse()"
        )
    yield
    with house.engine.begin() as connection:
        connection.exec_driver_sql("DROP FUNCTION refuse CASCADE")


def test_a_mail_with_a_proof_that_the_database_refuses_may_come_again_with_it(house: House) -> None:
    house.start_match("middle-card", 3)
    (ann,) = offered(house, "Ann")
    ann = replace(ann, proof="once")
    for error in ("data_exception", "internal_error"):
        with refusing(house, error):
            assert accept_all(house.engine, house.config, [ann]) == [TRY_LATER]
    assert accept_all(house.engine, house.config, [ann]) == [OK]


def test_a_disk_that_is_full_makes_mails_wait_and_is_known_from_then_on(house: House) -> None:
    house.start_match("middle-card", 3)
    (ann,) = offered(house, "Ann")
    config = replace(house.config, database_url=f"{house.config.database_url}&application_name=full")
    with refusing(house, "disk_full"):
        assert accept_all(house.engine, config, [ann]) == [DISK_FULL]
    assert check_recipients(house.engine, config, [(ann.recipient, None)]) == [DISK_FULL]
    assert kept(house) == []


def test_what_the_database_will_not_hold_harms_no_other(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.start_match("middle-card", 3)
    ann, bob = offered(house, "Ann", "Bob")
    keep = bulk_insert.store

    def picky(
        connection: DriverConnection, ctx: Context, mails: Sequence[bulk_insert.SeatMail]
    ) -> list[bulk_insert.StoredMail | None]:
        found = keep(connection, ctx, mails)
        if any(b"Ann" in mail.raw for mail in mails):
            raise DataError("INSERT", {}, ValueError("no"))
        return found

    monkeypatch.setattr(bulk_insert, "store", picky)
    bob = replace(bob, raw=bob.raw.replace(b"Ann", b"..."))
    ann = replace(ann, raw=b"X-Name: Ann\n" + ann.raw)
    assert accept_all(house.engine, house.config, [ann, bob]) == [TRY_LATER, OK]
    assert len(kept(house)) == 1
