"""TOTP codes (RFC 6238): six digits that an operator's phone shows for half a minute, each accepted once.

The secret is stored encrypted: a reader of the database, or of a copy of it, cannot make codes. Each accepted code
encrypts it again, so that a change of keys reaches it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections import defaultdict
from io import BytesIO
from typing import TYPE_CHECKING

import pyotp
import segno
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from sqlalchemy import or_, select, update

from pbem.db.models import Operator

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.orm import Session

    from pbem.config import Config
    from pbem.play.core.context import Context

STEP_SECONDS = 30
"""Seconds for which a code is shown; the ones before and after are accepted too, since clocks differ."""


def enroll(ctx: Context, operator: Operator) -> None:
    """Draw a new secret for an operator; it is in force once one of its codes was typed."""
    secret = base64.b32encode(ctx.draw(20))
    operator.totp_secret, operator.totp_confirmed_at = _cipher(ctx.config).encrypt(secret), None


def decrypt_secret(config: Config, operator: Operator) -> str | None:
    """Return an operator's secret; None without one, or if the key that encrypted it is gone."""
    return _decrypt(_cipher(config), operator)


def qr_code(config: Config, operator: Operator, secret: str) -> str:
    """Render the QR code of a secret as SVG."""
    svg = BytesIO()
    uri = pyotp.TOTP(secret).provisioning_uri(name=operator.name, issuer_name=f"Slow games by mail ({config.host})")
    segno.make_qr(uri).save(
        svg, kind="svg", xmldecl=False, svgns=True, scale=4, border=4, dark="#000", light="#fff", omitsize=True
    )
    return svg.getvalue().decode()


def verify(ctx: Context, operator: Operator, typed: str) -> bool:
    """Return whether a code is right and current; each is accepted once."""
    return operator.totp_confirmed_at is not None and _accept(ctx, operator, typed)


def confirm(ctx: Context, operator: Operator, typed: str) -> bool:
    """Activate an operator's secret if this is one of its codes; return whether it was."""
    if operator.totp_confirmed_at is not None or not _accept(ctx, operator, typed):
        return False
    operator.totp_confirmed_at = ctx.now
    return True


def remove(operator: Operator) -> None:
    """Delete an operator's secret."""
    operator.totp_secret = operator.totp_confirmed_at = None


def names_by_key(session: Session, keys: Sequence[str]) -> Mapping[str, list[str]]:
    """Return the names of operators with TOTP in force, by the key that encrypts their secret; "" for none of these."""
    serving = select(Operator).where(Operator.dismissed_at.is_(None), Operator.totp_confirmed_at.is_not(None))
    found = defaultdict(list)
    for operator in session.scalars(serving.order_by(Operator.id)):
        found[next((key for key in keys if _decrypt(_derive_cipher(key), operator)), "")].append(operator.name)
    return found


def _accept(ctx: Context, operator: Operator, typed: str) -> bool:
    """Accept a code; return False if it is wrong, or one of its time step or a later one was accepted already."""
    secret = decrypt_secret(ctx.config, operator)
    step = _find_step(secret, typed, int(ctx.now.timestamp()) // STEP_SECONDS) if secret else None
    if secret is None or step is None:
        return False
    newer = Operator.id == operator.id, or_(Operator.last_totp_step.is_(None), Operator.last_totp_step < step)
    used = {"last_totp_step": step, "totp_secret": _cipher(ctx.config).encrypt(secret.encode())}
    return ctx.session.scalar(update(Operator).where(*newer).values(used).returning(Operator.id)) is not None


def _find_step(secret: str, typed: str, now: int) -> int | None:
    """Return the time step of a code, the latest first; None if it is wrong."""
    code = "".join(typed.split())
    totp = pyotp.TOTP(secret)
    # All steps are compared, each in constant time, so that the duration reveals nothing.
    matching = [
        step
        for step in (now + 1, now, now - 1)
        if hmac.compare_digest(totp.generate_otp(step).encode(), code.encode("utf-8", "replace"))
    ]
    return matching[0] if matching else None


def _cipher(config: Config) -> MultiFernet:
    """Return a cipher that encrypts with the newest key and decrypts with any."""
    return MultiFernet([_derive_cipher(key) for key in reversed(config.secret_keys)])


def _decrypt(cipher: Fernet | MultiFernet, operator: Operator) -> str | None:
    try:
        return cipher.decrypt(operator.totp_secret).decode() if operator.totp_secret else None
    except InvalidToken:
        return None


def _derive_cipher(key: str) -> Fernet:
    """Return a cipher whose key is derived from one of ours."""
    derived = hashlib.sha256(b"pbem operator's codes\0" + key.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(derived))
