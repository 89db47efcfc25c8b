"""What tests of looking share."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import (
    AbuseReport,
    Address,
    BounceReport,
    DomainBackoff,
    OutboxMessage,
    SeatHolder,
    ServiceMail,
    Suppression,
)
from pbem.play.core.context import system_time
from pbem.play.players import unsubscribes
from tests.support.house import address

if TYPE_CHECKING:
    from tests.support.house import House

RAW = b"From: ann@example.org\r\nTo: games@games.localhost\r\nSubject: %s\r\nMessage-ID: <m1@example.org>\r\n\r\n%s\r\n"
TOKEN = "0123456789abcdefghjkmnpqrs"


def everything(house: House) -> str:
    """Create something of every kind; return the match."""
    match_id = house.start_match("martian-whist", 2)
    mail = house.last("Ann")
    house.reply(mail, "take 1")
    house.reply(mail, "take 1 again")
    now = system_time()
    with house.transaction() as ctx:
        letter = {"recipient": "postmaster@games.localhost", "sender": address("Ann"), "received_at": now}
        said = RAW % (b"Help", f"My link is http://x.example/m/{TOKEN} and\nnothing works".encode())
        ctx.session.add(ServiceMail(**letter, raw=said, idempotency_key=b"\1" * 32))
        notice = ctx.session.scalars(
            select(OutboxMessage).where(OutboxMessage.recipient == address("Bob")).limit(1)
        ).one()
        notice.state, notice.error = "failed", f"550 no such user play+{TOKEN}@games.localhost"
        text = f"550 5.1.1 unknown, said of bounce+{TOKEN}@games.localhost"
        row = {"outbox_message_id": notice.id, "email": address("Bob"), "status": "5.1.1"}
        ctx.session.add(BounceReport(**row, kind="hard", text=text, reported_at=now))
        bob = ctx.session.get_one(Address, address("Bob"))
        bob.failing_since, bob.failure_reason, bob.bounce_score, bob.bounce_score_at = (
            now,
            "unknown",
            5.0,
            now - timedelta(hours=1),
        )
        hash_ = unsubscribes.address_hash(address("Bob"))
        ctx.session.add(Suppression(hash=hash_, reason="bounce", suppressed_at=now))
        ctx.session.add(Suppression(hash=b"\2" * 32, reason="manual", suppressed_at=now))
        domain = {"domain": "refuses.example", "started_at": now, "retry_at": now + timedelta(hours=1)}
        ctx.session.add(DomainBackoff(**domain, refusals=3, last_error="we do not like you"))
        ann, other = ctx.session.scalars(
            select(SeatHolder).where(SeatHolder.match_id == match_id).order_by(SeatHolder.seat)
        )
        ctx.session.add(
            AbuseReport(
                match_id=match_id,
                reporter_id=ann.id,
                reported_holder_id=other.id,
                reported_text="Boo",
                text="rude to me",
                reported_at=now,
            )
        )
    return match_id
