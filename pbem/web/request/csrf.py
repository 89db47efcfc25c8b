"""CSRF protection: each form that changes something carries a nonce, so that only our own pages can post it.

A nonce is bound to the login session that it was made in. Visitors who are not signed in share one: there
the Sec-Fetch-Site header shows whether another site made their browser post.
"""

from __future__ import annotations

from flask import request
from itsdangerous import BadSignature, URLSafeTimedSerializer

from pbem.i18n import marked
from pbem.web.request.context import service
from pbem.web.request.current_user import visitor

VALID_DAYS = 3
OLD_FORM = marked(
    "This form was open for too long or came from elsewhere, so nothing has been done yet. Please send it again."
)
"""Error above a form that is shown again because its nonce is not valid."""

_SALT = "pbem form nonce"
_PROOF_SALT = "pbem proof of a turn"


def nonce(purpose: str) -> str:
    """Return the nonce of a form, valid for this purpose and for a limited time."""
    return signer(_SALT).dumps([purpose, session_id()])


def is_valid(purpose: str) -> bool:
    """Return whether the posted form comes from a page of ours and carries a valid nonce for this purpose."""
    return is_same_site() and _is_signed(
        _SALT, request.form.get("nonce", ""), [purpose, session_id()], VALID_DAYS * 24 * 3600
    )


def is_same_site() -> bool:
    """Return whether no other site made the browser send this request, as far as the browser says."""
    # Old browsers do not send this header.
    return request.headers.get("Sec-Fetch-Site", "same-origin") in {"same-origin", "none"}


def proof(of: str) -> str:
    """Return a signed and dated proof of `of`, for a URL that is valid for some minutes."""
    return signer(_PROOF_SALT).dumps(of)


def is_valid_proof(typed: str, of: str, seconds: int) -> bool:
    """Return whether `typed` is a proof of `of`, signed here at most this many seconds ago."""
    return _is_signed(_PROOF_SALT, typed, of, seconds)


def session_id() -> int:
    """Return the id of the visitor's login session; 0 if they are not signed in."""
    found = visitor()
    return found.login_session if found else 0


def _is_signed(salt: str, signed: str, wanted: object, seconds: int) -> bool:
    try:
        return bool(signer(salt).loads(signed, max_age=seconds) == wanted)
    except BadSignature:
        return False


def signer(salt: str) -> URLSafeTimedSerializer:
    """Return the serializer that signs with the keys of the service."""
    return URLSafeTimedSerializer(list(service().config.secret_keys), salt=salt)
