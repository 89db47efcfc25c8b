"""Mail addresses in one form."""

from __future__ import annotations

import pytest

from pbem.addresses import canonical, domain_of, mailbox


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (" Ann@Example.ORG\n", "ann@example.org"),
        ("fran\u212a@example.org", "fran\u212a@example.org"),
        ("\u0130@example.org", "\u0130@example.org"),
        ("\u00c4@example.org", "\u00c4@example.org"),
        ("", ""),
    ],
)
def test_only_ascii_letters_are_the_same_in_either_case(typed: str, kept: str) -> None:
    assert canonical(typed) == kept


def test_a_domain_is_what_stands_behind_the_last_sign() -> None:
    assert domain_of("ann@x@Example.ORG") == "example.org"
    assert domain_of("Example.ORG") == "example.org"


@pytest.mark.parametrize(
    ("address", "where"),
    [
        ("Ann@Example.org", "ann@example.org"),
        ("ann+week@example.org", "ann@example.org"),
        ("ann+a+b@example.org", "ann@example.org"),
        ("+ann@example.org", "+ann@example.org"),
        ("ann.b@example.org", "ann.b@example.org"),
    ],
)
def test_what_follows_a_plus_sign_only_sorts_the_mail_of_a_mailbox(address: str, where: str) -> None:
    assert mailbox(address) == where
