"""What tests of returned share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Address, BounceReport, Suppression
from tests.support.house import address

if TYPE_CHECKING:
    from tests.support.house import House
UNKNOWN_USER = ("failed", "5.1.1", "smtp; 550 5.1.1 <x@example.org>: User unknown")


def report(action: str, status: str, text: str, about: str = "x@example.org") -> bytes:
    """Write a delivery report as mail servers do."""
    return f"""From: Mail Delivery System <MAILER-DAEMON@mx.example.org>
To: games@games.localhost
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

I'm sorry to have to inform you that your message could not be delivered.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; {about}
Action: {action}
Status: {status}
Diagnostic-Code: {text}

--b--
""".encode()


def came_back(house: House, to: str, raw: bytes, sender: str = "") -> int:
    return house.send(raw, to, sender).code


def score(house: House, name: str = "Bob") -> float:
    (found,) = house.all(select(Address.bounce_score).where(Address.email == address(name)))
    return round(float(found), 2)


def suppressed(house: House) -> list[str]:
    return house.all(select(Suppression.reason))


def failures(house: House) -> list[tuple[str, str]]:
    return [tuple(row) for row in house.rows(select(BounceReport.kind, BounceReport.email).order_by(BounceReport.id))]
