"""Calls with an `Idempotency-Key`: the same call with the same key acts once, and gets the same answer again."""

from __future__ import annotations

import hashlib
import re
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

from flask import Response, make_response, request

from pbem.db.models import Player
from pbem.i18n import _, marked
from pbem.play.accounts import idempotency_keys
from pbem.web.api import auth
from pbem.web.common import lookup
from pbem.web.request.context import shared_transaction, transaction
from pbem.web.request.errors import refuse
from pbem.web.request.locale import use_language

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from flask.typing import ResponseReturnValue

    from pbem.db.models import IdempotencyKey
    from pbem.play.core.context import Context

ViewParams = ParamSpec("ViewParams")

HEADER = "Idempotency-Key"
REPLAYED_HEADER = "Idempotent-Replayed"
"""Header of an answer that was given before."""
MAX_KEY_CHARS = 255

_INVALID = marked("An Idempotency-Key has 1 to {count} visible ASCII characters.")
_IN_PROGRESS = marked("A call with this Idempotency-Key is in progress. Try again in a moment.")
_REUSED = marked("This Idempotency-Key was sent with another call. Use a new one for each call.")
_KEY = re.compile(rf"[!-~]{{1,{MAX_KEY_CHARS}}}")


def init_app(app: Flask) -> None:
    """Wrap every POST of the API, so that its key repeats it."""
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith("/api/") and rule.methods and "POST" in rule.methods:
            app.view_functions[rule.endpoint] = _repeatable(app.ensure_sync(app.view_functions[rule.endpoint]))


def _repeatable(view: Callable[ViewParams, ResponseReturnValue]) -> Callable[ViewParams, ResponseReturnValue]:
    """Return a view that stores its answer in the transaction in which it acts, if the call has a key."""

    @wraps(view)
    def call(*args: ViewParams.args, **kwargs: ViewParams.kwargs) -> ResponseReturnValue:
        key = _parse_key()
        if key is None:
            return view(*args, **kwargs)
        with transaction() as ctx:
            player = _find_player(ctx, kwargs)
            if not idempotency_keys.lock(ctx, player, key):
                refuse(409, _(_IN_PROGRESS), code="idempotency-key-in-use")
            kept = idempotency_keys.find(ctx, player, key)
            if kept is not None:
                return _answer_again(ctx, kept)
            with shared_transaction(ctx):
                response = make_response(view(*args, **kwargs))
            idempotency_keys.store(
                ctx, player, key, _fingerprint(), response.status_code, response.get_data(as_text=True)
            )
            return response

    return call


def _parse_key() -> str | None:
    typed = request.headers.get(HEADER)
    if typed is not None and not _KEY.fullmatch(typed):
        refuse(422, _(_INVALID, count=MAX_KEY_CHARS), code="idempotency-key-invalid")
    return typed


def _find_player(ctx: Context, arguments: dict[str, Any]) -> int:
    """Return the player in whose name a call acts, by the link of their seat, their key, or their cookie."""
    if "token" in arguments:
        return lookup.link(ctx, arguments["token"]).holder.player_id
    return auth.require_reader(ctx)


def _answer_again(ctx: Context, kept: IdempotencyKey) -> Response:
    if kept.fingerprint != _fingerprint():
        refuse(422, _(_REUSED), code="idempotency-key-reused")
    use_language(ctx.session.get_one(Player, kept.player_id).language)
    response = Response(kept.body, status=kept.status, content_type="application/json")
    response.headers[REPLAYED_HEADER] = "true"
    return response


def _fingerprint() -> bytes:
    """Return the SHA-256 of what a call asks for, and by which credentials."""
    parts = (request.full_path, request.headers.get("Authorization", ""))
    return hashlib.sha256("\0".join(parts).encode() + b"\0" + request.get_data()).digest()
