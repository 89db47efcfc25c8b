"""Check the names of mail servers: the domain's MX records, and the PTR records of the addresses that send our mail."""

from __future__ import annotations

from pbem.ops.doctor import names
from pbem.ops.doctor.check import Check, CheckContext, Result, Results, failed, passed, warned


def _check_mx(context: CheckContext) -> Results:
    for domain in filter(None, (context.config.mail_domain, context.config.reply_domain)):
        yield _check_domain(context, domain)


def _check_domain(context: CheckContext, domain: str) -> Result:
    hosts = names.mx_hosts(context, domain)
    publish = f"Publish: {domain}. MX 10 <the name of your mail server>"
    if hosts == [""]:
        return failed(f"{domain} says that it accepts no mail (a null MX).", publish)
    lost = [host for host in hosts if not names.host_addresses(context, host)]
    if lost:
        return failed(f"{lost[0]}, the mail server of {domain}, has no address.", "Give it an A record.")
    if hosts:
        return passed(f"{domain}: {', '.join(hosts)}.")
    if names.host_addresses(context, domain):
        return warned(f"{domain} has no MX record; mail goes to its own address.", publish)
    return failed(f"{domain} has neither an MX record nor an address: no replies arrive.", publish)


def _check_ptr(context: CheckContext) -> Results:
    senders = names.sending_addresses(context)
    if senders is None:
        yield passed("Your mail provider sends the mail, and takes care of this.")
        return
    if not senders:
        yield warned(
            f"It is unknown which address sends the mail: {context.config.host} has no public one.",
            "Publish an A record for it, or send mail through a provider.",
        )
    for address in senders:
        yield _check_address(context, address)


def _check_address(context: CheckContext, address: str) -> Result:
    found = names.ptr_names(context, address)
    todo = f"Where you rent the machine, set the reverse DNS name (PTR) of {address} to that of your mail server."
    if not found:
        return failed(f"{address}, which sends the mail, has no name: large providers reject its mail.", todo)
    if not any(address in names.host_addresses(context, name) for name in found):
        return failed(f"{address} has the name {found[0]}, but that name has another address.", todo)
    return passed(f"{address} has the name {found[0]}.")


CHECKS = (
    Check("MX", _check_mx, is_external=True),
    Check("PTR", _check_ptr, is_external=True),
)
