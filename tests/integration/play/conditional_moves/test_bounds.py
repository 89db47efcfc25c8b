"""How long a plan may grow that is added to line by line."""

import pytest

from pbem.play.conditional_moves.plans import MAX_LINES, Line, Plan, PlanError, merged


def lines(first: int, count: int) -> tuple[Line, ...]:
    return tuple(Line(f"take {number}", "take 1") for number in range(first, first + count))


def test_lines_are_added_up_to_the_most_that_there_may_be() -> None:
    nearly = Plan(lines(0, MAX_LINES - 1))
    full = merged(nearly, Plan(lines(MAX_LINES, 1)))
    assert len(full.lines) == MAX_LINES
    with pytest.raises(PlanError, match=f"at most {MAX_LINES} lines; this one would have {MAX_LINES + 1}"):
        merged(full, Plan(queued=("swap",)))
