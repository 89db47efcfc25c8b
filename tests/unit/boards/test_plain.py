from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import pbem.boards
from pbem.boards import drawing_for
from pbem.boards.plain import Plain

BOARD = {
    "round": 3,
    "over": False,
    "market": ["R1", "G2"],
    "hands": [{"cards": ["AS", "TH"], "hidden_cards": 4}, {"cards": [], "passed": True}],
    "rows": [["a1", "a2"], ["b1"]],
    "note": "",
    "pot": None,
    "deck": [f"{rank}{suit}" for suit in "CDHS" for rank in "23456789TJQKA"],
}
NAMES = ("Ann", "Bob <i>")


def test_a_game_without_a_drawing_is_drawn_plainly() -> None:
    assert isinstance(drawing_for("no-such-game"), Plain)


def test_text_is_indented_under_the_names_of_its_parts() -> None:
    lines = drawing_for("no-such-game").text(BOARD, NAMES, 2).splitlines()
    assert lines[:17] == [
        "Players: Ann, Bob <i> (you)",
        "round: 3",
        "over: no",
        "market: R1, G2",
        "hands has",
        "  part 1 has",
        "    cards: AS, TH",
        "    hidden cards: 4",
        "  part 2 has",
        "    cards: none",
        "    passed: yes",
        "rows has",
        "  part 1: a1, a2",
        "  part 2: b1",
        "note: none",
        "pot: none",
        "deck: 2C, 3C, 4C, 5C, 6C, 7C, 8C, 9C, TC, JC, QC, KC, AC,",
    ]
    assert lines[17].startswith(" also 2D, 3D")
    assert all(len(line) <= 60 for line in lines)


def test_long_words_deep_down_stay_within_the_columns() -> None:
    deep: dict[str, object] = {"some_very_long_name_of_a_thing": "x" * 90}
    for _ in range(9):
        deep = {"another_long_name_of_a_thing": deep}
    assert all(len(line) <= 60 for line in Plain().text(deep, NAMES).splitlines())


def test_words_are_the_text_without_indents() -> None:
    words = Plain().words(BOARD, NAMES).splitlines()
    assert "cards: AS, TH" in words
    assert all(line == line.strip() for line in words)


def test_the_picture_shows_the_text() -> None:
    root = ET.fromstring(Plain().svg(BOARD, NAMES, 1))  # noqa: S314 (made here)
    assert root.findtext("{http://www.w3.org/2000/svg}desc") == Plain().words(BOARD, NAMES, 1)
    lines = Plain().text(BOARD, NAMES, 1).splitlines()
    assert len(root.findall("{http://www.w3.org/2000/svg}path")) == len(lines)


def test_moves_are_told_and_hidden_ones_are_not() -> None:
    assert Plain().tell({"seat": 1, "move": "AS TH"}, NAMES) == "Ann played “AS TH” here."
    assert Plain().tell({"seat": 2, "move": None}, NAMES) == "Bob <i> made a hidden move."


def test_the_prompt_gives_a_short_example_or_none() -> None:
    assert Plain().prompt(BOARD, 1, ["x" * 40, "a1-a2"]).text.endswith("\nFor example: a1-a2")
    assert "example" not in Plain().prompt(BOARD, 1, ()).text


def test_an_installed_package_adds_a_drawing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "foreign-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[pbem.boards]\nforeign = foreign_boards:Foreign\n")
    (tmp_path / "foreign_boards.py").write_text(
        "from pbem.boards.plain import Plain\n\n\nclass Foreign(Plain):\n    key = 'foreign'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    found = pbem.boards.drawings.__wrapped__()
    assert found["foreign"].key == "foreign"
    assert {"minimax", "martian-whist", ""} < set(found)
