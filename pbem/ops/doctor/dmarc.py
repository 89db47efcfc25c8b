"""Check that the domain has a DMARC policy (RFC 7489)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.ops.doctor import names
from pbem.ops.doctor.check import Check, failed, passed, warned
from pbem.ops.doctor.dkim import tags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.ops.doctor.check import Ground, Said

POLICIES = ("none", "quarantine", "reject")


def _dmarc(ground: Ground) -> Iterator[Said]:
    domain = ground.config.mail_domain
    advised = f"_dmarc.{domain}. TXT “v=DMARC1; p=quarantine; rua=mailto:postmaster@{domain}”"
    for name in _upwards(domain):
        records = [each for each in names.texts(ground, f"_dmarc.{name}") if tags(each).get("v") == "DMARC1"]
        if records:
            yield _judged(name, records, inherited=name != domain)
            return
    yield warned(
        f"{domain} has no DMARC record: large providers treat its mail with suspicion.", f"Publish one: {advised}"
    )


def _judged(name: str, records: list[str], *, inherited: bool) -> Said:
    said = tags(records[0])
    policy = said.get("sp", said.get("p", "")) if inherited else said.get("p", "")
    if len(records) > 1:
        return failed(f"_dmarc.{name} has more than one record, so none counts.", "Leave one.")
    if policy not in POLICIES:
        return failed(
            f"_dmarc.{name} has no policy that is known: “{records[0]}”.", "Say p=none, quarantine or reject."
        )
    above = f" It is that of {name}." if inherited else ""
    return passed(f"“{records[0]}”{above}")


def _upwards(domain: str) -> Iterator[str]:
    """Yield a domain and its parents except the top-level domain, as receivers look up the record."""
    labels = domain.split(".")
    yield from (".".join(labels[at:]) for at in range(max(len(labels) - 1, 1)))


CHECKS = (Check("DMARC", _dmarc, abroad=True),)
