"""Check that the domain's MX records lead to a machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.ops.doctor import names
from pbem.ops.doctor.check import Check, failed, passed, warned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.ops.doctor.check import CheckContext, Result


def _check_mx(ground: CheckContext) -> Iterator[Result]:
    for domain in filter(None, (ground.config.mail_domain, ground.config.reply_domain)):
        yield _check_domain(ground, domain)


def _check_domain(ground: CheckContext, domain: str) -> Result:
    hosts = names.mx_hosts(ground, domain)
    publish = f"Publish: {domain}. MX 10 the name of the machine that takes its mail"
    if hosts == [""]:
        return failed(f"{domain} says that it takes no mail (a null MX).", publish)
    lost = [host for host in hosts if not names.host_addresses(ground, host)]
    if lost:
        return failed(f"{lost[0]}, which is to take the mail of {domain}, has no address.", "Give it an A record.")
    if hosts:
        return passed(f"{domain}: {', '.join(hosts)}.")
    if names.host_addresses(ground, domain):
        return warned(f"{domain} has no MX; mail is tried at its own address.", publish)
    return failed(f"{domain} has neither MX nor address: no reply arrives.", publish)


CHECKS = (Check("MX", _check_mx, is_external=True),)
