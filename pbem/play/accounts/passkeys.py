"""Passkeys: keys on a player's device, by which they sign in without a mail.

The `webauthn` package is imported on first use: it takes as much memory as Flask, and many services never need it.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from sqlalchemy import delete, select

from pbem.db.models import Passkey
from pbem.i18n import _, marked
from pbem.play.core.errors import Refused
from pbem.play.core.rate_limits import register_once

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.config import Config
    from pbem.db.models import Player
    from pbem.play.core.context import Context

CHALLENGE_MINUTES = 10
"""Minutes that a browser may take to answer a challenge."""
MAX_PASSKEYS = 20
"""Maximum passkeys per player."""
CHALLENGE_BYTES = 32
_MAX_ID_BYTES = 1023
_MAX_NAME_LENGTH = 40
_NOT_VERIFIED = marked("This passkey could not be verified. Try again, or sign in with a mailed link.")


@dataclass(frozen=True, slots=True)
class Answer:
    """A browser's answer: the credential as JSON, and the challenge that it had to sign."""

    credential: dict[str, Any]
    challenge: bytes


def is_available(config: Config) -> bool:
    """Return whether browsers allow passkeys here: on a host with a name, over TLS or on localhost."""
    try:
        ip_address(config.host)
    except ValueError:
        return urlsplit(config.base_url).scheme == "https" or config.host == "localhost"
    return False


def registration_options(ctx: Context, player: Player, challenge: bytes) -> dict[str, Any]:
    """Return the options with which a browser creates a passkey for a player."""
    from webauthn import generate_registration_options  # noqa: PLC0415 -- imported on first use
    from webauthn.helpers import options_to_json_dict  # noqa: PLC0415 -- the same
    from webauthn.helpers.structs import (  # noqa: PLC0415 -- the same
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options = generate_registration_options(
        rp_id=ctx.config.host,
        rp_name="Slow games by mail",
        user_id=_user_handle(player),
        user_name=player.name,
        challenge=challenge,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.PREFERRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=known.id) for known in registered(ctx, player)],
    )
    return options_to_json_dict(options)


def authentication_options(config: Config, challenge: bytes, *, verified: bool = False) -> dict[str, Any]:
    """Return the options with which a browser signs a player in; only the passkey shows who it is.

    With `verified`, their device must ask for finger, face or code.
    """
    from webauthn import generate_authentication_options  # noqa: PLC0415 -- imported on first use
    from webauthn.helpers import options_to_json_dict  # noqa: PLC0415 -- the same
    from webauthn.helpers.structs import UserVerificationRequirement  # noqa: PLC0415 -- the same

    needs = UserVerificationRequirement.REQUIRED if verified else UserVerificationRequirement.PREFERRED
    options = generate_authentication_options(rp_id=config.host, challenge=challenge, user_verification=needs)
    return options_to_json_dict(options)


def registered(ctx: Context, player: Player) -> list[Passkey]:
    """List a player's passkeys, oldest first."""
    theirs = select(Passkey).where(Passkey.player_id == player.id)
    return list(ctx.session.scalars(theirs.order_by(Passkey.created_at, Passkey.id)))


def register(ctx: Context, player: Player, answer: Answer, name: str) -> Passkey:
    """Store a passkey that a browser has created for a player; each challenge can be used once."""
    from webauthn import verify_registration_response  # noqa: PLC0415 -- imported on first use

    if len(registered(ctx, player)) >= MAX_PASSKEYS:
        raise Refused(_("You already have {count} passkeys, the maximum. Remove one first.", count=MAX_PASSKEYS))
    with _reraise_as_refusal():
        made = verify_registration_response(**_expected(ctx, answer))
    _consume_challenge(ctx, answer.challenge)
    known = ctx.session.get(Passkey, made.credential_id)
    if known is not None or len(made.credential_id) > _MAX_ID_BYTES:
        raise Refused(_(_NOT_VERIFIED))
    row = Passkey(
        id=made.credential_id,
        player_id=player.id,
        name=" ".join(name.split())[:_MAX_NAME_LENGTH],
        public_key=made.credential_public_key,
        sign_count=made.sign_count,
        created_at=ctx.now,
    )
    ctx.session.add(row)
    ctx.session.flush()
    return row


def authenticate(ctx: Context, answer: Answer, *, verified: bool = False) -> Player:
    """Return the player whose passkey signed a challenge; each challenge can be used once.

    The signature counter must never go back. With `verified`, the device must have asked for finger, face or code.
    """
    from webauthn import verify_authentication_response  # noqa: PLC0415 -- imported on first use
    from webauthn.helpers import base64url_to_bytes  # noqa: PLC0415 -- the same

    with _reraise_as_refusal():
        known = select(Passkey).where(Passkey.id == base64url_to_bytes(answer.credential["id"])).with_for_update()
        row = ctx.session.scalar(known)
    if row is None:
        raise Refused(_("This passkey is unknown or was removed. Sign in with a mailed link instead."))
    with _reraise_as_refusal():
        handle = answer.credential["response"].get("userHandle")
        if handle is not None and base64url_to_bytes(handle) != _user_handle(row.player):
            raise Refused(_(_NOT_VERIFIED))
        signed = verify_authentication_response(
            **_expected(ctx, answer),
            credential_public_key=row.public_key,
            credential_current_sign_count=row.sign_count,
            require_user_verification=verified,
        )
    _consume_challenge(ctx, answer.challenge)
    row.sign_count, row.used_at = signed.new_sign_count, ctx.now
    return row.player


def remove(ctx: Context, player: Player, passkey: str) -> None:
    """Delete a player's passkey by its id in hexadecimal digits; other players' passkeys are left alone."""
    for row in registered(ctx, player):
        if row.id.hex() == passkey:
            ctx.session.execute(delete(Passkey).where(Passkey.id == row.id))


@contextmanager
def _reraise_as_refusal() -> Iterator[None]:
    """Raise Refused, always with the same sentence, for anything wrong in a browser's data: it helps no forger."""
    from webauthn.helpers.exceptions import WebAuthnException  # noqa: PLC0415 -- imported on first use

    try:
        yield
    except (WebAuthnException, ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError) as wrong:
        raise Refused(_(_NOT_VERIFIED)) from wrong


def _consume_challenge(ctx: Context, challenge: bytes) -> None:
    if not register_once(ctx, "passkey challenge", challenge.hex(), CHALLENGE_MINUTES * 60):
        raise Refused(_(_NOT_VERIFIED))


def _user_handle(player: Player) -> bytes:
    """Return the player's handle for their device, which says nothing about them."""
    return f"player {player.id}".encode()


def _expected(ctx: Context, answer: Answer) -> dict[str, Any]:
    """Return an answer, and what it must have been signed for."""
    split = urlsplit(ctx.config.base_url)
    return {
        "credential": answer.credential,
        "expected_challenge": answer.challenge,
        "expected_rp_id": ctx.config.host,
        "expected_origin": f"{split.scheme}://{split.netloc}",
    }
