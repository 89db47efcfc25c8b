"""The reply addresses of lessons: what they name, in each form that a service may have them in."""

from __future__ import annotations

import pytest

from pbem.play.lobby import lesson_mail


@pytest.mark.parametrize(
    ("recipient", "token"),
    [
        ("learn+montauk-1-en-1-abc@games.example.org", "montauk-1-en-1-abc"),
        ("Learn-Montauk-1-en-1-abc@games.example.org", "montauk-1-en-1-abc"),
        ("own+learn-montauk-1-en-1-abc@example.org", "montauk-1-en-1-abc"),
        ("games@games.example.org", ""),
        ("play+learn@games.example.org", ""),
        ("learner+montauk@games.example.org", ""),
    ],
)
def test_the_token_is_found_in_each_form_of_an_address(recipient: str, token: str) -> None:
    assert lesson_mail.token_of(recipient) == token


@pytest.mark.parametrize(
    ("token", "names"),
    [
        ("martian-whist-4-de-739948-abc", True),
        ("martian-whist-5-de-739948-abc", False),
        ("martian-whist-0-de-739948-abc", False),
        ("chess-1-de-739948-abc", False),
        ("martian-whist", False),
        ("", False),
    ],
)
def test_an_address_exists_if_its_step_does(token: str, *, names: bool) -> None:
    assert lesson_mail.names_step(token) is names
