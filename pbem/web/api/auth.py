"""Authentication of API calls: by a player's key, or by the cookie of their browser.

A cookie is as safe as a key here, because no other site can make a browser send a request that acts: a POST must be
declared as JSON, with or without a body, which browsers send to another site only once that site has allowed it; and
the cookie (SameSite=Lax) is not sent with a POST from elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import request
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Unauthorized

from pbem.addresses import canonical
from pbem.db.models import Player
from pbem.i18n import _, marked
from pbem.play.accounts import api_keys, login_sessions, profile
from pbem.play.core.errors import Refused
from pbem.play.core.rate_limits import SECONDS_PER_DAY, SECONDS_PER_HOUR, Limit
from pbem.web.request import current_user, throttling
from pbem.web.request.context import service
from pbem.web.request.errors import refuse, with_details
from pbem.web.request.locale import use_language

if TYPE_CHECKING:
    from werkzeug.exceptions import HTTPException

    from pbem.db.models import ApiKey
    from pbem.play.core.context import Context
    from pbem.play.lifecycle.match_requests import Invitees

MAX_MATCHES_PER_DAY = 50
"""Maximum matches that programs create per player and day."""
MAX_CALLS_PER_HOUR = 3600
"""Maximum calls per key and hour."""

SIGN_IN_TO_START = marked("Sign in or send an API key to create a match.")
SIGN_IN_REQUIRED = marked("Sign in or send an API key.")
KEY_REQUIRED = marked("Send an API key.")
WRONG_KEY = marked("This API key is unknown or was revoked.")


@dataclass(frozen=True, slots=True)
class Caller:
    """The player that a call is made for, and what it may do for them."""

    player: Player
    scopes: tuple[str, ...]


def caller(ctx: Context, scope: str) -> Caller | None:
    """Return the caller, or None if a call has none. A key that is wrong or lacks the scope is refused."""
    key = find_key(ctx, scope)
    return Caller(key.player, tuple(key.scopes)) if key else _caller_by_cookie(ctx)


def find_key(ctx: Context, scope: str) -> ApiKey | None:
    """Return the key of a call, or None if it has none. One that is wrong or lacks the scope is refused."""
    typed = _bearer_token()
    if typed is None:
        return None
    key = api_keys.find(ctx, typed)
    if key is None:
        raise _wrong_key()
    throttling.hit(ctx, Limit("api key", str(key.id), MAX_CALLS_PER_HOUR, SECONDS_PER_HOUR))
    if scope not in key.scopes:
        refuse(403, _("This API key lacks the scope “{scope}”.", scope=scope), code="scope-missing")
    use_language(key.player.language)
    return key


def require_key(ctx: Context, scope: str) -> ApiKey:
    """Return the key of a call that only programs make; refuse one that has none."""
    key = find_key(ctx, scope)
    if key is None:
        raise _unauthorized(_(KEY_REQUIRED))
    return key


def reader(ctx: Context) -> int | None:
    """Return the id of the player who makes a call that needs no key, if it has one that is valid, or a cookie."""
    typed = _bearer_token()
    if typed is not None:
        return api_keys.find_owner(ctx, typed)
    found = _caller_by_cookie(ctx)
    return found.player.id if found else None


def require_reader(ctx: Context) -> int:
    """Return the id of the player who makes a call, whatever its key allows; refuse a call that has none."""
    found = reader(ctx)
    if found is None:
        raise _unauthorized(_(SIGN_IN_REQUIRED)) if _bearer_token() is None else _wrong_key()
    return found


def require(ctx: Context, scope: str, otherwise: str = SIGN_IN_REQUIRED) -> Caller:
    """Return the caller; refuse a call that has none."""
    found = caller(ctx, scope)
    if found is None:
        raise _unauthorized(_(otherwise))
    return found


def addresses(ctx: Context, caller: Caller) -> list[str]:
    """List the caller's verified addresses."""
    return [address.email for address in profile.addresses(ctx, caller.player) if address.verified_at]


def _bearer_token() -> str | None:
    """Return the key of a request, if any; credentials for a web server in front of us are not a key."""
    scheme, _space, typed = request.headers.get("Authorization", "").partition(" ")
    return typed.strip() if scheme.lower() == "bearer" else None


def _caller_by_cookie(ctx: Context) -> Caller | None:
    secret = request.cookies.get(current_user.cookie_name())
    found = login_sessions.current_user(ctx, secret) if secret and _is_same_origin() else None
    if found is None:
        return None
    use_language(found.language)
    return Caller(ctx.session.get_one(Player, found.player), api_keys.SCOPES)


def _is_same_origin() -> bool:
    """Return whether no page of another site can have made a browser send this request."""
    simple = request.method == "POST" and request.mimetype != "application/json"
    return not simple and request.headers.get("Sec-Fetch-Site", "same-origin") in {"same-origin", "none"}


def _wrong_key() -> HTTPException:
    return with_details(_unauthorized(_(WRONG_KEY), error="invalid_token"), code="key-invalid")


def _unauthorized(reason: str, **more: str) -> Unauthorized:
    return Unauthorized(reason, www_authenticate=WWWAuthenticate("bearer", {"realm": "Slow games", **more}))


def creator_fields(ctx: Context, guests: Invitees) -> dict[str, Any]:
    """Return the creator's seat and the host of a match, as fields of its request.

    A caller with a seat thereby accepts it. Anonymous callers need the setting `allow_anonymous`.
    """
    allows_anonymous = service().config.allow_anonymous
    creator = caller(ctx, api_keys.START) if allows_anonymous else require(ctx, api_keys.START, SIGN_IN_TO_START)
    if creator is None:
        return {"creator_seat": None, "host": None}
    count_match(ctx, creator.player)
    own = addresses(ctx, creator)
    seats = [seat for seat, guest in enumerate(guests, 1) if guest and canonical(guest.email) in own]
    if not seats and not allows_anonymous:
        raise Refused(_("One of the seats must be yours: give it your own address."), "seats")
    return {"creator_seat": seats[0] if seats else None, "host": creator.player}


def count_match(ctx: Context, player: Player) -> None:
    """Count a match that a program creates for a player; 429 above the limit per day."""
    throttling.hit(ctx, Limit("match by program", str(player.id), MAX_MATCHES_PER_DAY, SECONDS_PER_DAY))
