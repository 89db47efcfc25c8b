"""What comes back: from a mail to the envelope sender of one of ours to the score of its address."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select, update

from pbem.db.models import Address, BounceReport, OutboxMessage, Suppression
from pbem.play.core import tokens as core_tokens
from pbem.play.deliverability import bounces
from pbem.play.notifications import outbox
from pbem.play.players import suppressions, unsubscribes
from tests.support.emails.parsing.auto_submitted import AWAY
from tests.support.emails.parsing.bounces import UNKNOWN_USER, came_back, failures, report, score, suppressed
from tests.support.house import address

if TYPE_CHECKING:
    from tests.support.house import House
FULL = ("failed", "5.2.2", "smtp; 552 5.2.2 Mailbox full")
LATE = ("delayed", "4.4.1", "smtp; 451 4.4.1 No answer from host")


def complaint(kind: str = "abuse", copy: str = "") -> bytes:
    """Write a complaint as providers do (RFC 5965)."""
    return f"""From: <feedback@provider.example>
To: abuse@games.localhost
Subject: FW: your mail
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="b"

--b
Content-Type: text/plain

This is an abuse report.

--b
Content-Type: message/feedback-report

Feedback-Type: {kind}
User-Agent: Provider/1.0
Version: 1

--b
Content-Type: message/rfc822

{copy or "Subject: a mail"}

