"""DKIM: the key that mail is signed with here is the one that the domain publishes (RFC 6376)."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from pathlib import Path
from typing import TYPE_CHECKING

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from pbem.doctor import names
from pbem.doctor.check import Check, Level, failed, passed, warned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.doctor.check import Ground, Said

LONG_ENOUGH = 2048
"""Bits of a key that large providers find long enough."""


def tags(record: str) -> dict[str, str]:
    """Read a record of `name=value` pairs, as DKIM and DMARC write them."""
    pairs = (each.partition("=") for each in record.split(";"))
    return {name.strip().lower(): "".join(value.split()) for name, _, value in pairs if name.strip()}


def published(file: Path) -> tuple[str, int]:
    """Give what the domain is to publish for a private key in PEM form, and how many bits the key has."""
    key = load_pem_private_key(file.read_bytes(), None).public_key()
    der = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return f"v=DKIM1; k=rsa; p={b64encode(der).decode()}", int(getattr(key, "key_size", 0))


def _dkim(ground: Ground) -> Iterator[Said]:
    config = ground.config
    if not config.dkim_key:
        yield passed("Mail is not signed here; what comes back tells below whether your mail server does.")
        return
    try:
        wanted, bits = published(Path(config.dkim_key))
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm) as fault:
        yield failed(
            f"{config.dkim_key} holds no key that can be used: {fault}", "Make an RSA key with `pbem setup` or openssl."
        )
        return
    name = f"{config.dkim_selector}._domainkey.{config.mail_domain}"
    found = list(_compared(name, wanted, names.texts(ground, name)))
    if bits < LONG_ENOUGH:
        found.append(warned(f"The DKIM key has {bits} bits.", f"Make one of {LONG_ENOUGH}, under another selector."))
    yield from found
    if not any(said.level is Level.FAIL for said in found):
        yield passed(f"{name} holds the key that mail is signed with.")


def _compared(name: str, wanted: str, records: list[str]) -> Iterator[Said]:
    todo = f"Publish: {name}. TXT “{wanted}”"
    if not records:
        yield failed(f"{name} is not there: what is signed counts as unsigned.", todo)
        return
    said = tags(records[0])
    if not said.get("p"):
        yield failed(f"{name} says that its key is not used any more.", todo)
    elif not _same(said["p"], tags(wanted)["p"]):
        yield failed(f"{name} holds another key than mail is signed with.", todo)
    if len(records) > 1:
        yield warned(f"{name} has {len(records)} records; which one is read is chance.", "Leave one.")
    if "y" in said.get("t", "").split(":"):
        yield warned(f"{name} says t=y: receivers take the signature for a trial.", "Take t=y out.")


def _same(published: str, wanted: str) -> bool:
    try:
        return b64decode(published) == b64decode(wanted)
    except NotBase64:
        return False


CHECKS = (Check("DKIM", _dkim, abroad=True),)
