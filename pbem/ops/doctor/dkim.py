"""Check that the DKIM key that signs mail is the one that the domain publishes (RFC 6376)."""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as NotBase64
from typing import TYPE_CHECKING

from pbem.ops.doctor import names
from pbem.ops.doctor.check import Check, Level, failed, passed, warned
from pbem.signing_keys import UnusableKeyError, load_signing_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.ops.doctor.check import CheckContext, Result

MIN_KEY_BITS = 2048
"""Minimum bits of a key that large providers accept without complaint."""


def parse_tags(record: str) -> dict[str, str]:
    """Parse a record of `name=value` pairs, the syntax of DKIM and DMARC."""
    pairs = (each.partition("=") for each in record.split(";"))
    return {name.strip().lower(): "".join(value.split()) for name, _, value in pairs if name.strip()}


def _check_record(ground: CheckContext) -> Iterator[Result]:
    config = ground.config
    if not config.dkim_key:
        yield passed("Mail is not signed here; what comes back tells below whether your mail server does.")
        return
    key = load_signing_key(config.dkim_key)
    name = f"{config.dkim_selector}._domainkey.{config.mail_domain}"
    found = list(_compare_record(name, key.record, names.txt_records(ground, name)))
    if key.bits < MIN_KEY_BITS:
        found.append(
            warned(f"The DKIM key has {key.bits} bits.", f"Make one of {MIN_KEY_BITS}, under another selector.")
        )
    yield from found
    if not any(said.level is Level.FAIL for said in found):
        yield passed(f"{name} holds the key that mail is signed with.")


def _compare_record(name: str, wanted: str, records: list[str]) -> Iterator[Result]:
    todo = f"Publish: {name}. TXT “{wanted}”"
    if not records:
        yield failed(f"{name} is not there: what is signed counts as unsigned.", todo)
        return
    said = parse_tags(records[0])
    if not said.get("p"):
        yield failed(f"{name} says that its key is not used any more.", todo)
    elif not _is_same_key(said["p"], parse_tags(wanted)["p"]):
        yield failed(f"{name} holds another key than mail is signed with.", todo)
    if len(records) > 1:
        yield warned(f"{name} has {len(records)} records; which one is read is chance.", "Leave one.")
    if "y" in said.get("t", "").split(":"):
        yield warned(f"{name} says t=y: receivers take the signature for a trial.", "Take t=y out.")


def _is_same_key(published: str, wanted: str) -> bool:
    try:
        return b64decode(published) == b64decode(wanted)
    except NotBase64:
        return False


def _check_signing(ground: CheckContext) -> Iterator[Result]:
    """Check that the key can sign."""
    if not ground.config.dkim_key:
        yield passed("Mail is not signed here.")
        return
    try:
        load_signing_key(ground.config.dkim_key)
    except UnusableKeyError as unusable:
        yield failed(
            f"No mail can be signed, and all wait: {unusable}.",
            "Put the right key there, or make one with `pbem setup` or openssl; mails go as soon as it signs.",
        )
    else:
        yield passed("The DKIM key signs.")


CHECKS = (Check("signing", _check_signing), Check("DKIM", _check_record, needs=("signing",), is_external=True))
