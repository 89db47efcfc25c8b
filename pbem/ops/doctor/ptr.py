"""Check that the addresses that mail leaves from have a name, and that it resolves back to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.ops.doctor import names
from pbem.ops.doctor.check import Check, failed, passed, warned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.ops.doctor.check import CheckContext, Result


def _check_ptr(ground: CheckContext) -> Iterator[Result]:
    senders = names.sending_addresses(ground)
    if senders is None:
        yield passed("Your provider's machines send the mail, and have names.")
        return
    if not senders:
        yield warned(
            f"It cannot be told from which address mail leaves: {ground.config.host} has no public one.",
            "Publish an A record for it, or send by a mail provider.",
        )
    for address in senders:
        yield _check_address(ground, address)


def _check_address(ground: CheckContext, address: str) -> Result:
    found = names.ptr_names(ground, address)
    todo = f"Where you rent the machine, set the reverse name (PTR) of {address} to that of your mail server."
    if not found:
        return failed(f"{address}, where mail leaves from, has no name: large providers refuse its mail.", todo)
    if not any(address in names.host_addresses(ground, name) for name in found):
        return failed(f"{address} is called {found[0]}, which has another address.", todo)
    return passed(f"{address} is {found[0]}.")


CHECKS = (Check("PTR", _check_ptr, is_external=True),)
