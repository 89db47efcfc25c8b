"""`pbem viewer`: pages to look at matches by, written without a service."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.games import GAMES
from pbem.games.record_text import format_text
from pbem.records.page import viewer_page
from tests.support.games.small_record import acted, finished, random_match, sealed
from tests.support.records.page.files import page_of, record_in


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def wrote(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["viewer", *words])
    return done.exit_code, done.output.strip()


@pytest.mark.parametrize("key", GAMES)
def test_a_record_of_any_game_becomes_the_file_that_the_service_gives(key: str) -> None:
    record = random_match(key, 12)
    Path("kept.txt").write_text(format_text(record), encoding="utf-8")
    name = f"{key}-{record.match}.html"
    assert wrote("kept.txt") == (0, f"Everything in this record holds.\nWrote {name}")
    page = Path(name).read_text(encoding="utf-8")
    assert record_in(page) == record.data()
    assert page.count("<li") == page_of(record).count("<li")


def test_without_a_record_it_is_the_page_that_opens_any() -> None:
    assert wrote() == (0, "Wrote viewer.html")
    assert Path("viewer.html").read_text(encoding="utf-8") == viewer_page()


def test_what_stands_there_already_is_replaced_only_by_its_name() -> None:
    Path("viewer.html").write_text("my own page", encoding="utf-8")
    assert wrote() == (
        2,
        "viewer.html already exists. Name another file with --out, or this one to replace it.",
    )
    assert Path("viewer.html").read_text(encoding="utf-8") == "my own page"
    assert wrote("--out", "viewer.html") == (0, "Wrote viewer.html")


def test_what_does_not_hold_or_is_no_record_becomes_no_page() -> None:
    whole = finished().data()
    Path("spoiled.json").write_text(json.dumps(whole | {"match": "another"}), encoding="utf-8")
    Path("letter.txt").write_text("Dear Ann", encoding="utf-8")
    status, said = wrote("spoiled.json")
    assert (status, "DOES NOT HOLD" in said) == (1, True)
    status, said = wrote("letter.txt")
    assert status == 2
    assert said
    assert not list(Path().glob("*.html"))


def test_a_page_that_cannot_be_written_is_said_to_be() -> None:
    assert wrote("--out", "nowhere/page.html") == (2, "nowhere/page.html cannot be written: No such file or directory.")


def test_a_match_of_any_name_stays_in_the_folder() -> None:
    far = sealed("abandoned", [acted("abandoned")], {"swap": True}, match="../../far <away>")
    Path("kept.json").write_text(json.dumps(far.data()), encoding="utf-8")
    assert wrote("kept.json") == (0, "Everything in this record holds.\nWrote middle-card-faraway.html")
