"""Check that the key that signs mail is the one that the domain publishes (DKIM, RFC 6376), and its DMARC policy."""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as NotBase64

from pbem.ops.doctor import names
from pbem.ops.doctor.check import Check, CheckContext, Level, Result, Results, failed, passed, warned
from pbem.signing_keys import UnusableKeyError, load_signing_key

MIN_KEY_BITS = 2048
"""Minimum bits of a key that large providers accept without complaint."""


def parse_tags(record: str) -> dict[str, str]:
    """Parse a record of `name=value` pairs, the syntax of DKIM and DMARC."""
    pairs = (each.partition("=") for each in record.split(";"))
    return {name.strip().lower(): "".join(value.split()) for name, _, value in pairs if name.strip()}


def _check_signing(context: CheckContext) -> Results:
    if not context.config.dkim_key:
        yield passed("The service does not sign mail.")
        return
    try:
        load_signing_key(context.config.dkim_key)
    except UnusableKeyError as unusable:
        yield failed(
            f"Mail cannot be signed, so none is sent: {unusable}.",
            "Put the right key there, or create one with `pbem setup` or openssl; mail is sent once the key works.",
        )
    else:
        yield passed("The DKIM key works.")


def _check_dkim(context: CheckContext) -> Results:
    config = context.config
    if not config.dkim_key:
        yield passed("The service does not sign mail; “mail in” shows whether your mail server does.")
        return
    key = load_signing_key(config.dkim_key)
    name = f"{config.dkim_selector}._domainkey.{config.mail_domain}"
    results = list(_compare_record(name, key.record, names.txt_records(context, name)))
    if key.bits < MIN_KEY_BITS:
        todo = f"Create one of {MIN_KEY_BITS} bits, under another selector."
        results.append(warned(f"The DKIM key has {key.bits} bits.", todo))
    yield from results
    if not any(result.level is Level.FAIL for result in results):
        yield passed(f"{name} publishes the key that signs mail.")


def _compare_record(name: str, wanted: str, records: list[str]) -> Results:
    todo = f"Publish: {name}. TXT “{wanted}”"
    if not records:
        yield failed(f"{name} does not exist, so signed mail counts as unsigned.", todo)
        return
    tags = parse_tags(records[0])
    if not tags.get("p"):
        yield failed(f"{name} says that its key was revoked.", todo)
    elif not _is_same_key(tags["p"], parse_tags(wanted)["p"]):
        yield failed(f"{name} publishes another key than the one that signs mail.", todo)
    if len(records) > 1:
        yield warned(f"{name} has {len(records)} records, and receivers may read any of them.", "Keep one.")
    if "y" in tags.get("t", "").split(":"):
        yield warned(f"{name} says t=y: receivers treat signatures as a test.", "Remove t=y.")


def _is_same_key(published: str, wanted: str) -> bool:
    try:
        return b64decode(published) == b64decode(wanted)
    except NotBase64:
        return False


def _check_dmarc(context: CheckContext) -> Results:
    domain = context.config.mail_domain
    labels = domain.split(".")
    # Receivers look up the record of the domain and its parents, except the top-level domain.
    for name in (".".join(labels[at:]) for at in range(max(len(labels) - 1, 1))):
        texts = names.txt_records(context, f"_dmarc.{name}")
        if records := [text for text in texts if parse_tags(text).get("v") == "DMARC1"]:
            yield _policy_result(name, records, inherited=name != domain)
            return
    advised = f"_dmarc.{domain}. TXT “v=DMARC1; p=quarantine; rua=mailto:postmaster@{domain}”"
    yield warned(f"{domain} has no DMARC record: large providers distrust its mail.", f"Publish one: {advised}")


def _policy_result(name: str, records: list[str], *, inherited: bool) -> Result:
    tags = parse_tags(records[0])
    policy = tags.get("sp", tags.get("p", "")) if inherited else tags.get("p", "")
    if len(records) > 1:
        return failed(f"_dmarc.{name} has more than one record, so none counts.", "Keep one.")
    if policy not in {"none", "quarantine", "reject"}:
        return failed(f"_dmarc.{name} has no valid policy: “{records[0]}”.", "Set p=none, quarantine or reject.")
    return passed(f"“{records[0]}”{f' (the record of {name})' if inherited else ''}")


CHECKS = (
    Check("signing", _check_signing),
    Check("DKIM", _check_dkim, needs=("signing",), is_external=True),
    Check("DMARC", _check_dmarc, is_external=True),
)
