"""docs/reference/records.md: its example is one record in both forms, and everything in it holds."""

from __future__ import annotations

import json
import re

import click
from jsonschema import Draft202012Validator

from pbem.cli import main
from pbem.games import find
from pbem.games.record import parse_record
from pbem.games.record_text import format_text, parse_text
from pbem.games.verify import verify
from tests.support.places import ROOT

PAGE = (ROOT / "docs" / "reference" / "records.md").read_text()
(TEXT,) = re.findall(r"\n```\n(.*?)```\n", PAGE, re.DOTALL)
(DATA,) = re.findall(r"\n```json\n(.*?)```\n", PAGE, re.DOTALL)


def test_the_example_is_one_record_in_both_forms() -> None:
    record = parse_text(TEXT)
    assert format_text(record) == TEXT
    assert parse_record(json.loads(DATA)) == record
    assert len(list(verify(record, find))) == 6


def test_the_example_has_the_form_that_the_schema_describes() -> None:
    schema = json.loads((ROOT / "docs" / "reference" / "record.schema.json").read_bytes())
    Draft202012Validator(schema).validate(json.loads(DATA))
    described = set(re.findall(r"`(\w+)`", "".join(re.findall(r"\n\| ([^|]*) \|", PAGE.partition("\n## ")[0]))))
    assert described == set(schema["properties"])


def test_the_commands_and_options_that_are_told_are_there() -> None:
    told = re.findall(r"\| `pbem ([a-z-]+) [A-Z]+…?` \|", PAGE)
    assert told == ["verify", "replay", "viewer", "import", "export-records"]
    options = {
        option for name in told for one in main.commands[name].params for option in one.opts + one.secondary_opts
    }
    assert set(re.findall(r"`(--[a-z-]+)", PAGE)) <= options
    assert all(isinstance(main.commands[name], click.Command) for name in told)
