"""Which typed lines are a private note, and where it ends."""

from __future__ import annotations

import pytest

from pbem.play.inbox import note_lines


def is_move(lines: object) -> bool:
    return next(iter(lines)) == "take 7"  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize(
    ("lines", "notes", "others"),
    [
        (["note he bluffs"], ["he bluffs"], [""]),
        (["Note: he bluffs"], ["he bluffs"], [""]),
        (["NOTE:he bluffs"], ["he bluffs"], [""]),
        (["Notiz zu Bob: blufft"], ["zu Bob: blufft"], [""]),
        (["  - note he bluffs"], ["he bluffs"], [""]),
        (["note\u00a0he bluffs"], ["he bluffs"], [""]),
        (["note:", "he bluffs"], ["he bluffs"], ["", ""]),
        (["take 7", "note he bluffs when", "he is behind"], ["he bluffs when\nhe is behind"], ["take 7", "", ""]),
        (["note he bluffs", "take 7"], ["he bluffs"], ["", "take 7"]),
        (["note he bluffs", "", "Thanks!"], ["he bluffs"], ["", "", "Thanks!"]),
        (["note one", "note two"], ["one", "two"], ["", ""]),
        (["note"], [], [""]),
        (["notes"], [], ["notes"]),
        (["Noted!", "notebook a", "take 7"], [], ["Noted!", "notebook a", "take 7"]),
        (["note:taker is here"], ["taker is here"], [""]),
    ],
)
def test_a_note_goes_on_to_a_blank_line_or_a_move(lines: list[str], notes: list[str], others: list[str]) -> None:
    assert note_lines.split(lines, is_move) == (notes, others)
    assert note_lines.may_contain_note(lines) == (notes != [] or lines == ["note"])


def test_what_others_are_shown_leaves_out_the_whole_paragraph() -> None:
    assert note_lines.leave_out(["note he bluffs", "take 7", "", "Hello"]) == ["", "", "", "Hello"]
