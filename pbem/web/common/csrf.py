"""Nonces of forms: each form that changes something carries one, so that only a page of ours can post it.

A nonce holds in the visit that it was made in: somebody else's does not pass for the one who is signed in. Those who
are not signed in have all the same; that another site has their browser send one, browsers themselves tell.
"""

from __future__ import annotations

from flask import request
from itsdangerous import BadSignature, URLSafeTimedSerializer

from pbem.i18n import marked
from pbem.web.common.context import service
from pbem.web.common.current_user import visitor

DAYS = 3
OLD_FORM = marked(
    "This form was open for too long or came from elsewhere, so nothing has been done yet. Please send it again."
)
"""Said above a form that is shown again because its nonce does not hold."""

_SALT = "pbem form nonce"
_PROOF = "pbem proof of a turn"
PROVEN = 15 * 60
"""For so many seconds the page that follows a move leads on to the next turn of whoever has played it."""


def nonce(purpose: str) -> str:
    """Make the nonce of a form; it holds for this purpose only, and not for ever."""
    return _signer(_SALT).dumps([purpose, _visit()])


def is_ours(purpose: str) -> bool:
    """Tell whether the posted form is one that a page of ours gave out for this purpose."""
    # Old browsers do not say from where.
    ours = request.headers.get("Sec-Fetch-Site", "same-origin") in {"same-origin", "none"}
    return ours and _holds(_SALT, request.form.get("nonce", ""), [purpose, _visit()], DAYS * 24 * 3600)


def proof(of: str) -> str:
    """Sign that something was so just now, for an address that is to hold for some minutes."""
    return _signer(_PROOF).dumps(of)


def is_proof(typed: str, of: str, seconds: int) -> bool:
    """Tell whether this was signed here, not longer ago than so many seconds."""
    return _holds(_PROOF, typed, of, seconds)


def _visit() -> int:
    found = visitor()
    return found.visit if found else 0


def _holds(salt: str, signed: str, wanted: object, seconds: int) -> bool:
    try:
        return bool(_signer(salt).loads(signed, max_age=seconds) == wanted)
    except BadSignature:
        return False


def _signer(salt: str) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(list(service().config.secret_keys), salt=salt)
