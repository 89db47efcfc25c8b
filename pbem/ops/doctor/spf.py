"""Check that the domain's SPF record allows our machine to send its mail (RFC 7208)."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

from pbem.ops.doctor import names
from pbem.ops.doctor.check import Check, CheckContext, Level, Results, failed, passed, warned

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_LOOKUPS = 10
"""Maximum DNS lookups of a record; receivers treat more as an error."""
MAX_DEPTH = 12
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
        own = sum(term.name in {"include", "a", "mx", "ptr", "exists", "redirect"} for term in self.terms)
        return own + sum(other.lookups for other in self.others.values())


def _check_spf(context: CheckContext) -> Results:
    domain = context.config.mail_domain
    records = [text for text in names.txt_records(context, domain) if _is_spf(text)]
    if len(records) != 1:
        problem = "has more than one SPF record, so none counts" if records else "has no SPF record"
        yield failed(f"{domain} {problem}.", f"Publish one: {domain}. TXT “{recommended_record(context)}”")
        return
    problems = list(_problems(context, fetch_policy(context, domain), records[0]))
    yield from problems
    if not any(problem.level is Level.FAIL for problem in problems):
        yield passed(f"“{records[0]}”")


def _problems(context: CheckContext, policy: Policy, record: str) -> Results:
    last = next((term.result for term in policy.terms if term.name == "all"), "")
    if policy.lookups > MAX_LOOKUPS:
        yield failed(
            f"The SPF record needs {policy.lookups} DNS lookups, but {MAX_LOOKUPS} are allowed: receivers reject it.",
            "Remove what no longer sends for you, or list networks with ip4: and ip6:.",
        )
    for other in _referenced_policies(policy):
        if not other.terms:
            yield failed(f"The SPF record refers to {other.domain}, which has none.", "Correct or remove that term.")
    if last == "pass":
        yield failed("The SPF record ends in +all: anybody may send in your name.", "End it in ~all or -all.")
    elif last and len(policy.terms) == 1:
        yield failed(f"The SPF record allows nobody to send: “{record}”.", f"Publish “{recommended_record(context)}”.")
    elif not last and not any(term.name == "redirect" for term in policy.terms):
        yield warned("The SPF record does not say what to do with mail from other machines.", "End it in ~all or -all.")
    for address in names.sending_addresses(context) or ():
        if (result := evaluate(context, policy, address)) != "pass":
            yield failed(
                f"Mail is sent from {address}, which the SPF record does not allow: its result is {result}.",
                f"Add ip{ip_address(address).version}:{address} to “{record}”.",
            )


def recommended_record(context: CheckContext) -> str:
    """Return the record to publish, as far as the settings determine it."""
    own = names.sending_addresses(context)
    if own is None:
        return "v=spf1 include:<what your mail provider says> ~all"
    allowed = "".join(f" ip{ip_address(each).version}:{each}" for each in own)
    return f"v=spf1{allowed or ' a mx'} -all"


def fetch_policy(context: CheckContext, domain: str, depth: int = 0) -> Policy:
    """Fetch a domain's record and, to a limited depth, those that it refers to."""
    record = next((text for text in names.txt_records(context, domain) if _is_spf(text)), "")
    terms = tuple(map(_parse_term, record.split()[1:]))
    domains = [term.value for term in terms if term.name in {"include", "redirect"} and "%" not in term.value]
    others = {each: fetch_policy(context, each, depth + 1) for each in domains} if depth < MAX_DEPTH else {}
    return Policy(domain, terms, others)


def evaluate(context: CheckContext, policy: Policy, address: str) -> str:
    """Return the result of a record for an address."""
    for term in policy.terms:
        if _matches(context, policy, term, address):
            return term.result
    redirect = next((term.value for term in policy.terms if term.name == "redirect"), "")
    return evaluate(context, policy.others[redirect], address) if redirect in policy.others else "neutral"


def _matches(context: CheckContext, policy: Policy, term: Term, address: str) -> bool:
    if term.name == "include":
        return term.value in policy.others and evaluate(context, policy.others[term.value], address) == "pass"
    if term.name in {"ip4", "ip6"}:
        return _is_within(address, [term.value])
    if term.name in {"a", "mx"}:
        domain, slash, length = term.value.partition("/")
        hosts = [domain or policy.domain]
        if term.name == "mx":
            hosts = names.mx_hosts(context, hosts[0])
        found = [each for host in hosts if host for each in names.host_addresses(context, host)]
        suffix = f"{slash}{length.partition('/')[0]}"
        return _is_within(address, [f"{each}{suffix}" if "." in each else each for each in found])
    return term.name == "all"


def _is_within(address: str, networks: list[str]) -> bool:
    try:
        found = [ip_network(each, strict=False) for each in networks]
    except ValueError:
        return False
    known = ip_address(address)
    return any(known.version == each.version and known in each for each in found)


def _referenced_policies(policy: Policy) -> Iterator[Policy]:
    for other in policy.others.values():
        yield other
        yield from _referenced_policies(other)


def _parse_term(text: str) -> Term:
    sign, rest = (text[0], text[1:]) if text[0] in _RESULTS else ("+", text)
    at = min((rest.index(mark) for mark in ":=/" if mark in rest), default=len(rest))
    return Term(_RESULTS[sign], rest[:at].lower(), rest[at:].lstrip(":="))


def _is_spf(text: str) -> bool:
    return text.lower().split()[:1] == ["v=spf1"]


CHECKS = (Check("SPF", _check_spf, is_external=True),)
