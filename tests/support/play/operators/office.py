"""An office for tests: somebody in the shell and an operator, and what they need to act on a house."""

from __future__ import annotations

from email.message import EmailMessage
from typing import TYPE_CHECKING, Any

import pyotp
from sqlalchemy import select

from pbem.db.models import Address, LogEntry, Operator, ServiceMail
from pbem.games import find
from pbem.games.record import parse_record
from pbem.games.verify import verify
from pbem.play.archive import records
from pbem.play.core.actors import Actor
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import lock_match
from pbem.play.operators import audit, membership, totp
from pbem.states import MatchState
from tests.support.house import address

if TYPE_CHECKING:
    from pbem.play.core.actors import ActionResult
    from pbem.play.operators.audit import AuditEntry
    from tests.support.house import House

SHELL = Actor("shell", "root", request="r1")
WHY = "The table asked for it."


def does(house: House, act: Any, whom: str | int, actor: Actor = SHELL, why: str = WHY, **named: Any) -> ActionResult:
    """Do an act in a transaction of its own."""
    with house.transaction() as ctx:
        done: ActionResult = act(ctx, actor, whom, why, **named)
        return done


def audited(house: House, **which: Any) -> list[AuditEntry]:
    """List what the audit tells, newest first."""
    with house.transaction() as ctx:
        return audit.newest(ctx, **which)


def player_of(house: House, name: str) -> int:
    (number,) = house.all(select(Address.player_id).where(Address.email == address(name)))
    assert isinstance(number, int)
    return number


def confirmed(house: House, *names: str) -> None:
    """Verify the addresses of some people."""
    with house.transaction() as ctx:
        for name in names:
            ctx.session.get_one(Address, address(name)).verified_at = ctx.now


def operator(house: House, name: str) -> Actor:
    """Add somebody to the operators."""
    confirmed(house, name)
    does(house, membership.appoint, player_of(house, name))
    return Actor("operator", name, player_of(house, name), "r2")


def types_a_code(house: House, name: str) -> str:
    """Enter the next code of an operator's phone, or the first one of new codes; return their secret."""
    with house.transaction() as ctx:
        row = ctx.session.scalars(select(Operator).where(Operator.name == name)).one()
        if row.totp_secret is None:
            totp.enroll(ctx, row)
        secret = totp.decrypt_secret(ctx.config, row)
        assert secret
        last = (
            row.last_totp_step if row.last_totp_step is not None else int(ctx.now.timestamp()) // totp.STEP_SECONDS - 1
        )
        code = pyotp.TOTP(secret).generate_otp(last + 1)
        assert (totp.verify if row.totp_confirmed_at else totp.confirm)(ctx, row, code)
    return secret


def acted(house: House, match_id: str) -> list[tuple[str, str, int | None]]:
    """List the acts in the chain of a match: each with by whom it is, and for which seat."""
    entries = select(LogEntry.event, LogEntry.by, LogEntry.seat).where(LogEntry.match_id == match_id)
    found = house.rows(entries.where(LogEntry.event.is_not(None)).order_by(LogEntry.number))
    return [(row[0], row[1], row[2]) for row in found]


def must_verify(house: House, match_id: str) -> None:
    """Check the chain of a match that began, as `pbem verify` does; one that runs is ended for it first."""
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        if match.state != MatchState.OVER:
            endings.abort(ctx, match, by="operator")
        ctx.session.flush()
        data = records.build_record(ctx, match).data()
    list(verify(parse_record(data), find))


def letter_to(house: House, recipient: str, text: str = "hello") -> int:
    """Send a mail of Zoe's to the service itself; return the number of her letter."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = address("Zoe"), recipient, f"<{abs(hash(text))}@example.org>"
    mail.set_content(text)
    assert house.send(mail.as_bytes(), recipient, address("Zoe")).code == 250
    return int(house.all(select(ServiceMail.id).order_by(ServiceMail.id.desc()))[0])
