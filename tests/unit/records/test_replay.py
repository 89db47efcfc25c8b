"""`pbem replay FILE`: a match told step by step."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from pbem.boards import drawing_for
from pbem.cli import main
from pbem.games import GAMES, Chance, Eye, Seat
from pbem.games.record import replay
from pbem.games.record_text import format_text
from tests.support.games.small_record import finished, hands, random_match

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.games import Viewer
    from pbem.games.record import Record


def retold(folder: Path, record: Record, *more: str) -> tuple[int, str]:
    file = folder / "record.txt"
    file.write_text(format_text(record), encoding="utf-8")
    done = CliRunner().invoke(main, ["replay", str(file), *more])
    return done.exit_code, done.output


def boards(record: Record, seat: int | None) -> list[str]:
    """Draw the boards of all steps, as they are told."""
    game, chance = GAMES[record.game], Chance(record.seed)
    start: Any = game.setup(len(record.seats), record.options, chance)
    positions = [start, *(step.position for step in replay(game, start, record.log, chance))]
    viewer: Viewer = Eye.OPEN if seat is None else Seat(seat)
    texts = (drawing_for(game.key).text(game.board(at, viewer), record.seats, seat) for at in positions)
    return ["".join(f"    {line}".rstrip() + "\n" for line in text.rstrip("\n").splitlines()) for text in texts]


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("seat", [None, 1])
def test_a_match_of_any_game_is_told_with_all_its_boards(tmp_path: Path, key: str, seat: int | None) -> None:
    record = random_match(key, 20)
    status, said = retold(tmp_path, record, *(["--as", str(seat)] if seat else []))
    assert status == 0, said
    told = "".join(f"{line.rstrip()}\n" for line in said.splitlines())
    at = 0
    for number, board in enumerate(boards(record, seat)):
        at = told.index(f"Step {number}", at)
        at = told.index(board, at)
    assert said.splitlines()[-1] == "Everything in this record holds."


def test_steps_say_who_did_what_and_when(tmp_path: Path) -> None:
    status, said = retold(tmp_path, finished(taken_back=True), "--no-boards")
    assert status == 0
    lines = said.splitlines()
    assert lines[0] == "Record of match abcdefghjk0123456789: Ann and Bob and Cyd"
    assert "Step 1, move 1 by Ann, 2026-11-21T05:50:10.123Z" in lines
    assert "Step 4, 2026-11-21T05:50:10.123Z: the moves from ply 2 on were taken back (by table)" in lines
    assert "Step 5, move 5 by Bob, 2026-11-21T05:50:10.123Z" in lines
    assert lines[-5] == "The result"
    assert lines[-4].startswith("  Scores: Ann ")


def test_one_step_is_shown_alone(tmp_path: Path) -> None:
    record = finished(taken_back=True)
    status, said = retold(tmp_path, record, "--step", "0")
    assert status == 0
    assert said.count("Step ") == 1
    assert boards(record, None)[0] in said
    status, said = retold(tmp_path, record, "--step", "13", "--no-boards")
    assert said.count("Step ") == 1
    assert "Step 13, move 13 by " in said


def test_a_seat_is_shown_no_more_than_it_saw(tmp_path: Path) -> None:
    _, said = retold(tmp_path, finished(), "--step", "0", "--as", "2")
    dealt = hands()
    assert all(card in said for card in dealt[1])
    assert not any(f"    {' '.join(dealt[seat])}" in said for seat in (0, 2))
    # In a sealed step, a move stands where it was sent in for its own seat, and for the others at its end.
    move = next(entry for entry in finished().log[1:2])
    _, own = retold(tmp_path, finished(), "--step", "2", "--as", "2", "--no-boards")
    _, others = retold(tmp_path, finished(), "--step", "2", "--as", "1", "--no-boards")
    assert f"Bob: {move.data()['move']}" in own
    assert f"Bob: {move.data()['move']}" not in others


@pytest.mark.parametrize("more", [("--step", "14"), ("--step", "-1"), ("--as", "0"), ("--as", "4"), ("--as", "you")])
def test_a_step_or_seat_that_there_is_not_is_told(tmp_path: Path, more: tuple[str, ...]) -> None:
    status, said = retold(tmp_path, finished(taken_back=True), *more)
    assert status == 2
    assert "Error: " in said
    assert "Step " not in said


def test_a_record_is_told_as_far_as_it_holds(tmp_path: Path) -> None:
    record = finished()
    log = (*record.log[:4], replace(record.log[4], seat=1), *record.log[5:])
    status, said = retold(tmp_path, replace(record, log=log), "--no-boards")
    assert status == 1
    assert "Step 4, " in said
    assert "Step 5, " not in said
    assert said.splitlines()[-1].startswith("  DOES NOT HOLD: Entry 5 of the log does not hold: ")
    status, said = retold(tmp_path, replace(record, head=bytes(32)), "--step", "0", "--no-boards")
    assert status == 1
    assert "DOES NOT HOLD: The chain does not hold" in said


def test_names_are_shown_harmlessly(tmp_path: Path) -> None:
    names = ("<script>alert(1)</script>\x1b[2J\r", "\u202eBob\x00\nStep 99", "\x9b1m" * 900)
    status, said = retold(tmp_path, replace(finished(), seats=names))
    assert status == 0
    assert not [letter for letter in said if not letter.isprintable() and letter != "\n"]
    assert "\nStep 99" not in said


def test_json_is_taken_too_and_anything_else_is_not(tmp_path: Path) -> None:
    file = tmp_path / "record"
    file.write_text(json.dumps(finished().data()))
    assert CliRunner().invoke(main, ["replay", str(file), "--no-boards"]).exit_code == 0
    file.write_text("1. e4 e5")
    done = CliRunner().invoke(main, ["replay", str(file)])
    assert (done.exit_code, done.output) == (2, "This is not a record: it is neither JSON nor the text form.\n")
