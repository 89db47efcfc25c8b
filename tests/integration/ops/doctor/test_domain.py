"""What the doctor says of a domain: SPF, DKIM, DMARC, MX and PTR, asked of a real name server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dns.resolver
import pytest

from pbem.config import ConfigError
from pbem.ops.doctor import Level, names, spf
from tests.support.ops.doctor.domain import DOMAIN

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.ops.doctor.patient import Patient
HERE, SIX = "192.0.2.7", "2001:db8::7"
# Addresses that anybody may use on the Internet: those for examples are not told from a home network's.
OURS, OURS_6 = "8.8.4.4", "2001:4860:4860::8844"
ELSEWHERE = "smtp://smtp.provider.example:587"


@pytest.fixture
def own(patient: Patient) -> Patient:
    """A machine with two public addresses that sends its mail itself."""
    patient.zone.has(DOMAIN, "A", OURS).has(DOMAIN, "AAAA", OURS_6)
    return patient


@pytest.fixture
def provided(own: Patient) -> Patient:
    """A service whose mail a provider sends."""
    own.zone.has("smtp.provider.example", "A", "9.9.9.9")
    return own.with_settings(smtp_url=ELSEWHERE)


@pytest.mark.parametrize(
    "record",
    [
        f"v=spf1 ip4:{OURS} ip6:{OURS_6} -all",
        "v=spf1 ip4:8.8.4.0/24 ip6:2001:4860::/32 ~all",
        "v=spf1 a -all",
        "v=spf1 a:games.example.org -all",
        "v=spf1 a/24 -all",
        "v=spf1 mx -all",
        "v=spf1 include:friend.example -all",
        "v=spf1 redirect=friend.example",
        "V=SPF1 A -ALL",
    ],
)
def test_a_record_that_names_our_machine_is_well(own: Patient, record: str) -> None:
    own.zone.has(DOMAIN, "MX", f"10 {DOMAIN}.").text(DOMAIN, record, "something else")
    own.zone.text("friend.example", f"v=spf1 a:{DOMAIN} -all")
    assert own.only("SPF") == (Level.PASS, f"“{record}”")


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([], f"{DOMAIN} has no SPF record."),
        (["v=spf10 a -all"], f"{DOMAIN} has no SPF record."),
        (["v=spf1 a -all", "v=spf1 mx -all"], f"{DOMAIN} has more than one SPF record, so none counts."),
        (["v=spf1 a +all"], "The SPF record ends in +all: anybody may send in your name."),
        (["v=spf1 all"], "The SPF record ends in +all: anybody may send in your name."),
        (["v=spf1 a include:nobody.example -all"], "The SPF record refers to nobody.example, which has none."),
    ],
)
def test_a_record_that_is_wrong_is_told(own: Patient, records: list[str], said: str) -> None:
    own.zone.text(DOMAIN, *records)
    assert own.only("SPF") == (Level.FAIL, said)


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ("v=spf1 ip4:192.0.2.0/24 -all", "fail"),
        ("v=spf1 ip4:nonsense ~all", "softfail"),
        ("v=spf1 -a a ?all", "fail"),
        ("v=spf1 mx ?all", "neutral"),
        ("v=spf1 include:friend.example redirect=friend.example", "fail"),
        ("v=spf1 exists:%{i}.friend.example redirect=%{d}.friend.example", "neutral"),
    ],
)
def test_a_machine_that_is_not_named_is_told(own: Patient, record: str, said: str) -> None:
    own.zone.text(DOMAIN, record).text("friend.example", "v=spf1 ip4:192.0.2.1 -all")
    assert own.told("SPF") == [
        (Level.FAIL, f"Mail is sent from {address}, which the SPF record does not allow: its result is {said}.")
        for address in (OURS, OURS_6)
    ]


def test_a_record_that_lets_nobody_send_is_told(own: Patient) -> None:
    own.zone.text(DOMAIN, "v=spf1 -all")
    assert (Level.FAIL, "The SPF record allows nobody to send: “v=spf1 -all”.") in own.told("SPF")


def test_too_many_questions_are_an_error(provided: Patient) -> None:
    provided.zone.text(DOMAIN, "v=spf1 include:n1.example a mx ~all")
    for at in range(1, 9):
        provided.zone.text(f"n{at}.example", f"v=spf1 include:n{at + 1}.example ~all")
    provided.zone.text("n9.example", "v=spf1 ip4:192.0.2.1 ~all")
    level, text = provided.only("SPF")
    assert (level, text.split(",")[0]) == (Level.FAIL, "The SPF record needs 11 DNS lookups")


def test_a_record_that_includes_itself_is_an_error_and_no_endless_one(provided: Patient) -> None:
    provided.zone.text(DOMAIN, f"v=spf1 include:{DOMAIN} ~all")
    assert provided.only("SPF")[0] is Level.FAIL


def test_a_record_without_an_end_is_mentioned(provided: Patient) -> None:
    provided.zone.text(DOMAIN, "v=spf1 a")
    assert [level for level, _ in provided.told("SPF")] == [Level.WARN, Level.PASS]


def test_what_to_publish_is_what_would_pass(own: Patient, provided: Patient) -> None:
    record = spf.recommended_record(own.ground)
    assert record == f"v=spf1 ip4:{OURS} ip6:{OURS_6} -all"
    own.zone.text(DOMAIN, record)
    assert own.only("SPF")[0] is Level.PASS
    assert spf.recommended_record(provided.ground) == "v=spf1 include:<what your mail provider says> ~all"
    nowhere = own.with_settings(base_url="https://nowhere.example.org")
    assert spf.recommended_record(nowhere.ground) == "v=spf1 a mx -all"


# -- DMARC, MX and PTR -------------------------------------------------------------------------------------------------


def test_a_policy_is_found_at_the_domain_or_above(patient: Patient) -> None:
    assert patient.only("DMARC")[0] is Level.WARN
    patient.zone.text("_dmarc.example.org", "v=DMARC1; p=reject; sp=none")
    assert patient.only("DMARC") == (Level.PASS, "“v=DMARC1; p=reject; sp=none” (the record of example.org)")
    patient.zone.text("_dmarc.example.org", "v=DMARC1; p=reject; sp=perhaps")
    assert patient.only("DMARC")[0] is Level.FAIL
    patient.zone.text(f"_dmarc.{DOMAIN}", "v=DMARC1; p=quarantine", "a note")
    assert patient.only("DMARC") == (Level.PASS, "“v=DMARC1; p=quarantine”")
    patient.zone.text(f"_dmarc.{DOMAIN}", "v=DMARC1; p=none", "v=DMARC1; p=reject")
    assert patient.only("DMARC")[0] is Level.FAIL


def test_nobody_is_asked_for_the_policy_of_all_of_org(patient: Patient) -> None:
    patient.told("DMARC")
    assert patient.zone.asked == [("_dmarc.games.example.org", "TXT"), ("_dmarc.example.org", "TXT")]


def test_mail_finds_a_machine(patient: Patient) -> None:
    zone = patient.zone
    assert patient.only("MX") == (Level.FAIL, f"{DOMAIN} has neither an MX record nor an address: no replies arrive.")
    zone.has(DOMAIN, "A", HERE)
    assert patient.only("MX") == (Level.WARN, f"{DOMAIN} has no MX record; mail goes to its own address.")
    zone.has(DOMAIN, "MX", "20 b.example.org.", "10 a.example.org.").has("a.example.org", "A", HERE)
    assert patient.only("MX")[1] == f"b.example.org, the mail server of {DOMAIN}, has no address."
    zone.has("b.example.org", "AAAA", SIX)
    assert patient.only("MX") == (Level.PASS, f"{DOMAIN}: a.example.org, b.example.org.")
    zone.has(DOMAIN, "MX", "0 .")
    assert patient.only("MX") == (Level.FAIL, f"{DOMAIN} says that it accepts no mail (a null MX).")


def test_the_domain_for_replies_takes_mail_too(patient: Patient) -> None:
    patient.zone.has(DOMAIN, "MX", "10 a.example.org.").has("a.example.org", "A", HERE)
    levels = [level for level, _ in patient.with_settings(reply_domain="reply.example.org").told("MX")]
    assert levels == [Level.PASS, Level.FAIL]


def test_the_machine_that_sends_has_a_name_that_leads_back(own: Patient) -> None:
    own.zone.called(OURS, f"{DOMAIN}.").called(OURS_6, "six.example.org.")
    assert own.told("PTR") == [
        (Level.PASS, f"{OURS} has the name {DOMAIN}."),
        (Level.FAIL, f"{OURS_6} has the name six.example.org, but that name has another address."),
    ]
    own.zone.records.pop((DOMAIN, "AAAA"))
    own.zone.called(OURS)
    assert own.only("PTR")[1] == f"{OURS}, which sends the mail, has no name: large providers reject its mail."
    own.zone.records.pop((DOMAIN, "A"))
    assert own.only("PTR")[0] is Level.WARN


def test_a_machine_is_ours_by_its_address_too(own: Patient) -> None:
    own.zone.has("mail.example.org", "A", OURS)
    assert names.sending_addresses(own.with_settings(smtp_url="smtp://mail.example.org").ground) == [OURS, OURS_6]
    assert names.sending_addresses(own.with_settings(smtp_url="smtp://localhost").ground) == [OURS, OURS_6]
    assert names.sending_addresses(own.with_settings(base_url="http://localhost").ground) == []


def test_a_providers_machines_are_the_providers(provided: Patient) -> None:
    assert provided.only("PTR") == (Level.PASS, "Your mail provider sends the mail, and takes care of this.")


# -- all of them -----------------------------------------------------------------------------------------------------

ALL = ("SPF", "DKIM", "DMARC", "MX", "PTR")


@pytest.mark.parametrize("name", ALL)
def test_where_mail_stays_here_no_name_is_asked_for(patient: Patient, tmp_path: Path, name: str) -> None:
    here = patient.with_settings(smtp_url=f"maildir://{tmp_path}")
    assert here.only(name) == (Level.PASS, "Not needed: mail stays on this machine.")
    assert patient.zone.asked == []


@pytest.mark.parametrize("name", ALL)
def test_the_domain_of_somebody_elses_mailbox_is_theirs(patient: Patient, name: str) -> None:
    club = patient.with_settings(mailbox_local_part="club", mail_domain="provider.example")
    assert club.only(name) == (Level.PASS, "provider.example belongs to your mail provider, who takes care of this.")
    assert patient.zone.asked == []


def test_a_name_server_that_is_silent_is_told(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patient.ground.resolver, "lifetime", 0.2)
    patient.zone.silent = True
    try:
        level, text = patient.only("MX")
    finally:
        patient.zone.silent = False
    assert level is Level.FAIL
    assert text.startswith(f"This could not be checked: the name server did not answer for MX of {DOMAIN}: ")


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("9.9.9.9", ("9.9.9.9", 53)),
        ("127.0.0.1:5353", ("127.0.0.1", 5353)),
        ("2001:db8::1", ("2001:db8::1", 53)),
        ("[2001:db8::1]:5353", ("2001:db8::1", 5353)),
        ("[::1]", ("::1", 53)),
    ],
)
def test_a_name_server_is_named_by_its_address(where: str, found: tuple[str, int]) -> None:
    assert names.parse_server(where) == found


@pytest.mark.parametrize("where", ["dns.example.org", "127.0.0.1:http", ""])
def test_what_is_no_address_is_refused(where: str) -> None:
    with pytest.raises(ConfigError, match="--resolver must be an address"):
        names.make_resolver(where)


def test_a_machine_that_knows_no_name_server_is_not_stopped_by_that(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(self: dns.resolver.BaseResolver, _file: str) -> None:  # noqa: ARG001
        raise dns.resolver.NoResolverConfiguration

    assert names.make_resolver().lifetime == names.TIMEOUT_SECONDS
    monkeypatch.setattr(dns.resolver.BaseResolver, "read_resolv_conf", none)
    assert names.make_resolver().nameservers == []
