"""Check that the domain has a DMARC policy (RFC 7489)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.ops.doctor import names
from pbem.ops.doctor.check import Check, failed, passed, warned
from pbem.ops.doctor.dkim import parse_tags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.ops.doctor.check import CheckContext, Result

POLICIES = ("none", "quarantine", "reject")


def _check_dmarc(ground: CheckContext) -> Iterator[Result]:
    domain = ground.config.mail_domain
    advised = f"_dmarc.{domain}. TXT “v=DMARC1; p=quarantine; rua=mailto:postmaster@{domain}”"
    for name in _parent_domains(domain):
        records = [
            each for each in names.txt_records(ground, f"_dmarc.{name}") if parse_tags(each).get("v") == "DMARC1"
        ]
        if records:
            yield _policy_result(name, records, inherited=name != domain)
            return
    yield warned(
        f"{domain} has no DMARC record: large providers treat its mail with suspicion.", f"Publish one: {advised}"
    )


def _policy_result(name: str, records: list[str], *, inherited: bool) -> Result:
    said = parse_tags(records[0])
    policy = said.get("sp", said.get("p", "")) if inherited else said.get("p", "")
    if len(records) > 1:
        return failed(f"_dmarc.{name} has more than one record, so none counts.", "Leave one.")
    if policy not in POLICIES:
        return failed(
            f"_dmarc.{name} has no policy that is known: “{records[0]}”.", "Say p=none, quarantine or reject."
        )
    above = f" It is that of {name}." if inherited else ""
    return passed(f"“{records[0]}”{above}")


def _parent_domains(domain: str) -> Iterator[str]:
    """Yield a domain and its parents except the top-level domain, as receivers look up the record."""
    labels = domain.split(".")
    yield from (".".join(labels[at:]) for at in range(max(len(labels) - 1, 1)))


CHECKS = (Check("DMARC", _check_dmarc, is_external=True),)
