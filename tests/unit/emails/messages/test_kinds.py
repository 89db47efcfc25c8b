"""The records of the kinds of mail: each is found by its name and has every property that its mail needs."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from string import Formatter

import pytest

from emails import messages
from emails.messages import MessageKind, message_kinds
from emails.messages.kinds import DEFAULT_SUMMARY
from pbem.play.core import message_kinds as play_kinds
from pbem.play.notifications import operator_mail

KINDS = message_kinds()


def test_no_name_is_used_twice() -> None:
    folder = (
        importlib.import_module(f"{messages.__name__}.{each.name}") for each in pkgutil.iter_modules(messages.__path__)
    )
    names = Counter(kind.name for module in folder for kind in getattr(module, "KINDS", ()))
    assert names == Counter(KINDS.keys())


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_each_kind_has_every_property(kind: MessageKind) -> None:
    assert KINDS[kind.name] is kind
    assert callable(kind.build_blocks)
    assert kind.subject.strip() == kind.subject != ""
    assert {field for _, field, _, _ in Formatter().parse(kind.subject) if field is not None} == set()
    assert {field for _, field, _, _ in Formatter().parse(kind.summary) if field is not None} <= {"game"}
    assert kind.summary.endswith((".", "?", "”."))


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_an_unredacted_mail_needs_no_summary(kind: MessageKind) -> None:
    if kind.is_unredacted:
        assert kind.summary == DEFAULT_SUMMARY
        assert not kind.is_previewed, "an unredacted mail is previewed anyway"


def test_special_delivery_rules_are_those_of_kinds_that_exist() -> None:
    # The mail that forwards a mail to the operator is composed of that mail alone.
    assert play_kinds.SPECIAL.keys() <= KINDS.keys() | {operator_mail.KIND}


def test_a_requested_mail_is_an_answer() -> None:
    requested = play_kinds.names(lambda rules: rules.is_requested)
    assert all(KINDS[name].is_answer for name in requested)


def test_an_ordinary_kind_needs_no_delivery_rules() -> None:
    assert play_kinds.delivery_rules("no such kind") == play_kinds.DeliveryRules()
    assert play_kinds.DeliveryRules() not in play_kinds.SPECIAL.values()


@pytest.mark.parametrize("name", play_kinds.names(lambda rules: rules.is_secret))
def test_a_secret_mail_protects_an_account(name: str) -> None:
    assert play_kinds.delivery_rules(name).protects_account
