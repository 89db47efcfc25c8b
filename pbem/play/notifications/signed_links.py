"""Data in mailed links, signed with a secret key instead of being stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from itsdangerous import BadSignature, URLSafeSerializer

from pbem.play.core import tokens

if TYPE_CHECKING:
    from pbem.config import Config


def sign(config: Config, salt: str, data: Any, key: str) -> str:
    """Sign data with the key of that ID, else with the newest one; the same arguments always give the same text."""
    secrets = {tokens.key_id(secret): secret for secret in config.secret_keys}
    return URLSafeSerializer(secrets.get(key, config.secret_keys[-1]), salt=salt).dumps(data)


def load(config: Config, salt: str, typed: str) -> Any:
    """Return the data of a link, or None if its signature is not valid."""
    try:
        return URLSafeSerializer(list(config.secret_keys), salt=salt).loads(typed)
    except BadSignature:
        return None
