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
