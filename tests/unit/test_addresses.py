"""Mail addresses in one form."""

from __future__ import annotations

import pytest

from pbem.addresses import canonical, domain_of


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