--b--
""".encode()


def mailed(house: House, name: str = "Bob", times: int = 1) -> list[str]:
    """Send somebody some mails; gives the envelope senders of them."""
    for _ in range(times):
        house.make("middle-card", 3)
    house.deliver()
    found = house.all(select(OutboxMessage).where(OutboxMessage.recipient == address(name)).order_by(OutboxMessage.id))
    with house.transaction() as ctx:
        tokens = [core_tokens.bounce_token(ctx, notice.message_id, "") for notice in found]
    return [f"bounce+{token}@games.localhost" for token in tokens][-times:]


def test_two_reports_for_good_and_nothing_more_is_sent(house: House) -> None:
    first, second = mailed(house, times=2)
    assert came_back(house, first, report(*UNKNOWN_USER)) == 250
    assert (score(house), suppressed(house)) == (2, [])
    (known,) = house.all(select(Address).where(Address.email == address("Bob")))
    assert (known.failure_reason, known.failing_since is not None) == ("unknown", True)
    house.make("middle-card", 3)
    assert came_back(house, second, report(*UNKNOWN_USER)) == 250
    assert (score(house), suppressed(house)) == (4, ["bounce"])
    house.deliver()
    last = (
        select(OutboxMessage.state, OutboxMessage.error)
        .where(OutboxMessage.recipient == address("Bob"))
        .order_by(OutboxMessage.id.desc())
    )
    assert tuple(house.rows(last.limit(1))[0]) == ("dropped", "the address is suppressed: bounce")
    assert failures(house) == [("hard", address("Bob"))] * 2


def test_the_same_report_a_hundred_times_counts_once(house: House) -> None:
    (to,) = mailed(house)
    for number in range(100):
        raw = report(*UNKNOWN_USER).replace(b"Subject:", f"Message-ID: <{number}@mx>\nSubject:".encode())
        assert came_back(house, to, raw) == 250
    assert (score(house), len(failures(house))) == (2, 1)


def test_late_and_then_for_good_counts_as_for_good_alone(house: House) -> None:
    (to,) = mailed(house)
    came_back(house, to, report(*LATE))
    assert score(house) == 1
    came_back(house, to, report(*UNKNOWN_USER))
    assert (score(house), suppressed(house)) == (2, [])
    assert [kind for kind, _ in failures(house)] == ["soft", "hard"]


def test_a_full_mailbox_counts_for_now_only(house: House) -> None:
    for to in mailed(house, times=4):
        came_back(house, to, report(*FULL))
    assert (score(house), suppressed(house)) == (4, ["bounce"])
    assert house.all(select(Address.failure_reason).where(Address.bounce_score > 0)) == ["full"]


def test_a_complaint_ends_all_mail_for_good(house: House) -> None:
    (to,) = mailed(house)
    assert came_back(house, to, complaint()) == 250
    assert (score(house), suppressed(house)) == (4, ["complaint"])
    assert house.all(select(Suppression.expires_at)) == [None]
    # A bounce is milder and changes nothing.
    came_back(house, to, report(*UNKNOWN_USER))
    assert suppressed(house) == ["complaint"]


@pytest.mark.parametrize("kind", ["not-spam", "auth-failure"])
def test_feedback_that_is_no_complaint_counts_for_nothing(house: House, kind: str) -> None:
    (to,) = mailed(house)
    assert came_back(house, to, complaint(kind)) == 250
    assert not failures(house)


def test_a_complaint_to_abuse_is_known_by_what_only_the_mail_had(house: House) -> None:
    ours, its_id = (
        mailed(house)[0],
        house.all(select(OutboxMessage.message_id).where(OutboxMessage.recipient == address("Bob")))[0],
    )
    assert (
        came_back(
            house, "abuse@games.localhost", complaint(copy="Return-Path: <bounce+" + "0" * 26 + "@games.localhost>")
        )
        == 250
    )
    assert not failures(house)
    assert came_back(house, "abuse@games.localhost", complaint(copy=f"Message-ID: {its_id}")) == 250
    assert failures(house) == [("complaint", address("Bob"))]
    assert came_back(house, "abuse@games.localhost", complaint(copy=f"Return-Path: <{ours.upper()}>")) == 250
    assert failures(house) == [("complaint", address("Bob"))]
    assert suppressed(house) == ["complaint"]


def test_reports_without_a_token_of_ours_count_for_nothing(house: House) -> None:
    (to,) = mailed(house)
    forged = report(*UNKNOWN_USER, about=address("Bob"))
    for number in range(1000):
        token = re.sub("[0-9a-z]{4}@", f"{number:04}@", to)
        assert token != to
        assert came_back(house, token, forged) == 550
    for name in ("postmaster", "games", "abuse"):
        assert came_back(house, f"{name}@games.localhost", forged) == 250
    assert (failures(house), suppressed(house), score(house)) == ([], [], 0)


@pytest.mark.parametrize(
    "raw",
    [
        b"From: bob@example.org\nSubject: Out of office: back on Monday\nAuto-Submitted: auto-replied\n\nI am away.\n",
        b"From: bob@example.org\nSubject: Abwesenheitsnotiz\n\nIch bin im Urlaub.\n",
        b"From: postmaster@example.org\nSubject: Automatic reply: Montauk\nX-Auto-Response-Suppress: All\n\nAway.\n",
        b"From: bob@example.org\nSubject: Re: Montauk\n\nstay\n",
        report("delivered", "2.1.5", "smtp; 250 OK"),
        report("relayed", "2.1.9", ""),
        b"",
    ],
)
def test_what_reports_no_failure_is_taken_and_neither_scored_nor_answered(house: House, raw: bytes) -> None:
    (to,) = mailed(house)
    before = house.rows(select(func.count()).select_from(OutboxMessage))
    assert came_back(house, to, raw, "bob@example.org") == 250
    assert (failures(house), score(house)) == ([], 0)
    assert house.rows(select(func.count()).select_from(OutboxMessage)) == before


def test_that_somebody_is_away_never_counts_in_whatever_language_and_whoever_says_so(house: House) -> None:
    (to,) = mailed(house)
    owed = house.rows(select(func.count()).select_from(OutboxMessage))
    for subject in AWAY:
        for author in ("bob@example.org", "postmaster@example.org", "MAILER-DAEMON@example.org"):
            for kind in ("text/plain", "multipart/alternative; boundary=x"):
                head = f"From: {author}\nSubject: {subject}\nAuto-Submitted: auto-replied\nContent-Type: {kind}\n"
                raw = f"{head}\n--x\nContent-Type: text/plain\n\nI am away until 5.1.2027.\n--x--\n".encode()
                for sender in ("", author):
                    assert came_back(house, to, raw, sender) == 250
    assert (failures(house), score(house)) == ([], 0)
    assert house.rows(select(func.count()).select_from(OutboxMessage)) == owed


def test_a_report_that_names_nobody_counts_for_now(house: House) -> None:
    (to,) = mailed(house)
    came_back(house, to, b"From: MAILER-DAEMON@mx.example.org\nSubject: Undelivered mail\n\nSorry.\n")
    assert [kind for kind, _ in failures(house)] == ["soft"]


def test_a_score_is_forgotten_after_thirty_days_and_falls_with_each_mail(house: House) -> None:
    first, second = mailed(house, times=2)
    came_back(house, first, report(*UNKNOWN_USER))
    house.make("middle-card", 3)
    house.deliver()
    assert score(house) == 1.9
    with house.transaction() as ctx:
        ctx.session.execute(update(BounceReport).values(reported_at=datetime.now(UTC) - timedelta(days=31)))
    came_back(house, second, report(*UNKNOWN_USER))
    assert score(house) == 2


def test_what_bounced_is_tried_again_after_thirty_days(house: House) -> None:
    for to in mailed(house, times=2):
        came_back(house, to, report(*UNKNOWN_USER))
    (until,) = house.all(select(Suppression.expires_at))
    assert abs(until - datetime.now(UTC) - bounces.RESET_AFTER) < timedelta(minutes=1)
    with house.transaction(until + timedelta(seconds=1)) as ctx:
        assert suppressions.suppression_reason(ctx, address("Bob")) is None


def test_mail_that_its_owner_stopped_stays_stopped_when_a_bounce_is_lifted(house: House) -> None:
    first, second = mailed(house, times=2)
    with house.transaction() as ctx:
        unsubscribes.unsubscribe(ctx, address("Bob"))
    came_back(house, first, report(*UNKNOWN_USER))
    came_back(house, second, report(*UNKNOWN_USER))
    assert suppressed(house) == ["unsubscribe"]


def test_an_operators_address_that_fails_is_noted_and_a_complaint_of_it_counts(house: House) -> None:
    with house.transaction() as ctx:
        outbox.enqueue_mail(ctx, "refused us", "op@example.net", {"domains": []}, once="x")
        (notice,) = ctx.session.scalars(select(OutboxMessage))
        assert bounces.record_failure(ctx, notice, "hard", "5.1.1", "gone\0")
        assert not ctx.session.scalars(select(Suppression)).all()
        assert bounces.record_failure(ctx, notice, "complaint", "", "abuse")
    assert suppressed(house) == ["complaint"]
