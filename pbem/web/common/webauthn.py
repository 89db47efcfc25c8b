"""Challenges of passkeys, kept in a signed cookie until the browser answers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from flask import jsonify, request
from itsdangerous import BadSignature

from pbem.i18n import _
from pbem.play.accounts import passkeys
from pbem.play.accounts.passkeys import Answer
from pbem.play.core.errors import Refused
from pbem.web.request import csrf
from pbem.web.request.context import is_https

if TYPE_CHECKING:
    from flask import Response

_SALT = "pbem passkey challenge"
COOKIE = "pbem-passkey"
"""Cookie that binds a challenge to its browser; it is not sent with requests from other sites."""


def challenge_response(options: dict[str, Any], purpose: str, challenge: bytes) -> Response:
    """Build the response with the options for the browser, and set the cookie of the challenge for this purpose."""
    response = jsonify(options)
    signed = csrf.signer(_SALT).dumps([purpose, csrf.session_id(), challenge.hex()])
    seconds = passkeys.CHALLENGE_MINUTES * 60
    response.set_cookie(COOKIE, signed, max_age=seconds, secure=is_https(), httponly=True, samesite="Strict")
    return response


def parse_answer(purpose: str) -> Answer:
    """Return the browser's credential with the challenge that it was given for this purpose. Raises Refused."""
    try:
        kept = csrf.signer(_SALT).loads(request.cookies.get(COOKIE, ""), max_age=passkeys.CHALLENGE_MINUTES * 60)
        credential = json.loads(request.form.get("credential", ""))
    except (BadSignature, ValueError, RecursionError):
        kept = credential = None
    if kept is None or kept[:2] != [purpose, csrf.session_id()] or not isinstance(credential, dict):
        raise Refused(_("That took too long or started in another browser. Try again."))
    return Answer(credential, bytes.fromhex(kept[2]))
