"""Check that the domain's SPF record allows our machine to send its mail (RFC 7208)."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

from pbem.ops.doctor import names
from pbem.ops.doctor.check import Check, Level, failed, passed, warned

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pbem.ops.doctor.check import CheckContext, Result

MAX_LOOKUPS = 10
"""Maximum DNS lookups of a record; receivers treat more as an error."""
MAX_DEPTH = 12
_LOOKUP_TERMS = {"include", "a", "mx", "ptr", "exists", "redirect"}
_RESULTS = {"+": "pass", "-": "fail", "~": "softfail", "?": "neutral"}


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a record: its result, name and value."""

    result: str
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Policy:
    """A domain's record with those that it refers to; without terms if there is none."""

    domain: str
    terms: tuple[Term, ...]
    others: Mapping[str, Policy]

    @property
    def lookups(self) -> int:
        """Number of DNS lookups that a receiver has to make."""
        return sum(term.name in _LOOKUP_TERMS for term in self.terms) + sum(
            each.lookups for each in self.others.values()
        )


def _check_spf(ground: CheckContext) -> Iterator[Result]:
    domain = ground.config.mail_domain
    records = [text for text in names.txt_records(ground, domain) if _is_spf(text)]
    if len(records) != 1:
        said = "has no SPF record" if not records else "has more than one SPF record, so none counts"
        yield failed(f"{domain} {said}.", f"Publish one: {domain}. TXT “{recommended_record(ground)}”")
        return
    found = list(_problems(ground, fetch_policy(ground, domain), records[0]))
    yield from found
    if not any(said.level is Level.FAIL for said in found):
        yield passed(f"“{records[0]}”")


def _problems(ground: CheckContext, policy: Policy, record: str) -> Iterator[Result]:
    last = next((term.result for term in policy.terms if term.name == "all"), "")
    if policy.lookups > MAX_LOOKUPS:
        yield failed(
            f"The SPF record needs {policy.lookups} questions, and {MAX_LOOKUPS} are allowed: it counts as an error.",
            "Take out what no longer sends for you, or name networks by ip4: and ip6:.",
        )
    for lost in (each for each in _referenced_policies(policy) if not each.terms):
        yield failed(f"The SPF record refers to {lost.domain}, which has none.", "Correct or remove that term.")
    if last == "pass":
        yield failed("The SPF record ends in +all: anybody may send in your name.", "End it in ~all or -all.")
    elif last and len(policy.terms) == 1:
        yield failed(f"The SPF record lets nobody send: “{record}”.", f"Publish “{recommended_record(ground)}”.")
    elif not last and not any(term.name == "redirect" for term in policy.terms):
        yield warned("The SPF record says nothing of other machines.", "End it in ~all or -all.")
    for address in names.sending_addresses(ground) or ():
        if (said := evaluate(ground, policy, address)) != "pass":
            yield failed(
                f"Mail leaves from {address}, which the SPF record does not name: it says {said}.",
                f"Add ip{ip_address(address).version}:{address} to “{record}”.",
            )


def recommended_record(ground: CheckContext) -> str:
    """Return the record to publish, as far as the settings determine it."""
    own = names.sending_addresses(ground)
    if own is None:
        return "v=spf1 include:<what your mail provider says> ~all"
    listed = "".join(f" ip{ip_address(each).version}:{each}" for each in own)
    return f"v=spf1{listed or ' a mx'} -all"


def fetch_policy(ground: CheckContext, domain: str, depth: int = 0) -> Policy:
    """Fetch a domain's record and, to a limited depth, those that it refers to."""
    record = next((text for text in names.txt_records(ground, domain) if _is_spf(text)), "")
    terms = tuple(map(_parse_term, record.split()[1:]))
    further = [term.value for term in terms if term.name in {"include", "redirect"} and "%" not in term.value]
    others = {each: fetch_policy(ground, each, depth + 1) for each in further} if depth < MAX_DEPTH else {}
    return Policy(domain, terms, others)


def evaluate(ground: CheckContext, policy: Policy, address: str) -> str:
    """Return the result of a record for an address."""
    for term in policy.terms:
        if _matches(ground, policy, term, address):
            return term.result
    onward = next((term.value for term in policy.terms if term.name == "redirect"), "")
    return evaluate(ground, policy.others[onward], address) if onward in policy.others else "neutral"


def _matches(ground: CheckContext, policy: Policy, term: Term, address: str) -> bool:
    if term.name == "include":
        return term.value in policy.others and evaluate(ground, policy.others[term.value], address) == "pass"
    if term.name in {"ip4", "ip6"}:
        return _is_within(address, [term.value])
    if term.name in {"a", "mx"}:
        domain, slash, length = term.value.partition("/")
        hosts = [domain or policy.domain]
        if term.name == "mx":
            hosts = names.mx_hosts(ground, hosts[0])
        found = [each for host in hosts if host for each in names.host_addresses(ground, host)]
        return _is_within(
            address, [f"{each}{slash}{length.partition('/')[0]}" if "." in each else each for each in found]
        )
    return term.name == "all"


def _is_within(address: str, networks: list[str]) -> bool:
    try:
        found = [ip_network(each, strict=False) for each in networks]
    except ValueError:
        return False
    known = ip_address(address)
    return any(known.version == each.version and known in each for each in found)


def _referenced_policies(policy: Policy) -> Iterator[Policy]:
    for each in policy.others.values():
        yield each
        yield from _referenced_policies(each)


def _parse_term(text: str) -> Term:
    sign, rest = (text[0], text[1:]) if text[0] in _RESULTS else ("+", text)
    at = min((rest.index(mark) for mark in ":=/" if mark in rest), default=len(rest))
    return Term(_RESULTS[sign], rest[:at].lower(), rest[at:].lstrip(":="))


def _is_spf(text: str) -> bool:
    return text.lower().split()[:1] == ["v=spf1"]


CHECKS = (Check("SPF", _check_spf, is_external=True),)
